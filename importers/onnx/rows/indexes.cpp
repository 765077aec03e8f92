// Indexing operators: gather, scatter and related operators.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

void embedding(RowCall& c) {
  c.result(c.op("Gather", {c.tensor("weight"), c.tensor("indices")}, {{"axis", 0}}));
}

void index_select(RowCall& c) {
  const int dim = c.dim("dim", c.type("self").rank());
  if (c.type("self").rank() == 0) return c.fail("a 0-dimensional tensor is not supported");
  Value indices = c.tensor("index");
  if (c.type("index").rank() == 0) indices = c.unsqueeze(indices, {0});
  c.result(c.op("Gather", {c.tensor("self"), indices}, {{"axis", dim}}));
}

/// Crops a value to the sizes `to` in all dimensions except `except`, as ONNX requires.
Value crop(RowCall& c, Value value, const Type& from, const Type& to, int except) {
  Ints axes, ends, begins;
  for (int d = 0; d < from.rank(); ++d) {
    if (d == except || same_value(from.size(d), to.size(d))) continue;
    if (to.size(d).is_symbolic()) {
      c.fail("a symbolic size of the operand must equal the size of the index");
      return {};
    }
    axes.push_back(d);
    begins.push_back(0);
    ends.push_back(to.size(d).value());
  }
  if (axes.empty()) return value;
  return c.op("Slice", {value, c.ints_value(begins), c.ints_value(ends), c.ints_value(axes)});
}

void gather(RowCall& c) {
  const Type type = c.type("self"), index = c.type("index");
  const int dim = c.dim("dim", type.rank());
  Value x = c.tensor("self"), indices = c.cast(c.tensor("index"), DType::kInt64);
  if (type.rank() == 0) {
    x = c.unsqueeze(x, {0});
    if (index.rank() == 0) indices = c.unsqueeze(indices, {0});
    const Value y = c.op("GatherElements", {x, indices}, {{"axis", 0}});
    return c.result(index.rank() == 0 ? c.squeeze(y, {0}) : y);
  }
  if (index.rank() != type.rank())
    return c.fail("its index must have the same rank as its operand");
  x = crop(c, x, type, index, dim);
  c.result(c.op("GatherElements", {x, indices}, {{"axis", dim}}));
}

/// Converts a scatter. `reduction` is ONNX's name for the reduction. Without a reduction, one of
/// the values with duplicate indices is written, as in libtorch.
void scatter_by(RowCall& c, std::string_view reduction) {
  const Type type = c.type("self"), index = c.type("index");
  const int dim = c.dim("dim", type.rank());
  if (type.rank() == 0 || index.rank() != type.rank())
    return c.fail("its operand and index must have the same rank, at least 1");
  const Value x = c.tensor("self"), indices = c.cast(c.tensor("index"), DType::kInt64);
  Value source;
  if (c.has_argument("src")) {
    source = crop(c, c.tensor_as("src", type.dtype()), c.type("src"), index, -1);
  } else {
    source = filled(c, c.tensor_as("value", type.dtype()), index.sizes());
  }
  if (reduction == "none")
    return c.result(c.op("ScatterElements", {x, indices, source}, {{"axis", dim}}));
  c.result(
      c.op("ScatterElements", {x, indices, source}, {{"axis", dim}, {"reduction", reduction}}));
}

void scatter(RowCall& c) { scatter_by(c, "none"); }
void scatter_add(RowCall& c) { scatter_by(c, "add"); }

void scatter_reduce(RowCall& c) {
  const std::string reduction = c.text("reduce");
  if (!c.flag("include_self")) return c.fail("include_self=False is not supported");
  if (reduction == "sum" || reduction == "add") return scatter_by(c, "add");
  if (reduction == "prod" || reduction == "multiply") return scatter_by(c, "mul");
  if (c.opset() >= 18 && reduction == "amax") return scatter_by(c, "max");
  if (c.opset() >= 18 && reduction == "amin") return scatter_by(c, "min");
  c.fail("its reduction is not supported in this opset");
}

// ---------------------------------------------------------------- index and index_put

