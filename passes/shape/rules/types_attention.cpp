// Type functions for the attention operators.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

/// Returns the type of a tensor of sizes [batch, heads, length, width] in the memory layout
/// [batch, length, heads, width].
Type heads_inside(TypeCall& c, DType dtype, const Dim& b, const Dim& h, const Dim& t,
                  const Dim& e) {
  return c.result(dtype, {b, h, t, e}, {t * h * e, e, h * e, Dim(1)});
}

bool check_heads(TypeCall& c, Type q, Type k, Type v) {
  if (q.rank() < 2 || k.rank() < 2 || v.rank() < 2) {
    c.fail(fmt::format("query, key and value must have at least 2 dimensions, not {}, {}, {}",
                       to_string(q), to_string(k), to_string(v)));
    return false;
  }
  if (!c.guard_equal(q.sizes().back(), k.sizes().back()) ||
      !c.guard_equal(k.sizes()[k.sizes().size() - 2], v.sizes()[v.sizes().size() - 2])) {
    c.fail(
        fmt::format("query {} and key {} must have the same last size, and the value, {}, must "
                    "have the length of the key",
                    to_string(q), to_string(k), to_string(v)));
    return false;
  }
  return true;
}

/// (query, key, value, dropout_p, is_causal, attn_mask, scale): returns output and logsumexp.
Type flash_for_cpu(TypeCall& c) {
  const Type q = c.tensor(0), k = c.tensor(1), v = c.tensor(2);
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4)
    return c.fail("query, key and value must have 4 dimensions");
  // The kernel uses the length of the value, so it may ignore some keys.
  if (!c.guard_equal(q.sizes()[3], k.sizes()[3]) ||
      !c.guard_less_equal(v.sizes()[2], k.sizes()[2])) {
    return c.fail(fmt::format(
        "query {} and key {} must have the same last size, and the value, {}, must not be longer "
        "than the key",
        to_string(q), to_string(k), to_string(v)));
  }
  const Dim b = q.sizes()[0], h = q.sizes()[1], t = q.sizes()[2];
  // The output has the layout of the query.
  if (!c.guard_equal(q.sizes()[3], v.sizes()[3]))
    return c.fail("query and value must have the same last size");
  const DType accumulated = q.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  return c.tuple({like(c, q, q.dtype()), c.result(accumulated, {b, h, t}, {t * h, Dim(1), h})});
}

/// (grad, query, key, value, ...)
Type flash_for_cpu_backward(TypeCall& c) {
  Type results[3];
  for (int i = 0; i < 3; ++i) {
    const Type x = c.tensor(i + 1);
    if (x.rank() != 4) return c.fail("query, key and value must have 4 dimensions");
    results[i] = heads_inside(c, x.dtype(), x.sizes()[0], x.sizes()[1], x.sizes()[2], x.sizes()[3]);
  }
  return c.tuple({results[0], results[1], results[2]});
}

/// True if sdp_utils_cpp selects the fused kernel for queries, keys and values of rank 4 and a mask
/// that it accepts. Assumes that symbolic sizes are equal and not 0, and that symbolic strides are
/// not 1.
bool fits_fused_kernel(TypeCall& c, Type q, Type k, Type v, bool enable_gqa) {
  for (const Type t : {q, k, v})
    if (!c.is_one(t.strides()[3]) || c.is_zero(t.sizes()[2])) return false;
  const auto same_size = [&](Type t, size_t dim) {
    return c.guard_equal(q.sizes()[dim], t.sizes()[dim]);
  };
  return same_size(v, 3) && same_size(k, 0) && same_size(v, 0) &&
         (enable_gqa || (same_size(k, 1) && same_size(v, 1)));
}

