// Tokens stored in caches: one behind the other, or each where an index says.
#include "runtime/kernels/base/kernel_rows.h"
#include "runtime/kernels/base/sizes.h"
#include "runtime/kernels/indexing/index.h"
#include "runtime/kernels/language/cache.h"

namespace pteproof::kernels {
namespace {

KernelStatus CheckCacheSizes(const TensorRef& value, const TensorRef& cache) {
  if (value.rank() != 4 || cache.rank() != 4) {
    return "the value and the cache must have four dimensions";
  }
  if (value.dtype != cache.dtype) return "the value must be of the cache's type";
  for (const size_t d : {size_t{0}, size_t{2}, size_t{3}}) {
    if (value.sizes[d] != cache.sizes[d]) {
      return "the value must have the cache's sizes but for dimension 1";
    }
  }
  return nullptr;
}

KernelStatus UpdateCache(const KernelCall& call) {
  const TensorRef& value = TensorAt(call, 0);
  const TensorRef& cache = TensorAt(call, 1);
  const int64_t start = IntAt(call, 2);
  if (const KernelStatus status = CheckCached(value, cache, start)) return status;
  StoreInCache(value, cache, start);
  return nullptr;
}

// Each token has a position of its own: the start means nothing.
KernelStatus UpdateCacheAtIndices(const KernelCall& call) {
  const TensorRef& value = TensorAt(call, 0);
  const TensorRef& indices = TensorAt(call, 3);
  if (const KernelStatus status = CheckCacheSizes(value, TensorAt(call, 1))) return status;
  if (indices.dtype != ScalarType::kInt64 || indices.rank() != 2 ||
      indices.sizes[0] != value.sizes[0] || indices.sizes[1] != value.sizes[1]) {
    return "the indices must be int64, one for each batch and token";
  }
  if (ElementCount(value) == 0) return nullptr;
  const Region places = WholeOf(indices);
  const Region from = WholeOf(value);
  const Region to = WholeOf(TensorAt(call, 1));
  CheckedPlaces checked;
  if (const auto status = ReadPlaces(call, places, to.sizes[1], false, checked)) return status;
  for (int64_t n = 0; n < from.sizes[0]; ++n) {
    for (int64_t i = 0; i < from.sizes[1]; ++i) {
      Region token = from;
      Region slot = to;
      Select(token, 1, i);
      Select(token, 0, n);
      Select(slot, 1, checked[n * from.sizes[1] + i]);
      Select(slot, 0, n);
      CopyRegion(token, slot);
    }
  }
  return nullptr;
}

// The result is there for the form of it: nothing is stored there.
constexpr Kernel kCacheKernels[] = {
    {"llama::update_cache.out", nullptr, UpdateCache},
    {"llama::update_cache_with_indices.out", nullptr, UpdateCacheAtIndices},
};

}  // namespace

KernelStatus CheckCached(const TensorRef& value, const TensorRef& cache, int64_t start) {
  if (const KernelStatus status = CheckCacheSizes(value, cache)) return status;
  const bool fits = start >= 0 && start <= cache.sizes[1] - value.sizes[1];
  return fits ? nullptr : "the value's positions lie outside the cache";
}

void StoreInCache(const TensorRef& value, const TensorRef& cache, int64_t start) {
  Region slots = WholeOf(cache);
  if (ElementCount(value) == 0) return;
  Narrow(slots, 1, start, value.sizes[1]);
  CopyRegion(WholeOf(value), slots);
}

std::span<const Kernel> CacheKernels() {
  return kCacheKernels;
}

}  // namespace pteproof::kernels
