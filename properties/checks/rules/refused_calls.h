// Calls of an update in place that the kernel refuses though it takes the same update made apart.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_REFUSED_CALLS_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_REFUSED_CALLS_H_

#include <vector>

#include "properties/checks/flow/liveness.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof::checks {

// call-refused, for one method of the program. O(arguments + elements of constant indices), O(1)
// for a method that does not have the operator.
[[nodiscard]] std::vector<Finding> CheckRefusedCalls(const Program& program,
                                                     const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_REFUSED_CALLS_H_
