#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kByte = static_cast<int>(ScalarType::kUInt8);
constexpr int kChar = static_cast<int>(ScalarType::kInt8);
constexpr int kInt = static_cast<int>(ScalarType::kInt32);
constexpr int kFloat = static_cast<int>(ScalarType::kFloat32);
constexpr int kHalf = static_cast<int>(ScalarType::kFloat16);
constexpr int kDouble = static_cast<int>(ScalarType::kFloat64);

constexpr std::string_view kQuantize = "quantized_decomposed::quantize_per_tensor.out";
constexpr std::string_view kDequantize = "quantized_decomposed::dequantize_per_tensor.out";

std::vector<int64_t> Quantised(const std::vector<float>& values, double scale, int zero_point) {
  const auto count = static_cast<int64_t>(values.size());
  return IntsOf(
      ResultOf(kQuantize, {Tensor<float>({count}, values), scale, zero_point, -128, 127, kChar}));
}

TEST(Quantize, RoundsHalvesToEvenThenAddsTheZeroPoint) {
  EXPECT_THAT(Quantised({0.5F, 1.5F, 2.5F, -0.5F, -1.5F}, 1, 0), ElementsAre(0, 2, 2, 0, -2));
  EXPECT_THAT(Quantised({0.5F, 1.5F, 2.5F}, 1, 1), ElementsAre(1, 3, 3));
  EXPECT_THAT(Quantised({1, 2}, 0.25, -3), ElementsAre(1, 5));
}

TEST(Quantize, ClampsToTheRange) {
  EXPECT_THAT(Quantised({200, -200, 127, -128}, 1, 0), ElementsAre(127, -128, 127, -128));
  const auto t = Tensor<float>({3}, {-9, 3, 9});
  EXPECT_THAT(IntsOf(ResultOf(kQuantize, {t, 1.0, 0, -8, 7, kChar})), ElementsAre(-8, 3, 7));
}

TEST(Quantize, MultipliesByTheReciprocalInFloat32) {
  // The reciprocal of 0.1F is 10 in float32: 0.75F * 10 is a tie, 0.75F / 0.1F a little less.
  EXPECT_THAT(Quantised({0.75F}, 0.1, 0), ElementsAre(8));
}

TEST(Quantize, SaturatesInfinityAndMakesNaNZero) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_THAT(Quantised({inf, -inf, 3e38F, std::nanf("")}, 1, 0), ElementsAre(127, -128, 127, 0));
}

TEST(Quantize, AddsTheZeroPointInFloat32) {
  // 2^24 + 1 is not a float32.
  const auto t = Tensor<float>({1}, {16777216});
  EXPECT_THAT(IntsOf(ResultOf(kQuantize, {t, 1.0, 1, INT32_MIN, INT32_MAX, kInt})),
              ElementsAre(16777216));
}

TEST(Quantize, TakesEmptyAndScalarTensors) {
  EXPECT_EQ(ResultOf(kQuantize, {Zeros(ScalarType::kFloat32, {0, 2}), 1.0, 0, 0, 255, kByte}).sizes,
            (Sizes{0, 2}));
  EXPECT_THAT(IntsOf(ResultOf(kQuantize, {Tensor<float>({}, {3}), 1.0, 1, 0, 255, kByte})),
              ElementsAre(4));
}

TEST(Quantize, TakesScaleAndZeroPointAsTensors) {
  EXPECT_THAT(IntsOf(ResultOf("quantized_decomposed::quantize_per_tensor.Tensor_out",
                              {Tensor<float>({2}, {1, 2}), Tensor<double>({1}, {0.5}),
                               Tensor<int64_t>({1}, {3}), 0, 255, kByte})),
              ElementsAre(5, 7));
}

