// Type functions for reductions, scans and softmax.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {

Type reduced(TypeCall& c, Type x, DType dtype, absl::Span<const bool> dims, bool keepdim) {
  DimVector sizes;
  for (int i = 0; i < x.rank(); ++i) {
    if (!dims[index(i)])
      sizes.push_back(x.sizes()[index(i)]);
    else if (keepdim)
      sizes.push_back(1);
  }
  return c.result(dtype, sizes);
}

Type reduced(TypeCall& c, Type x, DType dtype, int dims, int keepdim) {
  const auto list = c.integers(dims);
  const auto chosen = dim_set(c, list, x.rank());
  const bool keep = keepdim >= 0 && c.boolean_or(keepdim, false);
  if (c.failed()) return Type();
  return reduced(c, x, dtype, chosen, keep);
}

namespace {

Type all_of(TypeCall& c, DType dtype) { return c.result(dtype, absl::Span<const Dim>()); }

// ---- sum(self, dtype), sum(self, dim, keepdim, dtype)
Type sum(TypeCall& c) { return all_of(c, c.dtype_or(1, sum_dtype(c.tensor(0).dtype()))); }
Type sum_dim(TypeCall& c) {
  const Type x = c.tensor(0);
  return reduced(c, x, c.dtype_or(3, sum_dtype(x.dtype())), 1, 2);
}
/// prod(self, dim, keepdim, dtype): reduces a single dimension.
Type prod_dim(TypeCall& c) {
  const Type x = c.tensor(0);
  return reduced(c, x, c.dtype_or(3, sum_dtype(x.dtype())), 1, 2);
}
Type mean(TypeCall& c) { return all_of(c, c.dtype_or(1, c.tensor(0).dtype())); }
Type mean_dim(TypeCall& c) {
  const Type x = c.tensor(0);
  const DType dtype = c.dtype_or(3, x.dtype());
  if (is_integer_or_bool(dtype))
    return c.fail(
        "mean requires a floating-point or complex dtype, of the input or in argument dtype");
  return reduced(c, x, dtype, 1, 2);
}

// ---- any, all
DType truth(Type x) { return x.dtype() == DType::kUInt8 ? DType::kUInt8 : DType::kBool; }
Type any(TypeCall& c) { return all_of(c, truth(c.tensor(0))); }
Type any_dim(TypeCall& c) { return reduced(c, c.tensor(0), truth(c.tensor(0)), 1, 2); }

// ---- extrema and order statistics
/// True if no reduced dimension is empty; adds guards on symbolic sizes. Otherwise fails the call,
/// since the maximum of an empty tensor is undefined. Equivalent to zero_numel_check_dims, which
/// accepts every tensor that has elements.
bool check_not_empty(TypeCall& c, Type x, int dims) {
  const Dim count = numel(x.sizes());
  if (count.is_int() && count != Dim(0)) return true;
  const auto list = c.integers(dims);
  if (list.empty()) {
    if (c.is_zero(count)) c.fail("reduction of an empty tensor requires the argument dim");
    return !c.failed();
  }
  const auto chosen = dim_set(c, list, x.rank());
  for (int i = 0; !c.failed() && i < x.rank(); ++i)
    if (chosen[index(i)] && c.is_zero(x.sizes()[index(i)]))
      c.fail(fmt::format("expected reduction dim {} to have non-zero size", i));
  return !c.failed();
}
/// max(self), min(self)
Type maximum(TypeCall& c) {
  const Type x = c.tensor(0);
  // max.unary_out does not check this. Its result then has a type, but an undefined value.
  const bool is_checked = !c.op().name().ends_with("unary_out");
  if (is_checked && c.is_zero(numel(x.sizes())))
    return c.fail("expected reduction dim to be specified for an empty tensor");
  return all_of(c, x.dtype());
}
Type same_dtype(TypeCall& c) { return all_of(c, c.tensor(0).dtype()); }
Type amax(TypeCall& c) {
  const Type x = c.tensor(0);
  return check_not_empty(c, x, 1) ? reduced(c, x, x.dtype(), 1, 2) : Type();
}
Type aminmax(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_not_empty(c, x, 1)) return Type();
  const Type one =
      c.is_none(1) && !c.boolean(2) ? all_of(c, x.dtype()) : reduced(c, x, x.dtype(), 1, 2);
  return c.tuple({one, one});
}
Type max_dim(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_not_empty(c, x, 1)) return Type();
  return c.tuple({reduced(c, x, x.dtype(), 1, 2), reduced(c, x, DType::kInt64, 1, 2)});
}
/// kthvalue(self, k, dim, keepdim)
Type kth_value(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_not_empty(c, x, 2)) return Type();
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0) return Type();
  const Dim k = c.dim(1), size = x.rank() == 0 ? Dim(1) : x.sizes()[index(dim)];
  if (!c.guard_less_equal(1, k) || !c.guard_less_equal(k, size))
    return c.fail(fmt::format("selected number k out of range for dimension {}: {} of {}", dim,
                              to_string(k), to_string(size)));
  return c.tuple({reduced(c, x, x.dtype(), 2, 3), reduced(c, x, DType::kInt64, 2, 3)});
}
Type argmax(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_not_empty(c, x, 1)) return Type();
  if (c.is_none(1)) {
    if (!c.boolean(2)) return all_of(c, DType::kInt64);
    return c.result(DType::kInt64, DimVector(index(x.rank()), Dim(1)));
  }
  return reduced(c, x, DType::kInt64, 1, 2);
}
Type count_nonzero(TypeCall& c) { return reduced(c, c.tensor(0), DType::kInt64, 1, -1); }
Type count_nonzero_dim(TypeCall& c) {
  return c.is_none(1) ? all_of(c, DType::kInt64) : count_nonzero(c);
}
/// Integers are converted to float32, as for exp.
Type logsumexp(TypeCall& c) { return reduced(c, c.tensor(0), float_of(c.tensor(0).dtype()), 1, 2); }

