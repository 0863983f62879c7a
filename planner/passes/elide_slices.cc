// Idea. A slice along the outermost dimension is a run of its operand's bytes. If the result lies
// at its place in the operand, the slice has nothing to do.
//
//   v1: float32[6, 4]   bank 1 [0, 96)      written by step 3
//   v2: float32[2, 4]   bank 1 [16, 48)     no instruction: v1[1:3]
//
// A reader of the file recognises the slice by its place and by its literals, which stay in the
// file. So the sizes must be static, an instruction must write the operand once, or what it is a
// view of, and nothing else may write the result.
//
// Cost: O(n log n) and one attempt of Sharing for each slice.
#include <algorithm>
#include <optional>

#include "planner/code/parallel_copy.h"
#include "planner/passes/candidates.h"
#include "planner/passes/passes.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

std::optional<int64_t> NumberOf(const Operand& operand) {
  const auto* number = std::get_if<SizeExpr>(&operand.held);
  return number == nullptr ? std::nullopt : number->Constant();
}

std::optional<std::vector<int64_t>> FixedSizes(const Code& code, ValueId value) {
  std::vector<int64_t> sizes;
  for (const SizeExpr& size : TensorTypeOf(code, value)->sizes) {
    if (!size.Constant()) return std::nullopt;
    sizes.push_back(*size.Constant());
  }
  return sizes;
}

int64_t FromEnd(int64_t at, int64_t size) {
  return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
}

bool IsSelect(const Step& step) {
  return step.op == "aten::select_copy.int_out";
}

// What makes a value, or lets views have its bytes, more than once.
bool IsMadeOnce(const Code& code, const Sharing& sharing, ValueId value) {
  const CodeValue& of = code.values[static_cast<size_t>(value)];
  return of.origin == Origin::kStep &&
         sharing.accesses().writes[static_cast<size_t>(value)].size() == 1;
}

// In a buffer, or in memory that the caller may bring.
bool IsPinned(const Sharing& sharing, ValueId value) {
  const auto storage = static_cast<size_t>(sharing.StorageIndexOf(value));
  return sharing.storages()[storage].pin.kind != Pin::Kind::kNone;
}

}  // namespace

bool IsSlice(const Step& step) {
  return step.kind == StepKind::kCall &&
         (step.op == "aten::slice_copy.Tensor_out" || IsSelect(step));
}

std::optional<Member> SliceIn(const Code& code, const Step& step) {
  const auto whole = graph::ValueOfOperand(step.operands.front());
  const auto dim = NumberOf(step.operands[1]);
  const auto first = NumberOf(step.operands[2]);
  const auto stride = IsSelect(step) ? std::optional<int64_t>(1) : NumberOf(step.operands[4]);
  if (!whole || !dim || !first || stride != 1) return std::nullopt;
  const auto sizes = FixedSizes(code, *whole);
  if (!sizes || sizes->empty() || !FixedSizes(code, step.results.front())) return std::nullopt;
  const auto at = static_cast<size_t>(*dim < 0 ? *dim + static_cast<int64_t>(sizes->size()) : *dim);
  const auto outer = std::ranges::find_if(*sizes, [](int64_t size) { return size != 1; });
  if (outer - sizes->begin() != static_cast<ptrdiff_t>(at)) return std::nullopt;
  int64_t row = static_cast<int64_t>(ElementSize(TensorTypeOf(code, *whole)->dtype));
  for (size_t d = at + 1; d < sizes->size(); ++d) row *= (*sizes)[d];
  return Member{*whole, FromEnd(*first, (*sizes)[at]) * row};
}

void ElideSlices(const Code& code, Sharing& sharing) {
  const std::vector<bool> delegated = GivenToDelegates(code);
  const std::vector<bool> stacked = StackedByRows(code, sharing);
  for (const Step* step : LargestFirst(code, sharing, IsSlice)) {
    const auto place = SliceIn(code, *step);
    const ValueId part = step->results.front();
    if (!place || delegated[static_cast<size_t>(part)]) continue;
    const int64_t bytes = sharing.BytesOf(part);
    if (bytes == 0 || bytes >= sharing.BytesOf(place->value)) continue;
    const ValueId root = RootOf(code, place->value);
    if (stacked[static_cast<size_t>(place->value)] || stacked[static_cast<size_t>(root)]) continue;
    if (!IsMadeOnce(code, sharing, part) || !IsMadeOnce(code, sharing, place->value)) continue;
    // Elided concatenations and slices have no writer; constants and buffers lie where they lie.
    if (sharing.HasParts(root) || sharing.IsSliceThere(root)) continue;
    if (!IsMadeOnce(code, sharing, root) || IsPinned(sharing, root)) continue;
    // Nothing writes the part: so it cannot be what a store or a branch hands over.
    const auto storage = static_cast<size_t>(sharing.StorageIndexOf(part));
    if (sharing.storages()[storage].members.size() != 1) continue;
    sharing.TryShareSlice(place->value, {part, place->inside});
  }
}

}  // namespace pteproof::planner
