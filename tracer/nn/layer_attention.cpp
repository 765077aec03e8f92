// nn.MultiheadAttention: torch.nn.functional.multi_head_attention_forward of torch 2.13, whose
// branches are selected by the types of the inputs. This is the path for training and for
// torch.export; Module.forward has a separate path for inference without autograd
// (aten._native_multi_head_attention), whose results differ in the last bits.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace fx::internal {
namespace {

bool has_rank(const Proxy& value, int64_t rank) {
  const Type type = value.node()->type();
  return type.is_tensor() && type.has_rank() && type.rank() == rank;
}

/// Returns a dimension of an input: a number if its type has one.
IntArg size(const Proxy& input, int64_t dim) {
  const Dim known = input.node()->type().sizes()[static_cast<size_t>(dim)];
  return known.is_int() ? IntArg(known.value()) : IntArg(input.size(dim));
}
/// Returns `size` times `factor` if `size` is a number, otherwise -1, which view infers.
IntArg times(const IntArg& size, int64_t factor) {
  const Argument& value = size.value();
  return value.is_int() ? IntArg(value.as_int() * factor) : IntArg(-1);
}

class Attention {
 public:
  explicit Attention(LayerCall& call)
      : c_(call),
        embed_(call.settings.positive("embed_dim", 1)),
        heads_(call.settings.positive("num_heads", 1)) {}

  Argument record() {
    const Proxy &query = c_.inputs[0], &key = c_.inputs[1], &value = c_.inputs[2];
    is_batched_ = has_rank(query, 3);
    if (!check()) return {};
    batch_first_ = c_.settings.flag("batch_first", false) && is_batched_;
    bsz_ = is_batched_ ? size(query, batch_first_ ? 0 : 1) : IntArg(1);
    tgt_len_ = size(query, batch_first_ ? 1 : 0);
    std::optional<Proxy> padding = mask("key_padding_mask");
    if (padding && !is_batched_) padding = padding->unsqueeze(0);
    std::optional<Proxy> attn = mask("attn_mask");
    bool is_causal = c_.flag("is_causal");
    const bool need_weights = c_.flag("need_weights");
    if (is_causal && !attn) {
      return reject("is_causal requires attn_mask");
    }
    if (is_causal && !padding && !need_weights) {
      attn.reset();
    } else if (padding) {
      is_causal = false;
    }

    auto [q, k, v] = project(query, key, value);
    if (attn && has_rank(*c_.optional("attn_mask"), 2)) attn = attn->unsqueeze(0);
    if (c_.settings.has("bias_k")) {
      k = cat({k, c_.tracer.get_attr("bias_k").repeat({1, bsz_, 1})});
      v = cat({v, c_.required("bias_v").repeat({1, bsz_, 1})});
      widen(attn), widen(padding);
    }
    const int64_t head = embed_ / heads_;
    const IntArg all = times(bsz_, heads_);
    q = q.view({tgt_len_, all, head}).transpose(0, 1);
    k = k.view({k.size(0), all, head}).transpose(0, 1);
    v = v.view({v.size(0), all, head}).transpose(0, 1);
    if (c_.settings.flag("add_zero_attn", false)) {
      k = cat({k, k.new_zeros({k.size(0), 1, head})}, 1);
      v = cat({v, v.new_zeros({v.size(0), 1, head})}, 1);
      widen(attn), widen(padding);
    }
    const Proxy src_len = k.size(1);
    if (padding) {
      const Proxy wide = padding->view({bsz_, 1, 1, src_len})
                             .expand({-1, heads_, -1, -1})
                             .reshape({all, 1, src_len});
      attn = attn ? *attn + wide : wide;
    }
    if (need_weights) return with_weights(q, k, v, attn, src_len);
    if (attn) {
      const bool is_one =
          c_.optional("attn_mask") && has_rank(*c_.optional("attn_mask"), 2) && !padding;
      attn = is_one ? attn->unsqueeze(0) : attn->view({bsz_, heads_, -1, src_len});
    }
    return without_weights(q, k, v, attn, src_len, is_causal);
  }

 private:
  Argument reject(std::string_view text) {
    c_.tracer.fail(absl::InvalidArgumentError(std::string(text)));
    return {};
  }

  double dropout_p() const {
    return c_.layer.training() ? c_.settings.number("dropout", 0.0) : 0.0;
  }

  /// Applies the output projection. The result has the layout of the query.
  Proxy output_of(const Proxy& mixed) {
    const IntArg rows =
        tgt_len_.value().is_int() ? times(bsz_, tgt_len_.value().as_int()) : IntArg(-1);
    const Proxy flat = mixed.reshape({rows, embed_});
    const Proxy weight = c_.required("out_proj.weight");
    const Proxy y = linear(flat, weight, c_.tensor("out_proj.bias"));
    const Proxy output = y.view({tgt_len_, bsz_, embed_});
    if (!is_batched_) return output.squeeze(1);
    return batch_first_ ? output.transpose(1, 0) : output;
  }

  Argument without_weights(Proxy q, Proxy k, Proxy v, const std::optional<Proxy>& attn,
                           const Proxy& src_len, bool is_causal) {
    const int64_t head = embed_ / heads_;
    q = q.view({bsz_, heads_, tgt_len_, head});
    k = k.view({bsz_, heads_, src_len, head});
    v = v.view({bsz_, heads_, src_len, head});
    const Proxy mixed = scaled_dot_product_attention(
        q, k, v, attn ? OptionalTensor(*attn) : OptionalTensor(std::nullopt), dropout_p(),
        is_causal);
    const Argument results[] = {result_of(output_of(mixed.permute({2, 0, 1, 3}))), Argument()};
    return Argument::tuple(results);
  }

