#include <gmock/gmock.h>

#include <cmath>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kUpdate = "llama::update_cache.out";
constexpr std::string_view kUpdateAt = "llama::update_cache_with_indices.out";
constexpr std::string_view kDeltaRule = "llama::gated_delta_rule.out";
constexpr std::string_view kHadamard = "llama::fast_hadamard_transform.out";

// One batch and one head of vectors of one element.
TensorValue OneHead(const std::vector<float>& values) {
  return Tensor<float>({1, static_cast<int64_t>(values.size()), 1, 1}, values);
}

TEST(UpdateCache, StoresTokensOfEachBatch) {
  const auto value = Tensor<int8_t>({2, 1, 1, 2}, {1, 2, 3, 4});
  const auto cache = Zeros(ScalarType::kInt8, {2, 3, 1, 2});
  EXPECT_THAT(IntsOf(ResultOf(kUpdate, {value, cache, 1})),
              ElementsAre(0, 0, 1, 2, 0, 0, 0, 0, 3, 4, 0, 0));
}

TEST(UpdateCache, StoresTokensAtTheirIndices) {
  const auto value = Tensor<float>({1, 2, 1, 1}, {1, 2});
  EXPECT_THAT(
      RealsOf(ResultOf(kUpdateAt, {value, OneHead({7, 8, 9}), 0, Tensor<int64_t>({1, 2}, {2, 0})})),
      ElementsAre(2, 8, 1));
}

TEST(UpdateCache, WritesTheCacheOnly) {
  const TensorType cache{ScalarType::kFloat32, {1, 8, 2, 4}};
  const TensorType value{ScalarType::kFloat32, {1, SizeExpr::Symbol(0), 2, 4}};
  const auto types = TypesOfOp(kUpdate, {value, cache, SizeExpr::Symbol(1)});
  ASSERT_TRUE(types.ok());
  EXPECT_THAT(types.value(), ElementsAre(cache));
}

TEST(UpdateCache, RefusesPositionsOutsideTheCache) {
  const auto at = [](int start) {
    return FaultOf(kUpdate, {OneHead({1}), OneHead({1, 2}), start});
  };
  EXPECT_EQ(at(1), "");
  EXPECT_THAT(at(2), HasSubstr("outside the cache"));
  EXPECT_THAT(at(-1), HasSubstr("outside the cache"));
  const auto index = [](int64_t i) {
    return FaultOf(kUpdateAt, {OneHead({1}), OneHead({1, 2}), 0, Tensor<int64_t>({1, 1}, {i})});
  };
  EXPECT_EQ(index(1), "");
  EXPECT_THAT(index(2), HasSubstr("position 2"));
  EXPECT_THAT(index(-1), HasSubstr("position -1"));
}

TEST(UpdateCache, RefusesOtherTypesAndSizes) {
  EXPECT_THAT(FaultOf(kUpdate, {Tensor<int8_t>({1, 1, 1, 1}, {1}), OneHead({1}), 0}),
              HasSubstr("type"));
  EXPECT_THAT(FaultOf(kUpdate, {Tensor<float>({1, 1, 2, 1}, {1, 1}), OneHead({1}), 0}),
              HasSubstr("sizes"));
  EXPECT_THAT(FaultOf(kUpdate, {Tensor<float>({1}, {1}), OneHead({1}), 0}),
              HasSubstr("four dimensions"));
}

// One batch, one head, keys and values of one element: query, key, value, decay, beta, state.
TEST(GatedDeltaRule, DecaysCorrectsAndReads) {
  const auto seq = [](const std::vector<float>& v) { return Tensor<float>({1, 1, 2}, v); };
  const auto seq4 = [](const std::vector<float>& v) { return Tensor<float>({1, 1, 2, 1}, v); };
  const auto results =
      ResultsOf(kDeltaRule, {seq4({1, 10}), seq4({1, 2}), seq4({8, 5}), seq({0.5, 1}),
                             seq({0.5, 1}), Tensor<float>({1, 1, 1, 1}, {4})});
  // 4 * 0.5 = 2, + 1 * 0.5 * (8 - 2) = 5; then 5, + 2 * (5 - 10) = -5.
  EXPECT_THAT(RealsOf(results[0]), ElementsAre(5, -50));
  EXPECT_THAT(RealsOf(results[1]), ElementsAre(-5));
}

TEST(GatedDeltaRule, MayDecayEachElementOfTheKey) {
  const auto results = ResultsOf(
      kDeltaRule, {Tensor<float>({1, 1, 1, 2}, {1, 1}), Tensor<float>({1, 1, 1, 2}, {0, 0}),
                   Tensor<float>({1, 1, 1, 1}, {0}), Tensor<float>({1, 1, 1, 2}, {0.5, 0.25}),
                   Tensor<float>({1, 1, 1}, {1}), Tensor<float>({1, 1, 2, 1}, {4, 8})});
  EXPECT_THAT(RealsOf(results[0]), ElementsAre(4));
  EXPECT_THAT(RealsOf(results[1]), ElementsAre(2, 2));
}

