// The kernels, a list per file. Adding one is adding a row.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_KERNEL_ROWS_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_KERNEL_ROWS_H_

#include <span>

#include "runtime/kernels/base/kernel.h"

namespace pteproof::kernels {

[[nodiscard]] std::span<const Kernel> CopyKernels();    // all elements, in order
[[nodiscard]] std::span<const Kernel> LayoutKernels();  // permuted, spread, other dimensions
[[nodiscard]] std::span<const Kernel> PartKernels();    // slices and joins
[[nodiscard]] std::span<const Kernel> ViewKernels();    // other parts and rearrangements
[[nodiscard]] std::span<const Kernel> NumberKernels();  // sizes and counters
[[nodiscard]] std::span<const Kernel> RowKernels();     // what loops and views need
// Element by element.
[[nodiscard]] std::span<const Kernel> UnaryKernels();
[[nodiscard]] std::span<const Kernel> BinaryKernels();
[[nodiscard]] std::span<const Kernel> CompareKernels();
[[nodiscard]] std::span<const Kernel> DivisionKernels();
[[nodiscard]] std::span<const Kernel> ChoiceKernels();
// Many elements for each result.
[[nodiscard]] std::span<const Kernel> ReduceKernels();
[[nodiscard]] std::span<const Kernel> PlaceKernels();
[[nodiscard]] std::span<const Kernel> SoftmaxKernels();
[[nodiscard]] std::span<const Kernel> NormKernels();
[[nodiscard]] std::span<const Kernel> DistanceKernels();
[[nodiscard]] std::span<const Kernel> ProductKernels();
[[nodiscard]] std::span<const Kernel> FourierKernels();
[[nodiscard]] std::span<const Kernel> ConvolutionKernels();
[[nodiscard]] std::span<const Kernel> ConvolutionBackwardKernels();
[[nodiscard]] std::span<const Kernel> PoolKernels();
[[nodiscard]] std::span<const Kernel> ResampleKernels();
[[nodiscard]] std::span<const Kernel> BilinearKernels();
[[nodiscard]] std::span<const Kernel> GridKernels();
[[nodiscard]] std::span<const Kernel> OrderKernels();
// At places that data name.
[[nodiscard]] std::span<const Kernel> GatherKernels();
[[nodiscard]] std::span<const Kernel> IndexKernels();
[[nodiscard]] std::span<const Kernel> MaskKernels();  // results as long as data say
// Others.
[[nodiscard]] std::span<const Kernel> CreateKernels();  // from sizes and numbers
[[nodiscard]] std::span<const Kernel> TileKernels();    // repeated, flipped, padded
[[nodiscard]] std::span<const Kernel> MappedKernels();  // rolled, padded by what is there
[[nodiscard]] std::span<const Kernel> QuantizedKernels();
[[nodiscard]] std::span<const Kernel> QuantizedWeightKernels();
// Of language models.
[[nodiscard]] std::span<const Kernel> CacheKernels();
[[nodiscard]] std::span<const Kernel> AttentionKernels();
[[nodiscard]] std::span<const Kernel> DeltaRuleKernels();
[[nodiscard]] std::span<const Kernel> HadamardKernels();
[[nodiscard]] std::span<const Kernel> ExpertKernels();

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_KERNEL_ROWS_H_
