// A feed-forward layer of several experts, of which each token takes the few that suit it best.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "base/checked_math.h"
#include "reference/ops/elements.h"
#include "reference/ops/rows.h"
#include "reference/ops/type_rules.h"

namespace pteproof {
namespace {

constexpr std::string_view kExpertsSum =
    "float sums in any order and precision; some kernels round activations to int8";

// A packed matrix: a header that says nothing needed here, then 8 rows at a time; of these, a group
// of columns at a time; of these, 16 columns at a time, as 2 times 8 rows times 8 columns of codes.
// A group's codes are followed by its 8 rows' scales and sums of codes.
constexpr uint64_t kHeader = 64;
constexpr uint64_t kRows = 8;
constexpr uint64_t kColumns = 16;
constexpr uint64_t kTile = kRows * kColumns;
constexpr uint64_t kScalesAndSums = kRows * 8;

struct Packed {
  uint64_t rows = 0;
  uint64_t columns = 0;
  uint64_t group = 0;  // columns that share a scale; divides the columns
  uint64_t bits = 0;   // of a code: 4 or 8
};

// Bytes of a packed matrix; nothing when that number does not fit.
std::optional<uint64_t> PackedSize(const Packed& m) {
  const uint64_t tall = m.rows / kRows + (m.rows % kRows == 0 ? 0 : 1);
  const uint64_t groups = m.columns / m.group;
  const auto size = CheckedMul(groups, m.group / kColumns * kTile * m.bits / 8 + kScalesAndSums);
  const auto all = size ? CheckedMul(*size, tall) : std::nullopt;
  return all ? CheckedAdd(*all, kHeader) : std::nullopt;
}

// Code i of a tile. Of 4 bits, 32 codes lie in 16 bytes, the first 16 in the low halves, with 8
// added.
double CodeAt(std::span<const std::byte> tile, uint64_t i, uint64_t bits) {
  if (bits == 8) return static_cast<int8_t>(tile[i]);
  const auto byte = std::to_integer<int>(tile[i / 32 * 16 + i % 16]);
  return (i % 32 < 16 ? byte & 15 : byte >> 4) - 8;
}

double ScaleAt(std::span<const std::byte> bytes) {
  float scale = 0;
  std::memcpy(&scale, bytes.data(), sizeof(scale));
  return scale;
}

// The matrix in row-major order. The bytes are as many as it needs.
Numbers<double> Unpacked(const Packed& m, std::span<const std::byte> bytes) {
  Numbers<double> out(m.rows * m.columns);
  bytes = bytes.subspan(kHeader);
  for (uint64_t top = 0; top < m.rows; top += kRows) {
    for (uint64_t group = 0; group < m.columns; group += m.group) {
      const uint64_t tile_bytes = kTile * m.bits / 8;
      const auto scales = bytes.subspan(m.group / kColumns * tile_bytes);
      for (uint64_t i = 0; i < m.group * kRows; ++i) {
        const uint64_t tile = i / kTile;
        const uint64_t in_tile = i % kTile;
        const uint64_t row = in_tile / 8 % kRows;
        const uint64_t column = group + tile * kColumns + in_tile / 64 * 8 + in_tile % 8;
        if (top + row >= m.rows) continue;
        out[(top + row) * m.columns + column] =
            CodeAt(bytes.subspan(tile * tile_bytes), in_tile, m.bits) *
            ScaleAt(scales.subspan(row * sizeof(float)));
      }
      bytes = scales.subspan(kScalesAndSums);
    }
  }
  return out;
}

Numbers<double> Product(std::span<const double> matrix, std::span<const double> vector) {
  Numbers<double> out(matrix.size() / vector.size());
  for (size_t row = 0; row < out.size(); ++row) {
    const auto of_row = matrix.subspan(row * vector.size(), vector.size());
    out[row] = std::inner_product(of_row.begin(), of_row.end(), vector.begin(), 0.0);
  }
  return out;
}

double Logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

struct Routing {
  Numbers<double> gate;  // a row for each expert
  Numbers<double> bias;  // added where experts are chosen, but not in their weights; or empty
  size_t chosen = 0;
  bool sigmoid = false;  // else softmax over the chosen ones
  double scale = 1;      // of the sigmoids' weights
};

// The experts of the highest scores, the first of equal ones; NaN comes last.
std::vector<size_t> Best(const Numbers<double>& scores, size_t count) {
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  Paced pace(0);  // part of what the gate's products cost
  std::ranges::stable_sort(order, [&](size_t a, size_t b) {
    pace.Step();
    if (std::isnan(scores[a])) return false;
    return std::isnan(scores[b]) || scores[a] > scores[b];
  });
  order.resize(count);
  return order;
}

// Weights of one token's experts; 0 for those not chosen, which are not run.
Numbers<double> WeightsOf(const Routing& routing, std::span<const double> token) {
  Numbers<double> scores = Product(routing.gate, token);
  if (routing.sigmoid) std::ranges::transform(scores, scores.begin(), Logistic);
  Numbers<double> biased = scores;
  for (size_t e = 0; e < routing.bias.size(); ++e) biased[e] += routing.bias[e];
  const std::vector<size_t> chosen = Best(biased, routing.chosen);
  Numbers<double> weights(scores.size(), 0.0);
  const double greatest = scores[chosen[0]];
  double sum = 0;
  for (const size_t e : chosen) {
    weights[e] = routing.sigmoid ? scores[e] : std::exp(scores[e] - greatest);
    sum += weights[e];
  }
  sum = std::max(sum, static_cast<double>(std::numeric_limits<float>::min()));
  for (double& weight : weights) weight *= (routing.sigmoid ? routing.scale : 1) / sum;
  return weights;
}

// Operands: x, gate_weight, expert_bias, packed_w13, packed_w2, num_activated_experts, num_experts,
// hidden_dim, dim, group_size, weight_nbit, score_func, route_scale.
std::string FaultOf(const Call& call) {
  const int64_t experts = IntAt(call, 6);
  const int64_t dim = IntAt(call, 8);
  const TensorValue& x = TensorAt(call, 0);
  const TensorValue& bias = TensorAt(call, 2);
  for (size_t i = 0; i < 3; ++i) {
    if (TensorAt(call, i).dtype != ScalarType::kFloat32) {
      return "x, gate_weight and expert_bias must be float32";
    }
  }
  if (x.rank() != 2 || x.sizes[1] != dim || TensorAt(call, 1).sizes != Sizes{experts, dim} ||
      (ElementCount(bias) > 0 && bias.sizes != Sizes{experts})) {
    return "x, gate_weight or expert_bias does not fit dim and num_experts";
  }
  if (IntAt(call, 5) <= 0 || IntAt(call, 5) > experts) {
    return "num_activated_experts must be 1 to num_experts";
  }
  if (TextAt(call, 11) != "sigmoid" && TextAt(call, 11) != "softmax") {
    return "score_func must be sigmoid or softmax";
  }
  if (TextAt(call, 11) == "softmax" && ElementCount(bias) > 0) {
    return "a bias goes with sigmoid only";
  }
  return {};
}

// The packed matrix of `rows` x `columns` in operand `at`, one for each expert.
Result<Packed, std::string> PackedAt(const Call& call, size_t at, int64_t rows, int64_t columns) {
  const TensorValue& blobs = TensorAt(call, at);
  const int64_t group = IntAt(call, 9);
  const int64_t bits = IntAt(call, 10);
  if (bits != 4 && bits != 8) return std::string("weight_nbit must be 4 or 8");
  if (rows <= 0 || columns <= 0 || group <= 0 || group % static_cast<int64_t>(kColumns) != 0 ||
      columns % group != 0) {
    return std::string("group_size must be a multiple of 16 and divide dim and hidden_dim");
  }
  const Packed packed{static_cast<uint64_t>(rows), static_cast<uint64_t>(columns),
                      static_cast<uint64_t>(group), static_cast<uint64_t>(bits)};
  const auto size = PackedSize(packed);
  if (blobs.dtype != ScalarType::kUInt8 || blobs.rank() != 2 || blobs.sizes[0] != IntAt(call, 6) ||
      !size || *size > static_cast<uint64_t>(blobs.sizes[1])) {
    return std::string("there must be uint8 packed weights for each expert, of sufficient size");
  }
  return packed;
}

Numbers<double> UnpackedOf(const TensorValue& blobs, const Packed& packed, size_t expert) {
  const auto size = static_cast<size_t>(blobs.sizes[1]);
  return Unpacked(packed, std::span(blobs.bytes).subspan(expert * size, size));
}

// One expert: the first half of w13's result, by its sigmoid and by the second half, through w2.
Numbers<double> Expert(std::span<const double> w13, std::span<const double> w2,
                       std::span<const double> token) {
  const Numbers<double> halves = Product(w13, token);
  Numbers<double> hidden(halves.size() / 2);
  for (size_t i = 0; i < hidden.size(); ++i) {
    hidden[i] = halves[i] * Logistic(halves[i]) * halves[hidden.size() + i];
  }
  return Product(w2, hidden);
}

std::string QuantizedMoeFfn(const Call& call, std::span<TensorValue> results) {
  if (std::string why = FaultOf(call); !why.empty()) return why;
  const int64_t hidden = IntAt(call, 7);
  const int64_t dim = IntAt(call, 8);
  if (hidden <= 0 || hidden > std::numeric_limits<int64_t>::max() / 2) {
    return "hidden_dim is out of range";
  }
  const auto w13 = PackedAt(call, 3, 2 * hidden, dim);
  const auto w2 = PackedAt(call, 4, dim, hidden);
  if (!w13.ok()) return w13.error();
  if (!w2.ok()) return w2.error();
  const Routing routing{Elements<double>(TensorAt(call, 1)), Elements<double>(TensorAt(call, 2)),
                        static_cast<size_t>(IntAt(call, 5)), TextAt(call, 11) == "sigmoid",
                        RealAt(call, 12)};
  const Numbers<double> x = Elements<double>(TensorAt(call, 0));
  const auto width = static_cast<size_t>(dim);
  const int64_t of_expert = CappedProduct({3, hidden, dim});
  const int64_t tokens = TensorAt(call, 0).sizes[0];
  Paced pace(CappedProduct({IntAt(call, 6), of_expert}));
  Spend(CappedProduct({tokens, IntAt(call, 6), dim + 1}));
  Spend(CappedProduct({tokens, IntAt(call, 5), of_expert}));
  Numbers<Numbers<double>> weights;
  for (size_t at = 0; at < x.size(); at += width) {
    pace.Step(CappedProduct({IntAt(call, 6), dim + 1}));
    weights.push_back(WeightsOf(routing, std::span(x).subspan(at, width)));
  }
  Numbers<double> sums(x.size(), 0.0);
  for (size_t e = 0; e < static_cast<size_t>(IntAt(call, 6)); ++e) {
    pace.Step(of_expert);
    const auto first = UnpackedOf(TensorAt(call, 3), w13.value(), e);
    const auto second = UnpackedOf(TensorAt(call, 4), w2.value(), e);
    for (size_t t = 0; t < weights.size(); ++t) {
      if (weights[t][e] == 0) continue;
      pace.Step(of_expert);
      const auto out = Expert(first, second, std::span(x).subspan(t * width, width));
      for (size_t d = 0; d < width; ++d) sums[t * width + d] += weights[t][e] * out[d];
    }
  }
  SetElements(results[0], sums);
  return {};
}

constexpr OpMeaning kMeanings[] = {
    RoundedFor(kExpertsSum, "llama::quantized_moe_ffn.out", SameAsFirst, QuantizedMoeFfn),
};

}  // namespace

std::span<const OpMeaning> ExpertMeanings() {
  return kMeanings;
}

}  // namespace pteproof
