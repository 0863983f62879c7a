// Where ExecuTorch's kernels take tensors of any dim order and do not look at it: the call ends
// well, and elements can end up in wrong places. Recorded from the kernels of its release 1.5.1.
#ifndef PTEPROOF_REFERENCE_OP_ELEMENT_ORDERS_H_
#define PTEPROOF_REFERENCE_OP_ELEMENT_ORDERS_H_

#include <span>
#include <string_view>

namespace pteproof {

// Arguments by name, separated by blanks. The kernel goes through the tensors of `matched` element
// by element as they lie in memory, which is right if all are in one order. It computes the places
// in those of `rowwise` as if they were in the default order, and likewise in those of `broadcast`
// if they are not all of the same sizes.
struct OpElementOrders {
  std::string_view op;  // full name
  std::string_view matched = {};
  std::string_view rowwise = {};
  std::string_view broadcast = {};
};

// Null: no call was seen to put elements in wrong places. O(log n).
[[nodiscard]] const OpElementOrders* FindElementOrders(std::string_view full_name);

// All that are recorded, sorted by name.
[[nodiscard]] std::span<const OpElementOrders> AllElementOrders();

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_ELEMENT_ORDERS_H_
