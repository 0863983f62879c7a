// Operators of Cadence's DSPs, as its ahead-of-time compiler registers them. Their kernels are not
// in ExecuTorch's wheel, so that no operand is marked elementwise.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kCadenceRows[] = {
    // Between floats and integers.
    {"cadence::{,de}quantize_per_tensor{,_asym8s,_asym8u,_asym16s,_asym16u,_asym32s}.out(Tensor "
     "input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::requantize.out(Tensor input, Tensor in_scale, Tensor in_zero_point, Tensor "
     "out_scale, Tensor out_zero_point, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::requantize.per_tensor_out(Tensor input, float in_scale, int in_zero_point, float "
     "out_scale, int out_zero_point, ScalarType out_dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    // One tensor or two, element by element.
    {"cadence::quantized_relu{,_per_tensor}.out(Tensor X, Tensor X_zero_point, int "
     "out_zero_point, Tensor out_multiplier, Tensor out_shift, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_relu{,_asym8s_asym8s,_asym8u_asym8u}.per_tensor_out(Tensor X, int "
     "X_zero_point, int out_zero_point, int out_multiplier, int out_shift, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cadence::quantized_{add,mul}.out(Tensor X, Tensor X_scale, Tensor X_zero_point, Tensor Y, "
     "Tensor Y_scale, Tensor Y_zero_point, float out_scale, int out_zero_point, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"cadence::quantized_{mul,add,add_asym8sxasym8s_asym8s,add_asym8uxasym8u_asym8u}."
     "per_tensor_out(Tensor X, float X_scale, int X_zero_point, Tensor Y, float Y_scale, int "
     "Y_zero_point, float "
     "out_scale, int out_zero_point, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_{add,mul}_Scalar.out(Tensor X, Tensor X_scale, Tensor X_zero_point, "
     "Scalar Y, float out_scale, int out_zero_point, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::where_Scalar.out(Tensor condition, float self, float other, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    // Convolutions.
    {"cadence::conv1d.out(Tensor input, Tensor weight, Tensor bias, int[1] stride, SymInt[1] "
     "padding, int[1] dilation, int groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::conv2d.out(Tensor input, Tensor weight, Tensor bias, int[2] stride, SymInt[2] "
     "padding, int[2] dilation, int groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::conv3d.out(Tensor input, Tensor weight, Tensor bias, int[3] stride, SymInt[3] "
     "padding, int[3] dilation, int groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::transposed_convolution.out(Tensor input, Tensor weight, Tensor bias, int[] stride, "
     "SymInt[] padding, int[] dilation, SymInt[] output_padding, int groups, bool "
     "channel_last=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_conv{1d_ncl,1d_nlc,2d_nchw,2d_nhwc}.out(Tensor input, Tensor weight, "
     "Tensor bias, int[] stride, SymInt[] padding, int[] dilation, int groups, int "
     "input_zero_point, Tensor weight_zero_point, Tensor bias_scale, float out_scale, int "
     "out_zero_point, Tensor out_multiplier, Tensor out_shift, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_{depthwise_conv1d_ncl,depthwise_conv1d_nlc,conv1d_ncl,conv2d_nchw}."
     "per_tensor_out(Tensor input, Tensor weight, Tensor bias, int[] stride, SymInt[] padding, "
     "int[] dilation, "
     "int groups, int input_zero_point, int weight_zero_point, float bias_scale, float out_scale, "
     "int out_zero_point, int out_multiplier, int out_shift, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_conv2d_{nchw,nhwc}_{,dilated_,depthwise_}{asym8sxsym8s_asym8s,"
     "asym8uxsym8u_asym8u}.per_tensor_out(Tensor input, Tensor weight, Tensor bias, int[] stride, "
     "SymInt[] padding, int[] dilation, int groups, int input_zero_point, int weight_zero_point, "
     "float bias_scale, float out_scale, int out_zero_point, int out_multiplier, int out_shift, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_conv{1d_nlc,2d_nhwc}.per_tensor_out(Tensor input, Tensor weight, Tensor "
     "bias, int[] stride, SymInt[] padding, int[] dilation, int groups, int input_zero_point, int "
     "weight_zero_point, float bias_scale, float out_scale, int out_zero_point, int "
     "out_multiplier, int out_shift, Tensor? offset=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_conv2d_depthwise_nhwc.out(Tensor input, Tensor weight, Tensor bias, "
     "int[] stride, SymInt[] padding, int[] dilation, int groups, int input_zero_point, int "
     "weight_zero_point, float bias_scale, float out_scale, int out_zero_point, int "
     "out_multiplier, int out_shift, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_conv.out(Tensor input, Tensor weight, Tensor bias, int[] stride, "
     "SymInt[] padding, int[] dilation, int groups, int input_zero_point, Tensor "
     "weight_zero_point, Tensor bias_scale, float out_scale, int out_zero_point, Tensor "
     "out_multiplier, Tensor out_shift, bool channel_last=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_conv.per_tensor_out(Tensor input, Tensor weight, Tensor bias, int[] "
     "stride, SymInt[] padding, int[] dilation, int groups, int input_zero_point, int "
     "weight_zero_point, float bias_scale, float out_scale, int out_zero_point, int "
     "out_multiplier, int out_shift, bool channel_last=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_transposed_conv.out(Tensor input, Tensor weight, Tensor bias, int[] "
     "stride, SymInt[] padding, int[] dilation, SymInt[] output_padding, int groups, int "
     "input_zero_point, Tensor weight_zero_point, Tensor bias_scale, float out_scale, int "
     "out_zero_point, Tensor out_multiplier, Tensor out_shift, bool channel_last=False, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::im2row.out(Tensor input, int[2] kernel_size, int[2] dilation, int[2] padding, "
     "int[2] stride, Tensor in_zero_point, bool channel_last=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cadence::im2row.per_tensor_out(Tensor input, int[2] kernel_size, int[2] dilation, int[2] "
     "padding, int[2] stride, int in_zero_point, bool channel_last=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cadence::transposed_im2row.out(Tensor input, int[2] kernel_size, int[2] dilation, int[2] "
     "padding, int[2] stride, int[2] output_padding, Tensor in_zero_point, bool "
     "channel_last=False, *, Tensor(a!) out) -> Tensor(a!)"},
    // Products.
    {"cadence::fully_connected.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"cadence::quantized_{linear,fully_connected}.out(Tensor src, Tensor weight, Tensor bias, int "
     "src_zero_point, Tensor weight_zero_point, Tensor out_multiplier, Tensor out_shift, int "
     "out_zero_point, Tensor? offset, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_{linear,fully_connected}{,_asym8sxasym8s_asym8s,_asym8uxasym8u_asym8u}."
     "per_tensor_out(Tensor src, Tensor weight, Tensor bias, SymInt src_zero_point, SymInt "
     "weight_zero_point, SymInt out_multiplier, SymInt out_shift, SymInt out_zero_point, Tensor? "
     "offset, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_matmul{,_asym8sxasym8s_asym8s,_asym8uxasym8u_asym8u}.out(Tensor X, int "
     "X_zero_point, Tensor Y, int Y_zero_point, Tensor? bias, int out_multiplier, int out_shift, "
     "int out_zero_point, bool transposed=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_w8a32_{linear,conv}.out(Tensor input, Tensor weight, float w_scale, "
     "Tensor bias, float b_scale, *, Tensor(a!) output) -> Tensor(a!)"},
    {"cadence::quantized_w8a32_gru.out(Tensor inputs, Tensor hidden, Tensor weights_inputs, float "
     "w_i_scale, Tensor weights_hidden, float w_h_scale, Tensor bias_inputs, float b_scale, "
     "Tensor bias_hidden, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::linalg_svd.out(Tensor A, bool full_matrices=False, bool compute_uv=True, str? "
     "driver=None, *, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, "
     "Tensor(c!) Vh)"},
    // Pools, norms, softmax.
    {"cadence::avg_pool2d.out(Tensor input, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=[], bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, "
     "Tensor? in_zero_point=None, bool channel_last=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_max_pool2d{,_nchw,_nhwc}.out(Tensor input, int[] kernel_size, int[] "
     "stride, int[] padding, int[] dilation, bool ceil_mode, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_layer_norm.out(Tensor input, Tensor in_scale, Tensor in_zero_point, "
     "int[] normalized_shape, Tensor weight, Tensor bias, float eps, float output_scale, int "
     "output_zero_point, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_layer_norm.per_tensor_out(Tensor input, float in_scale, int "
     "in_zero_point, int[] normalized_shape, Tensor weight, Tensor bias, float eps, float "
     "output_scale, int output_zero_point, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::_softmax_f32_f32.out(Tensor self, int dim, bool? half_to_float=None, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"cadence::quantized_softmax.out(Tensor input, Tensor mask, int dim, int mask_type, Tensor "
     "pos, Tensor in_scale, Tensor in_zero_point, Tensor out_scale, Tensor out_zero_point, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_softmax.per_tensor_out(Tensor input, Tensor mask, int dim, int "
     "mask_type, Tensor pos, float in_scale, int in_zero_point, float out_scale, int "
     "out_zero_point, *, Tensor(a!) out) -> Tensor(a!)"},
    // Language models, images.
    {"cadence::rope{,_rotate_stacked_halves}.out(Tensor input, Tensor sin_tensor, Tensor "
     "cos_tensor, Tensor? pos, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::quantized_rope_rotate_stacked_halves.out(Tensor input, Tensor sin_tensor, Tensor "
     "cos_tensor, Tensor? pos, float in_scale, int in_zero_point, float out_scale, int "
     "out_zero_point, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cadence::sdpa_bitwise_mask_gen.out(Tensor mask, float threshold, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cadence::quantized_embedding_byte.out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, Tensor indices, bool pruned_weights=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cadence::roi_align_box_processor.out(Tensor rois, int output_size_h, int output_size_w, int "
     "sampling_ratio, bool aligned, *, Tensor(a!) out) -> Tensor(a!)"},
    // Copied by a unit of its own, until `idma_wait` has returned.
    {"cadence::idma_{load,store,copy}.out(Tensor src, int task_num=0, int channel=0, *, "
     "Tensor(a!) out) -> Tensor(a!)",
     "", "src=lasting"},
    {"cadence::slice_scatter_(Tensor(a!) self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
     "end=None, SymInt step=1) -> Tensor(a!)"},
    // Registered by the same compiler in PyTorch's namespace.
    {"aten::chunk.out(Tensor self, int chunks, int dim=0, *, Tensor(a!)[] out) -> ()"},
    {"aten::contiguous.out(Tensor self, *, MemoryFormat memory_format=contiguous_format, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::rms_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? "
     "eps=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::tensor_split.sections_out(Tensor self, int sections, int dim=0, *, Tensor(a!)[] out) "
     "-> ()"},
};

}  // namespace

std::span<const OpRow> CadenceRows() {
  return kCadenceRows;
}

}  // namespace pteproof
