// Single kernels, on values worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "tests/runtime/kernel_arguments.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::NanSensitiveFloatEq;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(ElementwiseKernels, SpreadAndPromoteTheirOperands) {
  Arguments args;
  args.Add<float>({2, 1}, {0.5, 10});
  args.Add<int64_t>({3}, {1, 2, 3});
  args.Add(int64_t{2});  // alpha
  TensorRef& out = args.Add<float>({2, 3}, std::vector<float>(6));
  EXPECT_EQ(args.Run("aten::add.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(2.5, 4.5, 6.5, 12, 14, 16));
}

TEST(ElementwiseKernels, GiveTheirResultsSizes) {
  Arguments args;
  args.Add<float>({2}, {1, 2});
  args.Add<float>({}, {3});
  TensorRef& out = args.Add<float>({4}, std::vector<float>(4));
  EXPECT_EQ(args.Run("aten::mul.out"), "");
  EXPECT_THAT(out.sizes, ElementsAre(2));
  EXPECT_THAT(Elements<float>(out), ElementsAre(3, 6));

  Arguments misfit;
  misfit.Add<float>({2}, {1, 2});
  misfit.Add<float>({3}, {1, 2, 3});
  misfit.Add<float>({3}, {0, 0, 0});
  EXPECT_EQ(misfit.Run("aten::mul.out"), "the operands' sizes do not match");
}

TEST(ElementwiseKernels, MayHaveAnOperandUnderTheResult) {
  std::vector<float> numbers(600);
  std::iota(numbers.begin(), numbers.end(), -300.0F);
  Arguments args;
  const TensorRef& self = args.Add<float>({600}, numbers);
  args.Add(0.5);
  TensorRef& out = args.Add<uint8_t>({600}, std::vector<uint8_t>(600));
  SetHome(out, self.memory());
  EXPECT_EQ(args.Run("aten::gt.Scalar_out"), "");
  const auto flags = Elements<uint8_t>(out);
  EXPECT_EQ(std::accumulate(flags.begin(), flags.end(), 0), 299);
  EXPECT_EQ(flags[300], 0);
  EXPECT_EQ(flags[301], 1);
}

TEST(ElementwiseKernels, WriteSelfWhereTheyMutateIt) {
  Arguments args;
  const TensorRef& self = args.Add<int8_t>({3}, {1, 100, -128});
  args.Add<int8_t>({}, {2});
  EXPECT_EQ(args.Run("aten::mul_.Tensor"), "");
  EXPECT_THAT(Elements<int8_t>(self), ElementsAre(2, -56, 0));
}

TEST(ElementwiseKernels, TakeAnyByteButZeroForTrue) {
  Arguments args;
  args.Add<uint8_t>({3}, {0, 1, 2});
  args.Add<float>({3}, {1, 2, kNan});
  args.Add<float>({}, {9});
  TensorRef& out = args.Add<float>({3}, {0, 0, 0});
  EXPECT_EQ(args.Run("aten::where.self_out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(9, 2, NanSensitiveFloatEq(kNan)));
}

TEST(DivisionKernels, RefuseAnIntegerDivisorOfZero) {
  Arguments args;
  args.Add<int64_t>({2}, {7, -7});
  args.Add<int64_t>({2}, {2, 0});
  args.Add<int64_t>({2}, {0, 0});
  EXPECT_EQ(args.Run("aten::remainder.Tensor_out"), "an integer is divided by zero");
  Arguments others;
  others.Add<int64_t>({2}, {7, -7});
  others.Add<int64_t>({2}, {2, 3});
  const TensorRef& out = others.Add<int64_t>({2}, {0, 0});
  EXPECT_EQ(others.Run("aten::remainder.Tensor_out"), "");
  EXPECT_THAT(Elements<int64_t>(out), ElementsAre(1, 2));
}

TEST(ReduceKernels, GoOverTheDimensionsNamed) {
  Arguments args;
  args.Add<float>({2, 3}, {1, 2, 3, 10, 20, 30});
  args.AddList({0});
  args.Add(true);
  args.AddNone();
  TensorRef& out = args.Add<float>({1, 3}, {0, 0, 0});
  EXPECT_EQ(args.Run("aten::sum.IntList_out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(11, 22, 33));
}

TEST(ReduceKernels, FindTheFirstNan) {
  Arguments args;
  args.Add<float>({2, 3}, {1, kNan, kNan, 4, 6, 6});
  args.Add(int64_t{-1});
  args.Add(false);
  const TensorRef& values = args.Add<float>({2}, {0, 0});
  const TensorRef& places = args.Add<int64_t>({2}, {0, 0});
  EXPECT_EQ(args.Run("aten::max.dim_max"), "");
  EXPECT_THAT(Elements<float>(values), ElementsAre(NanSensitiveFloatEq(kNan), 6));
  EXPECT_THAT(Elements<int64_t>(places), ElementsAre(1, 1));
}

TEST(SoftmaxKernel, SharesOutALine) {
  Arguments args;
  args.Add<float>({2, 1}, {0, std::log(3.0F)});
  args.Add(int64_t{0});
  args.Add(false);
  const TensorRef& out = args.Add<float>({2, 1}, {0, 0});
  EXPECT_EQ(args.Run("aten::_softmax.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(FloatEq(0.25), FloatEq(0.75)));
}

TEST(ProductKernels, AddWhatIsThere) {
  Arguments args;
  args.Add<float>({2}, {100, 200});
  args.Add<float>({2, 2}, {1, 2, 3, 4});
  args.Add<float>({2, 2}, {5, 6, 7, 8});
  args.Add(int64_t{1});
  args.Add(int64_t{2});
  const TensorRef& out = args.Add<float>({2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(args.Run("aten::addmm.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(138, 244, 186, 300));
}

TEST(IndexKernels, RefusePlacesOutside) {
  for (const int64_t place : {int64_t{2}, int64_t{-1}}) {
    Arguments args;
    args.Add<float>({2, 1}, {1, 2});
    args.Add<int64_t>({2}, {0, place});
    args.Add(int64_t{-1});
    args.Add(false);
    args.Add(false);
    args.Add<float>({2, 1}, {0, 0});
    EXPECT_EQ(args.Run("aten::embedding.out"), "an index is out of range") << place;
  }
}

TEST(IndexKernels, SelectByAMask) {
  Arguments args;
  args.Add<float>({2, 2}, {1, 2, 3, 4});
  args.Add<uint8_t>({2, 2}, {1, 0, 0, 5});
  args.WrapLast();
  TensorRef& out = args.Add<float>({4}, {0, 0, 0, 0});
  EXPECT_EQ(args.Run("aten::index.Tensor_out"), "");
  EXPECT_THAT(out.sizes, ElementsAre(2));
  EXPECT_THAT(Elements<float>(out), ElementsAre(1, 4));
}

TEST(ConvolutionKernel, SlidesOverAPaddedSignal) {
  Arguments args;
  args.Add<float>({1, 1, 4}, {1, 2, 3, 4});
  args.Add<float>({1, 1, 3}, {1, 0, -1});
  args.Add<float>({1}, {10});
  for (const int64_t attribute : {1, 1, 1}) args.AddList({attribute});
  args.Add(false);
  args.AddList({0});
  args.Add(int64_t{1});
  const TensorRef& out = args.Add<float>({1, 1, 4}, {0, 0, 0, 0});
  EXPECT_EQ(args.Run("aten::convolution.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(8, 8, 8, 13));
}

TEST(OrderKernels, KeepEqualElementsInOrder) {
  Arguments args;
  args.Add<float>({4}, {2, kNan, 1, 2});
  args.Add(int64_t{0});
  args.Add(false);
  const TensorRef& values = args.Add<float>({4}, {0, 0, 0, 0});
  const TensorRef& places = args.Add<int64_t>({4}, {0, 0, 0, 0});
  EXPECT_EQ(args.Run("aten::sort.values"), "");
  EXPECT_THAT(Elements<float>(values), ElementsAre(1, 2, 2, NanSensitiveFloatEq(kNan)));
  EXPECT_THAT(Elements<int64_t>(places), ElementsAre(2, 0, 3, 1));
}

TEST(QuantizedKernels, RoundHalvesToEvenWithinTheRange) {
  Arguments args;
  args.Add<float>({5}, {0.25, 0.75, -1.25, 100, -100});
  args.Add(0.5);
  args.Add(int64_t{1});
  args.Add(int64_t{-8});
  args.Add(int64_t{7});
  args.Add(int64_t{1});  // int8
  const TensorRef& out = args.Add<int8_t>({5}, {0, 0, 0, 0, 0});
  EXPECT_EQ(args.Run("quantized_decomposed::quantize_per_tensor.out"), "");
  EXPECT_THAT(Elements<int8_t>(out), ElementsAre(1, 3, -1, 7, -8));
}

TEST(ResampleKernel, RepeatsTheNearest) {
  Arguments args;
  args.Add<float>({1, 1, 1, 2}, {3, 5});
  args.AddList({2, 3});
  args.AddNone();
  const TensorRef& out = args.Add<float>({1, 1, 2, 3}, std::vector<float>(6));
  EXPECT_EQ(args.Run("aten::upsample_nearest2d.vec_out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(3, 3, 5, 3, 3, 5));
}

}  // namespace
}  // namespace pteproof
