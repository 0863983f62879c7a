// Each operator was called on tensors in all combinations of the default order and another, and its
// results were compared with those of the default order; tests/executorch does so again. An
// operator stands here if some results were others: an argument of `rowwise` may still be right for
// some sizes and dimensions, as a slice of the outermost dimension is.
#include "reference/op_element_orders.h"

#include <algorithm>

namespace pteproof {
namespace {

constexpr OpElementOrders kElementOrders[] = {
    {"aten::_log_softmax.out", "", "self out"},
    {"aten::_softmax.out", "", "self"},
    {"aten::_upsample_bilinear2d_aa.out", "self out"},
    {"aten::add.out", "", "", "self other out"},
    {"aten::amax.out", "", "self"},
    {"aten::amin.out", "", "self"},
    {"aten::argmax.out", "", "self"},
    {"aten::argmin.out", "", "self"},
    {"aten::atan2.out", "", "", "self other out"},
    {"aten::bitwise_and.Tensor_out", "", "", "self other out"},
    {"aten::bitwise_left_shift.Tensor_out", "", "", "self other out"},
    {"aten::bitwise_or.Tensor_out", "", "", "self other out"},
    {"aten::bitwise_right_shift.Tensor_out", "", "", "self other out"},
    {"aten::bitwise_xor.Tensor_out", "", "", "self other out"},
    {"aten::bmm.out", "", "self mat2 out"},
    {"aten::cat.out", "", "tensors"},
    {"aten::constant_pad_nd.out", "", "self"},
    {"aten::convolution_backward.out", "input weight out0 out1"},
    {"aten::copy.out", "self src"},
    {"aten::cumsum.out", "", "self"},
    {"aten::div.out", "", "", "self other out"},
    {"aten::div.out_mode", "", "", "self other out"},
    {"aten::eq.Tensor_out", "", "", "self other out"},
    {"aten::exp.out", "self out"},
    {"aten::flip.out", "", "self"},
    {"aten::floor_divide.out", "", "", "self other out"},
    {"aten::fmod.Tensor_out", "", "", "self other out"},
    {"aten::gather.out", "", "self index out"},
    {"aten::ge.Tensor_out", "", "", "self other out"},
    {"aten::gelu.out", "self out"},
    {"aten::glu.out", "", "self"},
    {"aten::gt.Tensor_out", "", "", "self other out"},
    {"aten::index.Tensor_out", "", "indices"},
    {"aten::le.Tensor_out", "", "", "self other out"},
    {"aten::linear.out", "", "input weight out"},
    {"aten::logical_and.out", "", "", "self other out"},
    {"aten::logical_or.out", "", "", "self other out"},
    {"aten::logical_xor.out", "", "", "self other out"},
    {"aten::lt.Tensor_out", "", "", "self other out"},
    {"aten::masked_fill.Scalar_out", "", "", "self mask out"},
    {"aten::masked_scatter.out", "", "source"},
    {"aten::max_pool2d_with_indices.out", "out indices"},
    {"aten::max_pool2d_with_indices_backward.grad_input", "", "grad_output indices grad_input"},
    {"aten::maximum.out", "", "", "self other out"},
    {"aten::minimum.out", "", "", "self other out"},
    {"aten::mm.out", "", "self mat2 out"},
    {"aten::mul.out", "", "", "self other out"},
    {"aten::narrow_copy.out", "", "self out"},
    {"aten::native_layer_norm.out", "", "input out0"},
    {"aten::ne.Tensor_out", "", "", "self other out"},
    {"aten::nonzero.out", "", "self out"},
    {"aten::permute_copy.out", "", "self"},
    {"aten::pixel_unshuffle.out", "", "self out"},
    {"aten::pow.Tensor_Tensor_out", "", "", "self exponent out"},
    {"aten::prod.int_out", "", "out"},
    {"aten::remainder.Tensor_out", "", "", "self other out"},
    {"aten::replication_pad1d.out", "", "self out"},
    {"aten::replication_pad2d.out", "", "self out"},
    {"aten::replication_pad3d.out", "", "self out"},
    {"aten::roll.out", "", "self"},
    {"aten::scatter.src_out", "", "self src out"},
    {"aten::scatter.value_out", "", "self index out"},
    {"aten::scatter_add.out", "", "src"},
    {"aten::slice_copy.Tensor_out", "", "self"},
    {"aten::slice_scatter.out", "", "self src"},
    {"aten::split_with_sizes_copy.out", "", "self"},
    {"aten::sub.out", "", "", "self other out"},
    {"aten::topk.values", "", "self values indices"},
    {"aten::transpose_copy.int_out", "", "self"},
    {"aten::unsqueeze_copy.out", "self out"},
    {"aten::where.self_out", "", "", "condition self other out"},
    {"executorch_prim::et_copy_index.tensor", "", "copy_to copy_from"},
    {"quantized_decomposed::add.out", "a b out"},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out", "",
     "input scale_out zero_point_out"},
    {"quantized_decomposed::dequantize_per_channel.out", "input out"},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out", "input out"},
    {"quantized_decomposed::dequantize_per_tensor.out", "input out"},
    {"quantized_decomposed::dequantize_per_token.out", "", "input scales zero_points out"},
    {"quantized_decomposed::embedding_2bit.dtype_out", "",
     "weight weight_scales weight_zero_points indices out"},
    {"quantized_decomposed::embedding_2bit.out", "",
     "weight weight_scales weight_zero_points indices out"},
    {"quantized_decomposed::embedding_4bit.dtype_out", "",
     "weight weight_scales weight_zero_points indices out"},
    {"quantized_decomposed::embedding_4bit.out", "",
     "weight weight_scales weight_zero_points indices out"},
    {"quantized_decomposed::embedding_byte.dtype_out", "",
     "weight weight_scales weight_zero_points indices out"},
    {"quantized_decomposed::embedding_byte.out", "",
     "weight weight_scales weight_zero_points indices out"},
    {"quantized_decomposed::mixed_linear.out", "", "input weight weight_scales out"},
    {"quantized_decomposed::mixed_mm.out", "", "input weight out"},
    {"quantized_decomposed::quantize_per_channel.out", "", "input out"},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out", "input out"},
    {"quantized_decomposed::quantize_per_tensor.out", "input out"},
    {"quantized_decomposed::quantize_per_token.out", "", "input scales zero_points out"},
};

static_assert(std::ranges::is_sorted(kElementOrders, {}, &OpElementOrders::op));

}  // namespace

const OpElementOrders* FindElementOrders(std::string_view full_name) {
  const auto* found = std::ranges::lower_bound(kElementOrders, full_name, {}, &OpElementOrders::op);
  return found != std::end(kElementOrders) && found->op == full_name ? found : nullptr;
}

std::span<const OpElementOrders> AllElementOrders() {
  return kElementOrders;
}

}  // namespace pteproof
