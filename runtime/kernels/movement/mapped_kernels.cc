// Operators whose results take each coordinate, dimension by dimension, from one of the operand:
// padding by what is there, and rolls. And the lower triangle.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {
namespace {

// Calls each(at, index) for every element of a region, in row-major order.
template <class Each>
void ForEachCoordinate(const Region& region, const Each& each) {
  std::array<int64_t, kMaxRank> index = {};
  ForEachPlace(Walked<1>({region}), [&](const auto& at) {
    each(at[0], index);
    for (size_t d = region.rank; d-- > 0;) {
      if (++index[d] < region.sizes[d]) break;
      index[d] = 0;
    }
  });
}

// Element (j0, j1, ...) of the result is (map(0, j0), map(1, j1), ...) of self, of the same rank.
template <class Map>
KernelStatus CopyMapped(const KernelCall& call, const Map& map) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  if (ElementCount(OutOf(call)) == 0) return nullptr;
  for (size_t d = 0; d < out.rank; ++d) {
    for (int64_t j = 0; j < out.sizes[d]; ++j) {
      const int64_t at = map(d, j);
      if (at < 0 || at >= self.sizes[d]) return "an element would come from outside of self";
    }
  }
  ForEachCoordinate(out, [&](CheckedPointer to, const auto& index) {
    CheckedPointer from = self.data;
    for (size_t d = 0; d < out.rank; ++d) from += map(d, index[d]) * self.strides[d];
    CopyConverted(self.dtype, from, out.dtype, to);
  });
  return nullptr;
}

// --- The list has before and after, of the last dimension first.

int64_t ListedPadding(const KernelCall& call, size_t d, size_t rank, size_t side) {
  const auto list = call.args[1]->items;
  const size_t pair = 2 * (rank - 1 - d);
  return pair + side < list.size() ? list[pair + side]->integer : 0;
}

// The last kSpatial dimensions, with one or two before them.
template <size_t kSpatial, bool kReflects>
KernelStatus SizesOfPadded(const KernelCall& call) {
  constexpr int64_t kMost = int64_t{1} << 31;
  Region sizes = WholeOf(TensorAt(call, 0));
  if (call.args[1]->items.size() != 2 * kSpatial) return "the padding has a wrong length";
  if (sizes.rank != kSpatial + 1 && sizes.rank != kSpatial + 2) return "self has another rank";
  for (size_t d = sizes.rank - kSpatial; d < sizes.rank; ++d) {
    const int64_t size = sizes.sizes[d];
    for (size_t side = 0; side < 2; ++side) {
      const int64_t padding = ListedPadding(call, d, sizes.rank, side);
      if (padding < -kMost || padding > kMost) return "the padding is out of range";
      if (kReflects && padding >= size) return "the padding is not smaller than the dimension";
      sizes.sizes[d] += padding;
    }
  }
  return ResizeTo(OutOf(call), sizes);
}

// The outermost elements go on.
KernelStatus PadWithOutermost(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  return CopyMapped(call, [&](size_t d, int64_t j) {
    const int64_t at = j - ListedPadding(call, d, self.rank(), 0);
    return std::clamp<int64_t>(at, 0, std::max(self.sizes[d] - 1, 0));
  });
}

// The tensor goes on as its mirror image, in which the outermost elements occur once.
KernelStatus PadWithMirrored(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  return CopyMapped(call, [&](size_t d, int64_t j) {
    const int64_t at = std::abs(j - ListedPadding(call, d, self.rank(), 0));
    return at < self.sizes[d] ? at : 2 * (int64_t{self.sizes[d]} - 1) - at;
  });
}

// --- Rolls. Without dimensions the tensor rolls as if it had one.

// The coordinate that comes to `j` when those of a dimension of that size move up by `shift`.
int64_t Unshifted(int64_t j, int64_t shift, int64_t size) {
  const int64_t at = j - shift % size;
  return at < 0 ? at + size : at % size;
}

KernelStatus RollAll(const KernelCall& call, int64_t shift) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  const int64_t count = ElementCount(TensorAt(call, 0));
  int64_t i = 0;
  ForEachPlace(Walked<1>({out}), [&](const auto& at) {
    int64_t rest = Unshifted(i++, shift, count);
    CheckedPointer from = self.data;
    for (size_t d = self.rank; d-- > 0; rest /= self.sizes[d]) {
      from += rest % self.sizes[d] * self.strides[d];
    }
    CopyConverted(self.dtype, from, out.dtype, at[0]);
  });
  return nullptr;
}

KernelStatus Roll(const KernelCall& call) {
  const TensorRef& self = TensorAt(call, 0);
  const auto shifts = call.args[1]->items;
  const auto dims = call.args[2]->items;
  if (shifts.size() != std::max<size_t>(dims.size(), 1)) {
    return "the number of shifts differs from the number of dimensions";
  }
  for (const RunValue* dim : dims) {
    if (DimensionOf(dim->integer, self.rank()) < 0) return kNoDimension;
  }
  if (dims.empty()) return RollAll(call, shifts[0]->integer);
  if (ElementCount(self) == 0) return nullptr;
  // A dimension may be named several times.
  SizeArray shift = {};
  for (size_t s = 0; s < dims.size(); ++s) {
    const auto d = static_cast<size_t>(DimensionOf(dims[s]->integer, self.rank()));
    shift[d] = (shift[d] + shifts[s]->integer % self.sizes[d]) % self.sizes[d];
  }
  return CopyMapped(call,
                    [&](size_t d, int64_t j) { return Unshifted(j, shift[d], self.sizes[d]); });
}

// --- The lower triangle of the last two dimensions; zero above.

KernelStatus Tril(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const Region out = WholeOf(OutOf(call));
  const int64_t diagonal = IntAt(call, 1);
  if (self.rank < 2) return "self has less than two dimensions";
  CopyRegion(self, out);
  const size_t row = self.rank - 2;
  ForEachCoordinate(out, [&](CheckedPointer to, const auto& index) {
    if (index[row + 1] - index[row] > diagonal) StoreElement(out.dtype, to, {});
  });
  return nullptr;
}

template <size_t kSpatial>
constexpr Kernel OutermostRow(std::string_view name) {
  return {name, SizesOfPadded<kSpatial, false>, PadWithOutermost};
}
template <size_t kSpatial>
constexpr Kernel MirroredRow(std::string_view name) {
  return {name, SizesOfPadded<kSpatial, true>, PadWithMirrored};
}

constexpr Kernel kMappedKernels[] = {
    OutermostRow<1>("aten::replication_pad1d.out"),
    OutermostRow<2>("aten::replication_pad2d.out"),
    OutermostRow<3>("aten::replication_pad3d.out"),
    MirroredRow<1>("aten::reflection_pad1d.out"),
    MirroredRow<2>("aten::reflection_pad2d.out"),
    MirroredRow<3>("aten::reflection_pad3d.out"),
    {"aten::roll.out", AsFirst, Roll},
    {"aten::tril.out", AsFirst, Tril},
};

}  // namespace

std::span<const Kernel> MappedKernels() {
  return kMappedKernels;
}

}  // namespace pteproof::kernels
