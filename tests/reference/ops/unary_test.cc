// Operators on one tensor, with and without numbers beside it.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

TEST(Exp, MakesFloatsOfIntegers) {
  const TensorValue e = ResultOf("aten::exp.out", {Tensor<int32_t>({2}, {0, 1})});
  EXPECT_EQ(e.dtype, ScalarType::kFloat32);
  EXPECT_EQ(RealAt(e, 0), 1);
  EXPECT_NEAR(RealAt(e, 1), 2.718281828, 1e-6);
}

TEST(Exp, KeepsTheFloatType) {
  EXPECT_EQ(ResultOf("aten::exp.out", {Tensor<double>({1}, {1})}).dtype, ScalarType::kFloat64);
  EXPECT_EQ(ResultOf("aten::exp.out", {Reals(ScalarType::kFloat16, {}, {0})}).dtype,
            ScalarType::kFloat16);
}

TEST(Exp, OfNothingIsNothing) {
  EXPECT_EQ(ResultOf("aten::exp.out", {Tensor<float>({0, 3}, {})}).sizes, (Sizes{0, 3}));
}

TEST(Exp, StoresInTheTypeAskedFor) {
  const TensorValue e =
      ResultOf("aten::exp.out", {Tensor<float>({1}, {0})}, {ScalarType::kFloat64});
  EXPECT_EQ(e, Tensor<double>({1}, {1}));
}

TEST(Exp, RefusesComplexElements) {
  EXPECT_THAT(FaultOf("aten::exp.out", {Zeros(ScalarType::kComplex64, {1})}),
              HasSubstr("takes no complex elements"));
}

TEST(Exp, HasItsOperandsSymbolicSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(TypeOfOp("aten::exp.out", {TensorType{ScalarType::kInt8, {n, 2}}}),
            (TensorType{ScalarType::kFloat32, {n, 2}}));
}

TEST(Sin, OfLargeIntegersIsTheSineOfTheirFloat) {
  // 2^24 + 1 is no float32; 2^24 is.
  const TensorValue s = ResultOf("aten::sin.out", {Tensor<int64_t>({1}, {(1 << 24) + 1})});
  EXPECT_NEAR(RealAt(s, 0), std::sin(16777216.0), 1e-6);
}

TEST(Abs, OfTheLeastIntegerWraps) {
  EXPECT_THAT(IntsOf(ResultOf("aten::abs.out", {Tensor<int8_t>({2}, {-128, -3})})),
              ElementsAre(-128, 3));
}

TEST(Abs, OfComplexElementsIsReal) {
  TensorValue z = Zeros(ScalarType::kComplex64, {1});
  SetComplex(z, 0, {3, -4});
  EXPECT_EQ(ResultOf("aten::abs.out", {z}), Tensor<float>({1}, {5}));
}

TEST(ConjPhysical, NegatesTheImaginaryPart) {
  TensorValue z = Zeros(ScalarType::kComplex128, {1});
  SetComplex(z, 0, {1, 2});
  EXPECT_EQ(ComplexAt(ResultOf("aten::_conj_physical.out", {z}), 0), std::complex<double>(1, -2));
}

TEST(Ceil, LeavesLargeIntegersExact) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(IntsOf(ResultOf("aten::ceil.out", {Tensor<int64_t>({1}, {most})})),
              ElementsAre(most));
}

TEST(Round, TakesHalvesToEven) {
  EXPECT_THAT(RealsOf(ResultOf("aten::round.out", {Tensor<float>({4}, {0.5, 1.5, 2.5, -1.5})})),
              ElementsAre(0, 2, 2, -2));
}

TEST(Relu, KeepsNan) {
  EXPECT_THAT(RealsOf(ResultOf("aten::relu.out", {Tensor<double>({3}, {kNan, -1, 2})})),
              ElementsAre(IsNan(), 0, 2));
}

TEST(Sign, OfNanIsNan) {
  EXPECT_THAT(RealsOf(ResultOf("aten::sign.out", {Tensor<double>({3}, {kNan, -kInf, 0})})),
              ElementsAre(IsNan(), -1, 0));
}

TEST(IsInf, IsNoNan) {
  EXPECT_EQ(ResultOf("aten::isinf.out", {Tensor<float>({3}, {NAN, -INFINITY, 1})}),
            Tensor<bool>({3}, {false, true, false}));
  EXPECT_EQ(ResultOf("aten::isnan.out", {Tensor<float>({3}, {NAN, -INFINITY, 1})}),
            Tensor<bool>({3}, {true, false, false}));
}

TEST(LogicalNot, TakesNanForTrue) {
  EXPECT_EQ(ResultOf("aten::logical_not.out", {Tensor<float>({3}, {NAN, 0, 0.5})}),
            Tensor<bool>({3}, {false, true, false}));
}

TEST(BitwiseNot, OfBoolIsLogical) {
  EXPECT_EQ(ResultOf("aten::bitwise_not.out", {Tensor<bool>({2}, {true, false})}),
            Tensor<bool>({2}, {false, true}));
  EXPECT_EQ(ResultOf("aten::bitwise_not.out", {Tensor<uint8_t>({1}, {5})}),
            Tensor<uint8_t>({1}, {250}));
}

