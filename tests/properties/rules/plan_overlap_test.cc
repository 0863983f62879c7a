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

using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// c is read by the last instruction; d is written before, at `d_offset`.
Method SumOfTwo(uint64_t d_offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t x = b.Planned(1, 32, {8});
  b.Input(a);
  b.Input(x);
  const int32_t c = b.Planned(1, 64, {8});
  b.Add(a, x, c);
  const int32_t d = b.Planned(1, d_offset, {8});
  b.Mul(a, x, d);
  const int32_t e = b.Planned(1, 128, {8});
  b.Add(c, d, e);
  b.Output(e);
  return b.Build();
}

TEST(PlanOverlap, TellsWhoOverwritesAValueThatIsStillRead) {
  const Report report = Check(ProgramOf({SumOfTwo(64)}));
  EXPECT_THAT(LinesOf(report, rule::kPlanOverlap),
              ElementsAre("error plan-overlap forward#1 v2 v4 bank 1 [64,96)"));
  EXPECT_EQ(VerdictRow(report), "unsafe unsafe unsafe");
  const std::string explanation = ExplanationOf(report, rule::kPlanOverlap);
  EXPECT_THAT(explanation, HasSubstr("instruction 0"));  // wrote it
  EXPECT_THAT(explanation, HasSubstr("instruction 1"));  // wrote over it
  EXPECT_THAT(explanation, HasSubstr("Instruction 2"));  // reads it
}

TEST(PlanOverlap, GivesTheCommonBytesOfAPartialOverlap) {
  const Report report = Check(ProgramOf({SumOfTwo(80)}));
  EXPECT_THAT(LinesOf(report, rule::kPlanOverlap),
              ElementsAre("error plan-overlap forward#1 v2 v4 bank 1 [80,96)"));
}

TEST(PlanOverlap, IsSilentWhereValuesThatMeetInTimeLieApart) {
  const Report report = Check(ProgramOf({SumOfTwo(96)}));
  EXPECT_THAT(LinesOf(report), IsEmpty());
  EXPECT_EQ(VerdictRow(report), "safe safe safe");
}

TEST(PlanOverlap, IsSilentWhereADeadValuesBytesArePartlyReused) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t d = b.Planned(1, 64, {8});
  b.Mul(c, a, d);
  const int32_t e = b.Planned(1, 16, {8});
  b.Mul(d, d, e);
  b.Output(e);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// The caller sets all inputs before the first instruction.
TEST(PlanOverlap, TellsOfTwoInputsInTheSameBytes) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(a);
  b.Input(x);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  const int32_t d = b.Planned(1, 64, {8});
  b.Add(c, x, d);
  b.Output(d);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(LinesOf(report, rule::kPlanOverlap),
              Contains(AnyOf("error plan-overlap forward v0 v1 bank 1 [0,32)",
                             "error plan-overlap forward v1 v0 bank 1 [0,32)")));
}

// A value is born in the slot of an in-place result that is an output.
TEST(PlanOverlap, TellsOfAValueBornOverAnOutput) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t x = b.Planned(1, 32, {8});
  b.Add(a, a, x);
  const int32_t y = b.Planned(1, 32, {8});
  b.Mul(x, x, y);
  const int32_t z = b.Planned(1, 32, {8});
  b.Mul(a, a, z);
  b.Output(y);
  b.Output(z);
  const Report report = Check(ProgramOf({b.Build()}));
  EXPECT_THAT(TroubleOf(report), Contains(HasSubstr("forward#2 v3 v4 bank 1 [32,64)")));
}

// What the body reads must outlive the jump back, wherever its last reader stands in the listing.
Method Loop(uint64_t body_result_offset) {
  MethodBuilder b;
  const int32_t again = b.Planned(1, 0, {1}, {}, ScalarType::kBool);
  const int32_t a = b.Planned(1, 16, {8});
  b.Input(again);
  b.Input(a);
  const int32_t c = b.Planned(1, 64, {8});
  b.Add(a, a, c);
  const int32_t d = b.Planned(1, 96, {8});
  b.Mul(c, a, d);
  const int32_t e = b.Planned(1, body_result_offset, {8});
  b.Mul(d, d, e);
  b.JumpFalse(again, 1);
  b.Output(e);
  return b.Build();
}

TEST(PlanOverlap, SeesAReaderBehindAJumpBack) {
  const Report report = Check(ProgramOf({Loop(64)}));
  EXPECT_THAT(LinesOf(report, rule::kPlanOverlap),
              ElementsAre("error plan-overlap forward#2 v2 v5 bank 1 [64,96)"));
}

TEST(PlanOverlap, IsSilentWhereTheLoopKeepsWhatItReads) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({Loop(128)}))), IsEmpty());
}

// A tensor without elements has no bytes to lose.
TEST(PlanOverlap, IsSilentForATensorWithoutElements) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t none = b.Planned(1, 0, {0, 8});
  b.Input(a);
  b.Input(none);
  const int32_t empty = b.Planned(1, 8, {0, 8});
  b.Add(none, none, empty);
  const int32_t c = b.Planned(1, 32, {8});
  b.Add(a, a, c);
  b.Output(c);
  b.Output(empty);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// Two results of one instruction, both read later.
Method TwoResults(uint64_t second_offset) {
  MethodBuilder b;
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t parts = b.Int(2);
  const int32_t first = b.Planned(1, 32, {8});
  const int32_t second = b.Planned(1, second_offset, {8});
  b.Call("mine::split.out", {x, parts, first, second, b.TensorList({first, second})});
  const int32_t sum = b.Planned(1, 96, {8});
  b.Add(first, second, sum);
  b.Output(sum);
  return b.Build();
}

