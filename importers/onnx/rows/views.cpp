// Operators that move elements: views, copies, casts and concatenations.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

/// Converts copies and casts. The writer converts the operand to the element type of the result.
void copy_or_cast(RowCall& c) { c.result(c.tensor("self")); }

void copy(RowCall& c) {
  const Type type = c.type("self"), source = c.type("src");
  Value value = c.tensor("src");
  if (source.rank() != type.rank() ||
      !std::equal(type.sizes().begin(), type.sizes().end(), source.sizes().begin()))
    value = c.expand(value, type.sizes());
  c.result(value);
}

void reshape(RowCall& c) {
  const Type from = c.type("self"), to = c.result_type();
  c.result(c.reshape(c.tensor("self"), from.sizes(), to.sizes()));
}

void permute(RowCall& c) {
  const int rank = c.type("self").rank();
  Ints order = c.ints("dims");
  for (int64_t& dim : order) dim = c.wrap_dim(dim, rank);
  c.result(c.transpose(c.tensor("self"), order));
}

void swap_dims(RowCall& c, int a, int b, int rank) {
  Ints order(static_cast<size_t>(std::max(rank, 0)));
  std::iota(order.begin(), order.end(), 0);
  if (rank > 1) std::swap(order[static_cast<size_t>(a)], order[static_cast<size_t>(b)]);
  c.result(c.transpose(c.tensor("self"), order));
}

void transpose(RowCall& c) {
  const int rank = c.type("self").rank();
  swap_dims(c, c.dim("dim0", rank), c.dim("dim1", rank), rank);
}

void matrix_transpose(RowCall& c) {
  const int rank = c.type("self").rank();
  swap_dims(c, rank - 2, rank - 1, rank);
}

/// Converts expand. A size of -1 keeps the operand's size; ONNX uses 1 for this.
void expand(RowCall& c) {
  const Type type = c.result_type();
  c.result(c.expand(c.tensor("self"), type.sizes()));
}

void squeeze(RowCall& c) {
  const Type from = c.type("self"), to = c.result_type();
  Ints dims;
  if (c.has_argument("dim")) dims = c.ints("dim");
  if (!c.has_argument("dim"))
    for (int i = 0; i < from.rank(); ++i) dims.push_back(i);
  Ints axes;
  for (const int64_t dim : dims) {
    const int axis = c.wrap_dim(dim, from.rank());
    if (from.rank() > 0 && from.size(axis) == Dim(1)) axes.push_back(axis);
  }
  std::ranges::sort(axes);
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  if (from.rank() - static_cast<int>(axes.size()) != to.rank())
    return c.fail("a squeezed size must be known, not symbolic");
  c.result(c.squeeze(c.tensor("self"), axes));
}

void unsqueeze(RowCall& c) {
  c.result(c.unsqueeze(c.tensor("self"), {c.dim("dim", c.type("self").rank() + 1)}));
}

void select(RowCall& c) {
  const int dim = c.dim("dim", c.type("self").rank());
  c.result(c.op("Gather", {c.tensor("self"), c.number("index")}, {{"axis", dim}}));
}

void slice(RowCall& c) {
  const Type type = c.type("self");
  const int dim = c.dim("dim", type.rank());
  const Value begin = c.has("start") ? c.number_1d("start") : c.ints_value({0});
  const Value end = c.has("end") ? c.number_1d("end") : c.ints_value({kEnd});
  const Value step = c.constant_integer("step") == 1 ? Value() : c.number_1d("step");
  const bool from_begin = !c.has("start") || c.constant_integer("start") == 0;
  const bool to_end = !c.has("end") || c.constant_integer("end") == kEnd;
  if (!step && from_begin && to_end) return c.result(c.tensor("self"));
  c.result(c.op("Slice", {c.tensor("self"), begin, end, c.ints_value({dim}), step}));
}

void narrow(RowCall& c) {
  const int dim = c.dim("dim", c.type("self").rank());
  const Value begin = c.number_1d("start");
  const Value end = c.op("Add", {begin, c.number_1d("length")});
  c.result(c.op("Slice", {c.tensor("self"), begin, end, c.ints_value({dim})}));
}

void flip(RowCall& c) {
  const int rank = c.type("self").rank();
  Ints dims = c.ints("dims");
  for (int64_t& dim : dims) dim = c.wrap_dim(dim, rank);
  if (dims.empty() || rank == 0) return c.result(c.tensor("self"));
  const Ints begins(dims.size(), -1), steps(dims.size(), -1);
  const Ints ends(dims.size(), std::numeric_limits<int64_t>::min());
  c.result(c.op("Slice", {c.tensor("self"), c.ints_value(begins), c.ints_value(ends),
                          c.ints_value(dims), c.ints_value(steps)}));
}