TEST(Quantize, HasAScaleForEachChannel) {
  const auto t = Tensor<float>({2, 3}, {1, 2, 3, 1, 2, 3});
  const auto scales = Tensor<double>({2}, {1, 0.5});
  const auto zeros = Tensor<int64_t>({2}, {0, 10});
  for (const int axis : {0, -2}) {
    EXPECT_THAT(IntsOf(ResultOf("quantized_decomposed::quantize_per_channel.out",
                                {t, scales, zeros, axis, -128, 127, kChar})),
                ElementsAre(1, 2, 3, 12, 14, 16));
  }
}

TEST(Quantize, HasAScaleForEachMiddleChannel) {
  const auto t = Tensor<float>({2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1});
  EXPECT_THAT(IntsOf(ResultOf("quantized_decomposed::quantize_per_channel.out",
                              {t, Tensor<double>({2}, {1, 0.25}), Tensor<int64_t>({2}, {0, 0}), 1,
                               -128, 127, kChar})),
              ElementsAre(1, 1, 4, 4, 1, 1, 4, 4));
}

TEST(Quantize, HasAScaleForEachToken) {
  const auto t = Tensor<float>({2, 1, 2}, {1, 2, 1, 2});
  EXPECT_THAT(IntsOf(ResultOf("quantized_decomposed::quantize_per_token.out",
                              {t, Tensor<double>({2, 1, 1}, {1, 0.5}),
                               Tensor<int64_t>({2, 1, 1}, {1, 0}), -128, 127, kChar})),
              ElementsAre(2, 3, 2, 4));
}

TEST(Quantize, RefusesRangesOutsideTheType) {
  const auto t = Tensor<float>({1}, {1});
  EXPECT_THAT(FaultOf(kQuantize, {t, 1.0, 0, -1, 255, kByte}), HasSubstr("range"));
  EXPECT_THAT(FaultOf(kQuantize, {t, 1.0, 0, -128, 128, kChar}), HasSubstr("range"));
  EXPECT_THAT(FaultOf(kQuantize, {t, 1.0, 0, 5, 4, kChar}), HasSubstr("range"));
}

TEST(Quantize, RefusesTypesThatAreNoneOrNotQuantised) {
  const auto t = Tensor<float>({1}, {1});
  EXPECT_THAT(FaultOf(kQuantize, {t, 1.0, 0, 0, 1, 99}), HasSubstr("not an element type"));
  EXPECT_THAT(FaultOf(kQuantize, {t, 1.0, 0, 0, 1, -1}), HasSubstr("not an element type"));
  EXPECT_THAT(FaultOf(kQuantize, {t, 1.0, 0, 0, 1, kFloat}), HasSubstr("float32"));
  EXPECT_THAT(FaultOf(kQuantize, {Tensor<int8_t>({1}, {1}), 1.0, 0, 0, 1, kChar}),
              HasSubstr("must be a float"));
}

TEST(Quantize, RefusesAWrongAxisOrNumberOfScales) {
  constexpr std::string_view kOp = "quantized_decomposed::quantize_per_channel.out";
  const auto t = Tensor<float>({2}, {1, 2});
  const auto scales = Tensor<double>({2}, {1, 1});
  const auto zeros = Tensor<int64_t>({2}, {0, 0});
  EXPECT_THAT(FaultOf(kOp, {t, scales, zeros, 1, 0, 1, kChar}), HasSubstr("axis"));
  EXPECT_THAT(FaultOf(kOp, {t, Tensor<double>({1}, {1}), zeros, 0, 0, 1, kChar}),
              HasSubstr("one scale"));
  EXPECT_THAT(FaultOf(kOp, {t, scales, Tensor<int64_t>({3}, {0, 0, 0}), 0, 0, 1, kChar}),
              HasSubstr("one scale"));
  EXPECT_THAT(FaultOf(kOp, {Tensor<float>({}, {1}), scales, zeros, 0, 0, 1, kChar}),
              HasSubstr("axis"));
}

