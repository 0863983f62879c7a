// Calls on tensors whose dim orders the kernel refuses, or may.
#ifndef PTEPROOF_PROPERTIES_RULES_DIM_ORDERS_H_
#define PTEPROOF_PROPERTIES_RULES_DIM_ORDERS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// dim-order-mismatch: an error if ExecuTorch's kernel is known to refuse the call, a warning if it
// is known to put elements in wrong places, a note for the first call on mixed orders of which
// nothing is known. O(arguments), O(tensors) without such orders.
[[nodiscard]] std::vector<Finding> CheckDimOrders(const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_DIM_ORDERS_H_
