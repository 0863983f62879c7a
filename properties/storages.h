// The storages that a method's plan places, each with all names that lie in it and the points at
// which any of them is in use, as the check derives them from the instructions: the input of a
// placement algorithm that plans the method again. The file's offsets only tell which names share
// bytes.
#ifndef PTEPROOF_PROPERTIES_STORAGES_H_
#define PTEPROOF_PROPERTIES_STORAGES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "properties/point_span.h"
#include "pteproof/program.h"

namespace pteproof {

// Bytes [lo, hi) of a bank that one value, or several on purpose, lie in: views, in-place results,
// parts of an elided concat. They keep their distances wherever the storage goes.
struct PlannedStorage {
  uint32_t bank = 0;
  uint64_t lo = 0;
  uint64_t hi = 0;
  std::vector<int32_t> values;  // ascending
  std::vector<PointSpan> live;  // ascending, disjoint; state always lives
};

struct PlannedStorages {
  uint64_t alignment = 1;                // of all of them: as `check` rounds its load
  std::vector<PlannedStorage> storages;  // by bank, then by first value
};

// Storages that are in use at some point; reserved bytes that nothing touches are not among them.
// Nothing if the control flow is beyond the check's limit on work. In a plan without errors no two
// storages of a bank share a byte at a point. O(n log n) for straight-line code.
[[nodiscard]] std::optional<PlannedStorages> StoragesOf(const Method& method);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_STORAGES_H_
