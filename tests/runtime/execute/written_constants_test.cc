#include "runtime/execute/written_constants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "meaning/opaque_calls.h"
#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::ElementsAre;

class WrittenConstantsTest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<uint64_t> Written() const {
    Program program = ProgramOf({b_.Build()});
    program.constants = {{}, bytes_, bytes_};
    return WrittenConstantBytes(program, meaning::OpaqueCallsOf(program, nullptr));
  }

  std::vector<std::byte> bytes_ = std::vector<std::byte>(64);
  MethodBuilder b_;
  int32_t in_ = b_.Planned(1, 0, {4});
  int32_t first_ = b_.Constant(1, {4});
  int32_t second_ = b_.Constant(2, {2, 4});
};

TEST_F(WrittenConstantsTest, OperandsAreNotWritten) {
  b_.Add(first_, in_, b_.Planned(1, 16, {4}));
  b_.Call("my::op", {in_, first_, b_.Int(1), b_.Planned(1, 32, {4})});
  EXPECT_THAT(Written(), ElementsAre(0, 0, 0));
}

TEST_F(WrittenConstantsTest, DestinationsAreAndHaveTheBytesOfTheirLargestTensor) {
  b_.Copy(second_, in_);
  b_.Constant(2, {1, 4});
  EXPECT_THAT(Written(), ElementsAre(0, 0, 32));
}

TEST_F(WrittenConstantsTest, AnyMethodCounts) {
  Program program = ProgramOf({b_.Build(), b_.Build()});
  b_.Copy(first_, in_);
  program.methods.push_back(b_.Build());
  program.constants = {{}, bytes_, bytes_};
  EXPECT_THAT(WrittenConstantBytes(program, nullptr), ElementsAre(0, 16, 0));
}

TEST_F(WrittenConstantsTest, AViewOfAConstantIsTheConstant) {
  const int32_t view = b_.Planned(1, 16, {4});
  const int32_t sizes = b_.IntList({b_.Int(4)});
  b_.Call("executorch_prim::et_view.default", {first_, sizes, view});
  b_.Copy(view, in_);
  EXPECT_THAT(Written(), ElementsAre(0, 16, 0));
}

TEST_F(WrittenConstantsTest, AMovedConstantIsWrittenUnderItsOtherName) {
  const int32_t place = b_.Planned(1, 16, {4});
  b_.Move(first_, place);
  b_.Copy(place, in_);
  EXPECT_THAT(Written(), ElementsAre(0, 16, 0));
}

TEST_F(WrittenConstantsTest, TheLastValueOfAnUnknownOperatorIsItsResult) {
  b_.Call("my::op", {in_, b_.Int(1), first_, b_.TensorList({second_})});
  EXPECT_THAT(Written(), ElementsAre(0, 0, 32));
}

TEST_F(WrittenConstantsTest, AnUnknownOperatorMayReturnAConstantInASlot) {
  const int32_t slot = b_.Planned(1, 16, {4});
  b_.Call("my::op", {in_, first_, first_});
  b_.Move(second_, slot);
  b_.Call("my::op_", {slot, in_, slot});
  EXPECT_THAT(Written(), ElementsAre(0, 16, 32));
}

TEST_F(WrittenConstantsTest, AnyArgumentMayBeAResultOfACallThatIsNotGiven) {
  b_.Call("my::op", {in_, b_.Int(1), b_.TensorList({second_}), b_.Planned(1, 16, {4})});
  Program program = ProgramOf({b_.Build()});
  program.constants = {{}, bytes_, bytes_};
  EXPECT_THAT(WrittenConstantBytes(program, nullptr), ElementsAre(0, 0, 32));
  EXPECT_THAT(Written(), ElementsAre(0, 0, 0));
}

TEST_F(WrittenConstantsTest, AReturnSlotIsTheOperandThatTheCallUpdates) {
  const int32_t slot = b_.Planned(1, 16, {4});
  b_.Call("aten::index_put_", {first_, b_.TensorList({in_}), in_, b_.Bool(false), slot});
  EXPECT_THAT(Written(), ElementsAre(0, 16, 0));
}

}  // namespace
}  // namespace pteproof
