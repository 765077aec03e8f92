// Convolutions, normalizations, attention and resizing.
#include "fx/passes/vmap/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

// ---- Convolutions: examples with different weights become groups

/// Reshapes [batch, n, c, ...] to [n, batch * c, ...].
Proxy into_channels(Batch& b, const Proxy& x) {
  const Proxy moved = b.moved(x, 0, 1);
  std::vector<IntArg> sizes = b.sizes(moved, 3);
  sizes.insert(sizes.begin(), {b.size(moved, 0), b.times(b.size(moved, 1), b.size(moved, 2))});
  return b.reshape(moved, sizes);
}
/// Inverts into_channels, for a batch of values of this type.
Proxy out_of_channels(Batch& b, const Proxy& x, Type example) {
  std::vector<IntArg> sizes = b.sizes_of(example);
  std::swap(sizes[0], sizes[1]);
  return b.moved(b.reshape(x, sizes), 1, 0);
}
AnyArg times_batch(Batch& b, int64_t groups) { return b.times(b.batch_size(), IntArg(groups)); }

AnyArg convolution_rule(Batch& b) {
  const int64_t rank = b.rank_of("input");
  const bool has_bias = !b.is_none("bias");
  if (!b.is_batched("weight")) {
    const bool adds = has_bias && b.is_batched("bias");
    const AnyArg bias = adds ? AnyArg(Argument()) : AnyArg(Operand(b.argument("bias"), &b));
    const Proxy y =
        b.unfolded(b.call_with({{"input", b.folded(b("input"))}, {"bias", bias}}), b.result());
    return adds ? y + b.unsqueeze_to(unsqueeze(b("bias"), 1), rank + 1) : y;
  }
  const Proxy y = out_of_channels(b,
                                  b.call_with({{"input", into_channels(b, b("input"))},
                                               {"weight", b.folded(b("weight"))},
                                               {"bias", AnyArg(Argument())},
                                               {"groups", times_batch(b, b.integer("groups"))}}),
                                  b.result());
  if (!has_bias) return y;
  const Proxy bias = b.is_batched("bias") ? unsqueeze(b("bias"), 1) : b.plain("bias");
  return y + b.unsqueeze_to(bias, b.rank(bias) + rank - 2);
}

AnyArg convolution_backward_rule(Batch& b) {
  std::vector<AnyArg> bias_sizes;
  const Argument given = b.argument("bias_sizes");
  bias_sizes.reserve(given.size());
  for (size_t i = 0; i < given.size(); ++i)
    bias_sizes.push_back(times_batch(b, given[i].is_int() ? given[i].as_int() : 1));
  const Proxy grads =
      b.call_with({{"grad_output", into_channels(b, b("grad_output"))},
                   {"input", into_channels(b, b("input"))},
                   {"weight", b.folded(b("weight"))},
                   {"bias_sizes", given.is_none() ? AnyArg(Argument()) : AnyArg(bias_sizes)},
                   {"groups", times_batch(b, b.integer("groups"))}});
  const Argument mask = b.argument("output_mask");
  const auto is_requested = [&](size_t i) { return mask[i] == Argument(true); };
  if (!grads.defined()) return {};
  return AnyArg::tuple(
      {is_requested(0) ? AnyArg(out_of_channels(b, grads[0], b.result(0))) : AnyArg(Argument()),
       is_requested(1) ? AnyArg(b.unfolded(grads[1], b.result(1))) : AnyArg(Argument()),
       is_requested(2) ? AnyArg(b.unfolded(grads[2], b.result(2))) : AnyArg(Argument())});
}

// ---- Resizing: the argument `input_size` of backward operators includes the batch

AnyArg resize_backward_rule(Batch& b) {
  std::vector<IntArg> sizes = b.dims("input_size");
  sizes[0] = b.times(b.batch_size(), sizes[0]);
  return b.unfolded(
      b.call_with({{"grad_output", b.folded(b("grad_output"))}, {"input_size", IntList(sizes)}}),
      b.result());
}

// ---- Attention

AnyArg attention_mask(Batch& b) {
  if (b.is_none("attn_mask")) return AnyArg(Argument());
  if (!b.is_batched("attn_mask") && b.rank_of("attn_mask") == 2) return b.plain("attn_mask");
  Proxy mask = b("attn_mask");
  while (b.rank(mask) < 5) mask = unsqueeze(mask, 1);
  std::vector<IntArg> sizes = b.sizes(mask, 2);
  sizes.insert(sizes.begin(), {b.batch_size(), b.size(b("query"), 1)});
  return b.folded(mask.expand(sizes));
}
AnyArg attention_rule(Batch& b) {
  if (b.rank_of("query") != 4) return b.reject("query must have 4 dimensions");
  const Proxy results = b.call_with({{"query", b.folded(b("query"))},
                                     {"key", b.folded(b("key"))},
                                     {"value", b.folded(b("value"))},
                                     {"attn_mask", attention_mask(b)}});
  if (!results.defined()) return {};
  return AnyArg::tuple({b.unfolded(results[0], b.result(0)), b.unfolded(results[1], b.result(1))});
}
AnyArg attention_backward_rule(Batch& b) {
  std::vector<std::pair<std::string_view, AnyArg>> replaced;
  for (const std::string_view name : {"grad_out", "query", "key", "value", "out", "logsumexp"})
    replaced.emplace_back(name, b.folded(b(name)));
  replaced.emplace_back("attn_mask", attention_mask(b));
  const Proxy results = b.call_with(replaced);
  if (!results.defined()) return {};
  return AnyArg::tuple({b.unfolded(results[0], b.result(0)), b.unfolded(results[1], b.result(1)),
                        b.unfolded(results[2], b.result(2))});
}

}  // namespace

absl::Span<const BatchingRow> layer_batching() {
  static constexpr BatchingRow kRows[] = {
      batch_by("aten.convolution.default", convolution_rule),
      batch_by("aten.convolution_backward.default", convolution_backward_rule),
      batch_by("aten._scaled_dot_product_flash_attention_for_cpu.default", attention_rule),
      batch_by("aten._scaled_dot_product_flash_attention_for_cpu_backward.default",
               attention_backward_rule),
      {.op = "aten.native_layer_norm.default", .kind = BatchKind::kLeadingFirst},
      batch_by("aten.upsample_nearest1d_backward.default", resize_backward_rule),
      batch_by("aten.upsample_nearest2d_backward.default", resize_backward_rule),
      batch_by("aten.upsample_nearest3d_backward.default", resize_backward_rule),
      batch_by("aten.upsample_linear1d_backward.default", resize_backward_rule),
      batch_by("aten.upsample_bilinear2d_backward.default", resize_backward_rule),
      batch_by("aten.upsample_bicubic2d_backward.default", resize_backward_rule),
      batch_by("aten.upsample_trilinear3d_backward.default", resize_backward_rule),
  };
  return kRows;
}

}  // namespace fx
