#include "properties/suppress.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "base/rule_names.h"
#include "properties/verdict.h"
#include "pteproof/report.h"

namespace pteproof {
namespace {

constexpr Verdicts kAllSafe = {Verdict::kSafe, Verdict::kSafe, Verdict::kSafe};
constexpr Verdicts kAllUnsafe = {Verdict::kUnsafe, Verdict::kUnsafe, Verdict::kUnsafe};

// An overlap in `decode` and one in `prefill`.
Report TwoOverlaps() {
  Report report;
  report.findings.resize(2);
  report.findings[0].method = "decode";
  report.findings[1].method = "prefill";
  for (Finding& finding : report.findings) finding.rule = rule::kPlanOverlap;
  report.verdicts = VerdictsOf(report.findings);
  return report;
}

TEST(Suppress, GivesTheReasonAndLeavesTheVerdict) {
  Report report = TwoOverlaps();
  const std::array suppressions = {Suppression{"plan-overlap", "", "never read"}};
  Suppress(suppressions, report.findings);
  EXPECT_EQ(report.findings[0].suppressed_because, "never read");
  EXPECT_EQ(report.findings[1].suppressed_because, "never read");
  EXPECT_EQ(VerdictsOf(report.findings), kAllUnsafe);
  EXPECT_EQ(OpenVerdictsOf(report.findings), kAllSafe);
}

TEST(Suppress, LeavesOtherMethodsAlone) {
  Report report = TwoOverlaps();
  const std::array suppressions = {Suppression{"plan-overlap", "decode", "never read"}};
  Suppress(suppressions, report.findings);
  EXPECT_EQ(report.findings[0].suppressed_because, "never read");
  EXPECT_EQ(report.findings[1].suppressed_because, "");
  EXPECT_EQ(OpenVerdictsOf(report.findings), kAllUnsafe);
}

TEST(Suppress, LeavesOtherRulesAlone) {
  Report report = TwoOverlaps();
  const std::array suppressions = {Suppression{"plan-bounds", "", "never read"}};
  Suppress(suppressions, report.findings);
  EXPECT_EQ(report.findings[0].suppressed_because, "");
  EXPECT_EQ(OpenVerdictsOf(report.findings), kAllUnsafe);
}

TEST(Suppress, TakesTheFirstReasonThatFits) {
  Report report = TwoOverlaps();
  const std::array suppressions = {Suppression{"plan-overlap", "decode", "first"},
                                   Suppression{"plan-overlap", "", "second"}};
  Suppress(suppressions, report.findings);
  EXPECT_EQ(report.findings[0].suppressed_because, "first");
  EXPECT_EQ(report.findings[1].suppressed_because, "second");
}

}  // namespace
}  // namespace pteproof
