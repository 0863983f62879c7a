// The element type that operands of different ones are computed in, as PyTorch promotes them.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_PROMOTION_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_PROMOTION_H_

#include <span>

#include "runtime/kernels/base/kernel.h"

namespace pteproof::kernels {

// Of those arguments, tensors or numbers. None does not count. A tensor without dimensions, and a
// number, count only where they are of a higher category (bool, integer, float, complex).
[[nodiscard]] ScalarType CommonType(const KernelCall& call, std::span<const size_t> operands);

// float32 for integers and bool, else the type itself.
[[nodiscard]] ScalarType FloatOf(ScalarType dtype);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_PROMOTION_H_
