#include "runtime/kernels/indexing/index.h"

namespace pteproof::kernels {
namespace {

// The place that an index names in a dimension of that size; -1: there is none.
int64_t PlaceOf(const KernelCall& call, int64_t index, int64_t size, bool from_end) {
  if (call.wraps_indices && size > 0) {
    index %= size;
    if (index < 0) index += size;
  }
  if (from_end && index < 0) index += size;
  return index >= 0 && index < size ? index : -1;
}

}  // namespace

KernelStatus ReadPlaces(const KernelCall& call, const Region& index, int64_t size, bool from_end,
                        CheckedPlaces& places) {
  places.numbers_ = Packed<int64_t>(index, *call.scratch);
  if (!places.numbers_.given()) return kNoMemory;
  bool inside = true;
  call.scratch->work().InPieces(places.numbers_.size(), [&](int64_t first, int64_t count) {
    for (int64_t& place : places.numbers_.Part(first, count)) {
      place = PlaceOf(call, place, size, from_end);
      inside = inside && place >= 0;
    }
  });
  return inside ? nullptr : kIndexOutOfRange;
}

void AddElement(ScalarType from_type, CheckedPointer from, ScalarType to_type, CheckedPointer to) {
  if (IsIntegerType(to_type)) {
    const auto added = LoadOne<int64_t>(from_type, from);
    return StoreOne(to_type, WrappedSum(LoadOne<int64_t>(to_type, to), added), to);
  }
  StoreOne(to_type, LoadOne<double>(to_type, to) + LoadOne<double>(from_type, from), to);
}

}  // namespace pteproof::kernels
