// Indexing, gathers, scatters, masks: places that come from data.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Indices = std::vector<std::optional<TensorValue>>;

TensorValue Places(const std::vector<int64_t>& places) {
  return Tensor<int64_t>({static_cast<int64_t>(places.size())}, places);
}

TensorValue Mask(const std::vector<bool>& flags) {
  return Tensor<bool>({static_cast<int64_t>(flags.size())}, flags);
}

TEST(Index, CountsNegativePlacesFromTheEnd) {
  EXPECT_EQ(ResultOf("aten::index.Tensor_out", {Counting({3, 2}), Indices{Places({-1, 0})}}),
            Tensor<float>({2, 2}, {4, 5, 0, 1}));
  EXPECT_THAT(FaultOf("aten::index.Tensor_out", {Counting({3}), Indices{Places({3})}}),
              HasSubstr("index 3 is out of range"));
  EXPECT_THAT(FaultOf("aten::index.Tensor_out", {Counting({3}), Indices{Places({-4})}}),
              HasSubstr("index -4 is out of range"));
}

TEST(Index, BroadcastsIndicesInPlaceOfNeighbouringDimensions) {
  const TensorValue rows = Tensor<int64_t>({2, 1}, {0, 1});
  const TensorValue result = ResultOf(
      "aten::index.Tensor_out", {Counting({2, 2, 3}), Indices{std::nullopt, rows, Places({2, 0})}});
  EXPECT_THAT(result.sizes, ElementsAre(2, 2, 2));
  EXPECT_THAT(RealsOf(result), ElementsAre(2, 0, 5, 3, 8, 6, 11, 9));
}

TEST(Index, PutsSeparatedIndicesFirst) {
  const TensorValue result =
      ResultOf("aten::index.Tensor_out",
               {Counting({2, 3, 2}), Indices{Places({0, 1}), std::nullopt, Places({1, 0})}});
  EXPECT_THAT(result.sizes, ElementsAre(2, 3));
  EXPECT_THAT(RealsOf(result), ElementsAre(1, 3, 5, 6, 8, 10));
}

TEST(Index, CutsTheResultToTheMasksTrueElements) {
  EXPECT_EQ(
      ResultOf("aten::index.Tensor_out", {Counting({3, 2}), Indices{Mask({true, false, true})}}),
      Tensor<float>({2, 2}, {0, 1, 4, 5}));
  const TensorValue both = Tensor<bool>({2, 2}, {false, true, true, false});
  EXPECT_EQ(ResultOf("aten::index.Tensor_out", {Counting({2, 2}), Indices{both}}),
            Tensor<float>({2}, {1, 2}));
  EXPECT_THAT(FaultOf("aten::index.Tensor_out", {Counting({2}), Indices{Mask({true})}}),
              HasSubstr("other sizes"));
}

TEST(Index, BoundsAMaskByItsSizeBeforeARun) {
  const SizeExpr n = SizeExpr::Symbol(0);
  const TensorType self{ScalarType::kFloat32, {n, 3}};
  const TensorType mask{ScalarType::kBool, {n}};
  const TensorType places{ScalarType::kInt64, {4}};
  const auto sizes = [&](const std::vector<TensorType>& indices) {
    return TypeOfOp("aten::index.Tensor_out", {self, indices}).sizes;
  };
  EXPECT_EQ(sizes({mask}), (std::vector<SizeExpr>{n, 3}));
  EXPECT_EQ(sizes({mask, places}), (std::vector<SizeExpr>{4}));
  EXPECT_EQ(sizes({places}), (std::vector<SizeExpr>{4, 3}));
}

TEST(Index, RefusesMoreIndicesThanDimensions) {
  EXPECT_THAT(FaultOf("aten::index.Tensor_out", {Counting({3}), Indices{Places({0}), Places({0})}}),
              HasSubstr("too many"));
  EXPECT_THAT(FaultOf("aten::index.Tensor_out", {Counting({3}), Indices{Tensor<float>({1}, {0})}}),
              HasSubstr("neither"));
}

