// Attention: each query's weights are the softmax of its scaled products with the keys, its result
// is the weighted sum of the values. Keys and values are converted once for a batch and head; of
// one query all scores are held at a time. Cost: queries times keys times the vectors' length.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/language/cache.h"

namespace pteproof::kernels {
namespace {

// Queries, keys or values as [batch, head, token, element].
struct HeadVectors {
  Region region;
  Region
      zero_points;  // quantised: one of each for every vector, of the same sizes but for 1 element
  Region scales;
  bool quantized = false;

  [[nodiscard]] int64_t batches() const { return region.sizes[0]; }
  [[nodiscard]] int64_t heads() const { return region.sizes[1]; }
  [[nodiscard]] int64_t tokens() const { return region.sizes[2]; }
  [[nodiscard]] int64_t width() const { return region.sizes[3]; }
};

struct AttentionCall {
  HeadVectors query;
  HeadVectors key;
  HeadVectors value;
  Region out;
  const TensorRef* mask = nullptr;  // added to the scores, [query tokens, keys]
  int64_t keys = 0;                 // that count: the first ones
  int64_t start = 0;                // position of the first query among the keys
  bool causal = false;              // keys count up to the query's own position
  double scale = 1;
};

Region HeadsFirst(Region region, bool heads_first) {
  if (!heads_first) {
    std::swap(region.sizes[1], region.sizes[2]);
    std::swap(region.strides[1], region.strides[2]);
  }
  return region;
}

KernelStatus FloatVectorsOf(const TensorRef& tensor, bool heads_first, HeadVectors& vectors) {
  if (!IsRealType(tensor.dtype)) return "query, key and value must be floats";
  if (tensor.rank() != 4) return "query, key and value must have four dimensions";
  vectors.region = HeadsFirst(WholeOf(tensor), heads_first);
  return nullptr;
}

// int8, with a zero point and a scale for each vector.
KernelStatus QuantizedVectorsOf(const KernelCall& call, size_t tensor, size_t parameters,
                                bool heads_first, HeadVectors& vectors) {
  const TensorRef& codes = TensorAt(call, tensor);
  const TensorRef* zero_points = TensorOrNull(call, parameters);
  const TensorRef* scales = TensorOrNull(call, parameters + 1);
  if (zero_points == nullptr || scales == nullptr) {
    return "query, key and value must all be quantised";
  }
  if (codes.dtype != ScalarType::kInt8 || zero_points->dtype != ScalarType::kInt8 ||
      scales->dtype != ScalarType::kFloat32) {
    return "quantised values and zero points must be int8, scales float32";
  }
  if (codes.rank() != 4) return "query, key and value must have four dimensions";
  for (const TensorRef* beside : {zero_points, scales}) {
    bool fits = beside->rank() == 4;
    for (size_t d = 0; fits && d < 4; ++d) {
      fits = beside->sizes[d] == (d == 3 ? 1 : codes.sizes[d]);
    }
    if (!fits) return "there must be one scale and zero point for each vector";
  }
  vectors = {HeadsFirst(WholeOf(codes), heads_first),
             HeadsFirst(WholeOf(*zero_points), heads_first),
             HeadsFirst(WholeOf(*scales), heads_first), true};
  return nullptr;
}

// The first `count` vectors of a batch and head, as numbers.
void LoadVectors(const HeadVectors& vectors, int64_t batch, int64_t head, int64_t first,
                 int64_t count, const LentNumbers<double>& numbers) {
  const auto at = [&](const Region& region, int64_t token) {
    return region.data + batch * region.strides[0] + head * region.strides[1] +
           token * region.strides[2];
  };
  const int64_t width = vectors.width();
  for (int64_t token = first; token < first + count; ++token) {
    const auto vector = numbers.Part((token - first) * width, width);
    LoadLine(vectors.region.dtype, at(vectors.region, token), vectors.region.strides[3], vector);
    if (!vectors.quantized) continue;
    const auto zero = LoadOne<double>(ScalarType::kInt8, at(vectors.zero_points, token));
    const auto scale = LoadOne<double>(ScalarType::kFloat32, at(vectors.scales, token));
    for (double& number : vector) number = (number - zero) * scale;
  }
}

KernelStatus CheckAttention(AttentionCall& a) {
  a.keys = a.key.tokens();
  if (a.mask == nullptr) {
    if (a.start < 0 || a.start > a.key.tokens() - a.query.tokens()) {
      return "the queries' positions lie outside the keys";
    }
    a.keys = a.start + a.query.tokens();
  }
  if (a.query.batches() != a.key.batches() || a.query.width() != a.key.width()) {
    return "the query and the key must have the same batches and vector length";
  }
  for (size_t d = 0; d < 4; ++d) {
    if (a.key.region.sizes[d] != a.value.region.sizes[d]) {
      return "the key and the value must have the same sizes";
    }
  }
  if (a.key.heads() == 0 || a.query.heads() % a.key.heads() != 0) {
    return "the heads of the query must be a multiple of the key's";
  }
  if (a.mask == nullptr) return nullptr;
  if (a.causal) return "a mask and causal attention exclude each other";
  if (!IsRealType(a.mask->dtype)) return "the mask must be a float";
  const bool fits =
      a.mask->rank() == 2 && a.mask->sizes[0] == a.query.tokens() && a.mask->sizes[1] == a.keys;
  return fits ? nullptr : "the mask must have a row for each query and a column for each key";
}

// Memory for one head and one query.
struct AttentionRoom {
  LentNumbers<double> keys;
  LentNumbers<double> values;
  LentNumbers<double> query;
  LentNumbers<double> scores;
  LentNumbers<double> sum;
};

// One query: its scores become weights, and `room.sum` the weighted values.
void AttendQuery(const AttentionCall& a, int64_t token, const AttentionRoom& room, CallWork& work) {
  const int64_t width = a.query.width();
  const int64_t count = a.causal ? a.start + token + 1 : a.keys;
  const auto all_scores = room.scores.Part(0, count);
  double* scores = all_scores.data();
  const double* query = room.query.Part(0, width).data();
  double* sum = room.sum.Part(0, width).data();
  double greatest = -HUGE_VAL;
  if (a.mask != nullptr) {
    const Region mask = WholeOf(*a.mask);
    LoadLine(mask.dtype, mask.data + token * mask.strides[0], mask.strides[1], all_scores);
  } else {
    FillNumbers(all_scores, 0.0, work);
  }
  for (int64_t k = 0; k < count; ++k) {
    work.Pass();
    const double* key = room.keys.Part(k * width, width).data();
    double product = 0;
    work.InPieces(width, [&](int64_t first, int64_t part) {
      for (int64_t d = first; d < first + part; ++d) product += query[d] * key[d];
    });
    scores[k] += product * a.scale;
    greatest = std::max(greatest, scores[k]);
  }
  double total = 0;
  for (int64_t k = 0; k < count; ++k) {
    work.Pass();
    scores[k] = std::exp(scores[k] - greatest);
    total += scores[k];
  }
  FillNumbers(room.sum.Part(0, width), 0.0, work);
  for (int64_t k = 0; k < count; ++k) {
    work.Pass();
    const double weight = scores[k] / total;
    const double* value = room.values.Part(k * width, width).data();
    work.InPieces(width, [&](int64_t first, int64_t part) {
      for (int64_t d = first; d < first + part; ++d) sum[d] += weight * value[d];
    });
  }
}

KernelStatus Attend(const AttentionCall& a, Scratch& scratch) {
  const int64_t width = a.query.width();
  if (CountIn(a.query.region) == 0) return nullptr;
  AttentionRoom room;
  room.keys = RoomFor<double>(a.keys, width, scratch);
  room.values = RoomFor<double>(a.keys, width, scratch);
  room.query = RoomFor<double>(width, scratch);
  room.scores = RoomFor<double>(a.keys, scratch);
  room.sum = RoomFor<double>(width, scratch);
  for (const auto& memory : {room.keys, room.values, room.query, room.scores, room.sum}) {
    if (!memory.given()) return kNoMemory;
  }
  const int64_t shared = a.query.heads() / a.key.heads();
  for (int64_t i = 0; i < a.key.batches() * a.key.heads(); ++i) {
    const int64_t batch = i / a.key.heads();
    const int64_t head = i % a.key.heads();
    LoadVectors(a.key, batch, head, 0, a.keys, room.keys);
    LoadVectors(a.value, batch, head, 0, a.keys, room.values);
    for (int64_t q = head * shared; q < (head + 1) * shared; ++q) {
      for (int64_t token = 0; token < a.query.tokens(); ++token) {
        scratch.work().TakeProduct(a.keys, width);
        LoadVectors(a.query, batch, q, token, 1, room.query);
        AttendQuery(a, token, room, scratch.work());
        StoreLine(
            a.out.dtype, room.sum,
            a.out.data + batch * a.out.strides[0] + q * a.out.strides[1] + token * a.out.strides[2],
            a.out.strides[3]);
      }
    }
  }
  return nullptr;
}

// Arguments from `at` on: the mask, the share that is dropped (nothing is), whether attention is
// causal, and the scale.
void SetAttentionOptions(const KernelCall& call, size_t at, AttentionCall& a) {
  const TensorRef* mask = TensorOrNull(call, at);
  if (mask != nullptr && ElementCount(*mask) > 0) a.mask = mask;
  a.causal = IntAt(call, at + 2) != 0;
  a.scale = 1 / std::sqrt(static_cast<double>(a.query.width()));
  if (IsNone(call, at + 3)) return;
  const ElementNumber scale = NumberOf(*call.args[at + 3]);
  a.scale = scale.is_real ? scale.real : static_cast<double>(scale.integer);
}

// Of floats, tokens first. `start`: the argument with the position.
KernelStatus FloatAttention(const KernelCall& call, const TensorRef& key, const TensorRef& value,
                            size_t start, size_t options, AttentionCall& a) {
  KernelStatus status = FloatVectorsOf(TensorAt(call, 0), false, a.query);
  if (status == nullptr) status = FloatVectorsOf(key, false, a.key);
  if (status == nullptr) status = FloatVectorsOf(value, false, a.value);
  if (status != nullptr) return status;
  a.start = IntAt(call, start);
  a.out = HeadsFirst(WholeOf(OutOf(call)), false);
  SetAttentionOptions(call, options, a);
  return CheckAttention(a);
}

KernelStatus CustomSdpa(const KernelCall& call) {
  AttentionCall a;
  const KernelStatus status = FloatAttention(call, TensorAt(call, 1), TensorAt(call, 2), 3, 4, a);
  return status != nullptr ? status : Attend(a, *call.scratch);
}

KernelStatus CustomQuantizedSdpa(const KernelCall& call) {
  constexpr size_t kParameters = 8;  // zero points and scales of query, key and value
  const bool heads_first = IntAt(call, kParameters + 6) != 0;
  const bool quantized = TensorAt(call, 0).dtype == ScalarType::kInt8;
  AttentionCall a;
  const std::array<HeadVectors*, 3> parts = {&a.query, &a.key, &a.value};
  for (size_t i = 0; i < 3; ++i) {
    const KernelStatus status =
        quantized ? QuantizedVectorsOf(call, i, kParameters + 2 * i, heads_first, *parts[i])
                  : FloatVectorsOf(TensorAt(call, i), heads_first, *parts[i]);
    if (status != nullptr) return status;
  }
  a.start = IntAt(call, 3);
  a.out = HeadsFirst(WholeOf(OutOf(call)), heads_first);
  SetAttentionOptions(call, 4, a);
  const KernelStatus status = CheckAttention(a);
  return status != nullptr ? status : Attend(a, *call.scratch);
}

// The new keys and values are stored before the queries attend to the caches.
KernelStatus SdpaWithKvCache(const KernelCall& call) {
  const int64_t start = IntAt(call, 5);
  const int64_t length = IntAt(call, 6);
  for (size_t i = 0; i < 2; ++i) {
    const TensorRef& cache = TensorAt(call, 3 + i);
    if (cache.rank() != 4 || length < 0 || start < 0 || start > cache.sizes[1] - length) {
      return "seq_len tokens from start_pos on do not fit the cache";
    }
    const KernelStatus status = CheckCached(TensorAt(call, 1 + i), cache, start);
    if (status != nullptr) return status;
  }
  AttentionCall a;
  const KernelStatus status = FloatAttention(call, TensorAt(call, 3), TensorAt(call, 4), 5, 7, a);
  if (status != nullptr) return status;
  for (size_t i = 0; i < 2; ++i) StoreInCache(TensorAt(call, 1 + i), TensorAt(call, 3 + i), start);
  return Attend(a, *call.scratch);
}

constexpr Kernel kAttentionKernels[] = {
    {"llama::custom_sdpa.out", AsFirst, CustomSdpa},
    {"llama::custom_quantized_sdpa.out", AsFirst, CustomQuantizedSdpa},
    {"llama::sdpa_with_kv_cache.out", AsFirst, SdpaWithKvCache},
};

}  // namespace

std::span<const Kernel> AttentionKernels() {
  return kAttentionKernels;
}

}  // namespace pteproof::kernels
