// Type functions for composite operators that do not belong to another family.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

DType promoted(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  return promotion.result();
}

/// Returns `sizes` without dimension `dim`, or with size 1 in this dimension if `keep` is true.
DimVector reduced_sizes(DimVector sizes, int dim, bool keep) {
  if (sizes.empty()) return sizes;
  if (keep)
    sizes[index(dim)] = 1;
  else
    sizes.erase(sizes.begin() + dim);
  return sizes;
}

/// Returns the type after arguments 0 and 1 are broadcast and reduced over one dimension.
Type fold_pair(TypeCall& c, DType dtype, int64_t dim, bool keep) {
  DimVector sizes = to_vector(c.tensor(0).sizes());
  if (!broadcast(c, sizes, c.tensor(1).sizes())) return Type();
  const int d = wrap_dim(c, dim, static_cast<int>(sizes.size()));
  return d < 0 ? Type() : c.result(dtype, reduced_sizes(sizes, d, keep));
}

Type isclose(TypeCall& c) { return elementwise(c, DType::kBool, {c.tensor(0), c.tensor(1)}); }
/// cosine_similarity(x1, x2, dim, eps)
Type cosine_similarity(TypeCall& c) {
  return fold_pair(c, float_of(promoted(c)), c.integer(2), false);
}
/// pairwise_distance(x1, x2, p, eps, keepdim)
Type pairwise_distance(TypeCall& c) {
  return fold_pair(c, float_of(real_of(promoted(c))), -1, c.boolean(4));
}
/// linalg_vecdot(x, y, dim): ignores `dim` if both operands are vectors.
Type vecdot(TypeCall& c) {
  const bool are_vectors = c.tensor(0).rank() == 1 && c.tensor(1).rank() == 1;
  return fold_pair(c, promoted(c), are_vectors ? 0 : c.integer(2), false);
}

/// triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction)
Type triplet_margin_loss(TypeCall& c) {
  constexpr int64_t kMean = 1, kSum = 2;
  Promotion promotion;
  DimVector sizes;
  for (int i = 0; i < 3; ++i) {
    promotion.add(c, i);
    if (!broadcast(c, sizes, c.tensor(i).sizes())) return Type();
  }
  const DType dtype = float_of(real_of(promotion.result()));
  const int64_t reduction = c.integer(7);  // all elements for an unknown reduction
  if (reduction == kMean || reduction == kSum) return c.result(dtype, absl::Span<const Dim>());
  const int last = static_cast<int>(sizes.size()) - 1;
  return c.result(dtype, last < 0 ? sizes : reduced_sizes(sizes, last, false));
}

/// sum_to_size(self, size): returns self if it has these sizes. An empty list sums all elements.
Type sum_to_size(TypeCall& c) {
  const Type x = c.tensor(0);
  const DimVector sizes = c.dims(1);
  if (c.failed()) return Type();
  DimVector expanded = sizes;
  if (!broadcast(c, expanded, x.sizes())) return Type();
  if (!same_sizes(c, expanded, x.sizes()))
    return c.fail(fmt::format("{} cannot be summed to the sizes of argument size", to_string(x)));
  if (!sizes.empty() && sizes.size() == x.sizes().size() && same_sizes(c, sizes, x.sizes())) {
    c.set_alias(0);
    return x;
  }
  return c.result(sum_dtype(x.dtype()), sizes);
}

/// inner(self, other): sums products over the last dimension of both operands.
Type inner(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (a.rank() == 0 || b.rank() == 0) return elementwise(c, promoted(c), {a, b});
  if (a.dtype() != b.dtype())
    return c.fail(fmt::format("the operands must have the same dtype: {} vs. {}", to_string(a),
                              to_string(b)));
  if (!c.guard_equal(a.sizes().back(), b.sizes().back()))
    return c.fail(fmt::format("the last dimensions must have the same size: {} vs. {}",
                              to_string(a), to_string(b)));
  DimVector sizes(a.sizes().begin(), a.sizes().end() - 1);
  sizes.insert(sizes.end(), b.sizes().begin(), b.sizes().end() - 1);
  return c.result(a.dtype(), sizes);
}

/// Returns the length of diagonal `k` of a matrix.
Dim diagonal_length(const Dim& rows, const Dim& columns, int64_t k) {
  return max(k >= 0 ? min(rows, columns - k) : min(rows + k, columns), 0);
}
/// diag(self, diagonal): creates a matrix from a vector, or copies a diagonal of a matrix.
Type diag(TypeCall& c) {
  const Type x = c.tensor(0);
  const int64_t k = c.integer(1);
  if (x.rank() == 1) {
    const Dim n = x.sizes()[0] + magnitude(k);
    return c.result(x.dtype(), {n, n});
  }
  if (x.rank() != 2) return c.fail(fmt::format("self must be 1-D or 2-D, not {}", to_string(x)));
  return c.result(x.dtype(), {diagonal_length(x.sizes()[0], x.sizes()[1], k)});
}
Type diagflat(TypeCall& c) {
  const int64_t k = c.integer(1);
  const Dim n = numel(c.tensor(0).sizes()) + magnitude(k);
  return c.result(c.tensor(0).dtype(), {n, n});
}

