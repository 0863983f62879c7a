#include "properties/differential/shaken.h"

#include <gtest/gtest.h>

#include "properties/differential/case_run.h"
#include "properties/oracles/compare.h"
#include "reference/graph/parse.h"

namespace pteproof {
namespace {

TensorValue FilledWith(ScalarType type, int64_t size, double value) {
  TensorValue tensor = Zeros(type, {static_cast<int32_t>(size)});
  for (int64_t i = 0; i < size; ++i) SetReal(tensor, i, value);
  return tensor;
}

generators::RandomCase CaseWith(Datum input) {
  generators::RandomCase c;
  c.calls.push_back({0, {std::move(input)}});
  return c;
}

TEST(Shaken, MovesFloatsByLessThanOutputsMayDiffer) {
  for (const ScalarType type :
       {ScalarType::kFloat32, ScalarType::kFloat64, ScalarType::kFloat16, ScalarType::kBFloat16}) {
    const auto c = CaseWith(FilledWith(type, 4, 3.0));
    const auto shaken = Shaken(c);
    EXPECT_FALSE(SameData(c.calls[0].inputs, shaken.calls[0].inputs));
    EXPECT_EQ(FirstDifference(c.calls[0].inputs, shaken.calls[0].inputs, std::nullopt, true),
              std::nullopt);
  }
}

TEST(Shaken, LeavesWholeNumbersAndZeros) {
  for (const Datum& input : {Datum(FilledWith(ScalarType::kFloat32, 4, 0)), Datum(int64_t{7}),
                             Datum(Zeros(ScalarType::kInt64, {3}))}) {
    const auto c = CaseWith(input);
    EXPECT_TRUE(SameData(c.calls[0].inputs, Shaken(c).calls[0].inputs));
  }
}

// By the definitions of both, softmax of (a, b) begins with sigmoid of a - b, and b is zero.
TEST(CompareCalls, TakeAComparisonOfEqualNumbersForRounding) {
  generators::RandomCase c;
  c.module = graph::Parse(
                 "method m(%x: float32[2]) {\n"
                 "  %0: float32[2] = aten::_softmax.out(%x, 0, false)\n"
                 "  %1: float32[2] = aten::sigmoid.out(%x)\n"
                 "  %2: bool[2] = aten::gt.Tensor_out(%0, %1)\n"
                 "  return %2\n"
                 "}\n")
                 .value();
  for (int n = 0; n < 50; ++n) {
    TensorValue x = Zeros(ScalarType::kFloat32, {2});
    SetReal(x, 0, -0.75 - 0.125 * n);
    c.calls.push_back({0, {x}});
  }
  const CaseVerdict verdict = RunCase(c, {}, {.semantics = Semantics::kReal});
  EXPECT_FALSE(verdict.refused);
  EXPECT_EQ(verdict.fault.explanation, "");
}

// The exact sum is minus infinity; that of the rounded products is not a number.
TEST(CompareCalls, TakeASumBeyondTheRangeOfItsTypeForRounding) {
  generators::RandomCase c;
  c.module = graph::Parse(
                 "method m(%x: float32[1, 2], %w: float32[2, 1]) {\n"
                 "  %0: float32[1, 1] = aten::mm.out(%x, %w)\n"
                 "  return %0\n"
                 "}\n")
                 .value();
  TensorValue x = Zeros(ScalarType::kFloat32, {1, 2});
  TensorValue w = Zeros(ScalarType::kFloat32, {2, 1});
  for (const int64_t i : {0, 1}) SetReal(x, i, 1e30);
  SetReal(w, 0, 1e30);
  SetReal(w, 1, -2e30);
  c.calls.push_back({0, {x, w}});
  const CaseVerdict verdict = RunCase(c, {}, {.semantics = Semantics::kReal});
  EXPECT_FALSE(verdict.refused);
  EXPECT_EQ(verdict.fault.explanation, "");
}

}  // namespace
}  // namespace pteproof