TEST(PlanOverlap, TellsOfTwoResultsOfOneInstruction) {
  EXPECT_THAT(TroubleOf(Check(ProgramOf({TwoResults(48)}))),
              Contains(AnyOf("error plan-overlap forward#0 v2 v3 bank 1 [48,64)",
                             "error plan-overlap forward#0 v3 v2 bank 1 [48,64)")));
}

TEST(PlanOverlap, IsSilentForTwoResultsSideBySide) {
  EXPECT_THAT(LinesOf(Check(ProgramOf({TwoResults(64)}))), IsEmpty());
}

TEST(PlanOverlap, ComparesOnlyWithinABank) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t x = b.Planned(2, 0, {8});
  b.Input(a);
  b.Input(x);
  const int32_t c = b.Planned(3, 0, {8});
  b.Add(a, x, c);
  b.Output(c);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()}))), IsEmpty());
}

// The number at an unknown operator's end is what it returns: a jump on it may go either way, and
// on one way what was made before is lost.
TEST(PlanOverlap, FollowsBothWaysOfAJumpOnWhatAnUnknownOperatorReturns) {
  for (const bool decided : {false, true}) {
    MethodBuilder b;
    const int32_t x = b.Planned(1, 0, {4});
    const int32_t y = b.Planned(1, 16, {4});
    const int32_t over_y = b.Planned(1, 16, {4});
    const int32_t other = b.Planned(1, 32, {4});
    const int32_t out = b.Planned(1, 48, {4});
    const int32_t flag = b.Bool(true);
    b.Input(x);
    b.Output(out);
    b.Mul(x, x, y);
    b.Mul(x, x, over_y);
    b.Mul(over_y, x, other);
    if (decided) b.Call("my::decide", {x, flag});
    b.JumpFalse(flag, b.Next() + 2);
    b.Flip(x, y);
    b.Mul(y, other, out);
    const Program program = ProgramOf({b.Build()});
    const Verdict verdict = decided ? Verdict::kUnsafe : Verdict::kSafe;
    EXPECT_EQ(Check(program).verdicts.front(), verdict);
    EXPECT_EQ(proofs::Prove(program, {}).verdicts.front(), verdict);
  }
}

// v2 is lost to v4; instruction 2 stores it to a buffer that nobody reads, and 3 may use it.
std::vector<std::string> LostToAnUnreadBuffer(bool used) {
  MethodBuilder b;
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  const int32_t v = b.Planned(1, 32, {8});
  b.Mul(x, x, v);  // 0
  const int32_t over = b.Planned(1, 48, {8});
  b.Mul(x, x, over);  // 1
  b.Copy(prev, v);    // 2
  const int32_t out = b.Planned(1, 96, {8});
  b.Mul(used ? v : over, x, out);  // 3
  b.Output(out);
  return LinesOf(Check(ProgramOf({b.Build()})), rule::kPlanOverlap);
}

TEST(PlanOverlap, IsAnErrorWhereAnotherThanTheNextReaderIsSeen) {
  EXPECT_THAT(LostToAnUnreadBuffer(true),
              ElementsAre("error plan-overlap forward#1 v2 v3 bank 1 [48,64)"));
  EXPECT_THAT(LostToAnUnreadBuffer(false),
              ElementsAre("warning plan-overlap forward#1 v2 v3 bank 1 [48,64)"));
}

// The caller sets one input over another, which the very first instruction stores to that buffer.
TEST(PlanOverlap, OnlyWarnsOfInputsThatNobodySees) {
  MethodBuilder b;
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t y = b.Planned(1, 16, {8});
  b.Input(x);
  b.Input(y);
  b.Copy(prev, x);
  const int32_t out = b.Planned(1, 96, {8});
  b.Mul(y, y, out);
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kPlanOverlap),
              Contains("warning plan-overlap forward v1 v2 bank 1 [16,32)"));
}

// A store that nobody sees, in front of all, reads nothing in anybody's place.
TEST(PlanOverlap, IsAnErrorThoughAnUnseenStoreComesFirst) {
  MethodBuilder b;
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t older = b.Planned(2, 32, {8}, "older");
  const int32_t x = b.Planned(1, 0, {8});
  b.Input(x);
  b.Copy(older, x);  // 0
  const int32_t v = b.Planned(1, 32, {8});
  b.Mul(x, x, v);                      // 1
  b.Mul(x, x, b.Planned(1, 48, {8}));  // 2
  b.Copy(prev, v);                     // 3
  const int32_t out = b.Planned(1, 96, {8});
  b.Mul(v, x, out);  // 4
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kPlanOverlap),
              ElementsAre("error plan-overlap forward#2 v4 v5 bank 1 [48,64)"));
}

// The next round's first instruction reads what this round has lost; between them nobody sees it.
TEST(PlanOverlap, IsAnErrorWhereTheNextRoundBeginsWithAReader) {
  MethodBuilder b;
  const int32_t prev = b.Planned(2, 0, {8}, "prev");
  const int32_t x = b.Planned(1, 0, {8});
  const int32_t v = b.Planned(1, 32, {8});
  const int32_t flag = b.Planned(1, 256, {}, {}, ScalarType::kBool);
  for (const int32_t input : {x, v, flag}) b.Input(input);
  const int32_t out = b.Planned(1, 96, {8});
  b.Mul(v, x, out);                    // 0
  b.Mul(x, x, b.Planned(1, 48, {8}));  // 1
  b.Copy(prev, v);                     // 2
  b.JumpFalse(flag, 0);                // 3
  b.Output(out);
  EXPECT_THAT(LinesOf(Check(ProgramOf({b.Build()})), rule::kPlanOverlap),
              ElementsAre("error plan-overlap forward#1 v2 v5 bank 1 [48,64)"));
}

}  // namespace
}  // namespace pteproof
