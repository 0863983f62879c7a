// Many plain layouts of the same items: orders times gap rules.
#ifndef PTEPROOF_PLANNER_PLACEMENT_PORTFOLIO_H_
#define PTEPROOF_PLANNER_PLACEMENT_PORTFOLIO_H_

#include <concepts>
#include <cstdint>
#include <span>
#include <vector>

#include "planner/placement/groups.h"
#include "planner/placement/item.h"
#include "planner/placement/orders.h"
#include "planner/placement/place_in_order.h"

namespace pteproof::placement {

// Keys for OrderBy that need the life alone.
template <class Int>
[[nodiscard]] std::vector<std::vector<int64_t>> TimeKeys(std::span<const Item<Int>> items) {
  std::vector<int64_t> durations;
  std::vector<int64_t> early;
  std::vector<int64_t> late;
  for (const Item<Int>& item : items) {
    durations.push_back(EndOf(item) - StartOf(item));
    early.push_back(-StartOf(item));
    late.push_back(EndOf(item));
  }
  return {TimeIndex(LivesOf(items)).CountAll(), durations, early, late};
}

// Bytes times duration; only for numbers.
[[nodiscard]] inline std::vector<double> Areas(std::span<const Item<int64_t>> items) {
  std::vector<double> areas;
  for (const Item<int64_t>& item : items) {
    areas.push_back(static_cast<double>(item.size) *
                    (static_cast<double>(EndOf(item)) - static_cast<double>(StartOf(item))));
  }
  return areas;
}

// So many layouts of the portfolio, its first ones, are algorithms of their own (fit.h).
inline constexpr size_t kPlainOnes = 3;

// Calls visit(offsets) with one layout after the other until it returns false. Items without ties.
template <class Int, class Visit>
void VisitPortfolio(std::span<const Item<Int>> items, const Visit& visit) {
  const auto both = [&](const std::vector<int32_t>& order) {
    return visit(PlaceInOrder<Int>(items, order, GapRule::kLowest)) &&
           visit(PlaceInOrder<Int>(items, order, GapRule::kSmallest));
  };
  if (!both(OrderBy(items))) return;
  for (const std::vector<int64_t>& keys : TimeKeys(items)) {
    if (!both(OrderBy(items, keys))) return;
  }
  if constexpr (std::same_as<Int, int64_t>) both(OrderBy(items, Areas(items)));
}

// The lowest of them, the first of equal ones.
template <class Int>
[[nodiscard]] Layout<Int> Portfolio(std::span<const Item<Int>> items) {
  const Groups<Int> groups = GroupsOf(items);
  Layout<Int> best;
  VisitPortfolio(std::span<const Item<Int>>(groups.items), [&](const std::vector<Int>& offsets) {
    Layout<Int> layout = LayoutOf(items, groups, offsets);
    if (best.offsets.empty() || layout.peak < best.peak) best = std::move(layout);
    return true;
  });
  return best;
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_PORTFOLIO_H_
