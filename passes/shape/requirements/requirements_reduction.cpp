// Requirements for reductions, special functions and factories.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <limits>

namespace fx::shape {
namespace {

template <int i, int min>
bool number_at_least(TypeCall& c) {
  return is_at_least(c, i, min);
}
template <int i, int min>
bool rank_at_least(TypeCall& c) {
  return has_rank(c, i, min, kAnyRank);
}
template <int first, int second>
bool zero_dimensional(TypeCall& c) {
  return has_rank(c, first, 0) && has_rank(c, second, 0);
}

/// quantile(self, q, dim, keepdim, interpolation)
bool quantile(TypeCall& c) {
  const Type x = c.tensor(0), q = c.argument(1).type();
  if (x.dtype() != DType::kFloat32 && x.dtype() != DType::kFloat64) {
    c.fail_argument(0, "of dtype float32 or float64");
    return false;
  }
  if (q.is_tensor() && q.dtype() != x.dtype()) {
    c.fail_argument(1, fmt::format("of dtype {}", dtype_name(x.dtype())));
    return false;
  }
  if (!is_not_empty_from(c, 0, 0)) return false;
  return is_in_range(c, 1, 0, 1) && has_rank(c, 1, 0, 1) &&
         is_one_of(c, 4, {"linear", "lower", "higher", "midpoint", "nearest"});
}

/// renorm(self, p, dim, maxnorm)
bool renorm(TypeCall& c) {
  return has_rank(c, 0, 2, kAnyRank) && is_greater_than(c, 1, 0) && is_at_least(c, 3, 0) &&
         are_dims_of(c, 2, c.tensor(0).rank());
}

/// Negative powers of integers are undefined.
bool integer_powers(TypeCall& c) {
  const TypeArgument& exponent = c.argument(1);
  const auto tensors = c.tensors(0);
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Type t = tensors[i];
    if (!t || is_floating_point(t.dtype()) || is_complex(t.dtype())) continue;
    if (exponent.is_sequence() && i >= exponent.size()) break;
    const TypeArgument item_exponent = exponent.is_sequence() ? exponent[i] : exponent;
    const auto value = item_exponent.as_float();
    if (!value || *value >= 0 || item_exponent.number_dtype() != DType::kInt64) continue;
    c.fail_argument(1, "at least 0 for integers");
    return false;
  }
  return true;
}

/// logsumexp(self, dim, keepdim): requires at least one dimension unless keepdim is true.
bool logsumexp(TypeCall& c) {
  if (c.tensor(0).rank() == 0 || !c.argument(1).is_sequence() || c.list_size(1) > 0) return true;
  if (c.argument(2).as_bool().value_or(false)) return true;
  c.fail_argument(1, "a list of at least one dimension unless keepdim is True");
  return false;
}

/// as_strided(self, size, stride, storage_offset)
bool as_strided(TypeCall& c) {
  return is_at_least(c, 1, 0) && is_at_least(c, 2, 0) && is_at_least(c, 3, 0);
}

/// as_strided_scatter(self, src, size, stride, storage_offset)
bool as_strided_scatter(TypeCall& c) {
  return is_at_least(c, 2, 0) && is_at_least(c, 3, 0) && is_at_least(c, 4, 0);
}
/// empty_permuted(size, physical_layout): sizes and dimensions must not be negative.
bool empty_permuted(TypeCall& c) { return is_at_least(c, 0, 0) && is_at_least(c, 1, 0); }

/// roll(self, shifts, dims): one shift for each dimension, or one shift of the flattened tensor.
bool roll(TypeCall& c) {
  const size_t dims = c.argument(2).is_sequence() ? c.list_size(2) : c.is_none(2) ? 0 : 1;
  if (!has_count(c, 1, std::max(dims, size_t{1}))) return false;
  return dims == 0 || has_rank(c, 0, 1, kAnyRank);
}

/// div(self, other, rounding_mode)
bool rounded_division(TypeCall& c) { return is_one_of(c, 2, {"trunc", "floor"}); }

/// histc(self, bins, min, max)
bool histc(TypeCall& c) {
  const auto low = c.argument(2).as_float(), high = c.argument(3).as_float();
  if (!is_at_least(c, 1, 1) || !low || !high || *low <= *high) return !c.failed();
  c.fail(fmt::format("min must not be greater than max: {} vs. {}", *low, *high));
  return false;
}

/// linalg_vander(x, N): N must be at least 2.
bool vander(TypeCall& c) {
  if (!c.is_none(1)) return is_at_least(c, 1, 2);
  if (!has_rank(c, 0, 1, kAnyRank)) return false;
  if (c.guard_less_equal(2, c.tensor(0).sizes().back())) return true;
  c.fail_argument(0, "a tensor with at least 2 elements in the last dimension");
  return false;
}

/// _histogramdd(self, bins): the number of bins is the size of the last dimension.
bool histogramdd(TypeCall& c) {
  if (!has_rank(c, 0, 2, kAnyRank)) return false;
  const Dim& count = c.tensor(0).sizes().back();
  return !count.is_int() || has_count(c, 1, static_cast<size_t>(count.value()));
}
bool histogramdd_counts(TypeCall& c) { return histogramdd(c) && is_at_least(c, 1, 1); }
/// _histogramdd(self, bins): each item of bins is a vector of at least two edges.
bool histogramdd_edges(TypeCall& c) {
  if (!histogramdd(c)) return false;
  for (Type edges : c.tensors(1)) {
    if (!edges || (edges.rank() == 1 && c.guard_less_equal(2, edges.sizes()[0]))) continue;
    c.fail_argument(1, "a list of vectors with at least 2 elements");
    return false;
  }
  return true;
}

/// linalg_vector_norm(self, ord, dim), norm(self, p): norms of infinite or negative order are
/// undefined for an empty tensor.
template <bool has_dims>
bool vector_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto order = c.argument(1).as_float();
  if (!order || (*order >= 0 && *order <= std::numeric_limits<double>::max())) return true;
  if (numel(x.sizes()) != Dim(0)) return true;
  const auto dims = has_dims && !c.is_none(2) ? c.integers(2) : absl::InlinedVector<int64_t, 6>();
  bool has_empty_dim = dims.empty();
  for (int64_t d : dims) {
    if (d < -x.rank() || d >= x.rank()) return true;
    has_empty_dim =
        has_empty_dim || is_empty(x.sizes()[static_cast<size_t>(d < 0 ? d + x.rank() : d)]);
  }
  if (!has_empty_dim || c.failed()) return !c.failed();
  c.fail(fmt::format("a norm of order {} is undefined for an empty tensor", *order));
  return false;
}

