// The best layout that an effort finds: the smallest of the portfolio, of ExecuTorch's greedy and
// of an exact search in the parts that share no time.
#ifndef PTEPROOF_PLANNER_PLACEMENT_BEST_H_
#define PTEPROOF_PLANNER_PLACEMENT_BEST_H_

#include <span>

#include "planner/placement/algorithms.h"
#include "planner/placement/budget.h"
#include "planner/placement/item.h"

namespace pteproof::placement {

// Parts of up to this many items are searched to the end, however few steps are asked for: together
// with those of `exact`, which only sizes and alignments at odds with each other exceed. Seconds
// that are asked for count for them, too.
inline constexpr size_t kAlwaysExact = 12;

// Never above the layout of any other algorithm for the same items. Ends early at the lower bound.
[[nodiscard]] Outcome Best(std::span<const Item<int64_t>> items, const Effort& effort);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_BEST_H_
