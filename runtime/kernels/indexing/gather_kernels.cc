// Gathers and scatters along one dimension, and rows of a table.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/numbers.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/elementwise/elementwise.h"
#include "runtime/kernels/indexing/index.h"

namespace pteproof::kernels {
namespace {

// The dimension that argument 1 names, of argument 0; -1: none.
int64_t IndexedDimension(const KernelCall& call) {
  return DimensionOf(IntAt(call, 1), std::max<size_t>(TensorAt(call, 0).rank(), 1));
}

// Whether a region has at least those sizes, but for one dimension.
bool Covers(const Region& region, const Region& index, int64_t but) {
  if (region.rank != index.rank) return false;
  for (size_t d = 0; d < index.rank; ++d) {
    if (static_cast<int64_t>(d) != but && index.sizes[d] > region.sizes[d]) return false;
  }
  return true;
}

// Whether the index, a tensor beside it and one that it names places in fit together; the places.
KernelStatus CheckIndexed(const KernelCall& call, const Region& beside, const Region& indexed,
                          CheckedPlaces& places) {
  const Region index = WithDimension(WholeOf(TensorAt(call, 2)));
  const int64_t dim = IndexedDimension(call);
  if (dim < 0) return kNoDimension;
  if (!IsIndexType(index.dtype)) return kNoIndexType;
  if (index.rank != indexed.rank || index.rank != beside.rank) {
    return "the index has another rank than self";
  }
  if (CountIn(index) == 0) return nullptr;
  if (!Covers(indexed, index, dim)) return "the index is larger than self";
  return ReadPlaces(call, index, indexed.sizes[static_cast<size_t>(dim)], false, places);
}

// Goes over them: each(beside, place).
template <class Each>
KernelStatus ForEachIndexed(const KernelCall& call, const Region& beside, Region indexed,
                            const CheckedPlaces& places, const Each& each) {
  Region index = WithDimension(WholeOf(TensorAt(call, 2)));
  const auto dim = static_cast<size_t>(IndexedDimension(call));
  const int64_t stride = indexed.strides[dim];
  indexed.strides[dim] = 0;
  // Over the index's sizes; its bytes are not read any more.
  index.strides = {};
  int64_t i = 0;
  ForEachPlace(WalkOf(index, beside, indexed),
               [&](const auto& at) { each(at[1], at[2] + places[i++] * stride); });
  return nullptr;
}

KernelStatus SizesOfGather(const KernelCall& call) {
  return ResizeTo(OutOf(call), WholeOf(TensorAt(call, 2)));
}

KernelStatus Gather(const KernelCall& call) {
  const Region self = WithDimension(WholeOf(TensorAt(call, 0)));
  const Region out = WithDimension(WholeOf(OutOf(call)));
  CheckedPlaces places;
  if (const KernelStatus status = CheckIndexed(call, out, self, places)) return status;
  return ForEachIndexed(call, out, self, places, [&](CheckedPointer to, CheckedPointer from) {
    CopyConverted(self.dtype, from, out.dtype, to);
  });
}

// Self, or a copy of it, with elements of a source put to the places of the index.
template <class Put>
KernelStatus ScatterFrom(const KernelCall& call, const Region& source, const Put& put) {
  const Region out = WholeOf(ResultOf(call));
  const Region index = WithDimension(WholeOf(TensorAt(call, 2)));
  if (!Covers(source, index, -1)) return "the index is larger than src";
  CheckedPlaces places;
  const KernelStatus status = CheckIndexed(call, source, WithDimension(out), places);
  if (status != nullptr) return status;
  if (!call.schema.in_place) CopyRegion(WholeOf(TensorAt(call, 0)), out);
  return ForEachIndexed(
      call, source, WithDimension(out), places,
      [&](CheckedPointer from, CheckedPointer to) { put(source.dtype, from, out.dtype, to); });
}

void CopyElement(ScalarType from_type, CheckedPointer from, ScalarType to_type, CheckedPointer to) {
  CopyConverted(from_type, from, to_type, to);
}

KernelStatus Scatter(const KernelCall& call) {
  return ScatterFrom(call, WithDimension(WholeOf(TensorAt(call, 3))), CopyElement);
}

// One number for all places.
KernelStatus ScatterNumber(const KernelCall& call) {
  LoneElement element;
  const ScalarType dtype = ResultOf(call).dtype;
  StoreElement(dtype, element.bytes(), NumberOf(*call.args[3]));
  Region source = WithDimension(WholeOf(TensorAt(call, 2)));
  source.dtype = dtype;
  source.data = element.pointer();
  source.strides = {};
  return ScatterFrom(call, source, CopyElement);
}

KernelStatus ScatterAdd(const KernelCall& call) {
  return ScatterFrom(call, WithDimension(WholeOf(TensorAt(call, 3))), AddElement);
}

// The slices of self that a list of places names.
KernelStatus SizesOfSelect(const KernelCall& call) {
  Region sizes = WholeOf(TensorAt(call, 0));
  const int64_t dim = IndexedDimension(call);
  if (dim < 0) return kNoDimension;
  if (TensorAt(call, 2).rank() > 1) return "the index has more than one dimension";
  if (sizes.rank == 0 && ElementCount(TensorAt(call, 2)) != 1) return "self has a single element";
  if (sizes.rank > 0) sizes.sizes[static_cast<size_t>(dim)] = ElementCount(TensorAt(call, 2));
  return ResizeTo(OutOf(call), sizes);
}

KernelStatus IndexSelect(const KernelCall& call) {
  const Region self = WithDimension(WholeOf(TensorAt(call, 0)));
  const Region out = WithDimension(WholeOf(OutOf(call)));
  const Region index = WithDimension(WholeOf(TensorAt(call, 2)));
  const auto dim = static_cast<size_t>(IndexedDimension(call));
  if (!IsIndexType(index.dtype)) return kNoIndexType;
  CheckedPlaces places;
  if (const auto status = ReadPlaces(call, index, self.sizes[dim], false, places)) return status;
  for (int64_t i = 0; i < out.sizes[dim]; ++i) {
    Region from = self;
    Region to = out;
    Select(from, dim, places[i]);
    Select(to, dim, i);
    CopyRegion(from, to);
  }
  return nullptr;
}

// Self, or a copy of it: calls each(slice of source, slice of that) for each of the places that a
// list names.
template <class Each>
KernelStatus ForEachSlice(const KernelCall& call, const Each& each) {
  const Region self = WithDimension(WholeOf(ResultOf(call)));
  const Region source = WithDimension(WholeOf(TensorAt(call, 3)));
  const Region index = WithDimension(WholeOf(TensorAt(call, 2)));
  const int64_t dim = IndexedDimension(call);
  if (dim < 0) return kNoDimension;
  if (!IsIndexType(index.dtype)) return kNoIndexType;
  if (TensorAt(call, 2).rank() > 1) return "the index has more than one dimension";
  const auto d = static_cast<size_t>(dim);
  Region wanted = self;
  wanted.sizes[d] = index.sizes[0];
  const auto sizes = [](const Region& region) {
    return std::span(region.sizes).first(region.rank);
  };
  if (!std::ranges::equal(sizes(wanted), sizes(source))) return "source does not fit the index";
  const bool changes = ElementCount(TensorAt(call, 3)) > 0;
  CheckedPlaces places;
  const KernelStatus status =
      changes ? ReadPlaces(call, index, self.sizes[d], false, places) : nullptr;
  if (status != nullptr) return status;
  if (!call.schema.in_place) CopyRegion(WholeOf(TensorAt(call, 0)), WholeOf(ResultOf(call)));
  if (!changes) return nullptr;
  for (int64_t i = 0; i < index.sizes[0]; ++i) {
    Region from = source;
    Region to = self;
    Select(from, d, i);
    Select(to, d, places[i]);
    each(from, to);
  }
  return nullptr;
}

KernelStatus IndexCopy(const KernelCall& call) {
  return ForEachSlice(call, CopyRegion);
}

// Adds alpha times source, which is rounded to self's type before and after.
template <class T>
KernelStatus IndexAddIn(const KernelCall& call) {
  LoneElement slot;
  const ScalarType dtype = TensorAt(call, 0).dtype;
  StoreElement(dtype, slot.bytes(), NumberOf(*call.args[4]));
  const T alpha = LoadOne<T>(dtype, slot.pointer());
  return ForEachSlice(call, [&](const Region& from, const Region& to) {
    ForEachPlace(Walked<2>({from, to}), [&](const auto& at) {
      T number = LoadOne<T>(from.dtype, at[0]);
      RoundBlock(to.dtype, &number, 1);
      if constexpr (std::integral<T>)
        number = WrappedProduct(number, alpha);
      else
        number *= alpha;
      StoreElement(to.dtype, slot.bytes(), ElementOf(number));
      AddElement(to.dtype, slot.pointer(), to.dtype, at[1]);
    });
  });
}

KernelStatus IndexAdd(const KernelCall& call) {
  const ScalarType dtype = TensorAt(call, 0).dtype;
  if (IsComplexType(dtype)) return "it is not defined for complex elements";
  return IsRealType(dtype) ? IndexAddIn<double>(call) : IndexAddIn<int64_t>(call);
}

// Slices of self, or of a copy of it, where each element becomes the one at `element`.
KernelStatus FillSlices(const KernelCall& call, ScalarType dtype, CheckedPointer element) {
  const Region self = WithDimension(WholeOf(ResultOf(call)));
  const Region index = WithDimension(WholeOf(TensorAt(call, 2)));
  const int64_t dim = IndexedDimension(call);
  if (dim < 0) return kNoDimension;
  if (!IsIndexType(index.dtype)) return kNoIndexType;
  if (TensorAt(call, 2).rank() > 1) return "the index has more than one dimension";
  const auto d = static_cast<size_t>(dim);
  const int64_t size = self.sizes[d];
  Region slice = self;
  Select(slice, d, 0);
  const bool changes = std::ranges::count(std::span(slice.sizes).first(slice.rank), 0) == 0;
  CheckedPlaces places;
  const KernelStatus status = changes ? ReadPlaces(call, index, size, true, places) : nullptr;
  if (status != nullptr) return status;
  if (!call.schema.in_place) CopyRegion(WholeOf(TensorAt(call, 0)), WholeOf(ResultOf(call)));
  for (int64_t i = 0; changes && i < index.sizes[0]; ++i) {
    Region to = self;
    Select(to, d, places[i]);
    Region from = to;
    from.dtype = dtype;
    from.data = element;
    from.strides = {};
    CopyRegion(from, to);
  }
  return nullptr;
}

KernelStatus IndexFillNumber(const KernelCall& call) {
  LoneElement element;
  const ScalarType dtype = ResultOf(call).dtype;
  StoreElement(dtype, element.bytes(), NumberOf(*call.args[3]));
  return FillSlices(call, dtype, element.pointer());
}

// The value may lie in the bytes that are filled.
KernelStatus IndexFillTensor(const KernelCall& call) {
  LoneElement element;
  const TensorRef& value = TensorAt(call, 3);
  if (value.rank() != 0) return "the value has dimensions";
  const size_t size = ElementSize(value.dtype);
  std::copy_n(value.pointer().Read(size), size, element.bytes());
  return FillSlices(call, value.dtype, element.pointer());
}

KernelStatus SizesOfEmbedding(const KernelCall& call) {
  const TensorRef& weight = TensorAt(call, 0);
  Region sizes = WholeOf(TensorAt(call, 1));
  if (weight.rank() != 2) return "the table must have two dimensions";
  if (sizes.rank == kMaxRank) return kTooManyDimensions;
  sizes.sizes[sizes.rank++] = weight.sizes[1];
  return ResizeTo(OutOf(call), sizes);
}

// A row of the table for each index.
KernelStatus Embedding(const KernelCall& call) {
  const Region weight = WholeOf(TensorAt(call, 0));
  const Region indices = WholeOf(TensorAt(call, 1));
  Region out = WholeOf(OutOf(call));
  if (!IsIntegerType(indices.dtype)) return "the indices must be integers";
  CheckedPlaces places;
  const KernelStatus status = ReadPlaces(call, indices, weight.sizes[0], false, places);
  if (status != nullptr) return status;
  Region from = weight;
  Region to = out;
  Select(from, 0, 0);
  to.rank = 1;
  to.sizes[0] = weight.sizes[1];
  to.strides[0] = out.strides[out.rank - 1];
  --out.rank;
  int64_t i = 0;
  ForEachPlace(Walked<1>({out}), [&](const auto& at) {
    from.data = weight.data + places[i++] * weight.strides[0];
    to.data = at[0];
    CopyRegion(from, to);
  });
  return nullptr;
}

constexpr Kernel kGatherKernels[] = {
    {"aten::gather.out", SizesOfGather, Gather},
    {"aten::scatter.src_out", AsFirst, Scatter},
    {"aten::scatter.value_out", AsFirst, ScatterNumber},
    {"aten::scatter_add.out", AsFirst, ScatterAdd},
    {"aten::index_select.out", SizesOfSelect, IndexSelect},
    {"aten::index_copy.out", AsFirst, IndexCopy},
    {"aten::index_add.out", AsFirst, IndexAdd},
    {"aten::index_fill.int_Scalar_out", AsFirst, IndexFillNumber},
    {"aten::index_fill.int_Tensor_out", AsFirst, IndexFillTensor},
    {"aten::scatter_.src", nullptr, Scatter},
    {"aten::scatter_.value", nullptr, ScatterNumber},
    {"aten::scatter_add_", nullptr, ScatterAdd},
    {"aten::index_copy_", nullptr, IndexCopy},
    {"aten::index_add_", nullptr, IndexAdd},
    {"aten::index_fill_.int_Scalar", nullptr, IndexFillNumber},
    {"aten::index_fill_.int_Tensor", nullptr, IndexFillTensor},
    {"aten::embedding.out", SizesOfEmbedding, Embedding},
};

}  // namespace

std::span<const Kernel> GatherKernels() {
  return kGatherKernels;
}

}  // namespace pteproof::kernels
