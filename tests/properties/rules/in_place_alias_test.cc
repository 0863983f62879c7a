#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <utility>
#include <vector>

#include "base/rule_names.h"
#include "properties/proofs/prove.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// flip over its own operand, or beside it.
Method FlipInto(uint64_t offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t out = b.Planned(1, offset, {8});
  b.Flip(c, out);
  b.Output(out);
  return b.Build();
}

// Four elements, or fewer, and a sum of [2, 2] over them.
Program SumOver(std::vector<int32_t> sizes, Dynamism dynamism) {
  MethodBuilder b;
  const int32_t row = b.Planned(1, 0, std::move(sizes));
  b.TensorAt(row).dynamism = dynamism;
  b.Input(row);
  const int32_t square = b.Planned(1, 16, {2, 2});
  b.Input(square);
  const int32_t out = b.Planned(1, 0, {2, 2});
  b.Add(square, row, out);
  b.Output(out);
  return ProgramOf({b.Build()});
}

// Two elements are added to both rows, and overwritten by the first.
TEST(InPlaceAlias, TellsOfASumOverWhatMayBeBroadcast) {
  const Program program = SumOver({4}, Dynamism::kBounded);
  EXPECT_THAT(TroubleOf(Check(program)),
              ElementsAre("error in-place-alias forward#0 v0 v2 bank 1 [0,16)"));
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kUnsafe);
}

TEST(InPlaceAlias, IsSilentForASumOverAsManyElements) {
  for (const Program& program :
       {SumOver({4}, Dynamism::kStatic), SumOver({1, 2, 2}, Dynamism::kBounded)}) {
    EXPECT_THAT(LinesOf(Check(program), rule::kInPlaceAlias), IsEmpty());
    EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
  }
}

TEST(InPlaceAlias, TellsOfAFlipOverItsOperand) {
  const Report report = Check(ProgramOf({FlipInto(32)}));
  EXPECT_THAT(TroubleOf(report),
              ElementsAre("error in-place-alias forward#1 v1 v3 bank 1 [32,64)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  EXPECT_THAT(ExplanationOf(report, rule::kInPlaceAlias), HasSubstr("aten::flip.out"));
}

TEST(InPlaceAlias, GivesTheCommonBytesOfAPartialOverlap) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({FlipInto(48)}))),
              ElementsAre("error in-place-alias forward#1 v1 v3 bank 1 [48,64)"));
}

TEST(InPlaceAlias, IsSilentWhereTheFlipHasAPlaceOfItsOwn) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({FlipInto(64)}))), IsEmpty());
}

// A matrix product reads rows again after their first result is written.
TEST(InPlaceAlias, TellsOfAMatrixProductOverItsOperand) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {4, 4});
  b.Input(a);
  const int32_t c = b.Planned(1, 64, {4, 4});
  b.Add(a, a, c);
  const int32_t out = b.Planned(1, 64, {4, 4});
  b.Call("aten::mm.out", {c, a, out, out});
  b.Output(out);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              ElementsAre("error in-place-alias forward#1 v1 v3 bank 1 [64,128)"));
}

// An elementwise operator may take the bytes of the operand that dies in it.
TEST(InPlaceAlias, IsSilentForASumOverItsDyingOperand) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t out = b.Planned(1, 32, {8});
  b.Add(c, a, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// The same elements in another order in memory.
TEST(InPlaceAlias, TellsOfASumOverAnOperandOfAnotherDimOrder) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {2, 4});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {2, 4});
  b.Add(a, a, c);
  const int32_t out = b.Planned(1, 32, {2, 4});
  const Range order = b.TensorAt(out).dim_order;
  std::swap(b.method().ints[order.first], b.method().ints[order.first + 1]);
  b.Add(c, a, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#1 v1 v3 bank 1 [32,64)"));
}

// An operand within a list is an operand.
TEST(InPlaceAlias, TellsOfAConcatenationOverItsSecondPart) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {4});
  const int32_t c = b.Planned(1, 16, {4});
  b.Input(a);
  b.Input(c);
  const int32_t parts = b.TensorList({c, a});
  const int32_t out = b.Planned(1, 0, {8});
  b.Call("aten::cat.out", {parts, b.Int(0), out, out});
  b.Output(out);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))),
              testing::UnorderedElementsAre("error in-place-alias forward#0 v0 v3 bank 1 [0,16)",
                                            "error in-place-alias forward#0 v1 v3 bank 1 [16,32)"));
}

// A sum of v1 and v3; the result lies on v1, which is right, and v3 lies at `other`.
Method SumOver(uint64_t other, std::vector<int32_t> other_sizes) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {4, 4});
  b.Input(a);
  const int32_t c = b.Planned(1, 256, {4, 4});
  b.Add(a, a, c);
  const int32_t d = b.Planned(1, other, std::move(other_sizes));
  b.Input(d);
  const int32_t out = b.Planned(1, 256, {4, 4});
  b.Add(c, d, out);
  b.Output(out);
  return b.Build();
}

