// Sizes of results, as several kernels have them.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_SIZES_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_SIZES_H_

#include <array>
#include <cstdint>

#include "runtime/dense_layout.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/region.h"

namespace pteproof::kernels {

using SizeArray = CheckedArray<int64_t, kMaxRank>;

inline constexpr KernelStatus kNoDimension = "the dimension does not exist";
inline constexpr KernelStatus kTooManyDimensions =
    "there are more dimensions than runtimes have room for";

// Those of a region.
[[nodiscard]] KernelStatus ResizeTo(TensorRef& out, const Region& region);

// The result has the sizes of the first argument.
[[nodiscard]] KernelStatus AsFirst(const KernelCall& call);

// Those that the list in argument 0 asks for.
[[nodiscard]] KernelStatus AsListed(const KernelCall& call);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_SIZES_H_
