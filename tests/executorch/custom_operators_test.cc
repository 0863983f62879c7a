// Operators that only their author knows, called in place: the plan gives operand and result one
// value, ExecuTorch runs them with kernels of the test's own, and the results are those of the same
// computation by operators of the table, as the reference gives them.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "planner/plan.h"
#include "pteproof/write.h"
#include "reference/graph/parse.h"
#include "reference/tensor_value.h"
#include "tests/executorch/comparable_case.h"
#include "tests/support/files.h"

namespace pteproof {
namespace {

TensorValue CountingFrom(Sizes sizes, double first) {
  TensorValue t = Zeros(ScalarType::kFloat32, std::move(sizes));
  for (int64_t i = 0; i < ElementCount(t); ++i) SetReal(t, i, first + static_cast<double>(i));
  return t;
}

TensorValue Position(int64_t at) {
  TensorValue t = Zeros(ScalarType::kInt64, {1});
  SetInt(t, 0, at);
  return t;
}

// Calls of the twin, which uses operators of the table alone, against the plan of the Module.
void ExpectTheTwinsResults(const planner::Planned& planned, const std::string& twin,
                           std::vector<generators::RandomCall> calls) {
  generators::RandomCase c;
  c.module = graph::Parse(twin).value();
  c.calls = std::move(calls);
  const auto file = WriteProgram(planned.program);
  const auto job = witness::JobOf(c, planned.program, file.value(), Policy::kShare12);
  const auto answers = witness::Ask({&job.job, 1});
  const witness::Compared compared = witness::Compare(job, answers.front());
  EXPECT_EQ(compared.error, "");
  EXPECT_EQ(compared.difference, "");
  EXPECT_EQ(compared.calls, c.calls.size());
}

TEST(CustomOperatorsTest, AConcatenationIsPutTogetherInOneBuffer) {
  const auto module = graph::Parse(ReadText(PTEPROOF_CORPUS_DIR "/lint/concatenation.module"));
  const auto planned = planner::Plan(module.value());
  ASSERT_TRUE(planned.ok());
  EXPECT_EQ(planned.value().program.methods[0].bank_sizes[1], 96U + 3 * 32U);
  ExpectTheTwinsResults(planned.value(), R"(
method f(%a: float32[8], %b: float32[8], %c: float32[8]) {
  %0: float32[24] = aten::cat.out([%a, %b, %c], 0)
  return %0
}
)",
                        {{0, {CountingFrom({8}, 1), CountingFrom({8}, 20), CountingFrom({8}, -5)}},
                         {0, {CountingFrom({8}, 7), CountingFrom({8}, -1), CountingFrom({8}, 3)}}});
}

TEST(CustomOperatorsTest, ACacheOf512KibIsUpdatedInItsOwnBytes) {
  const auto module = graph::Parse(R"(
buffer @cache: float32[4096, 32]
method step(%row: float32[1, 32], %at: int64[1]) {
  %0 = entry @cache
  %1: float32[4096, 32] = my::update_cache.out(%0, %row, %at) in_place(0)
  %2: float32[32] = aten::sum.IntList_out(%1, [0], false, None)
  return %2
  store @cache = %1
}
)");
  const auto planned = planner::Plan(module.value());
  ASSERT_TRUE(planned.ok());
  const Method& method = planned.value().program.methods[0];
  EXPECT_EQ(method.instructions.size(), 2U);  // no copy_
  EXPECT_EQ(method.bank_sizes[planner::kPrivateBank], 512U * 1024U);
  EXPECT_LT(method.bank_sizes[planner::kActivationBank], 512U);
  ExpectTheTwinsResults(planned.value(), R"(
buffer @cache: float32[4096, 32]
method step(%row: float32[1, 32], %at: int64[1]) {
  %0 = entry @cache
  %1: float32[4096, 32] = aten::index_put.out(%0, [%at], %row, false)
  %2: float32[32] = aten::sum.IntList_out(%1, [0], false, None)
  return %2
  store @cache = %1
}
)",
                        {{0, {CountingFrom({1, 32}, 1), Position(5)}},
                         {0, {CountingFrom({1, 32}, 2), Position(4095)}},
                         {0, {CountingFrom({1, 32}, 3), Position(5)}}});
}

}  // namespace
}  // namespace pteproof
