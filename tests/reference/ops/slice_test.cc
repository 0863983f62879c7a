// Slices, splits and joins: which coordinates they take, and what size is left of a symbolic one.
#include <gmock/gmock.h>

#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
const SizeExpr kLength = SizeExpr::Symbol(0);

TensorValue Line() {
  return Tensor<float>({5}, {0, 1, 2, 3, 4});
}

std::vector<double> SliceOf(const Operand& start, const Operand& end, int step) {
  return RealsOf(ResultOf("aten::slice_copy.Tensor_out", {Line(), 0, start, end, step}));
}

TEST(SliceCopy, CountsAndClampsAsPython) {
  EXPECT_THAT(SliceOf(1, 3, 1), ElementsAre(1, 2));
  EXPECT_THAT(SliceOf(-2, kEnd, 1), ElementsAre(3, 4));
  EXPECT_THAT(SliceOf(kNone, -1, 2), ElementsAre(0, 2));
  EXPECT_THAT(SliceOf(-100, 100, 3), ElementsAre(0, 3));
  EXPECT_THAT(SliceOf(std::numeric_limits<int64_t>::min(), kNone, 4), ElementsAre(0, 4));
  EXPECT_THAT(SliceOf(3, 2, 1), IsEmpty());
  EXPECT_THAT(RealsOf(ResultOf("aten::slice_copy.Tensor_out", {Line(), 0, 1, kNone, kEnd})),
              ElementsAre(1));
}

TEST(SliceCopy, RefusesAStepThatDoesNotMoveOn) {
  EXPECT_THAT(FaultOf("aten::slice_copy.Tensor_out", {Line(), 0, 0, 5, 0}), HasSubstr("step"));
  EXPECT_THAT(FaultOf("aten::slice_copy.Tensor_out", {Line(), 1, 0, 5, 1}),
              HasSubstr("out of range"));
  EXPECT_THAT(FaultOf("aten::slice_copy.Tensor_out", {Tensor<float>({}, {0}), 0, 0, 5, 1}),
              HasSubstr("dimension"));
}

TEST(SliceCopy, KeepsASymbolicSizeThatIsTakenWhole) {
  const auto slice = [](const TypeOperand& start, const TypeOperand& end, int step) {
    return TypeOfOp("aten::slice_copy.Tensor_out", {Floats({kLength}), 0, start, end, step})
        .sizes[0];
  };
  EXPECT_EQ(slice(kNone, SizeExpr(kEnd), 1), kLength);
  EXPECT_EQ(slice(0, kLength, 1), kLength);
  EXPECT_EQ(slice(0, SizeExpr(kEnd), 2), FloorDiv(kLength + 1, 2));
}

TEST(SliceCopy, HoldsForSymbolicBoundsOfEitherSign) {
  const auto slice = [](const SizeExpr& size, const SizeExpr& start, const SizeExpr& end) {
    return TypeOfOp("aten::slice_copy.Tensor_out", {Floats({size}), 0, start, end, 1}).sizes[0];
  };
  const SizeExpr dropped_last = slice(kLength, 0, SizeExpr(-2));
  const SizeExpr from_back = slice(8, SizeExpr(0) - kLength, SizeExpr(kEnd));
  const SizeExpr around_zero = slice(8, kLength - 3, SizeExpr(kEnd));
  for (const int64_t n : {0, 1, 2, 3, 4, 9, 20}) {
    const std::vector<int64_t> dims = {n};
    EXPECT_EQ(dropped_last.At(dims), std::max<int64_t>(n - 2, 0)) << n;
    EXPECT_EQ(from_back.At(dims), n == 0 ? 8 : std::min<int64_t>(n, 8)) << n;
    EXPECT_EQ(around_zero.At(dims), n < 3 ? 3 - n : std::max<int64_t>(8 - (n - 3), 0)) << n;
  }
}

TEST(SliceScatter, WritesTheSourceIntoACopy) {
  EXPECT_EQ(
      ResultOf("aten::slice_scatter.out", {Line(), Tensor<int32_t>({2}, {8, 9}), 0, 1, kNone, 2}),
      Tensor<float>({5}, {0, 8, 2, 9, 4}));
  EXPECT_THAT(FaultOf("aten::slice_scatter.out", {Line(), Tensor<float>({1}, {8}), 0, 1, kNone, 2}),
              HasSubstr("other sizes than the slice"));
}

TEST(NarrowCopy, CountsANegativeStartFromTheEnd) {
  EXPECT_EQ(ResultOf("aten::narrow_copy.out", {Line(), -1, -3, 2}), Tensor<float>({2}, {2, 3}));
  EXPECT_THAT(ResultOf("aten::narrow_copy.out", {Line(), 0, 5, 0}).sizes, ElementsAre(0));
  EXPECT_THAT(FaultOf("aten::narrow_copy.out", {Line(), 0, 4, 2}), HasSubstr("out of"));
  EXPECT_THAT(FaultOf("aten::narrow_copy.out", {Line(), 0, 1, kEnd}), HasSubstr("out of"));
  EXPECT_THAT(FaultOf("aten::narrow_copy.out", {Line(), 0, 1, -1}), HasSubstr("negative"));
}

