// Copies, transposes, expansions, tiles: what comes where, and which sizes it has.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const SizeExpr kCount = SizeExpr::Symbol(0);

TEST(ToCopy, ConvertsToTheResultsType) {
  const TensorValue self = Tensor<float>({3}, {-1.5F, 0.0F, 300.75F});
  const TensorValue ints =
      ResultOf("aten::_to_copy.out", {self, false, kNone}, {ScalarType::kInt64});
  EXPECT_THAT(IntsOf(ints), ElementsAre(-1, 0, 300));
  const TensorValue bytes =
      ResultOf("aten::_to_copy.out", {self, false, kNone}, {ScalarType::kUInt8});
  EXPECT_THAT(IntsOf(bytes), ElementsAre(255, 0, 44));
  const TensorValue flags =
      ResultOf("dim_order_ops::_to_dim_order_copy.out", {self, false, kNone}, {ScalarType::kBool});
  EXPECT_THAT(IntsOf(flags), ElementsAre(1, 0, 1));
}

TEST(ToCopy, TakesNanForTrue) {
  const TensorValue self = Tensor<float>({1}, {std::nanf("")});
  EXPECT_THAT(IntsOf(ResultOf("aten::_to_copy.out", {self, false, kNone}, {ScalarType::kBool})),
              ElementsAre(1));
}

TEST(AliasCopy, KeepsTheBits) {
  const TensorValue self = Tensor<float>({2}, {-0.0F, std::numeric_limits<float>::infinity()});
  EXPECT_EQ(ResultOf("aten::alias_copy.out", {self}), self);
}

