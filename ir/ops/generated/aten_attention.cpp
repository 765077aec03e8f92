// The operators of PyTorch 2.13.0: attention.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kAttentionRows[] = {
    {"aten::_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
     "Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, Tensor attn_bias, "
     "Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool "
     "is_causal, *, float? scale=None) -> (Tensor, Tensor, Tensor)", kRandom},
    {"aten::_cudnn_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? attn_bias, "
     "Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, bool compute_log_sumexp, "
     "float dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? "
     "scale=None) -> (Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt "
     "max_q, SymInt max_k, Tensor philox_seed, Tensor philox_offset, Tensor debug_attn_mask)",
     kRandom},
    {"aten::_efficient_attention_backward(Tensor grad_out_, Tensor query, Tensor key, Tensor "
     "value, Tensor? bias, Tensor out, Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt "
     "max_seqlen_q, SymInt max_seqlen_k, Tensor logsumexp, float dropout_p, Tensor philox_seed, "
     "Tensor philox_offset, int custom_mask_type, bool bias_requires_grad, *, float? scale=None, "
     "int? num_splits_key=None, int? window_size=None, bool shared_storage_dqdkdv=False) -> "
     "(Tensor, Tensor, Tensor, Tensor)"},
    {"aten::_efficient_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? bias, "
     "Tensor? cu_seqlens_q, Tensor? cu_seqlens_k, SymInt? max_seqlen_q, SymInt? max_seqlen_k, "
     "float dropout_p, int custom_mask_type, bool compute_log_sumexp=False, *, float? scale=None, "
     "Tensor? seqlen_k=None, int? window_size=None) -> (Tensor output, Tensor logsumexp, Tensor "
     "philox_seed, Tensor philox_offset, SymInt max_seqlen_batch_q, SymInt max_seqlen_batch_k)",
     kRandom},
    {"aten::_fill_mem_eff_dropout_mask_(Tensor(a!) self, float dropout_p, int seed, int offset) ->"
     " Tensor(a!)", kRandom},
    {"aten::_flash_attention_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
     "Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt "
     "max_k, float dropout_p, bool is_causal, Tensor rng_state, Tensor unused, *, float? "
     "scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None) -> (Tensor, "
     "Tensor, Tensor)"},
    {"aten::_flash_attention_forward(Tensor query, Tensor key, Tensor value, Tensor? cum_seq_q, "
     "Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, bool "
     "return_debug_mask, *, float? scale=None, SymInt? window_size_left=None, SymInt? "
     "window_size_right=None, Tensor? seqused_k=None, Tensor? alibi_slopes=None, Tensor? "
     "block_table=None, int? num_splits=None) -> (Tensor output, Tensor softmax_logsumexp, Tensor "
     "rng_state, Tensor unused, Tensor debug_attn_mask)", kRandom},
    {"aten::_flash_attention_forward.quantized(Tensor query, Tensor key, Tensor value, Tensor? "
     "cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float dropout_p, bool is_causal, "
     "bool return_debug_mask, Tensor? q_descale, Tensor? k_descale, Tensor? v_descale, *, float? "
     "scale=None, SymInt? window_size_left=None, SymInt? window_size_right=None, Tensor? "
     "seqused_k=None, Tensor? alibi_slopes=None) -> (Tensor output, Tensor softmax_logsumexp, "
     "Tensor rng_state, Tensor unused, Tensor debug_attn_mask)", kRandom},
    {"aten::_flash_attention_forward_no_dropout_inplace(Tensor(a!) out, Tensor query, Tensor key, "
     "Tensor value, Tensor? cum_seq_q, Tensor? cum_seq_k, SymInt max_q, SymInt max_k, float "
     "dropout_p, bool is_causal, bool return_debug_mask, *, float? scale=None, SymInt? "
     "window_size_left=None, SymInt? window_size_right=None, Tensor? seqused_k=None, Tensor? "
     "alibi_slopes=None, Tensor? block_table=None, int? num_splits=None) -> Tensor "
     "softmax_logsumexp", kRandom},
    {"aten::_fused_sdp_choice(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, "
     "float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> "
     "int", kRandom},
    {"aten::_native_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, "
     "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
     "Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? "
     "mask_type=None) -> (Tensor, Tensor)"},
    {"aten::_native_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int "
     "embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor "
     "proj_bias, Tensor? mask=None, bool need_weights=True, bool average_attn_weights=True, int? "
     "mask_type=None, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::_scaled_dot_product_attention_math(Tensor query, Tensor key, Tensor value, Tensor? "
     "attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None, *, "
     "float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)", kComposite | kRandom},
    {"aten::_scaled_dot_product_attention_math_for_mps(Tensor query, Tensor key, Tensor value, "
     "Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, Tensor? dropout_mask=None,"
     " *, float? scale=None, bool enable_gqa=False) -> (Tensor, Tensor)", kRandom},
    {"aten::_scaled_dot_product_cudnn_attention(Tensor query, Tensor key, Tensor value, Tensor? "
     "attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, bool "
     "return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor "
     "cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor "
     "philox_offset, Tensor debug_attn_mask)", kRandom},
    {"aten::_scaled_dot_product_cudnn_attention_backward(Tensor grad_out, Tensor query, Tensor "
     "key, Tensor value, Tensor out, Tensor logsumexp, Tensor philox_seed, Tensor philox_offset, "
     "Tensor attn_bias, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float "
     "dropout_p, bool is_causal, *, float? scale=None) -> (Tensor, Tensor, Tensor)", kRandom},
    {"aten::_scaled_dot_product_efficient_attention(Tensor query, Tensor key, Tensor value, "
     "Tensor? attn_bias, bool compute_log_sumexp, float dropout_p=0., bool is_causal=False, *, "
     "float? scale=None) -> (Tensor output, Tensor log_sumexp, Tensor philox_seed, Tensor "
     "philox_offset)", kRandom},
    {"aten::_scaled_dot_product_efficient_attention_backward(Tensor grad_out_, Tensor query, "
     "Tensor key, Tensor value, Tensor attn_bias, Tensor out, Tensor logsumexp, Tensor "
     "philox_seed, Tensor philox_offset, float dropout_p, bool[4] grad_input_mask, bool "
     "is_causal=False, *, float? scale=None) -> (Tensor, Tensor, Tensor, Tensor)", kRandom},
    {"aten::_scaled_dot_product_flash_attention(Tensor query, Tensor key, Tensor value, float "
     "dropout_p=0., bool is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> "
     "(Tensor output, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt "
     "max_k, Tensor rng_state, Tensor unused, Tensor debug_attn_mask)", kRandom},
    {"aten::_scaled_dot_product_flash_attention.quantized(Tensor query, Tensor key, Tensor value, "
     "Tensor? q_descale, Tensor? k_descale, Tensor? v_descale, float dropout_p=0., bool "
     "is_causal=False, bool return_debug_mask=False, *, float? scale=None) -> (Tensor output, "
     "Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor "
     "rng_state, Tensor unused, Tensor debug_attn_mask)", kRandom},
    {"aten::_scaled_dot_product_flash_attention_backward(Tensor grad_out, Tensor query, Tensor "
     "key, Tensor value, Tensor out, Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt "
     "max_q, SymInt max_k, float dropout_p, bool is_causal, Tensor philox_seed, Tensor "
     "philox_offset, *, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor "
     "grad_value)"},
    {"aten::_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, "
     "float dropout_p=0., bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> "
     "(Tensor output, Tensor logsumexp)", kRandom},
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, "
     "Tensor key, Tensor value, Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, "
     "Tensor? attn_mask=None, float? scale=None) -> (Tensor grad_query, Tensor grad_key, Tensor "
     "grad_value)"},
    {"aten::_scaled_dot_product_fused_attention_overrideable(Tensor query, Tensor key, Tensor "
     "value, Tensor? attn_bias=None, float dropout_p=0., bool is_causal=False, bool "
     "return_debug_mask=False, *, float? scale=None) -> (Tensor output, Tensor logsumexp, Tensor "
     "cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, Tensor philox_seed, Tensor "
     "philox_offset, Tensor debug_attn_mask)", kRandom},
    {"aten::_scaled_dot_product_fused_attention_overrideable_backward(Tensor grad_out, Tensor "
     "query, Tensor key, Tensor value, Tensor attn_bias, bool[4] grad_input_mask, Tensor out, "
     "Tensor logsumexp, Tensor cum_seq_q, Tensor cum_seq_k, SymInt max_q, SymInt max_k, float "
     "dropout_p, bool is_causal, Tensor philox_seed, Tensor philox_offset, *, float? scale=None) "
     "-> (Tensor grad_query, Tensor grad_key, Tensor grad_value, Tensor grad_attn_bias)"},
    {"aten::_transform_bias_rescale_qkv(Tensor qkv, Tensor qkv_bias, int num_heads) -> (Tensor, "
     "Tensor, Tensor)"},
    {"aten::_transform_bias_rescale_qkv.out(Tensor qkv, Tensor qkv_bias, int num_heads, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_transformer_encoder_layer_fwd(Tensor src, int embed_dim, int num_heads, Tensor "
     "qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool "
     "norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, "
     "Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor "
     "ffn_bias_2, Tensor? mask=None, int? mask_type=None) -> Tensor"},
    {"aten::_transformer_encoder_layer_fwd.out(Tensor src, int embed_dim, int num_heads, Tensor "
     "qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, bool use_gelu, bool "
     "norm_first, float eps, Tensor norm_weight_1, Tensor norm_bias_1, Tensor norm_weight_2, "
     "Tensor norm_bias_2, Tensor ffn_weight_1, Tensor ffn_bias_1, Tensor ffn_weight_2, Tensor "
     "ffn_bias_2, Tensor? mask=None, int? mask_type=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_triton_multi_head_attention.out(Tensor query, Tensor key, Tensor value, int "
     "embed_dim, int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor "
     "proj_bias, Tensor? mask=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_triton_multi_head_attention(Tensor query, Tensor key, Tensor value, int embed_dim, "
     "int num_head, Tensor qkv_weight, Tensor qkv_bias, Tensor proj_weight, Tensor proj_bias, "
     "Tensor? mask=None) -> Tensor"},
    {"aten::_triton_scaled_dot_attention.out(Tensor q, Tensor k, Tensor v, float dropout_p=0., *, "
     "Tensor(a!) out) -> Tensor(a!)", kRandom},
    {"aten::_triton_scaled_dot_attention(Tensor q, Tensor k, Tensor v, float dropout_p=0.) -> "
     "Tensor", kRandom},
    {"aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? "
     "attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool "
     "enable_gqa=False) -> Tensor", kComposite | kRandom},
};

extern const std::span<const OpInfo> kAttentionOps;
constinit const std::span<const OpInfo> kAttentionOps(kAttentionRows);

}  // namespace fx::ops
