// The harness's own score: every planted defect is found by the random campaign, and shrunk to a
// Module that a person can read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "properties/compare/module_computation.h"
#include "properties/differential/campaign.h"
#include "properties/differential/compare_calls.h"
#include "reference/graph/print.h"
#include "tests/planted/defects.h"
#include "tests/planted/hunt.h"
#include "tests/planted/judge.h"
#include "tests/support/counts.h"

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

// What a defect of the planner has changed of what is computed, compare finds in Module and file.
class PlannerDefect : public testing::TestWithParam<DefectRow> {};

// How a planned run of the file gives something else than the Module; empty: it does not.
std::string FaultOfRun(const DrawnCase& drawn, const DefectivePlan& plan, Semantics semantics) {
  CaseWays ways = drawn.setting.ways;
  ways.semantics = semantics;
  ways.planned = true;
  ways.tagged = false;
  CaseVerdict verdict;
  CompareCalls(drawn.random, *plan.program, plan.loader, ways, verdict);
  return verdict.fault.empty() ? "" : verdict.fault.kind + ": " + verdict.fault.explanation;
}

TEST_P(PlannerDefect, IsRefutedByCompareIfARunShowsIt) {
  const uint64_t cases = Cases(300, 300);
  int64_t shown = 0;
  int64_t refuted = 0;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto drawn = CaseOf(seed);
    if (!drawn || !drawn->setting.options.plan_buffers) continue;
    const DefectivePlan plan = PlanWith(GetParam(), drawn->random, drawn->setting.options, seed);
    const std::string fault = plan.program ? FaultOfRun(*drawn, plan, Semantics::kHash) : "";
    if (fault.empty()) continue;
    ++shown;
    const compare::ComparedSide side = {&*plan.program, nullptr, nullptr};
    const auto answers =
        compare::CompareWithModule(drawn->random.module, side, {.policies = {plan.loader}});
    const auto has = [&](compare::Answer a) {
      return std::ranges::find(answers, a, &compare::MethodComparison::answer) != answers.end();
    };
    refuted += has(compare::Answer::kDiffers) ? 1 : 0;
    if (has(compare::Answer::kDiffers) || has(compare::Answer::kOpen)) continue;
    // A copy to the same type is mixed by a run, and is the same value all the same.
    EXPECT_EQ(FaultOfRun(*drawn, plan, Semantics::kReal), "") << "seed " << seed << ": " << fault;
  }
  RecordProperty("shown", std::to_string(shown));
  RecordProperty("refuted", std::to_string(refuted));
  if (asked != nullptr) printf("%s: %ld of %ld\n", GetParam().name.data(), refuted, shown);
  if (shown > 0) EXPECT_GT(refuted, 0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, PlannerDefect,
                         testing::ValuesIn(PlannerDefects().begin(), PlannerDefects().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(NoPlantedDefect, LeavesTheCampaignSilent) {
  const uint64_t cases = Cases(500, 500);
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
