// Items that are searched over: those that take room, without ties, with their conflicts and the
// sections of time in which they live.
#ifndef PTEPROOF_PLANNER_PLACEMENT_PROBLEM_H_
#define PTEPROOF_PLANNER_PLACEMENT_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "planner/placement/item.h"

namespace pteproof::placement {

// The element at an index of 32 bits.
[[nodiscard]] auto& At(auto& list, int32_t index) {
  return list[static_cast<size_t>(index)];
}

// Lists of indices, one after the other.
class Lists {
 public:
  explicit Lists(const std::vector<std::vector<int32_t>>& lists = {});

  [[nodiscard]] std::span<const int32_t> operator[](int32_t list) const {
    const auto l = static_cast<size_t>(list);
    return std::span(all_).subspan(first_[l], first_[l + 1] - first_[l]);
  }
  // Of all lists together.
  [[nodiscard]] size_t size() const { return all_.size(); }

 private:
  std::vector<size_t> first_;
  std::vector<int32_t> all_;
};

// Items that share time with one another, directly or by way of others.
struct Problem {
  std::vector<Item<int64_t>> items;  // in the total order
  int64_t alignment = 1;             // the smallest one
  int32_t section_count = 0;
  // A section is a stretch of time, at whose beginning something begins and at whose end something
  // ends. Ascending in time.
  Lists sections_of;  // per item, ascending
  Lists items_of;     // per section
  Lists conflicts;    // per item: others that share a section

  [[nodiscard]] int32_t count() const { return static_cast<int32_t>(items.size()); }
};

// `items` are not empty, take room and have no ties.
[[nodiscard]] Problem ProblemOf(std::vector<Item<int64_t>> items);

// The items that take room, by index, in parts that share no time. Within a part in the order of
// `order`, and the parts by their first items.
[[nodiscard]] std::vector<std::vector<int32_t>> PartsIn(std::span<const Item<int64_t>> items,
                                                        std::span<const int32_t> order);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_PROBLEM_H_