/// cov(self), corrcoef(self): each row is a variable. For a single variable, the result is
/// 0-dimensional.
Type covariance(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() > 2)
    return c.fail(fmt::format("self must have at most 2 dimensions, not {}", to_string(x)));
  const Type weights = c.optional_tensor(3);
  const DType dtype = weights ? promote(float_of(x.dtype()), weights.dtype()) : float_of(x.dtype());
  if (x.rank() < 2 || c.is_one(x.sizes()[0])) return c.result(dtype, absl::Span<const Dim>());
  return c.result(dtype, {x.sizes()[0], x.sizes()[0]});
}

/// combinations(self, r, with_replacement): one row for each combination.
Type combinations(TypeCall& c) {
  const Type x = c.tensor(0);
  const int64_t r = c.integer(1);
  if (x.rank() != 1 || r < 0) return c.fail("self must be 1-D and r must be at least 0");
  if (r == 0) return c.result(x.dtype(), {Dim(0)});
  Dim n = x.sizes()[0];
  constexpr int64_t kMaxSteps = 64;
  if (r > kMaxSteps) return Type();  // the number of combinations would be a long expression
  if (c.boolean(2)) n = n + (r - 1);
  Dim count = 1;  // the binomial coefficient; an integer after each step
  for (int64_t i = 0; i < r; ++i) count = floor_div(count * max(n - i, 0), i + 1);
  return c.result(x.dtype(), {count, Dim(r)});
}

/// chalf(self, memory_format)
Type chalf(TypeCall& c) {
  const Type x = c.tensor(0);
  const MemoryFormat format = c.memory_format(1).value_or(MemoryFormat::kPreserve);
  if (x.dtype() == DType::kComplex32 && format == MemoryFormat::kPreserve) {
    c.set_alias(0);
    return x;
  }
  return like(c, x, DType::kComplex32, format);
}

/// polygamma_(self, n): polygamma has these arguments in reverse order.
Type polygamma_in_place(TypeCall& c) {
  c.set_alias(0);
  return c.tensor(0);
}

/// repeat_interleave(self, repeats, dim, output_size): the new size of `dim` is the sum of the
/// repeats.
Type repeat_each(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = to_vector(x.sizes());
  if (c.is_none(2)) sizes = {Dim(0)};  // the tensor is flattened; the size is set below
  const int dim = c.is_none(2) ? 0 : wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0 || sizes.empty())
    return c.fail("repeat_interleave with a dim requires at least one dimension");
  sizes[index(dim)] = c.is_none(3) ? c.fresh_size() : c.dim(3);
  return c.result(x.dtype(), sizes);
}

/// linalg_vander(x, N): the powers of each element, along a new dimension.
Type vander(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = to_vector(x.sizes());
  if (sizes.empty()) sizes.push_back(Dim(1));
  sizes.push_back(c.dim_or(1, sizes.back()));
  return c.result(sum_dtype(x.dtype()), sizes);
}

/// vander(x, N, increasing): like linalg_vander, but only for a vector.
Type numpy_vander(TypeCall& c) {
  const Type x = c.tensor(0);
  return x.rank() == 1 ? vander(c) : c.fail(fmt::format("x must be 1-D, not {}", to_string(x)));
}