/// Converts cat, which ignores empty 1-dimensional tensors.
void cat(RowCall& c) {
  const Type type = c.result_type();
  const std::vector<Type> types = c.types("tensors");
  std::vector<Value> values = c.tensors("tensors"), parts;
  if (c.failed()) return;
  for (size_t i = 0; i < values.size(); ++i) {
    const bool is_none = types[i].rank() == 1 && type.rank() != 1 && types[i].size(0) == Dim(0);
    if (!is_none) parts.push_back(c.cast(values[i], type.dtype()));
  }
  if (parts.size() == 1) return c.result(parts[0]);
  const Attribute axis("axis", c.dim("dim", type.rank()));
  c.result(c.op("Concat", parts, {axis}));
}

void stack(RowCall& c) {
  const Type type = c.result_type();
  const int dim = c.dim("dim", type.rank());
  std::vector<Value> parts;
  for (const Value& value : c.tensors("tensors"))
    parts.push_back(c.unsqueeze(c.cast(value, type.dtype()), {dim}));
  if (parts.size() == 1) return c.result(parts[0]);
  const Attribute axis("axis", dim);
  c.result(c.op("Concat", parts, {axis}));
}

/// Row::name is `split_sizes` if that argument contains the sizes; otherwise, the type of the
/// result contains them.
void split(RowCall& c) {
  const Type from = c.type("self");
  const int dim = c.dim("dim", from.rank());
  const Type result = c.node().type();
  if (!result.is_list() && !result.is_tuple())
    return c.fail(
        "the type of its result must be a list or a tuple; infer types first (fxcpp shape)");
  std::vector<Dim> sizes;
  for (const Type part : result.items()) {
    if (!part.is_tensor() || part.rank() != from.rank())
      return c.fail("the sizes of its parts are unknown; infer types first (fxcpp shape)");
    sizes.push_back(part.size(dim));
  }
  const Value x = c.tensor("self");
  if (sizes.size() == 1) return c.results({x});
  const std::vector<DType> dtypes(sizes.size(), x.dtype);
  const Value inputs[] = {x, c.sizes_value(sizes)};
  const Attribute axis("axis", dim);
  if (c.failed()) return;
  c.results(c.ops("Split", inputs, {axis}, dtypes));
}

void unbind(RowCall& c) {
  const Type from = c.type("self");
  const int dim = c.dim("dim", from.rank());
  if (from.rank() == 0 || from.size(dim).is_symbolic())
    return c.fail("the number of its results must be known");
  const Value x = c.tensor("self");
  std::vector<Value> parts;
  parts.reserve(static_cast<size_t>(from.size(dim).value()));  // the type has this number of items
  for (int64_t i = 0; i < from.size(dim).value(); ++i)
    parts.push_back(c.op("Gather", {x, c.scalar(i, DType::kInt64)}, {{"axis", dim}}));
  if (!c.failed()) c.results(parts);
}

/// Converts repeat and tile, which add leading dimensions if there are more repeats than
/// dimensions.
void repeat(RowCall& c) {
  const int rank = c.type("self").rank(), to = c.result_type().rank();
  Value x = c.tensor("self");
  Ints axes(static_cast<size_t>(std::max(to - rank, 0)));
  std::iota(axes.begin(), axes.end(), 0);
  x = c.unsqueeze(x, axes);
  const std::string_view name = c.row().name;
  Value counts = c.shape(name);
  const std::optional<ArgumentRef> list = c.argument(name);
  const int count = list ? static_cast<int>(list->size()) : 0;
  if (count < to) {  // tile pads its repeats with 1
    const Value ones = c.ints_value(Ints(static_cast<size_t>(to - count), 1));
    counts = c.op("Concat", {ones, counts}, {{"axis", 0}});
  }
  c.result(to == 0 ? x : c.op("Tile", {x, counts}));
}

/// Converts pad. The list contains the padding before and after each dimension, starting with the
/// last one; negative padding crops.
void pad_by(RowCall& c, std::string_view mode) {
  const int rank = c.type("self").rank();
  const std::optional<ArgumentRef> list = c.argument(c.has_argument("pad") ? "pad" : "padding");
  if (!list) return c.fail("its padding must be a list");
  const auto count = static_cast<int>(list->size()) / 2;
  if (count > rank)
    return c.fail_invalid(
        "the number of padded dimensions must not exceed the rank of its operand");
  // ONNX expects the padding before each dimension, then the padding after each dimension.
  Ints positions(static_cast<size_t>(2 * rank), -1);
  for (int i = 0; i < count; ++i) {
    const auto dim = static_cast<size_t>(rank - 1 - i);
    positions[dim] = 2 * i;
    positions[dim + static_cast<size_t>(rank)] = 2 * i + 1;
  }
  const Value pads = c.items(c.has_argument("pad") ? "pad" : "padding", positions);
  const Value x = c.tensor("self");
  const Value value =
      mode == "constant" && c.has("value") ? c.tensor_as("value", x.dtype) : Value();
  c.result(c.op("Pad", {x, pads, value}, {{"mode", mode}}));
}

