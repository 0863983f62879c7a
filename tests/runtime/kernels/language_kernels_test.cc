// Kernels of language models, and those that go where data say, on values worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/runtime/kernel_arguments.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::IsEmpty;

std::vector<float> Unset(size_t count) {
  return std::vector<float>(count, -99);
}

TEST(CacheKernels, StoreTokensFromAPositionOn) {
  Arguments args;
  args.Add<float>({1, 2, 1, 2}, {9, 8, 7, 6});
  const TensorRef& cache = args.Add<float>({1, 4, 1, 2}, {0, 0, 1, 1, 2, 2, 3, 3});
  args.Add(int64_t{1});
  const TensorRef& out = args.Add<float>({1, 4, 1, 2}, Unset(8));
  EXPECT_EQ(args.Run("llama::update_cache.out"), "");
  EXPECT_THAT(Elements<float>(cache), ElementsAre(0, 0, 9, 8, 7, 6, 3, 3));
  EXPECT_EQ(Elements<float>(out), Unset(8));
}

TEST(CacheKernels, RefuseAPlaceOutsideBeforeTheyWrite) {
  Arguments args;
  args.Add<float>({1, 2, 1, 1}, {9, 8});
  const TensorRef& cache = args.Add<float>({1, 3, 1, 1}, {0, 1, 2});
  args.Add(int64_t{0});
  args.Add<int64_t>({1, 2}, {0, 3});
  args.Add<float>({1, 3, 1, 1}, Unset(3));
  EXPECT_EQ(args.Run("llama::update_cache_with_indices.out"), "an index is out of range");
  EXPECT_THAT(Elements<float>(cache), ElementsAre(0, 1, 2));
}