Type like_operand(TypeCall& c) { return like(c, c.tensor(0), c.tensor(0).dtype()); }
/// Returns the type of an operation whose operands are argument 0 and a number.
Type with_number_operand(TypeCall& c, DType dtype, DType common) {
  return promoted_elementwise(c, dtype, common,
                              {{c.tensor(0), c.result(common, absl::Span<const Dim>())}});
}
/// deg2rad(self), rad2deg(self): a product that is written into empty_like(self).
Type degrees(TypeCall& c) { return like(c, c.tensor(0), float_of(c.tensor(0).dtype())); }
/// special_ndtr(self): (1 + erf(self / sqrt(2))) * 0.5.
Type ndtr(TypeCall& c) {
  const DType dtype = float_of(c.tensor(0).dtype());
  const Type number = c.result(dtype, absl::Span<const Dim>());
  Type result = with_number_operand(c, dtype, dtype);
  if (result) result = elementwise(c, dtype, {result});
  if (result) result = elementwise(c, dtype, {result, number});
  return result ? elementwise(c, dtype, {result, number}) : Type();
}
/// mvlgamma(self, p): the sum over an additional dimension.
Type mvlgamma(TypeCall& c) { return c.result(float_of(c.tensor(0).dtype()), c.tensor(0).sizes()); }
/// isfinite(self): a constant for integers.
Type is_finite(TypeCall& c) {
  const Type x = c.tensor(0);
  if (is_integer_or_bool(x.dtype())) return like(c, x, DType::kBool);
  // (x == x) * (abs(x) != inf): inf is an operand of a different size, so the strides of dimensions
  // of size 1 are computed instead of kept.
  const DType real = real_of(x.dtype());
  const Type is_number = elementwise(c, DType::kBool, {x});
  const Type size = is_complex(x.dtype()) ? like(c, x, real) : elementwise(c, real, {x});
  if (!is_number || !size) return Type();
  const Type inf = c.result(real, absl::Span<const Dim>());
  const Type is_below = elementwise(c, DType::kBool, {size, inf});
  return is_below ? elementwise(c, DType::kBool, {is_number, is_below}) : Type();
}
Type is_infinite(TypeCall& c) {
  const Type x = c.tensor(0);
  if (is_integer_or_bool(x.dtype())) return like(c, x, DType::kBool);
  // abs(x) == inf: like is_finite. For complex numbers, isinf(real(x)) | isinf(imag(x)): the
  // strides of these views are twice those of x, so they have gaps.
  const DType real = real_of(x.dtype());
  Type part = x;
  if (is_complex(x.dtype())) {
    DimVector strides;
    for (const Dim& stride : x.strides()) strides.push_back(2 * stride);
    part = c.types().tensor(
        {.dtype = real, .sizes = x.sizes(), .strides = strides, .device = x.device()});
  }
  const Type size = elementwise(c, real, {part});
  if (!size) return Type();
  const Type inf = c.result(real, absl::Span<const Dim>());
  return elementwise(c, DType::kBool, {size, inf});
}
Type is_real(TypeCall& c) {
  const Type x = c.tensor(0);
  return is_complex(x.dtype()) ? with_number_operand(c, DType::kBool, c.tensor(0).dtype())
                               : like(c, x, DType::kBool);
}
/// nuclear_norm(self, keepdim): reduces the last two dimensions.
Type nuclear_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < 2) return c.fail(fmt::format("self must be at least 2-D, not {}", to_string(x)));
  absl::InlinedVector<bool, 8> dims(index(x.rank()), false);
  dims[index(x.rank() - 1)] = dims[index(x.rank() - 2)] = true;
  return reduced(c, x, real_of(x.dtype()), dims, c.boolean(1));
}
/// nuclear_norm(self, dim, keepdim), frobenius_norm(self, dim, keepdim)
Type norm_over(TypeCall& c) { return reduced(c, c.tensor(0), real_of(c.tensor(0).dtype()), 1, 2); }

/// linalg_multi_dot(tensors): if the first or the last tensor is a vector, the result lacks the
/// corresponding dimension.
Type multi_dot(TypeCall& c) {
  const auto tensors = c.tensors(0);
  if (tensors.size() < 2) return c.fail("at least two tensors are required");
  DimVector sizes;
  Dim inner;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Type t = tensors[i];
    const bool first = i == 0, last = i + 1 == tensors.size();
    if (!t || t.rank() == 0 || t.rank() > 2 || (t.rank() == 1 && !first && !last))
      return c.fail("tensors must be 2-D; the first and the last may be 1-D");
    if (!first && !c.guard_equal(inner, t.sizes()[0]))
      return c.fail(fmt::format("a tensor whose last size is {} cannot be multiplied by {}",
                                to_string(inner), to_string(t)));
    if (first && t.rank() == 2) sizes.push_back(t.sizes()[0]);
    if (last && t.rank() == 2) sizes.push_back(t.sizes()[1]);
    inner = t.sizes().back();
  }
  return c.result(tensors[0].dtype(), sizes);
}

/// linalg_matrix_norm(A, ord, dim, keepdim, dtype)
Type matrix_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  return reduced(c, x, c.dtype_or(4, real_of(x.dtype())), 2, 3);
}