/// An index operation whose indexed dimensions are moved to the front, and whose indices are
/// combined into one tensor. The last dimension of that tensor has an item for each indexed
/// dimension.
struct Selection {
  Ints order, back;       // a permutation of the operand's dimensions, and its inverse
  std::vector<int> dims;  // the indexed dimensions
  DimVector sizes;        // the sizes of the combined indices
  Value indices;
  bool is_front = true;  // true if the result starts with the dimensions of the indices
  int first = 0;         // otherwise, the position of these dimensions
};

/// Converts a mask to the indices of its true elements, one tensor for each dimension.
std::vector<Value> indices_of_mask(RowCall& c, const Value& mask, int rank) {
  const Value all = c.op("NonZero", {mask}, {}, DType::kInt64);
  std::vector<Value> indices;
  indices.reserve(static_cast<size_t>(rank));
  for (int i = 0; i < rank; ++i)
    indices.push_back(c.op("Gather", {all, c.scalar(i, DType::kInt64)}, {{"axis", 0}}));
  return indices;
}

/// Broadcasts `sizes` with the sizes of another tensor. Returns false if the result is unknown.
bool broadcast_sizes(DimVector& sizes, absl::Span<const Dim> other) {
  if (other.size() > sizes.size()) sizes.insert(sizes.begin(), other.size() - sizes.size(), Dim(1));
  const size_t lead = sizes.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    Dim& size = sizes[lead + i];
    if (other[i] == Dim(1) || same_value(size, other[i])) continue;
    if (size != Dim(1)) return false;
    size = other[i];
  }
  return true;
}

/// Appends the indices of the call to `indices`, one tensor for each indexed dimension.
bool find_indices(RowCall& c, Selection& s, std::vector<Value>& indices) {
  const std::vector<Value> arguments = c.tensors("indices");
  const std::vector<Type> types = c.types("indices");
  if (c.failed()) return false;
  const auto count =
      std::ranges::count_if(arguments, [](const Value& v) { return !v.name.empty(); });
  int dim = 0;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i]) {
      ++dim;
    } else if (types[i].dtype() == DType::kBool) {
      if (count > 1) c.fail("a mask combined with other indices is not supported");
      for (const Value& value : indices_of_mask(c, arguments[i], types[i].rank())) {
        indices.push_back(value);
        s.dims.push_back(dim++);
      }
      s.sizes = {Dim(-1)};  // unknown before the model runs
    } else {
      s.dims.push_back(dim++);
      indices.push_back(c.cast(arguments[i], DType::kInt64));
      if (!broadcast_sizes(s.sizes, types[i].sizes()))
        c.fail("the broadcast sizes of its indices must be known");
    }
  }
  if (s.dims.empty()) c.fail("it must have at least one index");
  return !c.failed();
}

std::optional<Selection> selection_of(RowCall& c) {
  const int rank = c.type("self").rank();
  Selection s;
  std::vector<Value> indices;
  if (!find_indices(c, s, indices)) return std::nullopt;
  bool is_run = true;
  for (size_t i = 1; i < s.dims.size(); ++i) is_run &= s.dims[i] == s.dims[i - 1] + 1;
  s.is_front = !is_run || s.dims[0] == 0;
  s.first = s.dims[0];
  for (const int d : s.dims) s.order.push_back(d);
  for (int d = 0; d < rank; ++d)
    if (std::ranges::find(s.dims, d) == s.dims.end()) s.order.push_back(d);
  s.back.resize(s.order.size());
  for (size_t i = 0; i < s.order.size(); ++i)
    s.back[static_cast<size_t>(s.order[i])] = static_cast<int64_t>(i);
  const bool is_known = indices.size() > 1 && !s.sizes.empty() && s.sizes[0] != Dim(-1);
  const auto last = static_cast<int64_t>(s.sizes.size());
  std::vector<Value> columns;
  columns.reserve(indices.size());
  for (const Value& value : indices)
    columns.push_back(c.unsqueeze(is_known ? c.expand(value, s.sizes) : value, {last}));
  const Attribute axis("axis", last);
  s.indices = columns.size() == 1 ? columns[0] : c.op("Concat", columns, {axis});
  return s;
}

