// A part of a tensor, or the whole of it in another order, as strides describe it; and copies
// between two of them.
#ifndef PTEPROOF_RUNTIME_KERNELS_BASE_REGION_H_
#define PTEPROOF_RUNTIME_KERNELS_BASE_REGION_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "runtime/dense_layout.h"
#include "runtime/kernels/base/run_value.h"

namespace pteproof {

struct Region {
  ScalarType dtype = ScalarType::kUInt8;
  CheckedPointer data;  // of the first element
  size_t rank = 0;
  CheckedArray<int64_t, kMaxRank> sizes = {};
  CheckedArray<int64_t, kMaxRank> strides = {};  // in bytes
};

[[nodiscard]] Region WholeOf(const TensorRef& tensor);

// Coordinates start, start + step, ... of dimension d, `count` of them.
void Narrow(Region& region, size_t d, int64_t start, int64_t count, int64_t step = 1);
// One coordinate of dimension d, which goes.
void Select(Region& region, size_t d, int64_t index);

// Copies element by element in row-major order, forwards, converting where the types differ. Both
// must have equally many elements, those of `from` in its own row-major order.
void CopyRegion(const Region& from, const Region& to);

}  // namespace pteproof

#endif  // PTEPROOF_RUNTIME_KERNELS_BASE_REGION_H_
