#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::NanSensitiveDoubleEq;

TensorType SymbolicImage() {
  return {ScalarType::kFloat32, {SizeExpr::Symbol(0), 3, SizeExpr::Symbol(1)}};
}

TEST(Sum, AddsOverTheNamedDimensions) {
  const auto self = Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto rows = ResultOf("aten::sum.IntList_out", {self, std::vector{-1}, false, kNone});
  EXPECT_EQ(rows.sizes, Sizes({2}));
  EXPECT_THAT(RealsOf(rows), ElementsAre(6, 15));
  const auto columns = ResultOf("aten::sum.IntList_out", {self, std::vector{0}, true, kNone});
  EXPECT_EQ(columns.sizes, Sizes({1, 3}));
  EXPECT_THAT(RealsOf(columns), ElementsAre(5, 7, 9));
}

TEST(Sum, OfNoneOrAnEmptyListOfDimensionsIsOfAll) {
  const auto self = Tensor<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(RealsOf(ResultOf("aten::sum.IntList_out", {self, kNone, false, kNone})),
              ElementsAre(10));
  const auto kept = ResultOf("aten::sum.IntList_out", {self, std::vector<int>{}, true, kNone});
  EXPECT_EQ(kept.sizes, Sizes({1, 1}));
  EXPECT_THAT(RealsOf(kept), ElementsAre(10));
}

TEST(Sum, OfIntegersAndBoolIsInt64) {
  const auto bytes = Tensor<uint8_t>({3}, {200, 200, 200});
  const auto sum = ResultOf("aten::sum.IntList_out", {bytes, kNone, false, kNone});
  EXPECT_EQ(sum.dtype, ScalarType::kInt64);
  EXPECT_THAT(IntsOf(sum), ElementsAre(600));
  const auto flags = Ints(ScalarType::kBool, {3}, {1, 0, 1});
  EXPECT_THAT(IntsOf(ResultOf("aten::sum.IntList_out", {flags, kNone, false, kNone})),
              ElementsAre(2));
}

TEST(Sum, GivesTheTypeAskedFor) {
  const auto self = Tensor<int32_t>({2}, {1, 2});
  const auto sum = ResultOf("aten::sum.IntList_out",
                            {self, kNone, false, static_cast<int>(ScalarType::kFloat64)});
  EXPECT_EQ(sum, Tensor<double>({}, {3}));
  EXPECT_THAT(FaultOf("aten::sum.IntList_out", {self, kNone, false, 30}),
              HasSubstr("not an element type"));
}

TEST(Sum, OfIntegersWrapsModulo64Bits) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  const auto self = Tensor<int64_t>({2}, {most, 1});
  EXPECT_THAT(IntsOf(ResultOf("aten::sum.IntList_out", {self, kNone, false, kNone})),
              ElementsAre(std::numeric_limits<int64_t>::min()));
}

TEST(Sum, OfNothingIsZero) {
  const auto sum =
      ResultOf("aten::sum.IntList_out", {Tensor<float>({0, 2}, {}), std::vector{0}, false, kNone});
  EXPECT_EQ(sum, Tensor<float>({2}, {0, 0}));
}

TEST(Sum, OfATensorWithoutDimensionsMayNameOne) {
  const auto self = Tensor<float>({}, {4});
  EXPECT_EQ(ResultOf("aten::sum.IntList_out", {self, std::vector{-1}, true, kNone}), self);
  EXPECT_THAT(FaultOf("aten::sum.IntList_out", {self, std::vector{1}, true, kNone}),
              HasSubstr("dimensions"));
}

TEST(Sum, RefusesADimensionThatIsNamedTwice) {
  const auto self = Tensor<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(FaultOf("aten::sum.IntList_out", {self, std::vector{1, -1}, false, kNone}),
              HasSubstr("twice"));
}

TEST(Sum, KeepsTheDimsThatRemain) {
  const auto type =
      TypeOfOp("aten::sum.IntList_out", {SymbolicImage(), std::vector<SizeExpr>{1}, true, kNone});
  EXPECT_EQ(type.sizes, (std::vector<SizeExpr>{SizeExpr::Symbol(0), 1, SizeExpr::Symbol(1)}));
}

TEST(Mean, OfIntegersIsAFloat) {
  const auto self = Tensor<int32_t>({2}, {1, 2});
  EXPECT_EQ(ResultOf("aten::mean.dtype_out", {self, kNone}), Tensor<float>({}, {1.5F}));
}

TEST(Mean, OfNothingIsNan) {
  const auto mean =
      ResultOf("aten::mean.out", {Tensor<float>({0, 1}, {}), std::vector{0}, false, kNone});
  EXPECT_THAT(RealsOf(mean), ElementsAre(NanSensitiveDoubleEq(kNan)));
}

TEST(Prod, MultipliesAlongADimension) {
  const auto self = Tensor<int8_t>({2, 2}, {100, 3, 4, 5});
  const auto prod = ResultOf("aten::prod.int_out", {self, 0, false, kNone});
  EXPECT_EQ(prod, Tensor<int64_t>({2}, {400, 15}));
  EXPECT_THAT(RealsOf(ResultOf("aten::prod.out", {Tensor<float>({0}, {}), kNone})), ElementsAre(1));
}

