// Small examples worked out by hand, each from a planner that went wrong or from the rule itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "planner/placement/algorithms.h"
#include "planner/placement/fit.h"
#include "planner/placement/greedy.h"
#include "planner/placement/naive.h"
#include "tests/planner/placement/instances.h"

namespace pteproof::placement {
namespace {

using ::testing::ElementsAre;

// Inclusive node indices, as ExecuTorch counts.
Item<int64_t> Nodes(int64_t size, int64_t first, int64_t last, int64_t alignment = 1) {
  return {.size = size, .alignment = alignment, .live = {{first, last + 1}}};
}

// A planner that never looks below the first taken byte needs 240.
TEST(Gaps, BelowTheFirstTakenByteAreUsed) {
  const Items items = {Nodes(100, 0, 1), Nodes(80, 1, 2), Nodes(60, 2, 3)};
  for (const Algorithm algorithm :
       {Algorithm::kFirstFit, Algorithm::kBestFit, Algorithm::kByConflicts, Algorithm::kBest}) {
    EXPECT_EQ(Place(items, algorithm).layout.peak, 180) << NameOf(algorithm);
  }
  EXPECT_THAT(FirstFit<int64_t>(items).offsets, ElementsAre(0, 100, 0));
}

// A planner that gives an in-place result its base's bytes without a look at who else lives there
// lays all three at 0.
TEST(Ties, HoldTheBytesForAllThatIsTied) {
  Items items = {Nodes(64, 0, 2, 16), Nodes(64, 2, 6, 16), Nodes(64, 4, 5, 16)};
  items[1].tie = {.base = 0, .inside = 0};
  for (const Algorithm algorithm : kAlgorithms) {
    const Layout<int64_t> layout = Place(items, algorithm).layout;
    EXPECT_EQ(WhyBad(items, layout), "") << NameOf(algorithm);
    EXPECT_EQ(layout.offsets[0], layout.offsets[1]);
    EXPECT_EQ(layout.peak, 128);
  }
}

// A planner whose algorithms share what they start from ends with naive's plan, 192 bytes, or with
// greedy's, 64, by which of them ran first.
TEST(Algorithms, DoNotDependOnWhatRanBefore) {
  const Items items = {Nodes(64, 0, 0, 16), Nodes(64, 1, 1, 16), Nodes(64, 2, 2, 16)};
  EXPECT_EQ(Place(items, Algorithm::kNaive).layout.peak, 192);
  EXPECT_EQ(Place(items, Algorithm::kGreedy).layout.peak, 64);
  EXPECT_EQ(Place(items, Algorithm::kNaive).layout.peak, 192);
  EXPECT_EQ(Place(items, Algorithm::kBest).layout.peak, 64);
}

// A planner that sorts at one alignment and places at another aborts in one of the two orders.
TEST(Algorithms, TakeAlignmentsBelowSixteenInAnyOrder) {
  const Items items = {Nodes(3, 0, 1, 4), Nodes(12, 0, 1, 4)};
  const Items turned = {items[1], items[0]};
  for (const Algorithm algorithm : kAlgorithms) {
    for (const Items& each : {items, turned}) {
      const Layout<int64_t> layout = Place(each, algorithm).layout;
      EXPECT_EQ(WhyBad(each, layout), "") << NameOf(algorithm);
      EXPECT_LE(layout.peak, 16);
    }
  }
}

TEST(Naive, LaysOneAfterTheOther) {
  const Items items = {Nodes(10, 0, 0, 16), Nodes(20, 1, 1, 16), Nodes(5, 2, 2, 16)};
  const auto layout = Naive<int64_t>(items);
  EXPECT_THAT(layout.offsets, ElementsAre(0, 16, 48));
  EXPECT_EQ(layout.peak, 53);
}

TEST(Greedy, TakesTheFirstObjectThatIsFreeNotTheClosest) {
  // Objects of 100 and 50; the 40 fits both and goes into the first.
  const Items items = {Nodes(100, 0, 1), Nodes(50, 0, 1), Nodes(40, 2, 3)};
  EXPECT_THAT(Greedy<int64_t>(items).offsets, ElementsAre(0, 100, 0));
}

TEST(Greedy, StacksInAnObjectWhatFitsOnTopOfWhatLivesThen) {
  // 60 goes to 0 of the object of 100; 40, which meets it, on top of it.
  const Items items = {Nodes(100, 0, 0), Nodes(60, 1, 2), Nodes(40, 2, 3)};
  EXPECT_THAT(Greedy<int64_t>(items).offsets, ElementsAre(0, 0, 60));
}

TEST(Greedy, PrefersAFreeObjectToRoomOnTop) {
  // Object one has room on top of 30, object two is free at 2: pass one comes first.
  const Items items = {Nodes(100, 0, 0), Nodes(50, 0, 0), Nodes(30, 2, 3), Nodes(20, 2, 2)};
  EXPECT_THAT(Greedy<int64_t>(items).offsets, ElementsAre(0, 100, 0, 100));
}

TEST(Greedy, StacksAboveTheHighestThatLivesThenNotInTheGapBelow) {
  // At 4 only the upper of two lives, at [50,80); 50 free bytes below it do not count.
  const Items items = {Nodes(100, 0, 0), Nodes(50, 1, 2), Nodes(30, 2, 4), Nodes(25, 4, 4)};
  EXPECT_THAT(Greedy<int64_t>(items).offsets, ElementsAre(0, 0, 50, 100));
  EXPECT_EQ(Greedy<int64_t>(items).peak, 125);
  EXPECT_EQ(FirstFit<int64_t>(items).peak, 100);
}

TEST(Greedy, GoesThroughEqualSizesFromTheLastToTheFirst) {
  const Items items = {Nodes(16, 0, 1), Nodes(16, 1, 2), Nodes(16, 0, 2)};
  EXPECT_THAT(Greedy<int64_t>(items).offsets, ElementsAre(32, 16, 0));
}

TEST(Greedy, RoundsSizesUpToTheAlignment) {
  const Items items = {Nodes(20, 0, 1, 16), Nodes(10, 1, 2, 16)};
  EXPECT_THAT(Greedy<int64_t>(items).offsets, ElementsAre(0, 32));
}

TEST(Greedy, SeesOneLifeFromTheFirstToTheLastPoint) {
  Items items = {Nodes(16, 0, 0), Nodes(16, 2, 2)};
  items[0].live.push_back({4, 5});
  EXPECT_EQ(Greedy<int64_t>(items).peak, 32);
  EXPECT_EQ(FirstFit<int64_t>(items).peak, 16);
}

TEST(BestFit, TakesTheSmallestGapThatHoldsIt) {
  // While 20 lives, gaps of 50 at 0 and of 25 at 100 are free.
  Items items = {Nodes(20, 0, 0), Nodes(50, 0, 0), Nodes(25, 0, 0), Nodes(200, 0, 0)};
  items[1].fixed = 50;
  items[2].fixed = 125;
  items[3].fixed = 150;
  EXPECT_EQ(BestFit<int64_t>(items).offsets[0], 100);
  EXPECT_EQ(FirstFit<int64_t>(items).offsets[0], 0);
}

TEST(Best, FindsWhatNoPlainOrderFinds) {
  const Items items = {Nodes(4, 0, 2), Nodes(4, 4, 6), Nodes(2, 0, 4), Nodes(6, 3, 3),
                       Nodes(2, 2, 6)};
  const Outcome outcome = Place(items, Algorithm::kBest);
  EXPECT_TRUE(outcome.optimal());
  EXPECT_EQ(outcome.layout.peak, BrutePeak(items));
}

}  // namespace
}  // namespace pteproof::placement
