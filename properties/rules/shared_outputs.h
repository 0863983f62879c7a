// Outputs that the program returns from one storage, though the model may mean two values.
#ifndef PTEPROOF_PROPERTIES_RULES_SHARED_OUTPUTS_H_
#define PTEPROOF_PROPERTIES_RULES_SHARED_OUTPUTS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// output-misbound: two outputs are one storage that an instruction updates in place after it was
// made. An error if the manifest says that they are two values; undecided if it says nothing.
// O(outputs log outputs + writes).
[[nodiscard]] std::vector<Finding> CheckSharedOutputs(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_SHARED_OUTPUTS_H_
