#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/reference/ops/call_op.h"

namespace pteproof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

constexpr std::string_view kSdpa = "llama::custom_sdpa.out";
constexpr std::string_view kQuantizedSdpa = "llama::custom_quantized_sdpa.out";
constexpr std::string_view kSdpaWithCache = "llama::sdpa_with_kv_cache.out";

// One batch and one head of vectors of one element.
TensorValue Tokens(const std::vector<float>& values) {
  return Tensor<float>({1, static_cast<int64_t>(values.size()), 1, 1}, values);
}

std::vector<double> Attended(const TensorValue& query, const TensorValue& key,
                             const TensorValue& value, int start, bool causal,
                             const Operand& mask = kNone) {
  return RealsOf(ResultOf(kSdpa, {query, key, value, start, mask, 0.0, causal, kNone}));
}

TEST(Attention, OfEqualScoresIsTheMean) {
  EXPECT_THAT(Attended(Tokens({0, 0}), Tokens({1, 2}), Tokens({4, 8}), 0, false),
              ElementsAre(6, 6));
}

TEST(Attention, WeighsByTheSoftmaxOfProducts) {
  // Scores 0 and ln 3: weights 1/4 and 3/4.
  const float ln3 = std::log(3.0F);
  EXPECT_NEAR(Attended(Tokens({0, ln3}), Tokens({0, 1}), Tokens({0, 8}), 0, false)[1], 6, 1e-6);
}

TEST(Attention, LooksAtNoLaterKeysWhenCausal) {
  EXPECT_THAT(Attended(Tokens({0, 0}), Tokens({0, 0, 9}), Tokens({4, 8, 99}), 0, true),
              ElementsAre(4, 6));
  EXPECT_THAT(Attended(Tokens({0}), Tokens({0, 0, 9}), Tokens({4, 8, 99}), 1, true),
              ElementsAre(6));
}

TEST(Attention, EndsAtTheLastQueryAlsoWhenNotCausal) {
  EXPECT_THAT(Attended(Tokens({0, 0}), Tokens({0, 0, 9}), Tokens({4, 8, 99}), 0, false),
              ElementsAre(6, 6));
}

TEST(Attention, GoesOverAllKeysWithAMask) {
  const float off = -std::numeric_limits<float>::infinity();
  const auto mask = Tensor<float>({1, 3}, {0, off, 0});
  EXPECT_THAT(Attended(Tokens({0}), Tokens({0, 0, 0}), Tokens({4, 8, 10}), 0, false, mask),
              ElementsAre(7));
}

TEST(Attention, OfNothingIsNaN) {
  const float off = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      Attended(Tokens({0}), Tokens({0}), Tokens({4}), 0, false, Tensor<float>({1, 1}, {off})),
      ElementsAre(IsNan()));
}

TEST(Attention, SharesAKeyHeadAmongConsecutiveQueryHeads) {
  const auto query = Tensor<float>({1, 1, 4, 1}, {0, 0, 0, 0});
  const auto value = Tensor<float>({1, 1, 2, 1}, {3, 5});
  EXPECT_THAT(Attended(query, value, value, 0, true), ElementsAre(3, 3, 5, 5));
}

TEST(Attention, KeepsBatchesAndElementsApart) {
  const auto query = Zeros(ScalarType::kFloat32, {2, 1, 1, 2});
  const auto value = Tensor<float>({2, 1, 1, 2}, {1, 2, 3, 4});
  EXPECT_THAT(Attended(query, value, value, 0, true), ElementsAre(1, 2, 3, 4));
}

TEST(Attention, DividesByTheRootOfTheVectorLengthUnlessGivenAScale) {
  // Vectors of 4: scale 1/2, so that 2 ln 3 has the weight 3 : 1.
  const auto query = Tensor<float>({1, 2, 1, 4}, {0, 0, 0, 0, 2, 0, 0, 0});
  const auto key = Tensor<float>({1, 2, 1, 4}, {0, 0, 0, 0, std::log(3.0F), 0, 0, 0});
  const auto value = Tensor<float>({1, 2, 1, 4}, {0, 0, 0, 0, 8, 8, 8, 8});
  const auto result = RealsOf(ResultOf(kSdpa, {query, key, value, 0, kNone, 0.0, false, kNone}));
  EXPECT_NEAR(result[4], 6, 1e-6);
  const auto scaled = RealsOf(ResultOf(kSdpa, {query, key, value, 0, kNone, 0.0, false, 0.0}));
  EXPECT_NEAR(scaled[4], 4, 1e-6);
}

TEST(Attention, RefusesPositionsOutsideTheKeys) {
  const auto fault = [](int start) {
    return FaultOf(kSdpa, {Tokens({0, 0}), Tokens({1, 1, 1}), Tokens({1, 1, 1}), start, kNone, 0.0,
                           true, kNone});
  };
  EXPECT_EQ(fault(1), "");
  EXPECT_THAT(fault(2), HasSubstr("outside the keys"));
  EXPECT_THAT(fault(-1), HasSubstr("outside the keys"));
}

