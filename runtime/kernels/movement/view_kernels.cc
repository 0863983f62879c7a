// Parts and rearrangements of a tensor that strides describe.
#include <algorithm>
#include <utility>

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
    {"aten::pixel_shuffle.out", SizesOfShuffle, PixelShuffle},
    {"aten::pixel_unshuffle.out", SizesOfUnshuffle, PixelUnshuffle},
};

}  // namespace

std::span<const Kernel> ViewKernels() {
  return kViewKernels;
}

}  // namespace pteproof::kernels