// ---- variance: var(self, unbiased), var(self, dim, unbiased, keepdim),
// var(self, dim, *, correction, keepdim)
Type var(TypeCall& c) { return all_of(c, real_of(c.tensor(0).dtype())); }
Type var_dim(TypeCall& c) { return reduced(c, c.tensor(0), real_of(c.tensor(0).dtype()), 1, 3); }
Type var_mean(TypeCall& c) {
  const DType dtype = c.tensor(0).dtype();
  return c.tuple({all_of(c, real_of(dtype)), all_of(c, dtype)});
}
Type var_mean_dim(TypeCall& c) {
  const Type x = c.tensor(0);
  return c.tuple({reduced(c, x, real_of(x.dtype()), 1, 3), reduced(c, x, x.dtype(), 1, 3)});
}

// ---- norms
/// linalg_vector_norm(self, ord, dim, keepdim, dtype)
Type vector_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  return reduced(c, x, real_of(c.dtype_or(4, x.dtype())), 2, 3);
}
/// norm(self, p)
Type norm(TypeCall& c) { return all_of(c, real_of(c.tensor(0).dtype())); }
/// norm(self, p, dim, keepdim, dtype)
Type norm_dim(TypeCall& c) {
  const Type x = c.tensor(0);
  return reduced(c, x, real_of(x.dtype()), 2, 3);
}
Type norm_dim_dtype(TypeCall& c) {
  const Type x = c.tensor(0);
  return reduced(c, x, real_of(c.dtype_or(4, x.dtype())), 2, 3);
}
Type norm_dtype(TypeCall& c) { return all_of(c, real_of(c.dtype_or(2, c.tensor(0).dtype()))); }
/// linalg_norm(self, ord, dim, keepdim, dtype): reduces all dimensions if dim is None.
Type linalg_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  const DType dtype = real_of(c.dtype_or(4, x.dtype()));
  if (c.is_none(2) && !c.is_none(1) && x.rank() > 2)
    return c.fail("the input must be 1-D or 2-D if dim is None and ord is not");
  return reduced(c, x, dtype, 2, 3);
}

Type dist(TypeCall& c) {
  DimVector sizes = to_vector(c.tensor(0).sizes());
  if (!broadcast(c, sizes, c.tensor(1).sizes())) return Type();
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  return all_of(c, real_of(promotion.result()));
}

Type trace(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() != 2)
    return c.fail(fmt::format("trace expects a matrix, not a tensor of rank {}", x.rank()));
  return all_of(c, sum_dtype(x.dtype()));
}

Type hash_tensor(TypeCall& c) { return reduced(c, c.tensor(0), DType::kUInt64, 1, 2); }

