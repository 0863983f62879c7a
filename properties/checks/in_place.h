// Errors within one instruction: a result over an operand that is still being read.
#ifndef PTEPROOF_PROPERTIES_CHECKS_IN_PLACE_H_
#define PTEPROOF_PROPERTIES_CHECKS_IN_PLACE_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// in-place-alias findings of a method. O(accesses log accesses).
[[nodiscard]] std::vector<Finding> CheckOperands(const MethodMeaning& method);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_IN_PLACE_H_
