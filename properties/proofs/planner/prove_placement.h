// Proves of one placement algorithm that its layouts are right for all sizes: every overlap of a
// few storages, every way through the code. Not of the searches, which know numbers only.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_PLACEMENT_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_PLACEMENT_H_

#include "properties/proofs/planner/placement_case.h"
#include "properties/proofs/planner/placement_subject.h"
#include "properties/proofs/planner/planner_proof.h"

namespace pteproof::proofs {

// `seconds`: the time limit. Refutations were replayed with numbers. If rounding was abstract and
// numbers do not confirm the model, the proof is tried again with the alignments 1 to 64, and is
// unknown if these are all right. Cost: from milliseconds for two storages to minutes for five.
[[nodiscard]] PlannerProof ProvePlacement(const PlacementSubject& subject, const PlacementCase& of,
                                          double seconds);

// The same for every mix of the alignments 1, 2, 4 to 64, rounded exactly, as one proof.
[[nodiscard]] PlannerProof ProveMixes(const PlacementSubject& subject, size_t storages,
                                      double seconds);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_PLACEMENT_H_