TEST(IndexPut, BroadcastsTheValues) {
  EXPECT_EQ(ResultOf("aten::index_put.out", {Counting({3, 2}), Indices{Places({2, 0})},
                                             Tensor<float>({2, 1}, {7, 8}), false}),
            Tensor<float>({3, 2}, {8, 8, 2, 3, 7, 7}));
  EXPECT_THAT(FaultOf("aten::index_put.out",
                      {Counting({3}), Indices{Places({0})}, Tensor<float>({2}, {7, 8}), false}),
              HasSubstr("do not fit"));
}

TEST(IndexPut, AccumulatesRepeatedPlacesInTheType) {
  const TensorValue bytes = Tensor<uint8_t>({2}, {250, 1});
  EXPECT_EQ(ResultOf("aten::index_put.out",
                     {bytes, Indices{Places({0, 0})}, Tensor<uint8_t>({2}, {4, 4}), true}),
            Tensor<uint8_t>({2}, {2, 1}));
  // 2048 + 1 is 2048 in float16, twice.
  const TensorValue half = Reals(ScalarType::kFloat16, {1}, {2048});
  const TensorValue ones = Reals(ScalarType::kFloat16, {2}, {1, 1});
  EXPECT_THAT(RealsOf(ResultOf("aten::index_put.out", {half, Indices{Places({0, 0})}, ones, true})),
              ElementsAre(2048));
}

TEST(Gather, TakesThePlaceInOneDimension) {
  const TensorValue index = Tensor<int64_t>({1, 3}, {1, 0, 1});
  EXPECT_EQ(ResultOf("aten::gather.out", {Counting({2, 3}), 0, index, false}),
            Tensor<float>({1, 3}, {3, 1, 5}));
  EXPECT_THAT(RealsOf(ResultOf("aten::gather.out",
                               {Tensor<float>({}, {5}), 0, Tensor<int64_t>({}, {0}), false})),
              ElementsAre(5));
}

TEST(Gather, RefusesPlacesOutsideAndLongerIndices) {
  const auto fault = [](const TensorValue& index) {
    return FaultOf("aten::gather.out", {Counting({2, 2}), 0, index, false});
  };
  EXPECT_THAT(fault(Tensor<int64_t>({1, 1}, {2})), HasSubstr("out of range"));
  EXPECT_THAT(fault(Tensor<int64_t>({1, 1}, {-1})), HasSubstr("out of range"));
  EXPECT_THAT(fault(Tensor<int64_t>({1, 3}, {0, 0, 0})), HasSubstr("larger"));
  EXPECT_THAT(fault(Tensor<int64_t>({1}, {0})), HasSubstr("rank"));
}

TEST(Scatter, LeavesTheRest) {
  const TensorValue index = Tensor<int64_t>({1, 2}, {1, 0});
  EXPECT_EQ(ResultOf("aten::scatter.src_out",
                     {Counting({2, 2}), 0, index, Tensor<float>({2, 3}, {7, 8, 9, 9, 9, 9})}),
            Tensor<float>({2, 2}, {0, 8, 7, 3}));
  EXPECT_EQ(
      ResultOf("aten::scatter.value_out", {Tensor<int32_t>({2}, {1, 1}), 0, Places({1}), 2.5}),
      Tensor<int32_t>({2}, {1, 2}));
  EXPECT_THAT(
      FaultOf("aten::scatter.src_out", {Counting({2, 2}), 0, index, Tensor<float>({1, 1}, {7})}),
      HasSubstr("larger"));
}

TEST(ScatterAdd, SumsRepeatedPlaces) {
  EXPECT_EQ(ResultOf("aten::scatter_add.out",
                     {Counting({3}), 0, Places({2, 2, 0}), Tensor<float>({3}, {10, 20, 30})}),
            Tensor<float>({3}, {30, 1, 32}));
}

