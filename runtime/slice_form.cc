// Idea: a slice along dimension d is one run of bytes if all dimensions before d have size 1. Then
// the sizes behind d are those of the whole, and the part starts at a multiple of their product:
//
//   whole float32 [6, 4] [0,96)      part float32 [2, 4] [16,48)      dim 0, start 1, end 3
//
// Cost: O(rank).
#include "runtime/slice_form.h"

#include <algorithm>
#include <span>

#include "runtime/scalar_width.h"

namespace pteproof {
namespace {

bool IsDense(const Method& method, const Tensor& t) {
  return t.dynamism == Dynamism::kStatic && std::ranges::is_sorted(method.Ints(t.dim_order));
}

bool LiesInside(const Tensor& part, const Tensor& whole) {
  return part.planned && whole.planned && part.bank == whole.bank && part.nbytes > 0 &&
         part.nbytes < whole.nbytes && part.offset >= whole.offset &&
         part.offset - whole.offset <= whole.nbytes - part.nbytes;
}

// The first dimension of more than one element; all of a contiguous slice's elements differ there.
size_t SlicedDim(std::span<const int32_t> sizes) {
  return static_cast<size_t>(std::ranges::find_if(sizes, [](int32_t size) { return size != 1; }) -
                             sizes.begin());
}

bool IsInt(const Method& method, int32_t v) {
  return static_cast<size_t>(v) < method.values.size() &&
         method.values[static_cast<size_t>(v)].kind == ValueKind::kInt;
}

// As PyTorch reads a bound: from the end if negative, and clamped.
int64_t Bound(int64_t at, int64_t size) {
  return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
}

}  // namespace

std::optional<SliceForm> SliceFormOf(const Method& method, int32_t part, int32_t whole) {
  const Tensor& p = *method.TensorOf(part);
  const Tensor& w = *method.TensorOf(whole);
  if (p.dtype != w.dtype || !LiesInside(p, w) || !IsDense(method, p) || !IsDense(method, w))
    return std::nullopt;
  const auto sizes = method.Ints(w.sizes);
  const auto own = method.Ints(p.sizes);
  const size_t dim = SlicedDim(sizes);
  if (dim == sizes.size()) return std::nullopt;
  const uint64_t row = w.nbytes / static_cast<uint64_t>(sizes[dim]);
  const uint64_t from = p.offset - w.offset;
  if (from % row != 0 || p.nbytes % row != 0) return std::nullopt;
  SliceForm form;
  form.dim = static_cast<int64_t>(dim);
  form.start = static_cast<int64_t>(from / row);
  form.end = form.start + static_cast<int64_t>(p.nbytes / row);
  form.selected = own.size() + 1 == sizes.size();
  if (!form.selected && own.size() != sizes.size()) return std::nullopt;
  if (form.selected && form.end != form.start + 1) return std::nullopt;
  const auto behind = form.selected ? own.subspan(dim) : own.subspan(dim + 1);
  const bool fits = std::ranges::equal(behind, sizes.subspan(dim + 1)) &&
                    std::ranges::all_of(own.first(dim), [](int32_t size) { return size == 1; });
  return fits ? std::optional(form) : std::nullopt;
}

bool LiteralsTell(const Method& method, int32_t part, int32_t whole, const SliceForm& form) {
  const auto sizes = method.Ints(method.TensorOf(whole)->sizes);
  const auto rank = static_cast<int64_t>(sizes.size());
  const int32_t count = form.selected ? 2 : 4;
  for (int32_t i = 1; i <= count; ++i) {
    if (!IsInt(method, part + i)) return false;
  }
  const auto literal = [&](int32_t i) {
    return method.values[static_cast<size_t>(part + i)].integer;
  };
  const int64_t dim = literal(1) < 0 ? literal(1) + rank : literal(1);
  const int64_t size = sizes[static_cast<size_t>(form.dim)];
  if (dim != form.dim || Bound(literal(2), size) != form.start) return false;
  return form.selected || (Bound(literal(3), size) == form.end && literal(4) == 1);
}

}  // namespace pteproof
