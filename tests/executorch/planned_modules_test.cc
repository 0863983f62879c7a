// Programs that we planned give in ExecuTorch's own runtime what the reference says that their
// Modules mean, over calls that share state.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "planner/plan.h"
#include "planner/state/module_init.h"
#include "properties/differential/case_run.h"
#include "properties/differential/settings.h"
#include "properties/generators/draw.h"
#include "properties/laws/trace.h"
#include "properties/oracles/compare.h"
#include "reference/graph/bounds.h"
#include "reference/graph/method_uses.h"
#include "reference/graph/parse.h"
#include "runtime/write_program.h"
#include "tests/executorch/witness_client.h"

namespace pteproof {
namespace {

using generators::RandomCase;
using witness::Answer;
using witness::Job;

// PTEPROOF_WITNESS_CASES sets the number for a campaign.
uint64_t CaseCount() {
  const char* wanted = std::getenv("PTEPROOF_WITNESS_CASES");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 100;
}

struct Planned {
  uint64_t seed = 0;
  RandomCase random;
  Trace wanted;
  Job job;
  size_t before = 0;  // calls made ahead of the case's own: et_module_init
};

// A runtime takes numbers only as they were when the model was exported.
bool TakesNumbers(const graph::Module& module) {
  for (const graph::Method& method : module.methods) {
    for (const graph::Input& input : method.inputs) {
      if (graph::TensorTypeOf(method, input.value) == nullptr) return true;
    }
  }
  return false;
}

// ExecuTorch's kernel leaves a product without an inner dimension as it was, where PyTorch gives
// zeros (MatrixProductTest below).
bool MultipliesNothing(const graph::Method& method, const graph::Region& region) {
  return std::ranges::any_of(region.nodes, [&](const graph::Node& node) {
    const auto inside = [&](const graph::Region& inner) {
      return MultipliesNothing(method, inner);
    };
    if (std::ranges::any_of(node.regions, inside)) return true;
    if (node.op != "aten::mm.out" && node.op != "aten::bmm.out") return false;
    const TensorType& left = *TensorTypeOf(method, *graph::ValueOfOperand(node.operands.front()));
    return left.sizes.back().Over(graph::RangesOf(method)).lo <= 0;
  });
}

bool MultipliesNothing(const graph::Module& module) {
  return std::ranges::any_of(module.methods, [](const graph::Method& method) {
    return MultipliesNothing(method, method.body);
  });
}

std::optional<Planned> PlannedCase(uint64_t seed) {
  RandomCase random = generators::BuildCase(generators::DrawCase(seed));
  const graph::Module& module = random.module;
  if (IsOpaque(module) || TakesNumbers(module) || MultipliesNothing(module)) return std::nullopt;
  // All algorithms and policies; the witness sets no caller's memory.
  planner::PlanOptions options = SettingOf(seed).options;
  options.plan_inputs = options.plan_outputs = true;
  const auto planned = planner::Plan(random.module, options);
  if (!planned.ok()) return std::nullopt;
  Planned c = {.seed = seed,
               .random = random,
               .wanted = RunAll(random.module, random.calls, OptionsFor(Semantics::kReal)),
               .job = {},
               .before = 0};
  c.job.program = WriteProgram(planned.value().program).value();
  c.job.banks = options.policy;
  for (const Method& method : planned.value().program.methods) {
    if (method.name != planner::kModuleInit) continue;
    c.job.calls.push_back({method.name, {}});
    c.before = 1;
  }
  for (size_t k = 0; k < random.calls.size() && c.wanted.calls[k].ok(); ++k) {
    c.job.calls.push_back(
        {random.module.methods[random.calls[k].method].name, random.calls[k].inputs});
  }
  return c;
}

struct Compared {
  size_t cases = 0;
  size_t whole = 0;  // cases of which every call was compared
  size_t calls = 0;
};

// ExecuTorch's cat of tensors without elements gives no columns either, where PyTorch adds them up.
bool AreBothEmpty(const Datum& a, const Datum& b) {
  const auto* x = std::get_if<TensorValue>(&a);
  const auto* y = std::get_if<TensorValue>(&b);
  return x != nullptr && y != nullptr && x->bytes.empty() && y->bytes.empty();
}

// ExecuTorch adds integers up as doubles: -2^63 and 1 come to -2^63.
Datum ThroughDoubles(const Datum& datum) {
  const auto* tensor = std::get_if<TensorValue>(&datum);
  if (tensor == nullptr || tensor->dtype != ScalarType::kInt64) return datum;
  constexpr double kTooLarge = 0x1p63;
  TensorValue rounded = *tensor;
  for (int64_t i = 0; i < ElementCount(rounded); ++i) {
    const auto real = static_cast<double>(IntAt(rounded, i));
    SetInt(rounded, i, real < kTooLarge ? static_cast<int64_t>(real) : INT64_MAX);
  }
  return rounded;
}

// Kernels refuse some types that operators have a meaning for: then the rest of the case is not
// run.
void Compare(const Planned& c, const Answer& answer, Compared& tally) {
  ASSERT_EQ(answer.load_error, "") << "seed " << c.seed;
  ++tally.cases;
  for (size_t k = 0; k + c.before < answer.calls.size(); ++k) {
    const witness::Outcome& outcome = answer.calls[k + c.before];
    if (!outcome.error.empty()) return;
    const std::vector<Datum>& wanted = c.wanted.calls[k].value().outputs;
    ASSERT_GE(outcome.outputs.size(), wanted.size()) << "seed " << c.seed;
    const auto got = std::span(outcome.outputs).last(wanted.size());
    for (size_t o = 0; o < wanted.size(); ++o) {
      if (AreBothEmpty(wanted[o], got[o])) continue;
      const Datum expected = ThroughDoubles(wanted[o]);
      const Datum given = ThroughDoubles(got[o]);
      const auto difference = FirstDifference({&expected, 1}, {&given, 1}, std::nullopt, true);
      EXPECT_EQ(difference.value_or(""), "") << "seed " << c.seed << ", call " << k;
    }
    ++tally.calls;
  }
  ++tally.whole;
}

TEST(PlannedModulesTest, GiveInExecutorchWhatTheReferenceGives) {
  std::vector<Planned> cases;
  for (uint64_t seed = 0; cases.size() < CaseCount(); ++seed) {
    if (auto c = PlannedCase(seed)) cases.push_back(std::move(*c));
  }
  std::vector<Job> jobs;
  for (const Planned& c : cases) jobs.push_back(c.job);
  const std::vector<Answer> answers = witness::Ask(jobs);
  Compared tally;
  for (size_t n = 0; n < cases.size(); ++n) Compare(cases[n], answers[n], tally);
  RecordProperty("cases", static_cast<int>(tally.cases));
  RecordProperty("whole", static_cast<int>(tally.whole));
  RecordProperty("calls", static_cast<int>(tally.calls));
  EXPECT_GE(tally.whole, tally.cases / 2);
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