TEST(SelectCopy, DropsTheDimension) {
  const TensorValue self = Tensor<float>({2, 3}, {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(ResultOf("aten::select_copy.int_out", {self, 1, -1}), Tensor<float>({2}, {2, 5}));
  EXPECT_THAT(FaultOf("aten::select_copy.int_out", {self, 1, 3}), HasSubstr("out of range"));
  EXPECT_THAT(FaultOf("aten::select_copy.int_out", {self, 0, -3}), HasSubstr("out of range"));
}

TEST(SelectScatter, WritesOneCoordinate) {
  const TensorValue self = Tensor<float>({2, 2}, {0, 1, 2, 3});
  EXPECT_EQ(ResultOf("aten::select_scatter.out", {self, Tensor<float>({2}, {8, 9}), 1, 0}),
            Tensor<float>({2, 2}, {8, 1, 9, 3}));
  EXPECT_THAT(FaultOf("aten::select_scatter.out", {self, Tensor<float>({1}, {8}), 1, 0}),
              HasSubstr("other sizes"));
}

TEST(SplitCopy, LeavesTheRestToTheLastPart) {
  const auto parts = ResultsOf("aten::split_copy.Tensor_out", {Line(), 2, 0});
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_EQ(parts[1], Tensor<float>({2}, {2, 3}));
  EXPECT_EQ(parts[2], Tensor<float>({1}, {4}));
  EXPECT_THAT(ResultsOf("aten::split_copy.Tensor_out", {Tensor<float>({0}, {}), 0, 0}), SizeIs(1));
  EXPECT_THAT(ResultsOf("aten::split_copy.Tensor_out", {Line(), kEnd, 0}), ElementsAre(Line()));
}

TEST(SplitCopy, NeedsANumberOfParts) {
  const auto even =
      TypesOfOp("aten::split_copy.Tensor_out", {Floats({SizeExpr(2) * kLength}), kLength, 0});
  ASSERT_TRUE(even.ok());
  EXPECT_THAT(even.value(), ElementsAre(Floats({kLength}), Floats({kLength})));
  const auto open = TypesOfOp("aten::split_copy.Tensor_out", {Floats({kLength}), 2, 0});
  ASSERT_FALSE(open.ok());
  EXPECT_THAT(open.error().explanation, HasSubstr("number of parts"));
  EXPECT_THAT(FaultOf("aten::split_copy.Tensor_out", {Line(), 0, 0}), HasSubstr("number of parts"));
}

TEST(SplitWithSizesCopy, TakesPartsOneBehindTheOther) {
  const auto parts =
      ResultsOf("aten::split_with_sizes_copy.out", {Line(), std::vector{2, 0, 3}, 0});
  ASSERT_THAT(parts, SizeIs(3));
  EXPECT_THAT(parts[1].sizes, ElementsAre(0));
  EXPECT_EQ(parts[2], Tensor<float>({3}, {2, 3, 4}));
  EXPECT_THAT(FaultOf("aten::split_with_sizes_copy.out", {Line(), std::vector{2, 2}, 0}),
              HasSubstr("another size"));
  EXPECT_THAT(FaultOf("aten::split_with_sizes_copy.out", {Line(), std::vector{6, -1}, 0}),
              HasSubstr("negative"));
}

TEST(UnbindCopy, GivesOneResultPerCoordinate) {
  const auto rows =
      ResultsOf("aten::unbind_copy.int_out", {Tensor<float>({2, 2}, {0, 1, 2, 3}), 1});
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[1], Tensor<float>({2}, {1, 3}));
}

TEST(Cat, PromotesAndSkipsTheEmptyList) {
  const std::vector<TensorValue> tensors = {Tensor<uint8_t>({1, 2}, {200, 1}),
                                            Tensor<float>({0}, {}),
                                            Tensor<int8_t>({2, 2}, {-1, 2, 3, 4})};
  const TensorValue result = ResultOf("aten::cat.out", {tensors, -2});
  EXPECT_EQ(result, Tensor<float>({3, 2}, {200, 1, -1, 2, 3, 4}));
}

TEST(Cat, AddsSymbolicSizes) {
  EXPECT_EQ(TypeOfOp("aten::cat.out", {std::vector{Floats({2, kLength}), Floats({2, 3})}, 1}),
            Floats({2, kLength + 3}));
}

TEST(Cat, RefusesOtherSizesAside) {
  const std::vector<TensorValue> tensors = {Zeros(ScalarType::kFloat32, {1, 2}),
                                            Zeros(ScalarType::kFloat32, {1, 3})};
  EXPECT_THAT(FaultOf("aten::cat.out", {tensors, 0}), HasSubstr("differ in another dimension"));
  EXPECT_THAT(FaultOf("aten::cat.out", {std::vector<TensorValue>{}, 0}), HasSubstr("no tensor"));
  EXPECT_THAT(FaultOf("aten::cat.out", {std::vector{Tensor<float>({}, {1})}, 0}),
              HasSubstr("dimension"));
}

TEST(Stack, MakesADimensionOfTheTensors) {
  const std::vector<TensorValue> tensors = {Tensor<float>({2}, {0, 1}), Tensor<float>({2}, {2, 3})};
  EXPECT_EQ(ResultOf("aten::stack.out", {tensors, -1}), Tensor<float>({2, 2}, {0, 2, 1, 3}));
  const std::vector<TensorValue> others = {Tensor<float>({2}, {0, 1}), Tensor<float>({1}, {2})};
  EXPECT_THAT(FaultOf("aten::stack.out", {others, 0}), HasSubstr("differ"));
}

}  // namespace
}  // namespace pteproof
