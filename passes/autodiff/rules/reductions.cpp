// Reductions, cumulative reductions, and reductions that select elements.
#include "fx/passes/autodiff/rules_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fx {
namespace {

bool keeps_dims(D& d) { return d.flag("keepdim"); }

/// Returns the gradient with the sizes of the operand.
Proxy broadcast_grad(D& d, const Proxy& grad, std::string_view dim = "dim") {
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  return d.expand_like(d.restore_dims(grad, d.reduced_dims(dim, rank), keeps_dims(d), rank), x);
}
Proxy broadcast_grad_to_all(D& d, const Proxy& grad) { return d.expand_like(grad, d("self")); }

/// Returns the number of elements that are reduced to each element of the result.
ScalarArg count_of(D& d, const std::vector<int64_t>& dims) {
  std::vector<IntArg> sizes;
  sizes.reserve(dims.size());
  for (const int64_t dim : dims) sizes.push_back(d.size(d("self"), dim));
  return d.product(sizes);
}

AnyArg sum_grad(D& d) { return broadcast_grad(d, d.grad()); }
AnyArg sum_all_grad(D& d) { return broadcast_grad_to_all(d, d.grad()); }
AnyArg mean_grad(D& d) {
  return broadcast_grad(d, d.grad()) / count_of(d, d.reduced_dims("dim", d.rank(d("self"))));
}
AnyArg mean_all_grad(D& d) { return broadcast_grad_to_all(d, d.grad()) / d.numel(d("self")); }

AnyArg nansum_grad(D& d) {
  const Proxy x = d("self");
  return broadcast_grad(d, d.cast(d.grad(), d.dtype(x))) * logical_not(isnan(x));
}
AnyArg nansum_tangent(D& d) {
  const Proxy t = d.where(isnan(d("self")), 0, d.tangent("self"));
  return d.call_with({{"self", t}});
}

// ---- Extrema

/// Distributes the gradient equally over the elements of the mask.
Proxy distribute_evenly(D& d, const Proxy& grad, const Proxy& mask) {
  return mask * (grad / d.sum_all(mask));
}
/// The elements that are equal to the result. If it is NaN, all NaN.
AnyArg extremum_grad(D& d) {
  const Proxy x = d("self"), y = d.value();
  return distribute_evenly(d, d.grad(), logical_or(x == y, logical_and(isnan(x), isnan(y))));
}
AnyArg extremum_tangent(D& d) {
  const Proxy mask = d("self") == d.value();
  return d.sum_all(mask * d.tangent("self")) / d.sum_all(mask);
}
AnyArg amax_grad(D& d) {
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  const std::vector<int64_t> dims = d.reduced_dims("dim", rank);
  const Proxy g = d.restore_dims(d.grad(), dims, keeps_dims(d), rank);
  const Proxy y = d.restore_dims(d.value(), dims, keeps_dims(d), rank);
  const Proxy mask = x == y;
  if (rank == 0) return g * mask;
  return (g * mask) / sum(mask, dims, true);
}
AnyArg amax_tangent(D& d) {
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  const std::vector<int64_t> dims = d.reduced_dims("dim", rank);
  const Proxy y = d.restore_dims(d.value(), dims, keeps_dims(d), rank);
  const Proxy mask = x == y;
  if (rank == 0) return d.tangent("self") * mask;
  return sum(d.tangent("self") * mask, dims, keeps_dims(d)) / sum(mask, dims, keeps_dims(d));
}

/// values, indices = op(self, dim, keepdim): scatters the gradient to the selected indices.
Proxy to_indices(D& d, bool keepdim) {
  const Proxy x = d("self");
  const int64_t dim = d.integer("dim");
  Proxy grad = d.grad(0), indices = d.value(1);
  if (!keepdim && d.rank(x) > 0) {
    grad = unsqueeze(grad, dim);
    indices = unsqueeze(indices, dim);
  }
  return d.emit("aten.scatter.src", {zeros_like(x), dim, indices, grad});
}
AnyArg selected_grad(D& d) { return to_indices(d, keeps_dims(d)); }
AnyArg sorted_grad(D& d) {
  const Proxy x = d("self");
  const Proxy zeros = d.emit("aten.new_zeros.default", {d.grad(0), IntList(d.sizes(x))});
  return d.emit("aten.scatter.src", {zeros, d.integer("dim"), d.value(1), d.grad(0)});
}
AnyArg selected_tangent(D& d) {
  const int64_t dim = d.integer("dim");
  const Proxy t = d.tangent("self"), indices = d.value(1);
  if (keeps_dims(d) || d.rank(t) == 0) return AnyArg::tuple({gather(t, dim, indices), Argument()});
  const Proxy chosen = gather(t, dim, unsqueeze(indices, dim));
  return AnyArg::tuple({d.emit("aten.squeeze.dim", {chosen, dim}), Argument()});
}
AnyArg sorted_tangent(D& d) {
  return AnyArg::tuple({gather(d.tangent("self"), d.integer("dim"), d.value(1)), Argument()});
}
AnyArg cummax_grad(D& d) {
  const Proxy x = d("self");
  return scatter_add(zeros_like(x), d.integer("dim"), d.value(1), d.grad(0));
}
AnyArg aminmax_grad(D& d) {
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  Proxy total;
  for (const size_t i : {size_t{0}, size_t{1}}) {
    if (!d.grad(i).defined()) continue;
    if (d.is_none("dim")) {
      total = d.sum_of({total, distribute_evenly(d, d.grad(i), x == d.value(i))});
      continue;
    }
    const std::vector<int64_t> dims = {d.wrapped(d.integer("dim"), rank)};
    const Proxy g = d.restore_dims(d.grad(i), dims, keeps_dims(d), rank);
    const Proxy mask = x == d.restore_dims(d.value(i), dims, keeps_dims(d), rank);
    total = d.sum_of({total, rank == 0 ? g * mask : (g * mask) / sum(mask, dims, true)});
  }
  return total;
}

// ---- Moments

/// d(var)/dx: 2 (x - mean) / (n - correction). As in libtorch, the slope of a reduction of all
/// elements (without dimensions) is infinite if the divisor is not positive.
Proxy var_slope(D& d, const Proxy& grad) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  const std::vector<int64_t> dims = d.reduced_dims("dim", rank);
  const double correction = d.is_none("correction") ? 1 : d.number("correction");
  const Proxy g = d.restore_dims(grad, dims, keeps_dims(d), rank);
  const ScalarArg count = count_of(d, dims);
  if (count.value().is_int()) {
    const double degrees_of_freedom = static_cast<double>(count.value().as_int()) - correction;
    if (degrees_of_freedom <= 0 && (rank == 0 || d.is_none("dim"))) {
      const double nan = std::numeric_limits<double>::quiet_NaN();
      return d.where(x == mean(x, dims, true), g * nan, g * kInfinity);
    }
    const double factor = degrees_of_freedom == 0 ? kInfinity : 2.0 / degrees_of_freedom;
    return factor * g * (x - mean(x, dims, true));
  }
  const Proxy degrees_of_freedom = Proxy(*count.value().as_node(), d) - correction;
  return (2.0 / degrees_of_freedom) * g * (x - mean(x, dims, true));
}
Proxy std_slope(D& d, const Proxy& grad, const Proxy& deviation) {
  const Proxy scaled = masked_fill(grad / (deviation * 2), deviation == 0, 0);
  return var_slope(d, scaled);
}
Proxy mean_slope(D& d, const Proxy& grad) {
  return broadcast_grad(d, grad) / count_of(d, d.reduced_dims("dim", d.rank(d("self"))));
}
AnyArg var_mean_grad(D& d) {
  return d.sum_of({d.grad(0).defined() ? var_slope(d, d.grad(0)) : Proxy(),
                   d.grad(1).defined() ? mean_slope(d, d.grad(1)) : Proxy()});
}
AnyArg std_mean_grad(D& d) {
  return d.sum_of({d.grad(0).defined() ? std_slope(d, d.grad(0), d.value(0)) : Proxy(),
                   d.grad(1).defined() ? mean_slope(d, d.grad(1)) : Proxy()});
}
/// The tangent of the variance is the sum of the slope times the tangent.
Proxy var_tangent(D& d) {
  const Proxy x = d("self"), t = d.tangent("self");
  const std::vector<int64_t> dims = d.reduced_dims("dim", d.rank(x));
  const Proxy one = d.full({}, 1, x, d.dtype(d.real(x)));
  const Proxy ones = d.expand_like(one, d.value(0));
  const Proxy slope = var_slope(d, ones);
  return d.real(sum(slope * d.conj(t), dims, keeps_dims(d)));
}
Proxy std_tangent(D& d) {
  const Proxy y = d.value(0);
  return masked_fill(var_tangent(d) / (y * 2.0), y == 0, 0);
}
Proxy mean_tangent(D& d) {
  return mean(d.tangent("self"), d.reduced_dims("dim", d.rank(d("self"))), keeps_dims(d));
}

