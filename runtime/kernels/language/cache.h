// Caches of keys and values, [batch, token, head, element].
#ifndef PTEPROOF_RUNTIME_KERNELS_LANGUAGE_CACHE_H_
#define PTEPROOF_RUNTIME_KERNELS_LANGUAGE_CACHE_H_

#include <cstdint>

#include "runtime/kernels/base/kernel.h"

namespace pteproof::kernels {

// Whether the tokens of `value` can be stored in the cache from position `start` on.
[[nodiscard]] KernelStatus CheckCached(const TensorRef& value, const TensorRef& cache,
                                       int64_t start);

// Stores them.
void StoreInCache(const TensorRef& value, const TensorRef& cache, int64_t start);

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_LANGUAGE_CACHE_H_
