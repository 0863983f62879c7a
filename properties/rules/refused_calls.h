// Calls that ExecuTorch refuses: of an update in place whose kernel takes less than the same update
// made apart, and of the runtime's own operators.
#ifndef PTEPROOF_PROPERTIES_RULES_REFUSED_CALLS_H_
#define PTEPROOF_PROPERTIES_RULES_REFUSED_CALLS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"
#include "pteproof/program.h"

namespace pteproof::checks {

// call-refused, for one method of the program. O(arguments + elements of constant indices), and
// what following numbers costs (held_numbers.h); O(operators) for a method that has none of the
// operators.
[[nodiscard]] std::vector<Finding> CheckRefusedCalls(const Program& program,
                                                     const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_REFUSED_CALLS_H_
