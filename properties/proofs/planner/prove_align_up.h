// Proves the rounding that placement's proofs assume, on 64-bit words: the shipped formula,
// including its wrap-around.
#ifndef PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_ALIGN_UP_H_
#define PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_ALIGN_UP_H_

#include <cstdint>

#include "properties/proofs/planner/planner_proof.h"

namespace pteproof::proofs {

// The shipped formula, or one with a mistake that a proof must refute.
enum class RoundingFormula : uint8_t { kShipped, kOneTooFar, kDown, kNotAtAll };

// For all values from 0 and alignments 2^0 to 2^62: where the result fits, no step of the formula
// overflows, the result is a multiple of the alignment with value <= result <= value + alignment -
// 1, multiples before the value stay as they are, and larger values do not get smaller results.
// Where it does not fit, the formula wraps to a result that is below the value.
[[nodiscard]] PlannerProof ProveAlignUp(double seconds,
                                        RoundingFormula formula = RoundingFormula::kShipped);

}  // namespace pteproof::proofs

#endif  // PTEPROOF_PROPERTIES_PROOFS_PLANNER_PROVE_ALIGN_UP_H_
