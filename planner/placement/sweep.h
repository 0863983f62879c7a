// Placement in nearly linear time, for more items at one time than algorithms that look at pairs of
// them can take.
#ifndef PTEPROOF_PLANNER_PLACEMENT_SWEEP_H_
#define PTEPROOF_PLANNER_PLACEMENT_SWEEP_H_

#include <cstdint>
#include <span>

#include "planner/placement/item.h"

namespace pteproof::placement {

// Whether so many items share a time point with each other that a layout of the other algorithms
// takes some seconds. O(n log n).
[[nodiscard]] bool IsCrowded(std::span<const Item<int64_t>> items);

// Of items that can be placed (load.h). O(n log n).
[[nodiscard]] Layout<int64_t> Sweep(std::span<const Item<int64_t>> items);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_SWEEP_H_
