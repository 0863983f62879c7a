// Parameters that a training program returns for the optimiser to update.
#ifndef PTEPROOF_PROPERTIES_RULES_TRAINED_PARAMETERS_H_
#define PTEPROOF_PROPERTIES_RULES_TRAINED_PARAMETERS_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// memory-missing, a warning: a method that trains returns parameters that are constant data. Where
// the loader maps the file, nobody may write there. O(methods * log(methods) + outputs).
[[nodiscard]] std::vector<Finding> CheckTrainedParameters(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_TRAINED_PARAMETERS_H_
