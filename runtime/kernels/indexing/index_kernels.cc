// Indexing with tensors: integers that name places in a dimension, and masks; None for a dimension
// that is kept whole.
#include <algorithm>
#include <array>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/scratch.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/base/walk.h"
#include "runtime/kernels/indexing/index.h"

namespace pteproof::kernels {
namespace {

constexpr size_t kMostColumns = 8;

// Places in one dimension of self.
struct Column {
  size_t dim = 0;
  Region index;              // as tensors have it, or of a mask
  LentNumbers<int64_t> own;  // of a mask
  CheckedPlaces places;      // for each place of the common sizes
};

// How the indices lie on self.
struct Indexing {
  CheckedArray<Column, kMostColumns> columns;
  size_t count = 0;
  uint32_t indexed = 0;  // a bit for each dimension
  size_t front = 0;      // so many dimensions of self come before those of the indices
  Region common;         // the sizes that the columns are spread to
};

bool IsMaskType(ScalarType type) {
  return type == ScalarType::kBool || type == ScalarType::kUInt8;
}

int64_t CountTrue(const TensorRef& mask) {
  int64_t count = 0;
  ForEachPlace(Walked<1>({WholeOf(mask)}), [&](const auto& at) { count += IsTrue(at[0]) ? 1 : 0; });
  return count;
}

// Next to each other, the indexed dimensions are replaced where they are; else the indices' own
// come first.
size_t FrontOf(uint32_t indexed, size_t rank) {
  size_t first = 0;
  while (first < rank && (indexed >> first & 1) == 0) ++first;
  size_t end = first;
  while (end < rank && (indexed >> end & 1) != 0) ++end;
  return (indexed >> end) != 0 ? 0 : first;
}

KernelStatus SpreadCommon(Indexing& indexing, const Region& places) {
  Region& common = indexing.common;
  const size_t rank = std::max(common.rank, places.rank);
  SizeArray sizes = {};
  for (size_t back = 1; back <= rank; ++back) {
    const int64_t left = back <= common.rank ? common.sizes[common.rank - back] : 1;
    const int64_t right = back <= places.rank ? places.sizes[places.rank - back] : 1;
    if (left != right && left != 1 && right != 1) return "the indices' sizes do not match";
    sizes[rank - back] = left == 1 ? right : left;
  }
  common.rank = rank;
  common.sizes = sizes;
  return nullptr;
}

// One column for each dimension of a mask. Their places have no memory yet.
KernelStatus AddColumns(const TensorRef& index, const TensorRef& self, size_t dim,
                        Indexing& indexing) {
  const bool mask = IsMaskType(index.dtype);
  const size_t covered = mask ? index.rank() : 1;
  if (!mask && !IsIndexType(index.dtype)) return "an index is neither int32, int64 nor a mask";
  if (covered == 0) return "a mask has no dimension";
  if (dim + covered > self.rank()) return "there are too many indices";
  if (covered > self.rank() - std::min(dim, self.rank())) return "there are too many indices";
  if (indexing.count + covered > kMostColumns) return "more than eight dimensions are indexed";
  Region places = WholeOf(index);
  if (mask) {
    places = {ScalarType::kInt64, {}, 1, {{CountTrue(index)}}, {{sizeof(int64_t)}}};
  }
  for (size_t d = 0; d < covered; ++d) {
    if (mask && index.sizes[d] != self.sizes[dim + d]) return "a mask has other sizes than self";
    indexing.columns[indexing.count++] = {dim + d, places, {}, {}};
    indexing.indexed |= 1U << (dim + d);
  }
  return SpreadCommon(indexing, places);
}

KernelStatus IndexingOf(const KernelCall& call, Indexing& indexing) {
  const TensorRef& self = TensorAt(call, 0);
  const RunValue& list = *call.args[1];
  size_t dim = 0;
  for (size_t i = 0; i < list.items.size(); ++i) {
    const TensorRef* index = ItemAt(list, i);
    if (index == nullptr) {
      ++dim;
      continue;
    }
    const KernelStatus status = AddColumns(*index, self, dim, indexing);
    if (status != nullptr) return status;
    dim += IsMaskType(index->dtype) ? index->rank() : 1;
  }
  if (dim > self.rank()) return "there are too many indices";
  indexing.front = FrontOf(indexing.indexed, self.rank());
  return nullptr;
}

// Lists the coordinates of a mask's true elements.
KernelStatus ListTrue(const KernelCall& call, const TensorRef& mask, std::span<Column> columns) {
  for (Column& column : columns) {
    column.own = RoomFor<int64_t>(column.index.sizes[0], *call.scratch);
    if (!column.own.given()) return kNoMemory;
  }
  std::array<int64_t, kMaxRank> index = {};
  int64_t next = 0;
  const Region whole = WholeOf(mask);
  ForEachPlace(Walked<1>({whole}), [&](const auto& at) {
    if (IsTrue(at[0])) {
      for (size_t d = 0; d < columns.size(); ++d) columns[d].own[next] = index[d];
      ++next;
    }
    for (size_t d = whole.rank; d-- > 0;) {
      if (++index[d] < whole.sizes[d]) break;
      index[d] = 0;
    }
  });
  return nullptr;
}

KernelStatus ListAllPlaces(const KernelCall& call, Indexing& indexing) {
  const RunValue& list = *call.args[1];
  size_t next = 0;
  for (size_t i = 0; i < list.items.size(); ++i) {
    const TensorRef* index = ItemAt(list, i);
    if (index == nullptr) continue;
    const bool mask = IsMaskType(index->dtype);
    const size_t covered = mask ? index->rank() : 1;
    if (mask) {
      const auto columns = std::span(indexing.columns).subspan(next, covered);
      const KernelStatus status = ListTrue(call, *index, columns);
      if (status != nullptr) return status;
    }
    next += covered;
  }
  const TensorRef& self = TensorAt(call, 0);
  for (Column& column : std::span(indexing.columns).first(indexing.count)) {
    const std::span<const int64_t> own(column.own.begin(), column.own.end());
    const MemoryExtent listed(std::as_bytes(own), &call.scratch->work());
    if (column.own.given()) column.index.data = CheckedPointer(listed);
    if (!Spread(column.index, indexing.common)) return "the indices' sizes do not match";
    const KernelStatus status =
        ReadPlaces(call, column.index, self.sizes[column.dim], true, column.places);
    column.index.data = {};
    if (status != nullptr) return status;
  }
  return nullptr;
}

// The sizes of what is selected.
KernelStatus SelectedSizes(const Region& self, const Indexing& indexing, Region& selected) {
  selected = {self.dtype, {}, 0, {}, {}};
  for (size_t d = 0; d <= self.rank; ++d) {
    if (selected.rank + indexing.common.rank + 1 > kMaxRank) return kTooManyDimensions;
    for (size_t c = 0; d == indexing.front && c < indexing.common.rank; ++c) {
      selected.sizes[selected.rank++] = indexing.common.sizes[c];
    }
    const bool kept = d < self.rank && (indexing.indexed >> d & 1) == 0;
    if (kept) selected.sizes[selected.rank++] = self.sizes[d];
  }
  return nullptr;
}

// Calls each(kept part of self, part of what is selected) for every place that the indices name.
// `self` and `selected` as regions; the parts are of equal sizes.
template <class Each>
void ForEachSelected(const Indexing& indexing, const Region& self, const Region& selected,
                     const Each& each) {
  const auto columns = std::span(indexing.columns).first(indexing.count);
  Together<1> walk;
  walk.data[0] = selected.data;
  for (size_t c = 0; c < indexing.common.rank; ++c) {
    walk.Add(indexing.common.sizes[c], {selected.strides[indexing.front + c]});
  }
  Region from = {self.dtype, {}, 0, {}, {}};
  Region to = {selected.dtype, {}, 0, {}, {}};
  for (size_t d = 0; d < self.rank; ++d) {
    if ((indexing.indexed >> d & 1) != 0) continue;
    const size_t at = from.rank < indexing.front ? from.rank : from.rank + indexing.common.rank;
    from.sizes[from.rank] = to.sizes[from.rank] = self.sizes[d];
    from.strides[from.rank] = self.strides[d];
    to.strides[from.rank++] = selected.strides[at];
  }
  to.rank = from.rank;
  int64_t i = 0;
  ForEachPlace(walk, [&](const auto& at) {
    from.data = self.data;
    for (const Column& column : columns) {
      from.data += column.places[i] * self.strides[column.dim];
    }
    ++i;
    to.data = at[0];
    each(from, to);
  });
}

KernelStatus SizesOfIndex(const KernelCall& call) {
  Indexing indexing;
  Region selected;
  KernelStatus status = IndexingOf(call, indexing);
  if (status == nullptr) status = SelectedSizes(WholeOf(TensorAt(call, 0)), indexing, selected);
  return status != nullptr ? status : ResizeTo(OutOf(call), selected);
}

KernelStatus Index(const KernelCall& call) {
  Indexing indexing;
  KernelStatus status = IndexingOf(call, indexing);
  if (status == nullptr) status = ListAllPlaces(call, indexing);
  Region selected;
  const Region self = WholeOf(TensorAt(call, 0));
  if (status == nullptr) status = SelectedSizes(self, indexing, selected);
  if (status != nullptr) return status;
  const Region out = WholeOf(OutOf(call));
  if (!std::ranges::equal(std::span(out.sizes).first(out.rank),
                          std::span(selected.sizes).first(selected.rank))) {
    return "a mask selects another number of elements than the result has";
  }
  ForEachSelected(indexing, self, out,
                  [](const Region& from, const Region& to) { CopyRegion(from, to); });
  return nullptr;
}

// Puts values to the places of self, or of a copy of it.
KernelStatus PutTo(const KernelCall& call, const Region& target, bool copies) {
  Indexing indexing;
  Region selected;
  KernelStatus status = IndexingOf(call, indexing);
  if (status == nullptr) status = ListAllPlaces(call, indexing);
  if (status == nullptr) status = SelectedSizes(target, indexing, selected);
  if (status != nullptr) return status;
  Region values = WholeOf(TensorAt(call, 2));
  if (!Spread(values, selected)) return "the values do not fit the selected elements";
  if (copies) CopyRegion(WholeOf(TensorAt(call, 0)), target);
  const bool accumulates = IntAt(call, 3) != 0;
  ForEachSelected(indexing, target, values, [&](const Region& to, const Region& from) {
    if (!accumulates) return CopyRegion(from, to);
    ForEachPlace(Walked<2>({from, to}),
                 [&](const auto& at) { AddElement(from.dtype, at[0], to.dtype, at[1]); });
  });
  return nullptr;
}

KernelStatus IndexPut(const KernelCall& call) {
  return PutTo(call, WholeOf(OutOf(call)), true);
}

KernelStatus IndexPutInPlace(const KernelCall& call) {
  return PutTo(call, WholeOf(TensorAt(call, 0)), false);
}

constexpr Kernel kIndexKernels[] = {
    {"aten::index.Tensor_out", SizesOfIndex, Index, true},
    {"aten::index_put.out", AsFirst, IndexPut},
    {"aten::index_put_", nullptr, IndexPutInPlace},
};

}  // namespace

std::span<const Kernel> IndexKernels() {
  return kIndexKernels;
}

}  // namespace pteproof::kernels
