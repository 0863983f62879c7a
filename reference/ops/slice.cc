// Slices of a dimension: reading one, and writing one into a copy of the tensor.
#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "reference/ops/parts.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// A coordinate that counts from the end where negative; nothing: it is none of 0..size.
std::optional<int64_t> FromFront(int64_t at, int64_t size) {
  if (at < 0 && size >= 0) at += size;
  return at >= 0 && at <= size ? std::optional(at) : std::nullopt;
}

// A dimension that is there: a tensor without dimensions has nothing to slice.
std::optional<size_t> SlicedDimension(const TypeCall& call, size_t i) {
  const size_t rank = TensorAt(call, 0).rank();
  return rank == 0 ? std::nullopt : DimensionAt(call, i, rank);
}

// Self with `part` of dimension `dim` replaced by src.
std::string Scatter(const Call& call, const Part& part, TensorValue& result) {
  const std::string fault = CopyAll(TensorAt(call, 0), result);
  return fault.empty() ? WritePart(TensorAt(call, 1), result, part) : fault;
}

// Of a scatter: self's type, if src has the sizes of the slice.
Types ScatterType(const TypeCall& call, const Types& slice) {
  if (!slice.ok()) return slice.error();
  if (!MayBeEqual(slice.value()[0].sizes, TensorAt(call, 1).sizes)) {
    return std::string("src has other sizes than the slice");
  }
  return SameAsFirst(call);
}

// --- start:end:step, in Python's way.

// Counted from the end where negative, and held to 0..size.
SizeExpr Bound(const SizeExpr& at, const SizeExpr& size) {
  // What exporters write for "to the end".
  if (at.Is(std::numeric_limits<int64_t>::max())) return size;
  if (IsNeverNegative(at)) return IsNeverNegative(size - at) ? at : Min(at, size);
  const SizeExpr is_negative = Max(0, Min(1, 0 - at));
  return AtLeastZero(Min(at + is_negative * size, size));
}

// The operands from `first` on are start and end; None: the whole dimension.
template <class Arg>
SizeExpr StartOf(const CallOf<Arg>& call, size_t first, const SizeExpr& size) {
  return IsNone(call, first) ? SizeExpr(0) : Bound(IntAt(call, first), size);
}
template <class Arg>
SizeExpr EndOf(const CallOf<Arg>& call, size_t first, const SizeExpr& size) {
  return IsNone(call, first + 1) ? size : Bound(IntAt(call, first + 1), size);
}

// The operands from `first` on are the dimension, start, end and step.
Types SliceTypeFrom(const TypeCall& call, size_t first) {
  TensorType type = TensorAt(call, 0);
  const auto dim = SlicedDimension(call, first);
  const auto step = ConstantAt(call, first + 3);
  if (!dim) return std::string(kNoDimension);
  if (!step || *step < 1) return std::string("the step is not constant or not positive");
  SizeExpr& size = type.sizes[*dim];
  const SizeExpr length = EndOf(call, first + 1, size) - StartOf(call, first + 1, size);
  // No size is larger: a longer step takes the same, and could overflow.
  constexpr int64_t kLongest = int64_t{1} << 40;
  size = CeilDiv(AtLeastZero(length), std::min(*step, kLongest));
  return OneResult(std::move(type));
}

// The slice of `whole` that has that many coordinates.
Part SliceFrom(const Call& call, size_t first, const TensorValue& whole, const Sizes& sizes) {
  Part part = WholeOf(whole);
  const size_t dim = DimensionIn(call, first, whole.sizes.size());
  const auto start = StartOf(call, first + 1, whole.sizes[dim]).Constant();
  Narrow(part, dim, start.value_or(0), sizes[dim], IntAt(call, first + 3));
  return part;
}

Types SliceType(const TypeCall& call) {
  return SliceTypeFrom(call, 1);
}

std::string Slice(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  return ReadPart(self, SliceFrom(call, 1, self, results[0].sizes), results[0]);
}

Types SliceScatterType(const TypeCall& call) {
  return ScatterType(call, SliceTypeFrom(call, 2));
}

std::string SliceScatter(const Call& call, std::span<TensorValue> results) {
  const Part part = SliceFrom(call, 2, results[0], TensorAt(call, 1).sizes);
  return Scatter(call, part, results[0]);
}

// --- Start and length.

Types NarrowType(const TypeCall& call) {
  TensorType type = TensorAt(call, 0);
  const auto dim = SlicedDimension(call, 1);
  if (!dim) return std::string(kNoDimension);
  const auto start = ConstantAt(call, 2);
  const auto length = ConstantAt(call, 3);
  const auto size = type.sizes[*dim].Constant();
  if (length && *length < 0) return std::string("the length is negative");
  if (start && length && size) {
    const auto from = FromFront(*start, *size);
    if (!from || *length > *size - *from) {
      return std::string("the slice reaches out of the dimension");
    }
  }
  type.sizes[*dim] = IntAt(call, 3);
  return OneResult(std::move(type));
}

std::string NarrowRun(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const size_t dim = DimensionIn(call, 1, self.sizes.size());
  const auto start = FromFront(IntAt(call, 2), self.sizes[dim]);
  Part part = WholeOf(self);
  Narrow(part, dim, start.value_or(0), IntAt(call, 3));
  return ReadPart(self, std::move(part), results[0]);
}

// --- One coordinate.

// The operands from `first` on are the dimension and the index.
Types SelectTypeFrom(const TypeCall& call, size_t first) {
  TensorType type = TensorAt(call, 0);
  const auto dim = SlicedDimension(call, first);
  if (!dim) return std::string(kNoDimension);
  const auto index = ConstantAt(call, first + 1);
  const auto size = type.sizes[*dim].Constant();
  if (index && size && FromFront(*index, *size).value_or(*size) == *size) {
    return std::string("the index is out of range");
  }
  type.sizes.erase(type.sizes.begin() + static_cast<std::ptrdiff_t>(*dim));
  return OneResult(std::move(type));
}

Part SelectFrom(const Call& call, size_t first, const TensorValue& whole) {
  Part part = WholeOf(whole);
  const size_t dim = DimensionIn(call, first, whole.sizes.size());
  Select(part, dim, FromFront(IntAt(call, first + 1), whole.sizes[dim]).value_or(0));
  return part;
}

Types SelectType(const TypeCall& call) {
  return SelectTypeFrom(call, 1);
}

std::string SelectRun(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  return ReadPart(self, SelectFrom(call, 1, self), results[0]);
}

Types SelectScatterType(const TypeCall& call) {
  return ScatterType(call, SelectTypeFrom(call, 2));
}

std::string SelectScatter(const Call& call, std::span<TensorValue> results) {
  return Scatter(call, SelectFrom(call, 2, results[0]), results[0]);
}

constexpr OpMeaning kSliceMeanings[] = {
    Exact("aten::slice_copy.Tensor_out", SliceType, Slice),
    Exact("aten::slice_scatter.out", SliceScatterType, SliceScatter),
    Exact("aten::narrow_copy.out", NarrowType, NarrowRun),
    Exact("aten::select_copy.int_out", SelectType, SelectRun),
    Exact("aten::select_scatter.out", SelectScatterType, SelectScatter),
};

}  // namespace

std::span<const OpMeaning> SliceMeanings() {
  return kSliceMeanings;
}

}  // namespace pteproof
