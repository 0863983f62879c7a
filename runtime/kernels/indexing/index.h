// Places that are read from tensors.
#ifndef PTEPROOF_RUNTIME_KERNELS_INDEXING_INDEX_H_
#define PTEPROOF_RUNTIME_KERNELS_INDEXING_INDEX_H_

#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/region.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {

inline constexpr KernelStatus kIndexOutOfRange = "an index is out of range";
inline constexpr KernelStatus kNoIndexType = "an index is neither int32 nor int64";

[[nodiscard]] inline bool IsIndexType(ScalarType dtype) {
  return dtype == ScalarType::kInt64 || dtype == ScalarType::kInt32;
}

// The place that an index names in a dimension of that size, from the end where it is negative and
// the operator allows that; -1: there is none.
[[nodiscard]] inline int64_t PlaceAt(const KernelCall& call, ScalarType dtype,
                                     const std::byte* index, int64_t size, bool from_end) {
  auto place = LoadOne<int64_t>(dtype, index);
  if (call.wraps_indices && size > 0) {
    place %= size;
    if (place < 0) place += size;
  }
  if (from_end && place < 0) place += size;
  return place >= 0 && place < size ? place : -1;
}

// Whether every index of a region names a place. Kernels ask before they write anything: a call
// that fails leaves its results as they were.
[[nodiscard]] inline bool AllInside(const KernelCall& call, const Region& index, int64_t size,
                                    bool from_end) {
  bool inside = true;
  ForEachPlace(Walked<1>({index}), [&](const auto& at) {
    inside = inside && PlaceAt(call, index.dtype, at[0], size, from_end) >= 0;
  });
  return inside;
}

// Adds an element to another, in the latter's type.
void AddElement(ScalarType from_type, const std::byte* from, ScalarType to_type, std::byte* to);

// A tensor without dimensions counts as one of a single element.
[[nodiscard]] inline Region WithDimension(Region region) {
  if (region.rank == 0) region.sizes[region.rank++] = 1;
  return region;
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_INDEXING_INDEX_H_
