// Bytes below which no layout can end.
#ifndef PTEPROOF_PLANNER_PLACEMENT_LOAD_H_
#define PTEPROOF_PLANNER_PLACEMENT_LOAD_H_

#include <cstdint>
#include <span>

#include "planner/placement/item.h"

namespace pteproof::placement {

// The largest sum of live sizes at any point, each rounded up to the smallest alignment of all but
// the one that may lie last; and no less than the end of any fixed item. Items tied together count
// as one. O(n log n) in spans.
[[nodiscard]] int64_t LoadOf(std::span<const Item<int64_t>> items);

// Whether these are items that can be placed, all that item.h says of them: sizes not negative,
// alignments powers of two, lives ascending, ties without cycles and aligned, fixed offsets not
// negative; and all of them together so far from the end of the numbers that no sum overflows.
[[nodiscard]] bool Placeable(std::span<const Item<int64_t>> items);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_LOAD_H_
