// Items that are tied together, as one item: placement never sees a tie. The group of an item is
// that of its base; its offset in the group is the sum of the offsets along the ties.
//
//   base A [................]   size 64            group: size 64, alive while A, B or C is alive
//   tie  B     [....]           16 bytes into A    inside 16
//   tie  C       [..]           8 bytes into B     inside 24
#ifndef PTEPROOF_PLANNER_PLACEMENT_GROUPS_H_
#define PTEPROOF_PLANNER_PLACEMENT_GROUPS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "planner/placement/arithmetic.h"
#include "planner/placement/item.h"
#include "planner/placement/time_index.h"

namespace pteproof::placement {

template <class Int>
struct Groups {
  std::vector<Item<Int>> items;   // one per group, without ties, in the order of their first bases
  std::vector<int32_t> group_of;  // per original item
  std::vector<Int> inside;        // per original item: from its group's start
};

template <class Int>
[[nodiscard]] bool TakesRoom(const Item<Int>& item) {
  return Int(0) < item.size && !item.live.empty();
}

// What joins a group makes it as long, as aligned and as long-lived as it needs.
template <class Int>
void Join(Item<Int>& group, const Item<Int>& member, const Int& inside) {
  if (member.fixed && !group.fixed) group.fixed = *member.fixed - inside;
  if (!TakesRoom(member)) return;
  group.size = Larger(group.size, Int(inside + member.size));
  group.alignment = Larger(group.alignment, member.alignment);
  group.live = group.live.empty() ? member.live : UnionOf(group.live, member.live);
}

// O(n) but for the lives of what is tied.
template <class Int>
[[nodiscard]] Groups<Int> GroupsOf(std::span<const Item<Int>> items) {
  Groups<Int> groups;
  groups.group_of.resize(items.size(), -1);
  groups.inside.resize(items.size(), Int(0));
  for (size_t i = 0; i < items.size(); ++i) {
    if (items[i].tie) continue;
    groups.group_of[i] = static_cast<int32_t>(groups.items.size());
    groups.items.push_back({.size = Int(0), .alignment = Int(1), .live = {}});
    Join(groups.items.back(), items[i], Int(0));
  }
  std::vector<size_t> chain;  // from an item down to the first one whose group is known
  for (size_t i = 0; i < items.size(); ++i) {
    for (size_t at = i; groups.group_of[at] < 0; at = static_cast<size_t>(items[at].tie->base)) {
      chain.push_back(at);
    }
    for (; !chain.empty(); chain.pop_back()) {
      const size_t member = chain.back();
      const auto base = static_cast<size_t>(items[member].tie->base);
      groups.group_of[member] = groups.group_of[base];
      groups.inside[member] = groups.inside[base] + items[member].tie->inside;
      Join(groups.items[static_cast<size_t>(groups.group_of[member])], items[member],
           groups.inside[member]);
    }
  }
  return groups;
}

// The layout of the original items, from the offsets of their groups.
template <class Int>
[[nodiscard]] Layout<Int> LayoutOf(std::span<const Item<Int>> items, const Groups<Int>& groups,
                                   const std::vector<Int>& offsets) {
  Layout<Int> layout;
  layout.offsets.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    const auto group = static_cast<size_t>(groups.group_of[i]);
    layout.offsets.push_back(offsets[group] + groups.inside[i]);
    if (!TakesRoom(items[i])) continue;
    layout.peak = Larger(layout.peak, Int(layout.offsets.back() + items[i].size));
  }
  return layout;
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_GROUPS_H_
