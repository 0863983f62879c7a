// The rules that one method can break by itself, whatever the loader shares.
#ifndef PTEPROOF_PROPERTIES_CHECKS_METHOD_RULES_H_
#define PTEPROOF_PROPERTIES_CHECKS_METHOD_RULES_H_

#include <vector>

#include "base/finding.h"
#include "properties/checks/method_check.h"
#include "properties/checks/state_table.h"

namespace pteproof::checks {

// All findings of one method (number `index` of the program): bounds, alignment, overlaps, aliases,
// in-place updates, entry values.
[[nodiscard]] std::vector<Finding> CheckMethod(const MethodCheck& check, const StateTable& states,
                                               size_t index);

// plan-bounds and plan-alignment: each placement lies in its bank, at a multiple of its element
// size.
[[nodiscard]] std::vector<Finding> CheckPlacements(const MethodCheck& check);

// entry-value-lost of outputs: an output that is the buffer or the input itself denotes its value
// at entry, which a store in the same call has overwritten.
[[nodiscard]] std::vector<Finding> CheckOutputs(const MethodCheck& check);

// output-misbound of unplanned outputs that a region's result is moved to: loaders that bind the
// caller's memory (C++ Module) never fill it.
[[nodiscard]] std::vector<Finding> CheckBoundOutputs(const MethodCheck& check);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_METHOD_RULES_H_
