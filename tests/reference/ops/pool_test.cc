#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::NanSensitiveDoubleEq;

const TensorValue& Image() {
  static const TensorValue image = Tensor<float>({1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  return image;
}

struct Pooling {
  std::vector<int> kernel = {2};
  std::vector<int> stride = {};
  std::vector<int> padding = {0};
  bool ceil = false;
  bool count_padding = true;
  Operand divisor = kNone;
};

std::vector<Operand> Averaging(const TensorValue& image, const Pooling& a) {
  return {image, a.kernel, a.stride, a.padding, a.ceil, a.count_padding, a.divisor};
}

TensorValue Averaged(const TensorValue& image, const Pooling& a = {}) {
  return ResultOf("aten::avg_pool2d.out", Averaging(image, a));
}

TEST(AvgPool, StridesByTheKernelWhenNoStrideIsGiven) {
  EXPECT_EQ(Averaged(Image()), Tensor<float>({1, 1, 1}, {3}));
  EXPECT_EQ(Averaged(Image(), {.stride = {1}}), Tensor<float>({1, 2, 2}, {3, 4, 6, 7}));
}

TEST(AvgPool, CountsPaddingOnlyWhenAsked) {
  const Pooling counted = {.stride = {2}, .padding = {1}};
  EXPECT_EQ(Averaged(Image(), counted), Tensor<float>({1, 2, 2}, {0.25F, 1.25F, 2.75F, 7}));
  const Pooling inside = {.stride = {2}, .padding = {1}, .count_padding = false};
  EXPECT_EQ(Averaged(Image(), inside), Tensor<float>({1, 2, 2}, {1, 2.5F, 5.5F, 7}));
}

TEST(AvgPool, WithCeilHasAWindowThatReachesOut) {
  // The window beyond the edge counts only what lies in the image and its padding.
  EXPECT_EQ(Averaged(Image(), {.ceil = true}), Tensor<float>({1, 2, 2}, {3, 4.5F, 7.5F, 9}));
  // But none that starts beyond the image.
  EXPECT_EQ(Averaged(Image(), {.kernel = {1}, .stride = {3}, .ceil = true}).sizes,
            Sizes({1, 1, 1}));
}

TEST(AvgPool, DividesByTheNumberGiven) {
  EXPECT_EQ(Averaged(Image(), {.divisor = -3}), Tensor<float>({1, 1, 1}, {-4}));
  EXPECT_THAT(FaultOf("aten::avg_pool2d.out", Averaging(Image(), {.divisor = 0})),
              HasSubstr("divisor_override"));
}

TEST(AvgPool, OfIntegersTruncates) {
  EXPECT_EQ(Averaged(Tensor<int64_t>({1, 1, 2}, {-1, -2}), {.kernel = {1, 2}}),
            Tensor<int64_t>({1, 1, 1}, {-1}));
}

TEST(AvgPool, RefusesWindowsThatDoNotFit) {
  const auto fault = [](const Pooling& a) {
    return FaultOf("aten::avg_pool2d.out", Averaging(Image(), a));
  };
  EXPECT_THAT(fault({.kernel = {4}}), HasSubstr("larger than"));
  EXPECT_THAT(fault({.kernel = {0}}), HasSubstr("out of range"));
  EXPECT_THAT(fault({.stride = {0}}), HasSubstr("out of range"));
  EXPECT_THAT(fault({.padding = {2}}), HasSubstr("out of range"));
}

TEST(AdaptiveAvgPool, TakesSharesRoundedOutwards) {
  const auto pooled = ResultOf("aten::_adaptive_avg_pool2d.out", {Image(), std::vector{1, 2}});
  EXPECT_EQ(pooled, Tensor<float>({1, 1, 2}, {4.5F, 5.5F}));  // two columns each
  const auto spread = ResultOf("aten::_adaptive_avg_pool2d.out",
                               {Tensor<float>({1, 1, 1}, {3}), std::vector{2, 1}});
  EXPECT_EQ(spread, Tensor<float>({1, 2, 1}, {3, 3}));
}

TEST(AdaptiveAvgPool, RefusesNegativeSizes) {
  EXPECT_NE(FaultOf("aten::_adaptive_avg_pool2d.out", {Image(), std::vector{-1, 2}}), "");
}

std::vector<TensorValue> Largest(const TensorValue& image, const std::vector<int>& kernel,
                                 const std::vector<int>& padding,
                                 const std::vector<int>& dilation = {1}) {
  return ResultsOf("aten::max_pool2d_with_indices.out",
                   {image, kernel, std::vector{1}, padding, dilation, false});
}

TEST(MaxPool, GivesTheLargestAndWhereItIs) {
  const auto pooled = Largest(Image(), {2, 2}, {0});
  EXPECT_EQ(pooled[0], Tensor<float>({1, 2, 2}, {5, 6, 8, 9}));
  EXPECT_EQ(pooled[1], Tensor<int64_t>({1, 2, 2}, {4, 5, 7, 8}));
}

TEST(MaxPool, PrefersTheFirstOfEquals) {
  const auto pooled = Largest(Tensor<float>({1, 1, 3}, {2, 2, 1}), {1, 3}, {0});
  EXPECT_THAT(IntsOf(pooled[1]), ElementsAre(0));
  const auto low = Largest(Reals(ScalarType::kFloat32, {1, 1, 2}, {-kInf, -kInf}), {1, 2}, {0});
  EXPECT_THAT(RealsOf(low[0]), ElementsAre(-kInf));
  EXPECT_THAT(IntsOf(low[1]), ElementsAre(0));
}

TEST(MaxPool, HandsOnNan) {
  const auto pooled = Largest(Reals(ScalarType::kFloat32, {1, 1, 3}, {1, kNan, 2}), {1, 3}, {0});
  EXPECT_THAT(RealsOf(pooled[0]), ElementsAre(NanSensitiveDoubleEq(kNan)));
  EXPECT_THAT(IntsOf(pooled[1]), ElementsAre(1));
}

TEST(MaxPool, NeverTakesPadding) {
  const auto pooled = Largest(Tensor<int8_t>({1, 1, 2}, {-5, -6}), {1, 2}, {0, 1});
  EXPECT_EQ(pooled[0], Tensor<int8_t>({1, 1, 3}, {-5, -5, -6}));
}

TEST(MaxPool, TakesElementsApart) {
  const auto pooled = Largest(Tensor<float>({1, 1, 4}, {1, 9, 2, 3}), {1, 2}, {0}, {1, 2});
  EXPECT_EQ(pooled[0], Tensor<float>({1, 1, 2}, {2, 9}));
}

TEST(MaxPool, HasSizesThatDependOnTheDims) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const std::vector<SizeExpr> two = {2};
  const auto type = TypeOfOp("aten::max_pool2d_with_indices.out",
                             {TensorType{ScalarType::kFloat32, {1, 1, 4 * n, 6}}, two, two,
                              std::vector<SizeExpr>{0}, std::vector<SizeExpr>{1}, false});
  EXPECT_EQ(type.sizes, (std::vector<SizeExpr>{1, 1, 2 * n, 3}));
}

std::vector<Operand> Backward(const std::vector<int64_t>& indices) {
  return {Tensor<float>({1, 1, 2}, {1, 10}),
          Tensor<float>({1, 1, 3}, {0, 0, 0}),
          std::vector{1, 2},
          std::vector{1},
          std::vector{0},
          std::vector{1},
          false,
          Tensor<int64_t>({1, 1, 2}, indices)};
}

TEST(MaxPoolBackward, AddsGradientsWhereTheyCameFrom) {
  const std::string name = "aten::max_pool2d_with_indices_backward.grad_input";
  EXPECT_EQ(ResultOf(name, Backward({1, 1})), Tensor<float>({1, 1, 3}, {0, 11, 0}));
  EXPECT_THAT(FaultOf(name, Backward({1, 3})), HasSubstr("index 3"));
}

std::vector<Operand> LookingUp(const TensorValue& indices) {
  return {Tensor<float>({2, 2}, {1, 2, 3, 4}), indices, 0, false, false};
}

TEST(Embedding, LooksUpRows) {
  EXPECT_EQ(ResultOf("aten::embedding.out", LookingUp(Tensor<int32_t>({3}, {1, 0, 1}))),
            Tensor<float>({3, 2}, {3, 4, 1, 2, 3, 4}));
  EXPECT_EQ(ResultOf("aten::embedding.out", LookingUp(Tensor<int64_t>({}, {1}))),
            Tensor<float>({2}, {3, 4}));
}

TEST(Embedding, RefusesRowsThatAreNotThere) {
  EXPECT_THAT(FaultOf("aten::embedding.out", LookingUp(Tensor<int64_t>({1}, {2}))),
              HasSubstr("index 2"));
  EXPECT_THAT(FaultOf("aten::embedding.out", LookingUp(Tensor<int64_t>({1}, {-1}))),
              HasSubstr("index -1"));
  EXPECT_THAT(FaultOf("aten::embedding.out", LookingUp(Tensor<float>({1}, {0}))),
              HasSubstr("integers"));
}

}  // namespace
}  // namespace pteproof