/// cumsum_(self, dim, dtype): dtype must be the dtype of self.
bool scan(TypeCall& c) {
  const auto dtype = c.argument(2).as_dtype();
  if (!dtype || *dtype == c.tensor(0).dtype() || !c.op().name().ends_with("_.default")) return true;
  c.fail_argument(2, fmt::format("the dtype {} of the tensor", dtype_name(c.tensor(0).dtype())));
  return false;
}

/// _cdist_forward(x1, x2, p, compute_mode)
bool cdist(TypeCall& c) { return is_at_least(c, 2, 0) && is_in_range(c, 3, 0, 2); }
/// pdist(self, p)
bool pdist_of_matrix(TypeCall& c) { return has_rank(c, 0, 2) && is_at_least(c, 1, 0); }

/// meshgrid(tensors, indexing)
bool meshgrid(TypeCall& c) {
  if (!is_one_of(c, 1, {"ij", "xy"})) return false;
  if (!c.argument(0).is_sequence() || c.list_size(0) > 0) return true;
  c.fail_argument(0, "a list of at least one tensor");
  return false;
}

/// bincount(self, weights, minlength)
bool bincount(TypeCall& c) {
  return has_rank(c, 0, 1) && has_sizes_of(c, 1, 0) && is_at_least(c, 2, 0);
}

