#include "cli/map/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pteproof {
namespace {

using ::testing::ElementsAre;

TEST(Units, ReadWellAndKeepTwoDecimals) {
  EXPECT_EQ(BytesText(0), "0 B");
  EXPECT_EQ(BytesText(1023), "1023 B");
  EXPECT_EQ(BytesText(4096), "4 KiB");
  EXPECT_EQ(BytesText(4352), "4.25 KiB");
  EXPECT_EQ(BytesText(UINT64_MAX), "16 EiB");
  EXPECT_EQ(ExactBytesText(1), "1 byte");
  EXPECT_EQ(ExactBytesText(528), "528 bytes");
  EXPECT_EQ(ExactBytesText(1234567), "1.18 MiB (1,234,567 bytes)");
}

TEST(Units, PutTicksAtMultiplesOfAPowerOfTwo) {
  EXPECT_THAT(ByteTicks(48, 6), ElementsAre(0, 8, 16, 24, 32, 40, 48));
  EXPECT_THAT(ByteTicks(5120, 5), ElementsAre(0, 1024, 2048, 3072, 4096, 5120));
  EXPECT_THAT(ByteTicks(3, 10), ElementsAre(0, 1, 2, 3));
  EXPECT_LE(ByteTicks(UINT64_MAX, 8).size(), 9U);
}

TEST(Units, StepInOnesTwosAndFives) {
  EXPECT_EQ(TickStep(0.3), 1);
  EXPECT_EQ(TickStep(1.5), 2);
  EXPECT_EQ(TickStep(3), 5);
  EXPECT_EQ(TickStep(6), 10);
  EXPECT_EQ(TickStep(150), 200);
}

TEST(Units, TellTimeInInstructions) {
  picture::MethodAxis axis;
  axis.operator_of = {0, 0, 0};  // points 0 to 5, and the exit at 6
  EXPECT_EQ(LifeText({-1, 2}, axis), "entry..0");
  EXPECT_EQ(LifeText({-1, 0}, axis), "entry");
  EXPECT_EQ(LifeText({1, 6}, axis), "0..2");
  EXPECT_EQ(LifeText({3, 4}, axis), "1");
  EXPECT_EQ(LifeText({5, 7}, axis), "2..end");
  EXPECT_EQ(LifeText({-1, 7}, axis), "entry..end");
}

}  // namespace
}  // namespace pteproof
