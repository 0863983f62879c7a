// Places that are read from tensors.
#ifndef PTEPROOF_RUNTIME_KERNELS_INDEXING_INDEX_H_
#define PTEPROOF_RUNTIME_KERNELS_INDEXING_INDEX_H_

#include <cstdint>

#include "runtime/kernels/base/blocks.h"
#include "runtime/kernels/base/kernel.h"
#include "runtime/kernels/base/packed.h"
#include "runtime/kernels/base/region.h"
#include "runtime/kernels/base/walk.h"

namespace pteproof::kernels {

inline constexpr char kIndexOutOfRange[] = "an index is out of range";  // known by its address
inline constexpr KernelStatus kNoIndexType = "an index is neither int32 nor int64";

[[nodiscard]] inline bool IsIndexType(ScalarType dtype) {
  return dtype == ScalarType::kInt64 || dtype == ScalarType::kInt32;
}

// The places that an index names in a dimension, each read once and known to be there. A call reads
// them before it writes anything: what a result does to the index's bytes changes none, and a call
// that fails leaves its results as they were.
class CheckedPlaces {
 public:
  // In row-major order of the index.
  [[nodiscard]] int64_t operator[](int64_t i) const { return numbers_[i]; }

 private:
  friend KernelStatus ReadPlaces(const KernelCall& call, const Region& index, int64_t size,
                                 bool from_end, CheckedPlaces& places);

  LentNumbers<int64_t> numbers_;
};

// Of a dimension of that size; from the end where an index is negative and the operator allows it.
[[nodiscard]] KernelStatus ReadPlaces(const KernelCall& call, const Region& index, int64_t size,
                                      bool from_end, CheckedPlaces& places);

// Adds an element to another, in the latter's type.
void AddElement(ScalarType from_type, CheckedPointer from, ScalarType to_type, CheckedPointer to);

// A tensor without dimensions counts as one of a single element.
[[nodiscard]] inline Region WithDimension(Region region) {
  if (region.rank == 0) region.sizes[region.rank++] = 1;
  return region;
}

}  // namespace pteproof::kernels

#endif  // PTEPROOF_RUNTIME_KERNELS_INDEXING_INDEX_H_