/// stft(self, n_fft, hop_length, win_length, window), optionally followed by center and pad_mode.
/// The window has win_length elements; reflection pads by n_fft // 2 elements.
template <bool is_centered>
bool stft(TypeCall& c) {
  const auto length = c.argument(c.is_none(3) ? 1 : 3).as_dim();
  if (c.optional_tensor(4) && (!has_rank(c, 4, 1) || (length && !has_size(c, 4, 0, *length))))
    return false;
  const auto count = c.argument(1).as_dim();
  const auto is_padded = c.argument(5).as_bool();
  const auto mode = c.argument(6).as_string();
  if (!is_centered || !is_padded || !*is_padded || !count || c.tensor(0).rank() == 0) return true;
  if (!is_not_empty_from(c, 0, c.tensor(0).rank() - 1)) return false;
  if (!mode || *mode != "reflect") return true;
  if (c.guard_less_equal(floor_div(*count, 2) + 1, c.tensor(0).sizes().back())) return true;
  c.fail_argument(
      0, fmt::format("a signal with more than {} elements", to_string(floor_div(*count, 2))));
  return false;
}

/// allclose(self, other, rtol, atol)
bool tolerances(TypeCall& c) { return is_at_least(c, 2, 0) && is_at_least(c, 3, 0); }

/// _softmax(self, dim); _softmax_backward_data(grad, output, dim)
template <int dim>
bool softmax(TypeCall& c) {
  return are_dims_of(c, dim, c.tensor(0).rank());
}

/// bucketize(self, boundaries)
bool bucketize(TypeCall& c) { return has_rank(c, 1, 1); }

/// _pdist_forward(self), _pdist_backward(grad, self)
bool pdist(TypeCall& c) { return has_rank(c, 0, 2, kAnyRank); }
bool pdist_backward(TypeCall& c) {
  return has_rank(c, 0, 1, kAnyRank) && has_rank(c, 1, 2, kAnyRank);
}

/// _scaled_dot_product_flash_attention_for_cpu(query, key, value, dropout_p)
bool flash_attention_for_cpu(TypeCall& c) { return is_in_range(c, 3, 0, 0); }

/// addr(self, vec1, vec2): self broadcasts to the outer product.
bool addr(TypeCall& c) {
  if (!has_rank(c, 1, 1) || !has_rank(c, 2, 1)) return false;
  const Dim sizes[] = {c.tensor(1).sizes()[0], c.tensor(2).sizes()[0]};
  return broadcasts_to(c, 0, sizes);
}

/// trapezoid(y, x, dim): x has y's size in dimension `dim`, and is given for each vector or once
/// for all vectors. The integral over zero elements is 0.
template <bool is_cumulative>
bool trapezoid(TypeCall& c) {
  const Type y = c.tensor(0), x = c.tensor(1);
  const auto dim = c.argument(2).as_dim();
  if (!dim || !dim->is_int() || !are_dims_of(c, 2, y.rank())) return !c.failed();
  const auto d = static_cast<size_t>(dim->value() < 0 ? dim->value() + y.rank() : dim->value());
  if (y.rank() == 0 || (!is_cumulative && is_empty(y.sizes()[d]))) return true;
  if (x.rank() == 1) return has_size(c, 1, 0, y.sizes()[d]);
  if (x.rank() == 0) return has_rank(c, 1, 1, kAnyRank);
  // The differences of x broadcast with the sums of neighboring elements of y. Both use dimension
  // `d` counted from the front.
  DimVector steps(static_cast<size_t>(std::max(y.rank() - x.rank(), 0)), Dim(1));
  steps.insert(steps.end(), x.sizes().begin(), x.sizes().end());
  DimVector sums(y.sizes().begin(), y.sizes().end());
  for (Dim* size : {&steps[d], &sums[d]})
    if (!is_empty(*size)) *size -= 1;
  for (size_t i = 1; i <= std::min(steps.size(), sums.size()); ++i) {
    const Dim &a = steps[steps.size() - i], &b = sums[sums.size() - i];
    if (c.is_one(a) || c.is_one(b) || c.guard_equal(a, b)) continue;
    c.fail_argument(1, "a tensor that broadcasts with the first");
    return false;
  }
  return true;
}

