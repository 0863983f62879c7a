// The instruction after which a run needs a value's contents no more.
#ifndef PTEPROOF_PROPERTIES_ORACLES_LAST_USES_H_
#define PTEPROOF_PROPERTIES_ORACLES_LAST_USES_H_

#include <cstdint>
#include <vector>

#include "meaning/method_meaning.h"

namespace pteproof {

struct LastUses {
  // Per value: the instruction with its last use; -1: none has any; the number of instructions: it
  // is an output.
  std::vector<int32_t> of;
  // The other way round, without outputs. What has no use stands at the first instruction.
  std::vector<std::vector<int32_t>> at;
};

// A value is used by the instructions that list it, and by the names that are born of it. In a loop
// it is needed until the loop ends. O(n log n) in values and arguments.
[[nodiscard]] LastUses LastUsesOf(const meaning::MethodMeaning& meant);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_LAST_USES_H_
