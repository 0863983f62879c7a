// What a model writes to an input comes back, ahead of its other outputs. A method that loses an
// input's new value and returns a buffer which it updates in place has one for the other, or means
// both.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "base/rule_names.h"
#include "properties/proofs/rules/return_names.h"
#include "properties/proofs/rules/rules.h"

namespace pteproof::proofs {
namespace {

// The last store to an input that no output is; -1: none.
int32_t StoreThatIsLost(const MethodFacts& facts, const std::set<int32_t>& returned) {
  int32_t lost_in = -1;
  for (const WriteEvent& w : facts.listing.writes) {
    const bool stores = facts.parts.Of(w.value) == Part::kInput && !w.result && w.replaces();
    if (stores && !returned.contains(w.value)) lost_in = w.instruction;
  }
  return lost_in;
}

// The buffers that operators update, but for those that are stored to only.
std::set<int32_t> UpdatedBuffers(const MethodFacts& facts) {
  std::set<int32_t> updated;
  for (const WriteEvent& w : facts.listing.writes) {
    const Instruction& at = facts.method->instructions[static_cast<size_t>(w.instruction)];
    const bool updates =
        at.kind == InstructionKind::kKernelCall && !w.result &&
        facts.method->operators[static_cast<size_t>(at.target)].name != "aten::copy_";
    if (updates && facts.parts.Of(w.value) == Part::kBuffer) updated.insert(w.value);
  }
  return updated;
}

}  // namespace

void ObligeDisplacedOutputs(Obliger& obliger, int32_t method) {
  const MethodFacts& facts = obliger.facts().FactsAt(method);
  if (facts.stated != nullptr && facts.stated->mutates_inputs.has_value()) return;
  const ReturnNames names(facts);
  std::set<int32_t> returned;
  for (const int32_t v : facts.method->outputs) returned.insert(names.WrittenAs(v));
  const int32_t lost_in = StoreThatIsLost(facts, returned);
  if (lost_in < 0) return;
  const std::set<int32_t> updated = UpdatedBuffers(facts);
  const auto stands_in = std::ranges::find_if(
      facts.method->outputs, [&](int32_t v) { return updated.contains(names.WrittenAs(v)); });
  if (stands_in == facts.method->outputs.end()) return;
  Obligation o = AboutMethod(*facts.method, rule::kOutputMisbound, lost_in, {*stands_in});
  o.severity = Severity::kNote;
  o.goal = None(1);
  o.refuted = fmt::format(
      "{} is returned, and the new value of an input is not: one may stand for the other.",
      ValueText(*facts.method, *stands_in));
  obliger.Add(std::move(o));
}

}  // namespace pteproof::proofs