// ---- Exponentials and products

AnyArg logsumexp_grad(D& d) {
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  const std::vector<int64_t> dims = d.reduced_dims("dim", rank);
  const Proxy g = d.restore_dims(d.grad(), dims, keeps_dims(d), rank);
  const Proxy y = d.restore_dims(d.value(), dims, keeps_dims(d), rank);
  return g * d.conj(exp(x - y));
}
AnyArg logsumexp_tangent(D& d) {
  const Proxy x = d("self");
  const int64_t rank = d.rank(x);
  const std::vector<int64_t> dims = d.reduced_dims("dim", rank);
  const Proxy y = d.restore_dims(d.value(), dims, keeps_dims(d), rank);
  const Proxy terms = exp(x - y) * d.tangent("self");
  return rank == 0 ? terms : sum(terms, dims, keeps_dims(d));
}

/// Returns the products of all other elements along a dimension: the product before times the
/// product after.
Proxy products_excluding_each(D& d, const Proxy& x, int64_t dim) {
  const IntArg size = d.size(x, dim);
  if (size.value() == Argument(1) || d.rank(x) == 0) return ones_like(x);
  std::vector<IntArg> sizes = d.sizes(x);
  sizes[static_cast<size_t>(dim)] = 1;
  const Proxy one = d.full(sizes, 1, x, d.dtype(x));
  // The slice comes after the product, so that an empty operand has an empty result.
  const auto exclusive = [&](const Proxy& values) {
    return d.emit("aten.slice.Tensor", {cumprod(cat({one, values}, dim), dim), dim, 0, -1});
  };
  return exclusive(x) * flip(exclusive(flip(x, {dim})), {dim});
}
AnyArg prod_grad(D& d) {
  const Proxy x = d.cast(d("self"), d.dtype(d.grad()));
  if (d.rank(x) == 0) return d.grad();
  const Proxy flat = d.reshape(x, {-1});
  const Proxy others = d.reshape(products_excluding_each(d, flat, 0), d.sizes(x));
  return d.grad() * d.conj(others);
}
AnyArg prod_dim_grad(D& d) {
  const Proxy x = d.cast(d("self"), d.dtype(d.grad()));
  const int64_t rank = d.rank(x), dim = d.wrapped(d.integer("dim"), rank);
  if (rank == 0) return d.grad();
  const Proxy g = d.restore_dims(d.grad(), {dim}, keeps_dims(d), rank);
  return g * d.conj(products_excluding_each(d, x, dim));
}
AnyArg prod_tangent(D& d) {
  const Proxy x = d.cast(d("self"), d.dtype(d.value())), t = d.tangent("self");
  if (d.rank(x) == 0) return t;
  const Proxy flat = d.reshape(x, {-1});
  return d.sum_all(d.reshape(products_excluding_each(d, flat, 0), d.sizes(x)) * t);
}
AnyArg prod_dim_tangent(D& d) {
  const Proxy x = d.cast(d("self"), d.dtype(d.value())), t = d.tangent("self");
  const int64_t rank = d.rank(x), dim = d.wrapped(d.integer("dim"), rank);
  if (rank == 0) return t;
  return sum(products_excluding_each(d, x, dim) * t, {dim}, keeps_dims(d));
}

