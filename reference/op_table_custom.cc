// Operators of libraries of their own: language models, image preprocessing, copies between
// devices.
#include "reference/op_table.h"

namespace pteproof {
namespace {

constexpr OpRow kCustomRows[] = {
    // The caches are written in part. The out of update_cache is a placeholder that nothing
    // touches.
    {"llama::sdpa_with_kv_cache.out(Tensor query, Tensor key, Tensor value, Tensor(a!) key_cache, "
     "Tensor(b!) value_cache, SymInt start_pos, SymInt seq_len, Tensor? attn_mask=None, float "
     "dropout_p=0.0, bool is_causal=False, float? scale=None, *, Tensor(c!) out) -> Tensor(c!)"},
    {"llama::update_cache.out(Tensor value, Tensor(a!) cache, SymInt start_pos, *, Tensor(b!) out) "
     "-> Tensor(b!)",
     "", "out=none"},
    {"llama::update_cache_with_indices.out(Tensor value, Tensor(a!) cache, SymInt start_pos, "
     "Tensor indices, *, Tensor(b!) out) -> Tensor(b!)",
     "", "out=none"},
    // Attention and its relatives.
    {"llama::custom_sdpa.out(Tensor query, Tensor key, Tensor value, SymInt start_pos, Tensor? "
     "attn_mask=None, float dropout_p=0.0, bool is_causal=False, float? scale=None, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"llama::custom_quantized_sdpa.out(Tensor query, Tensor key, Tensor value, SymInt start_pos, "
     "Tensor? attn_mask=None, float dropout_p=0.0, bool is_causal=False, float? scale=None, "
     "Tensor? q_zero_points=None, Tensor? q_scales=None, Tensor? k_zero_points=None, Tensor? "
     "k_scales=None, Tensor? v_zero_points=None, Tensor? v_scales=None, bool "
     "is_seq_at_dim_2=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"llama::gated_delta_rule.out(Tensor query, Tensor key, Tensor value, Tensor decay, Tensor "
     "beta, Tensor initial_state, *, Tensor(a!) out, Tensor(b!) final_state_out) -> (Tensor(a!), "
     "Tensor(b!))"},
    {"llama::channelwise_gated_delta_rule.out(Tensor query, Tensor key, Tensor value, Tensor "
     "decay, Tensor beta, Tensor initial_state, *, Tensor(a!) out, Tensor(b!) final_state_out) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"llama::quantized_moe_ffn.out(Tensor x, Tensor gate_weight, Tensor expert_bias, Tensor "
     "packed_w13, Tensor packed_w2, int num_activated_experts, int num_experts, int hidden_dim, "
     "int dim, int group_size, int weight_nbit, str score_func, float route_scale, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    // Others.
    {"llama::fallback.out(Tensor input, *, Tensor(a!) out) -> Tensor(a!)"},
    {"llama::fast_hadamard_transform.out(Tensor input, *, Tensor(a!) out) -> Tensor(a!)"},
    {"preprocess::tile_crop.out(Tensor input, int tile_size, *, Tensor(a!) out) -> Tensor(a!)"},
    // Between host and device, hence never in one place.
    {"et_copy::_h2d_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"et_copy::_d2h_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::allclose.out(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool "
     "equal_nan=False, bool dummy_param=False, *, Tensor(a!) out) -> Tensor(a!)"},
    // Weights of few bits, packed.
    {"torchao::_linear_8bit_act_{1,2,3,4,5,6,7,8}bit_weight.out(Tensor activations, Tensor "
     "packed_weights, int group_size, int n, int k, *, Tensor(a!) out) -> Tensor(a!)"},
    {"torchao::_linear_groupwise_{1,2,3,4}bit_weight_with_lut.out(Tensor activations, Tensor "
     "packed_weights, int scale_group_size, int lut_group_size, int n, int k, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"torchao::_embedding_{1,2,3,4,5,6,7,8}bit.out(Tensor packed_weight_qvals, int "
     "num_embeddings, int embedding_dim, Tensor weight_scales, Tensor weight_zeros, Tensor "
     "indices, *, Tensor(a!) out) -> Tensor(a!)"},
    {"torchao::_shared_embedding_{1,2,3,4,5,6,7,8}bit.out(Tensor packed_weights, int group_size, "
     "int n, int k, Tensor indices, *, Tensor(a!) out) -> Tensor(a!)"},
    // The attention over another sequence that optimum-executorch uses. The cache is written,
    // though
    // the registration does not say so; the results are memory of their own.
    {"executorch::update_cross_attn_cache(Tensor value, Tensor(a!) cache) -> Tensor"},
    {"executorch::alias(Tensor x, Tensor y) -> (Tensor, Tensor)"},
};

}  // namespace

std::span<const OpRow> CustomRows() {
  return kCustomRows;
}

}  // namespace pteproof
