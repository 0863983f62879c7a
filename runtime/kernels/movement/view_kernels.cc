// Parts and rearrangements of a tensor that strides describe.
#include <algorithm>
#include <array>
#include <utility>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

using MakeView = KernelStatus (*)(const KernelCall& call, Region& region);

// Both of a kernel's functions: `make` turns the operand into the result's elements.
template <MakeView make>
KernelStatus SizesOfView(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  const KernelStatus status = make(call, region);
  return status != nullptr ? status : ResizeTo(OutOf(call), region);
}
template <MakeView make>
KernelStatus CopyView(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  const KernelStatus status = make(call, region);
  if (status != nullptr) return status;
  CopyRegion(region, WholeOf(OutOf(call)));
  return nullptr;
}

// Dimension d becomes two, of which the inner one has that size; it divides the old one.
void SplitDimension(Region& region, size_t d, int64_t inner) {
  for (size_t k = region.rank++; k > d + 1; --k) {
    region.sizes[k] = region.sizes[k - 1];
    region.strides[k] = region.strides[k - 1];
  }
  region.sizes[d] /= inner;
  region.sizes[d + 1] = inner;
  region.strides[d + 1] = region.strides[d];
  region.strides[d] *= inner;
}

void MoveDimension(Region& region, size_t from, size_t to) {
  for (; from < to; ++from) {
    std::swap(region.sizes[from], region.sizes[from + 1]);
    std::swap(region.strides[from], region.strides[from + 1]);
  }
  for (; from > to; --from) {
    std::swap(region.sizes[from], region.sizes[from - 1]);
    std::swap(region.strides[from], region.strides[from - 1]);
  }
}

KernelStatus NarrowOne(const KernelCall& call, Region& region) {
  const int64_t dim = DimensionOf(IntAt(call, 1), region.rank);
  if (dim < 0) return kNoDimension;
  const int64_t size = region.sizes[static_cast<size_t>(dim)];
  int64_t start = IntAt(call, 2);
  const int64_t length = IntAt(call, 3);
  if (start < 0) start += size;
  if (start < 0 || start > size || length < 0 || length > size - start) {
    return "the part lies outside of self";
  }
  Narrow(region, static_cast<size_t>(dim), start, length);
  return nullptr;
}

KernelStatus Diagonal(const KernelCall& call, Region& region) {
  const int64_t first = DimensionOf(IntAt(call, 2), region.rank);
  const int64_t second = DimensionOf(IntAt(call, 3), region.rank);
  if (first < 0 || second < 0 || first == second) return kNoDimension;
  const auto a = static_cast<size_t>(first);
  const auto b = static_cast<size_t>(second);
  constexpr int64_t kMost = int64_t{1} << 32;
  const int64_t offset = std::clamp(IntAt(call, 1), -kMost, kMost);
  const int64_t below = std::max<int64_t>(-offset, 0);
  const int64_t right = std::max<int64_t>(offset, 0);
  const int64_t length =
      std::max<int64_t>(std::min(region.sizes[a] - below, region.sizes[b] - right), 0);
  const int64_t stride = region.strides[a] + region.strides[b];
  if (length > 0) region.data += below * region.strides[a] + right * region.strides[b];
  Select(region, std::max(a, b), 0);
  Select(region, std::min(a, b), 0);
  region.sizes[region.rank] = length;
  region.strides[region.rank++] = stride;
  return nullptr;
}

// Windows along a dimension; their elements are a new last one.
KernelStatus Unfold(const KernelCall& call, Region& region) {
  if (region.rank == kMaxRank) return kTooManyDimensions;
  const int64_t dim = DimensionOf(IntAt(call, 1), std::max<size_t>(region.rank, 1));
  const int64_t size = IntAt(call, 2);
  const int64_t step = IntAt(call, 3);
  const bool lone = region.rank == 0;
  if (dim < 0) return kNoDimension;
  const auto d = static_cast<size_t>(dim);
  const int64_t whole = lone ? 1 : region.sizes[d];
  if (size < 0 || size > whole || step <= 0) return "size or step is out of range";
  const int64_t stride = lone ? 0 : region.strides[d];
  const int64_t windows = (whole - size) / step + 1;
  if (!lone) {
    region.sizes[d] = windows;
    region.strides[d] = windows > 1 ? step * stride : 0;
  }
  region.sizes[region.rank] = size;
  region.strides[region.rank++] = stride;
  return nullptr;
}

// Elements of self, counted in row-major order, at strides that the call gives.
KernelStatus Strided(const KernelCall& call, Region& region) {
  const auto sizes = call.args[1]->items;
  const auto strides = call.args[2]->items;
  const int64_t offset = IsNone(call, 3) ? 0 : IntAt(call, 3);
  if (sizes.size() > kMaxRank) return kTooManyDimensions;
  if (sizes.size() != strides.size()) return "there are not as many strides as sizes";
  if (!IsRowMajor(TensorAt(call, 0))) return "self is not in row-major order";
  if (offset < 0) return "the storage offset is negative";
  const int64_t elements = ElementCount(TensorAt(call, 0));
  const auto width = static_cast<int64_t>(ElementSize(region.dtype));
  region.rank = sizes.size();
  bool empty = false;
  int64_t last = offset;  // element that is read
  for (size_t d = 0; d < region.rank; ++d) {
    const int64_t size = sizes[d]->integer;
    const int64_t stride = strides[d]->integer;
    if (size < 0) return "a size is negative";
    if (stride < 0) return "a stride is negative";
    empty = empty || size == 0;
    int64_t reach = 0;
    if (__builtin_mul_overflow(std::max<int64_t>(size - 1, 0), stride, &reach) ||
        __builtin_add_overflow(last, reach, &last)) {
      last = elements;
    }
    region.sizes[d] = size;
    region.strides[d] = size > 1 && stride < elements ? stride * width : 0;
  }
  if (empty) return nullptr;
  if (last >= elements) return "the part lies outside of self";
  region.data += offset * width;
  return nullptr;
}

