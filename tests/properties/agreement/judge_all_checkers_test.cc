#include "properties/agreement/judge_all_checkers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/rule_names.h"
#include "properties/agreement/confirm.h"
#include "properties/assumption_words.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// x is read by the last instruction; y is written before, at `y_offset`.
Program TwoProducts(uint64_t y_offset) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  b.Input(a);
  const int32_t x = b.Planned(1, 64, {8});
  b.Mul(a, a, x);
  const int32_t y = b.Planned(1, y_offset, {8});
  b.Add(a, a, y);
  const int32_t sum = b.Planned(1, 128, {8});
  b.Add(x, y, sum);
  b.Output(sum);
  return ProgramOf({b.Build()});
}

// Two rows, of which a slice is read; something is written over the other row, or over that one.
Program SliceBesideAWrite(uint64_t written_at) {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {2, 4});
  b.Input(a);
  const int32_t rows = b.Planned(1, 64, {2, 4});
  b.Mul(a, a, rows);
  const int32_t over = b.Planned(1, 64 + written_at, {1, 4});
  const int32_t other = b.Planned(1, 128, {1, 4});
  b.Input(other);
  b.Add(other, other, over);
  const int32_t slice = b.Planned(1, 64, {1, 4});
  for (const int64_t literal : {0, 0, 1, 1}) b.Int(literal);  // dim, start, end, step
  const int32_t sum = b.Planned(1, 160, {1, 4});
  b.Add(slice, over, sum);
  b.Output(sum);
  return ProgramOf({b.Build()});
}

// Two inputs of which the second lies on the first: who is set last, wins.
Program InputsOnOnePlace() {
  MethodBuilder b;
  const int32_t a = b.Planned(1, 0, {8});
  const int32_t c = b.Planned(1, 0, {8});
  b.Input(a);
  b.Input(c);
  const int32_t sum = b.Planned(1, 64, {8});
  b.Add(a, c, sum);
  b.Output(sum);
  return ProgramOf({b.Build()});
}

DiffReport RunsThatShow(std::string what) {
  DiffReport runs;
  runs.disagreement =
      Disagreement{.methods = {"forward"}, .what = std::move(what), .wrong_read = {}};
  return runs;
}

Finding FindingOf(std::string_view rule, Severity severity) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  finding.method = "forward";
  return finding;
}

std::string Loss(const Report& check, const DiffReport& runs) {
  return LossInSafe(check, runs, Policy::kPrivate);
}

TEST(LossInSafe, IsWhatARunShowsOfASafeProgram) {
  EXPECT_THAT(Loss({}, RunsThatShow("output 0, element 3")), HasSubstr("output 0, element 3"));
  EXPECT_THAT(Loss({}, RunsThatShow("")), HasSubstr("a read of bytes that were lost"));
}

TEST(LossInSafe, IsNotAskedOfARunThatShowsNothingNorOfAnUnsafeProgram) {
  EXPECT_EQ(Loss({}, {}), "");
  Report unsafe;
  unsafe.verdicts.fill(Verdict::kUnsafe);
  EXPECT_EQ(Loss(unsafe, RunsThatShow("output 0")), "");
  // The verdict of another loader excuses nothing.
  unsafe.verdicts[static_cast<size_t>(Policy::kPrivate)] = Verdict::kSafe;
  EXPECT_NE(Loss(unsafe, RunsThatShow("output 0")), "");
}

TEST(LossInSafe, IsExcusedByAWarningOnlyWhereNoOutputShowsIt) {
  Report warned;
  warned.findings = {FindingOf(rule::kStateClobbered, Severity::kWarning)};
  EXPECT_EQ(Loss(warned, RunsThatShow("")), "");
  EXPECT_NE(Loss(warned, RunsThatShow("output 0")), "");
  warned.findings = {FindingOf(rule::kPlanWaste, Severity::kWarning)};
  EXPECT_NE(Loss(warned, RunsThatShow("")), "");
  // A store of what is there already may be lost with all that follows from it.
  warned.findings = {FindingOf(rule::kSelfCopy, Severity::kWarning)};
  EXPECT_EQ(Loss(warned, RunsThatShow("output 0")), "");
}

TEST(LossInSafe, IsExcusedByTheAssumptionAboutRowsOnlyForBytesThatNobodyMade) {
  DiffReport runs = RunsThatShow("output 0");
  runs.disagreement->wrong_read =
      TagFinding{.method = "forward", .explanation = "", .unwritten = true};
  Report assuming;
  EXPECT_NE(Loss(assuming, runs), "");
  assuming.assumptions = {std::string(assumption::kRows)};
  EXPECT_EQ(Loss(assuming, runs), "");
  runs.disagreement->wrong_read->unwritten = false;
  EXPECT_NE(Loss(assuming, runs), "");
}