// ---- Multidimensional histograms
/// _histogramdd_bin_edges(self, bins, ...)
Type histogram_edges(TypeCall& c) {
  absl::InlinedVector<Type, 4> edges;
  for (const Dim& bins : c.dims(1)) edges.push_back(c.result(c.tensor(0).dtype(), {bins + 1}));
  return c.failed() ? Type() : c.types().list(edges);
}
Type histogram_counts(TypeCall& c) { return c.result(c.tensor(0).dtype(), c.dims(1)); }
Type histogram_of_edges(TypeCall& c) {
  DimVector sizes;
  for (Type edges : c.tensors(1)) {
    if (!edges || edges.rank() != 1)
      return c.fail("bins must be 1-D tensors of edges, one for each dimension");
    sizes.push_back(edges.sizes()[0] - 1);
  }
  return c.result(c.tensor(0).dtype(), sizes);
}
/// histogramdd(self, bins): returns the counts, and the edges of each dimension, one more than its
/// bins.
Type histogram_and_edges(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < 2)
    return c.fail(
        fmt::format("self must have at least 2 dimensions (points in rows), not {}", to_string(x)));
  const Dim& count = x.sizes().back();
  if (!count.is_int())
    return c.fail("the last size, the number of coordinates, must not be symbolic");
  const DimVector bins = c.dims(1, index(static_cast<int>(count.value())));
  absl::InlinedVector<Type, 4> edges;
  for (const Dim& n : bins) edges.push_back(c.result(x.dtype(), {n + 1}));
  return c.failed() ? Type() : c.tuple({c.result(x.dtype(), bins), c.types().list(edges)});
}
Type histogram_by_edges(TypeCall& c) {
  const Type counts = histogram_of_edges(c);
  const auto edges = c.tensors(1);
  if (!counts) return Type();
  for (size_t i = 0; i < edges.size(); ++i)
    c.set_alias(1, static_cast<int>(i) + 1, static_cast<int>(i));
  return c.tuple({counts, c.types().list(edges)});
}

// ---- Functions of dtypes and sizes
Type can_cast(TypeCall& c) {
  const DType from = c.dtype_or(0, DType::kUndefined), to = c.dtype_or(1, DType::kUndefined);
  if (from == DType::kUndefined || to == DType::kUndefined)
    return c.fail("both arguments must be dtypes");
  return c.types().boolean(fx::can_cast(from, to));
}
Type broadcast_shapes(TypeCall& c) {
  DimVector sizes = c.dims(0);
  const DimVector other = c.dims(1);
  if (c.failed() || !broadcast(c, sizes, other)) return Type();
  absl::InlinedVector<Type, 6> items;
  for (const Dim& size : sizes)
    items.push_back(size.is_int() ? c.types().integer(size.value())
                                  : c.types().integer(size.expr()));
  return c.types().list(items);
}

constexpr TypeRule kCompositeRules[] = {
    {"aten.isclose.default", isclose},
    {"aten.cosine_similarity.default", cosine_similarity},
    {"aten.pairwise_distance.default", pairwise_distance},
    {"aten.linalg_vecdot.default", vecdot},
    {"aten.triplet_margin_loss.default", triplet_margin_loss},
    {"aten.sum_to_size.default", sum_to_size},
    {"aten.inner.default", inner},
    {"aten.diag.default", diag},
    {"aten.diagflat.default", diagflat},
    {"aten.cov.default", covariance},
    {"aten.corrcoef.default", covariance},
    {"aten.combinations.default", combinations},
    {"aten.chalf.default", chalf},
    {"aten.polygamma_.default", polygamma_in_place},
    {"aten.repeat_interleave.self_Tensor", repeat_each},
    {"aten.linalg_vander.default", vander},
    {"aten.vander.default", numpy_vander},
    {"aten.nan_to_num.default", like_operand},
    {"aten._conj_physical.default", like_operand},
    {"aten.isfinite.default", is_finite},
    {"aten.isinf.default", is_infinite},
    {"aten.isreal.default", is_real},
    {"aten.deg2rad.default", degrees},
    {"aten.rad2deg.default", degrees},
    {"aten.mvlgamma.default", mvlgamma},
    {"aten.special_multigammaln.default", mvlgamma},
    {"aten.special_ndtr.default", ndtr},
    {"aten.nuclear_norm.default", nuclear_norm},
    {"aten.nuclear_norm.dim", norm_over},
    {"aten.frobenius_norm.dim", norm_over},
    {"aten.linalg_multi_dot.default", multi_dot},
    {"aten.chain_matmul.default", multi_dot},
    {"aten.linalg_matrix_norm.str_ord", matrix_norm},
    {"aten.linalg_matrix_norm.default", matrix_norm},
    {"aten.histogramdd.default", histogram_and_edges},
    {"aten.histogramdd.int_bins", histogram_and_edges},
    {"aten.histogramdd.TensorList_bins", histogram_by_edges},
    {"aten.can_cast.default", can_cast},
    {"aten.broadcast_shapes.default", broadcast_shapes},
    {"aten._histogramdd_bin_edges.default", histogram_edges},
    {"aten._histogramdd_from_bin_cts.default", histogram_counts},
    {"aten._histogramdd_from_bin_tensors.default", histogram_of_edges},
};

}  // namespace

absl::Span<const TypeRule> composite_rules() { return kCompositeRules; }

}  // namespace fx::shape
