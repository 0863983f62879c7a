// Operators on two tensors, or a tensor and a number: promotion, broadcasting, division, bits.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

TensorType TypeOf(ScalarType dtype, std::vector<SizeExpr> sizes) {
  return {dtype, std::move(sizes)};
}

TEST(Add, BroadcastsBothOperands) {
  EXPECT_EQ(ResultOf("aten::add.out",
                     {Tensor<float>({2, 1}, {1, 2}), Tensor<float>({3}, {10, 20, 30}), 1}),
            Tensor<float>({2, 3}, {11, 21, 31, 12, 22, 32}));
}

TEST(Add, WeighsTheSecondOperand) {
  EXPECT_EQ(ResultOf("aten::add.out", {Tensor<float>({}, {1}), Tensor<float>({2}, {1, 2}), -3}),
            Tensor<float>({2}, {-2, -5}));
}

TEST(Add, RefusesAFloatWeightOfIntegers) {
  EXPECT_THAT(FaultOf("aten::add.out", {Tensor<int32_t>({1}, {1}), Tensor<int32_t>({1}, {1}), 0.5}),
              HasSubstr("alpha"));
}

TEST(Add, RefusesSizesThatDoNotBroadcast) {
  EXPECT_THAT(
      FaultOf("aten::add.out", {Tensor<float>({2}, {1, 2}), Tensor<float>({3}, {1, 2, 3}), 1}),
      HasSubstr("do not broadcast"));
}

TEST(Add, WrapsIntegersInTheirType) {
  EXPECT_EQ(ResultOf("aten::add.out", {Tensor<int8_t>({1}, {127}), Tensor<int8_t>({1}, {1}), 1}),
            Tensor<int8_t>({1}, {-128}));
}

TEST(Add, WrapsInTheCommonTypeWhateverTheResultsIs) {
  EXPECT_EQ(ResultOf("aten::add.out", {Tensor<int8_t>({1}, {127}), Tensor<int8_t>({1}, {1}), 1},
                     {ScalarType::kInt64}),
            Tensor<int64_t>({1}, {-128}));
}

TEST(Add, OfBoolsIsTheirDisjunction) {
  EXPECT_EQ(ResultOf("aten::add.out",
                     {Tensor<bool>({2}, {true, false}), Tensor<bool>({2}, {true, false}), 1}),
            Tensor<bool>({2}, {true, false}));
}

TEST(Add, RoundsIntegersToTheCommonFloat) {
  EXPECT_EQ(ResultOf("aten::add.out",
                     {Tensor<int64_t>({1}, {(1 << 24) + 1}), Tensor<float>({1}, {0}), 1}),
            Tensor<float>({1}, {1 << 24}));
}

TEST(Add, OverflowsInTheProductBeforeTheSum) {
  EXPECT_THAT(RealsOf(ResultOf("aten::add.out",
                               {Tensor<float>({1}, {-INFINITY}), Tensor<float>({1}, {3e38F}), 2})),
              ElementsAre(IsNan()));
}

TEST(Rsub, SubtractsTheTensorFromTheNumber) {
  EXPECT_EQ(ResultOf("aten::rsub.Scalar_out", {Tensor<int32_t>({2}, {1, 5}), 10, 2}),
            Tensor<int32_t>({2}, {8, 0}));
}

TEST(Promotion, GivesWayToNumbersOfAHigherCategoryOnly) {
  const auto type = [](const char* op, ScalarType tensor, TypeOperand number) {
    return TypeOfOp(op, {TypeOf(tensor, {2}), std::move(number)}).dtype;
  };
  EXPECT_EQ(type("aten::mul.Scalar_out", ScalarType::kInt8, 300), ScalarType::kInt8);
  EXPECT_EQ(type("aten::mul.Scalar_out", ScalarType::kBool, 3), ScalarType::kInt64);
  EXPECT_EQ(type("aten::mul.Scalar_out", ScalarType::kInt8, 0.5), ScalarType::kFloat32);
  EXPECT_EQ(type("aten::mul.Scalar_out", ScalarType::kFloat16, 0.5), ScalarType::kFloat16);
}

TEST(Promotion, TakesLoneElementsForNumbersOfTheirType) {
  const auto type = [](ScalarType a, std::vector<SizeExpr> a_sizes, ScalarType b) {
    return TypeOfOp("aten::mul.out", {TypeOf(a, std::move(a_sizes)), TypeOf(b, {2})}).dtype;
  };
  EXPECT_EQ(type(ScalarType::kInt64, {}, ScalarType::kInt8), ScalarType::kInt8);
  EXPECT_EQ(type(ScalarType::kInt64, {1}, ScalarType::kInt8), ScalarType::kInt64);
  EXPECT_EQ(type(ScalarType::kFloat64, {}, ScalarType::kFloat16), ScalarType::kFloat16);
  EXPECT_EQ(type(ScalarType::kFloat64, {}, ScalarType::kInt8), ScalarType::kFloat64);
  EXPECT_EQ(type(ScalarType::kUInt8, {2}, ScalarType::kInt8), ScalarType::kInt16);
}

