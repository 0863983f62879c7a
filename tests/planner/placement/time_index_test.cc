#include "planner/placement/time_index.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tests/planner/placement/instances.h"

namespace pteproof::placement {
namespace {

// The life whose points are the bits of `points`.
std::vector<Span> LifeOf(unsigned points) {
  std::vector<Span> live;
  for (int64_t p = 0; points >> p != 0; ++p) {
    if ((points >> p & 1U) == 0) continue;
    if (!live.empty() && live.back().upper == p) {
      ++live.back().upper;
    } else {
      live.push_back({p, p + 1});
    }
  }
  return live;
}

TEST(Overlap, IsRightForAllLivesOfSixPoints) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      ASSERT_EQ(Overlap(LifeOf(a), LifeOf(b)), (a & b) != 0) << a << " " << b;
    }
  }
}

TEST(UnionOf, IsRightForAllLivesOfSixPoints) {
  for (unsigned a = 0; a < 64; ++a) {
    for (unsigned b = 0; b < 64; ++b) {
      ASSERT_EQ(UnionOf(LifeOf(a), LifeOf(b)), LifeOf(a | b)) << a << " " << b;
    }
  }
}

TEST(HullOf, ReachesFromTheFirstToTheLastPoint) {
  EXPECT_EQ(HullOf(LifeOf(0b0101100)), LifeOf(0b0111100));
  EXPECT_TRUE(HullOf({}).empty());
}

TEST(TimeIndex, IsRightForAllTriplesOfLivesOfFourPoints) {
  for (unsigned code = 0; code < 16 * 16 * 16; ++code) {
    const std::vector<unsigned> points = {code & 15U, code >> 4 & 15U, code >> 8 & 15U};
    std::vector<std::vector<Span>> lives;
    for (const unsigned p : points) lives.push_back(LifeOf(p));
    TimeIndex index(lives);
    index.Add(0);
    index.Add(1);
    std::vector<int32_t> met;
    index.Conflicts(2, met);
    std::ranges::sort(met);
    std::vector<int32_t> expected;
    for (int32_t i : {0, 1}) {
      if ((points[static_cast<size_t>(i)] & points[2]) != 0) expected.push_back(i);
    }
    ASSERT_EQ(met, expected) << code;
  }
}

RC_GTEST_PROP(TimeIndex, FindsWhatCountsAndMeetsAndNothingElse, ()) {
  const Items items = *InstancesOf(Everything(120));
  std::vector<std::vector<Span>> lives;
  for (const Item<int64_t>& item : items) lives.push_back(item.live);
  TimeIndex index(lives);
  std::vector<int32_t> met;
  for (int32_t i = 0; i < static_cast<int32_t>(items.size()); ++i) {
    index.Conflicts(i, met);
    RC_ASSERT(std::set(met.begin(), met.end()).size() == met.size());
    std::ranges::sort(met);
    std::vector<int32_t> expected;
    for (int32_t j = 0; j < i; ++j) {
      if (j % 3 == 0) continue;
      if (Overlap(lives[static_cast<size_t>(i)], lives[static_cast<size_t>(j)])) {
        expected.push_back(j);
      }
    }
    RC_ASSERT(met == expected);
    if (i % 3 != 0) index.Add(i);
  }
}

}  // namespace
}  // namespace pteproof::placement
