#include <gmock/gmock.h>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kEightBit = "quantized_decomposed::embedding_byte.out";
constexpr std::string_view kFourBit = "quantized_decomposed::embedding_4bit.out";
constexpr std::string_view kTwoBit = "quantized_decomposed::embedding_2bit.out";
constexpr std::string_view kMm = "quantized_decomposed::mixed_mm.out";
constexpr std::string_view kLinear = "quantized_decomposed::mixed_linear.out";

std::vector<double> Looked(std::string_view op, const TensorValue& weight,
                           const TensorValue& scales, const Operand& zero_points,
                           const std::vector<int64_t>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  return RealsOf(
      ResultOf(op, {weight, scales, zero_points, -128, 127, Tensor<int64_t>({count}, rows)}));
}

TEST(QuantizedEmbedding, LooksRowsUpAndScalesThem) {
  const auto weight = Tensor<int8_t>({2, 2}, {1, 2, -3, 4});
  EXPECT_THAT(Looked(kEightBit, weight, Tensor<float>({2}, {1, 0.5}), kNone, {1, 0, 1}),
              ElementsAre(-1.5, 2, 1, 2, -1.5, 2));
}

TEST(QuantizedEmbedding, TakesZeroPointsAwayFirst) {
  const auto weight = Tensor<uint8_t>({1, 2}, {1, 255});
  EXPECT_THAT(Looked(kEightBit, weight, Tensor<float>({1}, {2}), Tensor<float>({1}, {1.5}), {0}),
              ElementsAre(-1, 507));
}

TEST(QuantizedEmbedding, HasAScaleForEachGroupOfColumns) {
  const auto weight = Tensor<int8_t>({1, 4}, {1, 1, 1, 1});
  EXPECT_THAT(
      Looked(kEightBit, weight, Tensor<float>({1, 2}, {1, 2}), Tensor<float>({1, 2}, {0, 3}), {0}),
      ElementsAre(1, 1, -4, -4));
}

TEST(QuantizedEmbedding, OfFourBitsHasTheHighHalfFirst) {
  const auto weight = Tensor<uint8_t>({1, 2}, {0x0F, 0x98});
  EXPECT_THAT(Looked(kFourBit, weight, Tensor<float>({1}, {1}), kNone, {0}),
              ElementsAre(-8, 7, 1, 0));
}

