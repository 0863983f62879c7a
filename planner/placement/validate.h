// Whether a layout is one: looked at afresh after every plan, in every build. Shares no code with
// the algorithms.
#ifndef PTEPROOF_PLANNER_PLACEMENT_VALIDATE_H_
#define PTEPROOF_PLANNER_PLACEMENT_VALIDATE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "planner/placement/item.h"

namespace pteproof::placement {

// The first mistake found. Items are indices.
struct Mistake {
  enum class Kind : uint8_t {
    kCount,      // as many offsets as items
    kOffset,     // `first` lies below 0 or ends beyond the range of numbers
    kAlignment,  // `first` does not lie at a multiple of its alignment
    kFixed,      // `first` does not lie at its fixed offset
    kTie,        // `first` does not lie in its base `second` as tied
    kOverlap,    // `first` and `second` share bytes [lo, hi) at time point `point`
    kPeak,       // the layout does not end where it says
  };
  Kind kind = Kind::kCount;
  int32_t first = -1;
  int32_t second = -1;
  int64_t point = 0;
  int64_t lo = 0;
  int64_t hi = 0;
};

// Nothing: every item lies as its own wishes say, and items of different ties that share a time
// point share no byte. O(n log n) in spans: a sweep over time with the byte ranges that are in use.
[[nodiscard]] std::optional<Mistake> MistakeIn(std::span<const Item<int64_t>> items,
                                               const Layout<int64_t>& layout);

// "items 3 and 5 share bytes [16, 32) at point 7", for messages; the caller knows their names.
[[nodiscard]] std::string TextOf(const Mistake& mistake);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_VALIDATE_H_
