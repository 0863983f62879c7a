// Memory of the caller's that a move gives a second name, and that is written later.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_CALLERS_MEMORY_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_CALLERS_MEMORY_H_

#include <vector>

#include "properties/checks/flow/liveness.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// not-provable, undecided: unplanned memory has no place in a bank in which lifetimes could be
// followed; so once a move has given it another name, what the one name means when the other is
// written is open. All paths count as one. At most one finding. O(moves log moves + writes).
[[nodiscard]] std::vector<Finding> CheckCallersMemory(const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_CALLERS_MEMORY_H_
