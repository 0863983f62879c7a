#include "reference/half.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pteproof {
namespace {

TEST(Half, RoundTripsEveryBitPatternThatIsNoNan) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = HalfToDouble(static_cast<uint16_t>(bits));
    if (std::isnan(value)) continue;
    ASSERT_EQ(HalfFromDouble(value), bits);
  }
}

TEST(BFloat16, RoundTripsEveryBitPatternThatIsNoNan) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = BFloat16ToDouble(static_cast<uint16_t>(bits));
    if (std::isnan(value)) continue;
    ASSERT_EQ(BFloat16FromDouble(value), bits);
  }
}

TEST(Half, DecodesTheStandardsExamples) {
  EXPECT_EQ(HalfToDouble(0x3C00), 1.0);
  EXPECT_EQ(HalfToDouble(0xC000), -2.0);
  EXPECT_EQ(HalfToDouble(0x7BFF), 65504.0);
  EXPECT_EQ(HalfToDouble(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(HalfToDouble(0x7C00), HUGE_VAL);
  EXPECT_TRUE(std::isnan(HalfToDouble(0x7E00)));
}

TEST(Half, RoundsTiesToEven) {
  EXPECT_EQ(HalfFromDouble(2049.0), HalfFromDouble(2048.0));
  EXPECT_EQ(HalfFromDouble(2051.0), HalfFromDouble(2052.0));
  EXPECT_EQ(HalfFromDouble(std::ldexp(1.0, -25)), 0x0000);
  EXPECT_EQ(HalfFromDouble(std::ldexp(3.0, -25)), 0x0002);
}

TEST(Half, RoundsWhatIsTooLargeToInfinity) {
  EXPECT_EQ(HalfFromDouble(65519.0), 0x7BFF);
  EXPECT_EQ(HalfFromDouble(65520.0), 0x7C00);
  EXPECT_EQ(HalfFromDouble(-1e9), 0xFC00);
}

TEST(Half, KeepsNan) {
  EXPECT_TRUE(std::isnan(HalfToDouble(HalfFromDouble(std::nan("")))));
  EXPECT_TRUE(std::isnan(BFloat16ToDouble(BFloat16FromDouble(std::nan("")))));
}

TEST(BFloat16, RoundsTiesToEven) {
  EXPECT_EQ(BFloat16FromDouble(257.0), BFloat16FromDouble(256.0));
  EXPECT_EQ(BFloat16FromDouble(259.0), BFloat16FromDouble(260.0));
}

}  // namespace
}  // namespace pteproof
