// Idea. The peak live bytes are a lower bound of every layout: a sweep over the ends of the lives
// adds and removes sizes. Offsets are multiples of the smallest alignment, so each size counts
// rounded up, except for one item that may lie on top. The item with the most padding is the best
// one there.
//
//   sizes 10 and 6, alignment 8:   16 + 8 - max(6, 2) = 18
//   offset 0 [ 6 ..][    10    ] 18
//
// Invariant of the sweep: `bytes` is the sum of the rounded sizes that live now, and `paddings`
// counts their paddings. Cost: O(s log s) for s spans of all lives.
#include "planner/placement/load.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "base/checked_math.h"
#include "planner/placement/arithmetic.h"
#include "planner/placement/groups.h"

namespace pteproof::placement {
namespace {

// Sums up to here leave room for every sum that an algorithm makes.
constexpr int64_t kMostBytes = std::numeric_limits<int64_t>::max() / 4;

struct LoadEvent {
  int64_t point = 0;
  bool begins = false;  // ends come first
  int64_t bytes = 0;    // rounded up
  int64_t padding = 0;  // of these

  [[nodiscard]] auto key() const { return std::tuple(point, begins); }
};

std::vector<LoadEvent> LoadEventsOf(const std::vector<Item<int64_t>>& items, int64_t alignment) {
  std::vector<LoadEvent> events;
  for (const Item<int64_t>& item : items) {
    if (!TakesRoom(item)) continue;
    const int64_t bytes = AlignUp(item.size, alignment);
    for (const Span& span : item.live) {
      events.push_back({span.lower, true, bytes, bytes - item.size});
      events.push_back({span.upper, false, bytes, bytes - item.size});
    }
  }
  std::ranges::sort(events, {}, &LoadEvent::key);
  return events;
}

bool IsLife(const std::vector<Span>& live) {
  for (size_t s = 0; s < live.size(); ++s) {
    if (live[s].lower >= live[s].upper) return false;
    if (s > 0 && live[s].lower < live[s - 1].upper) return false;
  }
  return true;
}

bool IsItem(const Item<int64_t>& item, size_t count) {
  const bool aligned = item.alignment > 0 && (item.alignment & (item.alignment - 1)) == 0;
  if (item.size < 0 || !aligned || !IsLife(item.live)) return false;
  if (item.fixed && *item.fixed < 0) return false;
  if (!item.tie) return true;
  return item.tie->inside >= 0 && item.tie->base >= 0 &&
         static_cast<size_t>(item.tie->base) < count;
}

// Ends where every chain of ties ends.
bool HasCircle(std::span<const Item<int64_t>> items) {
  std::vector<size_t> walk(items.size(), 0);  // per item: the walk that came by
  for (size_t i = 0; i < items.size(); ++i) {
    size_t at = i;
    while (walk[at] == 0 && items[at].tie) {
      walk[at] = i + 1;
      at = static_cast<size_t>(items[at].tie->base);
    }
    if (walk[at] == i + 1) return true;
  }
  return false;
}

// Sums of `inside` must not overflow.
bool TiesAreAligned(std::span<const Item<int64_t>> items) {
  const std::vector<int64_t> inside = GroupsOf(items).inside;
  for (size_t i = 0; i < items.size(); ++i) {
    if (TakesRoom(items[i]) && inside[i] % items[i].alignment != 0) return false;
  }
  return true;
}

}  // namespace

int64_t LoadOf(std::span<const Item<int64_t>> items) {
  const std::vector<Item<int64_t>> groups = GroupsOf(items).items;
  int64_t alignment = kMostBytes;
  int64_t load = 0;
  for (const Item<int64_t>& group : groups) {
    if (!TakesRoom(group)) continue;
    alignment = std::min(alignment, group.alignment);
    if (group.fixed) load = std::max(load, *group.fixed + group.size);
  }
  std::map<int64_t, int64_t> paddings;  // of what is live: how often each
  int64_t bytes = 0;
  for (const LoadEvent& event : LoadEventsOf(groups, alignment)) {
    bytes += event.begins ? event.bytes : -event.bytes;
    int64_t& count = paddings[event.padding];
    count += event.begins ? 1 : -1;
    if (count == 0) paddings.erase(event.padding);
    if (event.begins) load = std::max(load, bytes - paddings.rbegin()->first);
  }
  return load;
}

bool Placeable(std::span<const Item<int64_t>> items) {
  const auto good = [&](const Item<int64_t>& item) { return IsItem(item, items.size()); };
  if (items.size() > std::numeric_limits<int32_t>::max() / 2) return false;
  if (!std::ranges::all_of(items, good) || HasCircle(items)) return false;
  int64_t largest = 1;
  for (const Item<int64_t>& item : items) largest = std::max(largest, item.alignment);
  int64_t sum = 0;
  for (const Item<int64_t>& item : items) {
    for (const int64_t bytes :
         {item.size, largest, item.fixed.value_or(0), item.tie ? item.tie->inside : 0}) {
      const auto next = CheckedAdd(sum, bytes);
      if (!next || *next > kMostBytes) return false;
      sum = *next;
    }
  }
  return TiesAreAligned(items);
}

}  // namespace pteproof::placement
