#include "properties/oracles/diff_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/method_builder.h"

namespace pteproof {
namespace {

using testing::IsEmpty;

// A cache that is stored to at a position, and the rows up to it doubled: the size of the slice is
// a number that a tensor holds. `lost`: an addition writes over the slice before it is read.
Program SlicesACache(bool lost) {
  MethodBuilder b;
  const int32_t cache = b.Planned(2, 0, {8, 4}, "cache");
  const int32_t x = b.Planned(1, 0, {1, 4});
  const int32_t position = b.Planned(1, 16, {1}, {}, ScalarType::kInt64);
  b.Input(x);
  b.Input(position);
  b.IndexPut(cache, position, x);
  const int32_t number = b.Int(0);
  b.Call("aten::_local_scalar_dense", {position, number});
  const int32_t end = b.Int(0);
  b.Call("executorch_prim::add.Scalar", {number, b.Int(1), end});
  const int32_t rows = b.Planned(1, 64, {7, 4});
  b.TensorAt(rows).dynamism = Dynamism::kBounded;
  b.Call("aten::slice_copy.Tensor_out", {cache, b.Int(0), b.Int(0), end, b.Int(1), rows, rows});
  const int32_t sum = b.Planned(1, lost ? 64 : 32, {1, 4});
  b.Add(x, x, sum);
  b.Output(sum);
  const int32_t doubled = b.Planned(1, 192, {7, 4});
  b.TensorAt(doubled).dynamism = Dynamism::kBounded;
  b.Add(rows, rows, doubled);
  b.Output(doubled);
  return ProgramOf({b.Build()});
}

TEST(DiffProgram, MakesCallsWhoseNumbersDecideSizes) {
  const DiffReport report = DiffProgram(SlicesACache(false), {.sequences = 40});
  EXPECT_THAT(report.never_compared, IsEmpty());
  EXPECT_GE(report.compared, 60);
  EXPECT_FALSE(report.disagreement.has_value());
}

TEST(DiffProgram, FindsAByteThatIsLostInSuchACall) {
  const DiffReport report = DiffProgram(SlicesACache(true), {.sequences = 40});
  EXPECT_TRUE(report.disagreement.has_value());
}

// The limit on instructions is for loops.
TEST(DiffProgram, ComparesAMethodOfMoreInstructionsThanALoopMayRun) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {1});
  const int32_t y = b.Planned(1, 16, {1});
  b.Input(x);
  for (int64_t i = 0; i <= DiffOptions().fuel; ++i) b.Add(x, x, y);
  b.Output(y);
  const DiffReport report = DiffProgram(ProgramOf({b.Build()}), {.sequences = 1});
  EXPECT_THAT(report.not_compared, IsEmpty());
  EXPECT_GE(report.compared, 1);
}

// Bytes do not depend on the device that a bank lies on.
TEST(DiffProgram, ComparesMethodsWithABankOnADevice) {
  for (const bool lost : {false, true}) {
    Program program = SlicesACache(lost);
    program.methods.front().bank_devices = {{.bank = 2, .device_type = 1}};
    const DiffReport report = DiffProgram(program, {.sequences = 40});
    EXPECT_EQ(report.disagreement.has_value(), lost);
    EXPECT_THAT(report.never_compared, IsEmpty());
  }
}

}  // namespace
}  // namespace pteproof
