// Whether two tensors lie element on element in the same bytes.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_SHAPE_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_SHAPE_H_

#include <algorithm>
#include <vector>

#include "pteproof/program.h"

namespace pteproof::proofs {

[[nodiscard]] inline bool HaveOneShape(const Method& method, const Tensor& a, const Tensor& b) {
  return std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes)) &&
         std::ranges::equal(method.Ints(a.dim_order), method.Ints(b.dim_order));
}

// Whether both have as many elements whatever sizes they have in a call: their sizes are fixed, or
// the same but for ones.
[[nodiscard]] inline bool HaveOneCount(const Method& method, const Tensor& a, const Tensor& b) {
  if (a.dynamism == Dynamism::kStatic && b.dynamism == Dynamism::kStatic) return true;
  const auto without_ones = [&](const Tensor& t) {
    std::vector<int32_t> sizes(method.Ints(t.sizes).begin(), method.Ints(t.sizes).end());
    std::erase(sizes, 1);
    return sizes;
  };
  return without_ones(a) == without_ones(b);
}

// Element i of the one has the bytes of element i of the other when both start at one byte: equal
// in shape and order, or both row-major with as many bytes and elements.
[[nodiscard]] inline bool LieElementOnElement(const Method& method, int32_t u, int32_t v) {
  const Tensor& a = *method.TensorOf(u);
  const Tensor& b = *method.TensorOf(v);
  if (a.nbytes != b.nbytes || ElementSize(a.dtype) != ElementSize(b.dtype)) return false;
  if (HaveOneShape(method, a, b)) return true;
  return std::ranges::is_sorted(method.Ints(a.dim_order)) &&
         std::ranges::is_sorted(method.Ints(b.dim_order)) && HaveOneCount(method, a, b);
}

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_SHAPE_H_
