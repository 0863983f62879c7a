// Idea. After sharing, a step may find its result where its operands are. It is then elided, unless
// a reader of the file would take the result for a view of an older value in the same place: such a
// step is emitted as an et_view, which names the bytes and gives them sizes.
//
//   copy    result and operand coincide                 elided
//   view    result and operand coincide                 elided, or renamed by et_view
//   concat  all parts lie in the whole                  elided
//   slice   the result lies at its place in the operand elided
//
// Cost: O(accesses of the value) for each question.
#include <algorithm>

#include "planner/code/parallel_copy.h"
#include "planner/code/same_bytes.h"
#include "planner/passes/in_place_rules.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

// Whether a copy hands the value over in its place.
bool IsCopiedThere(const Code& code, const Sharing& sharing, ValueId value) {
  for (const int32_t s : sharing.accesses().reads[static_cast<size_t>(value)]) {
    const Step& step = code.steps[static_cast<size_t>(s)];
    if (step.kind != StepKind::kCopy) continue;
    const auto to = static_cast<size_t>(step.results.front());
    const bool over =
        sharing.accesses().writes[to].size() > 1 || code.values[to].origin != Origin::kStep;
    if (over && sharing.Coincide(step.results.front(), value)) return true;
  }
  return false;
}

// The value that an operator which works in place makes of a value: both are one in the file.
std::optional<ValueId> UpdatedTo(const Code& code, const Sharing& sharing, ValueId value) {
  for (const int32_t s : sharing.accesses().reads[static_cast<size_t>(value)]) {
    const Step& step = code.steps[static_cast<size_t>(s)];
    if (step.operands.empty() || step.results.empty() || InPlaceForm(code, step) == nullptr) {
      continue;
    }
    const bool updated = graph::ValueOfOperand(step.operands.front()) == value;
    if (updated && sharing.Coincide(step.results.front(), value)) return step.results.front();
  }
  return std::nullopt;
}

// Whether a value is made where another one goes: a buffer, an input, what branches or loops hand
// over; itself, or after updates in place. Then it is that one's value of the file, which is older
// than others in the same place.
bool IsHandedOver(const Code& code, const Sharing& sharing, ValueId value) {
  for (std::optional<ValueId> at = value; at; at = UpdatedTo(code, sharing, *at)) {
    if (sharing.accesses().writes[static_cast<size_t>(*at)].size() > 1) return true;
    if (IsCopiedThere(code, sharing, *at)) return true;
  }
  return false;
}

// Whether an operator that works in place makes the value: it is its operand's value of the file,
// which is older than views of what was there before.
bool IsUpdate(const Code& code, const Sharing& sharing, ValueId value) {
  for (const int32_t s : sharing.accesses().writes[static_cast<size_t>(value)]) {
    const Step& step = code.steps[static_cast<size_t>(s)];
    if (step.operands.empty() || InPlaceForm(code, step) == nullptr) continue;
    const auto self = graph::ValueOfOperand(step.operands.front());
    if (self && sharing.Coincide(*self, value)) return true;
  }
  return false;
}

}  // namespace

bool IsConcat(const Step& step) {
  return step.kind == StepKind::kCall && step.op == "aten::cat.out";
}

// A reader takes a view that nothing makes for one of the youngest value in its place.
bool IsRenamed(const Code& code, const Sharing& sharing, const Step& step) {
  const auto base = BytesKept(code, step);
  const ValueId result = step.results.empty() ? -1 : step.results.front();
  if (!base || !sharing.Coincide(result, *base)) return false;
  if (*TensorTypeOf(code, result) == *TensorTypeOf(code, *base)) return false;
  if (step.view_sizes && Planted(Defect::kVaryingElided)) return false;
  const ValueId root = RootOf(code, *base);
  return step.view_sizes || IsHandedOver(code, sharing, root) || IsUpdate(code, sharing, root);
}

bool IsElided(const Code& code, const Sharing& sharing, const Step& step) {
  if (step.results.empty()) return false;
  const ValueId result = step.results.front();
  if (step.kind == StepKind::kCopy) {
    return sharing.Coincide(result, *graph::ValueOfOperand(step.operands.front()));
  }
  if (const auto base = BytesKept(code, step)) {
    return sharing.Coincide(result, *base) && !IsRenamed(code, sharing, step);
  }
  if (IsSlice(step)) return sharing.IsSliceThere(result);
  return IsConcat(step) && sharing.HasParts(result);
}

}  // namespace pteproof::planner
