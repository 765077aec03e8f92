// Operators that order elements: argmax, sorting and searching.
//
// In libtorch, NaN counts as the largest element for maxima and as the smallest for minima. argmax
// and similar operators preserve this. For sort and topk, ONNX does not define the order of NaN.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <limits>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

/// Returns the element type in which ONNX compares.
DType orderable(DType dtype) {
  if (is_floating_point(dtype)) return dtype;
  return dtype == DType::kInt32 ? dtype : DType::kInt64;
}

/// Returns the indices of the largest or smallest elements along a dimension, which becomes size 1.
/// If there is a NaN, returns the index of the first NaN.
Value extreme_index(RowCall& c, std::string_view op, const Value& x, int dim) {
  Value in = x;
  if (is_floating_point(x.dtype)) {
    const Value nans = c.cast(c.op("IsNaN", {x}, {}, DType::kBool), x.dtype);
    const Value has_nan = c.cast(c.reduce("ReduceMax", nans, {dim}, true), DType::kBool);
    in = c.where(has_nan, op == "ArgMax" ? nans : c.op("Neg", {nans}), x);
  }
  return c.op(op, {in}, {{"axis", dim}, {"keepdims", 1}}, DType::kInt64);
}

void argmax(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  x = c.cast(x, orderable(x.dtype));
  const bool has_dim = c.has("dim");
  if (type.rank() == 0) return c.result(c.scalar(0, DType::kInt64));
  if (!has_dim) {
    const Value flat = c.op("Reshape", {x, c.ints_value({-1})});
    const Value index = extreme_index(c, c.row().name, flat, 0);
    if (!c.flag("keepdim")) return c.result(c.squeeze(index, {0}));
    return c.result(c.reshape(index, {}, c.result_type().sizes()));
  }
  const int dim = c.dim("dim", type.rank());
  const Value index = extreme_index(c, c.row().name, x, dim);
  c.result(c.flag("keepdim") ? index : c.squeeze(index, {dim}));
}

/// Converts max.dim and min.dim, which return values and their indices.
void max_dim(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = type.dtype();
  Value x = c.tensor("self");
  x = c.cast(x, orderable(x.dtype));
  if (type.rank() == 0) return c.results({c.cast(x, dtype), c.scalar(0, DType::kInt64)});
  const int dim = c.dim("dim", type.rank());
  const Value index = extreme_index(c, c.row().name, x, dim);
  const Value best = c.op("GatherElements", {x, index}, {{"axis", dim}});
  if (c.flag("keepdim")) return c.results({best, index});
  c.results({c.squeeze(best, {dim}), c.squeeze(index, {dim})});
}

/// Sorts along a dimension. The sort is stable.
std::vector<Value> sort_dim(RowCall& c, const Value& x, const Type& type, int dim,
                            bool descending) {
  const Value count = type.size(dim).is_int() ? c.ints_value({type.size(dim).value()})
                                              : c.sizes_value({type.size(dim)});
  const Value inputs[] = {x, count};
  const Attribute attributes[] = {{"axis", dim}, {"largest", descending}, {"sorted", 1}};
  return c.ops("TopK", inputs, attributes, {x.dtype, DType::kInt64});
}

void sort(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  x = c.cast(x, orderable(x.dtype));
  if (type.rank() == 0) return c.results({x, c.scalar(0, DType::kInt64)});
  const int dim = c.dim("dim", type.rank());
  const bool descending = c.flag("descending");
  if (!c.failed()) c.results(sort_dim(c, x, type, dim, descending));
}

void argsort(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  x = c.cast(x, orderable(x.dtype));
  if (type.rank() == 0) return c.result(c.scalar(0, DType::kInt64));
  const int dim = c.dim("dim", type.rank());
  c.result(sort_dim(c, x, type, dim, c.flag("descending"))[1]);
}

void topk(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  x = c.cast(x, orderable(x.dtype));
  if (type.rank() == 0) return c.fail("a 0-dimensional tensor is not supported");
  const int dim = c.dim("dim", type.rank());
  const Value inputs[] = {x, c.number_1d("k")};
  const Attribute attributes[] = {
      {"axis", dim}, {"largest", c.flag("largest")}, {"sorted", c.flag("sorted")}};
  if (!c.failed()) c.results(c.ops("TopK", inputs, attributes, {x.dtype, DType::kInt64}));
}

/// Returns the lower median and its index. If there is a NaN, returns the first NaN.
void median_dim(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  x = c.cast(x, orderable(x.dtype));
  if (type.rank() == 0) return c.results({x, c.scalar(0, DType::kInt64)});
  const int dim = c.dim("dim", type.rank());
  if (type.size(dim).is_symbolic()) return c.fail("the size of the dimension must be known");
  const std::vector<Value> all = sort_dim(c, x, type, dim, false);
  const int64_t middle = (type.size(dim).value() - 1) / 2;
  const Value middle_value = c.scalar(middle, DType::kInt64);
  if (c.failed()) return;
  Value index = c.op("Gather", {all[1], middle_value}, {{"axis", dim}}, DType::kInt64);
  if (is_floating_point(x.dtype)) {
    const Value nans = c.cast(c.op("IsNaN", {x}, {}, DType::kBool), x.dtype);
    const Value has_nan = c.cast(c.reduce("ReduceMax", nans, {dim}, false), DType::kBool);
    const Value first = c.op("ArgMax", {nans}, {{"axis", dim}, {"keepdims", 0}}, DType::kInt64);
    index = c.where(has_nan, first, index);
  }
  const Value keepdim_index = c.unsqueeze(index, {dim});
  const Value best = c.op("GatherElements", {x, keepdim_index}, {{"axis", dim}});
  if (c.flag("keepdim")) return c.results({best, keepdim_index});
  c.results({c.squeeze(best, {dim}), index});
}

/// Returns the number of boundaries that are less than each element (with `right`, less than or
/// equal). NaN is greater than all boundaries.
void bucketize(RowCall& c) {
  const DType dtype = computing_dtype(c.common_dtype({"self", "boundaries"}));
  const int rank = c.type("self").rank();
  const Value x = c.tensor_as("self", dtype), bounds = c.tensor_as("boundaries", dtype);
  const Value each = c.unsqueeze(x, {rank});
  const bool right = c.flag("right");
  Value is_less = right ? c.op("LessOrEqual", {bounds, each}, {}, DType::kBool)
                        : c.op("Less", {bounds, each}, {}, DType::kBool);
  if (is_floating_point(dtype))
    is_less = c.op("Or", {is_less, c.op("IsNaN", {each}, {}, DType::kBool)});
  c.result(c.reduce("ReduceSum", c.cast(is_less, DType::kInt64), {rank}, false));
}

}  // namespace

absl::Span<const Row> order_rows() {
  static constexpr Row kRows[] = {
      {"aten.argmax.default", argmax, kNumbers, true, "ArgMax"},
      {"aten.argmin.default", argmax, kNumbers, true, "ArgMin"},
      {"aten.max.dim", max_dim, kNumbers, true, "ArgMax"},
      {"aten.min.dim", max_dim, kNumbers, true, "ArgMin"},
      {"aten.sort.default", sort, kNumbers},
      {"aten.sort.stable", sort, kNumbers},
      {"aten.argsort.default", argsort, kNumbers},
      {"aten.argsort.stable", argsort, kNumbers},
      {"aten.topk.default", topk, kNumbers},
      {"aten.median.dim", median_dim, kNumbers},
      {"aten.bucketize.Tensor", bucketize, kNumbers},
  };
  return kRows;
}

}  // namespace fx::onnx
