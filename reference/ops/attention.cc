// Attention with a cache of earlier keys and values.
#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/ops/elements.h"
#include "reference/ops/language.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kAttentionSum = "float sums and exponentials in any order and precision";

// A query, a key or a value: a vector for each batch, token and head.
struct Vectors {
  Numbers<double> elements;
  int64_t batches = 0;
  int64_t tokens = 0;
  int64_t heads = 0;
  int64_t width = 0;
  bool heads_first = false;  // the tokens are dimension 2, else dimension 1

  [[nodiscard]] int64_t Row(int64_t batch, int64_t token, int64_t head) const {
    return heads_first ? (batch * heads + head) * tokens + token
                       : (batch * tokens + token) * heads + head;
  }
  [[nodiscard]] const double* At(int64_t batch, int64_t token, int64_t head) const {
    return elements.data() + Row(batch, token, head) * width;
  }
};
using VectorsOrFault = Result<Vectors, std::string>;

struct Attention {
  Vectors query;
  Vectors key;
  Vectors value;
  const TensorValue* mask = nullptr;  // added to the scores, [query tokens, keys]
  int64_t keys = 0;                   // attended to: the first so many
  int64_t start = 0;                  // position of the first query among the keys
  bool causal = false;                // only keys up to the query's own position
  double scale = 1;
};

VectorsOrFault VectorsOf(const TensorValue& t, bool heads_first) {
  if (t.rank() != 4) return std::string("query, key and value must have four dimensions");
  const auto tokens = size_t{heads_first ? 2U : 1U};
  return Vectors{{}, t.sizes[0], t.sizes[tokens], t.sizes[3 - tokens], t.sizes[3], heads_first};
}

VectorsOrFault Floats(const TensorValue& t, bool heads_first) {
  if (!IsFloat(t.dtype)) return std::string("query, key and value must be floats");
  auto vectors = VectorsOf(t, heads_first);
  if (vectors.ok()) vectors.value().elements = Elements<double>(t);
  return vectors;
}

// int8, with a zero point and a scale for each vector.
VectorsOrFault Dequantised(const TensorValue& t, const TensorValue* zero_points,
                           const TensorValue* scales, bool heads_first) {
  if (zero_points == nullptr || scales == nullptr) {
    return std::string("query, key and value must all be quantised");
  }
  if (t.dtype != ScalarType::kInt8 || zero_points->dtype != ScalarType::kInt8 ||
      scales->dtype != ScalarType::kFloat32) {
    return std::string("quantised values and zero points must be int8, scales float32");
  }
  auto vectors = VectorsOf(t, heads_first);
  if (!vectors.ok()) return vectors;
  Sizes one_each = t.sizes;
  one_each.back() = 1;
  if (zero_points->sizes != one_each || scales->sizes != one_each) {
    return std::string("there must be one scale and zero point for each vector");
  }
  Numbers<double>& elements = vectors.value().elements;
  elements = Elements<double>(t);
  ForEachElement(ElementCount(t), [&](int64_t i) {
    const int64_t row = i / t.sizes[3];
    double& element = elements[static_cast<size_t>(i)];
    element = (element - RealAt(*zero_points, row)) * RealAt(*scales, row);
  });
  return vectors;
}

std::string FaultOf(const Attention& a) {
  if (a.query.batches != a.key.batches || a.query.width != a.key.width) {
    return "the query and the key must have the same batches and vector length";
  }
  if (a.key.heads != a.value.heads || a.key.tokens != a.value.tokens ||
      a.key.batches != a.value.batches || a.key.width != a.value.width) {
    return "the key and the value must have the same sizes";
  }
  if (a.key.heads == 0 || a.query.heads % a.key.heads != 0) {
    return "the heads of the query must be a multiple of the key's";
  }
  if (a.mask != nullptr && a.causal) return "a mask and causal attention exclude each other";
  if (a.mask != nullptr && !IsFloat(a.mask->dtype)) return "the mask must be a float";
  if (a.mask != nullptr && a.mask->sizes != Sizes{a.query.tokens, a.keys}) {
    return "the mask must have a row for each query and a column for each key";
  }
  return {};
}

// Without a mask, only the keys up to the last query's position count, causal or not.
std::string SetKeys(Attention& a) {
  a.keys = a.key.tokens;
  if (a.mask != nullptr) return {};
  if (a.start < 0 || a.start > a.key.tokens - a.query.tokens) {
    return "the queries' positions lie outside the keys";
  }
  a.keys = a.start + a.query.tokens;
  return {};
}

// One query's weights: the softmax of its scaled products with the keys.
Numbers<double> Weights(const Attention& a, int64_t batch, int64_t token, int64_t head,
                        Paced& pace) {
  const int64_t limit = a.causal ? a.start + token + 1 : a.keys;
  const int64_t key_head = head / (a.query.heads / a.key.heads);
  const double* query = a.query.At(batch, token, head);
  Numbers<double> weights(static_cast<size_t>(limit));
  double greatest = -HUGE_VAL;
  for (int64_t k = 0; k < limit; ++k) {
    const double* key = a.key.At(batch, k, key_head);
    double& score = weights[static_cast<size_t>(k)];
    pace.Step(a.query.width + 1);
    for (int64_t d = 0; d < a.query.width; ++d) score += query[d] * key[d];
    score *= a.scale;
    if (a.mask != nullptr) score += RealAt(*a.mask, token * a.keys + k);
    greatest = std::max(greatest, score);
  }
  double sum = 0;
  for (double& weight : weights) sum += weight = std::exp(weight - greatest);
  for (double& weight : weights) weight /= sum;
  return weights;
}

