// Operators that make a result from sizes and numbers.
#include <gmock/gmock.h>

#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::HasSubstr;

TEST(Arange, CountsUpToItsEnd) {
  EXPECT_EQ(ResultOf("aten::arange.out", {3}), Tensor<int64_t>({3}, {0, 1, 2}));
  EXPECT_EQ(ResultOf("aten::arange.out", {2.5}), Tensor<float>({3}, {0, 1, 2}));
  EXPECT_EQ(ResultOf("aten::arange.out", {-1}).sizes, Sizes{0});
}

TEST(Arange, StepsDown) {
  EXPECT_EQ(ResultOf("aten::arange.start_out", {5, 0, -2}), Tensor<int64_t>({3}, {5, 3, 1}));
}

TEST(Arange, StepsByFractions) {
  EXPECT_EQ(ResultOf("aten::arange.start_out", {1, 2, 0.25}),
            Tensor<float>({4}, {1, 1.25, 1.5, 1.75}));
}

TEST(Arange, HasAsManyElementsAsASymbolicEndSays) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(TypeOfOp("aten::arange.out", {n}).sizes, std::vector<SizeExpr>{Max(n, 0)});
  EXPECT_EQ(TypeOfOp("aten::arange.start_out", {n, n + 4, 2}).sizes, std::vector<SizeExpr>{2});
}

TEST(Arange, RefusesAStepOfZeroAndEndlessRanges) {
  EXPECT_THAT(FaultOf("aten::arange.start_out", {0, 3, 0}), HasSubstr("step"));
  EXPECT_THAT(FaultOf("aten::arange.start_out", {0.0, 3, 0}), HasSubstr("the range is infinite"));
  EXPECT_THAT(FaultOf("aten::arange.out", {std::numeric_limits<double>::infinity()}),
              HasSubstr("the range is infinite"));
}

TEST(Full, TakesTheNumbersTypeOrTheOneAskedFor) {
  EXPECT_EQ(ResultOf("aten::full.out", {std::vector{2}, 2.5}), Tensor<float>({2}, {2.5, 2.5}));
  EXPECT_EQ(ResultOf("aten::full.out", {std::vector{1}, true}), Tensor<bool>({1}, {true}));
  EXPECT_EQ(ResultOf("aten::full.out", {std::vector{2}, 2.7}, {ScalarType::kInt32}),
            Tensor<int32_t>({2}, {2, 2}));
}

TEST(Full, RefusesNegativeSizes) {
  EXPECT_THAT(FaultOf("aten::full.out", {std::vector{-1}, 1}), HasSubstr("out of range"));
}

TEST(FillByTensor, NeedsOneElement) {
  EXPECT_EQ(
      ResultOf("aten::fill.Tensor_out", {Tensor<int8_t>({2}, {1, 2}), Tensor<float>({}, {3.9F})}),
      Tensor<int8_t>({2}, {3, 3}));
  EXPECT_THAT(
      FaultOf("aten::fill.Tensor_out", {Tensor<int8_t>({1}, {1}), Tensor<int8_t>({2}, {1, 2})}),
      HasSubstr("one element"));
}

TEST(OnesAndZeros, TakeSymbolicSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(TypeOfOp("aten::zeros.out", {std::vector<SizeExpr>{n, 2}}),
            (TensorType{ScalarType::kFloat32, {n, 2}}));
  EXPECT_EQ(ResultOf("aten::ones.out", {std::vector{2}}, {ScalarType::kBool}),
            Tensor<bool>({2}, {true, true}));
}

TEST(ScalarTensor, HasNoDimensions) {
  EXPECT_EQ(ResultOf("aten::scalar_tensor.out", {3}), Tensor<float>({}, {3}));
}

}  // namespace
}  // namespace pteproof
