// What kind of failure a fault is, of a planner with a planted defect.
#include <gtest/gtest.h>

#include <string>

#include "planner/plan.h"
#include "properties/differential/case_run.h"
#include "properties/differential/compare_calls.h"
#include "reference/graph/parse.h"
#include "planner/planted.h"

namespace pteproof {
namespace {

// The product of matrices lies over an operand.
generators::RandomCase Product() {
  auto module = graph::Parse(R"(method m(%x: float32[2, 2], %y: float32[2, 2]) {
  %0: float32[2, 2] = aten::neg.out(%x)
  %1: float32[2, 2] = aten::mm.out(%0, %y)
  return %1
}
)");
  EXPECT_TRUE(module.ok());
  const TensorValue zeros = Zeros(ScalarType::kFloat32, {2, 2});
  return {std::move(module).value(), {{0, {zeros, zeros}}}};
}

CaseFault FaultOfCalls(const generators::RandomCase& c, const CaseWays& checkers) {
  PlantDefect(planner::Defect::kAnyOperatorInPlace);
  const auto planned = planner::Plan(c.module, {});
  PlantDefect(planner::Defect::kNone);
  EXPECT_TRUE(planned.ok());
  CaseVerdict verdict;
  CompareCalls(c, planned.value().program, Policy::kShare12, checkers, verdict);
  return verdict.fault;
}

TEST(FaultKind, IsTheRuleThatTheCheckFindsBroken) {
  PlantDefect(planner::Defect::kAnyOperatorInPlace);
  const CaseFault fault = RunCase(Product(), {}).fault;
  PlantDefect(planner::Defect::kNone);
  EXPECT_EQ(fault.kind, "in-place-alias");
  EXPECT_TRUE(fault.explanation.starts_with("in-place-alias in 'm': ")) << fault.explanation;
}

TEST(FaultKind, IsWhoMakesACallAndHowItGoesWrong) {
  const generators::RandomCase c = Product();
  EXPECT_EQ(FaultOfCalls(c, {.planned = false}).kind,
            "tagged, with a storage per value reads a wrong byte");
  EXPECT_EQ(FaultOfCalls(c, {.tagged = false}).kind, "as planned gives another output");
}

TEST(FaultKind, IsNoneWithoutADefect) {
  EXPECT_TRUE(RunCase(Product(), {}).fault.empty());
}

}  // namespace
}  // namespace pteproof
