// Memory that the loader does not give: state without a placement, and values whose memory the
// loader replaces before a call.
#ifndef PTEPROOF_PROPERTIES_RULES_MISSING_MEMORY_H_
#define PTEPROOF_PROPERTIES_RULES_MISSING_MEMORY_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// Whether the name becomes the tensor itself, by a move or as what a call returns. An et_view takes
// its bytes, and stays a tensor of its own.
[[nodiscard]] bool IsSameTensor(const MethodMeaning& meant, const Rename& r);

// memory-missing, undecided: each buffer without a placement that the method uses. ExecuTorch's own
// loaders leave a null pointer there. O(values).
[[nodiscard]] std::vector<Finding> CheckStateMemory(const MethodMeaning& meant);

// output-misbound under share-all: each unplanned value that is an input and an output, and whose
// value at entry is used. The Python Runtime binds the memory of outputs after that of inputs.
// O(inputs + outputs + instructions).
[[nodiscard]] std::vector<Finding> CheckBoundInputs(const MethodMeaning& meant);

// output-misbound: unplanned outputs that a move, or the returned name of an update in place, makes
// names of another tensor. From the second call on, the loader gives that tensor the output's
// memory. An error if the tensor wants what is in its own bytes, or is left in memory of an earlier
// call; else a warning: the value need not be in the memory that the caller has set. O(n log n) in
// renames and transfers.
[[nodiscard]] std::vector<Finding> CheckBoundOutputs(const MethodMeaning& meant,
                                                     const StateTable& states, size_t index);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_MISSING_MEMORY_H_
