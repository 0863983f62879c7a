// Values grouped by the exact place and element type they share, for the look for a view's base.
#ifndef PTEPROOF_MEANING_PLACE_CLASSES_H_
#define PTEPROOF_MEANING_PLACE_CLASSES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "meaning/roles.h"
#include "pteproof/program.h"

namespace pteproof::meaning {

// Planned tensors sorted by bank, offset, end, element type, value.
class PlaceClasses {
 public:
  // O(n log n).
  PlaceClasses(const Method& method, const Roles& roles);
  // Values with the same bank, offset, bytes and element type as `value`, itself included,
  // ascending.
  [[nodiscard]] std::span<const int32_t> Of(int32_t value) const;
  // Values that start at `offset` of a bank and end at `limit` or before, by end then element type.
  [[nodiscard]] std::span<const int32_t> StartingAt(uint32_t bank, uint64_t offset,
                                                    uint64_t limit) const;

 private:
  const Method& method_;
  const Roles& roles_;
  std::vector<int32_t> sorted_;
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PLACE_CLASSES_H_