/// Moves the dimensions of the indices from the front to the position of the indexed dimensions.
Ints to_position(const Selection& s, int rank, bool inverse) {
  const auto count = static_cast<int64_t>(s.sizes.size());
  const int64_t first = s.is_front ? 0 : s.first;
  Ints order;
  for (int64_t i = 0; i < first; ++i) order.push_back(count + i);
  for (int64_t i = 0; i < count; ++i) order.push_back(i);
  for (int64_t i = count + first; i < rank; ++i) order.push_back(i);
  if (!inverse) return order;
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return back;
}

/// Converts an index with a single integer tensor to Gather.
bool index_by_one(RowCall& c) {
  const std::vector<Type> types = c.types("indices");
  int dim = -1;
  for (size_t i = 0; i < types.size(); ++i) {
    if (!types[i]) continue;
    if (dim >= 0 || types[i].dtype() == DType::kBool) return false;
    dim = static_cast<int>(i);
  }
  if (dim < 0 || c.failed()) return false;
  const Value indices = c.tensors("indices")[static_cast<size_t>(dim)];
  c.result(c.op("Gather", {c.tensor("self"), c.cast(indices, DType::kInt64)}, {{"axis", dim}}));
  return true;
}

void index(RowCall& c) {
  if (index_by_one(c) || c.failed()) return;
  const std::optional<Selection> s = selection_of(c);
  if (!s) return;
  const Value front = c.transpose(c.tensor("self"), s->order);
  const Value taken = c.op("GatherND", {front, s->indices});
  const int rank =
      static_cast<int>(s->sizes.size()) + c.type("self").rank() - static_cast<int>(s->dims.size());
  c.result(c.transpose(taken, to_position(*s, rank, false)));
}

/// Converts an index_put with a mask and a single value to Where.
bool put_by_mask(RowCall& c) {
  const std::vector<Type> types = c.types("indices");
  const bool is_mask = types.size() == 1 && types[0] && types[0].dtype() == DType::kBool;
  bool is_one = c.type("values").rank() == 0;
  if (c.type("values").rank() == 1) is_one = c.type("values").size(0) == Dim(1);
  if (!is_mask || !is_one || c.flag("accumulate") || c.failed()) return false;
  const Type type = c.type("self");
  Value mask = c.tensors("indices")[0];
  Ints axes;
  for (int d = types[0].rank(); d < type.rank(); ++d) axes.push_back(d);
  mask = c.unsqueeze(mask, axes);
  c.result(c.where(mask, c.tensor_as("values", type.dtype()), c.tensor("self")));
  return true;
}

void index_put(RowCall& c) {
  if (put_by_mask(c) || c.failed()) return;
  const Type type = c.type("self"), values = c.type("values");
  const std::optional<Selection> s = selection_of(c);
  if (!s) return;
  DimVector sliced_sizes;
  for (size_t i = s->dims.size(); i < s->order.size(); ++i)
    sliced_sizes.push_back(type.size(static_cast<int>(s->order[i])));
  // Broadcast the values to the sizes of the indexed result.
  const int rank = static_cast<int>(s->sizes.size() + sliced_sizes.size());
  Value source = c.tensor_as("values", type.dtype());
  Ints lead(static_cast<size_t>(std::max(rank - values.rank(), 0)));
  std::iota(lead.begin(), lead.end(), 0);
  source = c.transpose(c.unsqueeze(source, lead), to_position(*s, rank, true));
  const bool is_mask = s->sizes == DimVector{Dim(-1)};
  DimVector target_sizes = s->sizes;
  target_sizes.insert(target_sizes.end(), sliced_sizes.begin(), sliced_sizes.end());
  if (is_mask) {
    const Value count = c.op("Shape", {s->indices}, {{"start", 0}, {"end", 1}}, DType::kInt64);
    const Value sizes = sliced_sizes.empty() ? count
                                             : c.op("Concat", {count, c.sizes_value(sliced_sizes)},
                                                    {{"axis", 0}}, DType::kInt64);
    source = c.op("Expand", {source, sizes});
  } else {
    source = c.expand(source, target_sizes);
  }
  const Value front = c.transpose(c.tensor("self"), s->order);
  const Value written = c.flag("accumulate")
                            ? c.op("ScatterND", {front, s->indices, source}, {{"reduction", "add"}})
                            : c.op("ScatterND", {front, s->indices, source});
  c.result(c.transpose(written, s->back));
}

