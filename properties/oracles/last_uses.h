// The instruction after which a run needs a value's contents no more.
#ifndef PTEPROOF_PROPERTIES_ORACLES_LAST_USES_H_
#define PTEPROOF_PROPERTIES_ORACLES_LAST_USES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "properties/oracles/storage_names.h"
#include "pteproof/program.h"

namespace pteproof {

struct LastUses {
  // Per value: the instruction with its last use; -1: none has any; the number of instructions: it
  // is an output.
  std::vector<int32_t> of;
  // The other way round, without outputs. What has no use stands at the first instruction.
  std::vector<std::vector<int32_t>> at;
};

// A value is used by the instructions that list it, and as often as the names of its bytes. In a
// loop it is needed until the loop ends. O(n log n) in values and arguments.
[[nodiscard]] LastUses LastUsesOf(const Method& method, std::span<const StorageName> names);

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_LAST_USES_H_
