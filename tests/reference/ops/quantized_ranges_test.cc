#include <gmock/gmock.h>

#include <cmath>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int kUnsigned = static_cast<int>(ScalarType::kUInt8);
constexpr int kSigned = static_cast<int>(ScalarType::kInt8);

std::vector<TensorValue> Chosen(const std::vector<float>& values, int low, int high) {
  const auto count = static_cast<int64_t>(values.size());
  return ResultsOf("quantized_decomposed::choose_qparams.Tensor_out",
                   {Tensor<float>({count}, values), low, high, 1e-5, kSigned});
}

TEST(ChooseQparams, MapTheRangeOntoAllIntegers) {
  const auto chosen = Chosen({-1, 0.5F, 4.1F}, 0, 255);
  EXPECT_NEAR(RealAt(chosen[0], 0), 5.1 / 255, 1e-8);
  EXPECT_EQ(IntAt(chosen[1], 0), 50);
}

TEST(ChooseQparams, KeepZeroInTheRange) {
  const auto above = Chosen({2.55F, 1}, 0, 255);
  EXPECT_NEAR(RealAt(above[0], 0), 0.01, 1e-8);
  EXPECT_EQ(IntAt(above[1], 0), 0);
  EXPECT_EQ(IntAt(Chosen({-2, -1}, -128, 127)[1], 0), 127);
}

TEST(ChooseQparams, OfZerosAreATenthAndTheEndNearerToZero) {
  EXPECT_DOUBLE_EQ(RealAt(Chosen({0, 0}, -128, 127)[0], 0), 0.1);
  EXPECT_EQ(IntAt(Chosen({0, 0}, -127, 128)[1], 0), -127);
  EXPECT_EQ(IntAt(Chosen({0, 0}, -128, 127)[1], 0), 127);
}

TEST(ChooseQparams, HaveALeastScaleThatMovesNoZeroPoint) {
  const auto chosen = Chosen({-1e-6F, 1e-6F}, -127, 127);
  EXPECT_FLOAT_EQ(static_cast<float>(RealAt(chosen[0], 0)), 6.1e-5F);
  EXPECT_EQ(IntAt(chosen[1], 0), 0);
}

TEST(ChooseQparams, AreOnePairForEachToken) {
  const auto chosen = ResultsOf("quantized_decomposed::choose_qparams_per_token_asymmetric.out",
                                {Tensor<float>({2, 2}, {0, 2.55F, -5.1F, 0}), kSigned});
  EXPECT_EQ(chosen[0].sizes, (Sizes{2, 1}));
  EXPECT_NEAR(RealAt(chosen[0], 0), 0.01, 1e-8);
  EXPECT_NEAR(RealAt(chosen[0], 1), 0.02, 1e-8);
  EXPECT_THAT(IntsOf(chosen[1]), ElementsAre(-128, 127));
}

TEST(ChooseQparams, PerTokenKeepsSymbolicSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const auto types = TypesOfOp("quantized_decomposed::choose_qparams_per_token_asymmetric.out",
                               {TensorType{ScalarType::kFloat32, {n, 8}}, kSigned});
  ASSERT_TRUE(types.ok());
  EXPECT_THAT(types.value(), ElementsAre(TensorType{ScalarType::kFloat64, {n, 1}},
                                         TensorType{ScalarType::kInt64, {n, 1}}));
}

TEST(ChooseQparams, RefuseWhatHasNoRange) {
  constexpr std::string_view kOp = "quantized_decomposed::choose_qparams.Tensor_out";
  EXPECT_THAT(FaultOf(kOp, {Zeros(ScalarType::kFloat32, {0}), 0, 255, 1e-5, kUnsigned}),
              HasSubstr("no values"));
  EXPECT_THAT(FaultOf(kOp, {Tensor<float>({1}, {HUGE_VALF}), 0, 255, 1e-5, kUnsigned}),
              HasSubstr("infinity"));
  EXPECT_THAT(FaultOf(kOp, {Tensor<float>({1}, {1}), 3, 3, 1e-5, kUnsigned}), HasSubstr("below"));
  EXPECT_THAT(FaultOf(kOp, {Tensor<double>({1}, {1}), 0, 255, 1e-5, kUnsigned}),
              HasSubstr("float32"));
}

}  // namespace
}  // namespace pteproof
