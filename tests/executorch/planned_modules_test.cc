// Programs that we planned give in ExecuTorch's own runtime what the reference says that their
// Modules mean, over calls that share state.
#include <gtest/gtest.h>

#include <optional>

#include "planner/plan.h"
#include "properties/differential/settings.h"
#include "properties/generators/draw.h"
#include "pteproof/write.h"
#include "reference/graph/parse.h"
#include "reference/tensor_value.h"
#include "tests/executorch/comparable_case.h"
#include "tests/support/counts.h"

namespace pteproof {
namespace {

using witness::Answer;
using witness::ComparableCase;
using witness::Job;

struct Planned {
  uint64_t seed = 0;
  ComparableCase comparable;
};

std::optional<Planned> PlannedCase(uint64_t seed) {
  const auto random = generators::BuildCase(generators::DrawCase(seed));
  if (!witness::IsComparable(random.module)) return std::nullopt;
  // All algorithms and policies; the witness sets no caller's memory.
  planner::PlanOptions options = SettingOf(seed).options;
  options.plan_inputs = options.plan_outputs = true;
  const auto planned = planner::Plan(random.module, options);
  if (!planned.ok()) return std::nullopt;
  const Program& program = planned.value().program;
  return Planned{seed,
                 witness::JobOf(random, program, WriteProgram(program).value(), options.policy)};
}

TEST(PlannedModulesTest, GiveInExecutorchWhatTheReferenceGives) {
  std::vector<Planned> cases;
  for (uint64_t seed = 0; cases.size() < Cases(100, 1000); ++seed) {
    if (auto c = PlannedCase(seed)) cases.push_back(std::move(*c));
  }
  std::vector<Job> jobs;
  for (const Planned& c : cases) jobs.push_back(c.comparable.job);
  const std::vector<Answer> answers = witness::Ask(jobs);
  size_t whole = 0;
  size_t calls = 0;
  for (size_t n = 0; n < cases.size(); ++n) {
    const witness::Compared compared = Compare(cases[n].comparable, answers[n]);
    EXPECT_EQ(compared.difference, "") << "seed " << cases[n].seed;
    whole += compared.whole ? 1 : 0;
    calls += compared.calls;
  }
  RecordProperty("cases", static_cast<int>(cases.size()));
  RecordProperty("whole", static_cast<int>(whole));
  RecordProperty("calls", static_cast<int>(calls));
  EXPECT_GE(whole, cases.size() / 2);
}

// The product lies where the last input was, whose bytes come back.
TEST(MatrixProductTest, WithoutAnInnerDimensionIsLeftAsItWas) {
  const auto module = graph::Parse(R"(
method f(%x: float32[1, 0], %y: float32[0, 1], %z: float32[1, 1]) {
  %0: float32[1, 1] = aten::mm.out(%x, %y)
  return %0
}
)");
  ASSERT_TRUE(module.ok());
  planner::PlanOptions options;
  options.overlays = {{"f", 0, 2}};
  const auto planned = planner::Plan(module.value(), options);
  ASSERT_TRUE(planned.ok()) << planned.error().what;
  TensorValue z = Zeros(ScalarType::kFloat32, {1, 1});
  SetReal(z, 0, 3.25);
  Job job;
  job.program = WriteProgram(planned.value().program).value();
  job.calls.push_back(
      {"f", {Zeros(ScalarType::kFloat32, {1, 0}), Zeros(ScalarType::kFloat32, {0, 1}), z}});
  const std::vector<Answer> answers = witness::Ask({&job, 1});
  ASSERT_EQ(answers.front().calls.size(), 1U);
  ASSERT_EQ(answers.front().calls[0].error, "");
  EXPECT_EQ(answers.front().calls[0].outputs.at(0), Datum(z));
}

}  // namespace
}  // namespace pteproof