  Argument with_weights(const Proxy& q, const Proxy& k, const Proxy& v,
                        const std::optional<Proxy>& attn, const Proxy& src_len) {
    const int64_t head = embed_ / heads_;
    const Proxy scaled = q * std::sqrt(1.0 / static_cast<double>(head));
    const Proxy across = k.transpose(-2, -1);
    Proxy weights = softmax(attn ? baddbmm(*attn, scaled, across) : bmm(scaled, across), -1);
    if (dropout_p() > 0.0) weights = dropout(weights, dropout_p(), true);
    const Proxy output = output_of(bmm(weights, v).transpose(0, 1));
    weights = weights.view({bsz_, heads_, tgt_len_, src_len});
    if (c_.flag("average_attn_weights")) weights = weights.mean({1});
    if (!is_batched_) weights = weights.squeeze(0);
    const Argument results[] = {result_of(output), result_of(weights)};
    return Argument::tuple(results);
  }

  bool check() {
    const int64_t rank = is_batched_ ? 3 : 2;
    for (const Proxy& input : c_.inputs)
      if (!has_rank(input, rank))
        reject(
            "query, key and value of a MultiheadAttention must all have rank 3 or all have "
            "rank 2, and their types must be known; propagate types first");
    if (const auto padding = c_.optional("key_padding_mask"))
      if (!has_rank(*padding, rank - 1))
        reject(
            "key_padding_mask must have one dimension fewer than key, and its type must be known; "
            "propagate types first");
    if (const auto attn = c_.optional("attn_mask"))
      if (!has_rank(*attn, 2) && !has_rank(*attn, 3))
        reject(
            "attn_mask must have 2 or 3 dimensions, and its type must be known; propagate types "
            "first");
    if (embed_ % heads_ != 0) reject("embed_dim must be a multiple of num_heads");
    return c_.tracer.status().ok() && c_.settings.status().ok();
  }

  /// Returns an additive mask: a bool mask becomes -inf where it is true.
  std::optional<Proxy> mask(std::string_view name) {
    const std::optional<Proxy> given = c_.optional(name);
    if (!given || given->node()->type().dtype() != DType::kBool) return given;
    const DType dtype = c_.x().node()->type().dtype();
    return zeros_like(*given, dtype).masked_fill_(*given, -std::numeric_limits<double>::infinity());
  }
  static void widen(std::optional<Proxy>& mask) {
    if (mask) mask = pad(*mask, {0, 1});
  }

  std::array<Proxy, 3> project(Proxy query, Proxy key, Proxy value) {
    // If key and value are the same node, they stay the same node, except in the unbatched case.
    const bool is_pair = is_batched_ && key.node() == value.node();
    const bool is_self = is_pair && query.node() == key.node();
    const auto prepared = [&](const Proxy& x) {
      return !is_batched_ ? x.unsqueeze(1) : batch_first_ ? x.transpose(1, 0) : x;
    };
    query = prepared(query);
    key = is_self ? query : prepared(key);
    value = is_pair ? key : prepared(value);
    const bool has_bias = c_.settings.has("in_proj_bias");
    const auto parts = [&](const Proxy& whole) {
      const Proxy three = whole.chunk(3);
      return std::array<Proxy, 3>{three[0], three[1], three[2]};
    };
    if (!c_.settings.has("in_proj_weight")) {
      std::array<OptionalTensor, 3> bias{std::nullopt, std::nullopt, std::nullopt};
      if (has_bias) {
        const auto b = parts(c_.tracer.get_attr("in_proj_bias"));
        bias = {b[0], b[1], b[2]};
      }
      return {linear(query, c_.required("q_proj_weight"), bias[0]),
              linear(key, c_.required("k_proj_weight"), bias[1]),
              linear(value, c_.required("v_proj_weight"), bias[2])};
    }
    const Proxy weight = c_.tracer.get_attr("in_proj_weight");
    /// Computes `count` projections with one matrix product; each is contiguous in the result.
    const auto packed = [&](const Proxy& x, const Proxy& w, const OptionalTensor& b,
                            int64_t count) {
      return linear(x, w, b)
          .unflatten(-1, {count, embed_})
          .unsqueeze(0)
          .transpose(0, -2)
          .squeeze(-2)
          .contiguous();
    };
    if (is_self) {
      const Proxy all = packed(query, weight, c_.tensor("in_proj_bias"), 3);
      return {all.select(0, 0), all.select(0, 1), all.select(0, 2)};
    }
    if (is_pair) {
      const Proxy w = weight.split({embed_, embed_ * 2});
      OptionalTensor b_q = std::nullopt, b_kv = std::nullopt;
      if (has_bias) {
        const Proxy b = c_.tracer.get_attr("in_proj_bias").split({embed_, embed_ * 2});
        b_q = b[0], b_kv = b[1];
      }
      const Proxy q = linear(query, w[0], b_q);
      const Proxy both = packed(key, w[1], b_kv, 2);
      return {q, both.select(0, 0), both.select(0, 1)};
    }
    const auto w = parts(weight);
    std::array<OptionalTensor, 3> bias{std::nullopt, std::nullopt, std::nullopt};
    if (has_bias) {
      const auto b = parts(c_.tracer.get_attr("in_proj_bias"));
      bias = {b[0], b[1], b[2]};
    }
    return {linear(query, w[0], bias[0]), linear(key, w[1], bias[1]), linear(value, w[2], bias[2])};
  }

  LayerCall& c_;
  int64_t embed_, heads_;
  bool batch_first_ = false;
  bool is_batched_ = true;
  IntArg bsz_, tgt_len_;
};

}  // namespace

Argument multihead_attention_layer(LayerCall& c) { return Attention(c).record(); }

}  // namespace fx::internal
