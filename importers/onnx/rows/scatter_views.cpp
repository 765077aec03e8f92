// Views that ONNX can express only with indices, and writes through views: diagonal, unfold,
// as_strided, select_scatter and slice_scatter.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

struct Diagonal {
  Ints to_last = {};    // the permutation that moves the two dimensions to the end
  Ints back = {};       // the inverse permutation
  Ints positions = {};  // positions in the product of the two dimensions
  int64_t elements = 0;
};

/// Returns the positions of a diagonal. The sizes of its two dimensions must be known.
std::optional<Diagonal> diagonal_of(RowCall& c) {
  const Type type = c.type("self");
  const int rank = type.rank();
  const int a = c.dim("dim1", rank), b = c.dim("dim2", rank);
  const int64_t offset = c.integer("offset");
  if (c.failed()) return std::nullopt;
  if (type.size(a).is_symbolic() || type.size(b).is_symbolic()) {
    c.fail("the sizes of the diagonal must be known");
    return std::nullopt;
  }
  const int64_t rows = type.size(a).value(), columns = type.size(b).value();
  Diagonal d{.elements = rows * columns};
  for (int i = 0; i < rank; ++i)
    if (i != a && i != b) d.to_last.push_back(i);
  d.to_last.push_back(a);
  d.to_last.push_back(b);
  d.back.resize(d.to_last.size());
  for (size_t i = 0; i < d.to_last.size(); ++i)
    d.back[static_cast<size_t>(d.to_last[i])] = static_cast<int64_t>(i);
  for (int64_t i = std::max<int64_t>(0, -offset); i < rows; ++i)
    if (i + offset >= 0 && i + offset < columns) d.positions.push_back(i * columns + i + offset);
  return d;
}

/// Returns the permuted sizes, with the last two replaced with `elements`.
DimVector flat_sizes(const Type& type, const Ints& order, int64_t elements) {
  DimVector sizes;
  for (size_t i = 0; i + 2 < order.size(); ++i)
    sizes.push_back(type.size(static_cast<int>(order[i])));
  sizes.push_back(Dim(elements));
  return sizes;
}

void diagonal(RowCall& c) {
  const std::optional<Diagonal> d = diagonal_of(c);
  if (!d) return;
  const Value last = c.transpose(c.tensor("self"), d->to_last);
  const Value flat = c.reshape(last, {}, flat_sizes(c.type("self"), d->to_last, d->elements));
  c.result(c.op("Gather", {flat, c.ints_value(d->positions)}, {{"axis", -1}}));
}

void diagonal_scatter(RowCall& c) {
  const std::optional<Diagonal> d = diagonal_of(c);
  if (!d) return;
  const Type type = c.type("self"), source = c.type("src");
  DimVector permuted;
  for (const int64_t dim : d->to_last) permuted.push_back(type.size(static_cast<int>(dim)));
  const Value last = c.transpose(c.tensor("self"), d->to_last);
  const Value flat = c.reshape(last, permuted, flat_sizes(type, d->to_last, d->elements));
  const Value positions = c.expand(c.ints_value(d->positions), source.sizes());
  const Value written =
      c.op("ScatterElements", {flat, positions, c.tensor_as("src", flat.dtype)}, {{"axis", -1}});
  c.result(c.transpose(c.reshape(written, {}, permuted), d->back));
}

/// Converts unfold. The dimension becomes the number of windows, and a new last dimension the
/// elements of a window.
void unfold(RowCall& c) {
  const Type type = c.type("self");
  const int rank = type.rank();
  const int dim = c.dim("dimension", rank);
  const int64_t size = c.integer("size"), step = c.integer("step");
  if (c.failed()) return;
  if (rank == 0 || type.size(dim).is_symbolic() || step < 1)
    return c.fail(
        "its operand must have at least one dimension, the unfolded dimension must have a known "
        "size, and step must be positive");
  const int64_t count = (type.size(dim).value() - size) / step + 1;
  Ints positions;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t j = 0; j < size; ++j) positions.push_back(i * step + j);
  const Value windows = c.op(
      "Gather", {c.tensor("self"), c.indices_value(positions, {count, size})}, {{"axis", dim}});
  Ints order;
  for (int i = 0; i <= rank; ++i)
    if (i != dim + 1) order.push_back(i);
  order.push_back(dim + 1);
  c.result(c.transpose(windows, order));
}

