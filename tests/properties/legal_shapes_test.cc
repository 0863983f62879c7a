// Programs that are right and look wrong: what a checker must not cry wolf over.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LegalShapes, AcceptsOneDataIndexForTwoConstants) {
  MethodBuilder b;
  const int32_t flat = b.Constant(1, {8});
  const int32_t square = b.Constant(1, {2, 4});
  const int32_t p = b.Planned(1, 0, {8});
  b.Add(flat, flat, p);
  const int32_t q = b.Planned(1, 32, {2, 4});
  b.Add(square, square, q);
  b.Output(p);
  b.Output(q);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

TEST(LegalShapes, AcceptsRepeatedOutputsInputsAndNumbersAsOutputs) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Add(x, x, y);
  b.Output(y);
  b.Output(y);
  b.Output(x);
  b.Output(b.Int(7));
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// An output that the model leaves out is a null value.
TEST(LegalShapes, AcceptsAnOutputThatIsNothing) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Add(x, x, y);
  const int32_t nothing = b.Int(0);
  b.method().values[static_cast<size_t>(nothing)].kind = ValueKind::kNull;
  b.Output(y);
  b.Output(nothing);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

TEST(LegalShapes, AcceptsAListWithHoles) {
  MethodBuilder b;
  const int32_t rows = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {2, 4});
  const int32_t values = b.Planned(1, 32, {2, 1});
  b.Input(x);
  b.Input(values);
  const int32_t y = b.Planned(1, 64, {2, 4});
  b.Add(x, x, y);
  const int32_t indices = b.OptionalTensorList({-1, rows});
  b.Call("aten::index_put_", {y, indices, values, b.Bool(false), y});
  b.Output(y);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// A branch whose other side is empty jumps to the listing's end; a loop jumps back.
TEST(LegalShapes, AcceptsJumpsBackAndToTheEnd) {
  MethodBuilder b;
  const int32_t flag = b.Planned(1, 96, {1}, {}, ScalarType::kBool);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(flag);
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Add(x, x, y);
  b.JumpFalse(flag, 0);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.Mul(x, x, y);
  b.SetTarget(jump, b.Next());
  b.Output(y);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// An empty byte tensor without data stands for a tensor that is not there.
TEST(LegalShapes, AcceptsAnEmptyTensorWithoutData) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t nothing = b.Unplanned({0}, ScalarType::kUInt8);
  const int32_t y = b.Planned(1, 32, {8});
  b.Call("mine::attention.out", {x, nothing, b.Int(0), y, y});
  b.Output(y);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

TEST(LegalShapes, AcceptsUnusedValuesAndOperators) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Int(3);
  b.Unplanned({4});
  b.Constant(1, {4});
  b.method().operators.push_back({"aten::tan.out", nullptr});
  const int32_t y = b.Planned(1, 32, {8});
  b.Add(x, x, y);
  b.Output(y);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  EXPECT_THAT(report.assumptions, IsEmpty());
}

// State comes before the inputs in value order; it needs no name to be known for state.
TEST(LegalShapes, KnowsUnnamedStateByItsPlaceInTheOrder) {
  MethodBuilder b;
  const int32_t state = b.Planned(1, 96, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  const int32_t product = b.Planned(1, 64, {8});
  b.Mul(sum, x, product);
  b.Copy(state, product);
  b.Output(sum);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report), ElementsAre("note not-provable forward v0 bank 1 [96,128)"));
}

// Producer and consumer are linked by their place alone.
TEST(LegalShapes, AcceptsAnOutputThatIsAnElidedView) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Add(x, x, y);
  b.Output(b.Planned(1, 32, {2, 4}));
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// A swap through a clone is one parallel assignment.
TEST(LegalShapes, AcceptsASwapOfTwoBuffersThroughAClone) {
  MethodBuilder b("swap");
  const int32_t front = b.Planned(2, 0, {8}, "front");
  const int32_t back = b.Planned(2, 32, {8}, "back");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t kept = b.Planned(1, 32, {8});
  b.Call("aten::alias_copy.out", {front, kept, kept});
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(back, x, sum);
  b.Copy(front, back);
  b.Copy(back, kept);
  b.Output(sum);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// A mutated input is returned as an output of its own before the user's.
TEST(LegalShapes, AcceptsAMutatedInputAmongTheOutputs) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(x, x, sum);
  b.Copy(x, sum);
  b.Output(x);
  b.Output(sum);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// A branch's result and the value that dies in the branch are on different paths.
TEST(LegalShapes, AcceptsExclusiveBranchesInTheSameBytes) {
  MethodBuilder b;
  const int32_t never = b.Bool(false);
  const int32_t flag = b.Planned(1, 128, {1}, {}, ScalarType::kBool);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(flag);
  b.Input(x);
  const int32_t result = b.Planned(1, 96, {8});
  b.JumpFalse(flag, 4);
  const int32_t when_true = b.Planned(1, 32, {8});
  b.Add(x, x, when_true);
  b.Move(when_true, result);
  const int32_t to_end = b.JumpFalse(never, 0);
  const int32_t when_false = b.Planned(1, 48, {8});
  b.Mul(x, x, when_false);
  b.Move(when_false, result);
  b.SetTarget(to_end, b.Next());
  const int32_t out = b.Planned(1, 160, {8});
  b.Add(result, x, out);
  b.Output(out);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// Initial data are there at load, so a read may come first.
TEST(LegalShapes, AcceptsAnUnnamedBufferWithStoredData) {
  MethodBuilder b;
  const int32_t state = b.Planned(1, 64, {8});
  b.TensorAt(state).data_index = 1;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  Program program = ProgramOf({b.Build()});
  program.initial_values.emplace_back();
  EXPECT_THAT(TroubleOf(Check(program)), IsEmpty());
}

// Zero-size tensors take part like any other and own no byte.
TEST(LegalShapes, AcceptsTensorsWithoutElementsEverywhere) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {0}, "nothing");
  const int32_t x = b.Planned(1, 0, {0, 3});
  b.Input(x);
  const int32_t y = b.Planned(1, 0, {0, 3});
  b.Add(x, x, y);
  b.Copy(state, state);
  b.Output(y);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

}  // namespace
}  // namespace pteproof
