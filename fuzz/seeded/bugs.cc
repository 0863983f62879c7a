#include "fuzz/seeded/bugs.h"

#include <algorithm>
#include <array>

namespace pteproof {
namespace {

using reader::Bug;

constexpr auto kBugs = std::to_array<fuzz::BugRow>({
    {Bug::kProgramSize, "program-size", "the program's length in the header"},
    {Bug::kSegmentEnd, "segment-end", "where a segment ends"},
    {Bug::kSegmentIndex, "segment-index", "the number of a segment"},
    {Bug::kStoredOffset, "stored-offset", "where data begin in their segment"},
    {Bug::kBudget, "budget", "how often parts are shared"},
    {Bug::kListItemIndex, "list-item-index", "the item of a list"},
    {Bug::kListItemKind, "list-item-kind", "what kind of value an item is"},
    {Bug::kElementType, "element-type", "a tensor's element type"},
    {Bug::kRank, "rank", "the number of dimensions"},
    {Bug::kSizeSign, "size-sign", "a negative size"},
    {Bug::kDimOrderLength, "dim-order-length", "an order of too many or few dimensions"},
    {Bug::kDimOrder, "dim-order", "an order that is not a permutation"},
    {Bug::kByteCount, "byte-count", "sizes whose product overflows"},
    {Bug::kDataIndex, "data-index", "the number of stored data"},
    {Bug::kDataLength, "data-length", "stored data that end inside of the tensor"},
    {Bug::kBankIndex, "bank-index", "the bank of a placement"},
    {Bug::kPlacementEnd, "placement-end", "a placement whose end overflows"},
    {Bug::kDeviceBank, "device-bank", "the bank that lies on a device"},
    {Bug::kIoIndex, "io-index", "the value that is an input or output"},
    {Bug::kOperatorIndex, "operator-index", "the operator that is called"},
    {Bug::kDelegateIndex, "delegate-index", "the delegate that is called"},
    {Bug::kArgumentIndex, "argument-index", "the value that is an argument"},
    {Bug::kMoveIndex, "move-index", "the values of a move"},
    {Bug::kJumpTarget, "jump-target", "where a jump goes"},
});

// The reader asks for it from everywhere, and takes no argument that could say so.
Bug seeded_bug = Bug::kNone;

}  // namespace

namespace reader {

bool Seeded(Bug bug) {
  return bug == seeded_bug;
}

}  // namespace reader

namespace fuzz {

std::span<const BugRow> AllBugs() {
  return kBugs;
}

Bug BugNamed(std::string_view name) {
  const auto found = std::ranges::find(kBugs, name, &BugRow::name);
  return found == kBugs.end() ? Bug::kNone : found->bug;
}

void SeedBug(Bug bug) {
  seeded_bug = bug;
}

}  // namespace fuzz
}  // namespace pteproof