TEST(GatedDeltaRule, SharesAStateAmongConsecutiveQueryHeads) {
  const auto four = [](const std::vector<float>& v) {
    return Tensor<float>({1, static_cast<int64_t>(v.size()), 1, 1}, v);
  };
  const auto results = ResultsOf(
      kDeltaRule, {four({1, 2, 3, 4}), four({0, 0}), four({0, 0}), Tensor<float>({1, 2, 1}, {1, 1}),
                   Tensor<float>({1, 2, 1}, {1, 1}), Tensor<float>({1, 2, 1, 1}, {1, 10})});
  EXPECT_THAT(RealsOf(results[0]), ElementsAre(1, 2, 30, 40));
}

TEST(GatedDeltaRule, RefusesWhatDoesNotFit) {
  const auto four = Tensor<float>({1, 1, 1, 1}, {1});
  const auto three = Tensor<float>({1, 1, 1}, {1});
  EXPECT_THAT(FaultOf(kDeltaRule, {four, four, four, three, four, four}), HasSubstr("beta"));
  EXPECT_THAT(FaultOf(kDeltaRule, {four, three, four, three, three, four}), HasSubstr("key"));
  EXPECT_THAT(
      FaultOf(kDeltaRule, {Tensor<float>({1, 1, 1, 2}, {1, 1}), four, four, three, three, four}),
      HasSubstr("do not match"));
  EXPECT_THAT(
      FaultOf(kDeltaRule, {four, four, four, three, three, Tensor<double>({1, 1, 1, 1}, {1})}),
      HasSubstr("float32"));
}

TEST(HadamardTransform, IsSumAndDifferenceOverTheRootOfTwo) {
  const auto result = RealsOf(ResultOf(kHadamard, {Tensor<double>({2, 2}, {3, 1, 0, 5})}));
  const double root = std::sqrt(2.0);
  EXPECT_DOUBLE_EQ(result[0], 4 / root);
  EXPECT_DOUBLE_EQ(result[1], 2 / root);
  EXPECT_DOUBLE_EQ(result[2], 5 / root);
  EXPECT_DOUBLE_EQ(result[3], -5 / root);
}

TEST(HadamardTransform, IsItsOwnInverse) {
  const auto x = Tensor<double>({8}, {1, -2, 3, 5, 0, 7, -1, 4});
  const auto twice = RealsOf(ResultOf(kHadamard, {ResultOf(kHadamard, {x})}));
  for (int64_t i = 0; i < 8; ++i) EXPECT_NEAR(twice[static_cast<size_t>(i)], RealAt(x, i), 1e-12);
}

TEST(HadamardTransform, OfOneElementIsTheElement) {
  EXPECT_THAT(RealsOf(ResultOf(kHadamard, {Tensor<double>({2, 1}, {3, 4})})), ElementsAre(3, 4));
}

// The matrix of order 28, by its columns: what unit vectors become.
TEST(HadamardTransform, Of28HasSignsInOrthogonalRows) {
  auto units = Zeros(ScalarType::kFloat64, {28, 28});
  for (int64_t i = 0; i < 28; ++i) SetReal(units, i * 29, 1);
  const auto columns = RealsOf(ResultOf(kHadamard, {units}));
  for (size_t a = 0; a < 28; ++a) {
    for (size_t b = 0; b < 28; ++b) {
      double product = 0;
      for (size_t i = 0; i < 28; ++i) product += columns[28 * a + i] * columns[28 * b + i];
      EXPECT_EQ(product, a == b ? 28 : 0) << a << " " << b;
    }
  }
  EXPECT_THAT(std::vector(columns.begin(), columns.begin() + 7),
              ElementsAre(1, -1, -1, -1, -1, -1, -1));
}

TEST(HadamardTransform, Of56TransformsRowsOfTwoFirst) {
  auto x = Zeros(ScalarType::kFloat64, {56});
  SetReal(x, 0, 1);
  SetReal(x, 1, 1);
  const auto result = RealsOf(ResultOf(kHadamard, {x}));
  EXPECT_DOUBLE_EQ(result[0], std::sqrt(2.0));
  for (size_t i = 1; i < 56; i += 2) EXPECT_EQ(result[i], 0);
}

TEST(HadamardTransform, RefusesOtherLengths) {
  EXPECT_THAT(FaultOf(kHadamard, {Zeros(ScalarType::kFloat32, {6})}), HasSubstr("power of two"));
  EXPECT_THAT(FaultOf(kHadamard, {Zeros(ScalarType::kFloat32, {84})}), HasSubstr("power of two"));
  EXPECT_THAT(FaultOf(kHadamard, {Zeros(ScalarType::kFloat32, {})}), HasSubstr("dimension"));
  EXPECT_THAT(FaultOf(kHadamard, {Zeros(ScalarType::kInt32, {2})}), HasSubstr("float"));
  EXPECT_EQ(FaultOf(kHadamard, {Zeros(ScalarType::kFloat32, {3, 0})}), "");
}

TEST(Fallback, Copies) {
  EXPECT_THAT(IntsOf(ResultOf("llama::fallback.out", {Tensor<int16_t>({2}, {-3, 4})})),
              ElementsAre(-3, 4));
}

}  // namespace
}  // namespace pteproof
