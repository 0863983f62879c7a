// The sizes of images that are given by a list of sizes or of factors.
#ifndef PTEPROOF_RUNTIME_KERNELS_IMAGE_RESAMPLE_H_
#define PTEPROOF_RUNTIME_KERNELS_IMAGE_RESAMPLE_H_

#include <cstddef>

#include "runtime/kernels/base/kernel.h"

namespace pteproof::kernels {

// Argument 0 is the image [batch, channels, height, width], argument 1 the sizes or None, and
// argument `factors` the factors.
[[nodiscard]] KernelStatus ResizeUpsampled(const KernelCall& call, size_t factors);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_IMAGE_RESAMPLE_H_
