// The dim orders that ExecuTorch's kernels take: a call on others ends with an error at run time.
// Recorded from the kernels of its release 1.5.1, operator by operator.
#ifndef PTEPROOF_REFERENCE_OP_DIM_ORDERS_H_
#define PTEPROOF_REFERENCE_OP_DIM_ORDERS_H_

#include <span>
#include <string_view>

namespace pteproof {

// Arguments by name, separated by blanks. The tensors of `alike` are all in the default order, or
// all channels-last; those of `plain` are in the default order; those of `either` are in one of the
// two, each for itself. The kernel takes any order of the others: whether it heeds them is told by
// reference/op_element_orders.h.
struct OpDimOrders {
  std::string_view op;  // full name
  std::string_view alike = {};
  std::string_view plain = {};
  std::string_view either = {};
};

// Null: nothing was recorded of the operator. O(log n).
[[nodiscard]] const OpDimOrders* FindDimOrders(std::string_view full_name);

// All that are recorded, sorted by name.
[[nodiscard]] std::span<const OpDimOrders> AllDimOrders();

// Whether an argument stands in such a list.
[[nodiscard]] bool ListsArgument(std::string_view list, std::string_view name);

// [0, 1, 2, ...]: elements lie row by row.
[[nodiscard]] bool IsDefaultOrder(std::span<const int> dim_order);
// [0, 2, 3, 1] or [0, 2, 3, 4, 1].
[[nodiscard]] bool IsChannelsLast(std::span<const int> dim_order);

}  // namespace pteproof

#endif  // PTEPROOF_REFERENCE_OP_DIM_ORDERS_H_
