// Do the values inside a delegate's blob keep off each other's memory?
#ifndef PTEPROOF_PROPERTIES_RULES_DELEGATE_PLANS_H_
#define PTEPROOF_PROPERTIES_RULES_DELEGATE_PLANS_H_

#include <cstdint>
#include <vector>

#include "pteproof/finding.h"
#include "pteproof/program.h"
#include "runtime/delegates/opened_blob.h"

namespace pteproof::checks {

// plan-overlap as a warning, as no runtime for such blobs is at hand: a value is written into a
// memory object whose value is read later. At most one for each object. `at`: the call.
// O(n log n) in the operands of the inner nodes.
[[nodiscard]] std::vector<Finding> CheckInnerPlan(const Method& method, int32_t at,
                                                  const delegates::OpenedBlob& opened);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_DELEGATE_PLANS_H_
