// Other operators of language models: caches, a linear recurrence, a rotation.
#include "reference/ops/language.h"

#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "reference/ops/elements.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kLanguageSum = "float sums in any order and precision";

std::string CacheFault(const TensorValue& value, const TensorValue& cache) {
  if (value.rank() != 4 || cache.rank() != 4) {
    return "the value and the cache must have four dimensions";
  }
  if (value.dtype != cache.dtype) return "the value must be of the cache's type";
  for (const size_t d : {size_t{0}, size_t{2}, size_t{3}}) {
    if (value.sizes[d] != cache.sizes[d]) {
      return "the value must have the cache's sizes but for dimension 1";
    }
  }
  return {};
}

// `result` becomes the cache with token i of the value (counted through all batches) at
// positions[i].
std::string StoreTokens(const TensorValue& value, const TensorValue& cache,
                        std::span<const int64_t> positions, TensorValue& result) {
  ForEachElement(ElementCount(cache), [&](int64_t i) { CopyElement(cache, i, result, i); });
  const int64_t each = CappedProduct({value.sizes[2], value.sizes[3]});
  Paced pace(ElementCount(value));
  for (size_t i = 0; i < positions.size(); ++i) {
    const int64_t batch = static_cast<int64_t>(i) / value.sizes[1];
    if (positions[i] < 0 || positions[i] >= cache.sizes[1]) {
      return "position " + std::to_string(positions[i]) + " lies outside the cache";
    }
    const int64_t from = static_cast<int64_t>(i) * each;
    const int64_t to = (batch * cache.sizes[1] + positions[i]) * each;
    for (int64_t e = 0; e < each; ++e) {
      pace.Step();
      CopyElement(value, from + e, result, to + e);
    }
  }
  return {};
}

Types CacheType(const TypeCall& call) {
  return OneResult(TensorAt(call, 1));
}

std::string UpdateAt(const Call& call, std::span<TensorValue> results) {
  return UpdateCache(TensorAt(call, 0), TensorAt(call, 1), IntAt(call, 2), results[0]);
}

// start_pos means nothing where each token has a position of its own.
std::string UpdateAtIndices(const Call& call, std::span<TensorValue> results) {
  const TensorValue& value = TensorAt(call, 0);
  const TensorValue& indices = TensorAt(call, 3);
  const std::string why = CacheFault(value, TensorAt(call, 1));
  if (!why.empty()) return why;
  if (indices.dtype != ScalarType::kInt64 ||
      indices.sizes != Sizes{value.sizes[0], value.sizes[1]}) {
    return "the indices must be int64, one for each batch and token";
  }
  Numbers<int64_t> positions;
  const int64_t count = ElementCount(value) == 0 ? 0 : ElementCount(indices);
  ForEachElement(count, [&](int64_t i) { positions.push_back(IntAt(indices, i)); });
  return StoreTokens(value, TensorAt(call, 1), positions, results[0]);
}

// Operands: query, key, value, decay, beta, initial_state. Written: outputs and the last state.
Types DeltaRuleTypes(const TypeCall& call) {
  const TensorType& query = TensorAt(call, 0);
  const TensorType& value = TensorAt(call, 2);
  if (query.rank() != 4 || value.rank() != 4) {
    return std::string("query and value must have four dimensions");
  }
  SizeList sizes = query.sizes;
  sizes.back() = value.sizes.back();
  return std::vector<TensorType>{{query.dtype, std::move(sizes)}, TensorAt(call, 5)};
}

// Sizes of the gated delta rule: a state of width x depth for each batch and head.
struct DeltaRule {
  int64_t heads = 0;
  int64_t tokens = 0;
  int64_t width = 0;           // of queries and keys
  int64_t depth = 0;           // of values
  int64_t queries = 0;         // query heads that share a state
  bool decay_is_wide = false;  // one decay for each element of the key, else one for all
};

