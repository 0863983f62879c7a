// Between which two numbers the lowest peak of some items lies.
#ifndef PTEPROOF_PLANNER_PLACEMENT_BOUNDS_H_
#define PTEPROOF_PLANNER_PLACEMENT_BOUNDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "planner/placement/item.h"

namespace pteproof::placement {

[[nodiscard]] inline int64_t PeakOf(std::span<const Item<int64_t>> items,
                                    std::span<const int64_t> offsets) {
  int64_t peak = 0;
  for (size_t i = 0; i < items.size(); ++i) peak = std::max(peak, offsets[i] + items[i].size);
  return peak;
}

struct Bounds {
  int64_t lower_bound = 0;                             // no layout ends below
  int64_t peak = std::numeric_limits<int64_t>::max();  // the layout ends here
  std::vector<int64_t> offsets;

  // A layout from elsewhere; kept if it is lower.
  void Keep(std::span<const int64_t> others, int64_t others_peak) {
    if (others_peak >= peak) return;
    peak = others_peak;
    offsets.assign(others.begin(), others.end());
  }
};

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_BOUNDS_H_
