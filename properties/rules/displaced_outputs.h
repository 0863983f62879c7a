// Outputs that stand in the place of inputs which a method updates.
#ifndef PTEPROOF_PROPERTIES_RULES_DISPLACED_OUTPUTS_H_
#define PTEPROOF_PROPERTIES_RULES_DISPLACED_OUTPUTS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// output-misbound, undecided: the method stores to an input that it does not return, and returns a
// buffer that it updates in place. Silent if the manifest says which inputs the model mutates.
// O(writes log writes).
[[nodiscard]] std::vector<Finding> CheckDisplacedOutputs(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_DISPLACED_OUTPUTS_H_
