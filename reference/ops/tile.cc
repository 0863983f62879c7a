// Operators that cut tensors into tiles, windows and diagonals, as strides describe them.
#include <algorithm>
#include <cstddef>

#include "reference/ops/parts.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// --- Tiles.

// Channels made of factor * factor ones become tiles of pixels (shuffle), or the other way round.
Types PixelType(const TypeCall& call, bool shuffle) {
  const TensorType& self = TensorAt(call, 0);
  const auto factor = ConstantAt(call, 1);
  if (self.rank() < 3) return std::string("self has less than three dimensions");
  if (!factor || *factor < 1 || *factor > 0x7fff) return std::string("the factor is out of range");
  SizeList sizes = self.sizes;
  SizeExpr& channels = sizes[self.rank() - 3];
  const SizeExpr square(*factor * *factor);
  const bool fits = !shuffle || Mod(channels, square).Constant().value_or(0) == 0;
  if (!fits)
    return std::string("the number of channels is not a multiple of the square of the factor");
  channels = shuffle ? FloorDiv(channels, square) : channels * square;
  for (size_t d = self.rank() - 2; d < self.rank(); ++d) {
    if (!shuffle && Mod(sizes[d], *factor).Constant().value_or(0) != 0) {
      return std::string("a side of the image is not a multiple of the factor");
    }
    sizes[d] = shuffle ? sizes[d] * *factor : FloorDiv(sizes[d], *factor);
  }
  return OneResult(self.dtype, std::move(sizes));
}

Types ShuffleType(const TypeCall& call) {
  return PixelType(call, true);
}

Types UnshuffleType(const TypeCall& call) {
  return PixelType(call, false);
}

// The dimensions before the last three stay, then those of the order.
Part Tiled(const Part& part, size_t batch, std::span<const size_t> order) {
  std::vector<size_t> all(batch);
  for (size_t d = 0; d < batch; ++d) all[d] = d;
  for (const size_t d : order) all.push_back(batch + d);
  return Permuted(part, all);
}

std::string Shuffle(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const int64_t factor = IntAt(call, 1);
  const size_t batch = self.sizes.size() - 3;
  Part part = WholeOf(self);
  Split(part, batch, factor);
  Split(part, batch, factor);
  // [channel, row in tile, column in tile, row, column].
  constexpr size_t kOrder[] = {0, 3, 1, 4, 2};
  return ReadPart(self, Tiled(part, batch, kOrder), results[0]);
}

std::string Unshuffle(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const int64_t factor = IntAt(call, 1);
  const size_t batch = self.sizes.size() - 3;
  Part part = WholeOf(self);
  Split(part, batch + 2, factor);
  Split(part, batch + 1, factor);
  // [channel, row, row in tile, column, column in tile].
  constexpr size_t kOrder[] = {0, 2, 4, 1, 3};
  return ReadPart(self, Tiled(part, batch, kOrder), results[0]);
}

// Non-overlapping square tiles of an image [channels, height, width], row by row.
Types CropType(const TypeCall& call) {
  const TensorType& input = TensorAt(call, 0);
  const auto side = ConstantAt(call, 1);
  if (input.rank() != 3) return std::string("the input is not [channels, height, width]");
  if (!side || *side < 1) return std::string("the tile size is out of range");
  for (size_t d = 1; d < 3; ++d) {
    if (Mod(input.sizes[d], *side).Constant().value_or(0) != 0) {
      return std::string("a side of the image is not a multiple of the tile size");
    }
  }
  const SizeExpr tiles = FloorDiv(input.sizes[1], *side) * FloorDiv(input.sizes[2], *side);
  return OneResult(input.dtype, {tiles, input.sizes[0], *side, *side});
}

