// Decompositions of scaled dot product attention: softmax(q kᵀ · scale + mask) v, over the last two
// dimensions.
#include "fx/passes/decompose/families_internal.h"

#include <cmath>
#include <limits>

namespace fx {
namespace {

constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

/// Returns the argument `scale`, by default 1 / sqrt of the last size.
double scale_of(Decomposer& d) {
  if (!d.is_none("scale")) return d.number("scale");
  return 1.0 / std::sqrt(static_cast<double>(d.known_size(d.tensor("query"), -1)));
}

Proxy transposed(Decomposer& d, const Proxy& x) {
  std::vector<int64_t> dims = Decomposer::range(0, d.rank(x));
  if (dims.size() >= 2) std::swap(dims[dims.size() - 2], dims[dims.size() - 1]);
  return permute(x, dims);
}

/// Returns q kᵀ · scale, with -inf for masked elements.
Proxy scores_of(Decomposer& d, const Proxy& q, const Proxy& k, bool is_causal) {
  const Proxy mask = d.optional_tensor("attn_mask");
  // Applies the square root of the scale to both factors, like libtorch, so that the products
  // remain small.
  const double factor = std::sqrt(std::abs(scale_of(d)));
  const double sign = scale_of(d) < 0 ? -1 : 1;
  const Proxy left = q * (sign * factor), right = transposed(d, k) * factor;
  Proxy scores = matmul(left, right);
  if (is_causal) {
    const Proxy rows = unsqueeze(d.iota(d.size(q, -2), q), 1);
    const Proxy columns = d.iota(d.size(k, -2), q);
    scores = d.where(columns <= rows, scores, kMinusInfinity);
  }
  if (!mask.defined()) return scores;
  if (d.dtype(mask) == DType::kBool) return d.where(mask, scores, kMinusInfinity);
  return scores + mask;
}

/// Repeats the keys or values of grouped-query attention for all heads of the query.
Proxy for_heads(Decomposer& d, const Proxy& x, const Proxy& query) {
  const int64_t heads = d.known_size(query, -3), own = d.known_size(x, -3);
  if (own == heads || own == 0 || d.rank(x) < 3) return x;
  std::vector<IntArg> sizes = d.sizes(x);
  const auto at = static_cast<std::ptrdiff_t>(sizes.size()) - 2;
  std::vector<IntArg> repeated = sizes, merged = sizes;
  repeated.insert(repeated.begin() + at, IntArg(heads / own));
  merged[static_cast<size_t>(at) - 1] = IntArg(heads);
  return d.reshape(unsqueeze(x, -3).expand(repeated), merged);
}

AnyArg attention(Decomposer& d) {
  if (d.number("dropout_p") != 0)
    return d.reject("dropout is not supported, because it draws random numbers");
  const Proxy q = d.opmath("query");
  Proxy k = d.opmath("key"), v = d.opmath("value");
  if (d.rank(q) < 2) return d.reject("the query must have at least two dimensions");
  if (d.flag("enable_gqa")) {
    k = for_heads(d, k, q);
    v = for_heads(d, v, q);
  }
  const bool is_causal = d.flag("is_causal"), has_mask = !d.is_none("attn_mask");
  const Proxy scores = scores_of(d, q, k, is_causal);
  // A fully masked row becomes zeros.
  const Proxy weights = has_mask ? d.emit("aten._safe_softmax.default", {scores, -1})
                                 : d.emit("aten._softmax.default", {scores, -1, false});
  return matmul(weights, v);
}

/// Also returns the logarithm of the sums, which is an argument of the backward operator.
AnyArg flash_attention(Decomposer& d) {
  if (d.number("dropout_p") != 0)
    return d.reject("dropout is not supported, because it draws random numbers");
  const Proxy q = d.opmath("query"), k = d.opmath("key"), v = d.opmath("value");
  const Proxy scores = scores_of(d, q, k, d.flag("is_causal"));
  Proxy largest = amax(scores, {-1}, true);
  // In a fully masked row, the maximum counts as 0, the sum as 1, and the result is zeros.
  const bool has_mask = !d.is_none("attn_mask");
  if (has_mask) largest = d.where(largest == kMinusInfinity, 0, largest);
  const Proxy e = exp(scores - largest);
  Proxy sums = sum(e, {-1}, true);
  if (has_mask) sums = d.where(sums == 0, 1, sums);
  const Proxy out = matmul(e / sums, v);
  return AnyArg::tuple({out, squeeze(largest + log(sums), {-1})});
}

AnyArg flash_attention_backward(Decomposer& d) {
  if (d.number("dropout_p") != 0)
    return d.reject("dropout is not supported, because it draws random numbers");
  const Proxy grad = d.opmath("grad_out"), q = d.opmath("query"), k = d.opmath("key");
  const Proxy v = d.opmath("value"), out = d.opmath("out");
  const Proxy scores = scores_of(d, q, k, d.flag("is_causal"));
  const Proxy weights = exp(scores - unsqueeze(d.tensor("logsumexp"), -1));
  const Proxy grad_weights = matmul(grad, transposed(d, v));
  const Proxy along = sum(grad * out, {-1}, true);
  const Proxy grad_scores = weights * (grad_weights - along) * scale_of(d);
  const Proxy grad_query = matmul(grad_scores, k);
  const Proxy grad_key = matmul(transposed(d, grad_scores), q);
  const Proxy grad_value = matmul(transposed(d, weights), grad);
  return AnyArg::tuple({grad_query, grad_key, grad_value});
}

}  // namespace

absl::Span<const DecompositionRow> attention_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten._scaled_dot_product_flash_attention_for_cpu.default", flash_attention, kCore},
      {"aten._scaled_dot_product_flash_attention_for_cpu_backward.default",
       flash_attention_backward, DecompositionSet::kByName},
      {"aten.scaled_dot_product_attention.default", attention, kCore},
  };
  return kRows;
}

}  // namespace fx
