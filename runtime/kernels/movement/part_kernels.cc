// Slices of a dimension, read and written, and tensors joined along one or taken apart.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"

namespace pteproof::kernels {
namespace {

// The dimension that argument a names; a tensor without dimensions has none.
std::optional<size_t> DimensionAt(const KernelCall& call, size_t a, size_t rank) {
  const int64_t dim = DimensionOf(IntAt(call, a), rank);
  return dim < 0 ? std::nullopt : std::optional(static_cast<size_t>(dim));
}

int64_t Bound(const KernelCall& call, size_t a, int64_t size, int64_t otherwise) {
  if (IsNone(call, a)) return otherwise;
  const int64_t at = IntAt(call, a);
  return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
}

int64_t Modulo(int64_t number, int64_t count) {
  return (number % count + count) % count;
}

// start:end:step of a dimension; those four stand in arguments from `first` on.
KernelStatus Slice(const KernelCall& call, size_t first, Region& region) {
  const auto dim = DimensionAt(call, first, region.rank);
  if (!dim) return kNoDimension;
  const int64_t size = region.sizes[*dim];
  const int64_t step = IntAt(call, first + 3);
  if (step < 1) return "the step is not positive";
  const int64_t start = Bound(call, first + 1, size, 0);
  const int64_t end = Bound(call, first + 2, size, size);
  Narrow(region, *dim, start, end > start ? (end - start - 1) / step + 1 : 0, step);
  return nullptr;
}

// The same where the slice is to be as long as src, and start is any number: moved to where that
// many coordinates are.
KernelStatus SliceForSource(const KernelCall& call, size_t first, Region& region) {
  const auto dim = DimensionAt(call, first, region.rank);
  if (!dim || *dim >= TensorAt(call, 1).rank()) return kNoDimension;
  const int64_t length = TensorAt(call, 1).sizes[*dim];
  const int64_t step = IntAt(call, first + 3);
  const int64_t size = region.sizes[*dim];
  Region asked = region;
  const KernelStatus status = Slice(call, first, asked);
  const bool fits = status == nullptr && asked.sizes[*dim] == length;
  const bool can_move = length == 1 || (length > 1 && step <= (size - 1) / (length - 1));
  if (fits || !call.wraps_indices || !can_move || step < 1 || size < 1) {
    region = asked;
    return status;
  }
  const int64_t reach = (length - 1) * step + 1;
  const int64_t start =
      IsNone(call, first + 1) ? 0 : Modulo(IntAt(call, first + 1), size - reach + 1);
  Narrow(region, *dim, start, length, step);
  return nullptr;
}

// One coordinate of a dimension; dimension and index stand in arguments from `first` on.
KernelStatus SelectOne(const KernelCall& call, size_t first, Region& region) {
  const auto dim = DimensionAt(call, first, region.rank);
  if (!dim) return kNoDimension;
  const int64_t size = region.sizes[*dim];
  int64_t index = DimensionOf(IntAt(call, first + 1), static_cast<size_t>(size));
  if (index < 0 && call.wraps_indices && size > 0) index = Modulo(IntAt(call, first + 1), size);
  if (index < 0) return "the index is out of range";
  Select(region, *dim, index);
  return nullptr;
}

using Take = KernelStatus (*)(const KernelCall&, size_t, Region&);

template <Take take>
KernelStatus SizesOfPart(const KernelCall& call) {
  Region part = WholeOf(TensorAt(call, 0));
  const KernelStatus status = take(call, 1, part);
  return status != nullptr ? status : ResizeTo(OutOf(call), part);
}

template <Take take>
KernelStatus ReadPart(const KernelCall& call) {
  Region part = WholeOf(TensorAt(call, 0));
  const KernelStatus status = take(call, 1, part);
  if (status != nullptr) return status;
  CopyRegion(part, WholeOf(OutOf(call)));
  return nullptr;
}

// Self, with a part replaced by src.
template <Take take>
KernelStatus WritePart(const KernelCall& call) {
  const Region out = WholeOf(OutOf(call));
  Region part = out;
  const KernelStatus status = take(call, 2, part);
  if (status != nullptr) return status;
  const Region src = WholeOf(TensorAt(call, 1));
  if (!std::ranges::equal(std::span(src.sizes).first(src.rank),
                          std::span(part.sizes).first(part.rank))) {
    return "src has other sizes than the slice";
  }
  CopyRegion(WholeOf(TensorAt(call, 0)), out);
  CopyRegion(src, part);
  return nullptr;
}

// --- Together.

// An empty tensor of one dimension joins with anything.
bool IsSkipped(const TensorRef& tensor) {
  return tensor.rank() == 1 && tensor.sizes[0] == 0;
}

const TensorRef* FirstJoined(const RunValue& list) {
  const TensorRef* first = nullptr;
  for (size_t i = 0; i < list.items.size(); ++i) {
    const TensorRef* tensor = ItemAt(list, i);
    if (tensor == nullptr) return nullptr;
    if (first == nullptr || IsSkipped(*first)) first = tensor;
  }
  return first;
}

KernelStatus SizesOfCat(const KernelCall& call) {
  const RunValue& list = *call.args[0];
  const TensorRef* first = FirstJoined(list);
  if (first == nullptr) return "a tensor is missing";
  const auto dim = DimensionAt(call, 1, first->rank());
  if (!dim) return kNoDimension;
  Region sum = WholeOf(*first);
  sum.sizes[*dim] = 0;
  for (size_t i = 0; i < list.items.size(); ++i) {
    const TensorRef& tensor = *ItemAt(list, i);
    if (IsSkipped(tensor)) continue;
    if (tensor.rank() != sum.rank) return "the tensors differ in their number of dimensions";
    for (size_t d = 0; d < sum.rank; ++d) {
      if (d != *dim && tensor.sizes[d] != sum.sizes[d]) {
        return "the tensors differ in another dimension than the joined one";
      }
    }
    sum.sizes[*dim] += tensor.sizes[*dim];
  }
  return ResizeTo(OutOf(call), sum);
}

KernelStatus Cat(const KernelCall& call) {
  const Region out = WholeOf(OutOf(call));
  const auto dim = DimensionAt(call, 1, out.rank);
  if (!dim) return kNoDimension;
  int64_t start = 0;
  const RunValue& list = *call.args[0];
  for (size_t i = 0; i < list.items.size(); ++i) {
    const TensorRef& tensor = *ItemAt(list, i);
    if (IsSkipped(tensor)) continue;
    Region part = out;
    Narrow(part, *dim, start, tensor.sizes[*dim]);
    start += tensor.sizes[*dim];
    CopyRegion(WholeOf(tensor), part);
  }
  return nullptr;
}

KernelStatus SizesOfStack(const KernelCall& call) {
  const RunValue& list = *call.args[0];
  const TensorRef* first = list.items.empty() ? nullptr : ItemAt(list, 0);
  if (first == nullptr) return "there is no tensor";
  const auto dim = DimensionAt(call, 1, first->rank() + 1);
  if (!dim || first->rank() == kMaxRank) return kNoDimension;
  for (size_t i = 0; i < list.items.size(); ++i) {
    const TensorRef* tensor = ItemAt(list, i);
    if (tensor == nullptr || !std::ranges::equal(tensor->sizes, first->sizes)) {
      return "the tensors differ in their sizes";
    }
  }
  Region stacked = {first->dtype, {}, first->rank() + 1, {}, {}};
  for (size_t d = 0; d < first->rank(); ++d) {
    stacked.sizes[d < *dim ? d : d + 1] = first->sizes[d];
  }
  stacked.sizes[*dim] = static_cast<int64_t>(list.items.size());
  return ResizeTo(OutOf(call), stacked);
}

KernelStatus Stack(const KernelCall& call) {
  const Region out = WholeOf(OutOf(call));
  const auto dim = DimensionAt(call, 1, out.rank);
  if (!dim) return kNoDimension;
  const RunValue& list = *call.args[0];
  for (size_t i = 0; i < list.items.size(); ++i) {
    Region part = out;
    Select(part, *dim, static_cast<int64_t>(i));
    CopyRegion(WholeOf(*ItemAt(list, i)), part);
  }
  return nullptr;
}

// --- Apart.

// Calls each(part of self, k-th result) for parts that lie one behind the other; size_of(k) is how
// many coordinates they have.
template <class SizeOf, class Each>
KernelStatus Split(const KernelCall& call, const SizeOf& size_of, const Each& each) {
  const Region self = WholeOf(TensorAt(call, 0));
  const auto dim = DimensionAt(call, 2, self.rank);
  if (!dim) return kNoDimension;
  const RunValue& outs = *call.args.back();
  int64_t start = 0;
  for (size_t k = 0; k < outs.items.size(); ++k) {
    const int64_t size = size_of(k, self.sizes[*dim] - start);
    if (size < 0 || size > self.sizes[*dim] - start) return "the parts do not fit the dimension";
    Region part = self;
    Narrow(part, *dim, start, size);
    start += size;
    const KernelStatus status = each(part, *ItemAt(outs, k));
    if (status != nullptr) return status;
  }
  return start == self.sizes[*dim] ? nullptr : "the parts do not fit the dimension";
}

KernelStatus CopyPart(const Region& part, TensorRef& out) {
  CopyRegion(part, WholeOf(out));
  return nullptr;
}
KernelStatus SizePart(const Region& part, TensorRef& out) {
  return ResizeTo(out, part);
}

template <KernelStatus (*each)(const Region&, TensorRef&)>
KernelStatus SplitEvenly(const KernelCall& call) {
  const int64_t piece = IntAt(call, 1);
  return Split(call, [&](size_t, int64_t left) { return std::min(piece, left); }, each);
}

template <KernelStatus (*each)(const Region&, TensorRef&)>
KernelStatus SplitWithSizes(const KernelCall& call) {
  const auto sizes = call.args[1]->items;
  if (sizes.size() != call.args.back()->items.size()) return "there are more parts than results";
  return Split(call, [&](size_t k, int64_t) { return sizes[k]->integer; }, each);
}

template <KernelStatus (*each)(const Region&, TensorRef&)>
KernelStatus Unbind(const KernelCall& call) {
  const Region self = WholeOf(TensorAt(call, 0));
  const auto dim = DimensionAt(call, 1, self.rank);
  const RunValue& outs = *call.args.back();
  if (!dim) return kNoDimension;
  if (self.sizes[*dim] != static_cast<int64_t>(outs.items.size())) {
    return "the number of results differs from the number of coordinates";
  }
  for (size_t k = 0; k < outs.items.size(); ++k) {
    Region part = self;
    Select(part, *dim, static_cast<int64_t>(k));
    const KernelStatus status = each(part, *ItemAt(outs, k));
    if (status != nullptr) return status;
  }
  return nullptr;
}

constexpr Kernel kPartKernels[] = {
    {"aten::slice_copy.Tensor_out", SizesOfPart<Slice>, ReadPart<Slice>},
    {"aten::select_copy.int_out", SizesOfPart<SelectOne>, ReadPart<SelectOne>},
    {"aten::slice_scatter.out", AsFirst, WritePart<SliceForSource>},
    {"aten::select_scatter.out", AsFirst, WritePart<SelectOne>},
    {"aten::cat.out", SizesOfCat, Cat},
    {"aten::stack.out", SizesOfStack, Stack},
    {"aten::split_copy.Tensor_out", SplitEvenly<SizePart>, SplitEvenly<CopyPart>},
    {"aten::split_with_sizes_copy.out", SplitWithSizes<SizePart>, SplitWithSizes<CopyPart>},
    {"aten::unbind_copy.int_out", Unbind<SizePart>, Unbind<CopyPart>},
};

}  // namespace

std::span<const Kernel> PartKernels() {
  return kPartKernels;
}

}  // namespace pteproof::kernels
