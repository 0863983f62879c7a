// What a verdict is when a file can be read in more than one way, on reports that are made up.
#include "properties/readings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/rule_names.h"
#include "properties/verdict.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Doubt kUpdate = {DoubtKind::kOperandUpdated, "my::op.out", 0, 2};
const Doubt kFill = {DoubtKind::kResultFilled, "my::op.out", 0, 3};

Finding ErrorAt(int32_t instruction, PolicySet policies = PolicySet::All()) {
  Finding finding;
  finding.rule = rule::kPlanOverlap;
  finding.method = "forward";
  finding.instruction = instruction;
  finding.policies = policies;
  finding.explanation = "bytes are lost";
  return finding;
}

Report Judged(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

TEST(JudgeReadings, JudgesOnceWhereNothingIsOpen) {
  int calls = 0;
  const Report report = JudgeReadings({}, [&](const Reading& reading) {
    ++calls;
    EXPECT_THAT(reading, IsEmpty());
    return Judged({ErrorAt(1)});
  });
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUnsafe));
}

TEST(JudgeReadings, KeepsAnErrorOfAllReadings) {
  const Report report =
      JudgeReadings({kUpdate}, [](const Reading&) { return Judged({ErrorAt(1)}); });
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings.front().severity, Severity::kError);
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUnsafe));
}

TEST(JudgeReadings, LeavesAnErrorOfTheUsualReadingAloneUndecided) {
  const Report report = JudgeReadings({kUpdate}, [](const Reading& reading) {
    return reading.empty() ? Judged({ErrorAt(1)}) : Judged({});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUndecided));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_TRUE(report.findings.front().undecided);
  EXPECT_THAT(report.findings.front().explanation,
              HasSubstr("whether 'my::op.out' updates its argument 2"));
  EXPECT_THAT(report.findings.front().fix, HasSubstr("signature of 'my::op.out'"));
}

TEST(JudgeReadings, TakesOverAnErrorOfTheOtherReadingAsUndecided) {
  const Report report = JudgeReadings({kUpdate}, [](const Reading& reading) {
    return reading.empty() ? Judged({}) : Judged({ErrorAt(4)});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUndecided));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings.front().instruction, 4);
  EXPECT_EQ(report.findings.front().severity, Severity::kNote);
}

Finding OpenAt(int32_t instruction, PolicySet policies) {
  Finding finding = ErrorAt(instruction, policies);
  finding.severity = Severity::kNote;
  finding.undecided = true;
  return finding;
}

TEST(JudgeReadings, TakesOverWhatTheOtherReadingLeavesOpen) {
  const PolicySet private_banks = PolicySet::Of(Policy::kPrivate);
  const Report report = JudgeReadings({kUpdate}, [&](const Reading& reading) {
    return reading.empty() ? Judged({}) : Judged({OpenAt(4, private_banks)});
  });
  EXPECT_THAT(report.verdicts, ElementsAre(Verdict::kUndecided, Verdict::kSafe, Verdict::kSafe));
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings.front().policies, private_banks);
  EXPECT_THAT(report.findings.front().fix, HasSubstr("my::op.out"));
}

TEST(JudgeReadings, LeavesOpenOnceWhatBothReadingsLeaveOpen) {
  const Report report = JudgeReadings(
      {kUpdate}, [&](const Reading&) { return Judged({OpenAt(4, PolicySet::All())}); });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUndecided));
  EXPECT_THAT(report.findings, SizeIs(1));
}

TEST(JudgeReadings, JudgesEachPolicyByItself) {
  const PolicySet alone = PolicySet::Of(Policy::kPrivate);
  const Report report = JudgeReadings({kUpdate}, [&](const Reading& reading) {
    return reading.empty()
               ? Judged({ErrorAt(1, alone)})
               : Judged({ErrorAt(1, alone), ErrorAt(2, PolicySet::Of(Policy::kShareAll))});
  });
  EXPECT_THAT(report.verdicts, ElementsAre(Verdict::kUnsafe, Verdict::kSafe, Verdict::kUndecided));
}

