// In-place operators: those that exporters emit by default (copy_, index_put_) and those that their
// rewriting to in-place forms can emit when asked to.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kInPlaceRows[] = {
    // Overwritten without a look at what was there.
    {"aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)", "src",
     "self=write"},
    {"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)", "", "self=write"},
    {"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)", "", "self=write"},
    {"aten::zero_(Tensor(a!) self) -> Tensor(a!)", "", "self=write"},
    // A part is written, the rest stays.
    {"aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) "
     "-> Tensor(a!)",
     "self"},
    {"aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) "
     "-> Tensor(a!)",
     "self"},
    {"aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)",
     "self"},
    {"aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> "
     "Tensor(a!)",
     "self"},
    {"aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> "
     "Tensor(a!)",
     "self"},
    {"aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)",
     "self"},
    {"aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)",
     "self"},
    {"aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)",
     "self"},
    // Element by element.
    {"aten::abs_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::bitwise_not_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::ceil_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::cos_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::erf_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::exp_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::floor_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::log_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::logical_not_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::neg_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::reciprocal_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::relu_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::round_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::rsqrt_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::sign_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::sin_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::sqrt_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::tanh_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::trunc_(Tensor(a!) self) -> Tensor(a!)", "self"},
    {"aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)", "self"},
    {"aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> "
     "Tensor(a!)",
     "self"},
    {"aten::gelu_(Tensor(a!) self, *, str approximate='none') -> Tensor(a!)", "self"},
    {"aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)", "self"},
    {"aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", "self"},
    {"aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
     "self other"},
    {"aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)",
     "self other"},
    {"aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)",
     "self other"},
    {"aten::bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)", "self exponent"},
    {"aten::remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", "self other"},
    {"aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", "self"},
    {"aten::sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)", "self"},
    {"aten::mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", "self"},
    {"aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", "self"},
    {"aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)", "self"},
    {"aten::remainder_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", "self"},
    {"aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)",
     "self mask"},
};

}  // namespace

std::span<const OpRow> InPlaceRows() {
  return kInPlaceRows;
}

}  // namespace pteproof
