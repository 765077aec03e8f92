// Attention and rotary embeddings.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <cmath>
#include <limits>

namespace fx::onnx::reader {
namespace {

/// Converts [batch, sequence, heads * size] to [batch, heads, sequence, size].
Val split_heads(Call& c, Val x, int64_t heads) {
  const Val parts =
      c.reshape(x, {c.size_of(x, 0), c.size_of(x, 1), heads, c.floor_div(c.size_of(x, 2), heads)});
  return c.permute(parts, {0, 2, 1, 3});
}

Val minus_infinity(Call& c, DType dtype) {
  return c.scalar(-std::numeric_limits<double>::infinity(), dtype);
}

/// Returns 0 where the condition holds, and minus infinity elsewhere.
Val bias_of(Call& c, Val condition, DType dtype) {
  return c.op("aten.where.self", {condition, c.scalar(0, dtype), minus_infinity(c, dtype)});
}

/// Returns a bias that lets each query attend only to the keys up to its own position. The
/// positions of the queries follow those of the past keys.
Val causal_bias(Call& c, Val q, Val k, Val past, DType dtype) {
  const auto positions = [&](Val x) {
    return c.op("aten.arange.default", {c.size_of(x, 2)}, {{"dtype", DType::kInt64}});
  };
  Val rows = c.unsqueeze(positions(q), {1});
  if (past) rows = c.op("aten.add.Tensor", {rows, c.size_of(past, 2)});
  return bias_of(c, c.op("aten.le.Tensor", {positions(k), rows}), dtype);
}

/// Pads the last dimension of a mask to the number of keys. The added keys are masked.
Val padded_mask(Call& c, Val mask, Val k) {
  const Dim columns = c.dim(mask, -1), keys = c.dim(k, 2);
  if (c.failed() || same_value(columns, keys)) return mask;
  if (!columns.is_int() || !keys.is_int()) {
    c.fail("the numbers of keys and mask columns must be equal or constant");
    return {};
  }
  const int64_t margin = keys.value() - columns.value();
  if (margin < 0) c.fail_invalid("its mask has more columns than there are keys");
  const bool is_bool = c.dtype(mask) == DType::kBool;
  const Argument value = is_bool ? Argument(0) : Argument(-std::numeric_limits<double>::infinity());
  return c.op("aten.constant_pad_nd.default", {mask, c.dims({0, margin}), value});
}

/// Returns the sum of all masks, or an empty Val if there are none.
Val attention_bias(Call& c, Val q, Val k, Val past, bool is_causal) {
  const DType dtype = c.dtype(q);
  Val bias;
  if (c.has(3)) {
    bias = padded_mask(c, c.in(3), k);
    if (c.dtype(bias) == DType::kBool) bias = bias_of(c, bias, dtype);
  }
  if (!is_causal) return bias;
  const Val causal = causal_bias(c, q, k, past, dtype);
  return bias ? c.op("aten.add.Tensor", {bias, causal}) : causal;
}

Val repeat_heads(Call& c, Val x, int64_t times) {
  if (times == 1) return x;
  return c.op("aten.repeat_interleave.self_int", {x, times, 1});
}

void attention(Call& c) {
  Val q = c.in(0), k = c.in(1), v = c.in(2);
  const Val past_k = c.optional(4), past_v = c.optional(5);
  const bool is_flat = c.rank(q) == 3, is_causal = c.flag("is_causal");
  const int64_t q_heads = c.integer("q_num_heads", 0), kv_heads = c.integer("kv_num_heads", 0);
  const double softcap = c.real("softcap", 0);
  const int64_t mode = c.integer("qk_matmul_output_mode", 0);
  const int64_t precision = c.integer("softmax_precision", 0);
  if (is_flat) {
    if (q_heads <= 0 || kv_heads <= 0)
      return c.fail_invalid("q_num_heads and kv_num_heads must be positive");
    q = split_heads(c, q, q_heads);
    k = split_heads(c, k, kv_heads);
    v = split_heads(c, v, kv_heads);
  }
  if (c.rank(q) != 4 || c.rank(k) != 4 || c.rank(v) != 4)
    return c.fail_invalid("its inputs must have three or four dimensions");
  const DType dtype = c.dtype(q);
  if (past_k) k = c.op("aten.cat.default", {c.vals({past_k, k}), 2});
  if (past_v) v = c.op("aten.cat.default", {c.vals({past_v, v}), 2});
  if (c.has_output(1)) c.result(1, k);
  if (c.has_output(2)) c.result(2, v);
  const double scale = c.real("scale", 1 / std::sqrt(static_cast<double>(c.constant_dim(q, 3))));
  const Val bias = attention_bias(c, q, k, past_k, is_causal);
  const int64_t groups = c.constant_dim(q, 1), keys = c.constant_dim(k, 1);
  if (c.failed()) return;
  if (keys == 0 || groups % keys != 0)
    return c.fail_invalid("the number of heads must be a multiple of the number of key heads");
  k = repeat_heads(c, k, groups / keys);
  v = repeat_heads(c, v, groups / keys);
  const auto scaled = [&](Val x) { return c.op("aten.mul.Tensor", {x, std::sqrt(scale)}); };
  const Val transposed = c.op("aten.transpose.int", {scaled(k), 2, 3});
  Val scores = c.op("aten.matmul.default", {scaled(q), transposed});
  const auto expose = [&](int64_t expected_mode, Val value) {
    if (mode == expected_mode && c.has_output(3)) c.result(3, c.cast(value, dtype));
  };
  if (softcap > 0) {
    const Val bounded = c.op("aten.tanh.default", {c.op("aten.div.Tensor", {scores, softcap})});
    scores = c.op("aten.mul.Tensor", {bounded, softcap});
  }
  expose(0, scores);
  expose(1, scores);
  if (bias) scores = c.op("aten.add.Tensor", {scores, bias});
  expose(2, scores);
  const DType computed =
      precision == 0 ? dtype : dtype_of(static_cast<DataType>(static_cast<int32_t>(precision)));
  if (!is_floating_point(computed))
    return c.fail_invalid("softmax_precision must be a floating-point type");
  Val weights = c.op("aten.softmax.int", {c.cast(scores, computed), -1});
  if (bias) {
    // A query whose keys are all masked has the result 0.
    const Val highest = c.op("aten.amax.default", {bias, c.dims({-1}), true});
    const Val is_masked = c.op("aten.isneginf.default", {highest});
    weights = c.op("aten.where.self", {is_masked, c.scalar(0, computed), weights});
  }
  expose(3, weights);
  Val y = c.op("aten.matmul.default", {c.cast(weights, dtype), v});
  if (is_flat) {
    y = c.permute(y, {0, 2, 1, 3});
    y = c.op("aten.flatten.using_ints", {y, 2, 3});
  }
  c.result(0, y);
}

void rotary_embedding(Call& c) {
  Val x = c.in(0), cosines = c.in(1), sines = c.in(2);
  const bool is_flat = c.rank(x) == 3, is_interleaved = c.flag("interleaved");
  const int64_t heads = c.integer("num_heads", 0);
  const Val original = x;
  if (is_flat) {
    if (heads <= 0) return c.fail_invalid("num_heads must be positive");
    x = c.reshape(x,
                  {c.size_of(x, 0), c.size_of(x, 1), heads, c.floor_div(c.size_of(x, 2), heads)});
  } else {
    x = c.permute(x, {0, 2, 1, 3});
  }
  const int64_t size = c.constant_dim(x, 3);
  int64_t rotated = c.integer("rotary_embedding_dim", 0);
  if (rotated == 0) rotated = size;
  if (rotated < 0 || rotated > size || rotated % 2 != 0)
    return c.fail_invalid("rotary_embedding_dim must be even, from 0 to the size of a head");
  if (c.has(3)) {
    const Val position_ids = c.cast(c.in(3), DType::kInt64);
    cosines = c.op("aten.index.Tensor", {cosines, c.vals({position_ids})});
    sines = c.op("aten.index.Tensor", {sines, c.vals({position_ids})});
  }
  cosines = c.op("aten.unsqueeze.default", {cosines, 2});
  sines = c.op("aten.unsqueeze.default", {sines, 2});
  const Val rotated_part = c.slice(x, 3, 0, rotated);
  const Val left = is_interleaved ? c.slice(rotated_part, 3, 0, rotated, 2)
                                  : c.slice(rotated_part, 3, 0, rotated / 2);
  const Val right = is_interleaved ? c.slice(rotated_part, 3, 1, rotated, 2)
                                   : c.slice(rotated_part, 3, rotated / 2, rotated);
  const auto product = [&](Val a, Val b) { return c.op("aten.mul.Tensor", {a, b}); };
  const Val real = c.op("aten.sub.Tensor", {product(cosines, left), product(sines, right)});
  const Val imaginary = c.op("aten.add.Tensor", {product(sines, left), product(cosines, right)});
  Val y;
  if (is_interleaved) {
    y = c.op("aten.flatten.using_ints",
             {c.op("aten.stack.default", {c.vals({real, imaginary}), -1}), 3, 4});
  } else {
    y = c.op("aten.cat.default", {c.vals({real, imaginary}), -1});
  }
  if (rotated < size) y = c.op("aten.cat.default", {c.vals({y, c.slice(x, 3, rotated, size)}), -1});
  c.result(is_flat ? c.reshape(y, c.shape_of(original)) : c.permute(y, {0, 2, 1, 3}));
}

}  // namespace

absl::Span<const Row> attention_rows() {
  static constexpr Row kRows[] = {
      {"Attention", attention, 23},
      {"RotaryEmbedding", rotary_embedding, 23},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
