#include "tests/executorch/comparable_case.h"

#include <algorithm>
#include <span>

#include "planner/state/module_init.h"
#include "properties/differential/case_run.h"
#include "properties/oracles/compare.h"
#include "reference/graph/bounds.h"
#include "reference/graph/method_uses.h"

namespace pteproof::witness {
namespace {

// A runtime takes numbers only as they were when the model was exported.
bool TakesNumbers(const graph::Module& module) {
  for (const graph::Method& method : module.methods) {
    for (const graph::Input& input : method.inputs) {
      if (graph::TensorTypeOf(method, input.value) == nullptr) return true;
    }
  }
  return false;
}

// ExecuTorch's kernel leaves a product without an inner dimension as it was, where PyTorch gives
// zeros (MatrixProductTest).
bool MultipliesNothing(const graph::Method& method, const graph::Region& region) {
  return std::ranges::any_of(region.nodes, [&](const graph::Node& node) {
    const auto inside = [&](const graph::Region& inner) {
      return MultipliesNothing(method, inner);
    };
    if (std::ranges::any_of(node.regions, inside)) return true;
    if (node.op != "aten::mm.out" && node.op != "aten::bmm.out") return false;
    const TensorType& left = *TensorTypeOf(method, *graph::ValueOfOperand(node.operands.front()));
    return left.sizes.back().Over(graph::RangesOf(method)).lo <= 0;
  });
}

bool MultipliesNothing(const graph::Module& module) {
  return std::ranges::any_of(module.methods, [](const graph::Method& method) {
    return MultipliesNothing(method, method.body);
  });
}

// Updates of whole slices have no kernel there.
bool UpdatesSlices(const graph::Region& region) {
  return std::ranges::any_of(region.nodes, [](const graph::Node& node) {
    return node.op.starts_with("aten::index_add_") || node.op.starts_with("aten::index_copy_") ||
           node.op.starts_with("aten::index_fill_") ||
           std::ranges::any_of(node.regions, UpdatesSlices);
  });
}

// ExecuTorch's cat of tensors without elements gives no columns either, where PyTorch adds them up.
bool AreBothEmpty(const Datum& a, const Datum& b) {
  const auto* x = std::get_if<TensorValue>(&a);
  const auto* y = std::get_if<TensorValue>(&b);
  return x != nullptr && y != nullptr && x->bytes.empty() && y->bytes.empty();
}

// ExecuTorch adds integers up as doubles: -2^63 and 1 come to -2^63.
Datum ThroughDoubles(const Datum& datum) {
  const auto* tensor = std::get_if<TensorValue>(&datum);
  if (tensor == nullptr || tensor->dtype != ScalarType::kInt64) return datum;
  constexpr double kTooLarge = 0x1p63;
  TensorValue rounded = *tensor;
  for (int64_t i = 0; i < ElementCount(rounded); ++i) {
    const auto real = static_cast<double>(IntAt(rounded, i));
    SetInt(rounded, i, real < kTooLarge ? static_cast<int64_t>(real) : INT64_MAX);
  }
  return rounded;
}

}  // namespace

bool IsComparable(const graph::Module& module) {
  const auto updates = [](const graph::Method& method) { return UpdatesSlices(method.body); };
  return !IsOpaque(module) && !TakesNumbers(module) && !MultipliesNothing(module) &&
         std::ranges::none_of(module.methods, updates);
}

ComparableCase JobOf(const generators::RandomCase& random, const Program& program,
                     std::vector<std::byte> file, Policy banks) {
  const Trace wanted = RunAll(random.module, random.calls, OptionsFor(Semantics::kReal));
  ComparableCase c;
  c.job.program = std::move(file);
  c.job.banks = banks;
  for (const Method& method : program.methods) {
    if (method.name != planner::kModuleInit) continue;
    c.job.calls.push_back({method.name, {}});
    c.before = 1;
  }
  for (size_t k = 0; k < random.calls.size() && wanted.calls[k].ok(); ++k) {
    c.job.calls.push_back(
        {random.module.methods[random.calls[k].method].name, random.calls[k].inputs});
    c.wanted.push_back(wanted.calls[k].value().outputs);
  }
  return c;
}

Compared Compare(const ComparableCase& c, const Answer& answer) {
  Compared compared;
  if (!answer.load_error.empty()) compared.difference = "loading: " + answer.load_error;
  for (size_t k = 0; k + c.before < answer.calls.size() && compared.difference.empty(); ++k) {
    const Outcome& outcome = answer.calls[k + c.before];
    // Kernels refuse some types that operators have a meaning for: the rest of the case is not run.
    if (!outcome.error.empty()) {
      compared.error = outcome.error;
      return compared;
    }
    const std::vector<Datum>& wanted = c.wanted[k];
    if (outcome.outputs.size() < wanted.size()) {
      compared.difference = "call " + std::to_string(k) + " gives too few outputs";
      return compared;
    }
    const auto got = std::span(outcome.outputs).last(wanted.size());
    for (size_t o = 0; o < wanted.size() && compared.difference.empty(); ++o) {
      if (AreBothEmpty(wanted[o], got[o])) continue;
      const Datum expected = ThroughDoubles(wanted[o]);
      const Datum given = ThroughDoubles(got[o]);
      const auto difference = FirstDifference({&expected, 1}, {&given, 1}, std::nullopt, true);
      if (difference) compared.difference = "call " + std::to_string(k) + ": " + *difference;
    }
    ++compared.calls;
  }
  compared.whole = true;
  return compared;
}

}  // namespace pteproof::witness