TEST(Attention, RefusesWhatDoesNotFit) {
  const auto fault = [](const TensorValue& query, const TensorValue& key, const TensorValue& value,
                        const Operand& mask, bool causal) {
    return FaultOf(kSdpa, {query, key, value, 0, mask, 0.0, causal, kNone});
  };
  const auto one = Tokens({1});
  const auto mask = Tensor<float>({1, 1}, {0});
  EXPECT_THAT(fault(one, one, Tokens({1, 2}), kNone, true), HasSubstr("same sizes"));
  EXPECT_THAT(fault(one, one, one, mask, true), HasSubstr("exclude"));
  EXPECT_THAT(fault(one, one, one, Tensor<float>({1, 2}, {0, 0}), false), HasSubstr("mask"));
  EXPECT_THAT(fault(one, one, one, Tensor<bool>({1, 1}, {true}), false), HasSubstr("float"));
  EXPECT_THAT(fault(Tensor<float>({1}, {1}), one, one, kNone, true), HasSubstr("four dimensions"));
  EXPECT_THAT(fault(one, Tensor<float>({1, 1, 2, 1}, {1, 1}), Tensor<float>({1, 1, 2, 1}, {1, 1}),
                    kNone, true),
              HasSubstr("multiple"));
}

TEST(QuantizedAttention, ScalesEachVector) {
  const auto q = Tensor<int8_t>({1, 1, 1, 1}, {0});
  const auto kv = Tensor<int8_t>({1, 2, 1, 1}, {10, 20});
  const auto q_zero = Tensor<int8_t>({1, 1, 1, 1}, {0});
  const auto q_scale = Tensor<float>({1, 1, 1, 1}, {1});
  const auto zeros = Tensor<int8_t>({1, 2, 1, 1}, {2, 4});
  const auto scales = Tensor<float>({1, 2, 1, 1}, {0.5, 2});
  // Values 4 and 32, of equal weight.
  const auto result = ResultOf(kQuantizedSdpa, {q, kv, kv, 1, kNone, 0.0, true, kNone, q_zero,
                                                q_scale, zeros, scales, zeros, scales, false});
  EXPECT_EQ(result.dtype, ScalarType::kFloat32);
  EXPECT_THAT(RealsOf(result), ElementsAre(18));
}

TEST(QuantizedAttention, MayHaveTheTokensAfterTheHeads) {
  const auto q = Zeros(ScalarType::kInt8, {1, 2, 1, 1});
  const auto kv = Tensor<int8_t>({1, 2, 2, 1}, {1, 3, 5, 9});  // two heads of two tokens
  const auto zero = Zeros(ScalarType::kInt8, {1, 2, 1, 1});
  const auto one = Tensor<float>({1, 2, 1, 1}, {1, 1});
  const auto zeros = Zeros(ScalarType::kInt8, {1, 2, 2, 1});
  const auto ones = Tensor<float>({1, 2, 2, 1}, {1, 1, 1, 1});
  EXPECT_THAT(RealsOf(ResultOf(kQuantizedSdpa, {q, kv, kv, 1, kNone, 0.0, true, kNone, zero, one,
                                                zeros, ones, zeros, ones, true})),
              ElementsAre(2, 7));
}

TEST(QuantizedAttention, NeedsAllScales) {
  const auto t = Zeros(ScalarType::kInt8, {1, 1, 1, 1});
  EXPECT_THAT(FaultOf(kQuantizedSdpa, {t, t, t, 0, kNone, 0.0, true, kNone, kNone, kNone, kNone,
                                       kNone, kNone, kNone, false}),
              HasSubstr("all be quantised"));
}

TEST(AttentionWithCaches, StoresBeforeItAttends) {
  const auto results =
      ResultsOf(kSdpaWithCache, {Tokens({0}), Tokens({7}), Tokens({8}), Tokens({1, 2, 3}),
                                 Tokens({4, 5, 6}), 1, 1, kNone, 0.0, true, kNone});
  EXPECT_THAT(RealsOf(results[0]), ElementsAre(1, 7, 3));
  EXPECT_THAT(RealsOf(results[1]), ElementsAre(4, 8, 6));
  EXPECT_THAT(RealsOf(results[2]), ElementsAre(6));
}

TEST(AttentionWithCaches, RefusesTokensBeyondTheEnd) {
  EXPECT_THAT(
      FaultOf(kSdpaWithCache, {Tokens({0, 0}), Tokens({7, 7}), Tokens({8, 8}), Tokens({1, 2, 3}),
                               Tokens({4, 5, 6}), 2, 2, kNone, 0.0, true, kNone}),
      HasSubstr("do not fit the cache"));
}

}  // namespace
}  // namespace pteproof
