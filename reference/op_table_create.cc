// Operators that make a result from sizes and numbers, not from the elements of a tensor.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kCreateRows[] = {
    {"aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    // Any bytes are right, and from here on they are the value: so the result counts as written.
    {"aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"dim_order_ops::_empty_dim_order.out(int[] size, *, int[]? dim_order=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    // Of self only the sizes matter.
    {"aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)", "",
     "self=none"},
    {"aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)", "",
     "self=none"},
    {"aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, "
     "Tensor(a!) out) -> Tensor(a!)",
     "", "self=none"},
    // From sizes.
    {"aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::rand.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::randn.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
};

}  // namespace

std::span<const OpRow> CreateRows() {
  return kCreateRows;
}

}  // namespace pteproof