TEST(JudgeReadings, SplitsAnErrorThatIsSureUnderSomePoliciesOnly) {
  const Report report = JudgeReadings({kUpdate}, [](const Reading& reading) {
    return reading.empty() ? Judged({ErrorAt(1)})
                           : Judged({ErrorAt(1, PolicySet::Of(Policy::kPrivate))});
  });
  EXPECT_THAT(report.verdicts,
              ElementsAre(Verdict::kUnsafe, Verdict::kUndecided, Verdict::kUndecided));
}

TEST(JudgeReadings, LeavesAnErrorOfOneReadingUndecidedBesideAnErrorOfBoth) {
  const Report report = JudgeReadings({kUpdate}, [](const Reading& reading) {
    return reading.empty() ? Judged({ErrorAt(1), ErrorAt(2)}) : Judged({ErrorAt(1)});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUnsafe));
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_FALSE(report.findings.front().undecided);
  EXPECT_TRUE(report.findings.back().undecided);
}

TEST(JudgeReadings, KeepsTheErrorsOfReadingsThatHaveNoneInCommon) {
  const Report report = JudgeReadings({kUpdate, kFill}, [](const Reading& reading) {
    return Judged({ErrorAt(1 + static_cast<int32_t>(reading.size()))});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUnsafe));
}

TEST(JudgeReadings, KeepsAnErrorWhicheverOthersEachReadingHas) {
  const Report report = JudgeReadings({kUpdate, kFill}, [](const Reading& reading) {
    if (reading.empty()) return Judged({ErrorAt(1), ErrorAt(2)});
    return Judged({ErrorAt(reading == Reading{kUpdate} ? 1 : 2)});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUnsafe));
}

// The second reading has the error under a policy that the first one does not tell of.
TEST(JudgeReadings, TakesOverAnErrorAtAPlaceThatIsInDoubtUnderOtherPolicies) {
  const Report report = JudgeReadings({kUpdate, kFill}, [](const Reading& reading) {
    if (reading == Reading{kUpdate}) return Judged({ErrorAt(1, PolicySet::Of(Policy::kShareAll))});
    return reading == Reading{kFill} ? Judged({ErrorAt(1)}) : Judged({});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUndecided));
}

TEST(JudgeReadings, TakesOverAnErrorAtThePlaceOfAWarning) {
  Finding warning = ErrorAt(1);
  warning.severity = Severity::kWarning;
  const Report report = JudgeReadings({kUpdate}, [&](const Reading& reading) {
    return Judged({reading.empty() ? warning : ErrorAt(1)});
  });
  EXPECT_THAT(report.verdicts, testing::Each(Verdict::kUndecided));
}

TEST(JudgeReadings, ReadsEachDoubtByItselfAndThenAll) {
  std::vector<Reading> readings;
  (void)JudgeReadings({kUpdate, kFill}, [&](const Reading& reading) {
    readings.push_back(reading);
    return Judged({});
  });
  EXPECT_THAT(readings,
              ElementsAre(Reading{}, Reading{kUpdate}, Reading{kFill}, Reading{kUpdate, kFill}));
}

TEST(JudgeReadings, IsBoundedInTheNumberOfDoubts) {
  std::vector<Doubt> doubts;
  for (int32_t d = 0; d < 100; ++d) {
    doubts.push_back({DoubtKind::kOperandUpdated, "my::op.out", 0, d});
  }
  size_t calls = 0;
  (void)JudgeReadings(doubts, [&](const Reading&) {
    ++calls;
    return Judged({});
  });
  EXPECT_EQ(calls, kMostDoubts + 2);
}

TEST(JudgeReadings, LeavesASuppressedErrorAsItIs) {
  Finding known = ErrorAt(1);
  known.suppressed_because = "known";
  const Report report = JudgeReadings({kUpdate}, [&](const Reading& reading) {
    return reading.empty() ? Judged({known}) : Judged({known, ErrorAt(2)});
  });
  EXPECT_EQ(report.findings.front().severity, Severity::kError);
}

}  // namespace
}  // namespace pteproof
