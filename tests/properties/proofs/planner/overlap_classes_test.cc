#include "properties/proofs/planner/overlap_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pteproof::proofs {
namespace {

using testing::ElementsAre;

// 2, 4, 11 and 34: https://oeis.org/A000088; labelled ones are 2^(n(n-1)/2).
TEST(OverlapClasses, AreAllGraphs) {
  EXPECT_EQ(OverlapClasses(2, TrueOverlap, false).size(), 2U);
  EXPECT_EQ(OverlapClasses(3, TrueOverlap, false).size(), 4U);
  EXPECT_EQ(OverlapClasses(4, TrueOverlap, false).size(), 11U);
  EXPECT_EQ(OverlapClasses(3, TrueOverlap, true).size(), 8U);
  EXPECT_EQ(OverlapClasses(4, TrueOverlap, true).size(), 64U);
}

TEST(OverlapClasses, AreNoMoreForTheShippedIndex) {
  EXPECT_EQ(OverlapClasses(4, IndexOverlap, false).size(), 11U);
}

// Without gaps a circle of four has a chord: one graph less.
TEST(OverlapClasses, AreIntervalGraphsWhereGapsAreNotSeen) {
  EXPECT_EQ(OverlapClasses(4, HullOverlap, false).size(), 10U);
}

TEST(OverlapClasses, ShowAnOverlapThatTheCodeGetsWrong) {
  const auto blind = [](const Lives& lives) {
    OverlapMatrix overlap = TrueOverlap(lives);
    if (lives[0].back().upper == lives[1].front().lower + 1) overlap[1] = overlap[2] = false;
    return overlap;
  };
  bool shown = false;
  for (const Lives& lives : OverlapClasses(2, blind, false)) {
    shown = shown || blind(lives) != TrueOverlap(lives);
  }
  EXPECT_TRUE(shown);
}

TEST(Overlaps, AgreeOnLivesWithGapsButForTheirHulls) {
  const Lives lives = {{{0, 1}, {4, 5}}, {{2, 3}}, {{4, 6}}};
  const OverlapMatrix expected = {true, false, true, false, true, false, true, false, true};
  EXPECT_EQ(TrueOverlap(lives), expected);
  EXPECT_EQ(IndexOverlap(lives), expected);
  EXPECT_TRUE(HullOverlap(lives)[1]);
}

TEST(MaximalCliques, AreNotPartsOfEachOther) {
  const Lives lives = {{{0, 2}}, {{1, 3}}, {{2, 4}}};
  EXPECT_THAT(MaximalCliques(3, TrueOverlap(lives)),
              ElementsAre(ElementsAre(1, 2), ElementsAre(0, 1)));
}

}  // namespace
}  // namespace pteproof::proofs
