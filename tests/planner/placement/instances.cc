#include "tests/planner/placement/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace pteproof::placement {
namespace {

constexpr int64_t kPoints = 32;

// A number below `count`, from some bits of a word.
int64_t Cut(uint64_t& word, uint64_t count) {
  const uint64_t drawn = word % count;
  word /= count;
  return static_cast<int64_t>(drawn);
}

Item<int64_t> ItemOf(uint64_t word, const InstanceKind& kind) {
  Item<int64_t> item;
  item.size = Cut(word, 101);
  if (!kind.empty) item.size = std::max<int64_t>(item.size, 1);
  const int64_t lower = Cut(word, kPoints - 4);
  const int64_t length = 1 + Cut(word, 9) * Cut(word, 3) / 2;
  const int64_t exponent = Cut(word, 7);
  if (kind.alignments) item.alignment = int64_t{1} << exponent;
  const int64_t shape = Cut(word, 8);
  item.live = {{lower, std::min(lower + length, kPoints)}};
  if (kind.gaps && shape == 0) item.live.clear();
  if (kind.gaps && shape >= 5 && lower + length + 2 < kPoints) {
    item.live.push_back({lower + length + 1, lower + length + 2});
  }
  return item;
}

bool Lives(const Item<int64_t>& item, int64_t point) {
  return std::ranges::any_of(item.live,
                             [&](const Span& s) { return s.lower <= point && point < s.upper; });
}

size_t BaseOf(const Items& items, size_t i) {
  return items[i].tie ? BaseOf(items, static_cast<size_t>(items[i].tie->base)) : i;
}

// From the start of the one that is not tied.
int64_t DistanceOf(const Items& items, size_t i) {
  const auto& tie = items[i].tie;
  return tie ? tie->inside + DistanceOf(items, static_cast<size_t>(tie->base)) : 0;
}

bool Meet(const Items& items, size_t a, size_t b) {
  for (int64_t point = 0; point < kPoints; ++point) {
    if (Lives(items[a], point) && Lives(items[b], point)) return true;
  }
  return false;
}

// Where the item can lie at the lowest, by trying.
int64_t LowestFree(const Items& items, const std::vector<int64_t>& offsets,
                   const std::vector<size_t>& placed, size_t item) {
  for (int64_t offset = 0;; offset += items[item].alignment) {
    const bool taken = std::ranges::any_of(placed, [&](size_t other) {
      return offset < offsets[other] + items[other].size &&
             offsets[other] < offset + items[item].size && Meet(items, item, other);
    });
    if (!taken) return offset;
  }
}

}  // namespace

rc::Gen<Items> InstancesOf(const InstanceKind& kind) {
  using Words = std::pair<uint64_t, uint64_t>;
  // At this size all bits of a word are drawn; the size of the list is what shall vary.
  const auto word = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<uint64_t>());
  const auto words = rc::gen::resize(
      kind.most_items, rc::gen::container<std::vector<Words>>(rc::gen::pair(word, word)));
  return rc::gen::map(words, [kind](const std::vector<Words>& drawn) {
    Items items;
    int64_t fixed_end = 0;
    for (auto [shape, choice] : drawn) {
      items.push_back(ItemOf(shape, kind));
      Item<int64_t>& item = items.back();
      const int64_t what = Cut(choice, 8);
      if (kind.fixed && what == 0) {
        item.fixed = (fixed_end + item.alignment - 1) / item.alignment * item.alignment;
        fixed_end = *item.fixed + item.size + Cut(choice, 50);
      }
      if (kind.ties && what == 1 && items.size() > 1) {
        const auto base = static_cast<int32_t>(Cut(choice, items.size() - 1));
        if (items[BaseOf(items, static_cast<size_t>(base))].fixed) continue;
        const int64_t inside = item.alignment * Cut(choice, 3);
        if ((DistanceOf(items, static_cast<size_t>(base)) + inside) % item.alignment != 0) continue;
        item.tie = {base, inside};
      }
    }
    return items;
  });
}

std::string TextOf(const Items& items) {
  std::string text;
  for (const Item<int64_t>& item : items) {
    text += fmt::format("size {} alignment {}", item.size, item.alignment);
    for (const Span& s : item.live) text += fmt::format(" [{},{})", s.lower, s.upper);
    if (item.fixed) text += fmt::format(" fixed {}", *item.fixed);
    if (item.tie) text += fmt::format(" in {} at {}", item.tie->base, item.tie->inside);
    text += "\n";
  }
  return text;
}

std::string WhyBad(const Items& items, const Layout<int64_t>& layout) {
  if (layout.offsets.size() != items.size()) return "count";
  int64_t peak = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    const Item<int64_t>& item = items[i];
    const int64_t offset = layout.offsets[i];
    const bool takes_room = item.size > 0 && !item.live.empty();
    if (offset < 0) return fmt::format("{} below 0", i);
    if (takes_room && offset % item.alignment != 0) return fmt::format("{} not aligned", i);
    if (item.fixed && offset != *item.fixed) return fmt::format("{} not where fixed", i);
    if (item.tie &&
        offset != layout.offsets[static_cast<size_t>(item.tie->base)] + item.tie->inside) {
      return fmt::format("{} not where tied", i);
    }
    if (takes_room) peak = std::max(peak, offset + item.size);
    for (size_t j = 0; j < i; ++j) {
      const bool share = offset < layout.offsets[j] + items[j].size &&
                         layout.offsets[j] < offset + item.size && item.size > 0 &&
                         items[j].size > 0;
      if (share && Meet(items, i, j) && BaseOf(items, i) != BaseOf(items, j)) {
        return fmt::format("{} and {} overlap", j, i);
      }
    }
  }
  return peak == layout.peak ? "" : "wrong peak";
}

int64_t BruteLoad(const Items& items) {
  int64_t load = 0;
  for (int64_t point = 0; point < kPoints; ++point) {
    std::vector<int64_t> largest(items.size());  // per base: of what is tied to it
    for (size_t i = 0; i < items.size(); ++i) {
      int64_t& own = largest[BaseOf(items, i)];
      if (Lives(items[i], point)) own = std::max(own, items[i].size);
    }
    load = std::max(load, std::accumulate(largest.begin(), largest.end(), int64_t{0}));
  }
  return load;
}

int64_t BrutePeak(const Items& items) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  int64_t best = INT64_MAX;
  do {
    std::vector<int64_t> offsets(items.size());
    std::vector<size_t> placed;
    int64_t peak = 0;
    for (size_t i = 0; i < items.size(); ++i) {
      if (!items[i].fixed || items[i].size == 0 || items[i].live.empty()) continue;
      offsets[i] = *items[i].fixed;
      placed.push_back(i);
      peak = std::max(peak, offsets[i] + items[i].size);
    }
    for (const size_t i : order) {
      if (items[i].fixed || items[i].size == 0 || items[i].live.empty()) continue;
      offsets[i] = LowestFree(items, offsets, placed, i);
      placed.push_back(i);
      peak = std::max(peak, offsets[i] + items[i].size);
    }
    best = std::min(best, peak);
  } while (std::ranges::next_permutation(order).found);
  return best;
}

Items Permuted(const Items& items, uint64_t seed) {
  std::vector<size_t> place(items.size());  // where each goes
  std::iota(place.begin(), place.end(), size_t{0});
  std::ranges::shuffle(place, std::mt19937_64(seed));
  Items permuted(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    permuted[place[i]] = items[i];
    auto& tie = permuted[place[i]].tie;
    if (tie) tie->base = static_cast<int32_t>(place[static_cast<size_t>(tie->base)]);
  }
  return permuted;
}

}  // namespace pteproof::placement
