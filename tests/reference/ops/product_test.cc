#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::NanSensitiveDoubleEq;

TensorType Symbolic(std::vector<SizeExpr> sizes) {
  return {ScalarType::kFloat32, std::move(sizes)};
}

TEST(Mm, MultipliesRowsWithColumns) {
  const auto a = Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto b = Tensor<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  EXPECT_EQ(ResultOf("aten::mm.out", {a, b}), Tensor<float>({2, 2}, {4, 5, 10, 11}));
}

TEST(Mm, OfIntegersWrapsInTheirType) {
  const auto a = Tensor<int8_t>({1, 2}, {100, 1});
  const auto b = Tensor<int8_t>({2, 1}, {2, 3});
  EXPECT_EQ(ResultOf("aten::mm.out", {a, b}), Tensor<int8_t>({1, 1}, {-53}));  // 203 - 256
}

TEST(Mm, OverNothingIsZero) {
  const auto product =
      ResultOf("aten::mm.out", {Tensor<float>({2, 0}, {}), Tensor<float>({0, 1}, {})});
  EXPECT_EQ(product, Tensor<float>({2, 1}, {0, 0}));
}

TEST(Mm, MakesNanOfZeroTimesInfinity) {
  const auto product = ResultOf("aten::mm.out", {Tensor<float>({1, 2}, {0, 1}),
                                                 Reals(ScalarType::kFloat32, {2, 1}, {kInf, 1})});
  EXPECT_THAT(RealsOf(product), ElementsAre(NanSensitiveDoubleEq(kNan)));
}

TEST(Mm, RefusesSizesThatDoNotFit) {
  const auto a = Tensor<float>({1, 2}, {1, 2});
  EXPECT_THAT(FaultOf("aten::mm.out", {a, a}), HasSubstr("inner sizes"));
  EXPECT_THAT(FaultOf("aten::mm.out", {a, Tensor<float>({2}, {1, 2})}), HasSubstr("rank"));
  EXPECT_THAT(FaultOf("aten::mm.out", {a, Tensor<double>({2, 1}, {1, 2})}),
              HasSubstr("element types"));
}

TEST(Bmm, MultipliesBatchByBatch) {
  const auto a = Tensor<float>({2, 1, 2}, {1, 2, 3, 4});
  const auto b = Tensor<float>({2, 2, 1}, {1, 1, 2, 10});
  EXPECT_EQ(ResultOf("aten::bmm.out", {a, b}), Tensor<float>({2, 1, 1}, {3, 46}));
}

TEST(Bmm, MultipliesComplexNumbers) {
  auto i = Zeros(ScalarType::kComplex64, {1, 1, 1});
  SetComplex(i, 0, {0, 1});
  EXPECT_EQ(ComplexAt(ResultOf("aten::bmm.out", {i, i}), 0), std::complex<double>(-1, 0));
}

TEST(Bmm, HasSizesThatDependOnTheDims) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const auto type = TypeOfOp("aten::bmm.out", {Symbolic({4, n, 8}), Symbolic({4, 8, n + 1})});
  EXPECT_EQ(type.sizes, (std::vector<SizeExpr>{4, n, n + 1}));
  // n and m may be equal, n and n + 1 never are.
  EXPECT_TRUE(
      TypesOfOp("aten::bmm.out", {Symbolic({1, 2, n}), Symbolic({1, SizeExpr::Symbol(1), 2})})
          .ok());
  EXPECT_FALSE(TypesOfOp("aten::bmm.out", {Symbolic({1, 2, n}), Symbolic({1, n + 1, 2})}).ok());
}

TEST(Addmm, WeighsBiasAndProduct) {
  const auto bias = Tensor<float>({2}, {1, 2});
  const auto a = Tensor<float>({2, 1}, {1, 2});
  const auto b = Tensor<float>({1, 2}, {3, 4});
  EXPECT_EQ(ResultOf("aten::addmm.out", {bias, a, b, 2, 0.5}),
            Tensor<float>({2, 2}, {3.5F, 6, 5, 8}));
}

