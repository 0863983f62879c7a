// The harness's own score: every planted defect is found by the random campaign, and shrunk to a
// Module that a person can read.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

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
  const auto find = Hunt(GetParam().defect, kMostCases);
  ASSERT_TRUE(find.has_value());
  fmt::print("{}: {} cases, {}, {} nodes, {} calls\n", GetParam().name, find->cases, find->way,
             find->nodes, find->calls);
  RecordProperty("cases", std::to_string(find->cases));
  RecordProperty("way", find->way);
  RecordProperty("nodes", std::to_string(find->nodes));
  EXPECT_LE(find->nodes, kMostNodes) << find->story;
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

TEST(PlantedDefects, AreFortyOrMoreAndListedOnceEach) {
  EXPECT_GE(AllDefects().size(), 40);
  ASSERT_EQ(AllDefects().size() + 1, static_cast<size_t>(planner::Defect::kCount));
  for (size_t d = 0; d < AllDefects().size(); ++d) {
    EXPECT_EQ(static_cast<size_t>(AllDefects()[d].defect), d + 1) << AllDefects()[d].name;
  }
}

}  // namespace
}  // namespace pteproof
