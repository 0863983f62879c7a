// Proves the layout of state (planner/state/place_state.h) right for all sizes of buffers, and
// every way in which a few methods can have a few buffers. Not which buffers are shared: policies
// say that.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_LAYOUT_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_LAYOUT_H_

#include <cstddef>
#include <functional>
#include <string>

#include "planner/state/place_state.h"
#include "properties/proofs/planner/planner_proof.h"
#include "properties/proofs/planner/symbolic_int.h"

namespace pteproof::proofs {

// The layout over the two integer types.
struct LayoutSubject {
  std::string name;
  std::function<planner::StateRooms<SymbolicInt>(const planner::StateDemand<SymbolicInt>&)>
      symbolic;
  std::function<planner::StateRooms<int64_t>(const planner::StateDemand<int64_t>&)> concrete;
};

// As it is shipped.
[[nodiscard]] LayoutSubject ShippedLayout();

// For each buffer: shared or private, and any set of methods; methods have private banks of their
// own or share one. `seconds`: the time limit. Refutations were replayed with numbers.
[[nodiscard]] PlannerProof ProveLayout(const LayoutSubject& subject, size_t methods, size_t buffers,
                                       double seconds);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_LAYOUT_H_
