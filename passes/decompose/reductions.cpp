// Decompositions of sums, norms and other reductions. Deviations and norms have the
// derivative 0 at 0, unlike roots: see Decomposer::where.
#include "fx/ir/ops/op_info.h"
#include "fx/passes/decompose/families_internal.h"

#include <cmath>
#include <limits>

namespace fx {
namespace {

/// Returns the reduced dimensions; all dimensions if the list is empty.
std::vector<int64_t> dims_of(Decomposer& d, const Proxy& x, std::string_view name = "dim") {
  std::vector<int64_t> dims = d.is_none(name) ? std::vector<int64_t>() : d.integers(name);
  if (dims.empty()) dims = Decomposer::range(0, d.rank(x));
  for (int64_t& dim : dims) dim = d.wrapped(dim, d.rank(x));
  return dims;
}

AnyArg sum_all(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const std::vector<int64_t> none;
  if (d.is_none("dtype")) return sum(x, none);
  return sum(x, none, false, d.dtype_argument("dtype"));
}
AnyArg mean(Decomposer& d) {
  const Proxy x = d.promoted("self");
  const bool whole = d.call().function().name() == "aten.mean.default";
  const std::vector<int64_t> dims = whole ? Decomposer::range(0, d.rank(x)) : dims_of(d, x);
  std::vector<IntArg> sizes;
  sizes.reserve(dims.size());
  for (const int64_t dim : dims) sizes.push_back(d.size(x, dim));
  const bool keep = d.argument("keepdim") == Argument(true);
  const Proxy total = sum(x, dims, keep);
  return total / d.product(sizes);
}
AnyArg nansum(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const Proxy numbers = is_floating_point(d.dtype(x)) ? d.where(isnan(x), 0, x) : x;
  const bool keep = d.flag("keepdim");
  const std::vector<int64_t> dims = dims_of(d, x);
  if (d.is_none("dtype")) return sum(numbers, dims, keep);
  return sum(numbers, dims, keep, d.dtype_argument("dtype"));
}
AnyArg count_nonzero(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return sum(x != 0, dims_of(d, x));
}
/// Computes all(x) as not any(not x). libtorch has no logical_not kernel for complex32.
AnyArg all(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const Proxy missing = d.dtype(x) == DType::kComplex32 ? x == 0 : logical_not(x);
  const std::string_view overload = d.call().function().op()->overload();
  Proxy found;
  if (overload == "default") {
    found = d.emit("aten.any.default", {missing});
  } else {
    const bool keep = d.flag("keepdim");
    found = overload == "dim" ? d.emit("aten.any.dim", {missing, d.integer("dim"), keep})
                              : d.emit("aten.any.dims", {missing, IntList(dims_of(d, x)), keep});
  }
  return logical_not(found);
}
AnyArg trace(Decomposer& d) {
  return sum(diagonal(d.tensor("self")), IntList(std::vector<int64_t>()));
}

Proxy variance(Decomposer& d, const Proxy& x) {
  const AnyArg dims = d.is_none("dim") ? AnyArg(std::nullopt) : AnyArg(d.argument("dim"));
  // The overload `dim` has the flag `unbiased`: true means a correction of 1, false of 0.
  const bool has_flag =
      d.call().function().op() != nullptr && d.call().function().op()->overload() == "dim";
  const AnyArg correction =
      has_flag ? AnyArg(d.flag("unbiased") ? 1 : 0) : AnyArg(d.argument("correction"));
  return d.emit("aten.var.correction", {x, dims},
                {{"correction", correction}, {"keepdim", d.flag("keepdim")}});
}
/// Returns pow(x, exponent) for x >= 0, as a root for 1/2. At 0 the value is a constant without a
/// derivative: the power is that of another number, so that its slope is finite. Otherwise tangents
/// would be 0 / 0.
Proxy power(Decomposer& d, const Proxy& x, double exponent) {
  const Proxy is_zero = x == 0, base = d.where(is_zero, 1, x);
  const Proxy value = exponent == 0.5 ? sqrt(base) : pow(base, exponent);
  return d.where(is_zero, exponent < 0 ? std::numeric_limits<double>::infinity() : 0, value);
}
Proxy deviation(Decomposer& d, const Proxy& x) { return power(d, variance(d, x), 0.5); }
AnyArg var_dim(Decomposer& d) { return variance(d, d.tensor("self")); }
AnyArg standard_deviation(Decomposer& d) { return deviation(d, d.opmath("self")); }
AnyArg std_mean(Decomposer& d) {
  const Proxy x = d.opmath("self");
  const std::vector<int64_t> dims = dims_of(d, x);
  return AnyArg::tuple({deviation(d, x), fx::mean(x, dims, d.flag("keepdim"))});
}
AnyArg var_mean(Decomposer& d) {
  const Proxy x = d.opmath("self");
  const std::vector<int64_t> dims = dims_of(d, x);
  return AnyArg::tuple({variance(d, x), fx::mean(x, dims, d.flag("keepdim"))});
}

AnyArg logsumexp(Decomposer& d) {
  const Proxy x = d.promoted("self");
  const std::vector<int64_t> dims = dims_of(d, x);
  if (d.is_empty(x)) return log(sum(exp(x), dims, d.flag("keepdim")));
  const bool keep = d.flag("keepdim");
  Proxy largest = amax(x, dims, true);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Proxy is_infinite = abs(largest) == kInfinity;
  largest = d.where(is_infinite, 0, largest);
  // Where the largest element is infinite, finite elements do not matter, but their exp may be
  // infinite.
  const Proxy is_ignored = is_infinite & (abs(x) != kInfinity);
  const Proxy result = log(sum(exp(d.where(is_ignored, 0, x - largest)), dims, keep));
  return result + (keep ? largest : squeeze(largest, dims));
}
AnyArg aminmax(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const std::vector<int64_t> dims = dims_of(d, x);
  const bool keep = d.flag("keepdim");
  return AnyArg::tuple({amin(x, dims, keep), amax(x, dims, keep)});
}

Proxy norm_of(Decomposer& d, const Proxy& given, double order, const std::vector<int64_t>& dims,
              bool keep) {
  const Proxy x = abs(given);
  const double infinity = std::numeric_limits<double>::infinity();
  if (order == infinity) return amax(x, dims, keep);
  if (order == -infinity) return amin(x, dims, keep);
  if (order == 0) return sum(d.cast(x != 0, d.dtype(x)), dims, keep);
  if (order == 1) return sum(x, dims, keep);
  if (order == 2) return power(d, sum(given * given, dims, keep), 0.5);
  const Proxy total = sum(order < 1 ? power(d, x, order) : pow(x, order), dims, keep);
  return power(d, total, 1.0 / order);
}
AnyArg vector_norm(Decomposer& d) {
  const Proxy x = d.promoted("self");
  if (!is_floating_point(d.dtype(d.tensor("self"))))
    return d.reject("complex numbers are not supported");
  return norm_of(d, x, d.number("ord"), dims_of(d, x), d.flag("keepdim"));
}
AnyArg norm(Decomposer& d) {
  const Proxy x = d.promoted("self");
  if (!is_floating_point(d.dtype(d.tensor("self"))))
    return d.reject("complex numbers are not supported");
  const bool has_dims = d.call().function().op()->overload() != "Scalar";
  const double order = d.is_none("p") ? 2 : d.number("p");
  return norm_of(d, x, order, has_dims ? dims_of(d, x) : Decomposer::range(0, d.rank(x)),
                 has_dims && d.flag("keepdim"));
}

}  // namespace

absl::Span<const DecompositionRow> reduction_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.all.default", all, kCore},
      {"aten.all.dim", all, kCore},
      {"aten.all.dims", all, kCore},
      {"aten.aminmax.default", aminmax, kCore},
      {"aten.count_nonzero.default", count_nonzero, kCore},
      {"aten.linalg_vector_norm.default", vector_norm, kByName},
      {"aten.logsumexp.default", logsumexp, kCore},
      {"aten.mean.default", mean, kByName},
      {"aten.mean.dim", mean, kByName},
      {"aten.nansum.default", nansum, kCore},
      {"aten.norm.Scalar", norm, kCore},
      {"aten.norm.ScalarOpt_dim", norm, kCore},
      {"aten.std.correction", standard_deviation, kCore},
      {"aten.std.dim", standard_deviation, kCore},
      {"aten.std_mean.correction", std_mean, kCore},
      {"aten.std_mean.dim", std_mean, kCore},
      {"aten.sum.default", sum_all, kCore},
      {"aten.trace.default", trace, kCore},
      {"aten.var.dim", var_dim, kCore},
      {"aten.var_mean.correction", var_mean, kByName},
      {"aten.var_mean.dim", var_mean, kCore},
  };
  return kRows;
}

}  // namespace fx
