// Whether two tensors lie element on element in the same bytes.
#ifndef PTEPROOF_PROPERTIES_PROOFS_FACTS_SHAPE_H_
#define PTEPROOF_PROPERTIES_PROOFS_FACTS_SHAPE_H_

#include <algorithm>

#include "runtime/program.h"

namespace pteproof::proofs {

[[nodiscard]] inline bool HaveOneShape(const Method& method, const Tensor& a, const Tensor& b) {
  return std::ranges::equal(method.Ints(a.sizes), method.Ints(b.sizes)) &&
         std::ranges::equal(method.Ints(a.dim_order), method.Ints(b.dim_order));
}

// Element i of the one has the bytes of element i of the other when both start at one byte: equal
// in shape and order, or both row-major with as many bytes.
[[nodiscard]] inline bool LieElementOnElement(const Method& method, int32_t u, int32_t v) {
  const Tensor& a = *method.TensorOf(u);
  const Tensor& b = *method.TensorOf(v);
  if (a.nbytes != b.nbytes || ElementSize(a.dtype) != ElementSize(b.dtype)) return false;
  return HaveOneShape(method, a, b) || (std::ranges::is_sorted(method.Ints(a.dim_order)) &&
                                        std::ranges::is_sorted(method.Ints(b.dim_order)));
}

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_FACTS_SHAPE_H_
