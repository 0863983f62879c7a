// Kernels on images, signals and rows, on values worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "tests/runtime/kernel_arguments.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;

std::vector<float> Blank(size_t count) {
  return std::vector<float>(count, -99);
}

TEST(BilinearKernel, WeighsTheTwoNearest) {
  Arguments aligned;
  aligned.Add<float>({1, 1, 2, 2}, {1, 3, 5, 7});
  aligned.AddList({3, 3});
  aligned.Add(true);
  aligned.AddNone();
  const TensorRef& square = aligned.Add<float>({1, 1, 3, 3}, Blank(9));
  EXPECT_EQ(aligned.Run("aten::upsample_bilinear2d.vec_out"), "");
  EXPECT_THAT(Elements<float>(square), ElementsAre(1, 2, 3, 3, 4, 5, 5, 6, 7));

  Arguments args;
  args.Add<float>({1, 1, 1, 2}, {0, 4});
  args.AddList({1, 4});
  args.Add(false);
  args.AddNone();
  const TensorRef& line = args.Add<float>({1, 1, 1, 4}, Blank(4));
  EXPECT_EQ(args.Run("aten::upsample_bilinear2d.vec_out"), "");
  EXPECT_THAT(Elements<float>(line), ElementsAre(0, 1, 3, 4));
}

// Halved, a triangle is two elements wide on each side: of its weights 1, 3, 3, 1 an edge cuts one.
TEST(BilinearKernel, WeighsAllBelowATriangle) {
  Arguments args;
  args.Add<float>({1, 1, 1, 4}, {7, 14, 21, 28});
  args.AddList({1, 2});
  args.Add(false);
  args.AddNone();
  args.AddNone();
  const TensorRef& out = args.Add<float>({1, 1, 1, 2}, Blank(2));
  EXPECT_EQ(args.Run("aten::_upsample_bilinear2d_aa.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(FloatEq(12), FloatEq(23)));
}

TEST(GridKernel, SamplesBetweenPixelsAndOutside) {
  Arguments args;
  args.Add<float>({1, 1, 2, 2}, {1, 2, 3, 4});
  args.Add<float>({1, 1, 3, 2}, {0, 0, -1, 1, 5, 5});
  args.Add(int64_t{0});
  args.Add(int64_t{0});
  args.Add(true);
  const TensorRef& out = args.Add<float>({1, 1, 1, 3}, Blank(3));
  EXPECT_EQ(args.Run("aten::grid_sampler_2d.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(2.5, 3, 0));
}

TEST(AdaptivePoolKernel, TakesTheMeanOfOverlappingShares) {
  Arguments args;
  args.Add<float>({1, 1, 3}, {1, 2, 4});
  args.AddList({1, 2});
  const TensorRef& out = args.Add<float>({1, 1, 2}, Blank(2));
  EXPECT_EQ(args.Run("aten::_adaptive_avg_pool2d.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(1.5, 3));
}

void AddWindow(Arguments& args) {
  args.AddList({1, 2});
  args.AddList({1, 1});
  args.AddList({0, 0});
  args.AddList({1, 1});
  args.Add(false);
}

TEST(MaxPoolBackwardKernel, AddsUpTheGradientsOfOnePlace) {
  Arguments args;
  args.Add<float>({1, 1, 2}, {10, 100});
  args.Add<float>({1, 1, 3}, {1, 9, 2});
  AddWindow(args);
  args.Add<int64_t>({1, 1, 2}, {1, 1});
  const TensorRef& out = args.Add<float>({1, 1, 3}, Blank(3));
  EXPECT_EQ(args.Run("aten::max_pool2d_with_indices_backward.grad_input"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(0, 110, 0));
}

TEST(MaxPoolBackwardKernel, RefusesAPlaceOutsideBeforeItWrites) {
  Arguments args;
  args.Add<float>({1, 1, 2}, {10, 100});
  args.Add<float>({1, 1, 3}, {1, 9, 2});
  AddWindow(args);
  args.Add<int64_t>({1, 1, 2}, {1, 3});
  const TensorRef& out = args.Add<float>({1, 1, 3}, Blank(3));
  EXPECT_EQ(args.Run("aten::max_pool2d_with_indices_backward.grad_input"),
            "an index is not in the image");
  EXPECT_THAT(Elements<float>(out), ElementsAre(-99, -99, -99));
}

// The result is [1 * 1 + 2 * 10, 2 * 1 + 3 * 10].
TEST(ConvolutionBackwardKernel, GivesTheGradientsOfInputWeightAndBias) {
  Arguments args;
  args.Add<float>({1, 1, 2}, {1, 4});
  args.Add<float>({1, 1, 3}, {1, 2, 3});
  args.Add<float>({1, 1, 2}, {1, 10});
  args.AddNone();
  for (const int64_t attribute : {1, 0, 1}) args.AddList({attribute});
  args.Add(false);
  args.AddList({0});
  args.Add(int64_t{1});
  args.AddFlags({true, true, true});
  const TensorRef& input = args.Add<float>({1, 1, 3}, Blank(3));
  const TensorRef& weight = args.Add<float>({1, 1, 2}, Blank(2));
  const TensorRef& bias = args.Add<float>({1}, Blank(1));
  EXPECT_EQ(args.Run("aten::convolution_backward.out"), "");
  EXPECT_THAT(Elements<float>(input), ElementsAre(1, 14, 40));
  EXPECT_THAT(Elements<float>(weight), ElementsAre(9, 14));
  EXPECT_THAT(Elements<float>(bias), ElementsAre(5));
}

TEST(DistanceKernels, MeasureByThePNorm) {
  for (const auto& [p, distance] : {std::pair{1.0, 7.0F}, {2.0, 5.0F}, {0.0, 2.0F}}) {
    Arguments args;
    args.Add<float>({2, 2}, {0, 0, 3, 4});
    args.Add<float>({1, 2}, {3, 4});
    args.Add(p);
    args.AddNone();
    const TensorRef& out = args.Add<float>({2, 1}, Blank(2));
    EXPECT_EQ(args.Run("aten::_cdist_forward.out"), "");
    EXPECT_THAT(Elements<float>(out), ElementsAre(distance, 0)) << p;
  }
}

// The transform of an impulse is 1 everywhere, of a constant an impulse.
TEST(FourierKernels, TransformThereAndBack) {
  using Number = std::complex<float>;
  Arguments there;
  there.Add<float>({6}, {0, 1, 0, 0, 0, 0});
  there.AddList({0});
  there.Add(int64_t{0});
  there.Add(true);
  const TensorRef& terms = there.Add<Number>({4}, std::vector<Number>(4));
  EXPECT_EQ(there.Run("aten::_fft_r2c.out"), "");
  const auto got = Elements<Number>(terms);
  for (size_t k = 0; k < 4; ++k) {
    const Number turned = std::polar(1.0F, -static_cast<float>(k) * 3.14159265F / 3);
    EXPECT_LT(std::abs(got[k] - turned), 1e-6) << k;
  }

  Arguments back;
  back.Add<Number>({4}, {6, 0, 0, 0});
  back.AddList({0});
  back.Add(int64_t{2});
  back.Add(int64_t{6});
  const TensorRef& line = back.Add<float>({6}, Blank(6));
  EXPECT_EQ(back.Run("aten::_fft_c2r.out"), "");
  EXPECT_THAT(Elements<float>(line), ElementsAre(1, 1, 1, 1, 1, 1));
}

}  // namespace
}  // namespace pteproof