Result<DeltaRule, std::string> DeltaRuleOf(const Call& call) {
  const Sizes& query = TensorAt(call, 0).sizes;
  const Sizes& key = TensorAt(call, 1).sizes;
  const Sizes& value = TensorAt(call, 2).sizes;
  const Sizes& decay = TensorAt(call, 3).sizes;
  for (size_t i = 0; i < 6; ++i) {
    if (TensorAt(call, i).dtype != ScalarType::kFloat32) return std::string("all must be float32");
  }
  if (key.size() != 4 || key[1] == 0 || query[1] % key[1] != 0 ||
      query != Sizes{key[0], query[1], key[2], key[3]} ||
      value != Sizes{key[0], key[1], key[2], value[3]}) {
    return std::string("the sizes of query, key and value do not match");
  }
  const Sizes token{key[0], key[1], key[2]};
  if ((decay != key && decay != token) || TensorAt(call, 4).sizes != token ||
      TensorAt(call, 5).sizes != Sizes{key[0], key[1], key[3], value[3]}) {
    return std::string("decay, beta or initial_state does not fit the key and the value");
  }
  return DeltaRule{key[1], key[2], key[3], value[3], query[1] / key[1], decay == key};
}

// One token of one batch and head (`row` counts them): the state decays, is corrected towards the
// value where the key points, and is read where the queries point.
void Step(const Call& call, const DeltaRule& rule, int64_t row, std::span<double> state,
          TensorValue& outputs) {
  const auto key = [&](int64_t k) { return RealAt(TensorAt(call, 1), row * rule.width + k); };
  for (int64_t k = 0; k < rule.width; ++k) {
    const double decay = RealAt(TensorAt(call, 3), rule.decay_is_wide ? row * rule.width + k : row);
    for (int64_t v = 0; v < rule.depth; ++v) {
      state[static_cast<size_t>(k * rule.depth + v)] *= decay;
    }
  }
  const double beta = RealAt(TensorAt(call, 4), row);
  const int64_t token = row % rule.tokens;
  for (int64_t v = 0; v < rule.depth; ++v) {
    const auto at = [&](int64_t k) -> double& {
      return state[static_cast<size_t>(k * rule.depth + v)];
    };
    double predicted = 0;
    for (int64_t k = 0; k < rule.width; ++k) predicted += at(k) * key(k);
    const double step = beta * (RealAt(TensorAt(call, 2), row * rule.depth + v) - predicted);
    for (int64_t k = 0; k < rule.width; ++k) at(k) += key(k) * step;
    for (int64_t q = 0; q < rule.queries; ++q) {
      const int64_t query = (row / rule.tokens * rule.queries + q) * rule.tokens + token;
      double sum = 0;
      for (int64_t k = 0; k < rule.width; ++k) {
        sum += at(k) * RealAt(TensorAt(call, 0), query * rule.width + k);
      }
      SetReal(outputs, query * rule.depth + v, sum);
    }
  }
}

std::string GatedDeltaRule(const Call& call, std::span<TensorValue> results) {
  const auto checked = DeltaRuleOf(call);
  if (!checked.ok()) return checked.error();
  const DeltaRule& rule = checked.value();
  Numbers<double> states = Elements<double>(TensorAt(call, 5));
  const int64_t each = CappedProduct({rule.width, rule.depth});
  const int64_t rows = each == 0 ? 0 : ElementCount(TensorAt(call, 4));
  const int64_t cost = CappedProduct({each, rule.queries + 3});
  Paced pace(CappedProduct({rows, cost}));
  for (int64_t row = 0; row < rows; ++row) {
    pace.Step(cost);
    const auto first = static_cast<size_t>(row / rule.tokens * each);
    Step(call, rule, row, std::span(states).subspan(first, static_cast<size_t>(each)), results[0]);
  }
  SetElements(results[1], states);
  return {};
}

// Sums and differences of pairs, at distances 1, 2, 4, ...; scaled to keep lengths.
void HadamardTransform(std::span<double> x, Paced& pace) {
  for (size_t half = 1; half < x.size(); half *= 2) {
    for (size_t i = 0; i < x.size(); ++i) {
      if ((i & half) != 0) continue;
      pace.Step(2);
      const double a = x[i];
      const double b = x[i + half];
      x[i] = a + b;
      x[i + half] = a - b;
    }
  }
  const double scale = 1 / std::sqrt(static_cast<double>(x.size()));
  for (double& value : x) {
    pace.Step();
    value *= scale;
  }
}

constexpr size_t kWilliamson = 28;

