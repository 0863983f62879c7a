#include "properties/group_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/rule_names.h"
#include "properties/two_readings.h"
#include "properties/verdict.h"
#include "pteproof/check.h"
#include "tests/support/method_builder.h"
#include "tests/support/report_queries.h"

namespace pteproof {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Finding Clobber(int32_t instruction, const std::string& writer, const std::string& keeper,
                ByteRange bytes) {
  Finding finding;
  finding.rule = rule::kStateClobbered;
  finding.policies = PolicySet::Of(Policy::kShareAll);
  finding.method = writer;
  finding.other_method = keeper;
  finding.instruction = instruction;
  finding.bank = finding.other_bank = 3;
  finding.bytes = bytes;
  finding.explanation = "at " + std::to_string(instruction);
  finding.fix = "move it";
  return finding;
}

TEST(GroupFindings, MakesOneOfTheFindingsBetweenTwoMethods) {
  const auto groups = GroupFindings({Clobber(1, "encode", "decode", {0, 16}),
                                     Clobber(4, "encode", "decode", {16, 80}),
                                     Clobber(7, "encode", "decode", {80, 96})});
  ASSERT_THAT(groups, SizeIs(1));
  EXPECT_EQ(groups[0].instruction, 1);
  EXPECT_EQ(groups[0].explanation, "at 1");
  ASSERT_THAT(groups[0].instances, SizeIs(3));
  EXPECT_EQ(groups[0].instances[0].explanation, "at 1");
  EXPECT_EQ(groups[0].instances[2].instruction, 7);
  EXPECT_EQ(WorstOf(groups[0].instances), 1U);
}

TEST(GroupFindings, KeepsOtherMethodsBanksLoadersAndFixesApart) {
  std::vector<Finding> findings(6, Clobber(1, "encode", "decode", {0, 16}));
  findings[1].method = "adapt";
  findings[2].other_method = "prefill";
  findings[3].other_bank = 4;
  findings[4].policies = PolicySet::All();
  findings[5].fix = "load it first";
  const auto groups = GroupFindings(findings);
  ASSERT_THAT(groups, SizeIs(6));
  for (const Finding& finding : groups) EXPECT_THAT(finding.instances, IsEmpty());
}

TEST(GroupFindings, KeepsUndecidedAndAcceptedFindingsApart) {
  std::vector<Finding> findings(3, Clobber(1, "encode", "decode", {0, 16}));
  findings[1].severity = Severity::kNote;
  findings[1].undecided = true;
  findings[2].suppressed_because = "known";
  EXPECT_THAT(GroupFindings(findings), SizeIs(3));
}

TEST(GroupFindings, MakesOneOfTheMeetingsOfTwoPlacements) {
  std::vector<Finding> findings(3, Clobber(1, "encode", "", {0, 16}));
  for (Finding& finding : findings) finding.rule = rule::kPlanOverlap;
  findings[1].instruction = 5;
  findings[2].bytes = ByteRange{0, 32};
  const auto groups = GroupFindings(findings);
  ASSERT_THAT(groups, SizeIs(2));
  EXPECT_THAT(groups[0].instances, SizeIs(2));
  EXPECT_THAT(groups[1].instances, IsEmpty());
}

TEST(GroupFindings, LeavesFindingsOfOneMethodWithoutBytes) {
  std::vector<Finding> findings(2, Clobber(1, "encode", "", {0, 16}));
  for (Finding& finding : findings) finding.rule = rule::kPlanBounds;
  EXPECT_THAT(GroupFindings(findings), SizeIs(2));
}

TEST(GroupFindings, ChangesNoVerdict) {
  std::vector<Finding> findings = {Clobber(1, "encode", "decode", {0, 16}),
                                   Clobber(4, "encode", "decode", {16, 80})};
  findings.push_back(Clobber(4, "encode", "decode", {16, 80}));
  findings.back().policies = PolicySet::Of(Policy::kPrivate);
  findings.back().severity = Severity::kNote;
  findings.back().undecided = true;
  const Verdicts before = VerdictsOf(findings);
  EXPECT_EQ(VerdictsOf(GroupFindings(findings)), before);
}

TEST(UngroupFindings, IsTheReverse) {
  const std::vector<Finding> findings = {Clobber(1, "encode", "decode", {0, 16}),
                                         Clobber(4, "encode", "decode", {16, 80}),
                                         Clobber(5, "adapt", "decode", {16, 80})};
  const auto again = UngroupFindings(GroupFindings(findings));
  ASSERT_THAT(again, SizeIs(3));
  for (size_t f = 0; f < again.size(); ++f) {
    EXPECT_EQ(LineOf(again[f]), LineOf(findings[f]));
    EXPECT_EQ(again[f].explanation, findings[f].explanation);
    EXPECT_THAT(again[f].instances, IsEmpty());
  }
}

// 'put' stores `count` buffers in a bank of their own and 'get' reads them.
Program PutAndGet(int count) {
  MethodBuilder put("put");
  MethodBuilder get("get");
  const int32_t x = put.Planned(1, 0, {8});
  put.Input(x);
  const int32_t sum = get.Planned(1, 0, {8});
  for (int i = 0; i < count; ++i) {
    const uint64_t at = 32 * static_cast<uint64_t>(i);
    const std::string name = "s" + std::to_string(i);
    put.Copy(put.Planned(2, at, {8}, name), x);
    const int32_t state = get.Planned(2, at, {8}, name);
    get.Add(state, state, sum);
  }
  get.Output(sum);
  return ProgramOf({put.Build(), get.Build()});
}

TEST(Check, TellsOnceOfBuffersThatALoaderKeepsApart) {
  const Report report = Check(PutAndGet(20));
  const auto split = std::ranges::find(report.findings, rule::kStateSplit, &Finding::rule);
  ASSERT_NE(split, report.findings.end());
  EXPECT_THAT(split->instances, SizeIs(20));
  EXPECT_EQ(split->method, "get");
  EXPECT_EQ(split->other_method, "put");
  EXPECT_EQ(std::ranges::count(report.findings, rule::kStateSplit, &Finding::rule), 1);
  EXPECT_EQ(VerdictRow(report), "unsafe safe safe");
}

// Both readings have most instances: each comes once, in the manifest's words.
TEST(AddFileAlone, ComparesInstances) {
  Report alone;
  alone.findings = GroupFindings(
      {Clobber(1, "encode", "decode", {0, 16}), Clobber(4, "encode", "decode", {16, 80})});
  Report with;
  with.findings = {Clobber(4, "encode", "decode", {16, 80})};
  const std::vector<bool> is_alone = AddFileAlone(alone, with);
  ASSERT_THAT(with.findings, SizeIs(2));
  EXPECT_EQ(is_alone, std::vector<bool>({true, false}));
  EXPECT_EQ(with.findings[0].instruction, 1);
  EXPECT_THAT(with.findings[0].instances, IsEmpty());
}

}  // namespace
}  // namespace pteproof
