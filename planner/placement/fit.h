// The plain orders: by size or by conflicts, each item in the lowest or the smallest gap.
#ifndef PTEPROOF_PLANNER_PLACEMENT_FIT_H_
#define PTEPROOF_PLANNER_PLACEMENT_FIT_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/placement/groups.h"
#include "planner/placement/item.h"
#include "planner/placement/orders.h"
#include "planner/placement/place_in_order.h"

namespace pteproof::placement {

// Largest first, each at the lowest offset that is free while it lives.
template <class Int>
[[nodiscard]] Layout<Int> FirstFit(std::span<const Item<Int>> items) {
  const Groups<Int> groups = GroupsOf(items);
  const std::span<const Item<Int>> all(groups.items);
  return LayoutOf(items, groups, PlaceInOrder(all, OrderBy(all), GapRule::kLowest));
}

// Largest first, each in the smallest gap that holds it.
template <class Int>
[[nodiscard]] Layout<Int> BestFit(std::span<const Item<Int>> items) {
  const Groups<Int> groups = GroupsOf(items);
  const std::span<const Item<Int>> all(groups.items);
  return LayoutOf(items, groups, PlaceInOrder(all, OrderBy(all), GapRule::kSmallest));
}

// First what shares time points with most others, each at the lowest offset that is free.
template <class Int>
[[nodiscard]] Layout<Int> ByConflicts(std::span<const Item<Int>> items) {
  const Groups<Int> groups = GroupsOf(items);
  const std::span<const Item<Int>> all(groups.items);
  const std::vector<int64_t> conflicts = TimeIndex(LivesOf(all)).CountAll();
  return LayoutOf(items, groups, PlaceInOrder(all, OrderBy(all, conflicts), GapRule::kLowest));
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_FIT_H_