TEST(Addmm, IgnoresTheBiasAtABetaOfZero) {
  const auto bias = Reals(ScalarType::kFloat32, {1}, {kNan});
  const auto one = Tensor<float>({1, 1}, {1});
  EXPECT_EQ(ResultOf("aten::addmm.out", {bias, one, one, 0, 1}), one);
}

TEST(Addmm, RefusesABiasThatIsTooLarge) {
  const auto one = Tensor<float>({1, 1}, {1});
  EXPECT_THAT(FaultOf("aten::addmm.out", {Tensor<float>({2}, {1, 2}), one, one, 1, 1}),
              HasSubstr("broadcast"));
}

TEST(Linear, TakesTheWeightTransposed) {
  const auto input = Tensor<float>({1, 2, 2}, {1, 2, 3, 4});
  const auto weight = Tensor<float>({3, 2}, {1, 0, 0, 1, 1, 1});
  const auto bias = Tensor<float>({3}, {0, 10, 100});
  EXPECT_EQ(ResultOf("aten::linear.out", {input, weight, bias}),
            Tensor<float>({1, 2, 3}, {1, 12, 103, 3, 14, 107}));
  EXPECT_THAT(FaultOf("aten::linear.out", {input, weight, Tensor<float>({2}, {1, 2})}),
              HasSubstr("bias"));
}

TEST(Linear, KeepsTheLeadingSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const auto type = TypeOfOp("aten::linear.out", {Symbolic({n, 2, 5}), Symbolic({7, 5}), kNone});
  EXPECT_EQ(type.sizes, (std::vector<SizeExpr>{n, 2, 7}));
}

TensorValue Distances(double p) {
  const auto a = Tensor<float>({1, 2}, {0, 0});
  const auto b = Tensor<float>({2, 2}, {3, -4, 0, 2});
  return ResultOf("aten::_cdist_forward.out", {a, b, p, kNone});
}

TEST(Cdist, IsTheNormOfTheDifference) {
  EXPECT_THAT(RealsOf(Distances(0)), ElementsAre(2, 1));
  EXPECT_THAT(RealsOf(Distances(1)), ElementsAre(7, 2));
  EXPECT_THAT(RealsOf(Distances(2)), ElementsAre(5, 2));
  EXPECT_THAT(RealsOf(Distances(3)), ElementsAre(DoubleNear(4.497941, 1e-5), 2));  // cbrt(91)
  EXPECT_THAT(RealsOf(Distances(kInf)), ElementsAre(4, 2));
}

TEST(Cdist, BroadcastsBatches) {
  const auto a = Tensor<float>({2, 1, 1, 1}, {0, 10});
  const auto b = Tensor<float>({2, 1, 1}, {1, 2});
  const auto far = ResultOf("aten::_cdist_forward.out", {a, b, 2.0, kNone});
  EXPECT_EQ(far, Tensor<float>({2, 2, 1, 1}, {1, 2, 9, 8}));
}

TEST(Cdist, RefusesANegativeP) {
  const auto a = Tensor<float>({1, 1}, {1});
  EXPECT_THAT(FaultOf("aten::_cdist_forward.out", {a, a, -1.0, kNone}), HasSubstr("negative"));
}

TEST(Pdist, HasOneDistanceForEachPairOfRows) {
  const auto rows = Tensor<float>({3, 1}, {1, 3, 7});
  EXPECT_EQ(ResultOf("aten::_pdist_forward.out", {rows, 2.0}), Tensor<float>({3}, {2, 6, 4}));
  EXPECT_EQ(ResultOf("aten::_pdist_forward.out", {Tensor<float>({1, 1}, {1}), 2.0}),
            Tensor<float>({0}, {}));
}

}  // namespace
}  // namespace pteproof
