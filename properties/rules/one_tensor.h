// What to do about a buffer that is one tensor of the model, and goes by another name in each
// method.
#ifndef PTEPROOF_PROPERTIES_RULES_ONE_TENSOR_H_
#define PTEPROOF_PROPERTIES_RULES_ONE_TENSOR_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// Changes the fix of findings about such a buffer: exporters know buffers by their names, so that
// no setting makes one of them.
void NameOneTensor(const ProgramFacts& facts, std::vector<Finding>& findings);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_ONE_TENSOR_H_
