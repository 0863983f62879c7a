// concurrent-access: calls of two methods at the same time.
#ifndef PTEPROOF_PROPERTIES_RULES_CONCURRENT_ACCESS_H_
#define PTEPROOF_PROPERTIES_RULES_CONCURRENT_ACCESS_H_

#include <vector>

#include "properties/rules/shared_state.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// One finding for each two methods, bank and kind. Empty unless the use is Use::kConcurrent.
// O(n log n) in accesses.
[[nodiscard]] std::vector<Finding> CheckConcurrentAccess(const ProgramFacts& facts);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_CONCURRENT_ACCESS_H_
