// Tensors repeated, flipped and padded.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/elementwise/elementwise.h"

namespace pteproof::kernels {
namespace {

// --- Repeat.

KernelStatus SizesOfRepeat(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const auto repeats = call.args[1]->items;
  if (repeats.size() < self.rank()) return "a dimension of self has no repeat";
  if (repeats.size() > kMaxRank) return kTooManyDimensions;
  SizeArray sizes = {};
  const size_t extra = repeats.size() - self.rank();
  for (size_t d = 0; d < repeats.size(); ++d) {
    sizes[d] = repeats[d]->integer;
    if (sizes[d] < 0) return "a repeat is negative";
    const int64_t size = d < extra ? 1 : self.sizes[d - extra];
    if (__builtin_mul_overflow(sizes[d], size, &sizes[d])) return "a size is out of range";
  }
  return Resize(OutOf(call), std::span(sizes).first(repeats.size()));
}

// Each dimension of the result is two: how often, then what.
KernelStatus Repeat(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  const size_t extra = out.rank - self.rank;
  Region from = {self.dtype, self.data, 0, {}, {}};
  Region to = {out.dtype, out.data, 0, {}, {}};
  const auto add = [&](int64_t size, int64_t from_stride, int64_t to_stride) {
    if (size == 1) return true;
    if (from.rank == kMaxRank) return false;
    from.sizes[from.rank] = to.sizes[from.rank] = size;
    from.strides[from.rank] = from_stride;
    to.strides[from.rank++] = to_stride;
    return true;
  };
  for (size_t d = 0; d < out.rank; ++d) {
    const int64_t size = d < extra ? 1 : self.sizes[d - extra];
    const int64_t stride = d < extra ? 0 : self.strides[d - extra];
    const bool fits = add(call.args[1]->items[d]->integer, 0, size * out.strides[d]) &&
                      add(size, stride, out.strides[d]);
    if (!fits) return kTooManyDimensions;
  }
  to.rank = from.rank;
  CopyRegion(from, to);
  return nullptr;
}

// --- Flip.

KernelStatus Flip(const KernelCall& call) {
  Region from = WholeOf(TensorAt(call, 0));
  uint32_t flipped = 0;
  for (const RunValue* item : call.args[1]->items) {
    const int64_t dim = DimensionOf(item->integer, std::max<size_t>(from.rank, 1));
    if (dim < 0) return kNoDimension;
    if ((flipped >> dim & 1) != 0) return "a dimension is named twice";
    flipped |= 1U << dim;
  }
  for (size_t d = 0; d < from.rank; ++d) {
    if ((flipped >> d & 1) == 0 || from.sizes[d] == 0) continue;
    from.data += (from.sizes[d] - 1) * from.strides[d];
    from.strides[d] = -from.strides[d];
  }
  CopyRegion(from, WholeOf(OutOf(call)));
  return nullptr;
}

// --- Padding: the list has before and after, of the last dimension first; negative ones crop.

struct Padding {
  int64_t before = 0;
  int64_t after = 0;
};

Padding PaddingOf(const KernelCall& call, size_t d, size_t rank) {
  const auto list = call.args[1]->items;
  const size_t pair = 2 * (rank - 1 - d);
  if (pair + 1 >= list.size()) return {};
  return {list[pair]->integer, list[pair + 1]->integer};
}

KernelStatus SizesOfPad(const KernelCall& call) {
  constexpr int64_t kMost = int64_t{1} << 31;
  Region sizes = WholeOf(TensorAt(call, 0));
  const auto list = call.args[1]->items;
  if (list.size() % 2 != 0 || list.size() > 2 * sizes.rank) return "the padding has a wrong length";
  for (size_t d = 0; d < sizes.rank; ++d) {
    const auto [before, after] = PaddingOf(call, d, sizes.rank);
    if (before < -kMost || before > kMost || after < -kMost || after > kMost) {
      return "the padding is out of range";
    }
    sizes.sizes[d] += before + after;
  }
  return ResizeTo(OutOf(call), sizes);
}

KernelStatus PadConstant(const KernelCall& call) {
  Region from = WholeOf(TensorAt(call, 0));
  Region to = WholeOf(OutOf(call));
  LoneElement element;
  StoreElement(to.dtype, element.bytes(), NumberOf(*call.args[2]));
  Region value = to;
  value.data = element.pointer();
  value.strides = {};
  CopyRegion(value, to);
  for (size_t d = 0; d < from.rank; ++d) {
    const int64_t before = PaddingOf(call, d, from.rank).before;
    const int64_t skipped = std::max<int64_t>(-before, 0);
    const int64_t start = std::max<int64_t>(before, 0);
    const int64_t count = std::min(from.sizes[d] - skipped, to.sizes[d] - start);
    Narrow(from, d, skipped, std::max<int64_t>(count, 0));
    Narrow(to, d, start, std::max<int64_t>(count, 0));
  }
  CopyRegion(from, to);
  return nullptr;
}

constexpr Kernel kTileKernels[] = {
    {"aten::repeat.out", SizesOfRepeat, Repeat},
    {"aten::flip.out", AsFirst, Flip},
    {"aten::constant_pad_nd.out", SizesOfPad, PadConstant},
};

}  // namespace

std::span<const Kernel> TileKernels() {
  return kTileKernels;
}

}  // namespace pteproof::kernels
