// Elements in another order, and elements several times: what strides describe.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

KernelStatus CopyTo(const KernelCall& call, const Region& region) {
  CopyRegion(region, WholeOf(OutOf(call)));
  return nullptr;
}

// Both of a kernel's functions: `make` turns the operand into the result's elements.
template <KernelStatus (*make)(const KernelCall&, Region&)>
KernelStatus SizesFrom(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  const KernelStatus status = make(call, region);
  return status != nullptr ? status : ResizeTo(OutOf(call), region);
}
template <KernelStatus (*make)(const KernelCall&, Region&)>
KernelStatus ElementsFrom(const KernelCall& call) {
  Region region = WholeOf(TensorAt(call, 0));
  const KernelStatus status = make(call, region);
  return status != nullptr ? status : CopyTo(call, region);
}

KernelStatus Permuted(const KernelCall& call, Region& region) {
  const auto dims = call.args[1]->items;
  if (dims.size() != region.rank) return kNoDimension;
  const Region whole = region;
  uint32_t seen = 0;
  for (size_t d = 0; d < dims.size(); ++d) {
    const int64_t from = DimensionOf(dims[d]->integer, region.rank);
    if (from < 0 || (seen >> from & 1) != 0) return kNoDimension;
    seen |= 1U << from;
    region.sizes[d] = whole.sizes[static_cast<size_t>(from)];
    region.strides[d] = whole.strides[static_cast<size_t>(from)];
  }
  return nullptr;
}

void Swap(Region& region, size_t a, size_t b) {
  std::swap(region.sizes[a], region.sizes[b]);
  std::swap(region.strides[a], region.strides[b]);
}

KernelStatus Transposed(const KernelCall& call, Region& region) {
  if (region.rank == 0) return nullptr;
  const int64_t a = DimensionOf(IntAt(call, 1), region.rank);
  const int64_t b = DimensionOf(IntAt(call, 2), region.rank);
  if (a < 0 || b < 0) return kNoDimension;
  Swap(region, static_cast<size_t>(a), static_cast<size_t>(b));
  return nullptr;
}

KernelStatus MatrixTransposed(const KernelCall&, Region& region) {
  if (region.rank > 2) return "self has more than two dimensions";
  if (region.rank == 2) Swap(region, 0, 1);
  return nullptr;
}

// Each size, counted from the back, is 1 or the one asked for; -1 keeps it.
KernelStatus Expanded(const KernelCall& call, Region& region) {
  const auto asked = call.args[1]->items;
  if (asked.size() < region.rank || asked.size() > kMaxRank) {
    return "self has more dimensions than the given sizes";
  }
  const Region whole = region;
  const size_t extra = asked.size() - region.rank;
  for (size_t d = 0; d < asked.size(); ++d) {
    const bool there = d >= extra;
    int64_t size = asked[d]->integer;
    if (size == -1 && there) size = whole.sizes[d - extra];
    if (size < 0) return "a size is negative";
    const bool kept = there && whole.sizes[d - extra] == size;
    if (there && !kept && whole.sizes[d - extra] != 1) return "a size of self is not 1";
    region.sizes[d] = size;
    region.strides[d] = kept ? whole.strides[d - extra] : 0;
  }
  region.rank = asked.size();
  return nullptr;
}

template <KernelStatus (*make)(const KernelCall&, Region&)>
constexpr Kernel Made(std::string_view name) {
  return {name, SizesFrom<make>, ElementsFrom<make>};
}

constexpr Kernel kLayoutKernels[] = {
    Made<Permuted>("aten::permute_copy.out"),
    Made<Transposed>("aten::transpose_copy.int_out"),
    Made<MatrixTransposed>("aten::t_copy.out"),
    Made<Expanded>("aten::expand_copy.out"),
};

}  // namespace

std::span<const Kernel> LayoutKernels() {
  return kLayoutKernels;
}

}  // namespace pteproof::kernels
