// The harness's own score: every planted defect is found by the random campaign, and shrunk to a
// Module that a person can read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "properties/differential/campaign.h"
#include "reference/graph/print.h"
#include "tests/planted/defects.h"
#include "tests/planted/hunt.h"

namespace pteproof {

static void PrintTo(const DefectRow& row, std::ostream* os) {
  *os << row.name;
}

namespace {

constexpr uint64_t kMostCases = 10'000;
constexpr size_t kMostNodes = 8;

class PlantedDefect : public testing::TestWithParam<DefectRow> {};

TEST_P(PlantedDefect, IsFoundAndShrunk) {
  const auto find = Hunt(GetParam(), 0, kMostCases);
  ASSERT_TRUE(find.has_value());
  RecordProperty("cases", std::to_string(find->cases));
  RecordProperty("nodes", std::to_string(find->nodes));
  EXPECT_LE(find->nodes, kMostNodes) << find->explanation;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PlantedDefect, testing::ValuesIn(AllDefects()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

// PTEPROOF_RANDOM_CASES makes a campaign of it.
TEST(NoPlantedDefect, LeavesTheCampaignSilent) {
  const char* asked = std::getenv("PTEPROOF_RANDOM_CASES");
  const uint64_t cases = asked != nullptr ? std::strtoull(asked, nullptr, 10) : 500;
  const CampaignReport report = RunCampaign({.seed = 0, .cases = cases});
  ASSERT_FALSE(report.failure.has_value())
      << report.failure->fault << "\nseed " << report.failure->seed << "\n"
      << graph::Print(report.failure->shrunk.module) << report.failure->shrunk_fault;
  EXPECT_GT(report.calls, 0);
}

TEST(PlantedDefects, AreListedOnceEach) {
  ASSERT_EQ(PlannerDefects().size() + 1, static_cast<size_t>(planner::Defect::kCount));
  for (size_t d = 0; d < PlannerDefects().size(); ++d) {
    EXPECT_EQ(static_cast<size_t>(PlannerDefects()[d].planted), d + 1) << PlannerDefects()[d].name;
  }
  std::set<std::string_view> names;
  for (const DefectRow& row : AllDefects()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_NE(row.planted != planner::Defect::kNone, row.damage != nullptr) << row.name;
  }
}

// What leaves the plan as it is must be seen by nobody.
TEST(PlantedDefects, AreSilentWhereNothingIsDamaged) {
  EXPECT_FALSE(Hunt({}, 0, 100).has_value());
}

}  // namespace
}  // namespace pteproof
