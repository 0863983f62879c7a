#include "runtime/reader/tensor_shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace pteproof::reader {
namespace {

constexpr int32_t kLargest = INT32_MAX;
using Ints = std::vector<int32_t>;

TEST(IsPermutation, NamesEachDimensionOnce) {
  EXPECT_TRUE(IsPermutation(Ints{}));
  EXPECT_TRUE(IsPermutation(Ints{0, 2, 3, 1}));
  EXPECT_FALSE(IsPermutation(Ints{0, 0}));
  EXPECT_FALSE(IsPermutation(Ints{0, 2}));
  EXPECT_FALSE(IsPermutation(Ints{-1}));
  EXPECT_FALSE(IsPermutation(Ints{0, 255}));
}

TEST(TensorBytes, IsTheProductOfSizesAndElement) {
  EXPECT_EQ(TensorBytes(Ints{}, Ints{}, 8), 8U);
  EXPECT_EQ(TensorBytes(Ints{2, 3, 5}, Ints{0, 1, 2}, 4), 120U);
  EXPECT_EQ(TensorBytes(Ints{2, 0, 5}, Ints{0, 1, 2}, 4), 0U);
}

TEST(TensorBytes, MayPassFourGigabytes) {
  EXPECT_EQ(TensorBytes(Ints{kLargest, kLargest}, Ints{0, 1}, 1), uint64_t{kLargest} * kLargest);
}

TEST(TensorBytes, RefusesBytesBeyond63Bits) {
  EXPECT_FALSE(TensorBytes(Ints{kLargest, kLargest}, Ints{0, 1}, 4).has_value());
  EXPECT_TRUE(TensorBytes(Ints{kLargest, kLargest}, Ints{0, 1}, 2).has_value());
}

TEST(TensorBytes, RefusesAStrideBeyond31Bits) {
  // Outermost last: its stride is what the others multiply to.
  EXPECT_FALSE(TensorBytes(Ints{2, 1 << 16, 1 << 15}, Ints{0, 1, 2}, 1).has_value());
  EXPECT_TRUE(TensorBytes(Ints{2, 1 << 15, 1 << 15}, Ints{0, 1, 2}, 1).has_value());
  EXPECT_TRUE(TensorBytes(Ints{1 << 16, 1 << 15, 2}, Ints{0, 1, 2}, 1).has_value());
  EXPECT_FALSE(TensorBytes(Ints{1 << 16, 1 << 15, 2}, Ints{2, 1, 0}, 1).has_value());
}

TEST(TensorBytes, CountsAnEmptyDimensionAsOneInStrides) {
  EXPECT_FALSE(TensorBytes(Ints{2, 1 << 20, 1 << 20, 0}, Ints{0, 1, 2, 3}, 1).has_value());
  EXPECT_EQ(TensorBytes(Ints{1 << 20, 1 << 20, 0}, Ints{0, 1, 2}, 1), 0U);
  EXPECT_EQ(TensorBytes(Ints{2, 0, 1 << 30}, Ints{0, 1, 2}, 1), 0U);
}

}  // namespace
}  // namespace pteproof::reader
