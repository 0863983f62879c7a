// Idea. A sweep over time with a map of the byte ranges in use. A range that begins to be used is
// cut into pieces along the ranges that are there; a piece of another group of ties is an overlap.
//
//   in use     [ group 1 ][ group 1 ]      [ group 2 ]
//   begins          [ group 1 ]                           allowed: tied items share bytes
//   begins                         [ group 3 ]            mistake: shares bytes with group 2
//
// Invariant: the pieces are disjoint, each belongs to one group, and `users` counts the live spans
// over it. The code shares nothing with the algorithms, so that a mistake in one cannot hide in the
// other. Cost: O(s log s) for s spans, as long as ties are few at a time.
#include "planner/placement/validate.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "base/checked_math.h"

namespace pteproof::placement {
namespace {

using Items = std::span<const Item<int64_t>>;
using Kind = Mistake::Kind;

bool HasBytes(const Item<int64_t>& item) {
  return item.size > 0 && !item.live.empty();
}

// The item at the end of an item's ties.
int32_t RootOf(Items items, int32_t item) {
  while (items[static_cast<size_t>(item)].tie) item = items[static_cast<size_t>(item)].tie->base;
  return item;
}

std::optional<Mistake> MistakeOfOne(Items items, const Layout<int64_t>& layout, int32_t index) {
  const auto i = static_cast<size_t>(index);
  const Item<int64_t>& item = items[i];
  const int64_t offset = layout.offsets[i];
  if (offset < 0 || !CheckedAdd(offset, item.size)) return Mistake{Kind::kOffset, index};
  if (HasBytes(item) && offset % item.alignment != 0) return Mistake{Kind::kAlignment, index};
  if (item.fixed && offset != *item.fixed) return Mistake{Kind::kFixed, index};
  if (!item.tie) return std::nullopt;
  const int64_t base = layout.offsets[static_cast<size_t>(item.tie->base)];
  if (offset - base != item.tie->inside) return Mistake{Kind::kTie, index, item.tie->base};
  return std::nullopt;
}

// The bytes in use at one time point: disjoint pieces, each of one group of tied items.
class BytesInUse {
 public:
  // Bytes [lo, hi) that another group uses, the lowest of them; nothing: they are taken now.
  std::optional<std::pair<int64_t, int64_t>> Take(int64_t lo, int64_t hi, int32_t group) {
    Split(lo);
    Split(hi);
    auto piece = pieces_.lower_bound(lo);
    for (int64_t at = lo; at < hi;) {
      if (piece == pieces_.end() || piece->first > at) {
        const int64_t end = piece == pieces_.end() ? hi : std::min(hi, piece->first);
        piece = std::next(pieces_.emplace_hint(piece, at, Piece{end, group, 1}));
        at = end;
        continue;
      }
      if (piece->second.group != group) return std::pair(at, piece->second.end);
      ++piece->second.users;
      at = piece->second.end;
      ++piece;
    }
    return std::nullopt;
  }

  void Free(int64_t lo, int64_t hi) {
    for (auto piece = pieces_.lower_bound(lo); piece != pieces_.end() && piece->first < hi;) {
      piece = --piece->second.users == 0 ? pieces_.erase(piece) : std::next(piece);
    }
  }

  // The group that uses byte `at`, which one does.
  [[nodiscard]] int32_t GroupAt(int64_t at) const {
    return std::prev(pieces_.upper_bound(at))->second.group;
  }

 private:
  struct Piece {
    int64_t end = 0;
    int32_t group = 0;
    int32_t users = 0;
  };

  // Makes a piece begin at `at` if one lies across it.
  void Split(int64_t at) {
    auto piece = pieces_.upper_bound(at);
    if (piece == pieces_.begin()) return;
    --piece;
    if (piece->first == at || piece->second.end <= at) return;
    Piece rest = piece->second;
    piece->second.end = at;
    pieces_.emplace(at, rest);
  }

  std::map<int64_t, Piece> pieces_;  // by begin
};

struct UseEvent {
  int64_t point = 0;
  bool begins = false;  // ends come first
  int32_t item = 0;

  auto operator<=>(const UseEvent&) const = default;
};

// Some item of a group that lives at `point` in byte `at`.
int32_t OneAt(Items items, const Layout<int64_t>& layout, int32_t group, int64_t point,
              int64_t at) {
  for (int32_t i = 0; i < static_cast<int32_t>(items.size()); ++i) {
    const Item<int64_t>& item = items[static_cast<size_t>(i)];
    const int64_t offset = layout.offsets[static_cast<size_t>(i)];
    if (RootOf(items, i) != group || at < offset || at >= offset + item.size) continue;
    const auto lives = [&](const Span& s) { return s.lower <= point && point < s.upper; };
    if (std::ranges::any_of(item.live, lives)) return i;
  }
  return group;
}

std::optional<Mistake> OverlapIn(Items items, const Layout<int64_t>& layout) {
  std::vector<UseEvent> events;
  for (int32_t i = 0; i < static_cast<int32_t>(items.size()); ++i) {
    if (!HasBytes(items[static_cast<size_t>(i)])) continue;
    for (const Span& span : items[static_cast<size_t>(i)].live) {
      events.push_back({span.lower, true, i});
      events.push_back({span.upper, false, i});
    }
  }
  std::ranges::sort(events);
  BytesInUse bytes;
  for (const UseEvent& event : events) {
    const auto i = static_cast<size_t>(event.item);
    const int64_t lo = layout.offsets[i];
    const int64_t hi = lo + items[i].size;
    if (!event.begins) {
      bytes.Free(lo, hi);
      continue;
    }
    if (const auto shared = bytes.Take(lo, hi, RootOf(items, event.item))) {
      const int32_t group = bytes.GroupAt(shared->first);
      const int32_t other = OneAt(items, layout, group, event.point, shared->first);
      return Mistake{Kind::kOverlap,
                     std::min(event.item, other),
                     std::max(event.item, other),
                     event.point,
                     shared->first,
                     shared->second};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Mistake> MistakeIn(Items items, const Layout<int64_t>& layout) {
  if (layout.offsets.size() != items.size()) return Mistake{Kind::kCount};
  int64_t end = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (auto mistake = MistakeOfOne(items, layout, static_cast<int32_t>(i))) return mistake;
    if (HasBytes(items[i])) end = std::max(end, layout.offsets[i] + items[i].size);
  }
  if (end != layout.peak) return Mistake{Kind::kPeak};
  return OverlapIn(items, layout);
}

std::string TextOf(const Mistake& mistake) {
  const std::string first = "item " + std::to_string(mistake.first);
  switch (mistake.kind) {
    case Kind::kCount:
      return "the number of offsets differs from the number of items";
    case Kind::kOffset:
      return first + " ends outside the range of 63-bit numbers";
    case Kind::kAlignment:
      return first + " is not aligned";
    case Kind::kFixed:
      return first + " does not lie at its fixed offset";
    case Kind::kTie:
      return first + " does not lie in item " + std::to_string(mistake.second) +
             ", to which it is tied";
    case Kind::kOverlap:
      return "items " + std::to_string(mistake.first) + " and " + std::to_string(mistake.second) +
             " share bytes [" + std::to_string(mistake.lo) + ", " + std::to_string(mistake.hi) +
             ") at point " + std::to_string(mistake.point);
    case Kind::kPeak:
      return "the peak of the layout is not the largest end of an item";
  }
  return {};
}

}  // namespace pteproof::placement
