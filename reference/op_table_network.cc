// Operators of neural networks that read many elements for each result, and inference batch norm.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kNetworkRows[] = {
    // Products.
    {"aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::_pdist_forward.out(Tensor self, float p=2, *, Tensor(a!) out) -> Tensor(a!)"},
    // Convolutions.
    {"aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
     "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? "
     "bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
     "output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    // Pools and lookups.
    {"aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
     "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) "
     "-> (Tensor(a!), Tensor(b!))"},
    {"aten::max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] "
     "kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices, "
     "*, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
     "scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)"},
    // Normalisations. With running statistics each element of the input goes to its own place only,
    // and the
    // saved statistics are left alone (exporters give them no elements).
    {"aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor "
     "running_mean, Tensor running_var, bool training, float momentum, float eps, *, Tensor(a!) "
     "out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
     "input", "save_mean=none save_invstd=none"},
    {"aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, "
     "Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out, "
     "Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))",
     "input", "save_mean=none save_invstd=none"},
    {"aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool "
     "training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) "
     "save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
     "SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
     "(Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? "
     "bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)"},
    // Resampling and transforms.
    {"aten::grid_sampler_2d.out(Tensor input, Tensor grid, int interpolation_mode, int "
     "padding_mode, bool align_corners, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, "
     "float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_upsample_bilinear2d_aa.out(Tensor self, SymInt[2] output_size, bool align_corners, "
     "float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? "
     "scale_factors, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_fft_c2r.out(Tensor self, int[] dim, int normalization, SymInt last_dim_size, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_fft_r2c.out(Tensor self, int[] dim, int normalization, bool onesided, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
};

}  // namespace

std::span<const OpRow> NetworkRows() {
  return kNetworkRows;
}

}  // namespace pteproof
