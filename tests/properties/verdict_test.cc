#include "properties/verdict.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "base/rule_names.h"

namespace pteproof {
namespace {

constexpr Verdicts kSafeEverywhere = {Verdict::kSafe, Verdict::kSafe, Verdict::kSafe};

Finding MakeFinding(std::string_view rule, Severity severity) {
  Finding finding;
  finding.rule = rule;
  finding.severity = severity;
  return finding;
}

Finding Error(PolicySet policies) {
  Finding finding = MakeFinding(rule::kPlanOverlap, Severity::kError);
  finding.policies = policies;
  return finding;
}

Finding Doubt() {
  Finding finding = MakeFinding(rule::kNotProvable, Severity::kNote);
  finding.undecided = true;
  return finding;
}

TEST(Verdict, IsSafeWithoutFindings) {
  EXPECT_EQ(VerdictsOf({}), kSafeEverywhere);
}

TEST(Verdict, IsUnsafeOnlyUnderThePoliciesOfTheError) {
  const std::vector<Finding> findings = {Error(PolicySet::Of(Policy::kShare12))};
  EXPECT_EQ(VerdictsOf(findings), (Verdicts{Verdict::kSafe, Verdict::kUnsafe, Verdict::kSafe}));
}

TEST(Verdict, StaysSafeWithWarningsAndPlainNotes) {
  const std::vector<Finding> findings = {MakeFinding(rule::kPhantomSlot, Severity::kWarning),
                                         MakeFinding(rule::kNotProvable, Severity::kNote)};
  EXPECT_EQ(VerdictsOf(findings), kSafeEverywhere);
}

TEST(Verdict, IsUndecidedWhereOneOfTwoReadingsIsAnError) {
  const std::vector<Finding> findings = {Doubt()};
  EXPECT_EQ(VerdictsOf(findings),
            (Verdicts{Verdict::kUndecided, Verdict::kUndecided, Verdict::kUndecided}));
}

TEST(Verdict, PrefersAnErrorToADoubt) {
  const std::vector<Finding> findings = {Doubt(), Error(PolicySet::Of(Policy::kPrivate)), Doubt()};
  EXPECT_EQ(VerdictsOf(findings),
            (Verdicts{Verdict::kUnsafe, Verdict::kUndecided, Verdict::kUndecided}));
}

TEST(Verdict, CountsAcceptedErrorsAndDoubtsAsWhatTheyAre) {
  std::vector<Finding> findings = {Error(PolicySet::Of(Policy::kPrivate)), Doubt()};
  for (Finding& finding : findings) finding.suppressed_because = "known";
  EXPECT_EQ(VerdictsOf(findings),
            (Verdicts{Verdict::kUnsafe, Verdict::kUndecided, Verdict::kUndecided}));
  EXPECT_EQ(OpenVerdictsOf(findings), kSafeEverywhere);
  EXPECT_EQ(AcceptedOf(findings, std::nullopt), 2U);
  EXPECT_EQ(AcceptedOf(findings, Policy::kPrivate), 2U);
  EXPECT_EQ(AcceptedOf(findings, Policy::kShareAll), 1U);
}

TEST(Verdict, LeavesWhatIsNotAccepted) {
  std::vector<Finding> findings = {Error(PolicySet::All()), Doubt()};
  findings[0].suppressed_because = "known";
  EXPECT_EQ(OpenVerdictsOf(findings),
            (Verdicts{Verdict::kUndecided, Verdict::kUndecided, Verdict::kUndecided}));
  EXPECT_EQ(AcceptedOf(findings, std::nullopt), 1U);
}

TEST(Verdict, HasNothingToAcceptInWarningsAndPlainNotes) {
  std::vector<Finding> findings = {MakeFinding(rule::kPhantomSlot, Severity::kWarning),
                                   MakeFinding(rule::kNotProvable, Severity::kNote)};
  for (Finding& finding : findings) finding.suppressed_because = "known";
  EXPECT_EQ(AcceptedOf(findings, std::nullopt), 0U);
}

TEST(Verdict, OfTheFileIsTheChosenPolicys) {
  const Verdicts verdicts = {Verdict::kUnsafe, Verdict::kUndecided, Verdict::kSafe};
  EXPECT_EQ(OverallOf(verdicts, Policy::kPrivate), Overall::kUnsafe);
  EXPECT_EQ(OverallOf(verdicts, Policy::kShare12), Overall::kUndecided);
  EXPECT_EQ(OverallOf(verdicts, Policy::kShareAll), Overall::kSafe);
}

TEST(Verdict, OfTheFileDependsWherePoliciesDiffer) {
  EXPECT_EQ(OverallOf({Verdict::kUnsafe, Verdict::kSafe, Verdict::kSafe}, {}), Overall::kDepends);
  EXPECT_EQ(OverallOf({Verdict::kUnsafe, Verdict::kUnsafe, Verdict::kUndecided}, {}),
            Overall::kDepends);
}

TEST(Verdict, OfTheFileIsWhatAllPoliciesAgreeOn) {
  EXPECT_EQ(OverallOf(kSafeEverywhere, {}), Overall::kSafe);
  EXPECT_EQ(OverallOf({Verdict::kUnsafe, Verdict::kUnsafe, Verdict::kUnsafe}, {}),
            Overall::kUnsafe);
  EXPECT_EQ(OverallOf({Verdict::kUndecided, Verdict::kUndecided, Verdict::kUndecided}, {}),
            Overall::kUndecided);
}

}  // namespace
}  // namespace pteproof
