#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;
using testing::Pointwise;

MATCHER_P(AreNear, wanted, "") {
  return testing::ExplainMatchResult(Pointwise(testing::DoubleNear(1e-6), wanted), arg,
                                     result_listener);
}

std::vector<Operand> ByStatistics(bool with_training, bool training) {
  std::vector<Operand> operands = {Tensor<float>({1, 2, 2}, {1, 2, 3, 4}),
                                   Tensor<float>({2}, {2, 1}), Tensor<float>({2}, {0, 10}),
                                   Tensor<float>({2}, {1, 3}), Tensor<float>({2}, {3, 0.25F})};
  if (with_training) operands.emplace_back(training);
  operands.emplace_back(0.1);
  operands.emplace_back(1.0);  // eps: the deviations are 2 and sqrt(1.25)
  return operands;
}

TEST(BatchNorm, UsesRunningStatisticsAndSavesNone) {
  const double deviation = std::sqrt(1.25);
  for (const auto& results :
       {ResultsOf("aten::_native_batch_norm_legit_no_training.out", ByStatistics(false, false)),
        ResultsOf("aten::_native_batch_norm_legit.out", ByStatistics(true, false))}) {
    ASSERT_EQ(results.size(), 3U);
    EXPECT_THAT(RealsOf(results[0]), AreNear(std::vector<double>{0, 1, 10, 10 + 1 / deviation}));
    EXPECT_EQ(results[1].sizes, Sizes({0}));
    EXPECT_EQ(results[2].sizes, Sizes({0}));
  }
}

TEST(BatchNorm, RefusesToTrainWithRunningStatistics) {
  EXPECT_THAT(FaultOf("aten::_native_batch_norm_legit.out", ByStatistics(true, true)),
              HasSubstr("training"));
}

TEST(BatchNorm, RefusesStatisticsOfOtherChannels) {
  auto operands = ByStatistics(false, false);
  operands[3] = Tensor<float>({1}, {1});
  EXPECT_THAT(FaultOf("aten::_native_batch_norm_legit_no_training.out", operands),
              HasSubstr("statistics"));
}

TEST(BatchNorm, MakesStatisticsOfTheWholeBatch) {
  // Channels (1, 5) and (2, 2).
  const auto input = Tensor<float>({2, 2}, {1, 2, 5, 2});
  const auto results = ResultsOf("aten::_native_batch_norm_legit.no_stats_out",
                                 {input, kNone, kNone, true, 0.1, 5.0});
  EXPECT_THAT(RealsOf(results[0]), AreNear(std::vector{-2.0 / 3, 0.0, 2.0 / 3, 0.0}));
  EXPECT_THAT(RealsOf(results[1]), ElementsAre(3, 2));
  EXPECT_THAT(RealsOf(results[2]), AreNear(std::vector{1.0 / 3, 1 / std::sqrt(5.0)}));
}

TEST(GroupNorm, MakesStatisticsOfGroupsOfChannels) {
  const auto input = Tensor<float>({1, 4, 1}, {1, 5, 0, 0});
  const auto weight = Tensor<float>({4}, {1, 2, 1, 1});
  const auto bias = Tensor<float>({4}, {0, 0, 0, 7});
  const auto results =
      ResultsOf("aten::native_group_norm.out", {input, weight, bias, 1, 4, 1, 2, 5.0});
  EXPECT_THAT(RealsOf(results[0]), AreNear(std::vector{-2.0 / 3, 4.0 / 3, 0.0, 7.0}));
  EXPECT_EQ(results[1], Tensor<float>({1, 2}, {3, 0}));
  EXPECT_EQ(results[2].sizes, Sizes({1, 2}));
}

TEST(GroupNorm, RefusesSizesThatAreNotTheInputs) {
  const auto input = Tensor<float>({1, 4, 1}, {1, 5, 0, 0});
  EXPECT_THAT(FaultOf("aten::native_group_norm.out", {input, kNone, kNone, 1, 4, 2, 2, 1.0}),
              HasSubstr("input's sizes"));
  EXPECT_THAT(FaultOf("aten::native_group_norm.out", {input, kNone, kNone, 1, 4, 1, 3, 1.0}),
              HasSubstr("groups"));
}

