#include "runtime/kernels/reduction/reduce.h"

#include <algorithm>

namespace pteproof::kernels {

KernelStatus ReducedDims(const KernelCall& call, size_t a, size_t rank, uint32_t& dims) {
  const RunValue& named = *call.args[a];
  dims = 0;
  const auto add = [&](int64_t number) -> KernelStatus {
    // A tensor without dimensions has one that may be named.
    const int64_t dim = DimensionOf(number, std::max<size_t>(rank, 1));
    if (dim < 0) return kNoDimension;
    if ((dims >> dim & 1) != 0) return "a dimension is named twice";
    dims |= 1U << dim;
    return nullptr;
  };
  if (named.kind == ValueKind::kInt) return add(named.integer);
  for (const RunValue* item : named.items) {
    if (const KernelStatus status = add(item->integer)) return status;
  }
  if (dims == 0) dims = ~0U;
  return nullptr;
}

KernelStatus ResizeReduced(TensorRef& out, const TensorRef& self, uint32_t dims, bool keeps) {
  SizeArray sizes = {};
  size_t rank = 0;
  for (size_t d = 0; d < self.rank(); ++d) {
    const bool goes = (dims >> d & 1) != 0;
    if (!goes || keeps) sizes[rank++] = goes ? 1 : self.sizes[d];
  }
  return Resize(out, std::span(sizes).first(rank));
}

}  // namespace pteproof::kernels
