// Padding, flips, rolls and tril.
#include <gmock/gmock.h>

#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TensorValue Ramp() {
  return Tensor<float>({1, 4}, {0, 1, 2, 3});
}

TEST(ConstantPad, PadsTheLastDimensionFirst) {
  const TensorValue self = Tensor<int32_t>({1, 2}, {1, 2});
  EXPECT_EQ(ResultOf("aten::constant_pad_nd.out", {self, std::vector{1, 0, 0, 1}, 7.9}),
            Tensor<int32_t>({2, 3}, {7, 1, 2, 7, 7, 7}));
}

TEST(ConstantPad, CropsWhereNegative) {
  EXPECT_EQ(ResultOf("aten::constant_pad_nd.out", {Ramp(), std::vector{-1, 1}, 9}),
            Tensor<float>({1, 4}, {1, 2, 3, 9}));
  EXPECT_THAT(FaultOf("aten::constant_pad_nd.out", {Ramp(), std::vector{-5, 0}, 9}),
              HasSubstr("out of range"));
}

TEST(ConstantPad, RefusesListsThatDoNotFit) {
  const auto fault = [](std::vector<int64_t> padding) {
    return FaultOf("aten::constant_pad_nd.out", {Ramp(), std::move(padding), 0});
  };
  EXPECT_THAT(fault({1}), HasSubstr("length"));
  EXPECT_THAT(fault({1, 1, 1, 1, 1, 1}), HasSubstr("length"));
  EXPECT_THAT(fault({std::numeric_limits<int64_t>::min(), 0}), HasSubstr("out of range"));
  EXPECT_THAT(fault({std::numeric_limits<int64_t>::max(), 1}), HasSubstr("out of range"));
}

TEST(ConstantPad, AddsToSymbolicSizes) {
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(TypeOfOp("aten::constant_pad_nd.out",
                     {TensorType{ScalarType::kFloat32, {n, 2}}, std::vector{0, 0, 1, 2}, 0})
                .sizes,
            (std::vector<SizeExpr>{n + 3, 2}));
}

TEST(ReflectionPad, DoesNotRepeatTheOutermostElement) {
  EXPECT_THAT(RealsOf(ResultOf("aten::reflection_pad1d.out", {Ramp(), std::vector{3, 2}})),
              ElementsAre(3, 2, 1, 0, 1, 2, 3, 2, 1));
  EXPECT_THAT(RealsOf(ResultOf("aten::reflection_pad1d.out", {Ramp(), std::vector{-1, 1}})),
              ElementsAre(1, 2, 3, 2));
}

TEST(ReflectionPad, RefusesPaddingOfTheDimensionsSize) {
  EXPECT_THAT(FaultOf("aten::reflection_pad1d.out", {Ramp(), std::vector{0, 4}}),
              HasSubstr("not smaller"));
  EXPECT_THAT(FaultOf("aten::reflection_pad1d.out", {Ramp(), std::vector{1, 1, 1, 1}}),
              HasSubstr("length"));
  EXPECT_THAT(FaultOf("aten::reflection_pad2d.out", {Ramp(), std::vector{1, 1, 0, 0}}),
              HasSubstr("rank"));
}

TEST(ReplicationPad, RepeatsTheOutermostElement) {
  EXPECT_THAT(RealsOf(ResultOf("aten::replication_pad1d.out", {Ramp(), std::vector{2, 5}})),
              ElementsAre(0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3));
  const TensorValue plane = Tensor<float>({1, 2, 2}, {0, 1, 2, 3});
  EXPECT_THAT(RealsOf(ResultOf("aten::replication_pad2d.out", {plane, std::vector{1, 0, 0, 1}})),
              ElementsAre(0, 0, 1, 2, 2, 3, 2, 2, 3));
}

TEST(ReplicationPad, HasNothingToRepeatInAnEmptyDimension) {
  EXPECT_THAT(FaultOf("aten::replication_pad1d.out",
                      {Zeros(ScalarType::kFloat32, {1, 0}), std::vector{1, 0}}),
              HasSubstr("outside"));
}

TEST(Flip, ReversesTheListedDimensions) {
  const TensorValue self = Tensor<float>({2, 2}, {0, 1, 2, 3});
  EXPECT_THAT(RealsOf(ResultOf("aten::flip.out", {self, std::vector{-1}})),
              ElementsAre(1, 0, 3, 2));
  EXPECT_THAT(RealsOf(ResultOf("aten::flip.out", {self, std::vector<int>{}})),
              ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(FaultOf("aten::flip.out", {self, std::vector{1, -1}}), HasSubstr("twice"));
}

TEST(Roll, MovesUpAndAround) {
  EXPECT_THAT(RealsOf(ResultOf("aten::roll.out", {Ramp(), std::vector{1}, std::vector{1}})),
              ElementsAre(3, 0, 1, 2));
  EXPECT_THAT(RealsOf(ResultOf("aten::roll.out", {Ramp(), std::vector{-9}, std::vector{-1}})),
              ElementsAre(1, 2, 3, 0));
  EXPECT_THAT(RealsOf(ResultOf("aten::roll.out", {Ramp(), std::vector{1, 1}, std::vector{1, 1}})),
              ElementsAre(2, 3, 0, 1));
}

TEST(Roll, WithoutDimensionsGoesOverTheRows) {
  const TensorValue self = Tensor<float>({2, 2}, {0, 1, 2, 3});
  EXPECT_THAT(RealsOf(ResultOf("aten::roll.out", {self, std::vector{1}, std::vector<int>{}})),
              ElementsAre(3, 0, 1, 2));
  EXPECT_THAT(FaultOf("aten::roll.out", {self, std::vector{1, 2}, std::vector{0}}),
              HasSubstr("the number of shifts differs"));
}

TEST(Tril, ClearsAboveTheDiagonal) {
  const TensorValue self = Tensor<float>({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(RealsOf(ResultOf("aten::tril.out", {self, 0})), ElementsAre(1, 0, 0, 4, 5, 0));
  EXPECT_THAT(RealsOf(ResultOf("aten::tril.out", {self, 1})), ElementsAre(1, 2, 0, 4, 5, 6));
  EXPECT_THAT(RealsOf(ResultOf("aten::tril.out", {self, -1})), ElementsAre(0, 0, 0, 4, 0, 0));
  EXPECT_THAT(FaultOf("aten::tril.out", {Tensor<float>({1}, {1}), 0}), HasSubstr("dimensions"));
}

}  // namespace
}  // namespace pteproof
