// What plans of known nets come to, beside what the exporter's rule makes of them.
#include "bench/nets/nets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "planner/plan.h"
#include "pteproof/check.h"
#include "reference/graph/validate.h"

namespace pteproof {
namespace {

using planner::PlanOptions;

planner::Planned PlanOf(const graph::Module& module, const PlanOptions& options = {}) {
  const auto problems = graph::Validate(module);
  EXPECT_TRUE(problems.empty()) << problems.front().explanation;
  auto planned = planner::Plan(module, options);
  EXPECT_TRUE(planned.ok()) << planned.error().what;
  return std::move(planned).value();
}

uint64_t ErrorsIn(const Program& program) {
  const auto findings = Check(program).findings;
  return static_cast<uint64_t>(std::ranges::count(findings, Severity::kError, &Finding::severity));
}

PlanOptions GreedyNotInPlace() {
  PlanOptions options;
  options.algorithm = placement::Algorithm::kGreedy;
  options.passes.in_place = false;
  return options;
}

// Of the exporter's plan of such a net, 9.94 MB, 6.02 MB are left when elementwise operators and
// batch norm may write over a dying operand: 0.606.
TEST(NetsTest, AnImageNetTakesThreeFifthsInPlace) {
  const graph::Module net = nets::MobileNet(224);
  const planner::Planned ours = PlanOf(net);
  const planner::Planned greedy = PlanOf(net, GreedyNotInPlace());
  EXPECT_LE(static_cast<double>(ours.report[0].peak),
            0.62 * static_cast<double>(greedy.report[0].peak));
  EXPECT_EQ(ErrorsIn(ours.program), 0U);
  EXPECT_EQ(ErrorsIn(greedy.program), 0U);
}

TEST(NetsTest, ADecoderHoldsItsCachesOnce) {
  const nets::DecoderShape shape;
  const planner::Planned planned = PlanOf(nets::Decoder(shape));
  ASSERT_EQ(planned.program.methods.size(), 1U);
  const Method& step = planned.program.methods[0];
  const auto caches = static_cast<uint64_t>(2 * shape.layers * shape.positions * shape.width * 4);
  ASSERT_EQ(step.bank_sizes.size(), 3U);
  EXPECT_EQ(step.bank_sizes[planner::kSharedBank], caches);
  // The exporter's plan of such a step takes 5.11 MB, with the caches in it twice.
  EXPECT_LT(step.bank_sizes[planner::kActivationBank], caches);
  const auto updates = std::ranges::count_if(step.operators, [](const Operator& op) {
    return op.name == "aten::index_put_.default" || op.name == "aten::index_put_";
  });
  EXPECT_EQ(updates, 1);
  for (const Operator& op : step.operators)
    EXPECT_NE(op.name, "aten::copy_") << "a cache is copied";
  EXPECT_EQ(ErrorsIn(planned.program), 0U);
}

TEST(NetsTest, AnEncoderIsPlannedAtItsLoad) {
  const planner::Planned planned = PlanOf(nets::Encoder({}));
  EXPECT_EQ(planned.report[0].peak, planned.report[0].load);
  EXPECT_EQ(ErrorsIn(planned.program), 0U);
}

}  // namespace
}  // namespace pteproof
