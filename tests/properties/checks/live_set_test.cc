#include "properties/checks/live_set.h"

#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

// Handles: what a move makes of a value of one branch or of the other.
class LoadOfHandles : public ::testing::Test {
 protected:
  LoadOfHandles()
      : x_(b_.Planned(2, 0, {4})),
        flag_(b_.Unplanned({}, ScalarType::kBool)),
        handle_(b_.Unplanned({4})) {
    b_.Input(x_);
    b_.Input(flag_);
  }

  // Four floats each, in bank 1 unless told otherwise.
  int32_t Made(uint64_t offset, int32_t elements = 4, uint32_t bank = 1) {
    const int32_t v = b_.Planned(bank, offset, {elements});
    b_.Mul(x_, x_, v);
    return v;
  }
  int32_t JumpAlways() { return b_.JumpFalse(b_.Bool(false), 0); }
  void TargetHere(int32_t jump) { b_.SetTarget(jump, b_.Next()); }
  // The handle is the value made in one branch, or the one made in the other.
  void Choose(uint64_t one, int32_t one_elements, uint64_t other, int32_t other_elements,
              uint32_t other_bank = 1) {
    const int32_t jump = b_.JumpFalse(flag_, 0);
    b_.Move(Made(one, one_elements), handle_);
    const int32_t join = JumpAlways();
    TargetHere(jump);
    b_.Move(Made(other, other_elements, other_bank), handle_);
    TargetHere(join);
  }
  void Use(int32_t v) { b_.Mul(v, x_, b_.Planned(3, 16 * far_++, {4})); }
  uint64_t Load(uint32_t bank) const { return Analysed(b_).check.walk.load[bank]; }

  MethodBuilder b_;
  int32_t x_;
  int32_t flag_;
  int32_t handle_;
  uint64_t far_ = 0;
};

// It lies in one of them at a time: 32 bytes or 16, not 48.
TEST_F(LoadOfHandles, IsThatOfTheLargerHolder) {
  Choose(0, 8, 32, 4);
  Use(handle_);
  Use(handle_);
  EXPECT_EQ(Load(1), 32U);
}

TEST_F(LoadOfHandles, IsThatOfTheLargerHolderWhereItIsTheSecond) {
  Choose(0, 4, 16, 8);
  Use(handle_);
  Use(handle_);
  EXPECT_EQ(Load(1), 32U);
}

// Nothing reads it while the other value lives: 32 bytes of each.
TEST_F(LoadOfHandles, IsThatOfTheLargerHolderWhileOthersAreUsed) {
  Choose(0, 8, 32, 4);
  Use(Made(64, 8));
  Use(handle_);
  EXPECT_EQ(Load(1), 64U);
}

TEST_F(LoadOfHandles, ComesOnTopOfWhatIsLiveBeside) {
  const int32_t beside = Made(64);
  Choose(0, 8, 32, 4);
  Use(handle_);
  Use(beside);
  EXPECT_EQ(Load(1), 48U);
}

TEST_F(LoadOfHandles, IsCountedBesideTheResultOfItsLastReader) {
  Choose(0, 8, 32, 4);
  const int32_t out = b_.Planned(1, 64, {4});
  b_.Mul(handle_, x_, out);
  b_.Output(out);
  EXPECT_EQ(Load(1), 48U);
}

TEST_F(LoadOfHandles, IsCountedInEachBankThatItMayLieIn) {
  Choose(0, 8, 0, 4, 4);
  Use(handle_);
  Use(handle_);
  EXPECT_EQ(Load(1), 32U);
  EXPECT_EQ(Load(4), 16U);
}

// In the branch that does not read the handle its bytes are free.
TEST_F(LoadOfHandles, EndsWithTheBlockThatReadsIt) {
  b_.Move(Made(0), handle_);
  const int32_t jump = b_.JumpFalse(flag_, 0);
  Use(Made(0));
  const int32_t join = JumpAlways();
  TargetHere(jump);
  Use(handle_);
  TargetHere(join);
  EXPECT_TRUE(IsSound(b_));
  EXPECT_EQ(Load(1), 16U);
}

// The same bytes, once for the handle of each branch.
TEST_F(LoadOfHandles, IsThatOfBytesThatBothBranchesShare) {
  Choose(0, 8, 0, 8);
  Use(handle_);
  Use(handle_);
  EXPECT_EQ(Load(1), 32U);
}

// What one block's handle leaves room for is nothing that the blocks before
// have.
TEST_F(LoadOfHandles, LeavesTheBlocksBeforeAsTheyAre) {
  Use(Made(128, 16));
  Choose(0, 8, 32, 4);
  Use(handle_);
  Use(handle_);
  EXPECT_EQ(Load(1), 64U);
}

TEST_F(LoadOfHandles, IsCountedInEachBankBesideWhatIsMadeThere) {
  Choose(0, 8, 0, 4, 4);
  const int32_t beside = Made(96, 4, 4);
  Use(handle_);
  Use(beside);
  EXPECT_EQ(Load(1), 32U);
  EXPECT_EQ(Load(4), 32U);
}

TEST_F(LoadOfHandles, IsThatOfTheNameThatItIsMovedTo) {
  Choose(0, 8, 32, 4);
  Use(Made(64, 8));
  const int32_t second = b_.Unplanned({4});
  b_.Move(handle_, second);
  Use(second);
  EXPECT_EQ(Load(1), 64U);
}

// It lies where it was moved to lie, not in the bytes of its own.
TEST_F(LoadOfHandles, IsNotThatOfItsOwnPlace) {
  handle_ = b_.Planned(1, 512, {16});
  Choose(0, 8, 32, 4);
  b_.IndexPut(handle_, b_.Constant(1, {1}, ScalarType::kInt64), x_);
  EXPECT_EQ(Load(1), 32U);
}

TEST_F(LoadOfHandles, IsCountedBesideAResultWhereTheLargerHolderIsTheSecond) {
  Choose(0, 4, 16, 8);
  const int32_t out = b_.Planned(1, 64, {4});
  b_.Mul(handle_, x_, out);
  b_.Output(out);
  EXPECT_EQ(Load(1), 48U);
}

TEST_F(LoadOfHandles, IsCountedInEachBankBesideTheResultOfItsLastReader) {
  Choose(0, 8, 0, 4, 4);
  const int32_t out = b_.Planned(4, 64, {4});
  b_.Mul(handle_, x_, out);
  b_.Output(out);
  EXPECT_EQ(Load(1), 32U);
  EXPECT_EQ(Load(4), 32U);
}

TEST_F(LoadOfHandles, IsCountedInEachBankWhileOthersAreUsed) {
  Choose(0, 8, 0, 4, 4);
  Use(Made(96, 4, 4));
  Use(handle_);
  EXPECT_EQ(Load(1), 32U);
  EXPECT_EQ(Load(4), 32U);
}

TEST_F(LoadOfHandles, IsThatOfTheLargerHolderInABankWhereItMayLieInAnother) {
  Choose(0, 8, 32, 4);
  const int32_t skip = b_.JumpFalse(flag_, 0);
  b_.Move(Made(0, 4, 4), handle_);
  TargetHere(skip);
  Use(Made(64, 8));
  Use(handle_);
  EXPECT_EQ(Load(1), 64U);
  EXPECT_EQ(Load(4), 16U);
}

}  // namespace
}  // namespace pteproof::checks
