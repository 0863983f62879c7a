// ExecuTorch 1.5.1's greedy algorithm (exir/memory_planning.py), for comparison. Idea: items go
// into shared objects, largest item first. An object gets the size of its first item and never
// grows.
//
//   object 0 (64 bytes)   |--- A 64 ---|   |-- C 32 --|
//                                             |- D 16 -|      on top of C, since C lives then
//   object 1 (48 bytes)       |--- B 48 ---|                  B lives with A: a new object
//
// Invariant: items of one object that live at the same time have disjoint bytes inside it. Cost:
// O(n log n) and the conflicts and objects that each item meets.
#ifndef PTEPROOF_PLANNER_PLACEMENT_GREEDY_H_
#define PTEPROOF_PLANNER_PLACEMENT_GREEDY_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "planner/placement/arithmetic.h"
#include "planner/placement/groups.h"
#include "planner/placement/item.h"
#include "planner/placement/naive.h"
#include "planner/placement/place_in_order.h"
#include "planner/placement/time_index.h"

namespace pteproof::placement {

// Items in shared objects. Sizes are rounded up to the one alignment that ExecuTorch knows.
template <class Int>
class SharedObjects {
 public:
  SharedObjects(std::span<const Item<Int>> items, std::span<const std::vector<Span>> lives)
      : object_of_(items.size(), -1),
        inside_(items.size(), Int(0)),
        rounded_(items.size()),
        placed_(lives) {
    for (const Item<Int>& item : items) alignment_ = Larger(alignment_, item.alignment);
    for (size_t i = 0; i < items.size(); ++i) rounded_[i] = AlignUp(items[i].size, alignment_);
  }

  [[nodiscard]] const Int& alignment() const { return alignment_; }
  [[nodiscard]] const std::vector<Int>& rounded() const { return rounded_; }

  // Into the first object in which nothing else lives then; else on top of what lives then, in the
  // first object where that fits; else into a new object.
  void Put(int32_t item) {
    const auto i = static_cast<size_t>(item);
    FindTops(item);
    int32_t object = 0;
    while (object < Count() && IsBusy(object)) ++object;
    if (object == Count()) object = OneWithRoomOnTop(rounded_[i]);
    if (object == Count()) {
      sizes_.push_back(rounded_[i]);
      tops_.push_back(Int(0));
    }
    object_of_[i] = object;
    inside_[i] = tops_[static_cast<size_t>(object)];
    for (const int32_t busy : busy_) tops_[static_cast<size_t>(busy)] = Int(0);
    for (const int32_t busy : busy_) is_busy_[static_cast<size_t>(busy)] = false;
    placed_.Add(item);
  }

  // Objects end to end, from `start` on; offsets of items in none stay as they are.
  void LayOut(Int start, std::vector<Int>& offsets) const {
    std::vector<Int> starts;
    for (const Int& size : sizes_) {
      starts.push_back(start);
      start = start + size;
    }
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (object_of_[i] < 0) continue;
      offsets[i] = starts[static_cast<size_t>(object_of_[i])] + inside_[i];
    }
  }

 private:
  [[nodiscard]] int32_t Count() const { return static_cast<int32_t>(sizes_.size()); }
  [[nodiscard]] bool IsBusy(int32_t object) const { return is_busy_[static_cast<size_t>(object)]; }

  // Which objects hold something that lives at the same time, and up to where.
  void FindTops(int32_t item) {
    busy_.clear();
    is_busy_.resize(sizes_.size(), false);
    placed_.Conflicts(item, conflicts_);
    for (const int32_t other : conflicts_) {
      const auto o = static_cast<size_t>(other);
      const int32_t object = object_of_[o];
      if (!IsBusy(object)) busy_.push_back(object);
      is_busy_[static_cast<size_t>(object)] = true;
      Int& top = tops_[static_cast<size_t>(object)];
      top = Larger(top, Int(inside_[o] + rounded_[o]));
    }
    std::sort(busy_.begin(), busy_.end());
  }

  [[nodiscard]] int32_t OneWithRoomOnTop(const Int& size) const {
    for (const int32_t object : busy_) {
      const auto o = static_cast<size_t>(object);
      if (tops_[o] + size <= sizes_[o]) return object;
    }
    return Count();
  }

  Int alignment_ = 1;
  std::vector<int32_t> object_of_;  // per item; -1: none
  std::vector<Int> inside_;         // per item: from its object's start
  std::vector<Int> rounded_;        // per item: its size
  std::vector<Int> sizes_;          // per object, in the order of creation
  TimeIndex placed_;
  // While an item is put: the objects that are busy then.
  std::vector<int32_t> conflicts_;
  std::vector<int32_t> busy_;  // ascending
  std::vector<bool> is_busy_;  // per object
  std::vector<Int> tops_;      // per object; 0 between two items
};

// From the largest down, equal sizes in reverse order. It sees each life as one span, which is what
// ExecuTorch's inclusive intervals of nodes come to; where items have different alignments, all get
// the largest. What is fixed lies below, as the regions of submodules do there.
template <class Int>
[[nodiscard]] Layout<Int> Greedy(std::span<const Item<Int>> items) {
  const Groups<Int> groups = GroupsOf(items);
  const std::span<const Item<Int>> all(groups.items);
  std::vector<std::vector<Span>> lives = LivesOf(all);
  for (std::vector<Span>& live : lives) live = HullOf(live);
  SharedObjects<Int> objects(all, lives);
  const std::vector<Int>& rounded = objects.rounded();
  std::vector<int32_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
    const Int& x = rounded[static_cast<size_t>(a)];
    const Int& y = rounded[static_cast<size_t>(b)];
    return x == y ? b < a : y < x;
  });
  std::vector<Int> offsets(all.size(), Int(0));
  for (const int32_t item : order) {
    const Item<Int>& it = all[static_cast<size_t>(item)];
    if (it.fixed) offsets[static_cast<size_t>(item)] = *it.fixed;
    if (!it.fixed && TakesRoom(it)) objects.Put(item);
  }
  objects.LayOut(AlignUp(EndOfFixed(all), objects.alignment()), offsets);
  return LayoutOf(items, groups, offsets);
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_GREEDY_H_
