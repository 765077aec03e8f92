// Reductions over dimensions.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fx::onnx::reader {

Ints dims_from(int64_t first, int64_t rank) {
  Ints dims;
  for (int64_t i = first; i < rank; ++i) dims.push_back(i);
  return dims;
}

Val reduce_sum(Call& c, Val x, absl::Span<const int64_t> dims, bool keep) {
  return c.op("aten.sum.dim_IntList", {x, c.list(dims), keep}, {{"dtype", c.dtype(x)}});
}

Val reduce_mean(Call& c, Val x, absl::Span<const int64_t> dims, bool keep) {
  return c.op("aten.mean.dim", {x, c.list(dims), keep});
}

namespace {

struct Reduction {
  Val x;
  Ints dims;
  bool keep = true;
  bool is_identity = false;  // no axes, and noop_with_empty_axes
};

/// Reads the axes, which are an attribute before opset `since`, and an input starting with opset
/// `since`.
Reduction reduction_of(Call& c, int since) {
  Reduction r{.x = c.in(0), .dims = {}};
  const int rank = c.rank(r.x);
  r.keep = c.flag("keepdims", true);
  const bool is_noop = c.flag("noop_with_empty_axes");
  std::optional<Ints> axes;
  const bool is_empty_input = c.opset() >= since && c.has(1) && !c.constant_ints(1) &&
                              c.rank(c.in(1)) == 1 && c.constant_dim(c.in(1), 0) == 0;
  if (!is_empty_input) axes = c.axes("axes", 1, since);
  if (axes && !axes->empty()) {
    r.dims = c.axes_of(*axes, rank);
  } else if (is_noop) {
    r.is_identity = true;
  } else {
    r.dims = dims_from(0, rank);
  }
  if (rank == 0 && !r.is_identity) {  // torch's functions require a dimension
    r.x = c.op("aten.unsqueeze.default", {r.x, 0});
    r.dims = {0};
    r.keep = false;
  }
  return r;
}

bool is_empty(Call& c, const Reduction& r) {
  return std::ranges::any_of(r.dims, [&](int64_t axis) { return c.dim(r.x, axis) == Dim(0); });
}

Val sum(Call& c, const Reduction& r, Val x) {
  return r.is_identity ? x : reduce_sum(c, x, r.dims, r.keep);
}
Val square(Call& c, Val x) { return c.op("aten.mul.Tensor", {x, x}); }

void reduce_sum_row(Call& c) {
  const Reduction r = reduction_of(c, 13);
  c.result(r.is_identity ? c.op("aten.alias.default", {r.x}) : sum(c, r, r.x));
}
void reduce_mean_row(Call& c) {
  const Reduction r = reduction_of(c, 18);
  const DType dtype = c.dtype(r.x);
  if (!is_floating_point(dtype)) return c.fail("the mean of integers is not supported");
  c.result(r.is_identity ? c.op("aten.alias.default", {r.x}) : reduce_mean(c, r.x, r.dims, r.keep));
}
void reduce_prod(Call& c) {
  const Reduction r = reduction_of(c, 18);
  Val y = r.is_identity ? c.op("aten.alias.default", {r.x}) : r.x;
  for (size_t i = r.dims.size(); i-- > 0;)
    y = c.op("aten.prod.dim_int", {y, r.dims[i], r.keep}, {{"dtype", c.dtype(r.x)}});
  c.result(y);
}
void reduce_l1(Call& c) {
  const Reduction r = reduction_of(c, 18);
  c.result(sum(c, r, c.op("aten.abs.default", {r.x})));
}
void reduce_l2(Call& c) {
  const Reduction r = reduction_of(c, 18);
  const DType dtype = c.dtype(r.x);
  const Val x = is_floating_point(dtype) ? r.x : c.cast(r.x, DType::kFloat32);
  c.result(c.cast(c.op("aten.sqrt.default", {sum(c, r, square(c, x))}), dtype));
}
void reduce_sum_square(Call& c) {
  const Reduction r = reduction_of(c, 18);
  c.result(sum(c, r, square(c, r.x)));
}
void reduce_log_sum(Call& c) {
  const Reduction r = reduction_of(c, 18);
  c.result(c.op("aten.log.default", {sum(c, r, r.x)}));
}
void reduce_log_sum_exp(Call& c) {
  const Reduction r = reduction_of(c, 18);
  if (r.is_identity) return c.result(c.op("aten.alias.default", {r.x}));
  c.result(c.op("aten.logsumexp.default", {r.x, c.list(r.dims), r.keep}));
}

/// Converts ReduceMax and ReduceMin. If there are no elements, the maximum is the smallest number,
/// and the minimum is the largest number.
void reduce_extremum(Call& c, bool is_max) {
  const Reduction r = reduction_of(c, 18);
  if (r.is_identity) return c.result(c.op("aten.alias.default", {r.x}));
  if (is_empty(c, r)) {
    if (!is_floating_point(c.dtype(r.x)))
      return c.fail("the maximum or minimum of an empty integer tensor is not supported");
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    Sizes sizes;
    for (int64_t i = 0; i < c.rank(r.x); ++i) {
      if (!std::ranges::binary_search(r.dims, i)) {
        sizes.push_back(c.size_of(r.x, i));
      } else if (r.keep) {
        sizes.emplace_back(1);
      }
    }
    return c.result(c.op("aten.full.default", {c.list(sizes), is_max ? -kInfinity : kInfinity},
                         {{"dtype", c.dtype(r.x)}}));
  }
  c.result(c.op(is_max ? "aten.amax.default" : "aten.amin.default", {r.x, c.list(r.dims), r.keep}));
}
void reduce_max(Call& c) { reduce_extremum(c, true); }
void reduce_min(Call& c) { reduce_extremum(c, false); }

void lp_normalization(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.axis(c.integer("axis", -1), c.rank(x)), p = c.integer("p", 2);
  if (p != 1 && p != 2) return c.fail_invalid("p must be 1 or 2");
  const Val norm = c.op("aten.linalg_vector_norm.default", {x, p, c.dims({axis}), true});
  const Val zero = c.scalar(0, c.dtype(x));
  const Val is_zero = c.op("aten.eq.Scalar", {norm, 0});
  c.result(c.op("aten.where.self", {is_zero, zero, c.op("aten.div.Tensor", {x, norm})}));
}

}  // namespace

absl::Span<const Row> reduction_rows() {
  static constexpr Row kRows[] = {
      {"ReduceSum", reduce_sum_row},
      {"ReduceMean", reduce_mean_row},
      {"ReduceProd", reduce_prod},
      {"ReduceL1", reduce_l1},
      {"ReduceL2", reduce_l2},
      {"ReduceSumSquare", reduce_sum_square},
      {"ReduceLogSum", reduce_log_sum},
      {"ReduceLogSumExp", reduce_log_sum_exp},
      {"ReduceMax", reduce_max},
      {"ReduceMin", reduce_min},
      {"LpNormalization", lp_normalization},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
