#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::HasSubstr;

struct Attributes {
  std::vector<int> stride = {1};
  std::vector<int> padding = {0};
  std::vector<int> dilation = {1};
  bool transposed = false;
  std::vector<int> output_padding = {0};
  int groups = 1;
};

std::vector<Operand> Operands(const TensorValue& input, const TensorValue& weight,
                              const Operand& bias, const Attributes& a) {
  return {input,        weight,           bias,    a.stride, a.padding, a.dilation,
          a.transposed, a.output_padding, a.groups};
}

TensorValue Convolved(const TensorValue& input, const TensorValue& weight, const Attributes& a = {},
                      const Operand& bias = kNone) {
  return ResultOf("aten::convolution.out", Operands(input, weight, bias, a));
}

std::string Fault(const TensorValue& input, const TensorValue& weight, const Attributes& a = {},
                  const Operand& bias = kNone) {
  return FaultOf("aten::convolution.out", Operands(input, weight, bias, a));
}

const TensorValue& Signal() {
  static const TensorValue signal = Tensor<float>({1, 1, 5}, {1, 2, 3, 4, 5});
  return signal;
}

const TensorValue& Difference() {
  static const TensorValue difference = Tensor<float>({1, 1, 2}, {-1, 10});
  return difference;
}

TEST(Convolution, SlidesTheKernelWithoutTurningIt) {
  EXPECT_EQ(Convolved(Signal(), Difference()), Tensor<float>({1, 1, 4}, {19, 28, 37, 46}));
}

TEST(Convolution, TakesStridePaddingAndDilation) {
  // Windows start at -1, 1, 3 and take elements 2 apart: (0, 2), (2, 4), (4, 0).
  EXPECT_EQ(Convolved(Signal(), Difference(), {.stride = {2}, .padding = {1}, .dilation = {2}}),
            Tensor<float>({1, 1, 3}, {20, 38, -4}));
}

TEST(Convolution, AddsChannelsAndBias) {
  const auto input = Tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  const auto weight = Tensor<float>({2, 2, 1, 1}, {1, 1, 1, -1});
  EXPECT_EQ(Convolved(input, weight, {}, Tensor<float>({2}, {0, 10})),
            Tensor<float>({1, 2, 1, 2}, {4, 6, 8, 8}));
}

TEST(Convolution, KeepsGroupsApart) {
  const auto input = Tensor<float>({1, 2, 1, 2}, {1, 2, 3, 4});
  const auto weight = Tensor<float>({4, 1, 1, 1}, {1, 2, 3, 4});
  EXPECT_EQ(Convolved(input, weight, {.groups = 2}),
            Tensor<float>({1, 4, 1, 2}, {1, 2, 2, 4, 9, 12, 12, 16}));
}

