// Reductions: sums, means, extrema, norms and cumulative sums.
//
// Reductions over no elements have the same results as in libtorch: a sum of 0, a product of 1, a
// mean of NaN.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fx::onnx {

RowCall::Ints reduced_dims(RowCall& c, std::string_view name, int rank) {
  RowCall::Ints dims;
  if (c.has_argument(name) && c.has(name)) dims = c.ints(name);
  for (int64_t& dim : dims) dim = c.wrap_dim(dim, rank);
  if (dims.empty()) {
    dims.resize(static_cast<size_t>(rank));
    std::iota(dims.begin(), dims.end(), 0);
  }
  std::ranges::sort(dims);
  return dims;
}

Value count_value(RowCall& c, absl::Span<const Dim> sizes, absl::Span<const int64_t> dims,
                  DType dtype) {
  int64_t known_count = 1;
  Value count;
  for (const int64_t dim : dims) {
    if (sizes.empty()) break;
    const Dim& size = sizes[static_cast<size_t>(dim)];
    if (size.is_int()) {
      known_count *= size.value();
      continue;
    }
    const Value next = c.cast(c.size_value(size), dtype);
    count = count ? c.op("Mul", {count, next}) : next;
  }
  const Value constant = c.scalar(static_cast<double>(known_count), dtype);
  if (!count) return constant;
  return known_count == 1 ? count : c.op("Mul", {count, constant});
}