Proxy sum_from_end(D& d, const Proxy& x, int64_t dim) {
  return flip(d.emit("aten.cumsum.default", {flip(x, {dim}), dim}), {dim});
}
AnyArg cumsum_grad(D& d) {
  const Proxy g = d.cast(d.grad(), d.dtype(d("self")));
  if (d.rank(g) == 0) return g;
  return sum_from_end(d, g, d.wrapped(d.integer("dim"), d.rank(g)));
}
/// x_k is a factor of y_i for i >= k. The gradient of x_k is the sum over i >= k of the gradient of
/// y_i times the product of the other factors of y_i. This avoids a division, because x may contain
/// zeros.
AnyArg cumprod_grad(D& d) {
  const Proxy x = d("self"), g = d.cast(d.grad(), d.dtype(x));
  if (d.rank(x) == 0) return g;
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x)), size = d.known_size(x, dim);
  if (size <= 1) return g;
  std::vector<IntArg> sizes = d.sizes(x);
  sizes[static_cast<size_t>(dim)] = 1;
  const Proxy one = d.full(sizes, 1, x, d.dtype(x));
  std::vector<Proxy> grads;
  for (int64_t k = 0; k < size; ++k) {
    // y_i for i >= k, with x_k replaced by one.
    const Proxy after = d.slice(x, dim, k + 1, size);
    const Proxy factors = cat({one, after}, dim);
    Proxy products = d.emit("aten.cumprod.default", {factors, dim});
    if (k > 0) {
      const Proxy before = d.emit("aten.prod.dim_int", {d.slice(x, dim, 0, k), dim, true});
      products = products * before;
    }
    grads.push_back(sum(d.slice(g, dim, k, size) * d.conj(products), {dim}, true));
  }
  return cat(grads, dim);
}