TEST(Mul, BroadcastsSymbolicSizesWithOnes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(TypeOfOp("aten::mul.out",
                     {TypeOf(ScalarType::kFloat32, {n, 1}), TypeOf(ScalarType::kFloat32, {3})}),
            TypeOf(ScalarType::kFloat32, {n, 3}));
  EXPECT_FALSE(TypesOfOp("aten::mul.out",
                         {TypeOf(ScalarType::kFloat32, {n}), TypeOf(ScalarType::kFloat32, {3})})
                   .ok());
}

TEST(Mul, MultipliesComplexElements) {
  TensorValue z = Zeros(ScalarType::kComplex64, {1});
  SetComplex(z, 0, {0, 1});
  EXPECT_EQ(ComplexAt(ResultOf("aten::mul.out", {z, z}), 0), std::complex<double>(-1, 0));
}

TEST(Maximum, IsNanWhereEitherIs) {
  EXPECT_THAT(RealsOf(ResultOf("aten::maximum.out",
                               {Tensor<float>({3}, {NAN, 1, 1}), Tensor<float>({3}, {1, NAN, 2})})),
              ElementsAre(IsNan(), IsNan(), 2));
}

TEST(Pow, OfIntegersIsExactAndWraps) {
  EXPECT_EQ(ResultOf("aten::pow.Tensor_Scalar_out", {Tensor<int64_t>({2}, {3, 2}), 39}),
            Tensor<int64_t>({2}, {4052555153018976267, 549755813888}));
  EXPECT_EQ(ResultOf("aten::pow.Tensor_Scalar_out", {Tensor<int64_t>({1}, {2}), 64}),
            Tensor<int64_t>({1}, {0}));
}

TEST(Pow, CutsIntegersToNegativePowers) {
  EXPECT_EQ(ResultOf("aten::pow.Tensor_Tensor_out",
                     {Tensor<int32_t>({4}, {1, -1, 2, 0}), Tensor<int32_t>({4}, {-2, -3, -1, -1})}),
            Tensor<int32_t>({4}, {1, -1, 0, 0}));
}

TEST(Pow, RaisesANumberToATensor) {
  EXPECT_EQ(ResultOf("aten::pow.Scalar_out", {2, Tensor<int64_t>({3}, {0, 1, 10})}),
            Tensor<int64_t>({3}, {1, 2, 1024}));
}

TEST(Div, OfIntegersIsAFloat) {
  EXPECT_EQ(ResultOf("aten::div.out", {Tensor<int32_t>({2}, {1, 1}), Tensor<int32_t>({2}, {2, 0})}),
            Tensor<float>({2}, {0.5, INFINITY}));
}

TEST(DivMode, FloorsAndTruncates) {
  const TensorValue a = Tensor<int32_t>({4}, {7, -7, 7, -7});
  const TensorValue b = Tensor<int32_t>({4}, {2, 2, -2, -2});
  EXPECT_EQ(ResultOf("aten::div.out_mode", {a, b, "floor"}), Tensor<int32_t>({4}, {3, -4, -4, 3}));
  EXPECT_EQ(ResultOf("aten::div.out_mode", {a, b, "trunc"}), Tensor<int32_t>({4}, {3, -3, -3, 3}));
  EXPECT_EQ(ResultOf("aten::div.out_mode", {a, b, kNone}),
            Tensor<float>({4}, {3.5, -3.5, -3.5, 3.5}));
  EXPECT_THAT(FaultOf("aten::div.out_mode", {a, b, "up"}), HasSubstr("neither"));
}

TEST(DivMode, FloorsTheExactQuotient) {
  // 1 / 0.1f rounds to 10 as a float32, but 0.1f is a little more than a tenth.
  EXPECT_EQ(ResultOf("aten::div.Scalar_mode_out",
                     {Tensor<float>({1}, {1}), static_cast<double>(0.1F), "floor"}),
            Tensor<float>({1}, {9}));
}

TEST(FloorDivide, WrapsTheLeastIntegerByMinusOne) {
  EXPECT_EQ(ResultOf("aten::floor_divide.out",
                     {Tensor<int64_t>({1}, {kLeast}), Tensor<int64_t>({}, {-1})}),
            Tensor<int64_t>({1}, {kLeast}));
}

TEST(FloorDivide, RefusesIntegersByZero) {
  EXPECT_THAT(FaultOf("aten::floor_divide.out",
                      {Tensor<int64_t>({2}, {1, 2}), Tensor<int64_t>({2}, {1, 0})}),
              HasSubstr("divided by zero"));
  EXPECT_EQ(
      FaultOf("aten::floor_divide.out", {Tensor<int64_t>({0}, {}), Tensor<int64_t>({1}, {0})}), "");
}

