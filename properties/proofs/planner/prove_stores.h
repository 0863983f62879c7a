// Shows by exhaustion that the stores in the planner's order (planner/code/parallel_copy.h) have
// the effect of all stores at once. Their contents do not matter to the planner, so every buffer
// holds a mark of its own.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_STORES_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_STORES_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "planner/code/parallel_copy.h"
#include "properties/proofs/planner/planner_proof.h"

namespace pteproof::proofs {

struct StoreSubject {
  std::string name;
  std::function<std::vector<planner::Assignment>(std::vector<planner::Assignment>, planner::Code&)>
      in_order;
};

// As it is shipped.
[[nodiscard]] StoreSubject ShippedStores();

// Every buffer keeps its value, or becomes a value of its own, one that others become too, any
// buffer or (`views`) a view of any buffer with other sizes; in every order of the list; carried by
// a loop or not. A view that has bytes of its own is always right; one that shares its buffer's
// bytes is right wherever some order of the list, without a temporary, makes all of it so.
// `paths` counts lists.
[[nodiscard]] PlannerProof ProveStores(const StoreSubject& subject, size_t buffers, bool views,
                                       double seconds);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_STORES_H_
