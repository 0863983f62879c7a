// The rules that one method can break by itself, wherever its values lie in the banks.
#ifndef PTEPROOF_PROPERTIES_RULES_METHOD_RULES_H_
#define PTEPROOF_PROPERTIES_RULES_METHOD_RULES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// All such findings of one method (number `index` of the program): entry values, outputs, dim
// orders, memory that nobody brings, devices.
[[nodiscard]] std::vector<Finding> CheckMethod(const MethodMeaning& meant, const StateTable& states,
                                               size_t index);

// read-before-write of what is used though on some path nothing has made it.
[[nodiscard]] std::vector<Finding> CheckUnmade(const MethodMeaning& meant);

// read-before-write of what is used after its memory was freed. O(accesses log accesses).
[[nodiscard]] std::vector<Finding> CheckFreed(const MethodMeaning& meant);

// not-provable of names whose sizes are not those of their source. O(accesses + names log names).
[[nodiscard]] std::vector<Finding> CheckStaleSizes(const MethodMeaning& meant);

// in-place-alias of constants that are written, in-place-pass-through and self-copy. O(accesses).
[[nodiscard]] std::vector<Finding> CheckResults(const MethodMeaning& meant);

// An output that is a buffer or an input itself, and so denotes its value at entry, though a store
// in the same call overwrites it.
struct LostOutput {
  size_t output = 0;  // position
  int32_t value = 0;
  int32_t store = 0;  // the last instruction that stores to it
};

// The first such output of each value, as the file alone tells.
[[nodiscard]] std::vector<LostOutput> LostOutputs(const MethodMeaning& meant);

// entry-value-lost of LostOutputs.
[[nodiscard]] std::vector<Finding> CheckOutputs(const MethodMeaning& meant);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_METHOD_RULES_H_
