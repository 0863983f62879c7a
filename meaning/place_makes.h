// The makings of the bytes of a place, in listing order: for the search for the base of a view.
#ifndef PTEPROOF_MEANING_PLACE_MAKES_H_
#define PTEPROOF_MEANING_PLACE_MAKES_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "meaning/last_writes.h"
#include "meaning/place_classes.h"
#include "meaning/roles.h"

namespace pteproof::meaning {

// A write of a value.
struct PlaceMake {
  int32_t instruction = 0;  // -1: it stands there at entry
  int32_t value = 0;
};

class PlaceMakes {
 public:
  PlaceMakes(const PlaceClasses& classes, const Roles& roles, const LastWrites& writes)
      : classes_(classes), roles_(roles), writes_(writes) {}

  // Those of the values of the same place and element type as `value` that stand before an
  // instruction, ascending; of one instruction's the lowest value comes last. O(log n), but for the
  // first look at a place.
  [[nodiscard]] std::span<const PlaceMake> Before(int32_t value, int32_t instruction);

 private:
  [[nodiscard]] std::vector<PlaceMake> MakesOf(std::span<const int32_t> values) const;

  const PlaceClasses& classes_;
  const Roles& roles_;
  const LastWrites& writes_;
  std::unordered_map<int32_t, std::vector<PlaceMake>> known_;  // by the lowest value of the place
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PLACE_MAKES_H_
