// The bytes that a method's values need at once if its inputs are smaller than their bounds.
#ifndef PTEPROOF_PROPERTIES_MEMORY_AT_SIZES_H_
#define PTEPROOF_PROPERTIES_MEMORY_AT_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "properties/compare/computation.h"
#include "pteproof/datum.h"

namespace pteproof::memory {

// The largest sum of bytes in use at one point.
struct BankAtSizes {
  uint32_t bank = 0;
  uint64_t at_bounds = 0;
  uint64_t bytes = 0;
};

struct MethodAtSizes {
  std::vector<BankAtSizes> banks = {};
  std::string unknown = {};  // why the sizes of some result are not known; empty: they are
};

// Sizes of results are those of a call with such inputs, by the operators' rules. `inputs`: one for
// each input of the method, within its bounds. State counts as it is. The cost is that of a call on
// terms.
[[nodiscard]] MethodAtSizes NeedAtSizes(const compare::ComparedSide& side, size_t method,
                                        std::span<const Sizes> inputs);

}  // namespace pteproof::memory

#endif  // PTEPROOF_PROPERTIES_MEMORY_AT_SIZES_H_
