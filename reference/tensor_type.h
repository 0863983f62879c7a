// What is known of a tensor before a run: its element type and its sizes, which may depend on the
// method's dims.
#ifndef PTEPROOF_REFERENCE_TENSOR_TYPE_H_
#define PTEPROOF_REFERENCE_TENSOR_TYPE_H_

#include <vector>

#include "pteproof/scalar_type.h"
#include "reference/size_expr.h"

namespace pteproof {

struct TensorType {
  ScalarType dtype = ScalarType::kFloat32;
  std::vector<SizeExpr> sizes;  // outermost dimension first

  [[nodiscard]] size_t rank() const { return sizes.size(); }
  bool operator==(const TensorType&) const = default;
};

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_TENSOR_TYPE_H_
