#include "planner/passes/accesses.h"

#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

void Note(std::vector<std::vector<int32_t>>& steps, ValueId value, size_t step) {
  std::vector<int32_t>& of_value = steps[static_cast<size_t>(value)];
  const auto at = static_cast<int32_t>(step);
  if (of_value.empty() || of_value.back() != at) of_value.push_back(at);
}

// Defects.
bool IsReadForgotten(const Step& step, size_t operand) {
  const bool list = std::holds_alternative<graph::OperandList>(step.operands[operand].held);
  if (list && Planted(Defect::kListsNotRead)) return true;
  const bool call = step.kind == StepKind::kCall;
  const bool opaque = step.kind == StepKind::kDelegate || (call && step.schema == nullptr);
  if (opaque && Planted(Defect::kOpaqueNotRead)) return true;
  const bool rewritten = call && (step.op == "aten::index_put.out" || step.in_place);
  if (!rewritten) return false;
  const bool is_target = operand == static_cast<size_t>(step.in_place.value_or(0));
  return Planted(is_target ? Defect::kUpdateIsFill : Defect::kPutNotRead);
}

}  // namespace

Accesses AccessesOf(const Code& code) {
  const size_t count = code.values.size();
  Accesses a;
  a.reads.resize(count);
  a.writes.resize(count);
  a.updates.resize(count);
  a.begins.resize(count);
  for (size_t s = 0; s < code.steps.size(); ++s) {
    const Step& step = code.steps[s];
    for (size_t o = 0; o < step.operands.size(); ++o) {
      if (IsReadForgotten(step, o)) continue;
      graph::ForEachValue(std::span(step.operands).subspan(o, 1),
                          [&](ValueId v) { Note(a.reads, v, s); });
    }
    for (size_t o = 0; o < step.operands.size(); ++o) {
      const auto value = graph::ValueOfOperand(step.operands[o]);
      if (value && Updates(step, o)) Note(a.updates, *value, s);
    }
    for (const ValueId v : step.results) Note(a.writes, v, s);
    for (const ValueId v : step.begins) Note(a.begins, v, s);
  }
  return a;
}

}  // namespace pteproof::planner
