// Operators that select or write elements by index.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>

namespace fx::onnx::reader {
namespace {

/// Converts negative indices, which count from the end of a dimension, to positive ones.
Val wrap_index(Call& c, Val index, const Argument& size, size_t input) {
  const auto known = c.constant_ints(input);
  if (known && std::ranges::all_of(*known, [](int64_t i) { return i >= 0; }))
    return c.cast(index, DType::kInt64);
  const Val wide_index = c.cast(index, DType::kInt64);
  const Val is_negative = c.op("aten.lt.Scalar", {wide_index, 0});
  const Val from_end = c.op("aten.add.Tensor", {wide_index, size});
  return c.op("aten.where.self", {is_negative, from_end, wide_index});
}

/// Selects sizes using constant indices.
bool gather_sizes(Call& c, int64_t axis) {
  const auto known = c.known_sizes(0);
  const auto indices = c.constant_ints(1);
  if (!known || !indices || c.value(0).is_scalar || (axis != 0 && axis != -1)) return false;
  if (!c.value(1).has_elements) return false;
  const auto count = static_cast<int64_t>(known->size());
  Sizes picked;
  for (const int64_t index : *indices) {
    if (index < -count || index >= count) {
      c.fail_invalid("an index is out of range");
      return true;
    }
    picked.push_back((*known)[static_cast<size_t>(index < 0 ? index + count : index)]);
  }
  c.result_sizes(picked, c.value(1).is_scalar, c.value(0).dtype);
  return true;
}

void gather(Call& c) {
  const int64_t given = c.integer("axis", 0);
  if (gather_sizes(c, given)) return;
  const Val x = c.in(0);
  const int64_t axis = c.axis(given, c.rank(x));
  const auto constant = c.constant_ints(1);
  if (constant && constant->size() == 1 && c.value(1).is_scalar)
    return c.result(c.op("aten.select.int", {x, axis, (*constant)[0]}));
  std::vector<Argument> indices(static_cast<size_t>(axis));
  indices.emplace_back(c.cast(c.in(1), DType::kInt64));
  c.result(c.op("aten.index.Tensor", {x, Argument::list(indices)}));
}

void gather_elements(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const Val index = wrap_index(c, c.in(1), c.size_of(x, axis), 1);
  c.result(c.op("aten.gather.default", {x, axis, index}));
}

/// Returns a tensor of indices for each dimension, from a tensor whose last dimension lists the
/// indices of an element.
std::vector<Argument> index_list(Call& c, Val x, Val indices, int64_t batch) {
  std::vector<Argument> all;
  const int rank = c.rank(indices);
  for (int64_t i = 0; i < batch; ++i) {
    Val position = c.op("aten.arange.default", {c.size_of(x, i)}, {{"dtype", DType::kInt64}});
    for (int64_t k = i + 1; k < rank - 1; ++k)
      position = c.op("aten.unsqueeze.default", {position, -1});
    all.emplace_back(position);
  }
  const int64_t depth = c.constant_dim(indices, -1);
  if (depth + batch > c.rank(x)) c.fail_invalid("its indices have too many items");
  const Val wide_index = c.cast(indices, DType::kInt64);
  for (int64_t k = 0; k < depth && !c.failed(); ++k)
    all.emplace_back(c.op("aten.select.int", {wide_index, -1, k}));
  return all;
}

void gather_nd(Call& c) {
  const Val x = c.in(0);
  const int64_t batch = c.integer("batch_dims", 0);
  if (batch < 0 || batch >= c.rank(c.in(1))) return c.fail_invalid("batch_dims is out of range");
  c.result(c.op("aten.index.Tensor", {x, Argument::list(index_list(c, x, c.in(1), batch))}));
}

/// Returns the name of a reduction in torch, or an empty name for `none`.
std::string_view torch_reduction(Call& c, const std::string& reduction) {
  if (reduction == "none") return "";
  if (reduction == "add") return "sum";
  if (reduction == "mul") return "prod";
  if (reduction == "max") return "amax";
  if (reduction == "min") return "amin";
  c.fail_invalid("reduction must be none, add, mul, max or min");
  return "";
}

void scatter_elements(Call& c) {
  const Val x = c.in(0), updates = c.in(2);
  const int64_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const std::string reduction = c.text("reduction", "none");
  const Val index = wrap_index(c, c.in(1), c.size_of(x, axis), 1);
  const std::string_view name = torch_reduction(c, reduction);
  if (name.empty()) return c.result(c.op("aten.scatter.src", {x, axis, index, updates}));
  if (name == "sum") return c.result(c.op("aten.scatter_add.default", {x, axis, index, updates}));
  c.result(c.op("aten.scatter_reduce.two", {x, axis, index, updates, name}));
}

/// Reduces slices with a 2-dimensional scatter: flattens the indexed dimensions into one, and the
/// remaining dimensions into another.
Val scatter_slices(Call& c, Val x, const std::vector<Argument>& indices, Val updates,
                   std::string_view reduction) {
  const auto depth = static_cast<int64_t>(indices.size());
  Argument rows = 1, columns = 1;
  for (int64_t i = 0; i < c.rank(x); ++i)
    (i < depth ? rows : columns) = c.mul(i < depth ? rows : columns, c.size_of(x, i));
  Val flat_index;
  for (int64_t i = 0; i < depth && !c.failed(); ++i) {
    const Argument size = c.size_of(x, i);
    const Val index{indices[static_cast<size_t>(i)].node()};
    const Val is_negative = c.op("aten.lt.Scalar", {index, 0});
    const Val positive =
        c.op("aten.where.self", {is_negative, c.op("aten.add.Tensor", {index, size}), index});
    flat_index =
        i == 0 ? positive
               : c.op("aten.add.Tensor", {c.op("aten.mul.Tensor", {flat_index, size}), positive});
  }
  const Val flat = c.reshape(x, {rows, columns});
  const Val source = c.reshape(updates, {-1, columns});
  const Val index = c.op("aten.expand_as.default", {c.reshape(flat_index, {-1, 1}), source});
  const Val reduced = c.op("aten.scatter_reduce.two", {flat, 0, index, source, reduction});
  return c.reshape(reduced, c.shape_of(x));
}

void scatter_nd(Call& c) {
  const Val x = c.in(0), updates = c.in(2);
  const std::string reduction = c.text("reduction", "none");
  const std::string_view name = torch_reduction(c, reduction);
  const std::vector<Argument> indices = index_list(c, x, c.in(1), 0);
  if (c.failed()) return;
  if (name.empty() || name == "sum") {
    return c.result(
        c.op("aten.index_put.default", {x, Argument::list(indices), updates, name == "sum"}));
  }
  c.result(scatter_slices(c, x, indices, updates, name));
}

void non_zero(Call& c) {
  const Val positions = c.op("aten.nonzero.default", {c.in(0)});
  c.result(c.op("aten.permute.default", {positions, c.dims({1, 0})}));
}

void compress(Call& c) {
  Val x = c.in(0);
  int64_t axis = 0;
  if (c.has_attribute("axis")) {
    axis = c.axis(c.integer("axis", 0), c.rank(x));
  } else {
    x = c.reshape(x, {-1});
  }
  const Val positions = c.op("aten.nonzero.default", {c.in(1)});
  const Val index = c.op("aten.select.int", {positions, 1, 0});
  c.result(c.op("aten.index_select.default", {x, axis, index}));
}

/// Converts TopK. Equal elements keep the order of their indices, as in a stable sort.
void top_k(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.axis(c.integer("axis", -1), c.rank(x));
  const bool is_largest = c.flag("largest", true);
  c.ignore_attribute("sorted");  // any order is allowed if it is 0
  const Argument k = c.opset() < 10 ? Argument(c.integer("k", 1)) : c.size(1);
  const Val sorted =
      c.op("aten.sort.stable", {x}, {{"stable", true}, {"dim", axis}, {"descending", is_largest}});
  for (size_t i = 0; i < 2; ++i)
    if (c.has_output(i)) c.result(i, c.slice(c.item(sorted, static_cast<int64_t>(i)), axis, 0, k));
}

void arg_extremum(Call& c, std::string_view target) {
  const Val x = c.in(0);
  const int64_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  const bool keep = c.flag("keepdims", true), is_last = c.flag("select_last_index");
  if (!is_last) return c.result(c.op(target, {x, axis, keep}));
  const Val flipped = c.op("aten.flip.default", {x, c.dims({axis})});
  const Val flipped_index = c.op(target, {flipped, axis, keep});
  const Argument last = c.sub(c.size_of(x, axis), 1);
  c.result(c.op("aten.add.Tensor", {c.op("aten.neg.default", {flipped_index}), last}));
}
void arg_max(Call& c) { arg_extremum(c, "aten.argmax.default"); }
void arg_min(Call& c) { arg_extremum(c, "aten.argmin.default"); }

void cum_sum(Call& c) {
  Val x = c.in(0);
  const int rank = c.rank(x);
  const int64_t given = rank == 1 ? 0 : [&] {
    const Ints axes = c.ints_input(1, "the axis");
    return axes.size() == 1 ? axes[0] : 0;
  }();
  const int64_t axis = c.axis(given, rank);
  const bool is_exclusive = c.flag("exclusive"), is_reversed = c.flag("reverse");
  const DType dtype = c.dtype(x);
  if (is_reversed) x = c.op("aten.flip.default", {x, c.dims({axis})});
  Val y = c.op("aten.cumsum.default", {x, axis}, {{"dtype", dtype}});
  if (is_exclusive) {  // insert 0 and drop the last sum
    const auto count = static_cast<size_t>(rank - axis);
    Ints low(count, 0), high(count, 0);
    low[0] = 1;
    high[0] = -1;
    y = pad_constant(c, y, low, high, 0);
  }
  c.result(is_reversed ? c.op("aten.flip.default", {y, c.dims({axis})}) : y);
}

void one_hot(Call& c) {
  const Val indices = c.cast(c.in(0), DType::kInt64), values = c.in(2);
  const int rank = c.rank(indices);
  const int64_t axis = c.axis(c.integer("axis", -1), rank + 1);
  const auto known = c.constant_reals(1);
  Argument depth;
  constexpr double kMaxDepth = 1e15;
  if (known && known->size() == 1 && (*known)[0] >= 0 && (*known)[0] <= kMaxDepth) {
    depth = static_cast<int64_t>((*known)[0]);
  } else {
    const Val number = c.cast(c.in(1), DType::kInt64);
    depth = c.op("aten.item.default", {number});
  }
  const Val is_negative = c.op("aten.lt.Scalar", {indices, 0});
  const Val index =
      c.op("aten.where.self", {is_negative, c.op("aten.add.Tensor", {indices, depth}), indices});
  Val classes = c.op("aten.arange.default", {depth}, {{"dtype", DType::kInt64}});
  for (int64_t i = axis; i < rank; ++i) classes = c.op("aten.unsqueeze.default", {classes, -1});
  const Val is_hot =
      c.op("aten.eq.Tensor", {c.op("aten.unsqueeze.default", {index, axis}), classes});
  const Val off = c.op("aten.select.int", {values, 0, 0});
  const Val on = c.op("aten.select.int", {values, 0, 1});
  c.result(c.op("aten.where.self", {is_hot, on, off}));
}

}  // namespace

absl::Span<const Row> index_rows() {
  static constexpr Row kRows[] = {
      {"Gather", gather},
      {"GatherElements", gather_elements, 11},
      {"GatherND", gather_nd, 11},
      {"Scatter", scatter_elements, 9},
      {"ScatterElements", scatter_elements, 11},
      {"ScatterND", scatter_nd, 11},
      {"NonZero", non_zero, 9},
      {"Compress", compress, 9},
      {"TopK", top_k},
      {"ArgMax", arg_max},
      {"ArgMin", arg_min},
      {"CumSum", cum_sum, 11},
      {"OneHot", one_hot, 9},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