/// gradient(self, spacing, dim, edge_order); spacing may be a list of `Scalar` or of `Tensor`.
bool are_gradient_dims(TypeCall& c, int dims, int order) {
  const Type x = c.tensor(0);
  if (!is_in_range(c, order, 1, 2) || !are_dims_of(c, dims, x.rank())) return false;
  const auto edge = c.argument(order).as_dim();
  if (!edge || c.argument(dims).type()) return true;
  absl::InlinedVector<int64_t, 6> checked_dims;
  if (c.is_none(dims)) {
    for (int d = 0; d < x.rank(); ++d) checked_dims.push_back(d);
  } else {
    checked_dims = c.integers(dims);
  }
  for (size_t i = 0; i < checked_dims.size() && x.rank() > 0; ++i) {
    if (checked_dims[i] < 0) checked_dims[i] += x.rank();
    if (std::find(checked_dims.begin(), checked_dims.begin() + static_cast<ptrdiff_t>(i),
                  checked_dims[i]) != checked_dims.begin() + static_cast<ptrdiff_t>(i)) {
      c.fail(fmt::format("dimension {} must not occur more than once", checked_dims[i]));
      return false;
    }
    const Dim& size = x.sizes()[static_cast<size_t>(checked_dims[i])];
    if (!c.guard_less_equal(*edge + 1, size)) {
      c.fail(fmt::format("dimension {} of size {} is too small for an edge order of {}",
                         checked_dims[i], to_string(size), to_string(*edge)));
      return false;
    }
  }
  return true;
}
template <int dims>
bool gradient(TypeCall& c) {
  return are_gradient_dims(c, dims, dims + 1);
}
/// Requires one spacing for each dimension.
bool gradient_with_spacing(TypeCall& c) {
  const size_t count = c.is_none(2)                  ? static_cast<size_t>(c.tensor(0).rank())
                       : c.argument(2).is_sequence() ? c.list_size(2)
                                                     : 1;
  if (!has_count(c, 1, count) || !are_gradient_dims(c, 2, 3)) return false;
  const TypeArgument& spacing = c.argument(1);
  for (size_t i = 0; spacing.is_sequence() && i < spacing.size(); ++i) {
    const Type step = spacing[i].type();
    if (!step.is_tensor() || step.rank() == 1) continue;
    c.fail_argument(1, "a list of vectors");
    return false;
  }
  return true;
}

/// histogram(self, bins, ...)
bool histogram_bins(TypeCall& c) {
  return has_rank(c, 1, 1) &&
         (c.guard_less_equal(2, c.tensor(1).sizes()[0]) || has_size(c, 1, 0, Dim(2)));
}

/// _chunk_cat(tensors, dim, num_chunks)
bool chunk_cat(TypeCall& c) {
  const auto tensors = c.tensors(0);
  const auto dim = c.argument(1).as_dim();
  if (c.failed() || !dim || !dim->is_int()) return !c.failed();
  const auto reject = [&](std::string_view expected) {
    c.fail_argument(0, expected);
    return false;
  };
  for (Type t : tensors) {
    if (numel(t.sizes()) == Dim(0)) return reject("a list of non-empty tensors");
    if (t.rank() != tensors[0].rank() && dim->value() < 0)
      return reject("a list of tensors of equal rank if the dimension is negative");
    const int64_t end = dim->value() < 0 ? dim->value() + t.rank() : dim->value();
    for (int64_t d = 0; d < end; ++d)
      if (d >= t.rank() || d >= tensors[0].rank() ||
          !c.guard_equal(t.sizes()[static_cast<size_t>(d)],
                         tensors[0].sizes()[static_cast<size_t>(d)]))
        return reject("a list of tensors with the same sizes before the dimension");
  }
  return true;
}

