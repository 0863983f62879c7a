// Whether the check has a finding where a proof refutes an obligation. If it has none, one of the
// two checkers is wrong.
#ifndef PTEPROOF_PROPERTIES_AGREEMENT_CONFIRM_H_
#define PTEPROOF_PROPERTIES_AGREEMENT_CONFIRM_H_

#include "properties/proofs/solver/decide.h"
#include "properties/proofs/terms/obligation.h"
#include "pteproof/report.h"

namespace pteproof {

// Whether the check judges the question too: it judges the file's order of instructions, and takes
// the bounds of sizes for right.
[[nodiscard]] bool IsJudgedByCheck(const proofs::Obligation& refuted,
                                   const proofs::Decision& decision);

// Whether the check has an error, or leaves something open, in the obligation's method under one of
// its loaders. Where the goal is about dims, which the check does not know, its model was tried in
// exact arithmetic, and that is enough.
[[nodiscard]] bool IsConfirmed(const proofs::Obligation& refuted, const proofs::Decision& decision,
                               const Report& report);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_AGREEMENT_CONFIRM_H_