TEST(BitwiseNot, RefusesFloats) {
  EXPECT_THAT(FaultOf("aten::bitwise_not.out", {Tensor<float>({1}, {1})}),
              HasSubstr("integers and bool only"));
}

TEST(Clamp, TakesTheUpperBoundWhereBoundsCross) {
  EXPECT_THAT(RealsOf(ResultOf("aten::clamp.out", {Tensor<float>({2}, {-5, 5}), 2, -2})),
              ElementsAre(-2, -2));
}

TEST(Clamp, KeepsNanAndMakesNanOfANanBound) {
  EXPECT_THAT(RealsOf(ResultOf("aten::clamp.out", {Tensor<float>({2}, {NAN, 5}), 0, 1})),
              ElementsAre(IsNan(), 1));
  EXPECT_THAT(RealsOf(ResultOf("aten::clamp.out", {Tensor<float>({1}, {5}), kNan, kNone})),
              ElementsAre(IsNan()));
}

TEST(Clamp, WithAFloatBoundMakesFloatsOfIntegers) {
  EXPECT_EQ(ResultOf("aten::clamp.out", {Tensor<int8_t>({2}, {-5, 5}), kNone, 1.5}),
            Tensor<float>({2}, {-5, 1.5}));
}

TEST(Clamp, BoundsIntegersExactly) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(ResultOf("aten::clamp.out", {Tensor<int64_t>({2}, {most, most - 1}), kNone, most - 1}),
            Tensor<int64_t>({2}, {most - 1, most - 1}));
}

TEST(ClampByTensors, BroadcastsItsBounds) {
  EXPECT_EQ(ResultOf("aten::clamp.Tensor_out",
                     {Tensor<float>({2, 2}, {-5, 5, -5, 5}), Tensor<float>({2}, {-1, -2}),
                      Tensor<float>({2, 1}, {0, 3})}),
            Tensor<float>({2, 2}, {-1, 0, -1, 3}));
}

TEST(ClampByTensors, NeedsOneBound) {
  EXPECT_THAT(FaultOf("aten::clamp.Tensor_out", {Tensor<float>({1}, {1}), kNone, kNone}),
              HasSubstr("neither bound"));
}

TEST(Hardtanh, CutsTheBoundsOfIntegers) {
  EXPECT_EQ(ResultOf("aten::hardtanh.out", {Tensor<int32_t>({3}, {-9, 0, 9}), -1.5, 2.5}),
            Tensor<int32_t>({3}, {-1, 0, 2}));
}

TEST(Gelu, IsHalfOfXTimesOnePlusErf) {
  const TensorValue g = ResultOf("aten::gelu.out", {Tensor<double>({2}, {1, -kInf}), "none"});
  EXPECT_NEAR(RealAt(g, 0), 0.8413447460685429, 1e-12);
  EXPECT_THAT(RealAt(g, 1), IsNan());
}

TEST(Gelu, KnowsTwoApproximations) {
  const TensorValue g = ResultOf("aten::gelu.out", {Tensor<double>({1}, {1}), "tanh"});
  EXPECT_NEAR(RealAt(g, 0), 0.8411919906082768, 1e-12);
  EXPECT_THAT(FaultOf("aten::gelu.out", {Tensor<double>({1}, {1}), "sin"}), HasSubstr("neither"));
}

TEST(Elu, ScalesBothSides) {
  const TensorValue e = ResultOf("aten::elu.out", {Tensor<double>({2}, {2, -1}), 0.5, 3, 2});
  EXPECT_NEAR(RealAt(e, 0), 6, 1e-12);
  EXPECT_NEAR(RealAt(e, 1), 1.5 * (std::exp(-2.0) - 1), 1e-12);
}

TEST(LeakyRelu, SlopesBelowZero) {
  EXPECT_THAT(RealsOf(ResultOf("aten::leaky_relu.out", {Tensor<float>({2}, {-4, 4}), 0.25})),
              ElementsAre(-1, 4));
}

TEST(Logit, ClampsToEps) {
  const TensorValue l = ResultOf("aten::logit.out", {Tensor<double>({2}, {0, 0.5}), 0.25});
  EXPECT_NEAR(RealAt(l, 0), std::log(1.0 / 3), 1e-12);
  EXPECT_EQ(RealAt(l, 1), 0);
  EXPECT_EQ(RealAt(ResultOf("aten::logit.out", {Tensor<double>({1}, {0}), kNone}), 0), -kInf);
}

TEST(Dropout, KeepsAllOutsideTraining) {
  const auto results =
      ResultsOf("aten::native_dropout.out", {Tensor<float>({2}, {1, 2}), 0.5, false});
  EXPECT_EQ(results[0], Tensor<float>({2}, {1, 2}));
  EXPECT_EQ(results[1], Tensor<bool>({2}, {true, true}));
}

TEST(Dropout, RefusesWhatIsNoProbability) {
  EXPECT_THAT(FaultOf("aten::native_dropout.out", {Tensor<float>({1}, {1}), kNan, true}),
              HasSubstr("probability"));
}

}  // namespace
}  // namespace pteproof
