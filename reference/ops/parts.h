// Parts of tensors that strides describe, as views, slices, transposes and tiles read or write
// them, and how operators name a dimension.
#ifndef PTEPROOF_REFERENCE_OPS_PARTS_H_
#define PTEPROOF_REFERENCE_OPS_PARTS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/work.h"
#include "reference/ops/type_rules.h"
#include "reference/tensor_value.h"

namespace pteproof {

inline constexpr const char* kNoDimension = "the dimension is not constant or out of range";

// The dimension that operand i names, of a tensor of that rank; nothing: it is none.
template <class Arg>
[[nodiscard]] std::optional<size_t> DimensionAt(const CallOf<Arg>& call, size_t i, size_t rank) {
  std::optional<int64_t> dim;
  if constexpr (std::is_same_v<Arg, Argument>) {
    dim = IntAt(call, i);
  } else {
    dim = ConstantAt(call, i);
  }
  if (dim) dim = Dimension(*dim, static_cast<int64_t>(rank));
  return dim ? std::optional(static_cast<size_t>(*dim)) : std::nullopt;
}

// The same in a run, where the type rule has seen that it is one.
[[nodiscard]] size_t DimensionIn(const Call& call, size_t i, size_t rank);

// Whether no dims from 0 on make it negative; false where the polynomial does not show it.
[[nodiscard]] bool IsNeverNegative(const SizeExpr& size);

// Max(size, 0), in its simplest form.
[[nodiscard]] SizeExpr AtLeastZero(const SizeExpr& size);

// Whether two sizes can be equal: sizes that depend on the dims may be, in a way that their
// polynomials do not show. A run is exact.
[[nodiscard]] bool MayBeEqual(const SizeExpr& a, const SizeExpr& b);
[[nodiscard]] bool MayBeEqual(std::span<const SizeExpr> a, std::span<const SizeExpr> b);

// Stores a number argument in every element.
void Fill(TensorValue& t, const Number& number);

// Adds element `from` of `source` to element `to` of `target`, in its element type.
void AddElement(const TensorValue& source, int64_t from, TensorValue& target, int64_t to);

// Elements of a row-major tensor: (i0, i1, ...) lies at offset + the sum of i * stride.
struct Part {
  int64_t offset = 0;
  Sizes sizes;
  std::vector<int64_t> strides;
};

// All of it. Of a tensor without elements the strides are 0: they might not fit 64 bits.
[[nodiscard]] Part WholeOf(const TensorValue& t);

// Of dimension d keeps only `length` coordinates, `step` apart.
void Narrow(Part& part, size_t d, int64_t start, int64_t length, int64_t step = 1);

// Of dimension d keeps one coordinate, and drops the dimension.
void Select(Part& part, size_t d, int64_t index);

// The same elements with the dimensions in another order.
[[nodiscard]] Part Permuted(const Part& part, std::span<const size_t> order);

// Dimension d becomes two, of which the inner one has that size; it divides the old one.
void Split(Part& part, size_t d, int64_t inner);

// Fills `to` with the part's elements in row-major order, or takes the part's elements from there.
// What is wrong: other numbers of elements, or places outside of the tensor.
[[nodiscard]] std::string ReadPart(const TensorValue& from, Part part, TensorValue& to);
[[nodiscard]] std::string WritePart(const TensorValue& from, TensorValue& to, Part part);

// Copies all elements in row-major order; the numbers of elements must be equal.
[[nodiscard]] std::string CopyAll(const TensorValue& from, TensorValue& to);

// Fills element (j0, j1, ...) of `to` from (map(0, j0), map(1, j1), ...) of `from`, which has the
// same rank; leaves it where a coordinate is -1.
template <class Map>
[[nodiscard]] std::string ReadMapped(const TensorValue& from, TensorValue& to, Map map) {
  if (from.rank() != to.rank()) return "the result has another rank";
  const int64_t count = ElementCount(to);
  const std::vector<int64_t> strides = WholeOf(from).strides;
  std::vector<int64_t> index(to.sizes.size(), 0);
  Paced pace(CappedProduct({count, to.rank() + 1}));
  for (int64_t i = 0; i < count; ++i) {
    pace.Step(to.rank() + 1);
    int64_t place = 0;
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      const int64_t at = map(d, index[d]);
      if (at >= from.sizes[d]) return "an element comes from outside of the operand";
      inside = inside && at >= 0;
      place += at * strides[d];
    }
    if (inside) CopyElement(from, place, to, i);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < to.sizes[d]) break;
      index[d] = 0;
    }
  }
  return {};
}

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OPS_PARTS_H_