void index_add(RowCall& c) {
  const Type type = c.type("self"), source = c.type("source");
  const int rank = type.rank(), dim = c.dim("dim", rank);
  if (rank == 0) return c.fail("a 0-dimensional tensor is not supported");
  const DType dtype = c.result_dtype();
  Value added = c.tensor_as("source", dtype);
  const double alpha = c.real("alpha");
  if (alpha != 1) added = c.op("Mul", {added, c.scalar(alpha, dtype)});
  Ints axes;
  for (int i = 0; i < rank; ++i)
    if (i != dim) axes.push_back(i);
  Value indices = c.cast(c.tensor("index"), DType::kInt64);
  if (c.type("index").rank() == 0) indices = c.unsqueeze(indices, {0});
  indices = c.expand(c.unsqueeze(indices, axes), source.sizes());
  c.result(c.op("ScatterElements", {c.tensor_as("self", dtype), indices, added},
                {{"axis", dim}, {"reduction", "add"}}));
}

void index_fill(RowCall& c) {
  const Type type = c.type("self"), index = c.type("index");
  const int rank = type.rank(), dim = c.dim("dim", rank);
  if (rank == 0) return c.fail("a 0-dimensional tensor is not supported");
  DimVector sizes(type.sizes().begin(), type.sizes().end());
  sizes[static_cast<size_t>(dim)] = index.rank() == 0 ? Dim(1) : index.size(0);
  Ints axes;
  for (int i = 0; i < rank; ++i)
    if (i != dim) axes.push_back(i);
  Value indices = c.cast(c.tensor("index"), DType::kInt64);
  if (index.rank() == 0) indices = c.unsqueeze(indices, {0});
  indices = c.expand(c.unsqueeze(indices, axes), sizes);
  const Value source = c.expand(c.tensor_as("value", type.dtype()), sizes);
  c.result(c.op("ScatterElements", {c.tensor("self"), indices, source}, {{"axis", dim}}));
}

void nonzero(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  if (type.rank() == 0) return c.fail("a 0-dimensional tensor is not supported");
  c.result(c.op("Transpose", {c.op("NonZero", {x}, {}, DType::kInt64)}, {{"perm", Ints{1, 0}}}));
}

void masked_select(RowCall& c) {
  const Type type = c.type("self"), mask = c.type("mask");
  DimVector sizes(type.sizes().begin(), type.sizes().end());
  if (!broadcast_sizes(sizes, mask.sizes()))
    return c.fail("the broadcast sizes of its operand and mask must be known");
  const Value x = c.op("Reshape", {c.expand(c.tensor("self"), sizes), c.ints_value({-1})});
  const Value flat_mask = c.op("Reshape", {c.expand(c.tensor("mask"), sizes), c.ints_value({-1})});
  c.result(c.op("Compress", {x, flat_mask}, {{"axis", 0}}));
}