namespace {

using Ints = RowCall::Ints;

bool keeps(RowCall& c) { return c.has_argument("keepdim") && c.flag("keepdim"); }

bool reduces_nothing(const Type& type, absl::Span<const int64_t> dims) {
  return std::ranges::any_of(
      dims, [&](int64_t dim) { return type.size(static_cast<int>(dim)) == Dim(0); });
}

/// Reduces a value of this type. The result of a reduction over no elements is `empty`.
Value reduce_or(RowCall& c, std::string_view op, const Value& x, const Type& type, const Ints& dims,
                bool keep, const Value& empty) {
  if (type.rank() == 0) return x;
  if (reduces_nothing(type, dims)) return filled(c, empty, c.result_type().sizes());
  const bool all = dims.size() == static_cast<size_t>(type.rank());
  return c.reduce(op, x, all ? Ints() : dims, keep);
}

/// Reduces `self` in the dtype of the result, which is `empty` for a reduction over no elements.
void reduce_self(RowCall& c, std::string_view op, double empty) {
  const Type type = c.type("self");
  const DType dtype = c.result_dtype();
  const Ints dims = reduced_dims(c, "dim", type.rank());
  c.result(
      reduce_or(c, op, c.tensor_as("self", dtype), type, dims, keeps(c), c.scalar(empty, dtype)));
}

void sum(RowCall& c) { reduce_self(c, "ReduceSum", 0); }
void mean(RowCall& c) { reduce_self(c, "ReduceMean", std::numeric_limits<double>::quiet_NaN()); }
void prod(RowCall& c) { reduce_self(c, "ReduceProd", 1); }

/// Applies ReduceMax or ReduceMin. The result is NaN if an element is NaN.
Value extreme(RowCall& c, std::string_view op, const Value& x, const Type& type, const Ints& dims,
              bool keep) {
  const DType dtype = x.dtype == DType::kBool ? DType::kInt32 : extremum_dtype(x.dtype);
  const Value in = c.cast(x, dtype);
  const Value best = reduce_or(c, op, in, type, dims, keep, in);
  if (!is_floating_point(in.dtype) || type.rank() == 0) return best;
  const Value nans = c.cast(c.op("IsNaN", {in}, {}, DType::kBool), DType::kInt32);
  const bool all = dims.size() == static_cast<size_t>(type.rank());
  const Value has_nan =
      c.cast(c.reduce("ReduceMax", nans, all ? Ints() : dims, keep), DType::kBool);
  return c.where(has_nan, c.scalar(std::numeric_limits<double>::quiet_NaN(), in.dtype), best);
}

/// Converts amax and amin.
void amax(RowCall& c) {
  const Type type = c.type("self");
  const Ints dims = reduced_dims(c, "dim", type.rank());
  if (type.rank() > 0 && reduces_nothing(type, dims))
    return c.fail_invalid("the reduced dimensions must have elements");
  c.result(extreme(c, c.row().name, c.tensor("self"), type, dims, keeps(c)));
}

void aminmax(RowCall& c) {
  const Type type = c.type("self");
  const Ints dims = reduced_dims(c, "dim", type.rank());
  if (type.rank() > 0 && reduces_nothing(type, dims))
    return c.fail_invalid("the reduced dimensions must have elements");
  const Value x = c.tensor("self");
  const Value values[] = {extreme(c, "ReduceMin", x, type, dims, keeps(c)),
                          extreme(c, "ReduceMax", x, type, dims, keeps(c))};
  c.results(values);
}

/// Computes any and all of bools as the maximum and minimum of 0 and 1.
void any_or_all(RowCall& c) {
  const Type type = c.type("self");
  const bool is_any = c.row().name == "any";
  const Ints dims = reduced_dims(c, "dim", type.rank());
  const Value x = c.cast(c.tensor_as("self", DType::kBool), DType::kInt32);
  const Value found = reduce_or(c, is_any ? "ReduceMax" : "ReduceMin", x, type, dims, keeps(c),
                                c.scalar(is_any ? 0 : 1, DType::kInt32));
  c.result(c.cast(found, DType::kBool));
}

/// The mean, and the variance: the sum of squared distances to the mean, divided by the number of
/// elements minus the correction.
struct Moments {
  Value variance, mean;
};

Moments moments(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = c.result_dtype(0);
  const Ints dims = reduced_dims(c, "dim", type.rank());
  double correction = 1;
  if (c.has_argument("correction") && c.has("correction")) correction = c.real("correction");
  if (c.has_argument("unbiased")) correction = c.flag("unbiased") ? 1 : 0;
  const bool keep = keeps(c);
  const Value x = c.tensor_as("self", dtype);
  if (c.failed()) return {};
  if (type.rank() > 0 && reduces_nothing(type, dims)) {
    c.fail("the reduced dimensions must have elements");
    return {};
  }
  const Value center = type.rank() == 0 ? x : c.reduce("ReduceMean", x, dims, true);
  const Value distance = c.op("Sub", {x, center});
  const Value square = c.op("Mul", {distance, distance});
  const Value total = type.rank() == 0 ? square : c.reduce("ReduceSum", square, dims, keep);
  Value count = count_value(c, type.sizes(), dims, dtype);
  if (correction != 0) {
    const Value less = c.op("Sub", {count, c.scalar(correction, dtype)});
    count = c.op("Max", {less, c.scalar(0.0, dtype)});
  }
  Moments result{.variance = c.op("Div", {total, count}), .mean = center};
  if (type.rank() > 0 && !keep) result.mean = c.squeeze(center, dims);
  return result;
}

void var(RowCall& c) { c.result(moments(c).variance); }
void std_deviation(RowCall& c) { c.result(c.op("Sqrt", {moments(c).variance})); }
void var_mean(RowCall& c) {
  const Moments m = moments(c);
  c.results({m.variance, m.mean});
}
void std_mean(RowCall& c) {
  const Moments m = moments(c);
  c.results({c.op("Sqrt", {m.variance}), m.mean});
}

/// Computes the p-norm.
void vector_norm(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = c.result_dtype();
  const Ints dims = reduced_dims(c, "dim", type.rank());
  const double p = c.has("ord") ? c.real("ord") : 2;
  const Value x = c.tensor_as("self", dtype);
  const bool keep = keeps(c);
  if (c.failed()) return;
  const Value zero = c.scalar(0.0, dtype);
  if (type.rank() > 0 && reduces_nothing(type, dims))
    return c.result(filled(c, zero, c.result_type().sizes()));
  const Value size = c.op("Abs", {x});
  if (std::isinf(p))
    return c.result(extreme(c, p > 0 ? "ReduceMax" : "ReduceMin", size, type, dims, keep));
  if (p == 0) {
    const Value counted = c.op("Not", {c.op("Equal", {x, zero}, {}, DType::kBool)});
    return c.result(reduce_or(c, "ReduceSum", c.cast(counted, dtype), type, dims, keep, zero));
  }
  if (p == 1) return c.result(reduce_or(c, "ReduceSum", size, type, dims, keep, zero));
  if (p == 2) {
    const Value total = reduce_or(c, "ReduceSum", c.op("Mul", {x, x}), type, dims, keep, zero);
    return c.result(c.op("Sqrt", {total}));
  }
  const Value powers = c.op("Pow", {size, c.scalar(p, dtype)});
  const Value total = reduce_or(c, "ReduceSum", powers, type, dims, keep, zero);
  c.result(c.op("Pow", {total, c.scalar(1 / p, dtype)}));
}

/// Computes the logarithm of the sum of exponentials. Subtracts the largest element first, so that
/// exp does not overflow.
void logsumexp(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = c.result_dtype();
  const Ints dims = reduced_dims(c, "dim", type.rank());
  const Value x = c.tensor_as("self", dtype);
  if (type.rank() == 0) return c.result(x);
  if (reduces_nothing(type, dims)) {
    return c.result(filled(c, c.scalar(-std::numeric_limits<double>::infinity(), dtype),
                           c.result_type().sizes()));
  }
  const Value largest = c.reduce("ReduceMax", x, dims, true);
  const Value infinite = c.op("IsInf", {largest}, {}, DType::kBool);
  const Value base = c.where(infinite, c.scalar(0.0, dtype), largest);
  const Value sums = c.reduce("ReduceSum", c.op("Exp", {c.op("Sub", {x, base})}), dims, true);
  const Value result = c.op("Add", {c.op("Log", {sums}), base});
  c.result(keeps(c) ? result : c.squeeze(result, dims));
}

void cumsum(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = c.result_dtype();
  const Value x = c.tensor_as("self", dtype);
  const int dim = c.dim("dim", type.rank());
  if (type.rank() == 0) return c.result(x);
  c.result(c.op("CumSum", {x, c.scalar(dim, DType::kInt64)}));
}

/// Computes cumulative products: reduces a matrix whose row i contains the elements up to i,
/// followed by ones.
void cumprod(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = c.result_dtype();
  const int rank = type.rank(), dim = c.dim("dim", rank);
  const Value x = c.tensor_as("self", dtype);
  if (rank == 0) return c.result(x);
  constexpr int64_t kMaxSize = 1024;
  if (type.size(dim).is_symbolic() || type.size(dim).value() > kMaxSize)
    return c.fail("sizes that are symbolic or greater than 1024 are not supported");
  const int64_t size = type.size(dim).value();
  Ints mask_items, shape(static_cast<size_t>(rank) + 1, 1);
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < size; ++j) mask_items.push_back(j <= i ? 1 : 0);
  shape[static_cast<size_t>(dim)] = shape[static_cast<size_t>(dim) + 1] = size;
  const Value mask = c.cast(c.indices_value(mask_items, shape), DType::kBool);
  const Value copies = c.where(mask, c.unsqueeze(x, {dim}), c.scalar(1, dtype));
  c.result(c.reduce("ReduceProd", copies, {dim + 1}, false));
}