TEST(IsConfirmed, AsksForAFindingOfTheMethodUnderOneOfItsLoaders) {
  proofs::Obligation refuted;
  refuted.kind = rule::kPlanOverlap;
  refuted.method = "forward";
  refuted.policies = PolicySet::Of(Policy::kShareAll);
  Report report;
  EXPECT_FALSE(IsConfirmed(refuted, {}, report));
  report.findings = {FindingOf(rule::kPlanOverlap, Severity::kError)};
  EXPECT_TRUE(IsConfirmed(refuted, {}, report));
  report.findings.front().method = "other";
  EXPECT_FALSE(IsConfirmed(refuted, {}, report));
  // What holds under some loaders is about several methods, and told at one of them.
  report.findings.front().policies = PolicySet::Of(Policy::kShareAll);
  EXPECT_TRUE(IsConfirmed(refuted, {}, report));
  report.findings.front().policies = PolicySet::Of(Policy::kShare12);
  EXPECT_FALSE(IsConfirmed(refuted, {}, report));
}

TEST(IsConfirmed, TakesWhatTheCheckLeavesOpenButNoWarning) {
  proofs::Obligation refuted;
  refuted.kind = rule::kPlanOverlap;
  refuted.method = "forward";
  Report report;
  report.findings = {FindingOf(rule::kPlanOverlap, Severity::kWarning)};
  EXPECT_FALSE(IsConfirmed(refuted, {}, report));
  report.findings.front().severity = Severity::kNote;
  EXPECT_FALSE(IsConfirmed(refuted, {}, report));
  report.findings.front().undecided = true;
  EXPECT_TRUE(IsConfirmed(refuted, {}, report));
}

TEST(IsJudgedByCheck, IsNotWhatIsAboutOtherOrdersOrSizesBeyondTheBounds) {
  proofs::Obligation refuted;
  proofs::Decision decision;
  EXPECT_TRUE(IsJudgedByCheck(refuted, decision));
  decision.unshown = {3};
  EXPECT_FALSE(IsJudgedByCheck(refuted, decision));
  decision.unshown.clear();
  refuted.any_order = true;
  EXPECT_FALSE(IsJudgedByCheck(refuted, decision));
}

TEST(IsConfirmed, NeedsNoFindingWhereAModelShowsABoundTooSmall) {
  proofs::Obligation refuted;
  refuted.kind = rule::kBoundTooSmall;
  proofs::Decision decision;
  EXPECT_FALSE(IsConfirmed(refuted, decision, {}));
  decision.model = {{.symbol = 0, .value = 7}};
  EXPECT_TRUE(IsConfirmed(refuted, decision, {}));
  refuted.kind = rule::kPlanOverlap;
  EXPECT_FALSE(IsConfirmed(refuted, decision, {}));
}

TEST(JudgeAllCheckers, AgreesOnASoundPlanAndOnAWrongOne) {
  const CheckersVerdict sound = JudgeAllCheckers(TwoProducts(96), {});
  EXPECT_EQ(sound.disagreement, "");
  EXPECT_EQ(VerdictRow(sound.check), "safe safe safe");
  EXPECT_FALSE(sound.runs.disagreement.has_value());
  EXPECT_GT(sound.runs.compared, 0);
  EXPECT_THAT(sound.proof.decisions, Not(IsEmpty()));

  const CheckersVerdict wrong = JudgeAllCheckers(TwoProducts(64), {});
  EXPECT_EQ(wrong.disagreement, "");
  EXPECT_EQ(VerdictRow(wrong.check), "unsafe unsafe unsafe");
  EXPECT_TRUE(wrong.runs.disagreement.has_value());
  EXPECT_EQ(wrong.unseen, "");
}

TEST(JudgeAllCheckers, AsksNoSolverWithoutProof) {
  const CheckersVerdict checkers = JudgeAllCheckers(TwoProducts(64), {.proof = false});
  EXPECT_EQ(checkers.disagreement, "");
  EXPECT_THAT(checkers.proof.decisions, IsEmpty());
  EXPECT_TRUE(checkers.runs.disagreement.has_value());
}

TEST(JudgeAllCheckers, SaysWhyNoRunShowsAnErrorAboutTheCaller) {
  const CheckersVerdict checkers = JudgeAllCheckers(InputsOnOnePlace(), {});
  EXPECT_EQ(checkers.disagreement, "");
  EXPECT_EQ(VerdictRow(checkers.check), "unsafe unsafe unsafe");
  if (!checkers.runs.disagreement.has_value()) {
    EXPECT_THAT(checkers.unseen, HasSubstr("the order in which the caller sets inputs"));
  }
}

TEST(JudgeAllCheckers, SaysWhyNoRunShowsALossBesideTheSliceThatIsRead) {
  const CheckersVerdict beside = JudgeAllCheckers(SliceBesideAWrite(16), {});
  EXPECT_EQ(beside.disagreement, "");
  EXPECT_EQ(VerdictRow(beside.check), "unsafe unsafe unsafe");
  EXPECT_THAT(beside.unseen, HasSubstr("only a slice elsewhere is read"));
  const CheckersVerdict within = JudgeAllCheckers(SliceBesideAWrite(0), {});
  EXPECT_EQ(within.disagreement, "");
  EXPECT_EQ(within.unseen, "");
}

}  // namespace
}  // namespace pteproof