// ---- Norms

Proxy norm_slope(D& d, const Proxy& x, double p, const std::vector<int64_t>& dims, bool keepdim) {
  const int64_t rank = d.rank(x);
  const Proxy g = d.restore_dims(d.grad(), dims, keepdim, rank);
  const Proxy y = d.restore_dims(d.value(), dims, keepdim, rank);
  if (p == 0) return d.zero_grad("self");
  if (p == 1) return sgn(x) * g;
  if (p == 2) {
    const Proxy is_zero = y == 0;  // the order of nodes must not depend on the compiler
    return g * masked_fill(x / y, is_zero, 0);
  }
  if (std::isinf(p)) {
    const Proxy is_max = logical_or(abs(x) == y, logical_and(isnan(y), isnan(x)));
    const Proxy count = rank == 0 ? is_max : sum(is_max, dims, true);
    return sgn(x) * ((g / count) * is_max);
  }
  if (p < 1) {
    const Proxy slope = sgn(x) * masked_fill(pow(abs(x), p - 1), x == 0, 0);
    return slope * g * pow(y, 1 - p);
  }
  if (p < 2) {
    const Proxy slope = sgn(x) * pow(abs(x), p - 1);
    return slope * masked_fill(g / pow(y, p - 1), y == 0, 0);
  }
  const Proxy slope = x * pow(abs(x), p - 2);
  return slope * masked_fill(g / pow(y, p - 1), y == 0, 0);
}
AnyArg vector_norm_grad(D& d) {
  const Proxy x = d("self");
  return norm_slope(d, x, d.number("ord"), d.reduced_dims("dim", d.rank(x)), keeps_dims(d));
}
/// Handles aten.norm, whose `p` and dimensions are optional.
AnyArg norm_grad(D& d, bool has_dims) {
  const Proxy x = d.cast(d("self"), d.dtype(d.is_complex(d("self")) ? d("self") : d.grad()));
  const int64_t rank = d.rank(x);
  const double p = d.is_none("p") ? 2 : d.number("p");
  if (!has_dims) return norm_slope(d, x, p, D::range(0, rank), false);
  return norm_slope(d, x, p, d.reduced_dims("dim", rank), keeps_dims(d));
}
AnyArg norm_all_grad(D& d) { return norm_grad(d, false); }
AnyArg norm_dims_grad(D& d) { return norm_grad(d, true); }
/// Returns the terms of the tangent of a norm: the real product of its slope and the tangent of the
/// operand. A transposed gradient function would divide by a norm of 0 after it has set the quotient
/// to 0.
Proxy norm_terms(D& d, const AnyArg& slope, const Proxy& tangent) {
  if (!slope.value().is_node() || !tangent.defined()) return {};
  return d.real(Proxy(*slope.value().as_node(), d) * d.conj(tangent));
}
AnyArg norm_dims_tangent(D& d, AnyArg (*grad)(D& d)) {
  d.set_unit_grad(d.value());
  const Proxy terms = norm_terms(d, grad(d), d.tangent("self"));
  if (!terms.defined() || d.rank(terms) == 0) return terms;
  return sum(terms, d.reduced_dims("dim", d.rank(terms)), keeps_dims(d));
}
AnyArg norm_all_tangent(D& d) {
  d.set_unit_grad(d.value());
  const Proxy terms = norm_terms(d, norm_all_grad(d), d.tangent("self"));
  return terms.defined() ? d.sum_all(terms) : terms;
}

Proxy dist_slope(D& d) {
  const Proxy difference = d("self") - d("other");
  return norm_slope(d, difference, d.number("p"), D::range(0, d.rank(difference)), false);
}
AnyArg dist_tangent(D& d) {
  d.set_unit_grad(d.value());
  const Proxy slope = dist_slope(d), other = d.tangent("other");
  const Proxy tangent = d.sum_of({d.tangent("self"), other.defined() ? neg(other) : other});
  const Proxy terms = slope.defined() ? norm_terms(d, slope, tangent) : slope;
  return terms.defined() ? d.sum_all(terms) : terms;
}

}  // namespace

