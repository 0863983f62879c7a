#include "cli/load/bank_optimum.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "planner/plan.h"
#include "properties/generators/build_module.h"
#include "properties/generators/draw.h"
#include "pteproof/check.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

const uint64_t kCases = Cases(40, 400);

struct Counts {
  size_t banks = 0;
  size_t wasteful = 0;
  size_t all_can_be_had = 0;  // wasteful, and some plan is as small as the peak live bytes
};

void TryCase(uint64_t seed, placement::Algorithm algorithm, Counts& counts) {
  planner::PlanOptions options;
  options.algorithm = algorithm;
  const auto c = generators::BuildCase(generators::DrawCase(seed));
  const auto planned = planner::Plan(c.module, options);
  if (!planned.ok()) return;
  const Program& program = planned.value().program;
  const Report report = Check(program);
  const auto optima = OptimaOf(program, report.banks, true, 0.1);
  const auto quick = QuickOptimaOf(program, report.banks);
  ASSERT_EQ(optima.size(), report.banks.size());
  ASSERT_EQ(quick.size(), report.banks.size());
  for (size_t b = 0; b < optima.size(); ++b) {
    const BankUse& use = report.banks[b];
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + use.method + ":" +
                 std::to_string(use.bank));
    EXPECT_LE(use.load, optima[b].at_least);
    EXPECT_LE(optima[b].at_least, optima[b].at_most);
    EXPECT_LE(optima[b].at_most, use.peak);
    EXPECT_LE(use.peak, use.size);
    EXPECT_LE(quick[b].at_least, optima[b].at_most);
    EXPECT_LE(optima[b].at_least, quick[b].at_most);
    ++counts.banks;
    if (use.peak == use.load) continue;
    ++counts.wasteful;
    if (optima[b].at_most == use.load) ++counts.all_can_be_had;
  }
}

// The searches place storages that are found on another path than the peak live bytes.
TEST(BankOptimum, LiesBetweenThePeakLiveBytesAndTheEndOfRandomPlans) {
  Counts counts;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    TryCase(seed, placement::Algorithm::kNaive, counts);
    TryCase(seed, placement::Algorithm::kGreedy, counts);
  }
  EXPECT_GT(counts.banks, kCases);
  EXPECT_GT(counts.wasteful, kCases / 2);
  EXPECT_GE(counts.all_can_be_had, counts.wasteful * 9 / 10);
}

}  // namespace
}  // namespace pteproof