// The parts of complex numbers, which are a new last dimension.
KernelStatus AsReal(const KernelCall&, Region& region) {
  if (!IsComplexType(region.dtype)) return "self is not complex";
  if (region.rank == kMaxRank) return kTooManyDimensions;
  const ScalarType part = region.dtype == ScalarType::kComplex128  ? ScalarType::kFloat64
                          : region.dtype == ScalarType::kComplex64 ? ScalarType::kFloat32
                                                                   : ScalarType::kFloat16;
  region.dtype = part;
  region.sizes[region.rank] = 2;
  region.strides[region.rank++] = ElementSize(part);
  return nullptr;
}

// Square tiles of an image [channels, height, width], row by row.
KernelStatus TileCrop(const KernelCall& call, Region& region) {
  const int64_t side = IntAt(call, 1);
  if (region.rank != 3) return "the input is not [channels, height, width]";
  if (side < 1) return "the tile size is out of range";
  if (region.sizes[1] % side != 0 || region.sizes[2] % side != 0) {
    return "a side of the image is not a multiple of the tile size";
  }
  SplitDimension(region, 2, side);
  SplitDimension(region, 1, side);
  // [channel, tile row, row, tile column, column].
  MoveDimension(region, 0, 1);
  MoveDimension(region, 3, 1);
  return nullptr;
}

// [tile row, tile column, ...] of the region are one dimension of the result.
KernelStatus SizesOfTiles(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  if (const KernelStatus status = TileCrop(call, region)) return status;
  const std::array<int64_t, 4> sizes = {region.sizes[0] * region.sizes[1], region.sizes[2],
                                        region.sizes[3], region.sizes[4]};
  return Resize(OutOf(call), sizes);
}

// Self's sizes but for [channels, height, width] at the end.
KernelStatus ResizeImage(const KernelCall& call, int64_t channels, int64_t height, int64_t width) {
  Region sizes = WholeOf(TensorAt(call, 0));
  sizes.sizes[sizes.rank - 3] = channels;
  sizes.sizes[sizes.rank - 2] = height;
  sizes.sizes[sizes.rank - 1] = width;
  return ResizeTo(OutOf(call), sizes);
}

KernelStatus SizesOfShuffle(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t by = IntAt(call, 1);
  const size_t rank = self.rank();
  if (rank < 3 || rank + 2 > kMaxRank) return "self has too few or too many dimensions";
  if (by < 1 || by >= 1 << 15 || self.sizes[rank - 3] % (by * by) != 0) {
    return "the channels do not divide by the factor";
  }
  return ResizeImage(call, self.sizes[rank - 3] / (by * by), self.sizes[rank - 2] * by,
                     self.sizes[rank - 1] * by);
}

// The channels as [c, rows, columns] before the image's height and width: the rows come behind the
// height, the columns behind the width.
KernelStatus PixelShuffle(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  const int64_t by = IntAt(call, 1);
  const size_t c = region.rank - 3;
  SplitDimension(region, c, by);
  SplitDimension(region, c, by);
  MoveDimension(region, c + 3, c + 1);
  MoveDimension(region, c + 3, c + 4);
  CopyRegion(region, WholeOf(OutOf(call)));
  return nullptr;
}

KernelStatus SizesOfUnshuffle(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const int64_t by = IntAt(call, 1);
  const size_t rank = self.rank();
  if (rank < 3 || rank + 2 > kMaxRank) return "self has too few or too many dimensions";
  if (by < 1 || by >= 1 << 15 || self.sizes[rank - 2] % by != 0 || self.sizes[rank - 1] % by != 0) {
    return "the image does not divide by the factor";
  }
  return ResizeImage(call, self.sizes[rank - 3] * by * by, self.sizes[rank - 2] / by,
                     self.sizes[rank - 1] / by);
}

KernelStatus PixelUnshuffle(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  const int64_t by = IntAt(call, 1);
  const size_t c = region.rank - 3;
  SplitDimension(region, c + 2, by);
  SplitDimension(region, c + 1, by);
  MoveDimension(region, c + 2, c + 1);
  MoveDimension(region, c + 4, c + 2);
  CopyRegion(region, WholeOf(OutOf(call)));
  return nullptr;
}

constexpr Kernel kViewKernels[] = {
    {"aten::narrow_copy.out", SizesOfView<NarrowOne>, CopyView<NarrowOne>},
    {"aten::diagonal_copy.out", SizesOfView<Diagonal>, CopyView<Diagonal>},
    {"aten::unfold_copy.out", SizesOfView<Unfold>, CopyView<Unfold>},
    {"aten::as_strided_copy.out", SizesOfView<Strided>, CopyView<Strided>},
    {"aten::view_as_real_copy.out", SizesOfView<AsReal>, CopyView<AsReal>},
    {"preprocess::tile_crop.out", SizesOfTiles, CopyView<TileCrop>},
    {"aten::pixel_shuffle.out", SizesOfShuffle, PixelShuffle},
    {"aten::pixel_unshuffle.out", SizesOfUnshuffle, PixelUnshuffle},
};

}  // namespace

std::span<const Kernel> ViewKernels() {
  return kViewKernels;
}

}  // namespace pteproof::kernels
