// The naive algorithm: one item after the other, nothing shared.
#ifndef PTEPROOF_PLANNER_PLACEMENT_NAIVE_H_
#define PTEPROOF_PLANNER_PLACEMENT_NAIVE_H_

#include <span>
#include <vector>

#include "planner/placement/groups.h"
#include "planner/placement/item.h"

namespace pteproof::placement {

// The end of the last fixed item.
template <class Int>
[[nodiscard]] Int EndOfFixed(std::span<const Item<Int>> items) {
  Int end = 0;
  for (const Item<Int>& item : items) {
    if (item.fixed && TakesRoom(item)) end = Larger(end, Int(*item.fixed + item.size));
  }
  return end;
}

// In the order given, above all that is fixed.
template <class Int>
[[nodiscard]] Layout<Int> Naive(std::span<const Item<Int>> items) {
  const Groups<Int> groups = GroupsOf(items);
  Int end = EndOfFixed(std::span<const Item<Int>>(groups.items));
  std::vector<Int> offsets;
  offsets.reserve(groups.items.size());
  for (const Item<Int>& item : groups.items) {
    if (item.fixed || !TakesRoom(item)) {
      offsets.push_back(item.fixed.value_or(Int(0)));
      continue;
    }
    offsets.push_back(AlignUp(end, item.alignment));
    end = offsets.back() + item.size;
  }
  return LayoutOf(items, groups, offsets);
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_NAIVE_H_
