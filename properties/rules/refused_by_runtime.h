// Calls of the runtime's own operators, and jumps, that ExecuTorch refuses when they are made.
#ifndef PTEPROOF_PROPERTIES_RULES_REFUSED_BY_RUNTIME_H_
#define PTEPROOF_PROPERTIES_RULES_REFUSED_BY_RUNTIME_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// call-refused, for one method. The cost is that of held_numbers.h; O(operators + instructions) for
// a method without numbers that it computes, views, and moves.
[[nodiscard]] std::vector<Finding> CheckRefusedByRuntime(const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_REFUSED_BY_RUNTIME_H_
