// Each operator was called on tensors of four dimensions in all combinations of the default order
// and channels-last; tests/executorch does so again. A row says which combinations the kernel
// refuses. A tensor of fewer dimensions cannot be channels-last, so beside channels-last tensors in
// `alike` it is refused too.
//
// The dim_order_ops are told the order of their result by an argument, which exporters make to fit.
#include "reference/op_dim_orders.h"

#include <algorithm>
#include <cstddef>

namespace pteproof {
namespace {

constexpr OpDimOrders kDimOrders[] = {
    {"aten::_adaptive_avg_pool2d.out", "", "self out"},
    {"aten::_cdist_forward.out", "", "x1 x2 out"},
    {"aten::_conj_physical.out", "self out"},
    {"aten::_fft_r2c.out", "self out"},
    {"aten::_log_softmax.out"},
    {"aten::_native_batch_norm_legit.no_stats_out", "", "input out"},
    {"aten::_native_batch_norm_legit.out", "", "input out"},
    {"aten::_native_batch_norm_legit_no_training.out", "", "input out"},
    {"aten::_softmax.out", "self out"},
    {"aten::_to_copy.out", "", "self out"},
    {"aten::_upsample_bilinear2d_aa.out"},
    {"aten::abs.out", "self out"},
    {"aten::acos.out", "self out"},
    {"aten::acosh.out", "self out"},
    {"aten::add.Scalar_out", "self out"},
    {"aten::add.out", "self other out"},
    {"aten::alias_copy.out", "self out"},
    {"aten::amax.out", "self out"},
    {"aten::amin.out", "self out"},
    {"aten::any.all_out", "self out"},
    {"aten::any.dims_out", "self out"},
    {"aten::any.out", "self out"},
    {"aten::argmax.out", "self out"},
    {"aten::argmin.out", "self out"},
    {"aten::asin.out", "self out"},
    {"aten::asinh.out", "self out"},
    {"aten::atan.out", "self out"},
    {"aten::atan2.out", "self other out"},
    {"aten::atanh.out", "self out"},
    {"aten::avg_pool2d.out", "", "self out"},
    {"aten::bitwise_and.Scalar_out", "self out"},
    {"aten::bitwise_and.Tensor_out", "self other out"},
    {"aten::bitwise_left_shift.Tensor_Scalar_out", "self out"},
    {"aten::bitwise_left_shift.Tensor_out", "self other out"},
    {"aten::bitwise_not.out", "self out"},
    {"aten::bitwise_or.Scalar_out", "self out"},
    {"aten::bitwise_or.Tensor_out", "self other out"},
    {"aten::bitwise_right_shift.Tensor_Scalar_out", "self out"},
    {"aten::bitwise_right_shift.Tensor_out", "self other out"},
    {"aten::bitwise_xor.Scalar_out", "self out"},
    {"aten::bitwise_xor.Tensor_out", "self other out"},
    {"aten::cat.out", "tensors out"},
    {"aten::ceil.out", "self out"},
    {"aten::clamp.Tensor_out", "self min max out"},
    {"aten::clamp.out", "self out"},
    {"aten::clone.out", "self out"},
    {"aten::constant_pad_nd.out", "self out"},
    {"aten::convolution.out", "input out"},
    {"aten::convolution_backward.out"},
    {"aten::copy.out", "self out"},
    {"aten::copy_", "self src"},
    {"aten::cos.out", "self out"},
    {"aten::cosh.out", "self out"},
    {"aten::cumsum.out", "self out"},
    {"aten::detach_copy.out", "self out"},
    {"aten::div.Scalar_mode_out", "self out"},
    {"aten::div.Scalar_out", "self out"},
    {"aten::div.out", "self other out"},
    {"aten::div.out_mode", "self other out"},
    {"aten::elu.out", "self out"},
    {"aten::embedding.out", "", "out"},
    {"aten::eq.Scalar_out", "self out"},
    {"aten::eq.Tensor_out", "self other out"},
    {"aten::erf.out", "self out"},
    {"aten::exp.out"},
    {"aten::expm1.out", "self out"},
    {"aten::fill.Scalar_out", "self out"},
    {"aten::fill.Tensor_out", "self out"},
    {"aten::flip.out", "self out"},
    {"aten::floor.out", "self out"},
    {"aten::floor_divide.out", "self other out"},
    {"aten::fmod.Scalar_out", "self out"},
    {"aten::fmod.Tensor_out", "self other out"},
    {"aten::full_like.out", "", "self out"},
    {"aten::gather.out"},
    {"aten::ge.Scalar_out", "self out"},
    {"aten::ge.Tensor_out", "self other out"},
    {"aten::gelu.out"},
    {"aten::glu.out", "self out"},
    {"aten::grid_sampler_2d.out", "", "input"},
    {"aten::gt.Scalar_out", "self out"},
    {"aten::gt.Tensor_out", "self other out"},
    {"aten::hardtanh.out", "self out"},
    {"aten::index.Tensor_out", "", "self out"},
    {"aten::index_put.out", "", "self out"},
    {"aten::index_put_", "", "self values"},
    {"aten::index_select.out", "", "self out"},
    {"aten::isinf.out", "self out"},
    {"aten::isnan.out", "self out"},
    {"aten::le.Scalar_out", "self out"},
    {"aten::le.Tensor_out", "self other out"},
    {"aten::leaky_relu.out", "self out"},
    {"aten::lift_fresh_copy.out", "self out"},
    {"aten::linear.out"},
    {"aten::log.out", "self out"},
    {"aten::log10.out", "self out"},
    {"aten::log1p.out", "self out"},
    {"aten::log2.out", "self out"},
    {"aten::logical_and.out", "self other out"},
    {"aten::logical_not.out", "self out"},
    {"aten::logical_or.out", "self other out"},
    {"aten::logical_xor.out", "self other out"},
    {"aten::logit.out", "self out"},
    {"aten::lt.Scalar_out", "self out"},
    {"aten::lt.Tensor_out", "self other out"},
    {"aten::masked_fill.Scalar_out", "self mask out"},
    {"aten::masked_scatter.out", "self mask out"},
    {"aten::max.dim_max", "", "self max max_indices"},
    {"aten::max.unary_out", "self out"},
    {"aten::max_pool2d_with_indices.out"},
    {"aten::max_pool2d_with_indices_backward.grad_input"},
    {"aten::maximum.out", "self other out"},
    {"aten::mean.dtype_out", "self out"},
    {"aten::mean.out", "", "self out"},
    {"aten::min.dim_min", "", "self min min_indices"},
    {"aten::min.unary_out", "self out"},
    {"aten::minimum.out", "self other out"},
    {"aten::mul.Scalar_out", "self out"},
    {"aten::mul.out", "self other out"},
    {"aten::narrow_copy.out"},
    {"aten::native_dropout.out", "input out0 out1"},
    {"aten::native_group_norm.out", "", "input out0"},
    {"aten::native_layer_norm.out"},
    {"aten::ne.Scalar_out", "self out"},
    {"aten::ne.Tensor_out", "self other out"},
    {"aten::neg.out", "self out"},
    {"aten::permute_copy.out", "self out"},
    {"aten::pixel_shuffle.out", "", "self out"},
    {"aten::pixel_unshuffle.out"},
    {"aten::pow.Scalar_out", "exponent out"},
    {"aten::pow.Tensor_Scalar_out", "self out"},
    {"aten::pow.Tensor_Tensor_out", "self exponent out"},
    {"aten::prod.int_out"},
    {"aten::prod.out"},
    {"aten::reciprocal.out", "self out"},
    {"aten::reflection_pad2d.out", "", "self out"},
    {"aten::reflection_pad3d.out", "", "self out"},
    {"aten::relu.out", "self out"},
    {"aten::remainder.Scalar_out", "self out"},
    {"aten::remainder.Tensor_out", "self other out"},
    {"aten::replication_pad2d.out"},
    {"aten::replication_pad3d.out"},
    {"aten::roll.out", "self out"},
    {"aten::round.out", "self out"},
    {"aten::rsqrt.out", "self out"},
    {"aten::rsub.Scalar_out", "self out"},
    {"aten::scatter.src_out"},
    {"aten::scatter.value_out"},
    {"aten::scatter_add.out", "self src out", "index"},
    {"aten::sigmoid.out", "self out"},
    {"aten::sign.out", "self out"},
    {"aten::sin.out", "self out"},
    {"aten::sinh.out", "self out"},
    {"aten::slice_copy.Tensor_out", "self out"},
    {"aten::slice_scatter.out", "self out"},
    {"aten::split_copy.Tensor_out", "self out"},
    {"aten::split_with_sizes_copy.out", "self out"},
    {"aten::sqrt.out", "self out"},
    {"aten::squeeze_copy.dims_out", "self out"},
    {"aten::stack.out", "tensors out"},
    {"aten::sub.Scalar_out", "self out"},
    {"aten::sub.out", "self other out"},
    {"aten::sum.IntList_out", "", "self out"},
    {"aten::tan.out", "self out"},
    {"aten::tanh.out", "self out"},
    {"aten::topk.values"},
    {"aten::transpose_copy.int_out", "self out"},
    {"aten::tril.out", "", "self out"},
    {"aten::trunc.out", "self out"},
    {"aten::unbind_copy.int_out", "self out"},
    {"aten::unfold_copy.out", "", "self out"},
    {"aten::upsample_bilinear2d.vec_out", "input out"},
    {"aten::upsample_nearest2d.vec_out", "input out"},
    {"aten::var.correction_out"},
    {"aten::var.out", "", "self out"},
    {"aten::var_mean.correction_out"},
    {"aten::view_as_real_copy.out", "", "out"},
    {"aten::where.self_out", "condition self other out"},
    {"dim_order_ops::_clone_dim_order.out"},
    {"dim_order_ops::_empty_dim_order.out"},
    {"dim_order_ops::_to_dim_order_copy.out"},
    {"quantized_decomposed::add.out"},
    {"quantized_decomposed::choose_qparams.Tensor_out"},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out"},
    {"quantized_decomposed::dequantize_per_channel.out"},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out"},
    {"quantized_decomposed::dequantize_per_tensor.out"},
    {"quantized_decomposed::dequantize_per_token.out"},
    {"quantized_decomposed::quantize_per_channel.out"},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out"},
    {"quantized_decomposed::quantize_per_tensor.out"},
    {"quantized_decomposed::quantize_per_token.out"},
};

static_assert(std::ranges::is_sorted(kDimOrders, {}, &OpDimOrders::op));

}  // namespace

const OpDimOrders* FindDimOrders(std::string_view full_name) {
  const auto* found = std::ranges::lower_bound(kDimOrders, full_name, {}, &OpDimOrders::op);
  return found != std::end(kDimOrders) && found->op == full_name ? found : nullptr;
}

std::span<const OpDimOrders> AllDimOrders() {
  return kDimOrders;
}

bool ListsArgument(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const size_t blank = list.find(' ');
    if (list.substr(0, blank) == name) return true;
    list = blank == std::string_view::npos ? std::string_view{} : list.substr(blank + 1);
  }
  return false;
}

bool IsDefaultOrder(std::span<const int> dim_order) {
  return std::ranges::is_sorted(dim_order);
}

bool IsChannelsLast(std::span<const int> dim_order) {
  const size_t rank = dim_order.size();
  if ((rank != 4 && rank != 5) || dim_order.front() != 0 || dim_order.back() != 1) return false;
  return std::ranges::is_sorted(dim_order.first(rank - 1));
}

}  // namespace pteproof
