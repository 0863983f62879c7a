#include "planner/placement/load.h"

#include <gtest/gtest.h>

#include "tests/planner/placement/instances.h"

namespace pteproof::placement {
namespace {

Item<int64_t> Sized(int64_t size, int64_t alignment, int64_t lower, int64_t upper) {
  return {.size = size, .alignment = alignment, .live = {{lower, upper}}};
}

TEST(Load, IsTheLargestSumOfLiveSizes) {
  EXPECT_EQ(LoadOf(Items{Sized(10, 1, 0, 2), Sized(20, 1, 1, 3), Sized(15, 1, 2, 4)}), 35);
  EXPECT_EQ(LoadOf(Items{Sized(10, 1, 0, 2), Sized(20, 1, 2, 4)}), 20);
  EXPECT_EQ(LoadOf({}), 0);
}

TEST(Load, RoundsUpAllButTheOneThatWastesMost) {
  // 20 takes 32 unless it lies last; 30 and 20: 32 + 20.
  EXPECT_EQ(LoadOf(Items{Sized(20, 16, 0, 1), Sized(30, 16, 0, 1)}), 52);
  EXPECT_EQ(LoadOf(Items{Sized(3, 16, 0, 1)}), 3);
}

TEST(Load, RoundsUpToTheSmallestAlignmentOnly) {
  // 3 at 0 and 1 at 3 fit four bytes, whatever the alignment of the first.
  EXPECT_EQ(LoadOf(Items{Sized(3, 16, 0, 1), Sized(1, 1, 0, 1)}), 4);
}

TEST(Load, CountsWhatIsTiedOnceAndReachesFixedEnds) {
  Items items = {Sized(16, 1, 0, 2), Sized(16, 1, 1, 3)};
  EXPECT_EQ(LoadOf(items), 32);
  items[1].tie = {.base = 0, .inside = 0};
  EXPECT_EQ(LoadOf(items), 16);
  items[0].fixed = 100;
  EXPECT_EQ(LoadOf(items), 116);
}

TEST(Placeable, RefusesWhatIsNoItem) {
  EXPECT_TRUE(Placeable(Items{Sized(0, 1, 0, 1), Sized(5, 64, 0, 1)}));
  EXPECT_FALSE(Placeable(Items{Sized(-1, 1, 0, 1)}));
  EXPECT_FALSE(Placeable(Items{Sized(1, 3, 0, 1)}));
  EXPECT_FALSE(Placeable(Items{Sized(1, 0, 0, 1)}));
  EXPECT_FALSE(Placeable(Items{Sized(1, 1, 1, 1)}));
  EXPECT_FALSE(Placeable(Items{{.size = 1, .live = {{2, 4}, {1, 3}}}}));
  EXPECT_FALSE(Placeable(Items{{.size = 1, .live = {{0, 1}}, .fixed = -1}}));
}

TEST(Placeable, RefusesTiesInCirclesAndToNothing) {
  Items items = {Sized(1, 1, 0, 1), Sized(1, 1, 0, 1)};
  items[0].tie = {.base = 1, .inside = 0};
  EXPECT_TRUE(Placeable(items));
  items[1].tie = {.base = 0, .inside = 0};
  EXPECT_FALSE(Placeable(items));
  items[1].tie = {.base = 2, .inside = 0};
  EXPECT_FALSE(Placeable(items));
  items[1].tie = {.base = 1, .inside = 0};
  EXPECT_FALSE(Placeable(items));
}

TEST(Placeable, RefusesTiesThatAreNotAligned) {
  Items items = {Sized(8, 1, 0, 1), Sized(4, 1, 0, 1), Sized(2, 2, 0, 1)};
  items[1].tie = {.base = 0, .inside = 1};
  items[2].tie = {.base = 1, .inside = 0};
  EXPECT_FALSE(Placeable(items));
  items[2].tie->inside = 1;
  EXPECT_TRUE(Placeable(items));
}

TEST(Placeable, RefusesSumsThatMayOverflow) {
  EXPECT_FALSE(Placeable(Items{Sized(INT64_MAX, 1, 0, 1)}));
  EXPECT_FALSE(Placeable(Items{Sized(INT64_MAX / 6, 1, 0, 1), Sized(INT64_MAX / 6, 1, 5, 6)}));
  EXPECT_TRUE(Placeable(Items{Sized(INT64_MAX / 9, 1, 0, 1), Sized(INT64_MAX / 9, 1, 5, 6)}));
}

}  // namespace
}  // namespace pteproof::placement
