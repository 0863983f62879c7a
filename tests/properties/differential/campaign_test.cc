// The campaign of `pteproof test`, in parts that run side by side.
#include "properties/differential/campaign.h"

#include <gtest/gtest.h>

#include <string>

#include "properties/differential/settings.h"
#include "reference/graph/print.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

class CampaignTest : public testing::TestWithParam<int> {};

TEST_P(CampaignTest, FindsNoDisagreement) {
  RecordProperty("slow", "draws many random cases");
  const uint64_t kCases = Cases(1000, 2500);
  CampaignOptions options;
  options.seed = static_cast<uint64_t>(GetParam()) * kCases;
  options.cases = kCases;
  const CampaignReport report = RunCampaign(options);
  if (report.failure) {
    FAIL() << "seed " << report.failure->seed << " (" << report.failure->setting
           << "): " << report.failure->fault << "\n"
           << graph::Print(report.failure->shrunk.module);
  }
  EXPECT_EQ(report.statistics.cases, kCases);
  EXPECT_LT(report.refused, kCases / 20);
  EXPECT_GT(report.calls, static_cast<int64_t>(3 * kCases));
}

INSTANTIATE_TEST_SUITE_P(Seeds, CampaignTest, testing::Range(0, 8));

// Everything that is asked of a case comes often, and not always together.
TEST(SettingsTest, TakeTurns) {
  int real = 0;
  int manifest = 0;
  int tagged = 0;
  int restart = 0;
  int twin = 0;
  int real_and_twin = 0;
  constexpr int kSettings = 840;
  for (uint64_t n = 0; n < kSettings; ++n) {
    const CaseWays ways = SettingOf(n).ways;
    const bool is_real = ways.semantics == Semantics::kReal;
    real += is_real ? 1 : 0;
    manifest += ways.manifest ? 1 : 0;
    tagged += ways.tagged ? 1 : 0;
    restart += ways.restart ? 1 : 0;
    twin += ways.twin ? 1 : 0;
    real_and_twin += is_real && ways.twin ? 1 : 0;
    EXPECT_TRUE(!is_real || ways.tagged);
  }
  EXPECT_EQ(real, kSettings / 3);
  EXPECT_GE(manifest, kSettings / 4);
  EXPECT_GE(tagged, kSettings / 2);
  EXPECT_GE(restart, kSettings / 4);
  EXPECT_GE(twin, kSettings / 8);
  EXPECT_GE(real_and_twin, 10);
}

}  // namespace
}  // namespace pteproof