TEST(QuantizedEmbedding, OfTwoBitsHasTheLowPairFirst) {
  const auto weight = Tensor<uint8_t>({1, 1}, {0b11'10'01'00});
  EXPECT_THAT(Looked(kTwoBit, weight, Tensor<float>({1}, {1}), kNone, {0}),
              ElementsAre(-2, -1, 0, 1));
}

TEST(QuantizedEmbedding, HasTheTypeOfTheScalesOrTheOneAskedFor) {
  const TensorType weight{ScalarType::kUInt8, {5, 3}};
  const TensorType scales{ScalarType::kFloat16, {5}};
  const TensorType indices{ScalarType::kInt64, {SizeExpr::Symbol(0)}};
  EXPECT_EQ(TypeOfOp(kFourBit, {weight, scales, kNone, -8, 7, indices}),
            (TensorType{ScalarType::kFloat16, {SizeExpr::Symbol(0), 6}}));
  EXPECT_EQ(TypeOfOp("quantized_decomposed::embedding_2bit.dtype_out",
                     {weight, scales, kNone, -2, 1, indices, 6}),
            (TensorType{ScalarType::kFloat32, {SizeExpr::Symbol(0), 12}}));
}

TEST(QuantizedEmbedding, OfNoIndexIsEmpty) {
  const auto weight = Tensor<int8_t>({1, 2}, {1, 2});
  EXPECT_THAT(Looked(kEightBit, weight, Tensor<float>({1}, {1}), kNone, {}), ElementsAre());
}

TEST(QuantizedEmbedding, RefusesIndicesOutsideTheWeight) {
  const auto weight = Tensor<uint8_t>({1, 1}, {0});
  const auto fault = [&](int64_t index) {
    return FaultOf(kFourBit,
                   {weight, Tensor<float>({1}, {1}), kNone, -8, 7, Tensor<int64_t>({1}, {index})});
  };
  EXPECT_THAT(fault(1), HasSubstr("index 1 is not a row"));
  EXPECT_THAT(fault(-1), HasSubstr("index -1 is not a row"));
}

TEST(QuantizedEmbedding, RefusesScalesThatDoNotFit) {
  const auto weight = Tensor<int8_t>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const auto row = Tensor<int64_t>({1}, {0});
  const auto fault = [&](const TensorValue& scales, const Operand& zero_points) {
    return FaultOf(kEightBit, {weight, scales, zero_points, -128, 127, row});
  };
  EXPECT_THAT(fault(Tensor<float>({1}, {1}), kNone), HasSubstr("row for each row"));
  EXPECT_THAT(fault(Zeros(ScalarType::kFloat32, {2, 3}), kNone), HasSubstr("groups"));
  EXPECT_THAT(fault(Zeros(ScalarType::kFloat32, {2, 0}), kNone), HasSubstr("groups"));
  EXPECT_THAT(fault(Zeros(ScalarType::kFloat32, {2}), Zeros(ScalarType::kFloat32, {2, 1})),
              HasSubstr("zero points"));
  EXPECT_THAT(fault(Zeros(ScalarType::kInt32, {2}), kNone), HasSubstr("floats"));
}

TEST(QuantizedEmbedding, RefusesOtherWeights) {
  const auto scales = Tensor<float>({1}, {1});
  const auto row = Tensor<int64_t>({1}, {0});
  EXPECT_THAT(FaultOf(kEightBit, {Tensor<int8_t>({1}, {1}), scales, kNone, 0, 1, row}),
              HasSubstr("two dimensions"));
  EXPECT_THAT(FaultOf(kFourBit, {Tensor<int8_t>({1, 1}, {1}), scales, kNone, 0, 1, row}),
              HasSubstr("bytes"));
}

TEST(MixedMm, ScalesTheRowsOfTheWeight) {
  const auto x = Tensor<float>({1, 2}, {10, 1});
  const auto weight = Tensor<int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(RealsOf(ResultOf(kMm, {x, weight, Tensor<float>({2}, {1, 2}), kNone})),
              ElementsAre(18, 30, 42));
}

TEST(MixedLinear, ScalesTheRowsOfTheTransposedWeight) {
  const auto x = Tensor<float>({1, 2}, {10, 1});
  const auto weight = Tensor<int8_t>({3, 2}, {1, 2, 3, 4, 5, 6});
  const auto scales = Tensor<float>({3}, {1, 2, 3});
  EXPECT_THAT(RealsOf(ResultOf(kLinear, {x, weight, scales, kNone, kNone})),
              ElementsAre(12, 68, 168));
}

TEST(MixedLinear, HasAScaleAndZeroPointForEachGroup) {
  const auto x = Tensor<float>({1, 2}, {1, 1});
  const auto weight = Tensor<int8_t>({1, 2}, {5, 7});
  EXPECT_THAT(RealsOf(ResultOf(kLinear, {x, weight, Tensor<float>({1, 2}, {1, 10}),
                                         Tensor<float>({1, 2}, {1, 2}), kNone})),
              ElementsAre(54));
}

TEST(MixedLinear, GivesTheTypeAskedFor) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType x{ScalarType::kFloat16, {n, 4}};
  const TensorType weight{ScalarType::kInt8, {3, 4}};
  const TensorType scales{ScalarType::kFloat16, {3}};
  EXPECT_EQ(TypeOfOp(kLinear, {x, weight, scales, kNone, 6}),
            (TensorType{ScalarType::kFloat32, {n, 3}}));
  EXPECT_EQ(TypeOfOp(kLinear, {x, weight, scales, kNone, kNone}),
            (TensorType{ScalarType::kFloat16, {n, 3}}));
}

TEST(MixedLinear, RefusesSizesThatDoNotFit) {
  const auto weight = Tensor<int8_t>({1, 2}, {5, 7});
  const auto scales = Tensor<float>({1}, {1});
  EXPECT_THAT(FaultOf(kLinear, {Tensor<float>({1, 3}, {1, 1, 1}), weight, scales, kNone, kNone}),
              HasSubstr("not as long"));
  EXPECT_THAT(FaultOf(kLinear, {Tensor<float>({2}, {1, 1}), weight, scales, kNone, kNone}),
              HasSubstr("two dimensions"));
  EXPECT_THAT(FaultOf(kLinear, {Tensor<int8_t>({1, 2}, {1, 1}), weight, scales, kNone, kNone}),
              HasSubstr("must be a float"));
}

}  // namespace
}  // namespace pteproof
