// Errors within one instruction: a result over an operand that is still being read, a store to a
// constant, a store of a value onto itself, an in-place result that is not its operand.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_IN_PLACE_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_IN_PLACE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "properties/checks/flow/clobbers.h"
#include "properties/checks/flow/liveness.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// in-place-alias, in-place-pass-through and self-copy findings of a method. O(accesses log
// accesses).
// `moved`: where moved operands and results lie (Walk::moved).
[[nodiscard]] std::vector<Finding> CheckOperands(const MethodFlow& flow,
                                                 std::span<const MovedPlace> moved);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_IN_PLACE_H_
