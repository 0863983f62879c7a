// Whether a bundle's test cases fit the program inside it.
#include <fmt/format.h>

#include <map>
#include <string_view>

#include "runtime/data_rules.h"
#include "runtime/finding_list.h"
#include "runtime/read_bundle.h"

namespace pteproof {
namespace {

struct Place {
  const Method& method;
  size_t test = 0;
};

void Add(const Place& place, std::string_view rule, std::string explanation,
         FindingList& findings) {
  Finding finding;
  finding.rule = rule;
  finding.method = place.method.name;
  finding.explanation = fmt::format("Test case {} of method '{}' {}.", place.test,
                                    Shown(place.method.name), explanation);
  findings.Add(std::move(finding));
}

bool Fits(const BundleValue& given, const Method& method, int32_t value) {
  if (const auto* tensor = std::get_if<BundleTensor>(&given)) {
    const Tensor* expected = method.TensorOf(value);
    return expected != nullptr && expected->dtype == tensor->layout.dtype;
  }
  const ValueKind kind = method.values[static_cast<size_t>(value)].kind;
  if (std::holds_alternative<int64_t>(given)) return kind == ValueKind::kInt;
  if (std::holds_alternative<bool>(given)) return kind == ValueKind::kBool;
  return kind == ValueKind::kDouble;
}

// `what` is "input" or "output".
void CheckValues(const Place& place, std::string_view what, const std::vector<BundleValue>& given,
                 const std::vector<int32_t>& values, FindingList& findings) {
  if (given.size() != values.size()) {
    return Add(place, rule::kBundleArity,
               fmt::format("has {} {}s, and the method has {}", given.size(), what, values.size()),
               findings);
  }
  for (size_t i = 0; i < given.size() && !findings.full(); ++i) {
    if (Fits(given[i], place.method, values[i])) continue;
    Add(place, rule::kBundleMismatch,
        fmt::format("has another kind or element type for {} {} than the method", what, i),
        findings);
  }
}

}  // namespace

std::vector<Finding> CheckBundle(const Program& program, const Bundle& bundle) {
  FindingList findings;
  std::map<std::string_view, const Method*> by_name;
  for (const Method& method : program.methods) by_name.emplace(method.name, &method);
  for (const BundleSuite& suite : bundle.suites) {
    const auto method = by_name.find(suite.method);
    if (method == by_name.end()) {
      findings.Add(
          rule::kBundleMethod,
          fmt::format("The bundle has test cases for method '{}'. The program has no such method.",
                      Shown(suite.method)));
      continue;
    }
    for (size_t i = 0; i < suite.cases.size() && !findings.full(); ++i) {
      const BundleCase& test = suite.cases[i];
      CheckValues({*method->second, i}, "input", test.inputs, method->second->inputs, findings);
      if (test.expected_outputs.empty()) continue;
      CheckValues({*method->second, i}, "output", test.expected_outputs, method->second->outputs,
                  findings);
    }
  }
  return std::move(findings).Take();
}

}  // namespace pteproof
