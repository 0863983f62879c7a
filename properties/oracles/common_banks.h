// Which banks a loader gives to all methods in common.
#ifndef PTEPROOF_PROPERTIES_ORACLES_COMMON_BANKS_H_
#define PTEPROOF_PROPERTIES_ORACLES_COMMON_BANKS_H_

#include <cstdint>

#include "pteproof/finding.h"

namespace pteproof {

[[nodiscard]] constexpr bool IsInCommon(Policy policy, uint32_t bank) {
  return policy == Policy::kShareAll || (policy == Policy::kShare12 && bank <= 2);
}

}  // namespace pteproof

#endif  // PTEPROOF_PROPERTIES_ORACLES_COMMON_BANKS_H_
