// Placement algorithms with a known mistake, similar to the shipped ones. A proof must refute them,
// or it proves nothing. They are not used for placement.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_KNOWN_WRONG_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_KNOWN_WRONG_H_

#include <vector>

#include "properties/proofs/planner/placement_subject.h"

namespace pteproof::proofs {

// ExecuTorch's rule for in-place results of before 1.5: a result that is tied to its base is put
// aside while greedy places all others; then it takes its base's place, whoever has moved in
// meanwhile.
[[nodiscard]] PlacementSubject DeferredInPlace();

// First-fit that does not see an overlap in one point; that forgets the alignment; that looks
// whether a gap holds the bytes alone, without the padding before them.
[[nodiscard]] std::vector<PlacementSubject> FirstFitsWithMistakes();

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_KNOWN_WRONG_H_