TEST(InPlaceAlias, TellsOfASecondOperandThatReachesIntoTheResult) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({SumOver(208, {4, 4})})), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#1 v3 v4 bank 1 [256,272)"));
}

// A broadcast operand's first row is read again for every row of the result.
TEST(InPlaceAlias, TellsOfAResultOverABroadcastOperand) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({SumOver(256, {1, 4})})), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#1 v3 v4 bank 1 [256,272)"));
}

TEST(InPlaceAlias, IsSilentForABroadcastOperandBesideTheResult) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({SumOver(240, {1, 4})}))), IsEmpty());
}

// Normalisation with running statistics goes element by element over its main input only.
TEST(InPlaceAlias, IsSilentForAnInferenceBatchNormOverItsInput) {
  MethodBuilder b;
  const int32_t mean = b.Constant(1, {2});
  const int32_t var = b.Constant(2, {2});
  const int32_t a = b.Planned(1, 0, {1, 2, 4});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {1, 2, 4});
  b.Add(a, a, c);
  const int32_t out = b.Planned(1, 32, {1, 2, 4});
  const int32_t saved = b.Planned(1, 64, {0});
  const int32_t saved_too = b.Planned(1, 64, {0});
  const int32_t rate = b.Int(0);
  const int32_t outs = b.TensorList({out, saved, saved_too});
  b.Call("aten::_native_batch_norm_legit_no_training.out",
         {c, mean, var, mean, var, rate, rate, out, saved, saved_too, outs});
  b.Output(out);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// The program overwrites its own weights.
TEST(InPlaceAlias, TellsOfAnUpdateOfAConstant) {
  MethodBuilder b;
  const int32_t weight = b.Constant(1, {8});
  const int32_t index = b.Constant(2, {1}, ScalarType::kInt64);
  const int32_t row = b.Planned(1, 0, {1});
  b.Input(row);
  b.IndexPut(weight, index, row);
  const int32_t out = b.Planned(1, 16, {8});
  b.Add(weight, weight, out);
  b.Output(out);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(TroubleOf(report), ElementsAre("error in-place-alias forward#0 v0"));
  EXPECT_THAT(ExplanationOf(report, rule::kInPlaceAlias), HasSubstr("constant"));
}

// A move makes a name of the constant's bytes: a result that is written there later changes them.
TEST(InPlaceAlias, TellsOfAResultThatIsWrittenToAConstantMovedThere) {
  for (const bool moved : {true, false}) {
    MethodBuilder b;
    const int32_t weight = b.Constant(1, {8});
    const int32_t input = b.Planned(1, 0, {8});
    b.Input(input);
    const int32_t out = b.Planned(1, 32, {8});
    b.Move(moved ? weight : input, out);
    b.Add(input, weight, out);
    b.Output(out);
    const Report report = Check(ProgramOf({b.Build()}));
    const std::vector<std::string> told = {"error in-place-alias forward#1 v0"};
    EXPECT_EQ(TroubleOf(report), moved ? told : std::vector<std::string>{});
  }
}

// The other way round: what is written lies where the move took it from.
TEST(InPlaceAlias, IsSilentWhereAMoveGaveTheConstantsNameToOtherBytes) {
  MethodBuilder b;
  const int32_t weight = b.Constant(1, {8});
  const int32_t input = b.Planned(1, 0, {8});
  b.Input(input);
  b.Move(input, weight);
  b.Add(input, input, weight);
  b.Output(weight);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias), IsEmpty());
}

TEST(InPlaceAlias, IsSilentForAnUpdateOfAConstantsCopy) {
  MethodBuilder b;
  const int32_t weight = b.Constant(1, {8});
  const int32_t index = b.Constant(2, {1}, ScalarType::kInt64);
  const int32_t row = b.Planned(1, 0, {1});
  b.Input(row);
  const int32_t copy = b.Planned(1, 16, {8});
  b.Call("aten::alias_copy.out", {weight, copy, copy});
  b.IndexPut(copy, index, row);
  b.Output(copy);
  EXPECT_THAT(TroubleOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// v4 is a view of input v1, updated in place.
Method UpdateOfInputView(bool input_read_later) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {1}, ScalarType::kInt64);
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t row = b.Planned(1, 32, {1, 4});
  b.Input(a);
  b.Input(row);
  const int32_t view = b.Planned(1, 0, {2, 4});
  b.IndexPut(view, index, row);
  const int32_t e = b.Planned(1, 64, {8});
  if (input_read_later) b.Add(a, a, e);
  const int32_t f = b.Planned(1, 96, {2, 4});
  b.Add(view, view, f);
  if (input_read_later) b.Output(e);
  b.Output(f);
  return b.Build();
}