TEST(Remainder, TakesTheDivisorsSign) {
  EXPECT_EQ(ResultOf("aten::remainder.Tensor_out",
                     {Tensor<int32_t>({4}, {7, -7, 7, -7}), Tensor<int32_t>({4}, {3, 3, -3, -3})}),
            Tensor<int32_t>({4}, {1, 2, -2, -1}));
  EXPECT_THAT(
      RealsOf(ResultOf("aten::remainder.Scalar_out", {Tensor<double>({3}, {-1, kInf, 5}), kInf})),
      ElementsAre(kInf, IsNan(), 5));
}

TEST(Remainder, OfTheLeastIntegerByMinusOneIsZero) {
  EXPECT_EQ(ResultOf("aten::remainder.Scalar_out", {Tensor<int64_t>({1}, {kLeast}), -1}),
            Tensor<int64_t>({1}, {0}));
}

TEST(Fmod, TakesTheDividendsSign) {
  EXPECT_EQ(ResultOf("aten::fmod.Tensor_out",
                     {Tensor<int32_t>({4}, {7, -7, 7, -7}), Tensor<int32_t>({4}, {3, 3, -3, -3})}),
            Tensor<int32_t>({4}, {1, -1, 1, -1}));
}

TEST(Fmod, OfIntegersByZeroIsTheLeastNumber) {
  EXPECT_EQ(
      ResultOf("aten::fmod.Tensor_out", {Tensor<int32_t>({1}, {5}), Tensor<int32_t>({1}, {0})}),
      Tensor<int32_t>({1}, {std::numeric_limits<int32_t>::min()}));
  EXPECT_THAT(FaultOf("aten::fmod.Scalar_out", {Tensor<int32_t>({1}, {5}), 0}),
              HasSubstr("divided by zero"));
}

TEST(Eq, ComparesInTheCommonType) {
  // As float32 both are 2^24; as integers they differ.
  const TensorValue a = Tensor<int64_t>({1}, {(1 << 24) + 1});
  EXPECT_EQ(ResultOf("aten::eq.Tensor_out", {a, Tensor<float>({1}, {1 << 24})}),
            Tensor<bool>({1}, {true}));
  EXPECT_EQ(ResultOf("aten::eq.Tensor_out", {a, Tensor<int32_t>({1}, {1 << 24})}),
            Tensor<bool>({1}, {false}));
}

TEST(Comparisons, AreFalseOfNanButForNe) {
  const TensorValue nan = Tensor<float>({1}, {NAN});
  for (const char* op : {"aten::eq.Scalar_out", "aten::lt.Scalar_out", "aten::le.Scalar_out",
                         "aten::gt.Scalar_out", "aten::ge.Scalar_out"}) {
    EXPECT_THAT(IntsOf(ResultOf(op, {nan, 1})), ElementsAre(0)) << op;
  }
  EXPECT_THAT(IntsOf(ResultOf("aten::ne.Scalar_out", {nan, 1})), ElementsAre(1));
}

TEST(LogicalXor, TakesNanForTrue) {
  EXPECT_EQ(ResultOf("aten::logical_xor.out",
                     {Tensor<float>({2}, {NAN, 0}), Tensor<int8_t>({2}, {0, 0})}),
            Tensor<bool>({2}, {true, false}));
}

TEST(BitwiseAnd, RefusesFloats) {
  EXPECT_THAT(FaultOf("aten::bitwise_and.Scalar_out", {Tensor<float>({1}, {1}), 1}),
              HasSubstr("integers and bool only"));
}

TEST(Shifts, ByMoreThanTheWidthLeaveTheSign) {
  const TensorValue a = Tensor<int8_t>({4}, {-5, 5, -5, 5});
  const TensorValue by = Tensor<int8_t>({4}, {8, 8, -1, 1});
  EXPECT_EQ(ResultOf("aten::bitwise_left_shift.Tensor_out", {a, by}),
            Tensor<int8_t>({4}, {0, 0, 0, 10}));
  EXPECT_EQ(ResultOf("aten::bitwise_right_shift.Tensor_out", {a, by}),
            Tensor<int8_t>({4}, {-1, 0, -1, 2}));
}

TEST(Where, PromotesTheChoicesAndBroadcastsAll) {
  EXPECT_EQ(
      ResultOf("aten::where.self_out", {Tensor<bool>({2, 1}, {true, false}),
                                        Tensor<int32_t>({2}, {1, 2}), Tensor<float>({1}, {0.5})}),
      Tensor<float>({2, 2}, {1, 2, 0.5, 0.5}));
}

TEST(MaskedFill, TakesTheValueInSelfsType) {
  EXPECT_EQ(ResultOf("aten::masked_fill.Scalar_out", {Tensor<int32_t>({3}, {1, 2, 3}),
                                                      Tensor<bool>({3}, {true, false, true}), 7.9}),
            Tensor<int32_t>({3}, {7, 2, 7}));
}

}  // namespace
}  // namespace pteproof
