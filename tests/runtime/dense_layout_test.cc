#include "runtime/dense_layout.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pteproof {
namespace {

constexpr int kFloat = 6;

bool Accepts(int dtype, const std::vector<int32_t>& sizes, const std::vector<uint8_t>& dim_order) {
  return MakeDenseLayout(dtype, sizes, dim_order).ok();
}

uint64_t BytesOf(const std::vector<int32_t>& sizes) {
  std::vector<uint8_t> dim_order(sizes.size());
  std::iota(dim_order.begin(), dim_order.end(), uint8_t{0});
  return MakeDenseLayout(kFloat, sizes, dim_order).value().nbytes;
}

TEST(DenseLayout, CountsBytes) {
  EXPECT_EQ(BytesOf({2, 3}), 24U);
  EXPECT_EQ(BytesOf({}), 4U);
  EXPECT_EQ(BytesOf({5, 0, 7}), 0U);
}

TEST(DenseLayout, AcceptsEveryPermutation) {
  EXPECT_TRUE(Accepts(kFloat, {2, 3, 4}, {2, 0, 1}));
  EXPECT_TRUE(Accepts(kFloat, {}, {}));
}

TEST(DenseLayout, RejectsOrdersThatAreNoPermutation) {
  EXPECT_FALSE(Accepts(kFloat, {2, 3}, {0, 0}));
  EXPECT_FALSE(Accepts(kFloat, {2, 3}, {0, 2}));
  EXPECT_FALSE(Accepts(kFloat, {2, 3}, {0}));
  EXPECT_FALSE(Accepts(kFloat, {2}, {0, 1}));
  EXPECT_FALSE(Accepts(kFloat, {2}, {255}));
}

TEST(DenseLayout, RejectsNegativeSizesAndUnknownTypes) {
  EXPECT_FALSE(Accepts(kFloat, {-4}, {0}));
  EXPECT_FALSE(Accepts(30, {4}, {0}));
  EXPECT_FALSE(Accepts(-1, {4}, {0}));
}

TEST(DenseLayout, RejectsProductsBeyondSixtyFourBits) {
  EXPECT_FALSE(Accepts(kFloat, {2147483647, 2147483647, 4}, {0, 1, 2}));
  EXPECT_FALSE(Accepts(kFloat, {2147483647, 2147483647, 4, 0}, {0, 1, 2, 3}));
}

TEST(DenseLayout, AcceptsSixteenDimensionsAndNoMore) {
  std::vector<uint8_t> dim_order(16);
  std::iota(dim_order.begin(), dim_order.end(), uint8_t{0});
  EXPECT_TRUE(Accepts(kFloat, std::vector<int32_t>(16, 1), dim_order));
  dim_order.push_back(16);
  EXPECT_FALSE(Accepts(kFloat, std::vector<int32_t>(17, 1), dim_order));
}

}  // namespace
}  // namespace pteproof
