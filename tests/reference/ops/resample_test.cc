#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

MATCHER_P(ArePixelsNear, wanted, "") {
  return testing::ExplainMatchResult(Pointwise(testing::DoubleNear(1e-5), wanted), arg,
                                     result_listener);
}

const TensorValue& Row() {
  static const TensorValue row = Tensor<float>({1, 1, 1, 2}, {0, 8});
  return row;
}

TEST(UpsampleNearest, RepeatsPixels) {
  EXPECT_EQ(ResultOf("aten::upsample_nearest2d.vec_out", {Row(), std::vector{2, 3}, kNone}),
            Tensor<float>({1, 1, 2, 3}, {0, 0, 8, 0, 0, 8}));
}

TEST(UpsampleNearest, TakesFactors) {
  EXPECT_EQ(ResultOf("aten::upsample_nearest2d.vec_out",
                     {Tensor<uint8_t>({1, 1, 1, 2}, {7, 9}), kNone, std::vector{1.0, 2.5}}),
            Tensor<uint8_t>({1, 1, 1, 5}, {7, 7, 7, 9, 9}));
}

TEST(Upsampling, HasSizesThatDependOnTheDims) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType image = {ScalarType::kFloat32, {1, 3, n, 2 * n}};
  EXPECT_EQ(
      TypeOfOp("aten::upsample_nearest2d.vec_out", {image, kNone, std::vector{2.0, 0.75}}).sizes,
      (std::vector<SizeExpr>{1, 3, 2 * n, FloorDiv(6 * n, 4)}));
  EXPECT_FALSE(
      TypesOfOp("aten::upsample_nearest2d.vec_out", {image, kNone, std::vector{2.0, 1.0 / 3}})
          .ok());
}

TEST(Upsampling, RefusesWhatGivesNoSize) {
  EXPECT_THAT(FaultOf("aten::upsample_nearest2d.vec_out", {Row(), kNone, kNone}),
              HasSubstr("output_size or scale_factors"));
  EXPECT_THAT(FaultOf("aten::upsample_nearest2d.vec_out", {Row(), kNone, std::vector{kNan, 1.0}}),
              HasSubstr("scale factor"));
  EXPECT_THAT(FaultOf("aten::upsample_nearest2d.vec_out",
                      {Tensor<float>({1, 1, 0, 1}, {}), std::vector{1, 1}, kNone}),
              HasSubstr("no elements"));
}

TEST(UpsampleBilinear, WeighsByDistance) {
  EXPECT_EQ(ResultOf("aten::upsample_bilinear2d.vec_out", {Row(), std::vector{1, 4}, false, kNone}),
            Tensor<float>({1, 1, 1, 4}, {0, 2, 6, 8}));
  EXPECT_EQ(ResultOf("aten::upsample_bilinear2d.vec_out", {Row(), std::vector{1, 5}, true, kNone}),
            Tensor<float>({1, 1, 1, 5}, {0, 2, 4, 6, 8}));
}

TEST(UpsampleBilinear, RoundsBytesAfterEachDimension) {
  // The rows become 0, 1, 2, 3 and 2, 2, 3, 3; what lies between them rounds halves up.
  const auto bytes = Tensor<uint8_t>({1, 1, 2, 2}, {0, 3, 2, 3});
  const auto larger =
      ResultOf("aten::upsample_bilinear2d.vec_out", {bytes, std::vector{3, 4}, false, kNone});
  EXPECT_THAT(IntsOf(larger), ElementsAre(0, 1, 2, 3, 1, 2, 3, 3, 2, 2, 3, 3));
}

TEST(UpsampleAntialias, TakesTheWholeShareOfAPixel) {
  // Down to a half the triangle reaches two pixels to both sides of 1 and of 3: of those inside
  // the image the weights are 3/7, 3/7, 1/7 and 1/7, 3/7, 3/7.
  const auto row = Tensor<float>({1, 1, 1, 4}, {7, 0, 0, 14});
  const auto half =
      ResultOf("aten::_upsample_bilinear2d_aa.out", {row, std::vector{1, 2}, false, kNone, kNone});
  EXPECT_THAT(RealsOf(half), ArePixelsNear(std::vector{3.0, 6.0}));
}

TEST(UpsampleAntialias, RefusesAFactorThatDoesNotFit) {
  EXPECT_THAT(
      FaultOf("aten::_upsample_bilinear2d_aa.out", {Row(), std::vector{1, 2}, false, kNone, 1e-9}),
      HasSubstr("scale factor"));
}

enum Mode { kBilinear, kNearest, kBicubic };
enum Beyond { kZeros, kBorder, kReflection };