/// segment_reduce(data, reduce, lengths, indices, offsets, axis): the segments replace dimension
/// `axis`.
Type segment_reduce(TypeCall& c) {
  const Type x = c.tensor(0), lengths = c.optional_tensor(2), offsets = c.optional_tensor(4);
  const int axis = wrap_dim(c, c.integer(5), x.rank());
  const Type segments = lengths ? lengths : offsets;
  if (axis < 0 || !segments || segments.rank() <= axis || x.rank() <= axis)
    return c.fail("data and lengths or offsets must have the dimension axis");
  DimVector sizes = to_vector(segments.sizes());
  if (!lengths) sizes.back() -= 1;
  for (int i = axis + 1; i < x.rank(); ++i) sizes.push_back(x.sizes()[index(i)]);
  return c.result(x.dtype(), sizes);
}
Type segment_reduce_backward(TypeCall& c) { return contiguous_like(c, c.tensor(2)); }

/// quantile(self, q, dim, keepdim): the kernel writes multiple quantiles along the last dimension,
/// then moves it to the front (quantile_compute in ATen/native/Sorting.cpp).
Type quantile_of(TypeCall& c, const DimVector& q_sizes) {
  const Type x = c.tensor(0);
  const bool keepdim = c.boolean(3);
  DimVector sizes;
  if (c.is_none(2)) {
    if (keepdim) sizes.resize(index(x.rank()), Dim(1));
  } else {
    const int dim = wrap_dim(c, c.integer(2), x.rank());
    if (dim < 0) return Type();
    for (int i = 0; i < x.rank(); ++i) {
      if (i != dim)
        sizes.push_back(x.sizes()[index(i)]);
      else if (keepdim)
        sizes.push_back(1);
    }
  }
  if (q_sizes.empty()) return c.result(x.dtype(), sizes);
  sizes.push_back(q_sizes[0]);
  DimVector strides = strides_of(sizes, MemoryFormat::kContiguous);
  std::rotate(sizes.begin(), sizes.end() - 1, sizes.end());
  std::rotate(strides.begin(), strides.end() - 1, strides.end());
  return c.result(x.dtype(), sizes, strides);
}
Type quantile(TypeCall& c) {
  if (c.tensor(1).rank() > 1) return c.fail("q must be a scalar or 1D tensor");
  return quantile_of(c, to_vector(c.tensor(1).sizes()));
}
Type quantile_scalar(TypeCall& c) { return quantile_of(c, {}); }

// ---------------------------------------------------------------- scans and softmax

/// cumsum(self, dim, dtype)
Type cumulative(TypeCall& c) {
  const Type x = c.tensor(0);
  if (wrap_dim(c, c.integer(1), x.rank()) < 0) return Type();
  return c.result(c.dtype_or(2, sum_dtype(x.dtype())), x.sizes());
}
Type cumulative_extreme(TypeCall& c) {
  const Type x = c.tensor(0);
  if (wrap_dim(c, c.integer(1), x.rank()) < 0) return Type();
  return c.tuple({contiguous_like(c, x), c.result(DType::kInt64, x.sizes())});
}
Type log_cumulative(TypeCall& c) {
  const Type x = c.tensor(0);
  if (wrap_dim(c, c.integer(1), x.rank()) < 0) return Type();
  return c.result(float_of(x.dtype()), x.sizes());
}

/// _softmax(self, dim, half_to_float)
Type softmax_kernel(TypeCall& c) {
  const Type x = c.tensor(0);
  if (wrap_dim(c, c.integer(1), x.rank()) < 0) return Type();
  return c.result(c.boolean(2) ? DType::kFloat32 : x.dtype(), x.sizes());
}
/// softmax(self, dim, dtype)
Type softmax(TypeCall& c) {
  const Type x = c.tensor(0);
  if (wrap_dim(c, c.integer(1), x.rank()) < 0) return Type();
  return c.result(c.dtype_or(2, x.dtype()), x.sizes());
}
/// _softmax_backward_data(grad, output, dim, input_dtype)
Type softmax_backward(TypeCall& c) {
  const Type grad = c.tensor(0);
  if (!same_sizes(c, grad.sizes(), c.tensor(1).sizes()))
    return c.fail("gradient and output must have the same sizes");
  return like(c, grad, c.dtype_or(3, grad.dtype()), MemoryFormat::kContiguous);
}

