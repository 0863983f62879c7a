// What goes wrong within one instruction: a result over an operand that is still being read, a
// store to what nobody may write, a store of a value onto itself, an in-place result that is not
// its operand.
#ifndef PTEPROOF_PROPERTIES_CHECKS_OPERANDS_H_
#define PTEPROOF_PROPERTIES_CHECKS_OPERANDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "base/finding.h"
#include "properties/checks/clobbers.h"
#include "properties/checks/liveness.h"

namespace pteproof::checks {

// in-place-alias, in-place-pass-through and self-copy findings of a method. O(accesses log
// accesses).
// `moved`: where moved operands and results lie (Walk::moved).
[[nodiscard]] std::vector<Finding> CheckOperands(const MethodFlow& flow,
                                                 std::span<const MovedPlace> moved);

// Whether a result may be written over this operand while it is read: element i of it is read only
// to write element i of the result, both have the same number of elements in the same order.
[[nodiscard]] bool GoesElementByElement(const Method& method, const Read& operand, int32_t result);

// Whether instruction i stores a value onto itself.
[[nodiscard]] bool IsSelfCopy(const MethodFlow& flow, int32_t i);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_OPERANDS_H_
