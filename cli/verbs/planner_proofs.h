// `prove --planner`: proofs of the planner's own code, a line each.
#ifndef PTEPROOF_CLI_VERBS_PLANNER_PROOFS_H_
#define PTEPROOF_CLI_VERBS_PLANNER_PROOFS_H_

#include "cli/io/exit_code.h"
#include "properties/proofs/planner/prove_planner.h"

namespace pteproof {

// Prints each proof as it ends, then the totals. kSafe: each came to what is expected of it;
// kUnsafe: one is refuted, or what is known to be wrong is not; kUndecided: one is unknown or cut.
[[nodiscard]] ExitCode RunPlannerProofs(const proofs::PlannerProofOptions& options);

}  // namespace pteproof

#endif  // PTEPROOF_CLI_VERBS_PLANNER_PROOFS_H_
