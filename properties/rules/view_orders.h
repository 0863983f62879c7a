// Views whose elements do not lie where those of the viewed value do: their dim orders differ.
#ifndef PTEPROOF_PROPERTIES_RULES_VIEW_ORDERS_H_
#define PTEPROOF_PROPERTIES_RULES_VIEW_ORDERS_H_

#include <vector>

#include "properties/vocabulary.h"
#include "pteproof/finding.h"

namespace pteproof::checks {

// Whether the elements lie row by row, whatever the order of dimensions of one element.
[[nodiscard]] bool IsRowMajor(const Method& method, const Tensor& tensor);

// Warnings of the rule dim-order-mismatch, one for each such view. O(names of one content).
[[nodiscard]] std::vector<Finding> CheckViewOrders(const MethodFlow& flow);

}  // namespace pteproof::checks

#endif  // PTEPROOF_PROPERTIES_RULES_VIEW_ORDERS_H_