void constant_pad(RowCall& c) { pad_by(c, "constant"); }
void named_pad(RowCall& c) { pad_by(c, c.row().name); }

void pad(RowCall& c) {
  const std::string mode = c.text("mode");
  if (mode == "constant") return pad_by(c, "constant");
  if (mode == "reflect") return pad_by(c, "reflect");
  if (mode == "replicate") return pad_by(c, "edge");
  if (mode == "circular" && c.opset() >= 19) return pad_by(c, "wrap");
  c.fail("padding mode " + mode + " is not supported in this opset");
}

void convert_element_type(RowCall& c) { c.result(c.tensor("a")); }

}  // namespace

absl::Span<const Row> view_rows() {
  static constexpr Row kRows[] = {
      {"aten.clone.default", copy_or_cast, kAnything, false},
      {"aten.detach.default", copy_or_cast, kAnything, false},
      {"aten.alias.default", copy_or_cast, kAnything, false},
      {"aten.contiguous.default", copy_or_cast, kAnything, false},
      {"aten.lift_fresh.default", copy_or_cast, kAnything, false},
      {"aten.lift_fresh_copy.default", copy_or_cast, kAnything, false},
      {"aten.lift.default", copy_or_cast, kAnything, false},
      {"aten._to_copy.default", copy_or_cast, kAnything, false},
      {"aten.to.dtype", copy_or_cast, kAnything, false},
      {"aten.to.device", copy_or_cast, kAnything, false},
      {"aten.to.dtype_layout", copy_or_cast, kAnything, false},
      {"aten.to.other", copy_or_cast, kAnything, false},
      {"aten.type_as.default", copy_or_cast, kAnything, false},
      {"aten.real.default", copy_or_cast, kAnything, false},
      {"aten.positive.default", copy_or_cast, kAnything, false},
      {"aten.copy.default", copy, kAnything, false},
      {"aten.view.default", reshape, kAnything, false},
      {"aten._unsafe_view.default", reshape, kAnything, false},
      {"aten.reshape.default", reshape, kAnything, false},
      {"aten._reshape_alias.default", reshape, kAnything, false},
      {"aten.flatten.using_ints", reshape, kAnything, false},
      {"aten.unflatten.int", reshape, kAnything, false},
      {"aten.view_as.default", reshape, kAnything, false},
      {"aten.reshape_as.default", reshape, kAnything, false},
      {"aten.permute.default", permute, kAnything, false},
      {"aten.transpose.int", transpose, kAnything, false},
      {"aten.t.default", matrix_transpose, kAnything, false},
      {"aten.mT.default", matrix_transpose, kAnything, false},
      {"aten.numpy_T.default", matrix_transpose, kAnything, false},
      {"aten.expand.default", expand, kAnything, false},
      {"aten.expand_as.default", expand, kAnything, false},
      {"aten.broadcast_to.default", expand, kAnything, false},
      {"aten.squeeze.default", squeeze, kAnything, false},
      {"aten.squeeze.dim", squeeze, kAnything, false},
      {"aten.squeeze.dims", squeeze, kAnything, false},
      {"aten.unsqueeze.default", unsqueeze, kAnything, false},
      {"aten.select.int", select, kAnything, false},
      {"aten.slice.Tensor", slice, kAnything, false},
      {"aten.narrow.default", narrow, kAnything, false},
      {"aten.flip.default", flip, kAnything, false},
      {"aten.cat.default", cat, kAnything, false},
      {"aten.stack.default", stack, kAnything, false},
      {"aten.split.Tensor", split, kAnything, false},
      {"aten.split_with_sizes.default", split, kAnything, false},
      {"aten.unsafe_split.Tensor", split, kAnything, false},
      {"aten.unsafe_split_with_sizes.default", split, kAnything, false},
      {"aten.chunk.default", split, kAnything, false},
      {"aten.unbind.int", unbind, kAnything, false},
      {"aten.repeat.default", repeat, kAnything, false, "repeats"},
      {"aten.tile.default", repeat, kAnything, false, "dims"},
      {"aten.constant_pad_nd.default", constant_pad, kAnything, false},
      {"aten.reflection_pad1d.default", named_pad, kAnything, false, "reflect"},
      {"aten.reflection_pad2d.default", named_pad, kAnything, false, "reflect"},
      {"aten.reflection_pad3d.default", named_pad, kAnything, false, "reflect"},
      {"aten.replication_pad1d.default", named_pad, kAnything, false, "edge"},
      {"aten.replication_pad2d.default", named_pad, kAnything, false, "edge"},
      {"aten.replication_pad3d.default", named_pad, kAnything, false, "edge"},
      {"aten.pad.default", pad, kAnything, false},
      {"prims.convert_element_type.default", convert_element_type, kAnything, false},
  };
  return kRows;
}

}  // namespace fx::onnx
