// Does a backend's runtime heed sizes that vary, and orders in memory?
#ifndef PTEPROOF_PROPERTIES_RULES_RIGID_ARGUMENTS_H_
#define PTEPROOF_PROPERTIES_RULES_RIGID_ARGUMENTS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// delegate-mismatch of arguments that a runtime takes otherwise than the program means them,
// whatever its blob holds. O(arguments of delegate calls).
[[nodiscard]] std::vector<Finding> CheckRigidArguments(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_RIGID_ARGUMENTS_H_
