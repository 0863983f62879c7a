// Operators that read one tensor element by element.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kUnaryRows[] = {
    {"aten::_conj_physical.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    // With numbers beside the tensor.
    {"aten::clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, "
     "Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::gelu.out(Tensor self, *, str approximate='none', Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::native_dropout.out(Tensor input, float p, bool? train, *, Tensor(a!) out0, Tensor(b!) "
     "out1) -> (Tensor(a!), Tensor(b!))",
     "input"},
    // Copies that keep the linear order.
    {"aten::alias_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::detach_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)",
     "self"},
    {"aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? "
     "memory_format=None, Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"dim_order_ops::_to_dim_order_copy.out(Tensor self, *, bool non_blocking=False, int[]? "
     "dim_order=None, Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"dim_order_ops::_clone_dim_order.out(Tensor self, *, bool non_blocking=False, int[]? "
     "dim_order=None, Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::view_copy.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::squeeze_copy.dim_out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", "self"},
    {"aten::squeeze_copy.dims_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)",
     "self"},
    {"aten::unsqueeze_copy.out(Tensor self, int dim, *, Tensor(a!) out) -> Tensor(a!)", "self"},
};

}  // namespace

std::span<const OpRow> UnaryRows() {
  return kUnaryRows;
}

}  // namespace pteproof
