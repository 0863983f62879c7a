#include "meaning/unfilled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::meaning {
namespace {

using checks::Analysed;

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class Unfilled : public ::testing::Test {
 protected:
  Unfilled() {
    x_ = b_.Planned(1, 0, {4});
    b_.Input(x_);
    flag_ = b_.Unplanned({}, ScalarType::kBool);
    b_.Input(flag_);
    stack_ = b_.Planned(1, 64, {4, 4});
  }

  int32_t Fill() {
    return b_.Call("executorch_prim::et_copy_index.tensor", {stack_, x_, b_.Int(0)});
  }
  int32_t Other() { return b_.Mul(x_, x_, x_); }
  bool IsUnfilledAt(const std::vector<int32_t>& writers, int32_t reader) const {
    return IsReadUnfilled(Analysed(b_).check.flow(), writers, reader);
  }

  MethodBuilder b_;
  int32_t x_ = 0;
  int32_t flag_ = 0;
  int32_t stack_ = 0;
};

TEST_F(Unfilled, WritersAreThoseOfFilledValuesOnly) {
  Other();
  EXPECT_THAT(WritersOfFilled(Analysed(b_).check.flow()), IsEmpty());
  b_.Copy(stack_, stack_);                      // 1
  Fill();                                       // 2
  b_.Move(b_.Planned(1, 128, {4, 4}), stack_);  // 3
  Fill();                                       // 4
  EXPECT_THAT(WritersOfFilled(Analysed(b_).check.flow()),
              ElementsAre(Pair(stack_, ElementsAre(1, 2, 3, 4))));
}

TEST_F(Unfilled, WritersMayBeTheVeryFirstInstruction) {
  Fill();
  EXPECT_THAT(WritersOfFilled(Analysed(b_).check.flow()),
              ElementsAre(Pair(stack_, ElementsAre(0))));
}

TEST_F(Unfilled, InStraightCodeIsWhatIsReadBeforeTheFirstWriter) {
  Other();  // 0
  Fill();   // 1
  Other();  // 2
  EXPECT_TRUE(IsUnfilledAt({1}, 0));
  EXPECT_FALSE(IsUnfilledAt({1}, 1));
  EXPECT_FALSE(IsUnfilledAt({1}, 2));
  EXPECT_FALSE(IsUnfilledAt({1}, 3));  // the method's end
  EXPECT_TRUE(IsUnfilledAt({}, 3));
  EXPECT_FALSE(IsUnfilledAt({0}, 0));
}

TEST_F(Unfilled, IsWhatAPathAroundTheWritersComesTo) {
  b_.JumpFalse(flag_, 3);  // 0
  Fill();                  // 1
  Other();                 // 2
  Other();                 // 3
  EXPECT_TRUE(IsUnfilledAt({1}, 0));
  EXPECT_FALSE(IsUnfilledAt({1}, 2));
  EXPECT_TRUE(IsUnfilledAt({1}, 3));
  EXPECT_TRUE(IsUnfilledAt({1}, 4));
  EXPECT_TRUE(IsUnfilledAt({2}, 1));
  EXPECT_FALSE(IsUnfilledAt({1, 3}, 4));
}

TEST_F(Unfilled, IsNothingAfterALoopThatFillsInItsFirstRound) {
  Other();                 // 0
  Other();                 // 1
  Fill();                  // 2
  b_.JumpFalse(flag_, 1);  // 3
  Other();                 // 4
  EXPECT_TRUE(IsUnfilledAt({2}, 1));
  EXPECT_FALSE(IsUnfilledAt({2}, 3));
  EXPECT_FALSE(IsUnfilledAt({2}, 4));
  EXPECT_TRUE(IsUnfilledAt({4}, 3));
  EXPECT_TRUE(IsUnfilledAt({}, 5));
}

}  // namespace
}  // namespace pteproof::meaning
