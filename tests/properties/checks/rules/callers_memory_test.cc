#include "properties/checks/rules/callers_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/properties/checks/analysed.h"
#include "tests/support/method_builder.h"

namespace pteproof::checks {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::vector<Finding> FindingsAboutMoves(const MethodBuilder& b) {
  return CheckCallersMemory(Analysed(b).check.flow());
}

// An input in the caller's memory.
class MovedMemory : public ::testing::Test {
 protected:
  MovedMemory() : x_(b_.Unplanned({4})), y_(b_.Planned(1, 0, {4})) {
    b_.Input(x_);
    b_.Input(y_);
  }

  MethodBuilder b_;
  int32_t x_;
  int32_t y_;
};

TEST_F(MovedMemory, IsOpenOnceItIsWrittenAfterTheMove) {
  b_.Move(x_, b_.Unplanned({4}));
  b_.Copy(x_, y_);
  const auto findings = FindingsAboutMoves(b_);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].instruction, 1);
  EXPECT_TRUE(findings[0].undecided);
  EXPECT_THAT(findings[0].explanation, StartsWith("Instruction 1 (aten::copy_) writes v0"));
  EXPECT_THAT(findings[0].explanation, HasSubstr("caller to which instruction 0"));
  EXPECT_THAT(findings[0].fix, HasSubstr("copy them instead of moving them"));
}

TEST_F(MovedMemory, IsSettledWhereItIsWrittenBeforeTheMove) {
  b_.Copy(x_, y_);
  b_.Move(x_, b_.Unplanned({4}));
  EXPECT_THAT(FindingsAboutMoves(b_), IsEmpty());
}

TEST_F(MovedMemory, IsSettledWhereTheUpdateItselfGivesTheName) {
  const int32_t index = b_.Constant(1, {1}, ScalarType::kInt64);
  const int32_t list = b_.OptionalTensorList({index});
  b_.Call("aten::index_put_", {x_, list, y_, b_.Bool(false), b_.Unplanned({4})});
  EXPECT_THAT(FindingsAboutMoves(b_), IsEmpty());
}

TEST_F(MovedMemory, IsOpenForABufferWithoutAPlaceToo) {
  const int32_t buffer = b_.Unplanned({4});
  b_.method().text = "buffer";
  b_.TensorAt(buffer).name = {0, 6};
  b_.Move(buffer, y_);
  b_.Copy(buffer, y_);
  EXPECT_THAT(FindingsAboutMoves(b_), SizeIs(1));
}

// All paths count as one: in a loop the write may come after the move.
TEST_F(MovedMemory, IsOpenInALoopWhereverItIsWritten) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  b_.Copy(x_, y_);
  b_.Move(x_, b_.Unplanned({4}));
  b_.JumpFalse(flag, 0);
  EXPECT_THAT(FindingsAboutMoves(b_), SizeIs(1));
}

TEST_F(MovedMemory, IsOpenInALoopThatBeginsLater) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  b_.Mul(y_, y_, b_.Planned(1, 16, {4}));
  b_.Copy(x_, y_);
  b_.Move(x_, b_.Unplanned({4}));
  b_.JumpFalse(flag, 1);
  EXPECT_THAT(FindingsAboutMoves(b_), SizeIs(1));
}

TEST_F(MovedMemory, IsOpenWhereAJumpLeadsToItself) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  b_.Copy(x_, y_);
  b_.Move(x_, b_.Unplanned({4}));
  b_.JumpFalse(flag, 2);
  EXPECT_THAT(FindingsAboutMoves(b_), SizeIs(1));
}

TEST_F(MovedMemory, IsSettledWhereTheJumpLeadsOn) {
  const int32_t flag = b_.Unplanned({}, ScalarType::kBool);
  b_.Input(flag);
  b_.Copy(x_, y_);
  b_.Move(x_, b_.Unplanned({4}));
  b_.JumpFalse(flag, 3);
  b_.Mul(y_, y_, b_.Planned(1, 16, {4}));
  EXPECT_THAT(FindingsAboutMoves(b_), IsEmpty());
}

TEST_F(MovedMemory, IsOpenFromTheFirstOfTwoMovesOn) {
  b_.Move(x_, b_.Unplanned({4}));  // 0
  b_.Copy(x_, y_);                 // 1
  b_.Move(x_, b_.Unplanned({4}));  // 2
  const auto findings = FindingsAboutMoves(b_);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].instruction, 1);
}

TEST_F(MovedMemory, IsSettledWhereTheWriteCannotBeReached) {
  b_.Move(x_, b_.Unplanned({4}));   // 0
  b_.JumpFalse(b_.Bool(false), 3);  // 1
  b_.Copy(x_, y_);                  // 2
  b_.Mul(y_, y_, b_.Planned(1, 16, {4}));
  EXPECT_THAT(FindingsAboutMoves(b_), IsEmpty());
}

}  // namespace
}  // namespace pteproof::checks
