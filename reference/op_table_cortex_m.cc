// Operators of Arm's microcontrollers, whose kernels call CMSIS-NN. No operand is marked
// elementwise: ExecuTorch's wheel has the signatures, not the kernels.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kCortexMRows[] = {
    {"cortex_m::{,de}quantize_per_tensor.out(Tensor input, float scale, int zero_point, int "
     "quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cortex_m::quantized_add.out(Tensor self, int self_zero_point, int self_multiplier, int "
     "self_shift, Tensor other, int other_zero_point, int other_multiplier, int other_shift, int "
     "output_zero_point, int output_multiplier, int output_shift, int activation_min, int "
     "activation_max, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cortex_m::quantized_mul.out(Tensor self, int self_zero_point, Tensor other, int "
     "other_zero_point, int output_zero_point, int output_multiplier, int output_shift, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"cortex_m::quantized_div.out(Tensor self, int self_zero_point, Tensor other, int "
     "other_zero_point, int output_zero_point, float output_scale, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cortex_m::quantized_activation.out(Tensor input, Tensor lut, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cortex_m::{minimum,maximum}.out(Tensor self, Tensor other, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"cortex_m::softmax.out(Tensor input, int dim, int input_zero_point, int output_zero_point, "
     "int input_multiplier, int input_shift, int diff_min, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cortex_m::transpose.out(Tensor input, int[] perm, *, Tensor(a!) out) -> Tensor(a!)"},
    {"cortex_m::pad.out(Tensor input, int[] pre_pad, int[] post_pad, int pad_value, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"cortex_m::quantized_linear.out(Tensor input, Tensor weights, Tensor? bias, Tensor? "
     "kernel_sum, int input_offset, int filter_offset, int output_offset, int[] "
     "requantize_multipliers, int[] requantize_shifts, int activation_max, int activation_min, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"cortex_m::quantized_max_pool2d{,_nhwc}.out(Tensor input, int[] kernel_size, int[] stride, "
     "int[] padding, int[] dilation, bool ceil_mode, int input_zero_point, int "
     "output_zero_point, int activation_min, int activation_max, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    // With memory to work in, which the signature does not mark.
    {"cortex_m::quantized_conv2d{,_nhwc}.out(Tensor input, Tensor weight, Tensor? bias, int[] "
     "stride, int[] padding, int[] dilation, int input_offset, int output_offset, Tensor "
     "requantize_multipliers, Tensor requantize_shifts, int activation_min, int activation_max, "
     "Tensor scratch, *, Tensor(a!) out) -> Tensor(a!)",
     "", "scratch=scratch"},
    {"cortex_m::quantized_depthwise_conv2d{,_nhwc}.out(Tensor input, Tensor weight, Tensor? bias, "
     "int[] stride, int[] padding, int[] dilation, int depth_multiplier, int input_offset, int "
     "output_offset, Tensor requantize_multipliers, Tensor requantize_shifts, int activation_min, "
     "int activation_max, Tensor scratch, *, Tensor(a!) out) -> Tensor(a!)",
     "", "scratch=scratch"},
    {"cortex_m::quantized_transpose_conv2d{,_nhwc}.out(Tensor input, Tensor weight, Tensor? bias, "
     "int[] stride, int[] padding, int[] output_padding, int[] dilation, int input_offset, int "
     "output_offset, Tensor requantize_multipliers, Tensor requantize_shifts, int activation_min, "
     "int activation_max, Tensor scratch, Tensor output_scratch, *, Tensor(a!) out) -> Tensor(a!)",
     "", "scratch=scratch output_scratch=scratch"},
    {"cortex_m::quantized_avg_pool2d{,_nhwc}.out(Tensor input, int[] kernel_size, int[] stride, "
     "int[] padding, bool ceil_mode, int zero_point, int multiplier, int shift, Tensor scratch, "
     "*, Tensor(a!) out) -> Tensor(a!)",
     "", "scratch=scratch"},
    {"cortex_m::quantized_batch_matmul.out(Tensor lhs, int lhs_zero_point, Tensor rhs_transposed, "
     "int rhs_zero_point, int output_zero_point, int output_multiplier, int output_shift, Tensor "
     "scratch, *, Tensor(a!) out) -> Tensor(a!)",
     "", "scratch=scratch"},
};

}  // namespace

std::span<const OpRow> CortexMRows() {
  return kCortexMRows;
}

}  // namespace pteproof