std::string Crop(const Call& call, std::span<TensorValue> results) {
  const TensorValue& input = TensorAt(call, 0);
  const int64_t side = IntAt(call, 1);
  Part part = WholeOf(input);
  Split(part, 2, side);
  Split(part, 1, side);
  // [channel, tile row, row, tile column, column].
  constexpr size_t kOrder[] = {1, 3, 0, 2, 4};
  return ReadPart(input, Permuted(part, kOrder), results[0]);
}

// --- Windows along a dimension: which one replaces it, what lies in it comes last.

Types UnfoldType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dim = DimensionAt(call, 1, self.rank());
  const auto size = ConstantAt(call, 2);
  const auto step = ConstantAt(call, 3);
  if (!dim) return std::string(kNoDimension);
  if (!size || !step || *size < 0 || *step < 1) {
    return std::string("the window's size or step is out of range");
  }
  SizeList sizes = self.sizes;
  const SizeExpr extent = sizes.empty() ? SizeExpr(1) : sizes[*dim];
  if (extent.Constant().value_or(*size) < *size) {
    return std::string("the window is larger than the dimension");
  }
  if (!sizes.empty()) sizes[*dim] = FloorDiv(extent - *size, *step) + 1;
  sizes.emplace_back(*size);
  return OneResult(self.dtype, std::move(sizes));
}

std::string Unfold(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  Part part = WholeOf(self);
  const int64_t size = IntAt(call, 2);
  if (ElementCount(results[0]) == 0) return {};
  if (self.sizes.empty()) return CopyAll(self, results[0]);
  const size_t dim = DimensionIn(call, 1, self.sizes.size());
  const int64_t stride = part.strides[dim];
  Narrow(part, dim, 0, results[0].sizes[dim], IntAt(call, 3));
  part.sizes.push_back(size);
  part.strides.push_back(stride);
  return ReadPart(self, std::move(part), results[0]);
}

// --- The diagonal of two dimensions, `offset` columns to the right; it comes last.

Types DiagonalType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto offset = ConstantAt(call, 1);
  const auto a = DimensionAt(call, 2, self.rank());
  const auto b = DimensionAt(call, 3, self.rank());
  if (!offset || !a || !b || *a == *b) return std::string("the diagonal is none of two dimensions");
  const SizeExpr rows = *offset < 0 ? self.sizes[*a] + *offset : self.sizes[*a];
  const SizeExpr columns = *offset > 0 ? self.sizes[*b] - *offset : self.sizes[*b];
  SizeList sizes;
  for (size_t d = 0; d < self.rank(); ++d) {
    if (d != *a && d != *b) sizes.push_back(self.sizes[d]);
  }
  sizes.push_back(AtLeastZero(Min(rows, columns)));
  return OneResult(self.dtype, std::move(sizes));
}

std::string Diagonal(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  if (ElementCount(results[0]) == 0) return {};
  const int64_t offset = IntAt(call, 1);
  const size_t a = DimensionIn(call, 2, self.sizes.size());
  const size_t b = DimensionIn(call, 3, self.sizes.size());
  Part part = WholeOf(self);
  const int64_t along = part.strides[a] + part.strides[b];
  Select(part, std::max(a, b), std::max<int64_t>(a > b ? -offset : offset, 0));
  Select(part, std::min(a, b), std::max<int64_t>(a > b ? offset : -offset, 0));
  part.sizes.push_back(results[0].sizes.back());
  part.strides.push_back(along);
  return ReadPart(self, std::move(part), results[0]);
}

constexpr OpMeaning kTileMeanings[] = {
    Exact("aten::pixel_shuffle.out", ShuffleType, Shuffle),
    Exact("aten::pixel_unshuffle.out", UnshuffleType, Unshuffle),
    Exact("preprocess::tile_crop.out", CropType, Crop),
    Exact("aten::unfold_copy.out", UnfoldType, Unfold),
    Exact("aten::diagonal_copy.out", DiagonalType, Diagonal),
};

}  // namespace

std::span<const OpMeaning> TileMeanings() {
  return kTileMeanings;
}

}  // namespace pteproof
