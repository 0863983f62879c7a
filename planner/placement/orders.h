// In which order items are placed.
#ifndef PTEPROOF_PLANNER_PLACEMENT_ORDERS_H_
#define PTEPROOF_PLANNER_PLACEMENT_ORDERS_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "planner/placement/item.h"

namespace pteproof::placement {

template <class Int>
[[nodiscard]] int64_t StartOf(const Item<Int>& item) {
  return item.live.empty() ? 0 : item.live.front().lower;
}

template <class Int>
[[nodiscard]] int64_t EndOf(const Item<Int>& item) {
  return item.live.empty() ? 0 : item.live.back().upper;
}

// From its first beginning to its last end; only for numbers.
template <class Int>
[[nodiscard]] double DurationOf(const Item<Int>& item) {
  return static_cast<double>(EndOf(item)) - static_cast<double>(StartOf(item));
}

// The total order: larger before smaller, then by start, end and what else tells items apart. What
// it calls equal is equal but for its name.
template <class Int>
[[nodiscard]] bool GoesBefore(const Item<Int>& a, const Item<Int>& b) {
  if (!(a.size == b.size)) return b.size < a.size;
  if (StartOf(a) != StartOf(b)) return StartOf(a) < StartOf(b);
  if (EndOf(a) != EndOf(b)) return EndOf(a) < EndOf(b);
  if (!(a.alignment == b.alignment)) return b.alignment < a.alignment;
  if (a.live != b.live) return a.live < b.live;
  if (a.fixed.has_value() != b.fixed.has_value()) return a.fixed.has_value();
  return a.fixed && *a.fixed < *b.fixed;
}

// All items in the total order, those with the larger key first. No key: the total order alone.
template <class Int, class Key = int64_t>
[[nodiscard]] std::vector<int32_t> OrderBy(std::span<const Item<Int>> items,
                                           const std::vector<Key>& keys = {}) {
  std::vector<int32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t x, int32_t y) {
    const auto i = static_cast<size_t>(x);
    const auto j = static_cast<size_t>(y);
    if (!keys.empty() && keys[i] != keys[j]) return keys[j] < keys[i];
    if (GoesBefore(items[i], items[j])) return true;
    if (GoesBefore(items[j], items[i])) return false;
    return x < y;
  });
  return order;
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_ORDERS_H_