std::string Attend(Attention a, TensorValue& result) {
  if (std::string why = SetKeys(a); !why.empty()) return why;
  if (std::string why = FaultOf(a); !why.empty()) return why;
  if (a.query.elements.empty()) return {};
  const int64_t rows = a.query.batches * a.query.tokens * a.query.heads;
  Paced pace(CappedProduct({rows, a.keys + 1, 2 * a.query.width + kProductsPerElement}) /
             kProductsPerElement);
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t head = r % a.query.heads;
    const int64_t token = r / a.query.heads % a.query.tokens;
    const int64_t batch = r / a.query.heads / a.query.tokens;
    const Numbers<double> weights = Weights(a, batch, token, head, pace);
    Numbers<double> sum(static_cast<size_t>(a.query.width));
    for (size_t k = 0; k < weights.size(); ++k) {
      const double* value =
          a.value.At(batch, static_cast<int64_t>(k), head / (a.query.heads / a.key.heads));
      pace.Step(a.query.width);
      for (size_t d = 0; d < sum.size(); ++d) sum[d] += weights[k] * value[d];
    }
    const int64_t at = a.query.Row(batch, token, head) * a.query.width;
    for (size_t d = 0; d < sum.size(); ++d) {
      SetReal(result, at + static_cast<int64_t>(d), sum[d]);
    }
  }
  return {};
}

// The operands attn_mask, dropout_p (nothing is dropped), is_causal and scale from `at` on.
void SetOptions(const Call& call, size_t at, Attention& a) {
  const TensorValue* mask = TensorOrNull(call, at);
  if (mask != nullptr && ElementCount(*mask) > 0) a.mask = mask;
  a.causal = BoolAt(call, at + 2);
  a.scale = IsNone(call, at + 3) ? 1 / std::sqrt(static_cast<double>(a.query.width))
                                 : RealAt(call, at + 3);
}

std::string AttendTo(const Call& call, size_t start, const TensorValue& key,
                     const TensorValue& value, size_t options, TensorValue& result) {
  auto q = Floats(TensorAt(call, 0), false);
  auto k = Floats(key, false);
  auto v = Floats(value, false);
  for (const auto* vectors : {&q, &k, &v}) {
    if (!vectors->ok()) return vectors->error();
  }
  Attention a{std::move(q).value(), std::move(k).value(), std::move(v).value()};
  a.start = IntAt(call, start);
  SetOptions(call, options, a);
  return Attend(std::move(a), result);
}

std::string CustomSdpa(const Call& call, std::span<TensorValue> results) {
  return AttendTo(call, 3, TensorAt(call, 1), TensorAt(call, 2), 4, results[0]);
}

// The result is a float, whether or not the query is quantised.
Types QuantizedSdpaTypes(const TypeCall& call) {
  const TensorType& query = TensorAt(call, 0);
  return OneResult(FloatOf(query.dtype), query.sizes);
}

std::string CustomQuantizedSdpa(const Call& call, std::span<TensorValue> results) {
  constexpr size_t kParameters = 8;  // zero points and scales of query, key and value
  const bool heads_first = BoolAt(call, kParameters + 6);
  const bool quantised = TensorAt(call, 0).dtype == ScalarType::kInt8;
  std::vector<Vectors> parts;
  for (size_t i = 0; i < 3; ++i) {
    const TensorValue& t = TensorAt(call, i);
    const size_t at = kParameters + 2 * i;
    auto vectors =
        quantised ? Dequantised(t, TensorOrNull(call, at), TensorOrNull(call, at + 1), heads_first)
                  : Floats(t, heads_first);
    if (!vectors.ok()) return vectors.error();
    parts.push_back(std::move(vectors).value());
  }
  Attention a{std::move(parts[0]), std::move(parts[1]), std::move(parts[2])};
  a.start = IntAt(call, 3);
  SetOptions(call, 4, a);
  return Attend(std::move(a), results[0]);
}

// Operands: query, key, value, their caches, start_pos, seq_len, attn_mask, ...
Types SdpaWithKvCacheTypes(const TypeCall& call) {
  return std::vector<TensorType>{TensorAt(call, 3), TensorAt(call, 4), TensorAt(call, 0)};
}

// The new keys and values are stored before the queries attend to the caches.
std::string SdpaWithKvCache(const Call& call, std::span<TensorValue> results) {
  const int64_t start = IntAt(call, 5);
  const int64_t length = IntAt(call, 6);
  for (size_t i = 0; i < 2; ++i) {
    const TensorValue& cache = TensorAt(call, 3 + i);
    if (cache.rank() != 4 || length < 0 || start < 0 || start > cache.sizes[1] - length) {
      return "seq_len tokens from start_pos on do not fit the cache";
    }
    std::string why = UpdateCache(TensorAt(call, 1 + i), cache, start, results[i]);
    if (!why.empty()) return why;
  }
  return AttendTo(call, 5, results[0], results[1], 7, results[2]);
}

constexpr OpMeaning kAttentionMeanings[] = {
    RoundedFor(kAttentionSum, "llama::custom_sdpa.out", SameAsFirst, CustomSdpa),
    RoundedFor(kAttentionSum, "llama::custom_quantized_sdpa.out", QuantizedSdpaTypes,
               CustomQuantizedSdpa),
    RoundedFor(kAttentionSum, "llama::sdpa_with_kv_cache.out", SdpaWithKvCacheTypes,
               SdpaWithKvCache),
};

}  // namespace

std::span<const OpMeaning> AttentionMeanings() {
  return kAttentionMeanings;
}

}  // namespace pteproof
