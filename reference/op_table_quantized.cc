// Operators on quantised tensors.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kQuantizedRows[] = {
    {"quantized_decomposed::quantize_per_tensor.out(Tensor input, float scale, int zero_point, int "
     "quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)",
     "input"},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out(Tensor input, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> Tensor(a!)",
     "input"},
    {"quantized_decomposed::quantize_per_channel.out(Tensor input, Tensor scales, Tensor "
     "zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"quantized_decomposed::dequantize_per_tensor.out(Tensor input, float scale, int zero_point, "
     "int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None, Tensor(a!) "
     "out) -> Tensor(a!)",
     "input"},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out(Tensor input, Tensor scale, Tensor "
     "zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None, "
     "Tensor(a!) out) -> Tensor(a!)",
     "input"},
    {"quantized_decomposed::dequantize_per_channel.out(Tensor input, Tensor scales, Tensor? "
     "zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? "
     "out_dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::quantize_per_token.out(Tensor input, Tensor scales, Tensor "
     "zero_points, int quant_min, int quant_max, ScalarType dtype, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"quantized_decomposed::dequantize_per_token.out(Tensor input, Tensor scales, Tensor "
     "zero_points, int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::choose_qparams.Tensor_out(Tensor input, int quant_min, int quant_max, "
     "float eps, ScalarType dtype, *, Tensor(a!) scale_out, Tensor(b!) zero_point_out) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out(Tensor input, ScalarType "
     "dtype, *, Tensor(a!) scale_out, Tensor(b!) zero_point_out) -> (Tensor(a!), Tensor(b!))"},
    {"quantized_decomposed::embedding_byte.out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::embedding_byte.dtype_out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, "
     "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::embedding_2bit.out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::embedding_2bit.dtype_out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, "
     "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::embedding_4bit.out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::embedding_4bit.dtype_out(Tensor weight, Tensor weight_scales, Tensor? "
     "weight_zero_points, int weight_quant_min, int weight_quant_max, Tensor indices, *, "
     "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::mixed_mm.out(Tensor input, Tensor weight, Tensor weight_scales, "
     "Tensor? weight_zero_points, *, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::mixed_linear.out(Tensor input, Tensor weight, Tensor weight_scales, "
     "Tensor? weight_zero_points, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"quantized_decomposed::add.out(Tensor a, float a_scale, int a_zero_point, int a_quant_min, "
     "int a_quant_max, Tensor b, float b_scale, int b_zero_point, int b_quant_min, int "
     "b_quant_max, float out_scale, int out_zero_point, int out_quant_min, int out_quant_max, *, "
     "Tensor(a!) out) -> Tensor(a!)",
     "a b"},
};

}  // namespace

std::span<const OpRow> QuantizedRows() {
  return kQuantizedRows;
}

}  // namespace pteproof
