// In-place operators by the functional form that each means, with the same operands. zero_ has
// none: its row is in its family's table.
#include "reference/op_meaning.h"

namespace pteproof {
namespace {

constexpr InPlaceForm kForms[] = {
    {"aten::copy_", "aten::copy.out"},
    {"aten::fill_.Scalar", "aten::fill.Scalar_out"},
    {"aten::fill_.Tensor", "aten::fill.Tensor_out"},
    {"aten::index_put_", "aten::index_put.out"},
    {"aten::index_add_", "aten::index_add.out"},
    {"aten::index_copy_", "aten::index_copy.out"},
    {"aten::index_fill_.int_Scalar", "aten::index_fill.int_Scalar_out"},
    {"aten::index_fill_.int_Tensor", "aten::index_fill.int_Tensor_out"},
    {"aten::scatter_.src", "aten::scatter.src_out"},
    {"aten::scatter_.value", "aten::scatter.value_out"},
    {"aten::scatter_add_", "aten::scatter_add.out"},
    {"aten::abs_", "aten::abs.out"},
    {"aten::bitwise_not_", "aten::bitwise_not.out"},
    {"aten::ceil_", "aten::ceil.out"},
    {"aten::cos_", "aten::cos.out"},
    {"aten::erf_", "aten::erf.out"},
    {"aten::exp_", "aten::exp.out"},
    {"aten::floor_", "aten::floor.out"},
    {"aten::log_", "aten::log.out"},
    {"aten::logical_not_", "aten::logical_not.out"},
    {"aten::neg_", "aten::neg.out"},
    {"aten::reciprocal_", "aten::reciprocal.out"},
    {"aten::relu_", "aten::relu.out"},
    {"aten::round_", "aten::round.out"},
    {"aten::rsqrt_", "aten::rsqrt.out"},
    {"aten::sigmoid_", "aten::sigmoid.out"},
    {"aten::sign_", "aten::sign.out"},
    {"aten::sin_", "aten::sin.out"},
    {"aten::sqrt_", "aten::sqrt.out"},
    {"aten::tanh_", "aten::tanh.out"},
    {"aten::trunc_", "aten::trunc.out"},
    {"aten::clamp_", "aten::clamp.out"},
    {"aten::elu_", "aten::elu.out"},
    {"aten::gelu_", "aten::gelu.out"},
    {"aten::hardtanh_", "aten::hardtanh.out"},
    {"aten::leaky_relu_", "aten::leaky_relu.out"},
    {"aten::add_.Tensor", "aten::add.out"},
    {"aten::sub_.Tensor", "aten::sub.out"},
    {"aten::mul_.Tensor", "aten::mul.out"},
    {"aten::div_.Tensor", "aten::div.out"},
    {"aten::div_.Tensor_mode", "aten::div.out_mode"},
    {"aten::bitwise_and_.Tensor", "aten::bitwise_and.Tensor_out"},
    {"aten::bitwise_or_.Tensor", "aten::bitwise_or.Tensor_out"},
    {"aten::bitwise_xor_.Tensor", "aten::bitwise_xor.Tensor_out"},
    {"aten::logical_and_", "aten::logical_and.out"},
    {"aten::logical_or_", "aten::logical_or.out"},
    {"aten::pow_.Tensor", "aten::pow.Tensor_Tensor_out"},
    {"aten::remainder_.Tensor", "aten::remainder.Tensor_out"},
    {"aten::add_.Scalar", "aten::add.Scalar_out"},
    {"aten::sub_.Scalar", "aten::sub.Scalar_out"},
    {"aten::mul_.Scalar", "aten::mul.Scalar_out"},
    {"aten::div_.Scalar", "aten::div.Scalar_out"},
    {"aten::pow_.Scalar", "aten::pow.Tensor_Scalar_out"},
    {"aten::remainder_.Scalar", "aten::remainder.Scalar_out"},
    {"aten::masked_fill_.Scalar", "aten::masked_fill.Scalar_out"},
};

}  // namespace

std::span<const InPlaceForm> InPlaceForms() {
  return kForms;
}

}  // namespace pteproof
