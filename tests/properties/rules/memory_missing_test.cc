#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The verdicts of the check, which the proof shares.
std::string SharedRow(const Program& program) {
  const Report report = Check(program);
  const proofs::Proof proof = proofs::Prove(program, {}, {.fast = true});
  EXPECT_EQ(report.verdicts, proof.verdicts);
  return VerdictRow(report);
}

// state = state + x, the sum returned.
MethodBuilder Accumulates(bool planned) {
  MethodBuilder b;
  const int32_t state = b.Planned(2, 0, {8}, "state");
  b.TensorAt(state).planned = planned;
  if (!planned) b.TensorAt(state).bank = 0;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(state, x, sum);
  b.Copy(state, sum);
  b.Output(sum);
  return b;
}

TEST(MemoryMissing, LeavesStateWithoutAPlacementOpenUnderEveryLoader) {
  const Program program = ProgramOf({Accumulates(false).Build()});
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kMemoryMissing),
              ElementsAre("note memory-missing forward v0 undecided"));
  EXPECT_THAT(ExplanationOf(report, rule::kMemoryMissing), HasSubstr("v0 'state'"));
  EXPECT_EQ(SharedRow(program), "undecided undecided undecided");
}

TEST(MemoryMissing, IsSilentOnPlannedState) {
  const Program program = ProgramOf({Accumulates(true).Build()});
  EXPECT_THAT(LinesOf(Check(program), rule::kMemoryMissing), IsEmpty());
  EXPECT_EQ(SharedRow(program), "safe safe safe");
}

TEST(MemoryMissing, IsSilentOnStateThatNothingTouches) {
  MethodBuilder b = Accumulates(true);
  const int32_t other = b.Planned(2, 32, {8}, "other");
  b.TensorAt(other).planned = false;
  const Program program = ProgramOf({b.Build()});
  EXPECT_THAT(LinesOf(Check(program), rule::kMemoryMissing), IsEmpty());
  EXPECT_EQ(SharedRow(program), "safe safe safe");
}

TEST(MemoryMissing, IsAcceptedByAManifestWhoseLoaderSuppliesTheMemory) {
  const Report report = CheckWith(ProgramOf({Accumulates(false).Build()}), R"({"pteproof": 1,
      "suppress": [{"rule": "memory-missing", "reason": "our loader binds buffers by name"}]})");
  EXPECT_THAT(LinesOf(report, rule::kMemoryMissing), ElementsAre(HasSubstr("memory-missing")));
}

// Returns its first input and the sum of both. Inputs and outputs are the caller's.
MethodBuilder ReturnsInput() {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  const int32_t y = b.Unplanned({8});
  b.Input(x);
  b.Input(y);
  const int32_t sum = b.Unplanned({8});
  b.Add(x, y, sum);
  b.Output(x);
  b.Output(sum);
  return b;
}

TEST(BoundInputs, TellOfAnUnplannedInputThatIsAnOutputUnderThePythonRuntime) {
  const Program program = ProgramOf({ReturnsInput().Build()});
  const Report report = Check(program);
  EXPECT_THAT(LinesOf(report, rule::kOutputMisbound),
              ElementsAre("error output-misbound forward v0 under share-all"));
  EXPECT_EQ(SharedRow(program), "safe safe unsafe");
}

TEST(BoundInputs, TellTheOrderThatTheVerdictAssumes) {
  EXPECT_THAT(Check(ProgramOf({ReturnsInput().Build()})).assumptions,
              ElementsAre(HasSubstr("and then that of such inputs, as Module does")));
}

TEST(BoundInputs, AreRightWherePlanned) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Output(x);
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "safe safe safe");
}

TEST(BoundInputs, AreRightWhereNothingOfThemIsReturned) {
  MethodBuilder b = ReturnsInput();
  b.method().outputs = {b.method().outputs.back()};
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "safe safe safe");
}

TEST(BoundInputs, AreRightWhereTheMethodFillsThemBeforeItReadsThem) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  const int32_t y = b.Planned(1, 0, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(x, y);
  b.Output(x);
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "safe safe safe");
}

TEST(BoundInputs, AreLostWhereABranchMayNotFillThem) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  const int32_t y = b.Planned(1, 0, {8});
  const int32_t flag = b.Planned(1, 32, {1}, {}, ScalarType::kBool);
  for (const int32_t v : {x, y, flag}) b.Input(v);
  const int32_t jump = b.JumpFalse(flag, 0);
  b.Copy(x, y);
  b.SetTarget(jump, b.Next());
  b.Output(x);
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "safe safe unsafe");
}