absl::Span<const DerivativeRow> reduction_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.sum.default", kLinear, {{"self", sum_all_grad}}},
      {"aten.sum.dim_IntList", kLinear, {{"self", sum_grad}}},
      {"aten.mean.default", kLinear, {{"self", mean_all_grad}}},
      {"aten.mean.dim", kLinear, {{"self", mean_grad}}},
      {"aten.nansum.default", kFunction, {{"self", nansum_grad}}, nansum_tangent},
      {"aten.max.default", kFunction, {{"self", extremum_grad}}, extremum_tangent},
      {"aten.min.default", kFunction, {{"self", extremum_grad}}, extremum_tangent},
      {"aten.median.default", kFunction, {{"self", extremum_grad}}, extremum_tangent},
      {"aten.nanmedian.default", kFunction, {{"self", extremum_grad}}, extremum_tangent},
      {"aten.amax.default", kFunction, {{"self", amax_grad}}, amax_tangent},
      {"aten.amin.default", kFunction, {{"self", amax_grad}}, amax_tangent},
      {"aten.aminmax.default", kTransposed, {{"self", aminmax_grad}}},
      {"aten.max.dim", kFunction, {{"self", selected_grad}}, selected_tangent},
      {"aten.min.dim", kFunction, {{"self", selected_grad}}, selected_tangent},
      {"aten.median.dim", kFunction, {{"self", selected_grad}}, selected_tangent},
      {"aten.nanmedian.dim", kFunction, {{"self", selected_grad}}, selected_tangent},
      {"aten.mode.default", kFunction, {{"self", selected_grad}}, selected_tangent},
      {"aten.kthvalue.default", kFunction, {{"self", selected_grad}}, selected_tangent},
      {"aten.sort.default", kFunction, {{"self", sorted_grad}}, sorted_tangent},
      {"aten.sort.stable", kFunction, {{"self", sorted_grad}}, sorted_tangent},
      {"aten.topk.default", kFunction, {{"self", sorted_grad}}, sorted_tangent},
      {"aten.cummax.default", kFunction, {{"self", cummax_grad}}, sorted_tangent},
      {"aten.cummin.default", kFunction, {{"self", cummax_grad}}, sorted_tangent},
      {"aten.var.correction",
       kFunction,
       {{"self", [](D& d) { return var_slope(d, d.grad()); }}},
       [](D& d) { return var_tangent(d); }},
      {"aten.std.correction",
       kFunction,
       {{"self", [](D& d) { return std_slope(d, d.grad(), d.value()); }}},
       [](D& d) { return std_tangent(d); }},
      {"aten.var_mean.correction",
       kFunction,
       {{"self", var_mean_grad}},
       [](D& d) { return AnyArg::tuple({var_tangent(d), mean_tangent(d)}); }},
      {"aten.std_mean.correction",
       kFunction,
       {{"self", std_mean_grad}},
       [](D& d) { return AnyArg::tuple({std_tangent(d), mean_tangent(d)}); }},
      {"aten.logsumexp.default", kFunction, {{"self", logsumexp_grad}}, logsumexp_tangent},
      {"aten.prod.default", kFunction, {{"self", prod_grad}}, prod_tangent},
      {"aten.prod.dim_int", kFunction, {{"self", prod_dim_grad}}, prod_dim_tangent},
      {"aten.cumsum.default", kLinear, {{"self", cumsum_grad}}},
      {"aten.cumprod.default", kTransposed, {{"self", cumprod_grad}}},
      {"aten.norm.Scalar", kFunction, {{"self", norm_all_grad}}, norm_all_tangent},
      {"aten.norm.ScalarOpt_dtype", kFunction, {{"self", norm_all_grad}}, norm_all_tangent},
      {"aten.norm.ScalarOpt_dim",
       kFunction,
       {{"self", norm_dims_grad}},
       [](D& d) { return norm_dims_tangent(d, norm_dims_grad); }},
      {"aten.norm.ScalarOpt_dim_dtype",
       kFunction,
       {{"self", norm_dims_grad}},
       [](D& d) { return norm_dims_tangent(d, norm_dims_grad); }},
      {"aten.dist.default",
       kFunction,
       {{"self", [](D& d) { return dist_slope(d); }},
        {"other",
         [](D& d) {
           const Proxy slope = dist_slope(d);
           return slope.defined() ? neg(slope) : slope;
         }}},
       dist_tangent},
      {"aten.linalg_vector_norm.default",
       kFunction,
       {{"self", vector_norm_grad}},
       [](D& d) { return norm_dims_tangent(d, vector_norm_grad); }},
  };
  return kRows;
}

}  // namespace fx