TEST(Prod, StaysInfiniteOnceItIsBeyondItsType) {
  const auto singles = Tensor<float>({3}, {1e30F, 1e30F, 1e-30F});
  EXPECT_THAT(RealsOf(ResultOf("aten::prod.out", {singles, kNone})), ElementsAre(kInf));
  const auto doubles = Tensor<double>({3}, {1e30, 1e30, 1e-30});
  EXPECT_THAT(RealsOf(ResultOf("aten::prod.out", {doubles, kNone})), ElementsAre(DoubleEq(1e30)));
}

TEST(Any, CountsNanAsTrue) {
  const auto self = Reals(ScalarType::kFloat32, {2, 2}, {0, kNan, 0, -0.0});
  const auto any = ResultOf("aten::any.out", {self, 1, false});
  EXPECT_EQ(any.dtype, ScalarType::kBool);
  EXPECT_THAT(IntsOf(any), ElementsAre(1, 0));
  EXPECT_THAT(IntsOf(ResultOf("aten::any.all_out", {Tensor<float>({0}, {})})), ElementsAre(0));
}

TEST(Any, OfBytesIsAByte) {
  EXPECT_EQ(ResultOf("aten::any.all_out", {Tensor<uint8_t>({2}, {0, 7})}),
            Tensor<uint8_t>({}, {1}));
}

TEST(Any, OverAnEmptyListOfDimensionsReducesNothing) {
  const auto self = Tensor<float>({2}, {0, 3});
  EXPECT_EQ(ResultOf("aten::any.dims_out", {self, std::vector<int>{}, false}),
            Ints(ScalarType::kBool, {2}, {0, 1}));
  EXPECT_EQ(ResultOf("aten::any.dims_out", {self, kNone, false}), Ints(ScalarType::kBool, {}, {1}));
}

TEST(Extremes, HandOnNan) {
  const auto self = Reals(ScalarType::kFloat32, {2, 3}, {1, kNan, 2, 3, -1, 2});
  EXPECT_THAT(RealsOf(ResultOf("aten::amax.out", {self, std::vector{1}, false})),
              ElementsAre(NanSensitiveDoubleEq(kNan), 3));
  EXPECT_THAT(RealsOf(ResultOf("aten::amin.out", {self, std::vector{1}, false})),
              ElementsAre(NanSensitiveDoubleEq(kNan), -1));
}

TEST(Extremes, AreExactForLargeIntegers) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(IntsOf(ResultOf("aten::max.unary_out", {Tensor<int64_t>({2}, {most - 1, most})})),
              ElementsAre(most));
  const auto large = Ints(ScalarType::kUInt64, {2}, {-1, 1});
  EXPECT_THAT(IntsOf(ResultOf("aten::max.unary_out", {large})), ElementsAre(-1));
  EXPECT_THAT(IntsOf(ResultOf("aten::min.unary_out", {large})), ElementsAre(1));
}

TEST(Extremes, RefuseToChooseAmongNothing) {
  const auto self = Tensor<float>({0, 2}, {});
  EXPECT_THAT(FaultOf("aten::max.unary_out", {self}), HasSubstr("none is the largest"));
  EXPECT_EQ(ResultOf("aten::amax.out", {self, std::vector{1}, false}), Tensor<float>({0}, {}));
}

TEST(Variance, DividesByTheCountLessTheCorrection) {
  const auto self = Tensor<float>({4}, {1, 2, 3, 6});  // squares about the mean of 3: 14
  EXPECT_THAT(RealsOf(ResultOf("aten::var.correction_out", {self, kNone, 2, false})),
              ElementsAre(7));
  EXPECT_THAT(RealsOf(ResultOf("aten::var.out", {self, kNone, false, false})), ElementsAre(3.5));
  const auto both = ResultsOf("aten::var_mean.correction_out", {self, kNone, 0.5, true});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0], Tensor<float>({1}, {4}));
  EXPECT_EQ(both[1], Tensor<float>({1}, {3}));
}

TEST(Variance, WithoutADivisorIsInfiniteOrNan) {
  const auto two = Tensor<float>({2}, {1, 2});
  EXPECT_THAT(RealsOf(ResultOf("aten::var.correction_out", {two, kNone, 3, false})),
              ElementsAre(kInf));
  const auto one =
      ResultsOf("aten::var_mean.correction_out", {Tensor<float>({}, {5}), kNone, kNone, false});
  EXPECT_TRUE(std::isnan(RealAt(one[0], 0)));
  EXPECT_EQ(RealAt(one[1], 0), 5);
}

TEST(Reductions, RefuseSizesThatNoTensorHas) {
  const TensorType self = SymbolicImage();
  const auto types =
      TypesOfOp("aten::amax.out", {self, std::vector<SizeExpr>{SizeExpr::Symbol(0)}, false});
  ASSERT_FALSE(types.ok());
  EXPECT_THAT(types.error().explanation, HasSubstr("depends on dims"));
}

}  // namespace
}  // namespace pteproof