TEST(ViewCopy, FindsTheOpenSize) {
  const TensorValue view = ResultOf("aten::view_copy.out", {Counting({2, 6}), std::vector{3, -1}});
  EXPECT_THAT(view.sizes, ElementsAre(3, 4));
  EXPECT_THAT(RealsOf(view), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
}

TEST(ViewCopy, RefusesSizesThatDoNotFit) {
  const TensorValue self = Counting({2, 3});
  const auto view = [&](std::vector<int> sizes) {
    return FaultOf("aten::view_copy.out", {self, std::move(sizes)});
  };
  EXPECT_THAT(view({4, 2}), HasSubstr("another number of elements"));
  EXPECT_THAT(view({4, -1}), HasSubstr("another number of elements"));
  EXPECT_THAT(view({-1, -1}), HasSubstr("two sizes are -1"));
  EXPECT_THAT(view({-2, -3}), HasSubstr("negative"));
  EXPECT_THAT(FaultOf("aten::view_copy.out", {Counting({0}), std::vector{0, -1}}),
              HasSubstr("open"));
}

TEST(ViewCopy, DividesSymbolicSizes) {
  const TensorType view = TypeOfOp(
      "aten::view_copy.out", {Floats({kCount, 6}), std::vector<SizeExpr>{kCount, 2, SizeExpr(-1)}});
  EXPECT_EQ(view, Floats({kCount, 2, 3}));
}

TEST(SqueezeCopy, DropsOnlySizesOfOne) {
  const TensorValue self = Counting({1, 2, 1});
  EXPECT_THAT(ResultOf("aten::squeeze_copy.dim_out", {self, 0}).sizes, ElementsAre(2, 1));
  EXPECT_THAT(ResultOf("aten::squeeze_copy.dim_out", {self, 1}).sizes, ElementsAre(1, 2, 1));
  EXPECT_THAT(ResultOf("aten::squeeze_copy.dims_out", {self, std::vector{-1, 0, 1}}).sizes,
              ElementsAre(2));
  EXPECT_THAT(ResultOf("aten::squeeze_copy.dims_out", {self, std::vector<int>{}}).sizes,
              ElementsAre(1, 2, 1));
  EXPECT_THAT(FaultOf("aten::squeeze_copy.dims_out", {self, std::vector{0, -3}}),
              HasSubstr("twice"));
}

TEST(UnsqueezeCopy, CountsNegativeDimensionsInTheResult) {
  EXPECT_THAT(ResultOf("aten::unsqueeze_copy.out", {Counting({2}), -1}).sizes, ElementsAre(2, 1));
  EXPECT_THAT(ResultOf("aten::unsqueeze_copy.out", {Counting({2}), -2}).sizes, ElementsAre(1, 2));
  EXPECT_THAT(FaultOf("aten::unsqueeze_copy.out", {Counting({2}), 2}), HasSubstr("out of range"));
}

TEST(ViewAsRealCopy, GivesRealAndImaginaryParts) {
  TensorValue self = Zeros(ScalarType::kComplex64, {2});
  SetComplex(self, 0, {1, 2});
  SetComplex(self, 1, {3, -4});
  const TensorValue parts = ResultOf("aten::view_as_real_copy.out", {self});
  EXPECT_EQ(parts, Tensor<float>({2, 2}, {1, 2, 3, -4}));
  EXPECT_THAT(FaultOf("aten::view_as_real_copy.out", {Counting({1})}), HasSubstr("not complex"));
}

TEST(PermuteCopy, TakesTheOperandsDimensionsInThatOrder) {
  const TensorValue self = Counting({2, 1, 3});
  const TensorValue result = ResultOf("aten::permute_copy.out", {self, std::vector{-1, 0, 1}});
  EXPECT_THAT(result.sizes, ElementsAre(3, 2, 1));
  EXPECT_THAT(RealsOf(result), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(FaultOf("aten::permute_copy.out", {self, std::vector{0, 1, 1}}),
              HasSubstr("not a permutation"));
  EXPECT_THAT(FaultOf("aten::permute_copy.out", {self, std::vector{0, 1}}),
              HasSubstr("not a permutation"));
}

TEST(PermuteCopy, LeavesAScalarAsItIs) {
  EXPECT_THAT(RealsOf(ResultOf("aten::permute_copy.out", {Counting({}), std::vector<int>{}})),
              ElementsAre(0));
}

TEST(TransposeCopy, SwapsSymbolicSizes) {
  EXPECT_EQ(TypeOfOp("aten::transpose_copy.int_out", {Floats({2, kCount, 3}), 1, -1}),
            Floats({2, 3, kCount}));
}

TEST(TCopy, TransposesMatricesOnly) {
  EXPECT_THAT(RealsOf(ResultOf("aten::t_copy.out", {Counting({2, 3})})),
              ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(RealsOf(ResultOf("aten::t_copy.out", {Counting({3})})), ElementsAre(0, 1, 2));
  EXPECT_THAT(FaultOf("aten::t_copy.out", {Counting({1, 1, 1})}), HasSubstr("two dimensions"));
}

TEST(ExpandCopy, RepeatsSizesOfOneAndKeepsThoseOfMinusOne) {
  const TensorValue result =
      ResultOf("aten::expand_copy.out", {Counting({2, 1}), std::vector{2, -1, 3}, false});
  EXPECT_THAT(result.sizes, ElementsAre(2, 2, 3));
  EXPECT_THAT(RealsOf(result), ElementsAre(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1));
  EXPECT_THAT(FaultOf("aten::expand_copy.out", {Counting({2}), std::vector{3}, false}),
              HasSubstr("not 1"));
  EXPECT_THAT(FaultOf("aten::expand_copy.out", {Counting({2}), std::vector{-1, 2}, false}),
              HasSubstr("new dimension"));
}

TEST(Copy, BroadcastsTheSourceToSelf) {
  const TensorValue self = Tensor<int32_t>({2, 2}, {9, 9, 9, 9});
  EXPECT_EQ(ResultOf("aten::copy.out", {self, Tensor<float>({2}, {1.5F, -2.5F}), false}),
            Tensor<int32_t>({2, 2}, {1, -2, 1, -2}));
  EXPECT_THAT(FaultOf("aten::copy.out", {Counting({2}), Counting({1, 2}), false}),
              HasSubstr("does not fit"));
}

TEST(Repeat, LaysCopiesSideBySide) {
  const TensorValue result = ResultOf("aten::repeat.out", {Counting({2}), std::vector{2, 2}});
  EXPECT_THAT(result.sizes, ElementsAre(2, 4));
  EXPECT_THAT(RealsOf(result), ElementsAre(0, 1, 0, 1, 0, 1, 0, 1));
  EXPECT_THAT(ResultOf("aten::repeat.out", {Counting({2}), std::vector{0}}).sizes, ElementsAre(0));
  EXPECT_THAT(FaultOf("aten::repeat.out", {Counting({2}), std::vector{-1}}), HasSubstr("negative"));
  EXPECT_EQ(TypeOfOp("aten::repeat.out", {Floats({kCount}), std::vector{2, 3}}),
            Floats({2, SizeExpr(3) * kCount}));
}

TEST(AsStridedCopy, ReadsTheRowMajorElements) {
  const TensorValue self = Counting({2, 3});
  EXPECT_THAT(RealsOf(ResultOf("aten::as_strided_copy.out",
                               {self, std::vector{2, 2}, std::vector{1, 2}, 1})),
              ElementsAre(1, 3, 2, 4));
}

TEST(AsStridedCopy, RefusesElementsOutsideOfSelf) {
  const int64_t large = std::numeric_limits<int64_t>::max();
  const auto fault = [&](std::vector<int64_t> sizes, std::vector<int64_t> strides, int64_t offset) {
    return FaultOf("aten::as_strided_copy.out", {Counting({6}), sizes, strides, offset});
  };
  EXPECT_THAT(fault({2}, {5}, 1), HasSubstr("outside"));
  EXPECT_THAT(fault({3}, {large}, 0), HasSubstr("outside"));
  EXPECT_THAT(fault({2}, {large}, 1), HasSubstr("outside"));
  EXPECT_THAT(fault({2}, {-1}, 3), HasSubstr("negative"));
  EXPECT_THAT(fault({1}, {1}, -1), HasSubstr("negative"));
  EXPECT_THAT(fault({1}, {1, 1}, 0), HasSubstr("the number of strides differs"));
  // A stride that is never taken may be anything, and of nothing all is inside.
  EXPECT_THAT(fault({1}, {large}, 5), IsEmpty());
  EXPECT_THAT(fault({0, 2}, {large, large}, 9), IsEmpty());
}

TEST(PixelShuffle, SpreadsChannelsOverATile) {
  const TensorValue result = ResultOf("aten::pixel_shuffle.out", {Counting({4, 1, 2}), 2});
  EXPECT_THAT(result.sizes, ElementsAre(1, 2, 4));
  EXPECT_THAT(RealsOf(result), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
  EXPECT_EQ(ResultOf("aten::pixel_unshuffle.out", {result, 2}), Counting({4, 1, 2}));
}

TEST(PixelShuffle, RefusesWhatDoesNotDivide) {
  EXPECT_THAT(FaultOf("aten::pixel_shuffle.out", {Counting({6, 1, 1}), 2}), HasSubstr("multiple"));
  EXPECT_THAT(FaultOf("aten::pixel_unshuffle.out", {Counting({1, 2, 3}), 2}),
              HasSubstr("multiple"));
  EXPECT_THAT(FaultOf("aten::pixel_shuffle.out", {Counting({6, 1, 1}), 0}), HasSubstr("factor"));
}

TEST(TileCrop, GivesTilesRowByRow) {
  const TensorValue result = ResultOf("preprocess::tile_crop.out", {Counting({1, 2, 4}), 2});
  EXPECT_THAT(result.sizes, ElementsAre(2, 1, 2, 2));
  EXPECT_THAT(RealsOf(result), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
}

TEST(UnfoldCopy, GivesWindowsLast) {
  const TensorValue result = ResultOf("aten::unfold_copy.out", {Counting({5, 1}), 0, 3, 2});
  EXPECT_THAT(result.sizes, ElementsAre(2, 1, 3));
  EXPECT_THAT(RealsOf(result), ElementsAre(0, 1, 2, 2, 3, 4));
  EXPECT_THAT(FaultOf("aten::unfold_copy.out", {Counting({2}), 0, 3, 1}), HasSubstr("larger"));
  EXPECT_THAT(FaultOf("aten::unfold_copy.out", {Counting({2}), 0, 1, 0}), HasSubstr("step"));
  EXPECT_THAT(RealsOf(ResultOf("aten::unfold_copy.out", {Counting({}), 0, 1, 1})), ElementsAre(0));
}

TEST(DiagonalCopy, ShiftsByTheOffset) {
  const TensorValue self = Counting({2, 3});
  const auto diagonal = [&](int64_t offset, int a, int b) {
    return RealsOf(ResultOf("aten::diagonal_copy.out", {self, offset, a, b}));
  };
  EXPECT_THAT(diagonal(0, 0, 1), ElementsAre(0, 4));
  EXPECT_THAT(diagonal(1, 0, 1), ElementsAre(1, 5));
  EXPECT_THAT(diagonal(-1, 0, 1), ElementsAre(3));
  EXPECT_THAT(diagonal(1, 1, 0), ElementsAre(3));
  EXPECT_THAT(diagonal(3, 0, 1), IsEmpty());
  EXPECT_THAT(diagonal(std::numeric_limits<int64_t>::min(), 0, 1), IsEmpty());
  EXPECT_THAT(FaultOf("aten::diagonal_copy.out", {self, 0, 1, -1}), HasSubstr("two dimensions"));
}

}  // namespace
}  // namespace pteproof