TEST(LayerNorm, NormalizesTheLastDimensions) {
  const auto input = Tensor<float>({2, 2}, {1, 5, 3, 3});
  const auto results = ResultsOf(
      "aten::native_layer_norm.out",
      {input, std::vector{2}, Tensor<float>({2}, {1, 2}), Tensor<float>({2}, {1, 0}), 5.0});
  EXPECT_THAT(RealsOf(results[0]), AreNear(std::vector{1.0 / 3, 4.0 / 3, 1.0, 0.0}));
  EXPECT_EQ(results[1], Tensor<float>({2, 1}, {3, 3}));
  EXPECT_THAT(RealsOf(results[2]), AreNear(std::vector{1.0 / 3, 1 / std::sqrt(5.0)}));
}

TEST(LayerNorm, OfNothingHasAMeanOfZeroAndNoScale) {
  const auto results = ResultsOf("aten::native_layer_norm.out",
                                 {Tensor<float>({1, 0}, {}), std::vector{0}, kNone, kNone, 1e-5});
  EXPECT_THAT(RealsOf(results[1]), ElementsAre(0));
  EXPECT_THAT(RealsOf(results[2]), ElementsAre(IsNan()));
}

TEST(LayerNorm, KeepsTheLeadingDims) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const auto types =
      TypesOfOp("aten::native_layer_norm.out", {TensorType{ScalarType::kFloat16, {n, 3, 4}},
                                                std::vector<SizeExpr>{3, 4}, kNone, kNone, 1e-5});
  ASSERT_TRUE(types.ok());
  EXPECT_EQ(types.value()[1], (TensorType{ScalarType::kFloat16, {n, 1, 1}}));
}

TEST(LayerNorm, RefusesAnotherShape) {
  EXPECT_THAT(FaultOf("aten::native_layer_norm.out",
                      {Tensor<float>({2}, {1, 2}), std::vector{3}, kNone, kNone, 1.0}),
              HasSubstr("normalized_shape"));
}

TEST(Softmax, SharesOutOneAlongADimension) {
  const double log3 = std::log(3.0);
  const auto self = Reals(ScalarType::kFloat64, {2, 2}, {0, 5, log3, 5});
  EXPECT_THAT(RealsOf(ResultOf("aten::_softmax.out", {self, 0, false})),
              AreNear(std::vector{0.25, 0.5, 0.75, 0.5}));
  EXPECT_THAT(
      RealsOf(ResultOf("aten::_log_softmax.out", {self, -2, false})),
      AreNear(std::vector{-std::log(4.0), -std::log(2.0), log3 - std::log(4.0), -std::log(2.0)}));
}

TEST(Softmax, DoesNotOverflow) {
  const auto self = Tensor<float>({2}, {1000, 1000});
  EXPECT_THAT(RealsOf(ResultOf("aten::_softmax.out", {self, 0, false})), ElementsAre(0.5, 0.5));
}

TEST(Softmax, OfInfinityOrNanIsNan) {
  for (const double odd : {kInf, kNan}) {
    const auto self = Reals(ScalarType::kFloat32, {2}, {odd, 1});
    EXPECT_THAT(RealsOf(ResultOf("aten::_softmax.out", {self, 0, false})), Each(IsNan()));
  }
  const auto low = Reals(ScalarType::kFloat32, {2}, {-kInf, 1});
  EXPECT_THAT(RealsOf(ResultOf("aten::_softmax.out", {low, 0, false})), ElementsAre(0, 1));
}

TEST(Softmax, OfATensorWithoutDimensionsIsOne) {
  EXPECT_EQ(ResultOf("aten::_softmax.out", {Tensor<float>({}, {3}), 0, false}),
            Tensor<float>({}, {1}));
}

TEST(Softmax, RefusesWhatTheKernelsRefuse) {
  EXPECT_THAT(FaultOf("aten::_softmax.out", {Tensor<float>({1}, {3}), 0, true}),
              HasSubstr("half_to_float"));
  EXPECT_THAT(FaultOf("aten::_softmax.out", {Tensor<float>({1}, {3}), 1, false}),
              HasSubstr("dimension"));
  EXPECT_THAT(FaultOf("aten::_softmax.out", {Tensor<int32_t>({1}, {3}), 0, false}),
              HasSubstr("floats"));
}

TEST(Glu, GatesTheFirstHalfByTheSecond) {
  const auto self = Reals(ScalarType::kFloat64, {2, 2}, {8, 1, 0, std::log(3.0)});
  EXPECT_THAT(RealsOf(ResultOf("aten::glu.out", {self, 0})), AreNear(std::vector{4.0, 0.75}));
  EXPECT_THAT(FaultOf("aten::glu.out", {Tensor<float>({3}, {1, 2, 3}), 0}), HasSubstr("odd"));
}

}  // namespace
}  // namespace pteproof
