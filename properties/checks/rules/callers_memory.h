// Memory of the caller's that a move gives a second name, and that is written later.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_CALLERS_MEMORY_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_CALLERS_MEMORY_H_

#include <vector>

#include "properties/checks/flow/liveness.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// not-provable, undecided: unplanned memory has no place in a bank, so its lifetimes cannot be
// followed. After a move has given it a second name, the content of one name is unknown when the
// other one is written. All paths count as one. At most one finding. O(moves log moves + writes).
[[nodiscard]] std::vector<Finding> CheckCallersMemory(const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_CALLERS_MEMORY_H_
