// Idea. A tree over the bytes between the ends of ranges. A write covers a few nodes whole, and
// parts of those above them. As instructions descend, the newest write of a node is the first one.
#include "planner/lift/next_writes.h"

#include <algorithm>
#include <bit>

namespace pteproof::planner {
namespace {

// Calls each(node) for the largest nodes that make up the leaves [first, end) of so many.
template <class Each>
void ForEachWhole(size_t first, size_t end, size_t count, const Each& each) {
  for (first += count, end += count; first < end; first /= 2, end /= 2) {
    if (first % 2 == 1) each(first++);
    if (end % 2 == 1) each(--end);
  }
}

// For the nodes from the outer leaves up to the root.
template <class Each>
void ForEachAbove(size_t first, size_t end, size_t count, const Each& each) {
  for (size_t node = first + count; node > 0; node /= 2) each(node);
  for (size_t node = end - 1 + count; node > 0; node /= 2) each(node);
}

}  // namespace

NextWrites::NextWrites(const std::vector<BankBytes>& ranges) {
  for (const BankBytes& range : ranges) {
    points_.emplace_back(range.bank, range.lo);
    points_.emplace_back(range.bank, range.hi);
  }
  std::ranges::sort(points_);
  points_.erase(std::ranges::unique(points_).begin(), points_.end());
  leaves_ = std::bit_ceil(points_.size());
  any_.assign(2 * leaves_, kNone);
  all_ = any_;
}

std::pair<size_t, size_t> NextWrites::LeavesOf(const BankBytes& bytes) const {
  if (bytes.lo >= bytes.hi) return {0, 0};
  const auto behind = std::ranges::upper_bound(points_, Point(bytes.bank, bytes.lo));
  const auto end = std::ranges::lower_bound(points_, Point(bytes.bank, bytes.hi));
  const auto leaf_of = [&](auto point) { return static_cast<size_t>(point - points_.begin()); };
  return {leaf_of(behind) - (behind == points_.begin() ? 0 : 1), leaf_of(end)};
}

void NextWrites::Write(const BankBytes& bytes, int32_t instruction) {
  const auto [first, end] = LeavesOf(bytes);
  if (first >= end) return;
  ForEachWhole(first, end, leaves_, [&](size_t node) { all_[node] = instruction; });
  ForEachAbove(first, end, leaves_, [&](size_t node) { any_[node] = instruction; });
  ForEachWhole(first, end, leaves_, [&](size_t node) { any_[node] = instruction; });
}

int32_t NextWrites::Of(const BankBytes& bytes) const {
  const auto [first, end] = LeavesOf(bytes);
  int32_t next = kNone;
  if (first >= end) return next;
  ForEachWhole(first, end, leaves_, [&](size_t node) { next = std::min(next, any_[node]); });
  ForEachAbove(first, end, leaves_, [&](size_t node) { next = std::min(next, all_[node]); });
  return next;
}

}  // namespace pteproof::planner