TEST(Convolution, SlidesInTwoDimensions) {
  const auto input = Tensor<float>({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto weight = Tensor<float>({1, 1, 2, 2}, {1, 10, 100, 1000});
  EXPECT_EQ(Convolved(input, weight), Tensor<float>({1, 1, 2, 2}, {5421, 6532, 8754, 9865}));
  // Rows two apart, columns one.
  EXPECT_EQ(Convolved(input, weight, {.stride = {2, 1}, .padding = {1, 0}}),
            Tensor<float>({1, 1, 2, 2}, {2100, 3200, 8754, 9865}));
}

TEST(Convolution, TransposedSpreadsTheKernel) {
  const auto input = Tensor<float>({1, 1, 2}, {1, 2});
  const Attributes spread = {.stride = {3}, .transposed = true};
  EXPECT_EQ(Convolved(input, Difference(), spread), Tensor<float>({1, 1, 5}, {-1, 10, 0, -2, 20}));
  const Attributes cut = {.stride = {3}, .padding = {1}, .transposed = true, .output_padding = {1}};
  EXPECT_EQ(Convolved(input, Difference(), cut), Tensor<float>({1, 1, 4}, {10, 0, -2, 20}));
}

TEST(Convolution, OfIntegersIsExact) {
  const int64_t large = (int64_t{1} << 60) + 1;
  EXPECT_EQ(Convolved(Tensor<int64_t>({1, 1, 1}, {large}), Tensor<int64_t>({1, 1, 1}, {3})),
            Tensor<int64_t>({1, 1, 1}, {3 * large}));
}

TEST(Convolution, OfNoImagesIsNone) {
  EXPECT_EQ(Convolved(Tensor<float>({0, 1, 2}, {}), Difference()), Tensor<float>({0, 1, 1}, {}));
}

TEST(Convolution, RefusesWhatDoesNotFit) {
  EXPECT_THAT(Fault(Tensor<float>({1, 1, 1}, {1}), Difference()), HasSubstr("larger than"));
  EXPECT_THAT(Fault(Signal(), Difference(), {.groups = 2}), HasSubstr("groups"));
  EXPECT_THAT(Fault(Signal(), Difference(), {.stride = {0}}), HasSubstr("out of range"));
  EXPECT_THAT(Fault(Signal(), Difference(), {.padding = {-1}}), HasSubstr("out of range"));
  EXPECT_THAT(Fault(Signal(), Difference(), {.dilation = {1, 1}}), HasSubstr("out of range"));
  EXPECT_THAT(Fault(Signal(), Tensor<float>({1, 2, 1}, {1, 2})), HasSubstr("channels"));
  EXPECT_THAT(Fault(Signal(), Difference(), {}, Tensor<float>({2}, {1, 2})), HasSubstr("bias"));
  const Attributes padded = {.transposed = true, .output_padding = {1}};
  EXPECT_THAT(Fault(Signal(), Difference(), padded), HasSubstr("output padding"));
}

TEST(Convolution, HasSizesThatDependOnTheDims) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType image = {ScalarType::kFloat32, {n, 3, 2 * n, 8}};
  const TensorType weight = {ScalarType::kFloat32, {5, 3, 3, 3}};
  const std::vector<SizeExpr> two = {2};
  const std::vector<SizeExpr> one = {1};
  const auto type =
      TypeOfOp("aten::convolution.out", {image, weight, kNone, two, one, one, false, one, 1});
  // (2n + 2 - 3) / 2 + 1 rows.
  EXPECT_EQ(type.sizes, (std::vector<SizeExpr>{n, 5, FloorDiv(2 * n - 1, 2) + 1, 4}));
}

std::vector<TensorValue> Gradients(const std::vector<bool>& mask) {
  // A convolution of [1, 2, 3] with [3, 4], of which the results' gradients are 10 and 100.
  return ResultsOf("aten::convolution_backward.out",
                   {Tensor<float>({1, 1, 1, 2}, {10, 100}), Tensor<float>({1, 1, 1, 3}, {1, 2, 3}),
                    Tensor<float>({1, 1, 1, 2}, {3, 4}), kNone, std::vector{1}, std::vector{0},
                    std::vector{1}, false, std::vector{0}, 1, mask});
}

TEST(ConvolutionBackward, HandsGradientsToInputWeightAndBias) {
  const auto gradients = Gradients({true, true, true});
  ASSERT_EQ(gradients.size(), 3U);
  EXPECT_EQ(gradients[0], Tensor<float>({1, 1, 1, 3}, {30, 340, 400}));
  EXPECT_EQ(gradients[1], Tensor<float>({1, 1, 1, 2}, {210, 320}));
  EXPECT_EQ(gradients[2], Tensor<float>({1}, {110}));
}

TEST(ConvolutionBackward, LeavesOutWhatIsMasked) {
  const auto gradients = Gradients({false, true, false});
  ASSERT_EQ(gradients.size(), 3U);
  EXPECT_EQ(gradients[0].sizes, Sizes({0}));
  EXPECT_EQ(gradients[1], Tensor<float>({1, 1, 1, 2}, {210, 320}));
  EXPECT_EQ(gradients[2].sizes, Sizes({0}));
}

TEST(ConvolutionBackward, RefusesAGradientOfOtherSizes) {
  const auto image = Tensor<float>({1, 1, 1, 2}, {1, 2});
  EXPECT_THAT(FaultOf("aten::convolution_backward.out",
                      {image, image, image, kNone, std::vector{1}, std::vector{0}, std::vector{1},
                       false, std::vector{0}, 1, std::vector<bool>{true, true, true}}),
              HasSubstr("sizes"));
}

}  // namespace
}  // namespace pteproof
