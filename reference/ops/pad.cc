// Padding, flips and rolls: each coordinate of the result comes from one of the operand, dimension
// by dimension. And tril, which clears.
#include <algorithm>
#include <cstdlib>

#include "reference/ops/parts.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// --- Padding. The list has before and after, of the last dimension first; negative ones crop.

// Beyond this no size fits, and sums of two stay in range.
constexpr int64_t kMostPadding = int64_t{1} << 40;

// The pair of dimension d is the list's that many from its begin, or nothing.
std::optional<size_t> PairOf(size_t d, size_t rank, size_t list) {
  const size_t pair = 2 * (rank - 1 - d);
  return pair + 1 < list ? std::optional(pair) : std::nullopt;
}

// How many elements of one side lie before coordinate 0; 0 for a dimension that is not padded.
int64_t Before(const Call& call, size_t d, size_t rank) {
  const auto padding = IntsAt(call, 1);
  const auto pair = PairOf(d, rank, padding.size());
  return pair ? padding[*pair] : 0;
}

Types PaddedType(const TypeCall& call) {
  TensorType type = TensorAt(call, 0);
  const auto padding = IntsAt(call, 1);
  if (padding.size() % 2 != 0 || padding.size() > 2 * type.rank()) {
    return std::string("the padding has another length than two for each dimension");
  }
  for (const SizeExpr& pad : padding) {
    if (std::abs(std::clamp(pad.Constant().value_or(0), -kMostPadding, kMostPadding)) ==
        kMostPadding) {
      return std::string("the padding is out of range");
    }
  }
  for (size_t d = 0; d < type.rank(); ++d) {
    const auto pair = PairOf(d, type.rank(), padding.size());
    if (pair) type.sizes[d] = type.sizes[d] + padding[*pair] + padding[*pair + 1];
  }
  return OneResult(std::move(type));
}

std::string PadConstant(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  Fill(results[0], NumberAt(call, 2));
  return ReadMapped(self, results[0], [&](size_t d, int64_t j) {
    const int64_t at = j - Before(call, d, self.sizes.size());
    return at >= 0 && at < self.sizes[d] ? at : -1;
  });
}

// The last N dimensions, with at most two before them: a batch and channels.
template <size_t N>
Types SpatialType(const TypeCall& call) {
  const size_t rank = TensorAt(call, 0).rank();
  if (IntsAt(call, 1).size() != 2 * N) return std::string("the padding has another length");
  if (rank != N + 1 && rank != N + 2) return std::string("self has another rank");
  return PaddedType(call);
}

// The outermost elements go on.
std::string Replicate(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  return ReadMapped(self, results[0], [&](size_t d, int64_t j) {
    const int64_t at = j - Before(call, d, self.sizes.size());
    return std::clamp<int64_t>(at, 0, std::max<int64_t>(self.sizes[d] - 1, 0));
  });
}

// The tensor goes on as its mirror image, in which the outermost elements occur once.
template <size_t N>
Types ReflectType(const TypeCall& call) {
  Types types = SpatialType<N>(call);
  if (!types.ok()) return types;
  const SizeList& sizes = TensorAt(call, 0).sizes;
  const auto padding = IntsAt(call, 1);
  for (size_t p = 0; p < padding.size(); ++p) {
    const auto room = (sizes[sizes.size() - 1 - p / 2] - padding[p]).Constant();
    if (room && *room <= 0) return std::string("the padding is not smaller than the dimension");
  }
  return types;
}

std::string Reflect(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  return ReadMapped(self, results[0], [&](size_t d, int64_t j) {
    const int64_t at = std::abs(j - Before(call, d, self.sizes.size()));
    return at < self.sizes[d] ? at : 2 * (self.sizes[d] - 1) - at;
  });
}

// --- Flips and rolls.

Types FlipType(const TypeCall& call) {
  const auto dims = ConstantsAt(call, 1);
  const auto rank = static_cast<int64_t>(TensorAt(call, 0).rank());
  if (!dims || !MarkedDimensions(*dims, rank)) {
    return std::string("a dimension is out of range or listed twice");
  }
  return SameAsFirst(call);
}

std::string Flip(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto dims = IntsAt(call, 1);
  auto flipped = MarkedDimensions(dims, self.rank()).value_or(std::vector<bool>());
  if (dims.empty()) flipped.assign(flipped.size(), false);
  return ReadMapped(self, results[0],
                    [&](size_t d, int64_t j) { return flipped[d] ? self.sizes[d] - 1 - j : j; });
}

// Without dims the tensor rolls as if it had one dimension.
Types RollType(const TypeCall& call) {
  const auto dims = ConstantsAt(call, 2);
  const size_t rank = TensorAt(call, 0).rank();
  if (!dims) return std::string(kNoDimension);
  for (const int64_t dim : *dims) {
    if (rank == 0 || !Dimension(dim, static_cast<int64_t>(rank))) return std::string(kNoDimension);
  }
  if (IntsAt(call, 1).size() != (dims->empty() ? 1 : dims->size())) {
    return std::string("the number of shifts differs from the number of dimensions");
  }
  return SameAsFirst(call);
}

// The coordinate that comes to `j` when those of a dimension of that size move up by `shift`.
int64_t Unshifted(int64_t j, int64_t shift, int64_t size) {
  const int64_t at = j - shift % size;
  return at < 0 ? at + size : at % size;
}

std::string Roll(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto shifts = IntsAt(call, 1);
  const auto dims = IntsAt(call, 2);
  const int64_t count = ElementCount(self);
  if (dims.empty()) {
    ForEachElement(count, [&](int64_t i) {
      CopyElement(self, Unshifted(i, shifts[0], count), results[0], i);
    });
    return {};
  }
  Spend(CappedProduct({count, self.rank(), static_cast<int64_t>(dims.size())}));
  return ReadMapped(self, results[0], [&](size_t d, int64_t j) {
    for (size_t s = 0; s < dims.size(); ++s) {
      if (static_cast<size_t>(*Dimension(dims[s], self.rank())) == d) {
        j = Unshifted(j, shifts[s], self.sizes[d]);
      }
    }
    return j;
  });
}

// --- The lower triangle of the last two dimensions; zero above.

Types TrilType(const TypeCall& call) {
  if (TensorAt(call, 0).rank() < 2) return std::string("self has less than two dimensions");
  return SameAsFirst(call);
}

std::string Tril(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const int64_t diagonal = IntAt(call, 1);
  const int64_t columns = self.sizes.back();
  const int64_t rows = self.sizes[self.sizes.size() - 2];
  ForEachElement(ElementCount(self), [&](int64_t i) {
    if (i % columns - i / columns % rows <= diagonal) CopyElement(self, i, results[0], i);
  });
  return {};
}

constexpr OpMeaning kPadMeanings[] = {
    Exact("aten::constant_pad_nd.out", PaddedType, PadConstant),
    Exact("aten::reflection_pad1d.out", ReflectType<1>, Reflect),
    Exact("aten::reflection_pad2d.out", ReflectType<2>, Reflect),
    Exact("aten::reflection_pad3d.out", ReflectType<3>, Reflect),
    Exact("aten::replication_pad1d.out", SpatialType<1>, Replicate),
    Exact("aten::replication_pad2d.out", SpatialType<2>, Replicate),
    Exact("aten::replication_pad3d.out", SpatialType<3>, Replicate),
    Exact("aten::flip.out", FlipType, Flip),
    Exact("aten::roll.out", RollType, Roll),
    Exact("aten::tril.out", TrilType, Tril),
};

}  // namespace

std::span<const OpMeaning> PadMeanings() {
  return kPadMeanings;
}

}  // namespace pteproof