/// (query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa): uses the fused kernel
/// if sdp_utils_cpp can select it, otherwise matrix products.
Type attention(TypeCall& c) {
  const Type q = c.tensor(0), k = c.tensor(1), v = c.tensor(2), mask = c.optional_tensor(3);
  if (!check_heads(c, q, k, v)) return Type();
  const size_t n = q.sizes().size();
  const bool may_fuse = q.rank() == 4 && k.rank() == 4 && v.rank() == 4 && c.number(4) == 0 &&
                        is_floating_point(q.dtype()) &&
                        (!mask || mask.rank() == 2 || mask.rank() == 4);
  // The output of the fused kernel has the query's layout; that of the products is row-major.
  if (may_fuse && !q.has_default_strides() && fits_fused_kernel(c, q, k, v, c.boolean(7)))
    return like(c, q, q.dtype());
  DimVector sizes(q.sizes().begin(), q.sizes().end() - 2);
  for (const Type t : {k, v})
    if (!c.boolean(7) && !broadcast(c, sizes, t.sizes().subspan(0, t.sizes().size() - 2)))
      return Type();
  sizes.push_back(q.sizes()[n - 2]);
  sizes.push_back(v.sizes().back());
  return c.result(q.dtype(), sizes);
}

// ---------------------------------------------------------------- Kernels of nn.MultiheadAttention

/// _transform_bias_rescale_qkv(qkv[B, T, 3 * D], bias, heads): query, key and value, split by
/// heads.
Type query_key_value(TypeCall& c) {
  const Type qkv = c.tensor(0);
  const Dim heads = c.dim(2);
  if (qkv.rank() != 3 || !c.guard_equal(mod(qkv.sizes()[2], 3 * heads), 0)) {
    return c.fail(
        fmt::format("qkv must have the sizes [batch, length, 3 * width] for {} heads, not {}",
                    to_string(heads), to_string(qkv)));
  }
  const Type all = c.result(qkv.dtype(), {Dim(3), qkv.sizes()[0], heads, qkv.sizes()[1],
                                          floor_div(qkv.sizes()[2], 3 * heads)});
  if (!all) return Type();
  return c.tuple({select(c, all, 0, 0), select(c, all, 0, 1), select(c, all, 0, 2)});
}
/// _native_multi_head_attention(query, key, value, embed_dim, heads, ..., [10] need_weights,
/// [11] average_attn_weights, mask_type)
Type native_multi_head_attention(TypeCall& c) {
  const Type q = c.tensor(0), k = c.tensor(1);
  if (q.rank() != 3 || !same_sizes(c, q.sizes(), k.sizes()))
    return c.fail(fmt::format("query and key must be 3-D with the same sizes, not {} and {}",
                              to_string(q), to_string(k)));
  const Type out = contiguous_like(c, q);
  if (!c.boolean(10)) return c.tuple({out, c.none()});
  const Dim batch = q.sizes()[0], length = q.sizes()[1];
  return c.tuple({out, c.boolean(11) ? c.result(q.dtype(), {batch, length, length})
                                     : c.result(q.dtype(), {batch, c.dim(4), length, length})});
}
/// _transformer_encoder_layer_fwd(src, ...)
Type encoder_layer(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }
/// _masked_softmax(self, mask, dim, mask_type)
Type masked_softmax(TypeCall& c) { return like(c, c.tensor(0), c.tensor(0).dtype()); }
Type masked_softmax_backward(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }

constexpr TypeRule kAttentionRules[] = {
    {"aten._transform_bias_rescale_qkv.default", query_key_value},
    {"aten._native_multi_head_attention.default", native_multi_head_attention},
    {"aten._transformer_encoder_layer_fwd.default", encoder_layer},
    {"aten._masked_softmax.default", masked_softmax},
    {"aten._masked_softmax_backward.default", masked_softmax_backward},
    {"aten._scaled_dot_product_flash_attention_for_cpu.default", flash_for_cpu},
    {"aten._scaled_dot_product_flash_attention_for_cpu_backward.default", flash_for_cpu_backward},
    {"aten.scaled_dot_product_attention.default", attention},
};

}  // namespace

absl::Span<const TypeRule> attention_rules() { return kAttentionRules; }

}  // namespace fx::shape
