// Goals for every layout, as goals of a path. Stated from planner/placement's headers; uses none of
// their code.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_GOALS_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_GOALS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "planner/placement/item.h"
#include "properties/proofs/planner/path_explorer.h"
#include "properties/proofs/planner/placement_case.h"

namespace pteproof::proofs {

enum class PeakBound : uint8_t {
  kNone,
  kRounded,          // of sizes rounded up to the largest alignment
  kPadded,           // of size + alignment - 1: what can be said without exact rounding
  kPaddedToLargest,  // of size + the largest alignment - 1
};

// Storages that overlap share no byte, unless tied; none begins below 0 or ends above the peak;
// each lies at a multiple of its alignment, where fixed or where tied; the peak is at least the
// bytes of storages that all overlap; and, by `bound`, at most a sum, where nothing is fixed or
// tied.
[[nodiscard]] std::vector<PathGoal> GoalsOf(const SymbolicItems& items,
                                            const placement::Layout<SymbolicInt>& layout,
                                            PeakBound bound);

// Reordered items lie where their counterparts lie, and the peak is the same.
[[nodiscard]] std::vector<PathGoal> SameLayoutGoals(const placement::Layout<SymbolicInt>& layout,
                                                    const placement::Layout<SymbolicInt>& reordered,
                                                    const std::vector<size_t>& counterparts);

// The properties of GoalsOf in words.
[[nodiscard]] std::string GoalsText(const PlacementCase& of, PeakBound bound);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PLACEMENT_GOALS_H_
