// Extremes, sorts, the largest k, running sums.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

int64_t IndexOf(std::string_view op, const std::vector<float>& values) {
  const TensorValue self = Tensor<float>({static_cast<int64_t>(values.size())}, values);
  return IntsOf(ResultOf(op, {self, 0, false})).at(0);
}

TEST(Argmax, TakesTheFirstOfEqualOnes) {
  EXPECT_EQ(IndexOf("aten::argmax.out", {1, 3, 3}), 1);
  EXPECT_EQ(IndexOf("aten::argmin.out", {2, 1, 1}), 1);
  EXPECT_EQ(IndexOf("aten::argmax.out", {-0.0F, 0.0F}), 0);
}

TEST(Argmax, TakesTheFirstNan) {
  EXPECT_EQ(IndexOf("aten::argmax.out", {kInf, kNan, kNan}), 1);
  EXPECT_EQ(IndexOf("aten::argmin.out", {-kInf, kNan, kNan}), 1);
}

TEST(Argmax, WithoutADimensionCountsAllElements) {
  const TensorValue self = Tensor<int32_t>({2, 2}, {0, 1, 5, 2});
  EXPECT_EQ(ResultOf("aten::argmax.out", {self, kNone, false}), Tensor<int64_t>({}, {2}));
  EXPECT_EQ(ResultOf("aten::argmax.out", {self, kNone, true}), Tensor<int64_t>({1, 1}, {2}));
}

TEST(Argmax, NeedsAnElement) {
  const TensorValue self = Zeros(ScalarType::kFloat32, {0, 2});
  EXPECT_THAT(FaultOf("aten::argmax.out", {self, 0, false}), HasSubstr("no elements"));
  EXPECT_THAT(ResultOf("aten::argmax.out", {self, 1, false}).sizes, ElementsAre(0));
}

TEST(MaxDim, GivesValuesAndIndices) {
  const TensorValue self = Tensor<float>({2, 2}, {1, 4, 3, kNan});
  const auto results = ResultsOf("aten::max.dim_max", {self, 1, true});
  EXPECT_EQ(results[0].sizes, (Sizes{2, 1}));
  EXPECT_EQ(RealAt(results[0], 0), 4);
  EXPECT_TRUE(std::isnan(RealAt(results[0], 1)));
  EXPECT_THAT(IntsOf(results[1]), ElementsAre(1, 1));
  const auto least = ResultsOf("aten::min.dim_min", {Tensor<int8_t>({3}, {5, -7, -7}), 0, false});
  EXPECT_THAT(IntsOf(least[0]), ElementsAre(-7));
  EXPECT_THAT(IntsOf(least[1]), ElementsAre(1));
}

TEST(MaxDim, ComparesInt64Exactly) {
  const int64_t large = (int64_t{1} << 62) + 1;
  const auto results =
      ResultsOf("aten::max.dim_max", {Tensor<int64_t>({2}, {large - 1, large}), 0, false});
  EXPECT_THAT(IntsOf(results[0]), ElementsAre(large));
  const TensorValue unsigned_ones = Ints(ScalarType::kUInt64, {2}, {1, -1});
  EXPECT_THAT(IntsOf(ResultsOf("aten::max.dim_max", {unsigned_ones, 0, false})[1]), ElementsAre(1));
}

TEST(Sort, KeepsEqualOnesInOrderAndNanLast) {
  const TensorValue self = Tensor<float>({5}, {2, kNan, 1, 2, 1});
  const auto ascending = ResultsOf("aten::sort.values", {self, -1, false});
  EXPECT_THAT(IntsOf(ascending[1]), ElementsAre(2, 4, 0, 3, 1));
  const auto descending = ResultsOf("aten::sort.values", {self, -1, true});
  EXPECT_THAT(IntsOf(descending[1]), ElementsAre(1, 0, 3, 2, 4));
}

TEST(Sort, GoesAlongTheDimension) {
  const TensorValue self = Tensor<float>({2, 2}, {3, 1, 2, 4});
  const auto results = ResultsOf("aten::sort.values", {self, 0, false});
  EXPECT_EQ(results[0], Tensor<float>({2, 2}, {2, 1, 3, 4}));
  EXPECT_EQ(results[1], Tensor<int64_t>({2, 2}, {1, 0, 0, 1}));
}

TEST(Topk, TakesTheLargestWithNanFirst) {
  const TensorValue self = Tensor<float>({4}, {1, kNan, 3, kInf});
  const auto results = ResultsOf("aten::topk.values", {self, 3, 0, true, true});
  EXPECT_THAT(IntsOf(results[1]), ElementsAre(1, 3, 2));
  const auto least = ResultsOf("aten::topk.values", {self, 2, 0, false, true});
  EXPECT_THAT(IntsOf(least[1]), ElementsAre(0, 2));
}

TEST(Topk, GoesAlongTheDimension) {
  const TensorValue self = Tensor<float>({3, 2}, {1, 6, 3, 4, 5, 2});
  const auto results = ResultsOf("aten::topk.values", {self, 2, 0, true, true});
  EXPECT_EQ(results[0], Tensor<float>({2, 2}, {5, 6, 3, 4}));
  EXPECT_EQ(results[1], Tensor<int64_t>({2, 2}, {2, 0, 1, 1}));
}

TEST(Topk, RefusesMoreThanThereAre) {
  const TensorValue self = Tensor<float>({2}, {1, 2});
  EXPECT_THAT(FaultOf("aten::topk.values", {self, 3, 0, true, true}), HasSubstr("k is"));
  EXPECT_THAT(FaultOf("aten::topk.values", {self, -1, 0, true, true}), HasSubstr("k is"));
  EXPECT_THAT(RealsOf(ResultOf("aten::topk.values", {self, 0, 0, true, true})), IsEmpty());
}

TEST(Cumsum, AddsIntegersAsInt64) {
  const TensorValue self = Tensor<uint8_t>({3}, {200, 100, 1});
  EXPECT_EQ(ResultOf("aten::cumsum.out", {self, 0, kNone}), Tensor<int64_t>({3}, {200, 300, 301}));
}

TEST(Cumsum, ConvertsBeforeItAdds) {
  const TensorValue self = Tensor<float>({3}, {1.75F, 1.75F, -1.75F});
  EXPECT_EQ(ResultOf("aten::cumsum.out", {self, 0, static_cast<int>(ScalarType::kInt32)}),
            Tensor<int32_t>({3}, {1, 2, 1}));
  EXPECT_THAT(FaultOf("aten::cumsum.out", {self, 0, 77}), HasSubstr("not an element type"));
}

TEST(Cumsum, GoesAlongTheDimensionAndMeetsNan) {
  const TensorValue self = Tensor<float>({2, 2}, {1, 2, 3, kInf});
  EXPECT_THAT(RealsOf(ResultOf("aten::cumsum.out", {self, 0, kNone})), ElementsAre(1, 2, 4, kInf));
  const TensorValue line = Tensor<float>({2}, {kInf, -kInf});
  EXPECT_TRUE(std::isnan(RealAt(ResultOf("aten::cumsum.out", {line, 0, kNone}), 1)));
}

}  // namespace
}  // namespace pteproof
