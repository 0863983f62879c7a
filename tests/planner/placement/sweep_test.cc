#include "planner/placement/sweep.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "planner/placement/algorithms.h"
#include "planner/placement/load.h"
#include "planner/placement/validate.h"

namespace pteproof::placement {
namespace {

using Items = std::vector<Item<int64_t>>;

Items AllAtOnce(size_t count) {
  Items items(count);
  for (Item<int64_t>& item : items) item = {.size = 8, .alignment = 1, .live = {{0, 1}}};
  return items;
}

TEST(Sweep, PlacesEveryItemApart) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Items items;
    int64_t sum = 0;
    for (int n = 0; n < 40; ++n) {
      const auto lower = static_cast<int64_t>(random() % 30);
      Item<int64_t> item = {.size = static_cast<int64_t>(random() % 50),
                            .alignment = int64_t{1} << random() % 5,
                            .live = {{lower, lower + 1 + static_cast<int64_t>(random() % 9)}}};
      if (n % 5 == 0) item.live.push_back({lower + 12, lower + 13});
      if (n == 0 && round % 2 == 0) item.fixed = 64;
      if (n > 1 && n % 7 == 0) {
        item.tie = {.base = n - 1, .inside = 0};
        item.alignment = 1;
      }
      sum += item.size + 16;
      items.push_back(item);
    }
    ASSERT_TRUE(Placeable(items));
    const Layout<int64_t> layout = Sweep(items);
    EXPECT_FALSE(MistakeIn(items, layout).has_value()) << round;
    EXPECT_LE(layout.peak, sum + 128);
  }
}

TEST(Sweep, UsesABlockAgain) {
  const Items items = {{.size = 8, .alignment = 8, .live = {{0, 2}}},
                       {.size = 16, .alignment = 8, .live = {{1, 4}}},
                       {.size = 5, .alignment = 8, .live = {{2, 5}}},
                       {.size = 8, .alignment = 8, .live = {{4, 6}}}};
  EXPECT_EQ(Sweep(items).offsets, (std::vector<int64_t>{0, 8, 0, 8}));
}

// Each pair of 60,000 would be looked at, several times.
TEST(Sweep, IsForTablesThatAreCrowded) {
  EXPECT_FALSE(IsCrowded(AllAtOnce(7000)));
  const Items items = AllAtOnce(60'000);
  EXPECT_TRUE(IsCrowded(items));
  for (const Algorithm algorithm : {Algorithm::kBest, Algorithm::kExact, Algorithm::kFirstFit}) {
    const Outcome outcome = Place(items, algorithm);
    EXPECT_TRUE(outcome.optimal());
    EXPECT_FALSE(MistakeIn(items, outcome.layout).has_value());
  }
}

}  // namespace
}  // namespace pteproof::placement
