// The placement algorithms of pteproof/place.h. Each is a pure function: equal items, equal layout,
// whatever the compiler. Each is a header of its own (naive.h, greedy.h, fit.h, best.h) for integer
// types other than int64_t.
#ifndef PTEPROOF_PLANNER_PLACEMENT_ALGORITHMS_H_
#define PTEPROOF_PLANNER_PLACEMENT_ALGORITHMS_H_

#include <cstdint>
#include <span>

#include "planner/placement/budget.h"
#include "planner/placement/item.h"
#include "pteproof/place.h"

namespace pteproof::placement {

// A layout and how good it is.
struct Outcome {
  Layout<int64_t> layout;
  int64_t lower_bound = 0;  // bytes below which no layout of these items can end

  [[nodiscard]] bool optimal() const { return layout.peak == lower_bound; }
};

// The search effort of an algorithm that searches, if the caller names none.
[[nodiscard]] Effort DefaultEffort(Algorithm algorithm);

// Places items, of which Placeable() (load.h) must hold. `effort` is for kBest and kExact. Naive
// and greedy depend on the items' order, as they do in ExecuTorch; of the others only the names
// change when items change places.
[[nodiscard]] Outcome Place(std::span<const Item<int64_t>> items, Algorithm algorithm);
[[nodiscard]] Outcome Place(std::span<const Item<int64_t>> items, Algorithm algorithm,
                            const Effort& effort);

}  // namespace pteproof::placement

#endif  // PTEPROOF_PLANNER_PLACEMENT_ALGORITHMS_H_