/// Returns the positions of a strided view in the memory of a contiguous tensor; nullopt after an
/// error.
std::optional<Ints> strided_positions(RowCall& c, const Ints& sizes) {
  const Type type = c.type("self");
  const Ints strides = c.ints("stride", sizes.size());
  const int64_t offset = c.has("storage_offset") ? c.integer("storage_offset") : 0;
  if (c.failed()) return std::nullopt;
  const std::optional<Ints> from = constant_sizes(type.sizes());
  if (!from || !type.has_default_strides() || type.offset() != Dim(0)) {
    c.fail(
        "ONNX values have no strides; its operand must be contiguous, and have known sizes and no "
        "storage offset");
    return std::nullopt;
  }
  int64_t elements = 1;
  for (const int64_t size : *from) elements *= size;
  Ints positions{offset};
  for (size_t d = 0; d < sizes.size(); ++d) {
    constexpr size_t kMaxElements = size_t{1} << 24;
    if (sizes[d] > 0 && positions.size() > kMaxElements / static_cast<size_t>(sizes[d])) {
      c.fail("it selects more than 2^24 elements");
      return std::nullopt;
    }
    Ints next;
    for (const int64_t position : positions)
      for (int64_t i = 0; i < sizes[d]; ++i) next.push_back(position + i * strides[d]);
    positions = std::move(next);
  }
  for (const int64_t position : positions) {
    if (position >= 0 && position < elements) continue;
    c.fail("it must not access elements outside the memory of its operand");
    return std::nullopt;
  }
  return positions;
}

void as_strided(RowCall& c) {
  const Ints sizes = c.ints("size");
  const std::optional<Ints> positions = strided_positions(c, sizes);
  if (!positions) return;
  const Value flat = c.op("Reshape", {c.tensor("self"), c.ints_value({-1})});
  c.result(c.op("Gather", {flat, c.indices_value(*positions, sizes)}, {{"axis", 0}}));
}

void as_strided_scatter(RowCall& c) {
  const std::optional<Ints> positions = strided_positions(c, c.ints("size"));
  if (!positions) return;
  const Value flat = c.op("Reshape", {c.tensor("self"), c.ints_value({-1})});
  const Value source = c.op("Reshape", {c.tensor_as("src", flat.dtype), c.ints_value({-1})});
  const Value written =
      c.op("ScatterElements", {flat, c.ints_value(*positions), source}, {{"axis", 0}});
  c.result(c.reshape(written, {}, c.type("self").sizes()));
}

/// Replaces the part from `begin` to `end` of a dimension with `source`.
Value replace_range(RowCall& c, const Value& x, int dim, int64_t begin, int64_t end, int64_t size,
                    const Value& source) {
  std::vector<Value> parts;
  if (begin > 0) parts.push_back(c.slice(x, dim, 0, begin));
  parts.push_back(source);
  if (end < size) parts.push_back(c.slice(x, dim, end, kEnd));
  if (parts.size() == 1) return parts[0];
  const Attribute axis("axis", dim);
  return c.op("Concat", parts, {axis});
}

void select_scatter(RowCall& c) {
  const Type type = c.type("self");
  const int dim = c.dim("dim", type.rank());
  int64_t index = c.integer("index");
  if (c.failed()) return;
  if (type.rank() == 0 || type.size(dim).is_symbolic())
    return c.fail(
        "its operand must have at least one dimension, and the written dimension a known size");
  const int64_t size = type.size(dim).value();
  if (index < 0) index += size;
  const Value source = c.unsqueeze(c.cast(c.tensor("src"), type.dtype()), {dim});
  c.result(replace_range(c, c.tensor("self"), dim, index, index + 1, size, source));
}

void slice_scatter(RowCall& c) {
  const Type type = c.type("self"), part = c.type("src");
  const int dim = c.dim("dim", type.rank());
  const int64_t step = c.integer("step");
  if (c.failed()) return;
  const bool is_full_range = !c.has("start") && !c.has("end") && step == 1;
  const Value source = c.cast(c.tensor("src"), type.dtype());
  if (is_full_range) return c.result(source);
  if (type.rank() == 0 || type.size(dim).is_symbolic())
    return c.fail(
        "its operand must have at least one dimension, and the written dimension a known size");
  const int64_t size = type.size(dim).value();
  const auto bound = [&](std::string_view name, int64_t default_value) {
    int64_t value = c.has(name) ? c.integer(name) : default_value;
    if (value < 0) value += size;
    return std::clamp<int64_t>(value, 0, size);
  };
  const int64_t begin = bound("start", 0), end = std::max(bound("end", size), begin);
  const Value x = c.tensor("self");
  if (step == 1) return c.result(replace_range(c, x, dim, begin, end, size, source));
  Ints positions, shape(static_cast<size_t>(type.rank()), 1);
  for (int64_t i = begin; i < end; i += step) positions.push_back(i);
  shape[static_cast<size_t>(dim)] = static_cast<int64_t>(positions.size());
  const Value all = c.expand(c.indices_value(positions, shape), part.sizes());
  c.result(c.op("ScatterElements", {x, all, source}, {{"axis", dim}}));
}

}  // namespace

absl::Span<const Row> scatter_view_rows() {
  static constexpr Row kRows[] = {
      {"aten.diagonal.default", diagonal, kAnything, false},
      {"aten.diagonal_scatter.default", diagonal_scatter, kAnything, false},
      {"aten.unfold.default", unfold, kAnything, false},
      {"aten.as_strided.default", as_strided, kAnything, false},
      {"aten.as_strided_scatter.default", as_strided_scatter, kAnything, false},
      {"aten.select_scatter.default", select_scatter, kAnything, false},
      {"aten.slice_scatter.default", slice_scatter, kAnything, false},
  };
  return kRows;
}

}  // namespace fx::onnx