// The first query sees the first key alone. The second one's scores are 0 and ln 3.
TEST(AttentionKernel, SharesOutTheValuesSeen) {
  Arguments args;
  args.Add<float>({1, 2, 1, 1}, {5, std::log(3.0F)});
  args.Add<float>({1, 2, 1, 1}, {0, 1});
  args.Add<float>({1, 2, 1, 1}, {4, 8});
  args.Add(int64_t{0});
  args.AddNone();
  args.Add(0.0);
  args.Add(true);
  args.Add(1.0);
  const TensorRef& out = args.Add<float>({1, 2, 1, 1}, Unset(2));
  EXPECT_EQ(args.Run("llama::custom_sdpa.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(4, FloatEq(7)));
}

// Halved, the state is 1; the correction is 0.5 * (9 - 2 * 1), twice that is added.
TEST(DeltaRuleKernel, DecaysCorrectsAndReads) {
  Arguments args;
  args.Add<float>({1, 1, 1, 1}, {10});
  args.Add<float>({1, 1, 1, 1}, {2});
  args.Add<float>({1, 1, 1, 1}, {9});
  args.Add<float>({1, 1, 1}, {0.5});
  args.Add<float>({1, 1, 1}, {0.5});
  args.Add<float>({1, 1, 1, 1}, {2});
  const TensorRef& out = args.Add<float>({1, 1, 1, 1}, Unset(1));
  const TensorRef& state = args.Add<float>({1, 1, 1, 1}, Unset(1));
  EXPECT_EQ(args.Run("llama::gated_delta_rule.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(80));
  EXPECT_THAT(Elements<float>(state), ElementsAre(8));
}

TEST(HadamardKernel, TakesSumsAndDifferences) {
  Arguments args;
  args.Add<float>({4}, {1, 2, 3, 4});
  const TensorRef& out = args.Add<float>({4}, Unset(4));
  EXPECT_EQ(args.Run("llama::fast_hadamard_transform.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(5, -1, -2, 0));
}

// The rows of a Hadamard matrix are orthogonal: each of its lines has 28 times a unit's length.
TEST(HadamardKernel, MixesByAHadamardMatrix) {
  std::vector<std::vector<float>> columns;
  for (size_t i = 0; i < 28; ++i) {
    std::vector<float> unit(28, 0);
    unit[i] = 1;
    Arguments args;
    args.Add<float>({28}, unit);
    const TensorRef& out = args.Add<float>({28}, Unset(28));
    ASSERT_EQ(args.Run("llama::fast_hadamard_transform.out"), "");
    columns.push_back(Elements<float>(out));
  }
  for (size_t i = 0; i < 28; ++i) {
    for (size_t j = 0; j < 28; ++j) {
      float product = 0;
      for (size_t k = 0; k < 28; ++k) product += columns[i][k] * columns[j][k];
      EXPECT_EQ(product, i == j ? 28 : 0) << i << " " << j;
      EXPECT_EQ(std::abs(columns[i][j]), 1);
    }
  }
}

// --- Where data say.

TEST(MaskKernels, ListThePlacesOfWhatIsNotZero) {
  Arguments args;
  args.Add<float>({2, 2}, {0, 2, std::numeric_limits<float>::quiet_NaN(), -0.0F});
  const TensorRef& out = args.Add<int64_t>({4, 2}, std::vector<int64_t>(8));
  EXPECT_EQ(args.Run("aten::nonzero.out"), "");
  EXPECT_THAT(out.sizes, ElementsAre(2, 2));
  EXPECT_THAT(Elements<int64_t>(out), ElementsAre(0, 1, 1, 0));
}

TEST(MaskKernels, SelectNothingFromNothing) {
  Arguments args;
  args.Add<float>({3}, {1, 2, 3});
  args.Add<uint8_t>({3}, {0, 0, 0});
  const TensorRef& out = args.Add<float>({3}, Unset(3));
  EXPECT_EQ(args.Run("aten::masked_select.out"), "");
  EXPECT_THAT(Elements<float>(out), IsEmpty());
}

TEST(MaskKernels, TakeTheSourceOneByOne) {
  Arguments args;
  args.Add<float>({4}, {1, 2, 3, 4});
  args.Add<uint8_t>({4}, {0, 1, 0, 1});
  args.Add<float>({3}, {10, 20, 30});
  const TensorRef& out = args.Add<float>({4}, Unset(4));
  EXPECT_EQ(args.Run("aten::masked_scatter.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(1, 10, 3, 20));
}

TEST(MaskKernels, RepeatNumbers) {
  Arguments args;
  args.Add<int64_t>({3}, {2, 0, 1});
  args.AddNone();
  const TensorRef& out = args.Add<int64_t>({5}, std::vector<int64_t>(5));
  EXPECT_EQ(args.Run("aten::repeat_interleave.Tensor_out"), "");
  EXPECT_THAT(Elements<int64_t>(out), ElementsAre(0, 0, 2));
}

TEST(IndexKernels, AddSlicesWithAWeight) {
  Arguments args;
  const TensorRef& self = args.Add<float>({2, 2}, {1, 2, 3, 4});
  args.Add(int64_t{0});
  args.Add<int64_t>({3}, {1, 1, 0});
  args.Add<float>({3, 2}, {10, 20, 30, 40, 50, 60});
  args.Add(int64_t{2});
  EXPECT_EQ(args.Run("aten::index_add_"), "");
  EXPECT_THAT(Elements<float>(self), ElementsAre(101, 122, 83, 124));
}

TEST(ViewKernels, ReadAtTheStridesOfTheCall) {
  Arguments args;
  args.Add<float>({6}, {0, 1, 2, 3, 4, 5});
  args.AddList({2, 3});
  args.AddList({1, 2});
  args.Add(int64_t{0});
  const TensorRef& out = args.Add<float>({2, 3}, Unset(6));
  EXPECT_EQ(args.Run("aten::as_strided_copy.out"), "");
  EXPECT_THAT(Elements<float>(out), ElementsAre(0, 2, 4, 1, 3, 5));
}

}  // namespace
}  // namespace pteproof
