// A feed-forward layer of several experts, of which each token takes the few of the best scores.
//
// An expert's two weights are packed: a header, then 8 rows at a time; of those, one group of
// columns after the other; of a group, tiles of 16 columns, each of two halves of 8 rows by 8
// columns; behind a group's tiles the scales and sums of its 8 rows. Products unpack 8 codes at a
// time and keep none.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/checked_math.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"

namespace pteproof::kernels {
namespace {

constexpr int64_t kExpertHeader = 64;
constexpr int64_t kExpertRows = 8;
constexpr int64_t kTileColumns = 16;

struct ExpertWeight {
  CheckedPointer bytes;  // of the first expert
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t group = 0;   // columns that share a scale
  int64_t bits = 0;    // of a code: 4 or 8
  int64_t expert = 0;  // bytes from one expert to the next

  [[nodiscard]] int64_t TileBytes() const { return kExpertRows * kTileColumns * bits / 8; }
  // With the scales and the sums, a float32 and an int32 for each row.
  [[nodiscard]] int64_t GroupBytes() const {
    return group / kTileColumns * TileBytes() + kExpertRows * 8;
  }
};

// Eight codes of a row: half `half` of a tile. Of 4 bits the codes of the first 16 of 32 lie in the
// lower halves of 16 bytes, the others in the upper ones, with 8 added.
void LoadTileRow(const ExpertWeight& weight, const std::byte* tile, int64_t half, int64_t row,
                 std::array<double, 8>& codes) {
  const int64_t first = (half * kExpertRows + row) * 8;
  for (int64_t i = first; i < first + 8; ++i) {
    double& code = codes[static_cast<size_t>(i - first)];
    if (weight.bits == 8) {
      code = static_cast<int8_t>(tile[i]);
      continue;
    }
    const auto byte = static_cast<int>(tile[i / 32 * 16 + i % 16]);
    code = (i % 32 < 16 ? byte & 15 : byte >> 4) - 8;
  }
}

// out = weight * vector, of one expert.
void MultiplyPacked(const ExpertWeight& weight, int64_t expert, const LentNumbers<double>& vector,
                    const LentNumbers<double>& out) {
  CheckedPointer group = weight.bytes + expert * weight.expert + kExpertHeader;
  std::ranges::fill(out.Part(0, weight.rows), 0.0);
  std::array<double, 8> codes;
  for (int64_t top = 0; top < weight.rows; top += kExpertRows) {
    const int64_t rows = std::min(kExpertRows, weight.rows - top);
    for (int64_t first = 0; first < weight.columns; first += weight.group) {
      const int64_t tiles = weight.group / kTileColumns;
      const std::byte* at = group.Read(1, 1, weight.GroupBytes());
      const std::byte* scales = at + tiles * weight.TileBytes();
      const double* columns = vector.Part(first, weight.group).data();
      for (int64_t row = 0; row < rows; ++row) {
        double sum = 0;
        for (int64_t t = 0; t < 2 * tiles; ++t) {
          LoadTileRow(weight, at + t / 2 * weight.TileBytes(), t % 2, row, codes);
          const double* from = columns + t * 8;
          for (size_t i = 0; i < 8; ++i) sum += codes[i] * from[i];
        }
        float scale = 0;
        std::memcpy(&scale, scales + row * static_cast<int64_t>(sizeof scale), sizeof scale);
        out[top + row] += static_cast<double>(scale) * sum;
      }
      group += weight.GroupBytes();
    }
  }
}

struct ExpertLayer {
  Region x;
  Region gate;
  Region bias;  // no elements: none
  int64_t chosen = 0;
  int64_t experts = 0;
  int64_t hidden = 0;
  int64_t width = 0;
  bool sigmoid = false;  // else softmax over the chosen experts
  double scale = 1;      // of the sigmoids' weights
  ExpertWeight up;       // [2 * hidden, width]
  ExpertWeight down;     // [width, hidden]
};

KernelStatus ExpertWeightAt(const KernelCall& call, size_t a, int64_t rows, int64_t columns,
                            ExpertWeight& weight) {
  const TensorRef& packed = TensorAt(call, a);
  const int64_t group = IntAt(call, 9);
  const int64_t bits = IntAt(call, 10);
  if (bits != 4 && bits != 8) return "weight_nbit must be 4 or 8";
  if (rows <= 0 || columns <= 0 || group <= 0 || group % kTileColumns != 0 ||
      columns % group != 0) {
    return "group_size must be a multiple of 16 and divide dim and hidden_dim";
  }
  weight = {packed.pointer(), rows, columns, group, bits, 0};
  constexpr KernelStatus kTooSmall =
      "there must be uint8 packed weights for each expert, of sufficient size";
  if (packed.dtype != ScalarType::kUInt8 || packed.rank() != 2 || !IsRowMajor(packed) ||
      packed.sizes[0] != IntAt(call, 6)) {
    return kTooSmall;
  }
  weight.expert = packed.sizes[1];
  const int64_t tall = rows / kExpertRows + (rows % kExpertRows == 0 ? 0 : 1);
  // A group of more columns than there are bytes is too large anyhow.
  if (group > 2 * weight.expert) return kTooSmall;
  const auto per_eight = CheckedMul(weight.GroupBytes(), columns / group);
  const auto all = per_eight ? CheckedMul(*per_eight, tall) : std::nullopt;
  return all && *all <= weight.expert - kExpertHeader ? nullptr : kTooSmall;
}

KernelStatus CheckExperts(const KernelCall& call, const ExpertLayer& layer) {
  for (size_t a = 0; a < 3; ++a) {
    if (TensorAt(call, a).dtype != ScalarType::kFloat32) {
      return "x, gate_weight and expert_bias must be float32";
    }
  }
  const bool has_bias = CountIn(layer.bias) > 0;
  if (layer.x.rank != 2 || layer.x.sizes[1] != layer.width || layer.gate.rank != 2 ||
      layer.gate.sizes[0] != layer.experts || layer.gate.sizes[1] != layer.width ||
      (has_bias && (layer.bias.rank != 1 || layer.bias.sizes[0] != layer.experts))) {
    return "x, gate_weight or expert_bias does not fit dim and num_experts";
  }
  if (layer.chosen <= 0 || layer.chosen > layer.experts) {
    return "num_activated_experts must be 1 to num_experts";
  }
  const std::string_view scores = call.args[11]->text;
  if (scores != "sigmoid" && scores != "softmax") return "score_func must be sigmoid or softmax";
  return !layer.sigmoid && has_bias ? "a bias goes with sigmoid only" : nullptr;
}

KernelStatus ExpertLayerOf(const KernelCall& call, ExpertLayer& layer) {
  layer.x = WholeOf(TensorAt(call, 0));
  layer.gate = WholeOf(TensorAt(call, 1));
  layer.bias = WholeOf(TensorAt(call, 2));
  layer.chosen = IntAt(call, 5);
  layer.experts = IntAt(call, 6);
  layer.hidden = IntAt(call, 7);
  layer.width = IntAt(call, 8);
  layer.sigmoid = call.args[11]->text == "sigmoid";
  const ElementNumber scale = NumberOf(*call.args[12]);
  layer.scale = scale.is_real ? scale.real : static_cast<double>(scale.integer);
  if (const KernelStatus status = CheckExperts(call, layer)) return status;
  if (layer.hidden <= 0 || layer.hidden > std::numeric_limits<int32_t>::max()) {
    return "hidden_dim is out of range";
  }
  const KernelStatus status = ExpertWeightAt(call, 3, 2 * layer.hidden, layer.width, layer.up);
  return status != nullptr ? status
                           : ExpertWeightAt(call, 4, layer.width, layer.hidden, layer.down);
}

double LogisticOf(double x) {
  return 1 / (1 + std::exp(-x));
}

// Memory for one token.
struct ExpertRoom {
  LentNumbers<double> gate;
  LentNumbers<double> bias;
  LentNumbers<double> token;
  LentNumbers<double> scores;
  LentNumbers<double> weights;  // 0: not chosen
  LentNumbers<double> halves;
  LentNumbers<double> part;
  LentNumbers<double> sum;
};

KernelStatus PrepareExperts(const ExpertLayer& layer, Scratch& scratch, ExpertRoom& room) {
  room.gate = Packed<double>(layer.gate, scratch);
  room.bias = Packed<double>(layer.bias, scratch);
  room.token = RoomFor<double>(layer.width, scratch);
  room.scores = RoomFor<double>(layer.experts, scratch);
  room.weights = RoomFor<double>(layer.experts, scratch);
  room.halves = RoomFor<double>(2 * layer.hidden, scratch);
  room.part = RoomFor<double>(layer.width, scratch);
  room.sum = RoomFor<double>(layer.width, scratch);
  for (const auto& memory : {room.gate, room.bias, room.token, room.scores, room.weights,
                             room.halves, room.part, room.sum}) {
    if (!memory.given()) return kNoMemory;
  }
  return nullptr;
}

// The best of the experts that are not chosen yet, the first of equal ones; NaN comes last.
int64_t BestExpert(const ExpertLayer& layer, const ExpertRoom& room) {
  const bool biased = CountIn(layer.bias) > 0;
  int64_t best = -1;
  double greatest = 0;
  for (int64_t e = 0; e < layer.experts; ++e) {
    if (room.weights[e] >= 0) continue;
    const double score = room.scores[e] + (biased ? room.bias[e] : 0);
    if (best >= 0 && !(score > greatest) && !(std::isnan(greatest) && !std::isnan(score))) continue;
    best = e;
    greatest = score;
  }
  return best;
}

// The weights of a token's experts. A bias takes part in the choice alone.
void WeighExperts(const ExpertLayer& layer, const ExpertRoom& room, CallWork& work) {
  for (int64_t e = 0; e < layer.experts; ++e) {
    work.Pass(layer.width + 1);
    double score = 0;
    for (int64_t i = 0; i < layer.width; ++i) {
      score += room.gate[e * layer.width + i] * room.token[i];
    }
    room.scores[e] = layer.sigmoid ? LogisticOf(score) : score;
    room.weights[e] = -1;  // not chosen
  }
  double greatest = 0;
  for (int64_t n = 0; n < layer.chosen; ++n) {
    work.Pass(layer.experts);
    const int64_t e = BestExpert(layer, room);
    if (n == 0) greatest = room.scores[e];
    room.weights[e] = 0;
  }
  double total = 0;
  for (int64_t e = 0; e < layer.experts; ++e) {
    const bool chosen = room.weights[e] == 0;
    room.weights[e] = 0;
    if (!chosen) continue;
    room.weights[e] = layer.sigmoid ? room.scores[e] : std::exp(room.scores[e] - greatest);
    total += room.weights[e];
  }
  total = std::max(total, static_cast<double>(std::numeric_limits<float>::min()));
  for (int64_t e = 0; e < layer.experts; ++e) {
    room.weights[e] *= (layer.sigmoid ? layer.scale : 1) / total;
  }
}

// The first half of what the first weight gives, by its sigmoid and by the second half, through the
// second weight.
void AddExpert(const ExpertLayer& layer, const ExpertRoom& room, int64_t expert) {
  MultiplyPacked(layer.up, expert, room.token, room.halves);
  for (int64_t i = 0; i < layer.hidden; ++i) {
    room.halves[i] *= LogisticOf(room.halves[i]) * room.halves[layer.hidden + i];
  }
  MultiplyPacked(layer.down, expert, room.halves, room.part);
  for (int64_t i = 0; i < layer.width; ++i) room.sum[i] += room.weights[expert] * room.part[i];
}

KernelStatus QuantizedMoeFfn(const KernelCall& call) {
  ExpertLayer layer;
  if (const KernelStatus status = ExpertLayerOf(call, layer)) return status;
  ExpertRoom room;
  if (const KernelStatus status = PrepareExperts(layer, *call.scratch, room)) return status;
  const Region out = WholeOf(OutOf(call));
  for (int64_t t = 0; t < layer.x.sizes[0]; ++t) {
    LoadLine(layer.x.dtype, layer.x.data + t * layer.x.strides[0], layer.x.strides[1], room.token);
    CallWork& work = call.scratch->work();
    work.TakeProduct(layer.experts, layer.width + layer.chosen);
    WeighExperts(layer, room, work);
    std::ranges::fill(room.sum, 0.0);
    for (int64_t e = 0; e < layer.experts; ++e) {
      if (room.weights[e] != 0) AddExpert(layer, room, e);
    }
    StoreLine(out.dtype, room.sum, out.data + t * out.strides[0], out.strides[1]);
  }
  return nullptr;
}

constexpr Kernel kExpertKernels[] = {
    {"llama::quantized_moe_ffn.out", AsFirst, QuantizedMoeFfn},
};

}  // namespace

std::span<const Kernel> ExpertKernels() {
  return kExpertKernels;
}

}  // namespace pteproof::kernels