TEST(BoundInputs, AreLostWhereAMutatedInputIsReadFirst) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  const int32_t doubled = b.Planned(1, 0, {8});
  b.Add(x, x, doubled);
  b.Copy(x, doubled);
  b.Output(x);
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "safe safe unsafe");
}

TEST(BoundInputs, AreRightWhereTheyHaveNoBytes) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({0});
  b.Input(x);
  b.Output(x);
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "safe safe safe");
}

// x2 = x * x at bank 1 [32,64), moved to an unplanned output. `viewed`: an elided view of x2 is
// read.
Program MovesToOutput(bool viewed) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t square = b.Planned(1, 32, {8});
  const int32_t view = b.Planned(1, 32, {2, 4});
  const int32_t sum = b.Planned(1, 64, {2, 4});
  const int32_t out = b.Unplanned({8});
  b.Mul(x, x, square);
  if (viewed) b.Add(view, view, sum);
  b.Move(square, out);
  b.Output(out);
  if (viewed) b.Output(sum);
  return ProgramOf({b.Build()});
}

TEST(BoundOutputs, AreWarnedOfIfEachCallMakesTheValue) {
  EXPECT_THAT(LinesOf(Check(MovesToOutput(false)), rule::kOutputMisbound),
              ElementsAre(HasSubstr("warning output-misbound")));
  EXPECT_EQ(SharedRow(MovesToOutput(false)), "safe safe safe");
}

TEST(BoundOutputs, LeaveAnElidedViewBehind) {
  EXPECT_THAT(LinesOf(Check(MovesToOutput(true)), rule::kOutputMisbound),
              ElementsAre(HasSubstr("error output-misbound")));
  EXPECT_EQ(SharedRow(MovesToOutput(true)), "unsafe unsafe unsafe");
}

// The tensor of the branch that is not taken keeps the memory of an earlier call's output.
TEST(BoundOutputs, LeaveATensorOfAnotherBranchInMemoryThatMayBeFreed) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t flag = b.Bool(false);
  b.Input(flag);
  const int32_t square = b.Planned(1, 32, {8});
  const int32_t sum = b.Planned(1, 32, {8});
  const int32_t out = b.Unplanned({8});
  const int32_t otherwise = b.JumpFalse(flag, 0);
  b.Mul(x, x, square);
  b.Move(square, out);
  const int32_t end = b.JumpFalse(b.Bool(false), 0);
  b.SetTarget(otherwise, b.Next());
  b.Add(x, x, sum);
  b.Move(sum, out);
  b.SetTarget(end, b.Next());
  b.Output(out);
  EXPECT_EQ(SharedRow(ProgramOf({b.Build()})), "unsafe unsafe safe");
}

// The name that an update in place of `of` returns is an unplanned output. `read`: before it.
enum class Updated { kInput, kState };
Program ReturnsUpdated(Updated of, bool read) {
  MethodBuilder b;
  const int32_t target = b.Planned(2, 0, {8}, of == Updated::kState ? "state" : "");
  const int32_t x = b.Planned(1, 0, {8});
  if (of == Updated::kInput) b.Input(target);
  b.Input(x);
  const int32_t sum = b.Planned(1, 32, {8});
  b.Add(read ? target : x, x, sum);
  const int32_t out = b.Unplanned({8});
  b.Call("aten::copy_", {target, sum, b.Bool(false), out});
  b.Output(out);
  return ProgramOf({b.Build()});
}

TEST(BoundOutputs, LoseAnInputUnderTheLoaderThatSetsInputsFirst) {
  EXPECT_EQ(SharedRow(ReturnsUpdated(Updated::kInput, true)), "safe safe unsafe");
  EXPECT_EQ(SharedRow(ReturnsUpdated(Updated::kInput, false)), "safe safe safe");
}

TEST(BoundOutputs, LoseABufferThatIsRead) {
  EXPECT_EQ(SharedRow(ReturnsUpdated(Updated::kState, true)), "unsafe unsafe unsafe");
  EXPECT_EQ(SharedRow(ReturnsUpdated(Updated::kState, false)), "safe safe safe");
}

}  // namespace
}  // namespace pteproof
