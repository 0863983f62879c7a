// Time points at which something is in use: ascending, disjoint spans that do not touch.
#ifndef PTEPROOF_PLANNER_PASSES_LIVE_SET_H_
#define PTEPROOF_PLANNER_PASSES_LIVE_SET_H_

#include <vector>

#include "planner/placement/item.h"

namespace pteproof::planner {

using placement::Span;
using LiveSet = std::vector<Span>;

// Sorts and joins spans in any order.
[[nodiscard]] LiveSet Normal(LiveSet spans);
// Whether they have a point in common. O(spans).
[[nodiscard]] bool Intersect(const LiveSet& a, const LiveSet& b);
[[nodiscard]] LiveSet Union(const LiveSet& a, const LiveSet& b);

}  // namespace pteproof::planner

#endif  // PTEPROOF_PLANNER_PASSES_LIVE_SET_H_