/// Reduces the rows of each bag to their sum, mean or maximum. The bag of an index is the last bag
/// that starts at or before it. Only libtorch's backward pass uses the other results.
void embedding_bag(RowCall& c) {
  const DType dtype = c.result_dtype(0);
  const Type indices = c.type("indices");
  const DimVector bags{c.result_type(0).size(0)};
  const int64_t mode = c.integer("mode");
  if (indices.rank() != 1) return c.fail("its indices must have one dimension");
  if (mode == 2 && c.opset() < 18) return c.fail("mode max requires opset 18");
  const Value index_values = c.tensor("indices");
  const Value count = c.size_value(indices.size(0));
  const Value positions = c.op(
      "Range", {c.scalar(0, DType::kInt64), count, c.scalar(1, DType::kInt64)}, {}, DType::kInt64);
  Value starts = c.cast(c.tensor("offsets"), DType::kInt64);
  if (c.flag("include_last_offset")) starts = c.slice(starts, 0, 0, -1);
  const Value started =
      c.op("LessOrEqual", {starts, c.unsqueeze(positions, {1})}, {}, DType::kBool);
  const Value before = c.reduce("ReduceSum", c.cast(started, DType::kInt64), {1}, false);
  const Value bag = c.unsqueeze(c.op("Sub", {before, c.scalar(1, DType::kInt64)}), {1});
  const int64_t padding =
      c.has_argument("padding_idx") && c.has("padding_idx") ? c.integer("padding_idx") : -1;
  const Value skipped =
      c.op("Equal", {c.cast(index_values, DType::kInt64), c.scalar(padding, DType::kInt64)}, {},
           DType::kBool);
  const Value empty = c.scalar(mode == 2 ? -std::numeric_limits<double>::infinity() : 0.0, dtype);
  Value rows = c.op("Gather", {c.tensor_as("weight", dtype), index_values}, {{"axis", 0}});
  if (c.has("per_sample_weights"))
    rows = c.op("Mul", {rows, c.unsqueeze(c.tensor_as("per_sample_weights", dtype), {1})});
  rows = c.where(c.unsqueeze(skipped, {1}), empty, rows);
  const Value is_used = c.cast(c.op("Not", {skipped}), dtype);
  const Value counts = c.op("ScatterND", {filled(c, c.scalar(0.0, dtype), bags), bag, is_used},
                            {{"reduction", "add"}});
  Value total = c.op("ScatterND", {filled(c, empty, c.result_type(0).sizes()), bag, rows},
                     {{"reduction", mode == 2 ? "max" : "add"}});
  const Value each = c.unsqueeze(counts, {1});
  if (mode == 1) total = c.op("Div", {total, c.op("Max", {each, c.scalar(1.0, dtype)})});
  if (mode == 2) {
    const Value none = c.op("Equal", {each, c.scalar(0.0, dtype)}, {}, DType::kBool);
    total = c.where(none, c.scalar(0.0, dtype), total);
  }
  c.results({total, {}, {}, {}});
}

void one_hot(RowCall& c) {
  const Type type = c.result_type();
  const Dim& classes = type.size(-1);
  if (classes.is_symbolic()) return c.fail("the number of classes must be known");
  const Value range = c.indices_value({0, 1}, {2});
  c.result(c.op(
      "OneHot",
      {c.cast(c.tensor("self"), DType::kInt64), c.scalar(classes.value(), DType::kInt64), range},
      {{"axis", -1}}));
}

}  // namespace

absl::Span<const Row> index_rows() {
  static constexpr Row kRows[] = {
      {"aten.embedding.default", embedding, kAnything, false},
      {"aten.index_select.default", index_select, kAnything, false},
      {"aten.gather.default", gather, kAnything, false},
      {"aten.scatter.src", scatter, kAnything, false},
      {"aten.scatter.value", scatter, kAnything, false},
      {"aten.scatter_add.default", scatter_add, kNumbers},
      {"aten.scatter_reduce.two", scatter_reduce, kNumbers},
      {"aten.index.Tensor", index, kAnything, false},
      {"aten._unsafe_index.Tensor", index, kAnything, false},
      {"aten.index_put.default", index_put},
      {"aten._unsafe_index_put.default", index_put},
      {"aten.index_add.default", index_add, kNumbers},
      {"aten.index_fill.int_Scalar", index_fill, kAnything, false},
      {"aten.index_fill.int_Tensor", index_fill, kAnything, false},
      {"aten.nonzero.default", nonzero, kAnything},
      {"aten.masked_select.default", masked_select, kAnything, false},
      {"aten.one_hot.default", one_hot, kInts},
      {"aten.embedding_bag.default", embedding_bag, kFloats},
      {"aten.embedding_bag.padding_idx", embedding_bag, kFloats},
      {"aten._embedding_bag.default", embedding_bag, kFloats},
      {"aten._embedding_bag_forward_only.default", embedding_bag, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