// The caller's tensor is overwritten while the model still reads it.
TEST(InPlaceAlias, TellsOfAnUpdateUnderAnInputThatIsReadLater) {
  const Report report = Check(ProgramOf({UpdateOfInputView(true)}));
  EXPECT_THAT(TroubleOf(report), Contains("error in-place-alias forward#0 v1 v3 bank 1 [0,32)"));
}

// A planned input is the method's own copy: it may be updated after its last read.
TEST(InPlaceAlias, IsSilentForAnUpdateOfAPlannedInputThatNobodyReadsAgain) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({UpdateOfInputView(false)}))), IsEmpty());
}

// A backend reads and writes in an order of its own.
Method DelegateInto(uint64_t offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t out = b.Planned(1, offset, {8});
  b.Delegate({c, out});
  b.Output(out);
  return b.Build();
}

TEST(InPlaceAlias, TellsOfADelegatesResultOverItsOperand) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({DelegateInto(32)}))),
              ElementsAre("error in-place-alias forward#1 v1 v3 bank 1 [32,64)"));
}

TEST(InPlaceAlias, IsSilentForADelegatesResultBesideItsOperand) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({DelegateInto(64)}))), IsEmpty());
}

// The second result lies over the end of the first, and ends before the operand begins.
TEST(InPlaceAlias, TellsOfTheFirstOfTwoResultsThatLieOverEachOther) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t operand = b.Planned(1, 64, {8});
  b.Add(a, a, operand);
  const int32_t first = b.Planned(1, 32, {12});
  const int32_t second = b.Planned(1, 32, {8});
  b.Delegate({operand, first, second});
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#1 v1 v3 bank 1 [64,80)"));
}

// The caller's memory, turned around or added to in place.
Program OverTheCallersMemory(bool flipped) {
  MethodBuilder b;
  const int32_t x = b.Unplanned({8});
  b.Input(x);
  if (flipped) {
    b.Flip(x, x);
  } else {
    b.Add(x, x, x);
  }
  b.Output(x);
  return ProgramOf({b.Build()});
}

TEST(InPlaceAlias, TellsOfAFlipOverTheCallersMemory) {
  const Program program = OverTheCallersMemory(true);
  EXPECT_THAT(LinesOf(Check(program), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#0 v0 v0"));
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kUnsafe);
}

TEST(InPlaceAlias, IsSilentForASumOverTheCallersMemory) {
  const Program program = OverTheCallersMemory(false);
  EXPECT_THAT(LinesOf(Check(program), rule::kInPlaceAlias), IsEmpty());
  EXPECT_EQ(proofs::Prove(program, {}).verdicts[0], Verdict::kSafe);
}

// An operator with ten results, side by side from byte 64 on, and an operand at `offset`.
Program ManyResults(uint64_t offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t operand = b.Planned(1, offset, {8});
  b.Add(a, a, operand);
  std::vector<int32_t> arguments = {operand, b.Int(1)};
  for (uint64_t n = 0; n < 10; ++n) arguments.push_back(b.Planned(1, 64 + 32 * n, {8}));
  const std::vector<int32_t> results(arguments.begin() + 2, arguments.end());
  arguments.push_back(b.TensorList(results));
  b.Call("my::many", arguments);
  for (const int32_t result : results) b.Output(result);
  return ProgramOf({b.Build()});
}

TEST(InPlaceAlias, TellsOfOneOfManyResults) {
  const Program over = ManyResults(64 + 32 * 8);
  EXPECT_THAT(LinesOf(Check(over), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#1 v1 v12 bank 1 [320,352)"));
  EXPECT_EQ(proofs::Prove(over, {}).verdicts[0], Verdict::kUnsafe);
}

TEST(InPlaceAlias, IsSilentBesideManyResults) {
  EXPECT_THAT(TroubleOf(Check(ManyResults(32))), IsEmpty());
}

// put(a, index, source): the source is `a` itself, or another value.
Method PutFrom(bool itself) {
  MethodBuilder b;
  const int32_t index = b.Constant(1, {8}, ScalarType::kInt64);
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t a = b.Planned(1, 32, {8});
  b.Add(x, x, a);
  b.IndexPut(a, index, itself ? a : x);
  b.Output(a);
  return b.Build();
}

TEST(InPlaceAlias, TellsOfAnUpdateFromItsOwnBytes) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({PutFrom(true)})), rule::kInPlaceAlias),
              ElementsAre("error in-place-alias forward#1 v2 v2 bank 1 [32,64)"));
}

TEST(InPlaceAlias, IsSilentForAnUpdateFromOtherBytes) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({PutFrom(false)}))), IsEmpty());
}

}  // namespace
}  // namespace pteproof
