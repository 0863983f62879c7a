// Places items one after the other. Each item gets its offset by one rule (gaps.h) among the items
// that were placed before and share a time point with it. Invariant: placed items that share a time
// point share no byte. Cost: O(n log n + c log c) for c conflicts.
#ifndef PTEPROOF_PLANNER_PLACEMENT_PLACE_IN_ORDER_H_
#define PTEPROOF_PLANNER_PLACEMENT_PLACE_IN_ORDER_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/placement/gaps.h"
#include "planner/placement/groups.h"
#include "planner/placement/item.h"
#include "planner/placement/time_index.h"

namespace pteproof::placement {

template <class Int>
[[nodiscard]] std::vector<std::vector<Span>> LivesOf(std::span<const Item<Int>> items) {
  std::vector<std::vector<Span>> lives;
  lives.reserve(items.size());
  for (const Item<Int>& item : items) {
    lives.push_back(TakesRoom(item) ? item.live : std::vector<Span>());
  }
  return lives;
}

// Per item its offset: fixed ones where they must lie, then the others in `order`. Items without
// ties.
template <class Int>
[[nodiscard]] std::vector<Int> PlaceInOrder(std::span<const Item<Int>> items,
                                            std::span<const int32_t> order, GapRule rule) {
  std::vector<Int> offsets(items.size(), Int(0));
  TimeIndex placed(LivesOf(items));
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].fixed) continue;
    offsets[i] = *items[i].fixed;
    placed.Add(static_cast<int32_t>(i));
  }
  std::vector<int32_t> conflicts;
  std::vector<Taken<Int>> taken;
  for (const int32_t item : order) {
    const auto i = static_cast<size_t>(item);
    if (items[i].fixed || !TakesRoom(items[i])) continue;
    placed.Conflicts(item, conflicts);
    taken.clear();
    for (const int32_t other : conflicts) {
      const auto o = static_cast<size_t>(other);
      taken.push_back({offsets[o], offsets[o] + items[o].size});
    }
    offsets[i] = GapFor(items[i].size, items[i].alignment, rule, taken);
    placed.Add(item);
  }
  return offsets;
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_PLACE_IN_ORDER_H_
