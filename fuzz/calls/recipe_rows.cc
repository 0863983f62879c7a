#include "fuzz/calls/recipe_rows.h"

namespace pteproof::fuzz {
namespace {

constexpr RecipeRow kRecipeRows[] = {
    // Products and distances.
    {"aten::mm.out", "self=[a,b] mat2=[b,c]"},
    {"aten::bmm.out", "self=[a,b,c] mat2=[a,c,d]"},
    {"aten::addmm.out", "self=[b,d] mat1=[b,c] mat2=[c,d]"},
    {"aten::addmm.out", "self=[d] mat1=[b,c] mat2=[c,d]"},
    {"aten::linear.out", "input=[a,b,c] weight=[d,c] bias=?[d]"},
    {"aten::linear.out", "input=[a,c] weight=[d,c] bias=?[d]"},
    {"aten::_cdist_forward.out", "x1=f32:[a,b,c] x2=f32:[a,d,c]"},
    {"aten::_pdist_forward.out", "self=f32:[a,b]"},
    // Convolutions and windows.
    {"aten::convolution.out",
     "input=[n,g*c,h+2,w+2] weight=[g*o,c,2,2] bias=?[g*o] stride=[s,t] padding=[p,q] "
     "dilation=[1,1] transposed=0 output_padding=[0,0] groups=g"},
    {"aten::convolution.out",
     "input=[n,g*c,h+k] weight=[g*o,c,k] bias=?[g*o] stride=[s] padding=[p] dilation=[1] "
     "transposed=0 output_padding=[0] groups=g"},
    {"aten::convolution.out",
     "input=[n,g*c,h,w] weight=[g*c,o,k,l] bias=?[g*o] stride=[s,t] padding=[0,0] "
     "dilation=[1,1] transposed=1 output_padding=[0,0] groups=g"},
    {"aten::convolution_backward.out",
     "grad_output=[n,g*o,h,w] input=[n,g*c,h+1,w] weight=[g*o,c,2,1] bias_sizes=?[g*o] "
     "stride=[1,1] padding=[0,0] dilation=[1,1] transposed=0 output_padding=[0,0] groups=g"},
    {"aten::_adaptive_avg_pool2d.out", "self=f32:[n,c,h,w] output_size=[a,b]"},
    {"aten::avg_pool2d.out",
     "self=f32:[n,c,h+2,w+3] kernel_size=[k,2] stride=[s,t] padding=[0,1] divisor_override=?d"},
    {"aten::max_pool2d_with_indices.out",
     "self=[n,c,h+2,w+3] kernel_size=[k,2] stride=[s,t] padding=[0,1] dilation=[1,d]"},
    {"aten::max_pool2d_with_indices_backward.grad_input",
     "grad_output=f32:[n,c,h,w] self=f32:[n,c,h+1,w+1] kernel_size=[2,2] stride=[1,1] "
     "padding=[0,0] dilation=[1,1] ceil_mode=0 indices=i64<h*w+h+w+1:[n,c,h,w]"},
    {"aten::grid_sampler_2d.out", "input=f32:[n,c,h,w] grid=f32:[n,a,b,2]"},
    {"aten::upsample_bilinear2d.vec_out", "input=f32:[n,c,h,w] output_size=[a,b] scale_factors=-"},
    {"aten::upsample_bilinear2d.vec_out", "input=f32:[n,c,h,w] output_size=- scale_factors=[s,2]"},
    {"aten::_upsample_bilinear2d_aa.out",
     "self=f32:[n,c,h,w] output_size=[a,b] scales_h=- scales_w=-"},
    {"aten::upsample_nearest2d.vec_out", "input=[n,c,h,w] output_size=[a,b] scale_factors=-"},
    {"aten::upsample_nearest2d.vec_out", "input=[n,c,h,w] output_size=- scale_factors=[s,2]"},
    // Norms and transforms.
    {"aten::_native_batch_norm_legit.out",
     "input=f32:[n,c,h] weight=?f32:[c] bias=?f32:[c] running_mean=f32:[c] running_var=f32:[c] "
     "training=0"},
    {"aten::_native_batch_norm_legit_no_training.out",
     "input=f32:[n,c,h] weight=?f32:[c] bias=?f32:[c] running_mean=f32:[c] running_var=f32:[c]"},
    {"aten::_native_batch_norm_legit.no_stats_out",
     "input=f32:[n,c,h] weight=?f32:[c] bias=?f32:[c] training=1"},
    {"aten::native_group_norm.out",
     "input=f32:[n,g*c,h] weight=?f32:[g*c] bias=?f32:[g*c] N=n C=g*c HxW=h group=g"},
    {"aten::native_layer_norm.out",
     "input=f32:[a,b,c] normalized_shape=[b,c] weight=?f32:[b,c] bias=?f32:[b,c]"},
    {"aten::native_layer_norm.out",
     "input=f32:[a,c] normalized_shape=[c] weight=?f32:[c] bias=?f32:[c]"},
    {"aten::_fft_r2c.out", "self=f32:[a,b] dim=[1]"},
    {"aten::_fft_r2c.out", "self=f32:[a,b,c] dim=[0,2]"},
    {"aten::_fft_c2r.out", "self=complex64:[a,b+1] dim=[1] last_dim_size=2*b"},
    {"aten::_fft_c2r.out", "self=complex64:[b+1,a] dim=[0] last_dim_size=2*b+1"},
    {"aten::mean.out", "self=f32:[a,b,c]"},
    {"aten::var.out", "self=f32:[a,b,c]"},
    {"aten::var.correction_out", "self=f32:[a,b]"},
    {"aten::var_mean.correction_out", "self=f32:[a,b]"},
    // Parts and places.
    {"aten::as_strided_copy.out", "self=[a*b] size=[a,b] stride=[b,1] storage_offset=?0"},
    {"aten::as_strided_copy.out", "self=[a*b+1] size=[b,a] stride=[1,b] storage_offset=1"},
    {"aten::pixel_shuffle.out", "self=[n,c*4,h,w] upscale_factor=2"},
    {"aten::pixel_shuffle.out", "self=[c*9,h,w] upscale_factor=3"},
    {"aten::pixel_unshuffle.out", "self=[n,c,h*2,w*2] downscale_factor=2"},
    {"aten::reflection_pad1d.out", "self=[n,c,h+2] padding=[p,q]"},
    {"aten::reflection_pad2d.out", "self=[c,h+2,w+2] padding=[p,q,1,2]"},
    {"aten::reflection_pad3d.out", "self=[c,h+1,w+1,d+2] padding=[p,q,1,1,0,1]"},
    {"aten::replication_pad1d.out", "self=[n,c,h] padding=[p,q]"},
    {"aten::replication_pad2d.out", "self=[c,h,w] padding=[p,q,r,s]"},
    {"aten::replication_pad3d.out", "self=[c,h,w,d] padding=[p,q,r,s,0,1]"},
    {"aten::split_with_sizes_copy.out", "self=[a+b+c,d] split_sizes=[a,b,c] dim=0"},
    {"aten::split_with_sizes_copy.out", "self=[d,a+b] split_sizes=[a,b] dim=1"},
    {"aten::slice_scatter.out", "self=[a+b,c] src=[b,c] dim=0 start=a end=a+b step=1"},
    {"aten::select_scatter.out", "self=[a,b] src=[b] dim=0 index=0"},
    {"aten::expand_copy.out", "self=[a,1,b] size=[a,c,b]"},
    {"aten::expand_copy.out", "self=[b] size=[a,c,b]"},
    {"aten::repeat.out", "self=[a,b] repeats=[c,d,2]"},
    {"aten::gather.out", "self=[a,b] dim=0 index=i64<a:[n,b]"},
    {"aten::gather.out", "self=[a,b] dim=1 index=i64<b:[a,n]"},
    {"aten::index_select.out", "self=[a,b,c] dim=1 index=i64<b:[n]"},
    {"aten::index.Tensor_out", "self=[a,b,c] indices=i64<a:[n]"},
    {"aten::index_put.out", "self=[a,b] indices=i64<a:[n] values=[n,b]"},
    {"aten::index_put_", "self=[a,b] indices=i64<a:[n] values=[n,b]"},
    {"aten::index_add.out", "self=[a,b] dim=0 index=i64<a:[n] source=[n,b]"},
    {"aten::index_add_", "self=[a,b] dim=1 index=i64<b:[n] source=[a,n]"},
    {"aten::index_copy.out", "self=[a,b] dim=1 index=i64<b:[n] source=[a,n]"},
    {"aten::index_copy_", "self=[a,b] dim=0 index=i64<a:[n] source=[n,b]"},
    {"aten::index_fill.int_Scalar_out", "self=[a,b] dim=1 index=i64<b:[n]"},
    {"aten::index_fill.int_Tensor_out", "self=[a,b] dim=0 index=i64<a:[n] value=[]"},
    {"aten::index_fill_.int_Scalar", "self=[a,b] dim=0 index=i64<a:[n]"},
    {"aten::index_fill_.int_Tensor", "self=[a,b] dim=1 index=i64<b:[n] value=[]"},
    {"aten::scatter.src_out", "self=[a,b] dim=0 index=i64<a:[n,b] src=[n,b]"},
    {"aten::scatter.value_out", "self=[a,b] dim=0 index=i64<a:[n,b]"},
    {"aten::scatter_add.out", "self=[a,b] dim=1 index=i64<b:[a,n] src=[a,n]"},
    {"aten::scatter_.src", "self=[a,b] dim=1 index=i64<b:[a,n] src=[a,n]"},
    {"aten::scatter_.value", "self=[a,b] dim=1 index=i64<b:[a,n]"},
    {"aten::scatter_add_", "self=[a,b] dim=0 index=i64<a:[n,b] src=[n,b]"},
    {"aten::masked_scatter.out", "self=[a,b] mask=bool:[a,b] source=[a*b]"},
    {"aten::embedding.out", "weight=[r,c] indices=i64<r:[m,n]"},
    {"aten::_local_scalar_dense", "self=[1,1]"},
    {"aten::_local_scalar_dense", "self=[]"},
    {"executorch_prim::et_copy_index.tensor", "copy_to=[a+1,b,c] copy_from=[b,c] index=a"},
    {"executorch_prim::et_view.default", "self=[a,b,c] size=[a,b*c]"},
    {"executorch_prim::et_view.default", "self=[a*b,c] size=[a,b,c]"},
    // Quantised tensors.
    {"quantized_decomposed::quantize_per_tensor.out",
     "input=f32:[a,b] zero_point=z quant_min=0 quant_max=255 dtype=0"},
    {"quantized_decomposed::quantize_per_tensor.out",
     "input=f32:[a,b] zero_point=z quant_min=-128 quant_max=127 dtype=1"},
    {"quantized_decomposed::quantize_per_tensor.Tensor_out",
     "input=f32:[a,b] scale=float64:[1] zero_point=i64<9:[1] quant_min=-128 quant_max=127 "
     "dtype=1"},
    {"quantized_decomposed::quantize_per_channel.out",
     "input=f32:[a,b,c] scales=float64:[b] zero_points=i64<9:[b] axis=1 quant_min=-128 "
     "quant_max=127 dtype=1"},
    {"quantized_decomposed::quantize_per_token.out",
     "input=f32:[a,b] scales=float64:[a,1] zero_points=i64<9:[a,1] quant_min=-128 quant_max=127 "
     "dtype=1"},
    {"quantized_decomposed::dequantize_per_tensor.out",
     "input=int8:[a,b] zero_point=z quant_min=-128 quant_max=127 dtype=1 out_dtype=?6"},
    {"quantized_decomposed::dequantize_per_tensor.out",
     "input=uint8:[a,b] zero_point=z quant_min=0 quant_max=255 dtype=0 out_dtype=?6"},
    {"quantized_decomposed::dequantize_per_tensor.Tensor_out",
     "input=int8:[a,b] scale=float64:[1] zero_point=i64<9:[1] quant_min=-128 quant_max=127 "
     "dtype=1 out_dtype=?6"},
    {"quantized_decomposed::dequantize_per_channel.out",
     "input=int8:[a,b,c] scales=float64:[b] zero_points=?i64<9:[b] axis=1 quant_min=-128 "
     "quant_max=127 dtype=1 out_dtype=?6"},
    {"quantized_decomposed::dequantize_per_token.out",
     "input=int8:[a,b] scales=float64:[a,1] zero_points=i64<9:[a,1] quant_min=-128 "
     "quant_max=127 dtype=1 output_dtype=6"},
    {"quantized_decomposed::choose_qparams.Tensor_out",
     "input=f32:[a,b] quant_min=-128 quant_max=127 dtype=1"},
    {"quantized_decomposed::choose_qparams_per_token_asymmetric.out", "input=f32:[a,b] dtype=1"},
    {"quantized_decomposed::embedding_byte.out",
     "weight=uint8:[r,g*c] weight_scales=f32:[r,g] weight_zero_points=?f32:[r,g] "
     "indices=i64<r:[n]"},
    {"quantized_decomposed::embedding_byte.dtype_out",
     "weight=int8:[r,c] weight_scales=f32:[r] weight_zero_points=?f32:[r] indices=i64<r:[n] "
     "dtype=?6"},
    {"quantized_decomposed::embedding_2bit.out",
     "weight=uint8:[r,c] weight_scales=f32:[r] weight_zero_points=?f32:[r] indices=i64<r:[n]"},
    {"quantized_decomposed::embedding_2bit.dtype_out",
     "weight=uint8:[r,g*c] weight_scales=f32:[r,g] weight_zero_points=?f32:[r,g] "
     "indices=i64<r:[n] dtype=?6"},
    {"quantized_decomposed::embedding_4bit.out",
     "weight=uint8:[r,g*c] weight_scales=f32:[r,g] weight_zero_points=?f32:[r,g] "
     "indices=i64<r:[n]"},
    {"quantized_decomposed::embedding_4bit.dtype_out",
     "weight=uint8:[r,c] weight_scales=f32:[r] weight_zero_points=?f32:[r] indices=i64<r:[n] "
     "dtype=?6"},
    {"quantized_decomposed::mixed_mm.out",
     "input=f32:[m,k] weight=int8:[k,n] weight_scales=f32:[k] weight_zero_points=?f32:[k]"},
    {"quantized_decomposed::mixed_linear.out",
     "input=f32:[m,k] weight=int8:[n,k] weight_scales=f32:[n] weight_zero_points=?f32:[n] "
     "dtype=?6"},
    {"quantized_decomposed::add.out",
     "a=uint8:[a,b] a_quant_min=0 a_quant_max=255 b=uint8:[a,b] b_quant_min=0 b_quant_max=255 "
     "out_quant_min=0 out_quant_max=255"},
    // Language models.
    {"llama::custom_sdpa.out",
     "query=f32:[b,q,h*g,w] key=f32:[b,q+k,h,w] value=f32:[b,q+k,h,w] start_pos=k attn_mask=- "
     "dropout_p=0"},
    {"llama::custom_sdpa.out",
     "query=f32:[b,q,h*g,w] key=f32:[b,q+k,h,w] value=f32:[b,q+k,h,w] start_pos=k "
     "attn_mask=f32:[q,q+k] dropout_p=0 is_causal=0"},
    {"llama::custom_quantized_sdpa.out",
     "query=int8:[b,q,h*g,w] key=int8:[b,q+k,h,w] value=int8:[b,q+k,h,w] start_pos=k attn_mask=- "
     "dropout_p=0 q_zero_points=int8:[b,q,h*g,1] q_scales=f32:[b,q,h*g,1] "
     "k_zero_points=int8:[b,q+k,h,1] k_scales=f32:[b,q+k,h,1] v_zero_points=int8:[b,q+k,h,1] "
     "v_scales=f32:[b,q+k,h,1] is_seq_at_dim_2=0"},
    {"llama::custom_quantized_sdpa.out",
     "query=f32:[b,h*g,q,w] key=f32:[b,h,q+k,w] value=f32:[b,h,q+k,w] start_pos=k attn_mask=- "
     "dropout_p=0 is_seq_at_dim_2=1"},
    {"llama::sdpa_with_kv_cache.out",
     "query=f32:[1,q,h*g,w] key=f32:[1,q,h,w] value=f32:[1,q,h,w] key_cache=f32:[1,q+k,h,w] "
     "value_cache=f32:[1,q+k,h,w] start_pos=k seq_len=q attn_mask=- dropout_p=0"},
    {"llama::update_cache.out", "value=[b,q,h,w] cache=[b,q+k,h,w] start_pos=k"},
    {"llama::update_cache_with_indices.out",
     "value=[b,q,h,w] cache=[b,q+k,h,w] start_pos=0 indices=i64<q+k:[b,q]"},
    {"llama::gated_delta_rule.out",
     "query=f32:[b,h,t,w] key=f32:[b,h,t,w] value=f32:[b,h,t,d] decay=f32:[b,h,t] "
     "beta=f32:[b,h,t] initial_state=f32:[b,h,w,d]"},
    {"llama::channelwise_gated_delta_rule.out",
     "query=f32:[b,h,t,w] key=f32:[b,h,t,w] value=f32:[b,h,t,d] decay=f32:[b,h,t,w] "
     "beta=f32:[b,h,t] initial_state=f32:[b,h,w,d]"},
    {"llama::quantized_moe_ffn.out",
     "x=f32:[t,16] gate_weight=f32:[2,16] expert_bias=f32:[0] packed_w13=uint8:[2,832] "
     "packed_w2=uint8:[2,448] num_activated_experts=1 num_experts=2 hidden_dim=16 dim=16 "
     "group_size=16 weight_nbit=8"},
    {"llama::quantized_moe_ffn.out",
     "x=f32:[t,16] gate_weight=f32:[2,16] expert_bias=f32:[2] packed_w13=uint8:[2,576] "
     "packed_w2=uint8:[2,320] num_activated_experts=2 num_experts=2 hidden_dim=16 dim=16 "
     "group_size=16 weight_nbit=4 score_func='sigmoid'"},
    {"llama::fast_hadamard_transform.out", "input=f32:[a,8]"},
    {"llama::fast_hadamard_transform.out", "input=f32:[28]"},
    {"llama::fast_hadamard_transform.out", "input=f32:[a,b,1]"},
};

}  // namespace

std::span<const RecipeRow> RecipeRows() {
  return kRecipeRows;
}

}  // namespace pteproof::fuzz
