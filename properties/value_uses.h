// The points at which the bytes of each planned value are in use, under any name: the basis of
// storages.
#ifndef PTEPROOF_PROPERTIES_VALUE_USES_H_
#define PTEPROOF_PROPERTIES_VALUE_USES_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "properties/point_span.h"
#include "properties/vocabulary.h"

namespace pteproof::checks {

struct ValueUses {
  std::vector<std::vector<PointSpan>> of;  // per value: ascending, disjoint
  // Values in which one moved name lies, on different paths.
  std::vector<std::pair<int32_t, int32_t>> together;
};

// Walks each block backwards; state is in use from the entry to the end. O(n log n) for
// straight-line code.
[[nodiscard]] ValueUses UsesOf(const MethodFlow& flow, const Liveness& liveness);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_VALUE_USES_H_
