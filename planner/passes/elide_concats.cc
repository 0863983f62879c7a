// Idea. A concatenation along the outermost dimension lays its parts one behind the other. If each
// part is computed at its place in the whole, the concatenation has nothing to do.
//
//   whole   [ a: 32 bytes | b: 16 bytes | c: 16 bytes ]
//            written by f   written by g  written by h       aten::cat is not emitted
//
// A reader of the file recognises the whole by the parts that tile it. So the sizes must be static,
// each part must have a writer of its own and occur once, and nothing else may write the whole.
//
// Invariant: either all parts lie in the whole, or none does (TryShareParts). Cost: O(n log n) and
// one attempt of Sharing for each part.
#include <algorithm>

#include "planner/code/same_bytes.h"
#include "planner/passes/candidates.h"
#include "planner/passes/passes.h"
#include "planner/planted.h"
#include "reference/graph/method_uses.h"

namespace pteproof::planner {
namespace {

// By value: whether it cannot be a part: only a run knows its sizes, or it is another name of its
// operand's bytes, which no instruction writes.
std::vector<bool> NoParts(const Code& code, const Sharing& sharing) {
  std::vector<bool> unfit = StackedByRows(code, sharing);
  for (const Step& step : code.steps) {
    if (!BytesKept(code, step)) continue;
    const bool named = IsElided(code, sharing, step) || IsRenamed(code, sharing, step);
    if (named) unfit[static_cast<size_t>(step.results.front())] = true;
  }
  return unfit;
}

bool AllStatic(const TensorType& type) {
  return std::ranges::all_of(type.sizes,
                             [](const SizeExpr& size) { return size.Constant().has_value(); });
}

// The parts of a concatenation whose bytes lie one behind the other in the result; none where they
// do not, or where a part stands in it twice.
std::vector<Member> PartsOf(const Code& code, const Sharing& sharing, const Step& step,
                            const std::vector<bool>& unfit) {
  const auto* list = std::get_if<graph::OperandList>(&step.operands[0].held);
  const auto* dim = std::get_if<SizeExpr>(&step.operands[1].held);
  const TensorType& whole = *TensorTypeOf(code, step.results.front());
  if (list == nullptr || dim == nullptr || !dim->Constant() || !AllStatic(whole)) return {};
  const auto rank = static_cast<int64_t>(whole.rank());
  const int64_t at = *dim->Constant() < 0 ? *dim->Constant() + rank : *dim->Constant();
  for (int64_t d = 0; d < at; ++d) {
    const bool apart = !whole.sizes[static_cast<size_t>(d)].Is(1);
    if (apart && !Planted(Defect::kInnerConcatElided)) return {};
  }
  std::vector<Member> parts;
  int64_t inside = 0;
  for (const Operand& operand : *list) {
    const auto value = graph::ValueOfOperand(operand);
    if (!value || code.values[static_cast<size_t>(*value)].origin != Origin::kStep) return {};
    if (unfit[static_cast<size_t>(*value)]) return {};
    const TensorType& type = *TensorTypeOf(code, *value);
    const bool whole_part = type.dtype == whole.dtype && type.rank() == whole.rank();
    if (!whole_part || std::ranges::find(parts, *value, &Member::value) != parts.end()) return {};
    parts.push_back({*value, inside});
    inside += sharing.BytesOf(*value);
  }
  if (Planted(Defect::kConcatReversed)) {
    for (Member& part : parts) part.inside = inside - part.inside - sharing.BytesOf(part.value);
  }
  return parts;
}

}  // namespace

void ElideConcats(const Code& code, const std::vector<bool>& but_not, Sharing& sharing) {
  const std::vector<bool> unfit = NoParts(code, sharing);
  const std::vector<bool> delegated = GivenToDelegates(code);
  for (const Step* step : LargestFirst(code, sharing, IsConcat)) {
    const std::vector<Member> parts = PartsOf(code, sharing, *step, unfit);
    const ValueId whole = step->results.front();
    // Nothing writes the whole: so it cannot be what a store or a branch hands over.
    const auto storage = static_cast<size_t>(sharing.StorageIndexOf(whole));
    if (sharing.storages()[storage].members.size() != 1) continue;
    if (delegated[static_cast<size_t>(whole)] || but_not[static_cast<size_t>(whole)]) continue;
    sharing.TryShareParts(whole, parts);
  }
}

}  // namespace pteproof::planner