TEST(IndexSelect, TakesSlices) {
  EXPECT_EQ(ResultOf("aten::index_select.out", {Counting({2, 3}), -1, Places({2, 2})}),
            Tensor<float>({2, 2}, {2, 2, 5, 5}));
  EXPECT_THAT(ResultOf("aten::index_select.out", {Counting({2, 3}), 0, Places({})}).sizes,
              ElementsAre(0, 3));
  EXPECT_THAT(FaultOf("aten::index_select.out", {Counting({2}), 0, Places({-1})}),
              HasSubstr("out of range"));
}

TEST(IndexCopy, WritesSlices) {
  EXPECT_EQ(ResultOf("aten::index_copy_",
                     {Counting({2, 2}), 1, Places({0}), Tensor<float>({2, 1}, {8, 9})}),
            Tensor<float>({2, 2}, {8, 1, 9, 3}));
  EXPECT_THAT(FaultOf("aten::index_copy_",
                      {Counting({2, 2}), 1, Places({0}), Tensor<float>({2, 2}, {0, 0, 0, 0})}),
              HasSubstr("does not fit"));
}

TEST(IndexAdd, AddsSlicesTimesAlpha) {
  EXPECT_EQ(ResultOf("aten::index_add_", {Counting({2, 2}), 0, Places({1, 1}),
                                          Tensor<float>({2, 2}, {1, 2, 3, 4}), 10}),
            Tensor<float>({2, 2}, {0, 1, 42, 63}));
}

TEST(MaskedSelect, BroadcastsBoth) {
  EXPECT_EQ(
      ResultOf("aten::masked_select.out", {Counting({2}), Tensor<bool>({2, 1}, {false, true})}),
      Tensor<float>({2}, {0, 1}));
  EXPECT_THAT(FaultOf("aten::masked_select.out", {Counting({2}), Counting({2})}),
              HasSubstr("not bool"));
}

TEST(MaskedScatter, TakesTheSourceInOrder) {
  EXPECT_EQ(ResultOf("aten::masked_scatter.out",
                     {Counting({3}), Mask({true, false, true}), Tensor<float>({3}, {7, 8, 9})}),
            Tensor<float>({3}, {7, 1, 8}));
  EXPECT_THAT(FaultOf("aten::masked_scatter.out",
                      {Counting({2}), Mask({true, true}), Tensor<float>({1}, {7})}),
              HasSubstr("less elements"));
}

TEST(Nonzero, ListsCoordinatesWithNanAmongThem) {
  const TensorValue self = Tensor<float>({2, 2}, {0, std::nanf(""), -0.0F, 3});
  EXPECT_EQ(ResultOf("aten::nonzero.out", {self}), Tensor<int64_t>({2, 2}, {0, 1, 1, 1}));
  EXPECT_THAT(ResultOf("aten::nonzero.out", {Tensor<float>({}, {1})}).sizes, ElementsAre(1, 0));
  const SizeExpr n = SizeExpr::Symbol(0);
  EXPECT_EQ(TypeOfOp("aten::nonzero.out", {TensorType{ScalarType::kFloat32, {n, 2}}}).sizes,
            (std::vector<SizeExpr>{SizeExpr(2) * n, 2}));
}

TEST(RepeatInterleave, GivesNumbersAsOftenAsTheySay) {
  EXPECT_EQ(ResultOf("aten::repeat_interleave.Tensor_out", {Places({2, 0, 1}), kNone}),
            Tensor<int64_t>({3}, {0, 0, 2}));
  EXPECT_THAT(FaultOf("aten::repeat_interleave.Tensor_out", {Places({2}), 3}),
              HasSubstr("output_size"));
  EXPECT_THAT(FaultOf("aten::repeat_interleave.Tensor_out", {Places({-1}), kNone}),
              HasSubstr("negative"));
  EXPECT_THAT(FaultOf("aten::repeat_interleave.Tensor_out", {Places({int64_t{1} << 62}), kNone}),
              HasSubstr("out of range"));
}

}  // namespace
}  // namespace pteproof
