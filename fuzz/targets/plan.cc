// Items to place: every algorithm gives a layout, by the validator, none below the load, and of few
// plain items the exact one is as low as trying all orders.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "fuzz/byte_source.h"
#include "fuzz/require.h"
#include "fuzz/targets/targets.h"
#include "planner/placement/algorithms.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"

namespace pteproof::fuzz {
namespace {

using placement::Algorithm;
using Items = std::vector<placement::Item<int64_t>>;

constexpr size_t kMostItems = 48;
constexpr size_t kMostItemsInAllOrders = 6;
constexpr placement::Effort kEffort = {.steps = 50'000, .seconds = 0.25};
constexpr placement::Effort kEnough = {.steps = 5'000'000};  // for those few

// Seven bytes an item. Flags: 1 a second stretch of life, 2 fixed, 4 tied to an earlier item, the
// rest its alignment.
placement::Item<int64_t> NextItem(ByteSource& source, size_t earlier) {
  placement::Item<int64_t> item;
  const uint8_t flags = source.Byte();
  const auto alignment = static_cast<unsigned>(flags >> 4) % 8;
  item.alignment = int64_t{1} << alignment;
  item.size = static_cast<int64_t>(source.Word(2));
  const int64_t begin = source.Byte();
  const int64_t length = source.Byte() % 32;
  if (length > 0) item.live.push_back({begin, begin + length});
  const int64_t gap = source.Byte() % 16;
  const uint8_t extra = source.Byte();
  if ((flags & 1) != 0 && length > 0 && gap > 0) {
    const int64_t again = begin + length + gap;
    item.live.push_back({again, again + 1 + extra % 8});
  }
  if ((flags & 2) != 0) item.fixed = int64_t{extra} << alignment;
  if ((flags & 4) != 0 && earlier > 0 && (flags & 2) == 0) {
    item.tie = {static_cast<int32_t>(extra % earlier), int64_t{extra / 16} << alignment};
  }
  return item;
}

Items ItemsFrom(Bytes input) {
  ByteSource source(input);
  Items items;
  while (!source.empty() && items.size() < kMostItems) {
    items.push_back(NextItem(source, items.size()));
  }
  return items;
}

bool AnyFixed(const Items& items) {
  return std::ranges::any_of(items, [](const auto& item) { return item.fixed.has_value(); });
}
bool IsPlain(const Items& items) {
  return !AnyFixed(items) && items.size() <= kMostItemsInAllOrders &&
         std::ranges::none_of(items, [](const auto& item) { return item.tie.has_value(); });
}

bool Meet(const placement::Item<int64_t>& a, const placement::Item<int64_t>& b) {
  return std::ranges::any_of(a.live, [&](const placement::Span& s) {
    return std::ranges::any_of(
        b.live, [&](const placement::Span& t) { return s.lower < t.upper && t.lower < s.upper; });
  });
}

// Fixed items may lie over each other, and what is tied to a fixed one over another: then there is
// no layout, and nothing to require.
bool MayHaveNoLayout(const Items& items) {
  if (!AnyFixed(items)) return false;
  for (size_t a = 0; a < items.size(); ++a) {
    if (items[a].tie) return true;
    for (size_t b = 0; b < a; ++b) {
      if (!items[a].fixed || !items[b].fixed || !Meet(items[a], items[b])) continue;
      const bool apart = *items[a].fixed + items[a].size <= *items[b].fixed ||
                         *items[b].fixed + items[b].size <= *items[a].fixed;
      if (!apart) return true;
    }
  }
  return false;
}

// The lowest offset at which `item` meets none of those that are placed.
int64_t LowestOffset(const Items& items, const std::vector<int64_t>& offsets,
                     std::span<const size_t> placed, size_t item) {
  int64_t offset = 0;
  for (bool moved = true; moved;) {
    moved = false;
    for (const size_t other : placed) {
      const int64_t end = offsets[other] + items[other].size;
      const bool apart = offset + items[item].size <= offsets[other] || end <= offset;
      if (apart || !Meet(items[item], items[other])) continue;
      const int64_t a = items[item].alignment;
      offset = (end + a - 1) / a * a;
      moved = true;
    }
  }
  return offset;
}

// Some order, each item at the lowest free offset, gives the lowest peak there is.
int64_t LowestPeak(const Items& items) {
  std::vector<size_t> order(items.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::erase_if(order, [&](size_t i) { return items[i].size == 0 || items[i].live.empty(); });
  int64_t lowest = INT64_MAX;
  do {
    std::vector<int64_t> offsets(items.size());
    int64_t peak = 0;
    for (size_t n = 0; n < order.size(); ++n) {
      const size_t i = order[n];
      offsets[i] = LowestOffset(items, offsets, std::span(order).first(n), i);
      peak = std::max(peak, offsets[i] + items[i].size);
    }
    lowest = std::min(lowest, peak);
  } while (std::ranges::next_permutation(order).found);
  return lowest;
}

void RequireLayout(const Items& items, Algorithm algorithm, const placement::Outcome& outcome) {
  const auto mistake = placement::MistakeIn(items, outcome.layout);
  if (mistake) {
    Fail("a layout is one", fmt::format("{}: {}", placement::NameOf(algorithm), TextOf(*mistake)));
  }
  Require(outcome.layout.peak >= outcome.lower_bound, "no layout is below its lower bound");
  Require(outcome.layout.peak >= placement::LoadOf(items), "no layout is below the load");
}

}  // namespace

Stage FuzzPlan(Bytes input) {
  const Items items = ItemsFrom(input);
  if (!placement::Placeable(items)) return Stage::kRefused;
  const bool plain = IsPlain(items);
  const int64_t lowest = plain ? LowestPeak(items) : 0;
  for (const Algorithm algorithm : placement::kAlgorithms) {
    if (algorithm == Algorithm::kExact && !plain) continue;  // with this effort it is kBest
    const auto outcome = placement::Place(items, algorithm, plain ? kEnough : kEffort);
    if (MayHaveNoLayout(items)) continue;
    RequireLayout(items, algorithm, outcome);
    if (!plain) continue;
    Require(outcome.lower_bound <= lowest, "a lower bound is one");
    Require(outcome.layout.peak >= lowest, "no layout is below the lowest");
    if (algorithm == Algorithm::kExact) Require(outcome.layout.peak == lowest, "exact is exact");
  }
  return Stage::kJudged;
}

}  // namespace pteproof::fuzz
