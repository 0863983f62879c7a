// Values grouped by the exact place and element type they share, for the look for a view's base.
#ifndef PTEPROOF_MEANING_PLACE_CLASSES_H_
#define PTEPROOF_MEANING_PLACE_CLASSES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "meaning/place_search.h"
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
  // Whether the test is true of a value of some larger place around a value's, of its type: asked
  // of one value of each such place. O(log n) for each place that shares bytes, before which
  // `go_on` is asked.
  template <class GoOn, class Test>
  [[nodiscard]] bool AnyAround(int32_t value, GoOn go_on, Test test) const {
    const Place& place = roles_.place[static_cast<size_t>(value)];
    const ScalarType dtype = method_.TensorOf(value)->dtype;
    return wider_.Find(place, [&](const Wider& wider) {
      if (!go_on()) return true;
      const bool is_around = wider.place.Holds(place) && wider.place != place &&
                             method_.TensorOf(wider.value)->dtype == dtype;
      return is_around && test(wider.value);
    }) != nullptr;
  }

 private:
  struct Wider {
    Place place;
    int32_t value = 0;
  };

  const Method& method_;
  const Roles& roles_;
  std::vector<int32_t> sorted_;
  PlaceSearch<Wider> wider_;  // one value of each place and type
};

}  // namespace pteproof::meaning

#endif  // PTEPROOF_MEANING_PLACE_CLASSES_H_
