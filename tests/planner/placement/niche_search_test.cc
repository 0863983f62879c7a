// Whether plain items fit a capacity, against all orders of few items and against packings that
// were cut from a full rectangle.
#include "planner/placement/niche_search.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "planner/placement/algorithms.h"
#include "planner/placement/groups.h"
#include "planner/placement/load.h"
#include "planner/placement/orders.h"
#include "planner/placement/random.h"
#include "tests/planner/placement/instances.h"

namespace pteproof::placement {
namespace {

using End = NicheSearch::End;
using Rule = NicheSearch::Rule;
using Order = NicheSearch::Order;

constexpr int64_t kPlenty = std::numeric_limits<int64_t>::max();

std::vector<NicheSearch::Way> AllWays() {
  std::vector<NicheSearch::Way> ways;
  for (const Rule rule : {Rule::kLowest, Rule::kTightest}) {
    for (const Order order : {Order::kDuration, Order::kArea, Order::kSize}) {
      ways.push_back({rule, order, 0, 0});
      ways.push_back({rule, order, 500, 7});
    }
  }
  return ways;
}

// Those that take room, in the total order.
Items Sorted(const Items& items) {
  Items sorted;
  for (const int32_t i : OrderBy(std::span<const Item<int64_t>>(items))) {
    if (TakesRoom(items[static_cast<size_t>(i)])) sorted.push_back(items[static_cast<size_t>(i)]);
  }
  return sorted;
}

End SearchTo(const Problem& problem, int64_t capacity, const NicheSearch::Way& way,
             std::vector<int64_t>& offsets) {
  NicheSearch search(problem);
  search.Start(capacity, way);
  Budget budget({.steps = kPlenty});
  const End end = search.Go(budget);
  offsets = search.offsets();
  return end;
}

// Why some way of searching does not take this for the lowest peak; empty: all do.
std::string WhyNotOptimum(const Items& items, int64_t optimum) {
  const Items sorted = Sorted(items);
  const Problem problem = ProblemOf(sorted);
  for (const NicheSearch::Way& way : AllWays()) {
    Layout<int64_t> layout{{}, optimum};
    if (SearchTo(problem, optimum, way, layout.offsets) != End::kFound) return "not found";
    const std::string why = WhyBad(sorted, layout);
    if (!why.empty()) return why;
    if (SearchTo(problem, optimum - 1, way, layout.offsets) != End::kNone) return "not proved";
  }
  return "";
}

RC_GTEST_PROP(NicheSearch, FitsWhatSomeOrderFits, ()) {
  testing::Test::RecordProperty("slow", "tries every order of some items");
  const Items items = *InstancesOf({.most_items = 6});
  RC_PRE(items.size() <= 6U && !items.empty());
  RC_ASSERT(WhyNotOptimum(items, BrutePeak(items)).empty());
}

RC_GTEST_PROP(NicheSearch, RoundsUpToOneAlignment, ()) {
  testing::Test::RecordProperty("slow", "tries every order of some items");
  Items items = *InstancesOf({.most_items = 6});
  RC_PRE(items.size() <= 6U && !items.empty());
  const auto alignment = *rc::gen::element<int64_t>(2, 16, 64);
  for (Item<int64_t>& item : items) item.alignment = alignment;
  RC_ASSERT(WhyNotOptimum(items, BrutePeak(items)).empty());
}

// Five bytes live at each point, and five are too few. At 4, H has the lower or the upper three
// bytes; say the lower ones, as the other case is its mirror image. So at 3, D and G have bytes 3
// and 4, and at 2 they have them too, so that B, E and F have bytes 0 to 2. At 1, A takes the two
// bytes that B, D and E leave of all five: one of them is 3 or 4, and they touch only if they are 2
// and 3. Then B has byte 0 or 1, and at 0 the two bytes for C do not touch.
TEST(NicheSearch, ProvesThatThePeakLiveBytesAreTooFew) {
  const Items items = {
      {.size = 2, .live = {{0, 2}}},  // A
      {.size = 1, .live = {{0, 3}}},  // B
      {.size = 2, .live = {{0, 1}}},  // C
      {.size = 1, .live = {{1, 4}}},  // D
      {.size = 1, .live = {{1, 3}}},  // E
      {.size = 1, .live = {{2, 3}}},  // F
      {.size = 1, .live = {{2, 4}}},  // G
      {.size = 3, .live = {{3, 5}}},  // H
      {.size = 2, .live = {{4, 5}}},  // I
  };
  EXPECT_EQ(LoadOf(items), 5);
  EXPECT_EQ(WhyNotOptimum(items, 6), "");
  const Outcome outcome = Place(items, Algorithm::kBest);
  EXPECT_EQ(outcome.layout.peak, 6);
  EXPECT_TRUE(outcome.optimal());
}

TEST(NicheSearch, IsForItemsThatLiveOnceAtOneAlignment) {
  Items items = {{.size = 32, .alignment = 16, .live = {{0, 2}}},
                 {.size = 64, .alignment = 16, .live = {{1, 4}}},
                 {.size = 96, .alignment = 16, .live = {{3, 5}}}};
  EXPECT_TRUE(IsPlain(ProblemOf(items)));
  items[0].alignment = 32;  // all sizes are multiples of it
  EXPECT_TRUE(IsPlain(ProblemOf(items)));
  items[1].size = 48;
  EXPECT_FALSE(IsPlain(ProblemOf(items)));
  items[1].size = 64;
  items[2].fixed = 0;
  EXPECT_FALSE(IsPlain(ProblemOf(items)));
  items[2].fixed.reset();
  items[0].live.push_back({4, 5});
  EXPECT_FALSE(IsPlain(ProblemOf(items)));
}

// Offsets times time, cut again and again: all of the pieces fit the height that was cut.
Items CutRectangle(int64_t height, int64_t points, size_t pieces, uint64_t seed) {
  struct Piece {
    int64_t lo, hi;
    Span live;
  };
  Random random(seed);
  std::vector<Piece> cut = {{0, height, {0, points}}};
  const auto between = [&](int64_t lo, int64_t hi) {
    return lo + 1 + static_cast<int64_t>(random.Next() % static_cast<uint64_t>(hi - lo - 1));
  };
  while (cut.size() < pieces) {
    Piece& piece = cut[random.Next() % cut.size()];
    Piece rest = piece;
    if (random.Next() % 2 == 0) {
      if (piece.hi - piece.lo < 2) continue;
      rest.lo = piece.hi = between(piece.lo, piece.hi);
    } else {
      if (piece.live.upper - piece.live.lower < 2) continue;
      rest.live.lower = piece.live.upper = between(piece.live.lower, piece.live.upper);
    }
    cut.push_back(rest);
  }
  Items items;
  for (const Piece& piece : cut)
    items.push_back({.size = piece.hi - piece.lo, .live = {piece.live}});
  return items;
}

TEST(Best, FillsARectangleFromItsPieces) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const Items items = CutRectangle(1000, 60, 30 + 5 * seed, seed);
    const Outcome outcome = Place(items, Algorithm::kBest);
    EXPECT_EQ(WhyBad(items, outcome.layout), "") << seed;
    EXPECT_EQ(outcome.layout.peak, 1000) << seed;
    EXPECT_TRUE(outcome.optimal()) << seed;
  }
}

// Equal on one thread and on several, whether the search ends or its steps are spent.
TEST(Best, DoesNotDependOnThreads) {
  RecordProperty("slow", "draws many random cases");
  for (uint64_t seed = 0; seed < 6; ++seed) {
    Items items = CutRectangle(10'000, 100, 150, seed);
    for (size_t i = 0; i < items.size(); i += 3) items[i].size += 1 + static_cast<int64_t>(i) % 50;
    for (const int64_t steps : {3'000'000, 10'000'000}) {
      const Outcome one = Place(items, Algorithm::kBest, {.steps = steps});
      for (const size_t threads : {2U, 3U, 8U}) {
        const Outcome other = Place(items, Algorithm::kBest, {.steps = steps, .threads = threads});
        EXPECT_EQ(one.layout.offsets, other.layout.offsets) << seed;
        EXPECT_EQ(one.lower_bound, other.lower_bound) << seed;
      }
    }
  }
}

}  // namespace
}  // namespace pteproof::placement