constexpr Requirement kReductionRequirements[] = {
    {"aten.quantile.default", quantile},
    {"aten.quantile.scalar", quantile},
    {"aten.nanquantile.default", quantile},
    {"aten.nanquantile.scalar", quantile},
    {"aten.renorm.default", renorm},
    {"aten._foreach_pow.Scalar", integer_powers},
    {"aten._foreach_pow.ScalarList", integer_powers},
    {"aten.logsumexp.default", logsumexp},
    {"aten.as_strided.default", as_strided},
    {"aten.as_strided_scatter.default", as_strided_scatter},
    {"aten.empty_permuted.default", empty_permuted},
    {"aten.roll.default", roll},
    {"aten.div.Tensor_mode", rounded_division},
    {"aten.div.Scalar_mode", rounded_division},
    {"aten.divide.Tensor_mode", rounded_division},
    {"aten.divide.Scalar_mode", rounded_division},
    {"aten.linalg_vander.default", vander},
    {"aten.bucketize.Tensor", bucketize},
    {"aten.bucketize.Scalar", bucketize},
    {"aten._pdist_forward.default", pdist},
    {"aten._pdist_backward.default", pdist_backward},
    {"aten._scaled_dot_product_flash_attention_for_cpu.default", flash_attention_for_cpu},
    {"aten._histogramdd_bin_edges.default", histogramdd},
    {"aten.histogramdd.TensorList_bins", histogramdd_edges},
    {"aten.norm.Scalar", vector_norm<false>},
    {"aten.linalg_vector_norm.default", vector_norm<true>},
    {"aten.cumsum.default", scan},
    {"aten.cumprod.default", scan},
    {"aten._histogramdd_from_bin_cts.default", histogramdd_counts},
    {"aten._histogramdd_from_bin_tensors.default", histogramdd_edges},
    {"aten._cdist_forward.default", cdist},
    {"aten.pdist.default", pdist_of_matrix},
    {"aten.meshgrid.indexing", meshgrid},
    {"aten.polygamma_.default", number_at_least<1, 0>},
    {"aten.cosine_similarity.default", number_at_least<3, 0>},
    {"aten.bincount.default", bincount},
    {"aten.stft.default", stft<false>},
    {"aten.stft.center", stft<true>},
    {"aten.allclose.default", tolerances},
    {"aten.isclose.default", tolerances},
    {"aten._softmax.default", softmax<1>},
    {"aten._log_softmax.default", softmax<1>},
    {"aten._softmax_backward_data.default", softmax<2>},
    {"aten._log_softmax_backward_data.default", softmax<2>},
    {"aten.addr.default", addr},
    {"aten.polygamma.default", number_at_least<0, 0>},
    {"aten.special_polygamma.default", number_at_least<0, 0>},
    {"aten.mvlgamma.default", number_at_least<1, 1>},
    {"aten.special_multigammaln.default", number_at_least<1, 1>},
    {"aten.tril.default", rank_at_least<0, 2>},
    {"aten.triu.default", rank_at_least<0, 2>},
    {"aten.fliplr.default", rank_at_least<0, 2>},
    {"aten.flipud.default", rank_at_least<0, 1>},
    {"aten.trapezoid.x", trapezoid<false>},
    {"aten.trapz.x", trapezoid<false>},
    {"aten.cumulative_trapezoid.x", trapezoid<true>},
    {"aten.gradient.scalarint", gradient<2>},
    {"aten.gradient.scalararray", gradient<2>},
    {"aten.gradient.array", gradient<1>},
    {"aten.gradient.scalarrayint", gradient_with_spacing},
    {"aten.gradient.scalarrayarray", gradient_with_spacing},
    {"aten.gradient.tensorarrayint", gradient_with_spacing},
    {"aten.gradient.tensorarray", gradient_with_spacing},
    {"aten.histogram.bin_ct", number_at_least<1, 1>},
    {"aten.histogramdd.default", number_at_least<1, 1>},
    {"aten.histogram.bins_tensor", histogram_bins},
    {"aten.histc.default", histc},
    {"aten.linspace.Scalar_Tensor", zero_dimensional<1, 1>},
    {"aten.linspace.Tensor_Scalar", zero_dimensional<0, 0>},
    {"aten.linspace.Tensor_Tensor", zero_dimensional<0, 1>},
    {"aten.logspace.Scalar_Tensor", zero_dimensional<1, 1>},
    {"aten.logspace.Tensor_Scalar", zero_dimensional<0, 0>},
    {"aten.logspace.Tensor_Tensor", zero_dimensional<0, 1>},
    {"aten._chunk_cat.default", chunk_cat},
};

}  // namespace

absl::Span<const Requirement> reduction_requirements() { return kReductionRequirements; }

}  // namespace fx::shape
