// Operators whose results are the operand's elements in another order, as strides describe it:
// transposes, expansions, repetitions.
#include <cstddef>
#include <utility>

#include "reference/ops/parts.h"
#include "reference/ops/rows.h"

namespace pteproof {
namespace {

// --- Transposes.

using Order = std::optional<std::vector<size_t>>;

Order PermuteOrder(size_t rank, std::span<const int64_t> dims) {
  const auto marked = MarkedDimensions(dims, static_cast<int64_t>(rank));
  if (dims.size() != rank || !marked) return std::nullopt;
  std::vector<size_t> order;
  for (const int64_t dim : dims) {
    order.push_back(static_cast<size_t>(*Dimension(dim, static_cast<int64_t>(rank))));
  }
  return order;
}

std::vector<size_t> Swapped(size_t rank, size_t a, size_t b) {
  std::vector<size_t> order(rank);
  for (size_t d = 0; d < rank; ++d) order[d] = d;
  // A tensor without dimensions has one that may be named.
  if (rank > 0) std::swap(order[a], order[b]);
  return order;
}

Types Reordered(const TensorType& self, const Order& order) {
  if (!order) return std::string("the dimensions are not a permutation of the dimensions of self");
  SizeList sizes;
  for (const size_t d : *order) sizes.push_back(self.sizes[d]);
  return OneResult(self.dtype, std::move(sizes));
}

Types PermuteType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto dims = ConstantsAt(call, 1);
  return Reordered(self, dims ? PermuteOrder(self.rank(), *dims) : std::nullopt);
}

std::string Permute(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const Order order = PermuteOrder(self.sizes.size(), IntsAt(call, 1));
  return ReadPart(self, Permuted(WholeOf(self), order.value_or(std::vector<size_t>())), results[0]);
}

Types TransposeType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto a = DimensionAt(call, 1, self.rank());
  const auto b = DimensionAt(call, 2, self.rank());
  if (!a || !b) return std::string(kNoDimension);
  return Reordered(self, Swapped(self.rank(), *a, *b));
}

std::string Transpose(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const size_t rank = self.sizes.size();
  const auto order = Swapped(rank, DimensionIn(call, 1, rank), DimensionIn(call, 2, rank));
  return ReadPart(self, Permuted(WholeOf(self), order), results[0]);
}

// Up to two dimensions; fewer than two stay as they are.
Types TType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  if (self.rank() > 2) return std::string("self has more than two dimensions");
  return Reordered(self, Swapped(self.rank(), 0, self.rank() == 2 ? 1 : 0));
}

std::string T(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const size_t rank = self.sizes.size();
  return ReadPart(self, Permuted(WholeOf(self), Swapped(rank, 0, rank == 2 ? 1 : 0)), results[0]);
}

// --- Every element several times.

// Each size of the operand, counted from the back, is 1 or the one asked for. -1 keeps it.
Types ExpandType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto asked = IntsAt(call, 1);
  SizeList sizes(asked.begin(), asked.end());
  if (sizes.size() < self.rank())
    return std::string("self has more dimensions than the given sizes");
  const size_t extra = sizes.size() - self.rank();
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d < extra) {
      if (sizes[d].Is(-1)) return std::string("the size of a new dimension is -1");
      continue;
    }
    const SizeExpr& own = self.sizes[d - extra];
    if (sizes[d].Is(-1)) sizes[d] = own;
    if (own != sizes[d] && !own.Is(1)) return std::string("a size of self is not 1");
  }
  return OneResult(self.dtype, std::move(sizes));
}

// Of copy: the sizes and the element type of self, to which src expands.
Types CopyType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const SizesOrFault sizes = Broadcast(self.sizes, TensorAt(call, 1).sizes);
  if (!sizes.ok() || sizes.value() != self.sizes) return std::string("src does not fit self");
  return SameAsFirst(call);
}

// The operand of that index in the sizes of the result.
template <size_t Operand>
std::string Expand(const Call& call, std::span<TensorValue> results) {
  const TensorValue& from = TensorAt(call, Operand);
  const Part whole = WholeOf(from);
  Part part{0, results[0].sizes, Sizes(results[0].sizes.size(), 0)};
  for (size_t back = 1; back <= whole.sizes.size() && back <= part.sizes.size(); ++back) {
    const size_t d = whole.sizes.size() - back;
    if (whole.sizes[d] != 1) part.strides[part.sizes.size() - back] = whole.strides[d];
  }
  return ReadPart(from, std::move(part), results[0]);
}

Types RepeatType(const TypeCall& call) {
  const TensorType& self = TensorAt(call, 0);
  const auto repeats = IntsAt(call, 1);
  if (repeats.size() < self.rank()) return std::string("a dimension of self has no repeat");
  SizeList sizes(repeats.begin(), repeats.end());
  for (const SizeExpr& repeat : sizes) {
    if (repeat.Constant().value_or(0) < 0) return std::string("a repeat is negative");
  }
  const size_t extra = sizes.size() - self.rank();
  for (size_t d = 0; d < self.rank(); ++d) sizes[extra + d] = sizes[extra + d] * self.sizes[d];
  return OneResult(self.dtype, std::move(sizes));
}

// Dimension by dimension: how often, then what.
std::string Repeat(const Call& call, std::span<TensorValue> results) {
  const TensorValue& self = TensorAt(call, 0);
  const auto repeats = IntsAt(call, 1);
  const Part whole = WholeOf(self);
  if (ElementCount(results[0]) == 0) return {};
  Part part;
  const size_t extra = repeats.size() - whole.sizes.size();
  for (size_t d = 0; d < repeats.size(); ++d) {
    part.sizes.push_back(repeats[d]);
    part.strides.push_back(0);
    if (d < extra) continue;
    part.sizes.push_back(whole.sizes[d - extra]);
    part.strides.push_back(whole.strides[d - extra]);
  }
  return ReadPart(self, std::move(part), results[0]);
}

// --- Strides that the call gives.

Types StridedType(const TypeCall& call) {
  const auto sizes = IntsAt(call, 1);
  if (sizes.size() != IntsAt(call, 2).size()) {
    return std::string("the number of strides differs from the number of sizes");
  }
  return OneResult(TensorAt(call, 0).dtype, {sizes.begin(), sizes.end()});
}

// The strides count elements of self in row-major order.
std::string Strided(const Call& call, std::span<TensorValue> results) {
  const auto strides = IntsAt(call, 2);
  for (const int64_t stride : strides) {
    if (stride < 0) return "a stride is negative";
  }
  Part part{IntOr(call, 3, 0), results[0].sizes, {strides.begin(), strides.end()}};
  if (part.offset < 0) return "the storage offset is negative";
  return ReadPart(TensorAt(call, 0), std::move(part), results[0]);
}

constexpr OpMeaning kMoveMeanings[] = {
    Exact("aten::permute_copy.out", PermuteType, Permute),
    Exact("aten::transpose_copy.int_out", TransposeType, Transpose),
    Exact("aten::t_copy.out", TType, T),
    Exact("aten::copy.out", CopyType, Expand<1>),
    Exact("aten::expand_copy.out", ExpandType, Expand<0>),
    Exact("aten::repeat.out", RepeatType, Repeat),
    Exact("aten::as_strided_copy.out", StridedType, Strided),
};

}  // namespace

std::span<const OpMeaning> MoveMeanings() {
  return kMoveMeanings;
}

}  // namespace pteproof
