// The exporter writes the position of the first trained parameter as a method of its own:
//
//   forward                                 outputs: loss, gradient, gradient, v0, v1
//   __et_training_parameters_index_forward  outputs: 3
#include "properties/rules/trained_parameters.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "base/rule_names.h"
#include "properties/rules/wording.h"
#include "properties/vocabulary.h"
#include "runtime/training_methods.h"

namespace pteproof::checks {
namespace {

// What the method returns if that is one integer; -1: it does not.
int64_t OnlyInteger(const Method& method) {
  if (method.outputs.size() != 1) return -1;
  const Value& value = method.values[static_cast<size_t>(method.outputs.front())];
  return value.kind == ValueKind::kInt ? value.integer : -1;
}

// The outputs from `first` on that are constant data of the program, by name or number.
std::vector<int32_t> ConstantOutputs(const MethodMeaning& meant, size_t first) {
  std::vector<int32_t> constants;
  const auto& outputs = meant.method->outputs;
  for (size_t k = first; k < outputs.size(); ++k) {
    const auto v = static_cast<size_t>(outputs[k]);
    const Tensor* tensor = meant.method->TensorOf(outputs[k]);
    const bool constant = meant.roles.of[v] == Role::kConstant && tensor != nullptr;
    if (constant && !tensor->external && tensor->nbytes > 0) constants.push_back(outputs[k]);
  }
  return constants;
}

[[nodiscard]] Finding Tell(const Method& method, std::vector<int32_t> constants) {
  Finding finding = FindingAt(rule::kMemoryMissing, Severity::kWarning, method, -1,
                              std::move(constants), Place{});
  finding.explanation = fmt::format(
      "'{}' trains, and returns {} for the optimiser to update.\n"
      "Loaders that map the file, as Python's do, give constant data no memory that can be "
      "written: the first update ends by a signal.",
      method.name, ValueWords(method, finding.values.front()));
  if (finding.values.size() > 1) {
    finding.explanation += fmt::format("\nSo do {} more parameters.", finding.values.size() - 1);
  }
  finding.fix = "Plan the method's inputs and outputs (`alloc_graph_input`, `alloc_graph_output`).";
  return finding;
}

}  // namespace

std::vector<Finding> CheckTrainedParameters(const ProgramFacts& facts) {
  std::map<std::string_view, int64_t> first;  // by the method that trains
  for (const MethodMeaning& meant : facts.methods) {
    const std::string_view name = meant.method->name;
    if (!name.starts_with(kParametersIndex)) continue;
    first.emplace(name.substr(kParametersIndex.size()), OnlyInteger(*meant.method));
  }
  std::vector<Finding> findings;
  if (first.empty()) return findings;
  for (const MethodMeaning& meant : facts.methods) {
    const auto trains = first.find(meant.method->name);
    if (trains == first.end() || trains->second < 0) continue;
    std::vector<int32_t> constants = ConstantOutputs(meant, static_cast<size_t>(trains->second));
    if (!constants.empty()) findings.push_back(Tell(*meant.method, std::move(constants)));
  }
  return findings;
}

}  // namespace pteproof::checks