/// _log_softmax_backward_data(grad, output, dim, input_dtype): the kernel does not compare the
/// sizes.
Type log_softmax_backward(TypeCall& c) {
  const Type grad = c.tensor(0);
  return like(c, grad, c.dtype_or(3, grad.dtype()), MemoryFormat::kContiguous);
}

constexpr TypeRule kReductionRules[] = {
    {"aten.sum.default", sum},
    {"aten.sum.dim_IntList", sum_dim},
    {"aten.nansum.default", sum_dim},
    {"aten.prod.default", sum},
    {"aten.prod.dim_int", prod_dim},
    {"aten.mean.default", mean},
    {"aten.mean.dim", mean_dim},
    {"aten.nanmean.default", mean_dim},
    {"aten.any.default", any},
    {"aten.any.dim", any_dim},
    {"aten.any.dims", any_dim},
    {"aten.all.default", any},
    {"aten._is_all_true.default", any},
    {"aten._is_any_true.default", any},
    {"aten.all.dim", any_dim},
    {"aten.all.dims", any_dim},
    {"aten.max.default", maximum},
    {"aten.min.default", maximum},
    {"aten.max.dim", max_dim},
    {"aten.min.dim", max_dim},
    {"aten.amax.default", amax},
    {"aten.amin.default", amax},
    {"aten.aminmax.default", aminmax},
    {"aten.argmax.default", argmax},
    {"aten.argmin.default", argmax},
    {"aten.median.default", same_dtype},
    {"aten.nanmedian.default", same_dtype},
    {"aten.median.dim", max_dim},
    {"aten.nanmedian.dim", max_dim},
    {"aten.mode.default", max_dim},
    {"aten.kthvalue.default", kth_value},
    {"aten.count_nonzero.default", count_nonzero_dim},
    {"aten.count_nonzero.dim_IntList", count_nonzero},
    {"aten.logsumexp.default", logsumexp},
    {"aten.special_logsumexp.default", logsumexp},
    {"aten.std.default", var},
    {"aten.var.default", var},
    {"aten.std.dim", var_dim},
    {"aten.var.dim", var_dim},
    {"aten.std.correction", var_dim},
    {"aten.var.correction", var_dim},
    {"aten.std_mean.default", var_mean},
    {"aten.var_mean.default", var_mean},
    {"aten.std_mean.dim", var_mean_dim},
    {"aten.var_mean.dim", var_mean_dim},
    {"aten.std_mean.correction", var_mean_dim},
    {"aten.var_mean.correction", var_mean_dim},
    {"aten.linalg_vector_norm.default", vector_norm},
    {"aten.linalg_norm.default", linalg_norm},
    {"aten.linalg_norm.ord_str", linalg_norm},
    {"aten.norm.Scalar", norm},
    {"aten.norm.ScalarOpt_dtype", norm_dtype},
    {"aten.norm.ScalarOpt_dim", norm_dim},
    {"aten.norm.ScalarOpt_dim_dtype", norm_dim_dtype},
    {"aten.dist.default", dist},
    {"aten.trace.default", trace},
    {"aten.hash_tensor.default", hash_tensor},
    {"aten.segment_reduce.default", segment_reduce},
    {"aten._segment_reduce_backward.default", segment_reduce_backward},
    {"aten.quantile.default", quantile},
    {"aten.quantile.scalar", quantile_scalar},
    {"aten.nanquantile.default", quantile},
    {"aten.nanquantile.scalar", quantile_scalar},
    {"aten.cumsum.default", cumulative},
    {"aten.cumprod.default", cumulative},
    {"aten.cummax.default", cumulative_extreme},
    {"aten.cummin.default", cumulative_extreme},
    {"aten.logcumsumexp.default", log_cumulative},
    {"aten._logcumsumexp.default", log_cumulative},
    {"aten._softmax.default", softmax_kernel},
    {"aten._log_softmax.default", softmax_kernel},
    {"aten._safe_softmax.default", softmax},
    {"aten.softmax.int", softmax},
    {"aten.log_softmax.int", softmax},
    {"aten.special_softmax.default", softmax},
    {"aten.special_log_softmax.default", softmax},
    {"aten._softmax_backward_data.default", softmax_backward},
    {"aten._log_softmax_backward_data.default", log_softmax_backward},
};

}  // namespace

absl::Span<const TypeRule> reduction_rules() { return kReductionRules; }

}  // namespace fx::shape
