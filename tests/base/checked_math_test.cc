#include "base/checked_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pteproof {
namespace {

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();
constexpr int64_t kSmallest = std::numeric_limits<int64_t>::min();

TEST(CheckedMath, GivesNothingIfTheResultDoesNotFit) {
  EXPECT_EQ(CheckedAdd<int64_t>(kLargest, 0), kLargest);
  EXPECT_EQ(CheckedAdd<int64_t>(kLargest, 1), std::nullopt);
  EXPECT_EQ(CheckedSub<int64_t>(kSmallest, 1), std::nullopt);
  EXPECT_EQ(CheckedMul<int64_t>(int64_t{1} << 32, int64_t{1} << 31), std::nullopt);
}

TEST(CheckedMath, TakesTheNearestIntegerOfARealNumberInRange) {
  EXPECT_EQ(TruncatedInt(-2.9), -2);
  EXPECT_EQ(TruncatedInt(0x1p62), int64_t{1} << 62);
  EXPECT_EQ(TruncatedInt(1e300), kLargest);
  EXPECT_EQ(TruncatedInt(0x1p63), kLargest);
  EXPECT_EQ(TruncatedInt(-0x1p63), kSmallest);
  EXPECT_EQ(TruncatedInt(-INFINITY), kSmallest);
  EXPECT_EQ(TruncatedInt(NAN), 0);
}

}  // namespace
}  // namespace pteproof
