// Random Modules as they are planned, by the runtime's own kernels: what operators mean, in memory
// that is used again and again, gives what the Module gives.
#include <gtest/gtest.h>

#include <string>

#include "planner/plan.h"
#include "planner/state/module_init.h"
#include "properties/differential/case_run.h"
#include "properties/generators/draw.h"
#include "properties/differential/trace.h"
#include "properties/oracles/compare.h"
#include "properties/oracles/planned_run.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

struct RealTally {
  int compared = 0;  // calls
  int unknown = 0;   // an operator without a kernel
};

// Empty; or which call differs. A call that the Module refuses ends the comparison.
std::string RealDifference(const generators::RandomCase& c, const Program& program, Policy policy,
                           RealTally& tally) {
  const Trace wanted = RunAll(c.module, c.calls, OptionsFor(Semantics::kReal));
  auto run = PlannedRun::Load(program, {.policy = policy, .lazy = true});
  if (!run.ok()) return run.error().explanation;
  for (size_t m = 0; m < program.methods.size(); ++m) {
    if (program.methods[m].name != planner::kModuleInit) continue;
    const auto started = run.value().Call(static_cast<int32_t>(m), {});
    if (!started.ok()) return "et_module_init: " + started.error().explanation;
  }
  for (size_t k = 0; k < c.calls.size(); ++k) {
    if (!wanted.calls[k].ok()) return "";
    const auto got = run.value().Call(static_cast<int32_t>(c.calls[k].method), c.calls[k].inputs);
    const std::string which = "call " + std::to_string(k) + ": ";
    if (!got.ok()) {
      if (got.error().kind != RunFault::Kind::kUnknown) return which + got.error().explanation;
      ++tally.unknown;
      return "";
    }
    const std::vector<Datum>& outputs = wanted.calls[k].value().outputs;
    if (got.value().size() < outputs.size()) return which + "too few outputs";
    const auto own = std::span(got.value()).last(outputs.size());
    if (auto why = FirstDifference(outputs, own, std::nullopt, true)) return which + *why;
    ++tally.compared;
  }
  return "";
}

TEST(RealModulesTest, GiveWhatTheModuleGives) {
  RealTally tally;
  const uint64_t cases = Cases(100, 1000);
  for (uint64_t seed = 0; seed < cases; ++seed) {
    const auto c = generators::BuildCase(generators::DrawCase(seed));
    if (IsOpaque(c.module)) continue;
    planner::PlanOptions options;
    if (seed % 2 == 1) options.policy = Policy::kShareAll;
    const auto planned = planner::Plan(c.module, options);
    if (!planned.ok()) continue;
    EXPECT_EQ(RealDifference(c, planned.value().program, options.policy, tally), "")
        << "seed " << seed;
  }
  EXPECT_GE(tally.compared, static_cast<int>(cases));
  RecordProperty("compared", tally.compared);
  RecordProperty("unknown", tally.unknown);
}

}  // namespace
}  // namespace pteproof