void count_nonzero(RowCall& c) {
  const Type type = c.type("self");
  const Ints dims = reduced_dims(c, "dim", type.rank());
  const Value x = c.cast(c.tensor_as("self", DType::kBool), DType::kInt64);
  c.result(reduce_or(c, "ReduceSum", x, type, dims, false, c.scalar(0, DType::kInt64)));
}

}  // namespace

absl::Span<const Row> reduction_rows() {
  static constexpr Row kRows[] = {
      {"aten.sum.default", sum},
      {"aten.sum.dim_IntList", sum},
      {"aten.mean.default", mean, kFloats},
      {"aten.mean.dim", mean},
      {"aten.prod.default", prod},
      {"aten.prod.dim_int", prod},
      {"aten.amax.default", amax, kAnything, true, "ReduceMax"},
      {"aten.amin.default", amax, kAnything, true, "ReduceMin"},
      {"aten.max.default", amax, kAnything, true, "ReduceMax"},
      {"aten.min.default", amax, kAnything, true, "ReduceMin"},
      {"aten.aminmax.default", aminmax},
      {"aten.any.default", any_or_all, kAnything, true, "any"},
      {"aten.any.dim", any_or_all, kAnything, true, "any"},
      {"aten.any.dims", any_or_all, kAnything, true, "any"},
      {"aten.all.default", any_or_all, kAnything, true, "all"},
      {"aten.all.dim", any_or_all, kAnything, true, "all"},
      {"aten.all.dims", any_or_all, kAnything, true, "all"},
      {"aten.var.correction", var, kFloats},
      {"aten.var.dim", var, kFloats},
      {"aten.var.default", var, kFloats},
      {"aten.std.correction", std_deviation, kFloats},
      {"aten.std.dim", std_deviation, kFloats},
      {"aten.std.default", std_deviation, kFloats},
      {"aten.var_mean.correction", var_mean, kFloats},
      {"aten.std_mean.correction", std_mean, kFloats},
      {"aten.linalg_vector_norm.default", vector_norm, kFloats},
      {"aten.logsumexp.default", logsumexp, kNumbers},
      {"aten.cumsum.default", cumsum},
      {"aten.cumprod.default", cumprod},
      {"aten.count_nonzero.default", count_nonzero},
      {"aten.count_nonzero.dim_IntList", count_nonzero},
  };
  return kRows;
}

}  // namespace fx::onnx