TEST(Quantize, KeepsSymbolicSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType type =
      TypeOfOp(kQuantize, {TensorType{ScalarType::kFloat32, {n, 3}}, 1.0, 0, 0, 255, kByte});
  EXPECT_EQ(type, (TensorType{ScalarType::kUInt8, {n, 3}}));
}

TEST(Dequantize, TakesTheZeroPointAwayThenScales) {
  const auto t = Tensor<int8_t>({3}, {-128, 0, 127});
  EXPECT_THAT(RealsOf(ResultOf(kDequantize, {t, 0.5, 1, -128, 127, kChar, kNone})),
              ElementsAre(-64.5, -0.5, 63));
}

TEST(Dequantize, GivesFloat32UnlessAskedOtherwise) {
  const auto t = Tensor<int8_t>({1}, {3});
  const auto dtype = [&](const Operand& out) {
    return ResultOf(kDequantize, {t, 0.5, 1, -128, 127, kChar, out}).dtype;
  };
  EXPECT_EQ(dtype(kNone), ScalarType::kFloat32);
  EXPECT_EQ(dtype(kHalf), ScalarType::kFloat16);
  EXPECT_EQ(dtype(kDouble), ScalarType::kFloat64);
}

TEST(Dequantize, RoundsToFloat32AlsoForFloat64) {
  const auto t = Tensor<int8_t>({1}, {1});
  EXPECT_THAT(RealsOf(ResultOf(kDequantize, {t, 0.1, 0, -128, 127, kChar, kDouble})),
              ElementsAre(static_cast<double>(0.1F)));
}

TEST(Dequantize, NeedsNoZeroPointsByChannel) {
  EXPECT_THAT(RealsOf(ResultOf("quantized_decomposed::dequantize_per_channel.out",
                               {Tensor<int8_t>({2, 2}, {1, 2, 3, 4}), Tensor<float>({2}, {1, 0.5}),
                                kNone, 1, -128, 127, kChar, kNone})),
              ElementsAre(1, 1, 3, 2));
}

TEST(Dequantize, HasAScaleForEachToken) {
  EXPECT_THAT(RealsOf(ResultOf("quantized_decomposed::dequantize_per_token.out",
                               {Tensor<int8_t>({2, 2}, {1, 2, 3, 4}), Tensor<float>({2, 1}, {1, 2}),
                                Tensor<int64_t>({2, 1}, {0, 1}), -128, 127, kChar, kFloat})),
              ElementsAre(1, 2, 4, 6));
}

TEST(Dequantize, RefusesAnotherTypeThanTheOperandNames) {
  EXPECT_THAT(FaultOf(kDequantize, {Tensor<int8_t>({1}, {1}), 1.0, 0, 0, 127, kByte, kNone}),
              HasSubstr("another type"));
  EXPECT_THAT(FaultOf(kDequantize, {Tensor<float>({1}, {1}), 1.0, 0, 0, 127, kFloat, kNone}),
              HasSubstr("float32"));
}

TEST(QuantizedAdd, AddsWhatTheNumbersStandFor) {
  const auto a = Tensor<uint8_t>({3}, {10, 20, 255});
  const auto b = Tensor<uint8_t>({3}, {1, 2, 255});
  // (a - 10) * 0.5 + b * 2, then / 0.25 + 3.
  EXPECT_THAT(IntsOf(ResultOf("quantized_decomposed::add.out",
                              {a, 0.5, 10, 0, 255, b, 2.0, 0, 0, 255, 0.25, 3, 0, 255})),
              ElementsAre(11, 39, 255));
}

TEST(QuantizedAdd, RefusesOtherSizes) {
  EXPECT_THAT(FaultOf("quantized_decomposed::add.out",
                      {Tensor<uint8_t>({1}, {1}), 1.0, 0, 0, 255, Tensor<uint8_t>({2}, {1, 2}), 1.0,
                       0, 0, 255, 1.0, 0, 0, 255}),
              HasSubstr("one type and size"));
}

}  // namespace
}  // namespace pteproof
