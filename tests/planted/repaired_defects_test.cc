// A plan that a planted defect had its hand in, repaired: what is written computes what the Module
// does, and what is not is refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "planner/repair/repair.h"
#include "properties/certify/certify.h"
#include "properties/certify/restate.h"
#include "properties/compare/module_computation.h"
#include "properties/differential/case_steps.h"
#include "properties/differential/compare_calls.h"
#include "pteproof/check.h"
#include "reference/op_schema.h"
#include "tests/planted/defects.h"
#include "tests/planted/judge.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

class RepairedDefect : public testing::TestWithParam<DefectRow> {};

// What a planned run of the program gives that the Module does not; empty: nothing.
std::string FaultOf(const DrawnCase& drawn, const Program& program, Policy loader,
                    Semantics semantics) {
  CaseWays ways = drawn.setting.ways;
  ways.semantics = semantics;
  ways.planned = true;
  ways.tagged = false;
  CaseVerdict verdict;
  CompareCalls(drawn.random, program, loader, ways, verdict);
  return verdict.fault.empty() ? "" : verdict.fault.kind + ": " + verdict.fault.explanation;
}

// Proved. Some defects change more than places: one value is returned for two, or is taken for
// another's name. No reading of the file tells of that.
bool MeansTheModule(const DrawnCase& drawn, const Program& program, Policy loader) {
  const compare::ComparedSide meant = {&program, nullptr, nullptr, compare::ReadAs::kMeant};
  const auto answers =
      compare::CompareWithModule(drawn.random.module, meant, {.policies = {loader}});
  return std::ranges::all_of(answers, [](const compare::MethodComparison& method) {
    return method.answer == compare::Answer::kSame;
  });
}

struct RepairedPlan {
  planner::Repaired repaired;
  certify::Certificate certificate;
};

RepairedPlan RepairPlan(const Program& program, const Manifest* manifest, const Report& report) {
  const certify::Restated meant = certify::Restate(program, manifest, true);
  const Operator copy = {"aten::copy_", FindOperator("aten::copy_")};
  RepairedPlan plan = {planner::Repair(meant.program, {}, {&copy, 1}), {}};
  if (!plan.repaired.failure.empty()) {
    plan.certificate.open = true;
    plan.certificate.failure = plan.repaired.failure;
    return plan;
  }
  plan.certificate = certify::Certify({&meant.program, nullptr, manifest},
                                      {&plan.repaired.replanned.program, nullptr, manifest},
                                      {.old_report = &report, .repair = true, .calls = 2});
  return plan;
}

TEST_P(RepairedDefect, ComputesWhatTheModuleDoesOrIsRefused) {
  const uint64_t cases = Cases(100, 100);
  int64_t wrong = 0;
  int64_t repaired_plans = 0;
  int64_t other_meaning = 0;
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto drawn = CaseOf(seed);
    if (!drawn || !drawn->setting.options.plan_buffers) continue;
    const DefectivePlan plan = PlanWith(GetParam(), drawn->random, drawn->setting.options, seed);
    if (!plan.program || FaultOf(*drawn, *plan.program, plan.loader, Semantics::kHash).empty())
      continue;
    const auto manifest =
        ParsedManifest(drawn->random.module, drawn->setting.options, *plan.program);
    if (!manifest.ok()) continue;
    const Report report = Check(*plan.program, {.manifest = &manifest.value()});
    const auto verdict = report.verdicts[static_cast<size_t>(plan.loader)];
    if (verdict != Verdict::kUnsafe) continue;
    ++wrong;
    const RepairedPlan after = RepairPlan(*plan.program, &manifest.value(), report);
    const certify::Certificate& certificate = after.certificate;
    EXPECT_TRUE(certificate.open || certificate.holds())
        << "seed " << seed << ": " << certificate.failure;
    if (!certificate.holds() || !certificate.policies.Has(plan.loader)) continue;
    ++repaired_plans;
    if (!MeansTheModule(*drawn, *plan.program, plan.loader)) {
      ++other_meaning;
      continue;
    }
    // A copy to the same type is mixed by a run, and is the same value all the same.
    EXPECT_EQ(FaultOf(*drawn, after.repaired.replanned.program, plan.loader, Semantics::kReal), "")
        << "seed " << seed;
  }
  RecordProperty("wrong", std::to_string(wrong));
  RecordProperty("repaired", std::to_string(repaired_plans));
  RecordProperty("other_meaning", std::to_string(other_meaning));
  if (asked != nullptr) {
    printf("%s: %ld of %ld repaired\n", GetParam().name.data(), repaired_plans, wrong);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RepairedDefect,
                         testing::ValuesIn(PlannerDefects().begin(), PlannerDefects().end()),
                         [](const auto& row) {
                           std::string name(row.param.name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pteproof
