#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/rule_names.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// ExecuTorch's own loaders give memory to planned values only. Another loader may do more.
void ObligeStateMemory(Obliger& obliger, const MethodFacts& facts) {
  std::set<int32_t> used;  // buffers
  for (int32_t v = 0; v < facts.value_count(); ++v) {
    const Touched& touched = facts.parts.TouchedOf(v);
    if (touched.any() || touched.output) used.insert(facts.parts.BufferOf(v));
  }
  for (size_t b = 0; b < facts.parts.buffers.size(); ++b) {
    const int32_t v = facts.parts.buffers[b].value;
    if (!used.contains(static_cast<int32_t>(b))) continue;
    Obligation o = AboutMethod(*facts.method, rule::kMemoryMissing, -1, {v});
    o.severity = Severity::kNote;
    o.goal = None(facts.method->TensorOf(v)->planned ? 0 : 1);
    o.refuted = fmt::format(
        "{} keeps its value from call to call and has no placement: ExecuTorch's own loaders give "
        "it no memory.",
        ValueText(*facts.method, v));
    obliger.Add(std::move(o));
  }
}

// Whether the first use of a value is a store of all of it, before any branch.
bool IsMadeAnew(const MethodFacts& facts, int32_t v) {
  const Touched& touched = facts.parts.TouchedOf(v);
  if (touched.WantedUnmade()) return false;
  for (int32_t i = 0; i < touched.first_made; ++i) {
    const Instruction& at = facts.method->instructions[static_cast<size_t>(i)];
    if (at.kind == InstructionKind::kJumpFalse) return false;
  }
  const auto writes = facts.listing.WritesAt(touched.first_made);
  return std::ranges::any_of(writes,
                             [&](const WriteEvent& w) { return w.value == v && w.replaces(); });
}

// The Python Runtime binds outputs to memory of its own after it has bound the inputs.
void ObligeBoundInputs(Obliger& obliger, const MethodFacts& facts) {
  const Method& method = *facts.method;
  const std::set<int32_t> outputs(method.outputs.begin(), method.outputs.end());
  const std::set<int32_t> inputs(method.inputs.begin(), method.inputs.end());
  for (const int32_t v : inputs) {
    const Tensor* tensor = method.TensorOf(v);
    if (tensor == nullptr || tensor->planned || tensor->nbytes == 0) continue;
    const bool lost = outputs.contains(v) && !IsMadeAnew(facts, v);
    Obligation o = AboutMethod(method, rule::kOutputMisbound, -1, {v});
    o.policies = PolicySet::Of(Policy::kShareAll);
    o.goal = None(lost ? 1 : 0);
    o.refuted = fmt::format(
        "{} is an input and an output and is not planned: the Python Runtime replaces the input's "
        "memory by the output's before the call.",
        ValueText(method, v));
    obliger.Add(std::move(o));
  }
}

}  // namespace

void ObligeMemory(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  ObligeStateMemory(obliger, facts);
  ObligeBoundInputs(obliger, facts);
}

}  // namespace pteproof::proofs
