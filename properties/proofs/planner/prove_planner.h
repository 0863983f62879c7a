// All that is proved of the planner's own code, up to a bound: the shipped templates run on
// symbolic integers, the shipped order of stores on every assignment. Says nothing of any program.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_PLANNER_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_PLANNER_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "properties/proofs/planner/planner_proof.h"

namespace pteproof::proofs {

inline constexpr size_t kFewestStorages = 2;
inline constexpr size_t kMostStorages = 5;

struct PlannerProofOptions {
  // kFewestStorages to kMostStorages; others are taken for the nearest of them. 3 takes seconds;
  // from 4 on the state's layout has 3 methods and 4 buffers, and every mix of alignments is tried
  // for 3 storages: minutes; 5 takes about half an hour.
  size_t storages = 3;
  double seconds = 1800;  // for each proof; what takes longer is cut
};

// In a fixed order: rounding, each algorithm, the gap rules under any order, the layout of state,
// the order of stores, and last the known wrong algorithms (`expected` is kRefuted). `progress`, if
// any, is called with each result. Never throws.
[[nodiscard]] std::vector<PlannerProof> ProvePlanner(
    const PlannerProofOptions& options,
    const std::function<void(const PlannerProof&)>& progress = {});

// Every proof came to the answer that is expected of it.
[[nodiscard]] bool AllAsExpected(const std::vector<PlannerProof>& proofs);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_PLANNER_H_