std::vector<double> Sampled(const std::vector<double>& places, Mode mode, Beyond beyond,
                            bool align) {
  const auto image = Tensor<double>({1, 1, 1, 4}, {1, 2, 4, 8});
  std::vector<double> grid;
  for (const double x : places) grid.insert(grid.end(), {x, 0.0});
  const auto count = static_cast<int64_t>(places.size());
  return RealsOf(ResultOf("aten::grid_sampler_2d.out",
                          {image, Reals(ScalarType::kFloat64, {1, 1, count, 2}, grid),
                           static_cast<int>(mode), static_cast<int>(beyond), align}));
}

TEST(GridSample, GoesFromEdgeToEdge) {
  // -1 and 1 are the pixels' outer edges: the centres are at -0.75, -0.25, 0.25, 0.75.
  EXPECT_THAT(Sampled({-0.75, -0.5, 0.75, 1}, kBilinear, kZeros, false),
              ArePixelsNear(std::vector{1.0, 1.5, 8.0, 4.0}));
  EXPECT_THAT(Sampled({-1, 0, 1}, kBilinear, kZeros, true),
              ArePixelsNear(std::vector{1.0, 3.0, 8.0}));
}

TEST(GridSample, FillsWhatLiesBeyond) {
  EXPECT_THAT(Sampled({-5, 5}, kBilinear, kZeros, false), ElementsAre(0, 0));
  EXPECT_THAT(Sampled({-5, 5}, kBilinear, kBorder, false), ElementsAre(1, 8));
  // 1.25 mirrors to 0.75, and -1.75 to -0.25.
  EXPECT_THAT(Sampled({1.25, -1.75}, kBilinear, kReflection, false),
              ArePixelsNear(std::vector{8.0, 2.0}));
}

TEST(GridSample, RoundsHalvesToEvenPixels) {
  EXPECT_THAT(Sampled({-0.5, 0, 0.5}, kNearest, kZeros, false), ElementsAre(1, 4, 4));
}

TEST(GridSample, SmoothsWithACubic) {
  // In the middle the weights are -3/32, 19/32, 19/32, -3/32.
  EXPECT_THAT(Sampled({0}, kBicubic, kZeros, false),
              ArePixelsNear(std::vector{(-3 * 1 + 19 * 2 + 19 * 4 - 3 * 8) / 32.0}));
}

TEST(GridSample, TakesNanForAPlaceOutside) {
  EXPECT_THAT(Sampled({kNan, 1e300}, kNearest, kZeros, false), ElementsAre(0, 0));
  EXPECT_THAT(Sampled({kNan}, kBilinear, kBorder, false), ElementsAre(1));
}

TEST(GridSample, RefusesUnknownModes) {
  const auto grid = Tensor<float>({1, 1, 1, 2}, {0, 0});
  EXPECT_THAT(FaultOf("aten::grid_sampler_2d.out", {Row(), grid, 3, 0, false}), HasSubstr("mode"));
}

TEST(Fft, OfARealSignalHasHalfTheTerms) {
  const auto signal = Tensor<float>({4}, {1, 2, 3, 4});
  const auto terms = ResultOf("aten::_fft_r2c.out", {signal, std::vector{0}, 0, true});
  EXPECT_EQ(terms.dtype, ScalarType::kComplex64);
  ASSERT_EQ(terms.sizes, Sizes({3}));
  const std::vector<std::complex<double>> wanted = {10, {-2, 2}, -2};
  for (int64_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(std::abs(ComplexAt(terms, k) - wanted[static_cast<size_t>(k)]), 0, 1e-6) << k;
  }
}

TEST(Fft, ComesBackFromHalfTheTerms) {
  for (const int64_t size : {4, 5}) {
    std::vector<double> numbers;
    for (int64_t i = 0; i < 2 * size; ++i) numbers.push_back(static_cast<double>(i * i % 7));
    const auto signal = Reals(ScalarType::kFloat64, {2, size}, numbers);
    const auto terms = ResultOf("aten::_fft_r2c.out", {signal, std::vector{0, 1}, 1, true});
    const auto back =
        ResultOf("aten::_fft_c2r.out", {terms, std::vector{0, 1}, 1, static_cast<int>(size)});
    EXPECT_EQ(back.sizes, signal.sizes);
    EXPECT_THAT(RealsOf(back), ArePixelsNear(numbers));
  }
}

TEST(Fft, RefusesSizesAndModesThatDoNotFit) {
  const auto terms = Zeros(ScalarType::kComplex64, {3});
  EXPECT_THAT(FaultOf("aten::_fft_c2r.out", {terms, std::vector{0}, 0, 8}),
              HasSubstr("last_dim_size"));
  EXPECT_THAT(FaultOf("aten::_fft_c2r.out", {terms, std::vector{0}, 3, 4}),
              HasSubstr("normalization"));
  EXPECT_THAT(FaultOf("aten::_fft_c2r.out", {terms, std::vector{0, 0}, 0, 4}), HasSubstr("twice"));
}

}  // namespace
}  // namespace pteproof
