// The rules that one method can break by itself, whatever the loader shares.
#ifndef PTEPROOF_PROPERTIES_CHECKS_RULES_METHOD_RULES_H_
#define PTEPROOF_PROPERTIES_CHECKS_RULES_METHOD_RULES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/checks/flow/method_check.h"
#include "properties/checks/rules/state_table.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// All findings of one method (number `index` of the program): bounds, alignment, overlaps, aliases,
// in-place updates, entry values.
[[nodiscard]] std::vector<Finding> CheckMethod(const MethodCheck& check, const StateTable& states,
                                               size_t index);

// plan-bounds and plan-alignment: each placement lies in its bank, at a multiple of its element
// size.
[[nodiscard]] std::vector<Finding> CheckPlacements(const MethodCheck& check);

// An output that is a buffer or an input itself, and so denotes its value at entry, though a store
// in the same call overwrites it.
struct LostOutput {
  size_t output = 0;  // position
  int32_t value = 0;
  int32_t store = 0;  // the last instruction that stores to it
};

// The first such output of each value, as the file alone tells.
[[nodiscard]] std::vector<LostOutput> LostOutputs(const MethodCheck& check);

// entry-value-lost of LostOutputs.
[[nodiscard]] std::vector<Finding> CheckOutputs(const MethodCheck& check);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_CHECKS_RULES_METHOD_RULES_H_
