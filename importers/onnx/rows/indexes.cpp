// Indexing: gathers and scatters.
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
  if (c.type("self").rank() == 0) return c.fail("a tensor without dimensions is not supported");
  Value places = c.tensor("index");
  if (c.type("index").rank() == 0) places = c.unsqueeze(places, {0});
  c.result(c.op("Gather", {c.tensor("self"), places}, {{"axis", dim}}));
}

/// Returns the part of a value that has the sizes of another value in all dimensions but one, as
/// ONNX requires.
Value cropped(RowCall& c, Value value, const Type& from, const Type& to, int but) {
  Ints axes, ends, begins;
  for (int d = 0; d < from.rank(); ++d) {
    if (d == but || same_value(from.size(d), to.size(d))) continue;
    if (to.size(d).is_symbolic()) {
      c.fail("a symbolic size must be the size of the index");
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
  Value x = c.tensor("self"), places = c.cast(c.tensor("index"), DType::kInt64);
  if (type.rank() == 0) {
    x = c.unsqueeze(x, {0});
    if (index.rank() == 0) places = c.unsqueeze(places, {0});
    const Value y = c.op("GatherElements", {x, places}, {{"axis", 0}});
    return c.result(index.rank() == 0 ? c.squeeze(y, {0}) : y);
  }
  if (index.rank() != type.rank()) return c.fail("its index must have the rank of its operand");
  x = cropped(c, x, type, index, dim);
  c.result(c.op("GatherElements", {x, places}, {{"axis", dim}}));
}

/// Row::name is ONNX's reduction. Without a reduction, one of the values of duplicate indices is
/// written, as in libtorch.
void scatter_by(RowCall& c, std::string_view reduction) {
  const Type type = c.type("self"), index = c.type("index");
  const int dim = c.dim("dim", type.rank());
  if (type.rank() == 0 || index.rank() != type.rank())
    return c.fail("a tensor without dimensions is not supported");
  const Value x = c.tensor("self"), places = c.cast(c.tensor("index"), DType::kInt64);
  Value source;
  if (c.has_argument("src")) {
    source = cropped(c, c.tensor_as("src", type.dtype()), c.type("src"), index, -1);
  } else {
    source = filled(c, c.tensor_as("value", type.dtype()), index.sizes());
  }
  if (reduction == "none")
    return c.result(c.op("ScatterElements", {x, places, source}, {{"axis", dim}}));
  c.result(c.op("ScatterElements", {x, places, source}, {{"axis", dim}, {"reduction", reduction}}));
}

void scatter(RowCall& c) { scatter_by(c, "none"); }
void scatter_add(RowCall& c) { scatter_by(c, "add"); }

void scatter_reduce(RowCall& c) {
  const std::string by = c.text("reduce");
  if (!c.flag("include_self")) return c.fail("include_self=False is not supported");
  if (by == "sum" || by == "add") return scatter_by(c, "add");
  if (by == "prod" || by == "multiply") return scatter_by(c, "mul");
  if (c.opset() >= 18 && by == "amax") return scatter_by(c, "max");
  if (c.opset() >= 18 && by == "amin") return scatter_by(c, "min");
  c.fail("its reduction is not supported in this opset");
}

// ---------------------------------------------------------------- index and index_put

/// Moves the indexed dimensions to the front, and combines the indices into one tensor whose last
/// dimension numbers the indexed dimensions.
struct Selection {
  Ints order, back;       // of the operand, and the inverse
  std::vector<int> dims;  // that are indexed
  DimVector sizes;        // of the combined indices
  Value places;
  bool is_front = true;  // true if the result starts with the dimensions of the indices
  int first = 0;         // the position of these dimensions otherwise
};

/// Converts a mask to the indices of its true elements, one tensor per dimension.
std::vector<Value> places_of_mask(RowCall& c, const Value& mask, int rank) {
  const Value all = c.op("NonZero", {mask}, {}, DType::kInt64);
  std::vector<Value> places;
  places.reserve(static_cast<size_t>(rank));
  for (int i = 0; i < rank; ++i)
    places.push_back(c.op("Gather", {all, c.scalar(i, DType::kInt64)}, {{"axis", 0}}));
  return places;
}

/// The sizes of tensors that are broadcast together, the last one being the result.
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

/// Returns the indices of an operand, one tensor for each indexed dimension.
bool find_places(RowCall& c, Selection& s, std::vector<Value>& places) {
  const std::vector<Value> given = c.tensors("indices");
  const std::vector<Type> types = c.types("indices");
  if (c.failed()) return false;
  const auto count = std::ranges::count_if(given, [](const Value& v) { return !v.name.empty(); });
  int dim = 0;
  for (size_t i = 0; i < given.size(); ++i) {
    if (!given[i]) {
      ++dim;
    } else if (types[i].dtype() == DType::kBool) {
      if (count > 1) c.fail("a mask together with other indices is not supported");
      for (const Value& value : places_of_mask(c, given[i], types[i].rank())) {
        places.push_back(value);
        s.dims.push_back(dim++);
      }
      s.sizes = {Dim(-1)};  // known only when the model runs
    } else {
      s.dims.push_back(dim++);
      places.push_back(c.cast(given[i], DType::kInt64));
      if (!broadcast_sizes(s.sizes, types[i].sizes())) c.fail("its indices must have equal sizes");
    }
  }
  if (s.dims.empty()) c.fail("it must have at least one index");
  return !c.failed();
}

std::optional<Selection> selection_of(RowCall& c) {
  const int rank = c.type("self").rank();
  Selection s;
  std::vector<Value> places;
  if (!find_places(c, s, places)) return std::nullopt;
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
  const bool is_known = places.size() > 1 && !s.sizes.empty() && s.sizes[0] != Dim(-1);
  const auto last = static_cast<int64_t>(s.sizes.size());
  std::vector<Value> columns;
  columns.reserve(places.size());
  for (const Value& value : places)
    columns.push_back(c.unsqueeze(is_known ? c.expand(value, s.sizes) : value, {last}));
  const Attribute axis("axis", last);
  s.places = columns.size() == 1 ? columns[0] : c.op("Concat", columns, {axis});
  return s;
}

/// Moves the dimensions of the indices from the front to the position of the indexed dimensions.
Ints to_place(const Selection& s, int rank, bool inverse) {
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

/// A single integer index needs no index tensor.
bool index_by_one(RowCall& c) {
  const std::vector<Type> types = c.types("indices");
  int dim = -1;
  for (size_t i = 0; i < types.size(); ++i) {
    if (!types[i]) continue;
    if (dim >= 0 || types[i].dtype() == DType::kBool) return false;
    dim = static_cast<int>(i);
  }
  if (dim < 0) return false;
  const Value places = c.tensors("indices")[static_cast<size_t>(dim)];
  c.result(c.op("Gather", {c.tensor("self"), c.cast(places, DType::kInt64)}, {{"axis", dim}}));
  return true;
}

void index(RowCall& c) {
  if (index_by_one(c) || c.failed()) return;
  const std::optional<Selection> s = selection_of(c);
  if (!s) return;
  const Value front = c.transpose(c.tensor("self"), s->order);
  const Value taken = c.op("GatherND", {front, s->places});
  const int rank =
      static_cast<int>(s->sizes.size()) + c.type("self").rank() - static_cast<int>(s->dims.size());
  c.result(c.transpose(taken, to_place(*s, rank, false)));
}

/// Converts a mask with one value to Where.
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
  DimVector rest;
  for (size_t i = s->dims.size(); i < s->order.size(); ++i)
    rest.push_back(type.size(static_cast<int>(s->order[i])));
  // Broadcasts the values to the sizes of the result of index.
  const int rank = static_cast<int>(s->sizes.size() + rest.size());
  Value source = c.tensor_as("values", type.dtype());
  Ints lead(static_cast<size_t>(std::max(rank - values.rank(), 0)));
  std::iota(lead.begin(), lead.end(), 0);
  source = c.transpose(c.unsqueeze(source, lead), to_place(*s, rank, true));
  const bool is_mask = s->sizes == DimVector{Dim(-1)};
  DimVector wanted = s->sizes;
  wanted.insert(wanted.end(), rest.begin(), rest.end());
  if (is_mask) {
    const Value count = c.op("Shape", {s->places}, {{"start", 0}, {"end", 1}}, DType::kInt64);
    const Value sizes =
        rest.empty() ? count
                     : c.op("Concat", {count, c.sizes_value(rest)}, {{"axis", 0}}, DType::kInt64);
    source = c.op("Expand", {source, sizes});
  } else {
    source = c.expand(source, wanted);
  }
  const Value front = c.transpose(c.tensor("self"), s->order);
  const Value written = c.flag("accumulate")
                            ? c.op("ScatterND", {front, s->places, source}, {{"reduction", "add"}})
                            : c.op("ScatterND", {front, s->places, source});
  c.result(c.transpose(written, s->back));
}

void index_add(RowCall& c) {
  const Type type = c.type("self"), source = c.type("source");
  const int rank = type.rank(), dim = c.dim("dim", rank);
  if (rank == 0) return c.fail("a tensor without dimensions is not supported");
  const DType dtype = c.result_dtype();
  Value added = c.tensor_as("source", dtype);
  const double alpha = c.real("alpha");
  if (alpha != 1) added = c.op("Mul", {added, c.scalar(alpha, dtype)});
  Ints axes;
  for (int i = 0; i < rank; ++i)
    if (i != dim) axes.push_back(i);
  Value places = c.cast(c.tensor("index"), DType::kInt64);
  if (c.type("index").rank() == 0) places = c.unsqueeze(places, {0});
  places = c.expand(c.unsqueeze(places, axes), source.sizes());
  c.result(c.op("ScatterElements", {c.tensor_as("self", dtype), places, added},
                {{"axis", dim}, {"reduction", "add"}}));
}

void index_fill(RowCall& c) {
  const Type type = c.type("self"), index = c.type("index");
  const int rank = type.rank(), dim = c.dim("dim", rank);
  if (rank == 0) return c.fail("a tensor without dimensions is not supported");
  DimVector sizes(type.sizes().begin(), type.sizes().end());
  sizes[static_cast<size_t>(dim)] = index.rank() == 0 ? Dim(1) : index.size(0);
  Ints axes;
  for (int i = 0; i < rank; ++i)
    if (i != dim) axes.push_back(i);
  Value places = c.cast(c.tensor("index"), DType::kInt64);
  if (index.rank() == 0) places = c.unsqueeze(places, {0});
  places = c.expand(c.unsqueeze(places, axes), sizes);
  const Value source = c.expand(c.tensor_as("value", type.dtype()), sizes);
  c.result(c.op("ScatterElements", {c.tensor("self"), places, source}, {{"axis", dim}}));
}

void nonzero(RowCall& c) {
  const Type type = c.type("self");
  Value x = c.tensor("self");
  if (type.rank() == 0) return c.fail("a tensor without dimensions is not supported");
  c.result(c.op("Transpose", {c.op("NonZero", {x}, {}, DType::kInt64)}, {{"perm", Ints{1, 0}}}));
}

void masked_select(RowCall& c) {
  const Type type = c.type("self"), mask = c.type("mask");
  DimVector sizes(type.sizes().begin(), type.sizes().end());
  if (!broadcast_sizes(sizes, mask.sizes())) return c.fail("its sizes must be known");
  const Value x = c.op("Reshape", {c.expand(c.tensor("self"), sizes), c.ints_value({-1})});
  const Value kept = c.op("Reshape", {c.expand(c.tensor("mask"), sizes), c.ints_value({-1})});
  c.result(c.op("Compress", {x, kept}, {{"axis", 0}}));
}

/// Reduces the rows of each bag to their sum, mean or maximum. The bag of an index is the last bag
/// that starts at or before it. (The other results are only for libtorch's backward pass.)
void embedding_bag(RowCall& c) {
  const DType dtype = c.result_dtype(0);
  const Type indices = c.type("indices");
  const DimVector bags{c.result_type(0).size(0)};
  const int64_t mode = c.integer("mode");
  if (indices.rank() != 1) return c.fail("indices of two dimensions are not supported");
  if (mode == 2 && c.opset() < 18) return c.fail("mode max requires opset 18");
  const Value places = c.tensor("indices");
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
  const Value skipped = c.op(
      "Equal", {c.cast(places, DType::kInt64), c.scalar(padding, DType::kInt64)}, {}, DType::kBool);
  const Value empty = c.scalar(mode == 2 ? -std::numeric_limits<double>::infinity() : 0.0, dtype);
  Value rows = c.op("Gather", {c.tensor_as("weight", dtype), places}, {{"axis", 0}});
  if (c.has("per_sample_weights"))
    rows = c.op("Mul", {rows, c.unsqueeze(c.tensor_as("per_sample_weights", dtype), {1})});
  rows = c.where(c.unsqueeze(skipped, {1}), empty, rows);
  const Value kept = c.cast(c.op("Not", {skipped}), dtype);
  const Value counts =
      c.op("ScatterND", {filled(c, c.scalar(0.0, dtype), bags), bag, kept}, {{"reduction", "add"}});
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
