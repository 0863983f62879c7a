// Idea. A sweep over time gives each item, when its life begins, the smallest free block that is
// large enough, and takes the block back when the life ends, gaps of the life included:
//
//   offset   [ used ][ free 8 ][ used ][ free 16 ][ used ]| top
//            an item of 6 takes the block of 8, one of 20 begins at the top
//
// Fixed items keep their bytes for all time: the others lie above them.
//
// Invariant: free blocks are disjoint, none ends at the top or touches another. Offsets and sizes
// of blocks are multiples of the largest alignment. Cost: O(n log n).
#include "planner/placement/sweep.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "planner/placement/arithmetic.h"
#include "planner/placement/groups.h"
#include "planner/placement/place_in_order.h"
#include "planner/placement/time_index.h"

namespace pteproof::placement {
namespace {

class FreeBlocks {
 public:
  explicit FreeBlocks(int64_t bottom) : top_(bottom) {}

  int64_t Take(int64_t bytes) {
    const auto fit = by_size_.lower_bound({bytes, 0});
    if (fit == by_size_.end()) return std::exchange(top_, top_ + bytes);
    const auto [size, begin] = *fit;
    Remove(begin, begin + size);
    if (size > bytes) Add(begin + bytes, begin + size);
    return begin;
  }

  void Return(int64_t begin, int64_t end) {
    const auto next = by_begin_.lower_bound(begin);
    if (next != by_begin_.begin()) {
      const auto [before, before_end] = *std::prev(next);
      if (before_end == begin) {
        Remove(before, before_end);
        begin = before;
      }
    }
    if (const auto after = by_begin_.find(end); after != by_begin_.end()) {
      const int64_t after_end = after->second;
      Remove(end, after_end);
      end = after_end;
    }
    if (end == top_) {
      top_ = begin;
    } else {
      Add(begin, end);
    }
  }

 private:
  void Add(int64_t begin, int64_t end) {
    by_begin_.emplace(begin, end);
    by_size_.emplace(end - begin, begin);
  }
  void Remove(int64_t begin, int64_t end) {
    by_begin_.erase(begin);
    by_size_.erase({end - begin, begin});
  }

  int64_t top_;
  std::map<int64_t, int64_t> by_begin_;            // to their ends
  std::set<std::pair<int64_t, int64_t>> by_size_;  // size, begin
};

}  // namespace

bool IsCrowded(std::span<const Item<int64_t>> items) {
  constexpr int64_t kMostPairs = 50'000'000;  // each from either side; a layout takes 1 s
  constexpr size_t kFewest = 7'000;           // of that many there cannot be so many pairs of spans
  size_t spans = 0;
  for (const Item<int64_t>& item : items) spans += item.live.size();
  if (spans < kFewest) return false;
  int64_t pairs = 0;
  for (const int64_t count : TimeIndex(LivesOf(items)).CountAll()) pairs += count;
  return pairs > kMostPairs;
}

Layout<int64_t> Sweep(std::span<const Item<int64_t>> items) {
  const Groups<int64_t> groups = GroupsOf(items);
  const std::vector<Item<int64_t>>& all = groups.items;
  std::vector<int64_t> offsets(all.size(), 0);
  std::vector<size_t> order;
  int64_t alignment = 1;
  int64_t bottom = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    offsets[i] = all[i].fixed.value_or(0);
    alignment = std::max(alignment, all[i].alignment);
    if (all[i].fixed) bottom = std::max(bottom, *all[i].fixed + all[i].size);
    if (!all[i].fixed && TakesRoom(all[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(all[i].live.front().lower, i); });
  FreeBlocks free(AlignUp(bottom, alignment));
  using Used =
      std::tuple<int64_t, int64_t, int64_t>;  // end of the life, begin and end of the block
  std::priority_queue<Used, std::vector<Used>, std::greater<>> used;
  for (const size_t i : order) {
    while (!used.empty() && std::get<0>(used.top()) <= all[i].live.front().lower) {
      free.Return(std::get<1>(used.top()), std::get<2>(used.top()));
      used.pop();
    }
    const int64_t bytes = AlignUp(all[i].size, alignment);
    offsets[i] = free.Take(bytes);
    used.emplace(all[i].live.back().upper, offsets[i], offsets[i] + bytes);
  }
  return LayoutOf(items, groups, offsets);
}

}  // namespace pteproof::placement