// Sign in the Hadamard matrix of order 28 of Williamson's construction: 4 x 4 circulant blocks of 7
// x 7, where block n is positive on the diagonal and n beside it, both ways around.
double WilliamsonSign(size_t row, size_t column) {
  struct Block {
    size_t n;
    double sign;
  };
  constexpr Block kBlocks[4][4] = {{{0, 1}, {1, 1}, {2, 1}, {3, 1}},
                                   {{1, -1}, {0, 1}, {3, -1}, {2, 1}},
                                   {{2, -1}, {3, 1}, {0, 1}, {1, -1}},
                                   {{3, -1}, {2, -1}, {1, 1}, {0, 1}}};
  const Block block = kBlocks[row / 7][column / 7];
  const size_t distance = (column + 7 - row % 7) % 7;
  const bool positive = distance == 0 || distance == block.n || distance == 7 - block.n;
  return positive ? block.sign : -block.sign;
}

// Mixes 28 rows of equal length. The sums are not scaled.
void MixWilliamson(std::span<double> x, Paced& pace) {
  const Numbers<double> rows(x.begin(), x.end());
  const size_t length = x.size() / kWilliamson;
  for (size_t i = 0; i < x.size(); ++i) {
    pace.Step(kWilliamson);
    x[i] = 0;
    for (size_t j = 0; j < kWilliamson; ++j) {
      x[i] += WilliamsonSign(i / length, j) * rows[j * length + i % length];
    }
  }
}

// Of each row of the last dimension. A length of 28 times a power of two is 28 rows, transformed
// each and then mixed.
std::string FastHadamardTransform(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  if (!IsFloat(input.dtype)) return "the input must be a float";
  if (input.rank() == 0) return "the input must have a dimension";
  Numbers<double> elements = Elements<double>(input);
  const auto length = static_cast<size_t>(input.sizes.back());
  const bool mixes = length % kWilliamson == 0;
  const size_t part = mixes ? length / kWilliamson : length;
  if (!elements.empty() && !std::has_single_bit(part)) {
    return "the last size must be a power of two, or 28 times one";
  }
  const size_t rounds = static_cast<size_t>(std::bit_width(part)) + (mixes ? kWilliamson : 0);
  Paced pace(CappedProduct({ElementCount(input), static_cast<int64_t>(rounds)}));
  for (size_t at = 0; at < elements.size(); at += part) {
    HadamardTransform(std::span(elements).subspan(at, part), pace);
  }
  for (size_t at = 0; mixes && at < elements.size(); at += length) {
    MixWilliamson(std::span(elements).subspan(at, length), pace);
  }
  SetElements(results[0], elements);
  return {};
}

std::string Fallback(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  ForEachElement(ElementCount(input), [&](int64_t i) { CopyElement(input, i, results[0], i); });
  return {};
}

constexpr OpMeaning kLanguageMeanings[] = {
    Exact("llama::update_cache.out", CacheType, UpdateAt),
    Exact("llama::update_cache_with_indices.out", CacheType, UpdateAtIndices),
    RoundedFor(kLanguageSum, "llama::gated_delta_rule.out", DeltaRuleTypes, GatedDeltaRule),
    RoundedFor(kLanguageSum, "llama::channelwise_gated_delta_rule.out", DeltaRuleTypes,
               GatedDeltaRule),
    RoundedFor(kLanguageSum, "llama::fast_hadamard_transform.out", SameAsFirst,
               FastHadamardTransform),
    Exact("llama::fallback.out", SameAsFirst, Fallback),
};

}  // namespace

std::string UpdateCache(const TensorValue& value, const TensorValue& cache, int64_t start,
                        TensorValue& result) {
  std::string why = CacheFault(value, cache);
  if (!why.empty()) return why;
  if (start < 0 || start > cache.sizes[1] - value.sizes[1]) {
    return "the value's positions lie outside the cache";
  }
  Numbers<int64_t> positions;
  const int64_t tokens = ElementCount(value) == 0 ? 0 : value.sizes[0] * value.sizes[1];
  ForEachElement(tokens, [&](int64_t i) { positions.push_back(start + i % value.sizes[1]); });
  return StoreTokens(value, cache, positions, result);
}

std::span<const OpMeaning> LanguageMeanings() {
  return kLanguageMeanings;
}

}  // namespace pteproof
