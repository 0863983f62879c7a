#include "properties/checks/clobbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class ClobbersTest : public ::testing::Test {
 protected:
  ClobbersTest() : x_(b_.Planned(2, 0, {4})) { b_.Input(x_); }

  int32_t At(uint64_t offset) { return b_.Planned(1, offset, {4}); }
  // x squared, at an offset.
  int32_t Made(uint64_t offset) {
    const int32_t v = At(offset);
    b_.Mul(x_, x_, v);
    return v;
  }
  int32_t Use(int32_t v) { return b_.Mul(v, x_, b_.Planned(3, 16 * far_++, {4})); }
  // A condition that only a run knows.
  int32_t Unknown() {
    const int32_t flag = b_.Bool(false);
    b_.Move(b_.Bool(true), flag);
    return flag;
  }
  void TargetHere(int32_t jump) { b_.SetTarget(jump, b_.Next()); }

  MethodBuilder b_;
  int32_t x_;
  uint64_t far_ = 0;
};

using ClobbersOfStraightCode = ClobbersTest;
using WalkOfLongMethods = ClobbersTest;

TEST_F(ClobbersOfStraightCode, AreCappedInNumber) {
  std::vector<int32_t> victims;
  for (size_t i = 0; i < kMaxClobbers + 50; ++i) victims.push_back(Made(16 * i));
  b_.Mul(x_, x_, b_.Planned(1, 0, {static_cast<int32_t>(4 * victims.size())}));
  for (const int32_t v : victims) Use(v);
  EXPECT_THAT(HitsOf(b_), SizeIs(kMaxClobbers));
}

TEST_F(WalkOfLongMethods, EndsForAHundredThousandInstructions) {
  constexpr int kInstructions = 100'000;
  int32_t last = x_;
  for (int i = 0; i < kInstructions; ++i) {
    const int32_t next = b_.Planned(1, 16 * static_cast<uint64_t>(i % 2), {4});
    b_.Mul(last, x_, next);
    last = next;
  }
  b_.Output(last);
  const Analysed a(b_);
  EXPECT_TRUE(a.check.walk.complete);
  EXPECT_THAT(a.check.walk.clobbers, IsEmpty());
}

TEST_F(WalkOfLongMethods, EndsForAChainOfTwentyThousandBlocks) {
  const int32_t flag = Unknown();
  for (int i = 0; i < 10'000; ++i) {
    const int32_t jump = b_.JumpFalse(flag, 0);
    Use(Made(16 * static_cast<uint64_t>(i % 7)));
    TargetHere(jump);
  }
  Use(x_);
  const Analysed a(b_);
  EXPECT_GT(a.check.graph.blocks.size(), 20'000U);
  EXPECT_TRUE(a.check.walk.complete);
  EXPECT_THAT(a.check.walk.clobbers, IsEmpty());
}

TEST(PlanAlignment, IsTheLargestPowerOfTwoInAllOffsetsUpToSixteen) {
  MethodBuilder b;
  EXPECT_EQ(PlanAlignment(b.Build()), 16U);
  b.Planned(1, 64, {4});
  EXPECT_EQ(PlanAlignment(b.Build()), 16U);
  b.Planned(1, 24, {4});
  EXPECT_EQ(PlanAlignment(b.Build()), 8U);
  b.Planned(2, 3, {4}, {}, ScalarType::kUInt8);
  EXPECT_EQ(PlanAlignment(b.Build()), 1U);
}

}  // namespace
}  // namespace pteproof::checks
