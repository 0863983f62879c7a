// Where one item fits between items that already have places. Cost: O(k log k) for k taken ranges.
//
//   taken       [####]     [##]        [######]
//   gaps    (a)       (b)       (c)             (behind all)
//   kLowest takes the first of a, b, c that holds the item, kSmallest the smallest one.
#ifndef PTEPROOF_PLANNER_PLACEMENT_GAPS_H_
#define PTEPROOF_PLANNER_PLACEMENT_GAPS_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "planner/placement/arithmetic.h"

namespace pteproof::placement {

// Bytes [lo, hi) that are taken.
template <class Int>
struct Taken {
  Int lo;
  Int hi;
};

enum class GapRule : uint8_t {
  kLowest,    // the first gap that holds it
  kSmallest,  // the smallest gap that holds it, the first of equal ones
};

// The offset of an item by the rule, or behind everything taken where no gap holds it. The gap
// below the first taken byte is one. Sorts `taken`.
template <class Int>
[[nodiscard]] Int GapFor(const Int& size, const Int& alignment, GapRule rule,
                         std::vector<Taken<Int>>& taken) {
  std::sort(taken.begin(), taken.end(),
            [](const Taken<Int>& a, const Taken<Int>& b) { return a.lo < b.lo; });
  Int end = 0;
  Int best = 0;
  Int best_gap = 0;
  bool found = false;
  for (const Taken<Int>& range : taken) {
    if (end < range.lo) {
      const Int offset = AlignUp(end, alignment);
      if (offset + size <= range.lo) {
        if (rule == GapRule::kLowest) return offset;
        const Int gap = range.lo - end;
        if (!found || gap < best_gap) {
          best = offset;
          best_gap = gap;
          found = true;
        }
      }
    }
    end = Larger(end, range.hi);
  }
  return found ? best : AlignUp(end, alignment);
}

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_GAPS_H_
