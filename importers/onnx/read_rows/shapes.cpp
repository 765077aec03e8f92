// Shapes, and operators that change the shape of a tensor.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fx::onnx::reader {
namespace {

constexpr int64_t kMaxInt = std::numeric_limits<int64_t>::max();

void shape(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const auto clamp = [&](int64_t position) {
    return std::clamp<int64_t>(position < 0 ? position + rank : position, 0, rank);
  };
  const int64_t begin = clamp(c.integer("start", 0)), end = clamp(c.integer("end", rank));
  Sizes sizes;
  for (int64_t i = begin; i < end; ++i) sizes.push_back(c.size_of(x, i));
  c.result_sizes(sizes, false);
}

Argument product(Call& c, const Sizes& sizes) {
  Argument all = 1;
  for (const Argument& size : sizes) all = c.mul(all, size);
  return all;
}

void size(Call& c) { c.result_sizes({product(c, c.shape_of(c.in(0)))}, true); }

/// Resolves 0 (the size of the operand) and -1 (the inferred size) in a shape that depends on data.
Sizes sizes_from_data(Call& c, Val x, Val shape, bool allow_zero) {
  const int64_t count = c.list_length(shape);
  shape = c.cast(shape, DType::kInt64);
  if (!allow_zero) {
    Sizes x_sizes = c.shape_of(x);
    x_sizes.resize(static_cast<size_t>(count), Argument(0));
    const Val is_zero = c.op("aten.eq.Scalar", {shape, 0});
    shape = c.op("aten.where.self", {is_zero, c.tensor_of(x_sizes, false, DType::kInt64), shape});
  }
  // With one -1, the product of all sizes is the negative of the product of the other sizes.
  const Val known_product =
      c.op("aten.clamp_min.default",
           {c.op("aten.neg.default", {c.op("aten.prod.default", {shape})}), 1});
  const Val all = c.tensor_of({product(c, c.shape_of(x))}, true, DType::kInt64);
  const Val inferred =
      c.op("aten.div.Tensor_mode", {all, known_product}, {{"rounding_mode", "trunc"}});
  const Val is_inferred = c.op("aten.eq.Scalar", {shape, -1});
  shape = c.op("aten.where.self", {is_inferred, inferred, shape});
  Sizes sizes;
  for (int64_t i = 0; i < count && !c.failed(); ++i) {
    const Val one = c.op("aten.select.int", {shape, 0, i});
    sizes.push_back(c.op("aten.item.default", {one}));
  }
  return sizes;
}

void reshape(Call& c) {
  const bool allow_zero = c.flag("allowzero");
  if (std::optional<Sizes> sizes = c.known_sizes(1)) {
    // A list of sizes that remains 1-dimensional is still a list of sizes.
    if (const auto elements = c.known_sizes(0); elements && sizes->size() <= 1) {
      const bool is_scalar = sizes->empty();
      if (!is_scalar || elements->size() == 1)
        return c.result_sizes(*elements, is_scalar, c.value(0).dtype);
    }
    const Val x = c.in(0);
    for (size_t i = 0; i < sizes->size(); ++i) {
      Argument& one = (*sizes)[i];
      if (one.is_int() && one.as_int() == 0 && !allow_zero)
        one = c.size_of(x, static_cast<int64_t>(i));
    }
    return c.result(c.reshape(x, *sizes));
  }
  const Val x = c.in(0);
  c.result(c.reshape(x, sizes_from_data(c, x, c.in(1), allow_zero)));
}

/// Returns a matrix. The dimensions before `axis` become its rows, the others its columns.
void flatten(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const int64_t given = c.integer("axis", 1);
  const int64_t axis = given == rank ? rank : c.axis(given, rank);
  if (c.failed()) return;
  if (axis == 1 && rank >= 2) return c.result(c.op("aten.flatten.using_ints", {x, 1, -1}));
  const Sizes sizes = c.shape_of(x);
  if (c.failed()) return;
  const Sizes rows(sizes.begin(), sizes.begin() + axis), columns(sizes.begin() + axis, sizes.end());
  c.result(c.reshape(x, {product(c, rows), product(c, columns)}));
}

void squeeze(Call& c) {
  const std::optional<Ints> given = c.axes("axes", 1, 13);
  if (const auto known = c.known_sizes(0); known && known->size() == 1)
    return c.result_sizes(*known, true, c.value(0).dtype);
  const Val x = c.in(0);
  Ints axes;
  if (given) {
    axes = c.axes_of(*given, c.rank(x));
  } else {
    for (int i = 0; i < c.rank(x); ++i)
      if (c.constant_dim(x, i) == 1) axes.push_back(i);
  }
  for (const int64_t axis : axes) {
    const Dim dim = c.dim(x, axis);
    if (dim.is_int() && dim.value() != 1)
      return c.fail_invalid("a removed dimension must have size 1");
  }
  if (axes.empty()) return c.result_same(0, c.value(0));
  c.result(c.squeeze(x, axes));
}

void unsqueeze(Call& c) {
  const std::optional<Ints> given = c.axes("axes", 1, 13);
  constexpr size_t kMaxAxes = 64;
  if (!given || given->size() > kMaxAxes) return c.fail_invalid("it must specify at most 64 axes");
  if (const auto known = c.known_sizes(0); known && c.value(0).is_scalar && given->size() == 1 &&
                                           ((*given)[0] == 0 || (*given)[0] == -1))
    return c.result_sizes(*known, false, c.value(0).dtype);
  const Val x = c.in(0);
  const Ints axes = c.axes_of(*given, c.rank(x) + static_cast<int>(given->size()));
  if (axes.empty()) return c.result_same(0, c.value(0));
  c.result(c.unsqueeze(x, axes));
}

void transpose(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  std::optional<Ints> order = c.ints("perm");
  if (!order) {
    order.emplace(static_cast<size_t>(rank));
    std::iota(order->rbegin(), order->rend(), 0);
  }
  if (static_cast<int>(order->size()) != rank || c.axes_of(*order, rank).size() != order->size())
    return c.fail_invalid("perm must contain each dimension exactly once");
  c.result(c.op("aten.permute.default", {x, c.list(*order)}));
}

void concat(Call& c) {
  const int64_t axis = c.integer("axis", 1);
  Sizes all;
  bool is_known = axis == 0 || axis == -1;
  DType dtype = DType::kInt64;
  for (size_t i = 0; i < c.num_inputs() && is_known; ++i) {
    const auto known = c.known_sizes(i);
    is_known = known && !c.value(i).is_scalar && (i == 0 || c.value(i).dtype == dtype);
    if (!is_known) break;
    dtype = c.value(i).dtype;
    all.insert(all.end(), known->begin(), known->end());
  }
  constexpr size_t kMaxSizes = 1024;
  if (is_known && all.size() <= kMaxSizes) return c.result_sizes(all, false, dtype);
  std::vector<Val> parts;
  parts.reserve(c.num_inputs());
  for (size_t i = 0; i < c.num_inputs(); ++i) parts.push_back(c.in(i));
  if (parts.empty()) return c.fail_invalid("it must have an input");
  const int64_t dim = c.axis(axis, c.rank(parts[0]));
  for (const Val part : parts)
    if (c.rank(part) != c.rank(parts[0]))
      return c.fail_invalid("its inputs must have the same rank");
  c.result(c.op("aten.cat.default", {c.list(parts), dim}));
}

/// Returns the sizes of the parts into which a dimension is split.
Sizes parts_of(Call& c, Val x, int64_t axis) {
  const size_t count = c.num_outputs();
  std::optional<Ints> given = c.opset() < 13 ? c.ints("split") : std::nullopt;
  if (c.opset() >= 13 && c.has(1)) return c.sizes(1);
  const int64_t num_parts = c.integer("num_outputs", static_cast<int64_t>(count));
  if (given) return {given->begin(), given->end()};
  if (num_parts != static_cast<int64_t>(count) || num_parts <= 0) {
    c.fail_invalid("num_outputs must be positive and equal to the number of outputs");
    return {};
  }
  const Argument size = c.size_of(x, axis);
  // Before opset 18, the parts must be equal.
  if (!size.is_int()) return Sizes(count, c.floor_div(size, num_parts));
  Sizes parts;
  const int64_t each = (size.as_int() + num_parts - 1) / num_parts;
  for (int64_t i = 0; i < num_parts; ++i)
    parts.emplace_back(std::clamp<int64_t>(size.as_int() - i * each, 0, each));
  return parts;
}

/// True if the node splits a dimension of symbolic size that may not be a multiple of the number of
/// parts. Since opset 18, the last parts are then smaller, possibly empty.
bool may_have_smaller_parts(Call& c, Val x, int64_t axis) {
  if (c.opset() < 18 || c.has(1) || c.num_outputs() == 0) return false;
  const Dim size = c.dim(x, axis);
  if (c.failed() || size.is_int()) return false;
  const Dim rest = mod(size, Dim(static_cast<int64_t>(c.num_outputs()))).canonical();
  return !(rest.is_int() && rest.value() == 0);
}

/// Splits a dimension of symbolic size into slices, whose ends aten.slice clamps.
void split_into_slices(Call& c, Val x, int64_t axis) {
  const auto count = static_cast<int64_t>(c.num_outputs());
  if (c.integer("num_outputs", count) != count)
    return c.fail_invalid("num_outputs must be positive and equal to the number of outputs");
  const Argument each = c.floor_div(c.add(c.size_of(x, axis), count - 1), count);
  Argument begin = 0;
  for (int64_t i = 0; i < count && !c.failed(); ++i) {
    const Argument end = c.mul(each, i + 1);
    if (const auto part = static_cast<size_t>(i); c.has_output(part))
      c.result(part, c.slice(x, axis, begin, end));
    begin = end;
  }
}

void split(Call& c) {
  const Val x = c.in(0);
  const int64_t axis = c.axis(c.integer("axis", 0), c.rank(x));
  if (may_have_smaller_parts(c, x, axis)) return split_into_slices(c, x, axis);
  const Sizes sizes = parts_of(c, x, axis);
  if (sizes.size() != c.num_outputs())
    return c.fail_invalid("it must have as many outputs as parts");
  const Val all = c.op("aten.split_with_sizes.default", {x, c.list(sizes), axis});
  for (size_t i = 0; i < sizes.size(); ++i)
    if (c.has_output(i)) c.result(i, c.item(all, static_cast<int64_t>(i)));
}

// ---- Slice

struct SliceBounds {
  Sizes starts, ends;
  Ints axes, steps;
};

/// Converts a slice with a negative step to a slice of the reversed dimension.
Val reversed_slice(Call& c, Val x, int64_t axis, const Argument& start, const Argument& end,
                   int64_t step) {
  const Val flipped = c.op("aten.flip.default", {x, c.dims({axis})});
  if (!start.is_int() || !end.is_int()) {
    c.fail("bounds of a slice with a negative step must be constants");
    return {};
  }
  const Dim size = c.dim(x, axis);
  int64_t from = start.as_int(), to = end.as_int();
  if (!size.is_int()) {
    const bool is_full_range = (from == -1 || from > kMaxInt / 2) && to < -(kMaxInt / 2);
    if (!is_full_range)
      c.fail("a slice with a negative step and bounds requires a dimension of constant size");
    return c.slice(flipped, axis, 0, kMaxInt, -step);
  }
  const int64_t n = size.value();
  if (from < 0) from += n;
  if (to < 0 && to >= -n) to += n;
  // A start before the first element is the first element, unlike in Python.
  from = n == 0 ? -1 : std::clamp<int64_t>(from, 0, n - 1);
  to = std::clamp<int64_t>(to, -1, n - 1);
  const int64_t begin = n - 1 - from, stop = std::max(begin, n - 1 - to);
  return c.slice(flipped, axis, begin, stop, -step);
}

/// Converts a slice whose bounds depend on data. Selects the indices start, start + step, ...
Val data_slice(Call& c, Val x, int64_t axis, Val start, Val end, Val step) {
  const Val size = c.tensor_of({c.size_of(x, axis)}, true, DType::kInt64);
  const auto from_end = [&](Val position) {
    const Val is_negative = c.op("aten.lt.Scalar", {position, 0});
    return c.op("aten.where.self",
                {is_negative, c.op("aten.add.Tensor", {position, size}), position});
  };
  const Val zero = c.scalar_int(0, DType::kInt64), before = c.scalar_int(-1, DType::kInt64);
  const Val last = c.op("aten.sub.Tensor", {size, 1});
  const Val is_reversed = c.op("aten.lt.Scalar", {step, 0});
  const auto clamp = [&](Val position, Val reversed_min) {
    const Val forward = c.op("aten.clamp.Tensor", {position, zero, size});
    const Val reversed = c.op("aten.clamp.Tensor", {position, reversed_min, last});
    return c.op("aten.where.self", {is_reversed, reversed, forward});
  };
  start = clamp(from_end(start), zero);
  end = clamp(from_end(end), before);
  // The number of elements is (end - start) / step, rounded up.
  const Val span = c.op("aten.sub.Tensor",
                        {c.op("aten.add.Tensor", {c.op("aten.sub.Tensor", {end, start}), step}),
                         c.op("aten.sign.default", {step})});
  const Val quotient = c.op("aten.div.Tensor_mode", {span, step}, {{"rounding_mode", "trunc"}});
  const Val count = c.op("aten.clamp_min.default", {quotient, 0});
  const Val positions =
      c.op("aten.arange.default", {c.op("aten.item.default", {count})}, {{"dtype", DType::kInt64}});
  const Val index = c.op("aten.add.Tensor", {c.op("aten.mul.Tensor", {positions, step}), start});
  return c.op("aten.index_select.default", {x, axis, index});
}

Val element(Call& c, Val list, int64_t i) {
  return c.cast(c.op("aten.select.int", {list, 0, i}), DType::kInt64);
}

void slice(Call& c) {
  std::optional<Sizes> starts, ends;
  std::optional<Ints> axes, steps;
  const bool has_attributes = c.opset() < 10;
  if (has_attributes) {
    const Ints from = c.ints("starts").value_or(Ints()), to = c.ints("ends").value_or(Ints());
    starts.emplace(from.begin(), from.end());
    ends.emplace(to.begin(), to.end());
    axes = c.ints("axes");
  } else {
    starts = c.known_sizes(1);
    ends = c.known_sizes(2);
    if (c.has(3)) axes = c.ints_input(3, "the axes");
    if (c.has(4)) steps = c.constant_ints(4);
  }
  const bool is_known = starts && ends && (steps || has_attributes || !c.has(4));
  const size_t count = is_known ? starts->size() : static_cast<size_t>(c.list_length(c.in(1)));
  if (!axes) {
    axes.emplace(count);
    std::iota(axes->begin(), axes->end(), 0);
  }
  if (!steps) steps.emplace(count, 1);
  if (axes->size() != count || steps->size() != count || (is_known && ends->size() != count))
    return c.fail_invalid("starts, ends, axes and steps must have the same number of items");
  // A slice of sizes that are known before the graph runs.
  if (const auto known = c.known_sizes(0); known && is_known && count == 1 &&
                                           !c.value(0).is_scalar && (*starts)[0].is_int() &&
                                           (*ends)[0].is_int() && (*steps)[0] == 1) {
    const auto n = static_cast<int64_t>(known->size());
    const auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + n : at, 0, n); };
    const int64_t from = clamp((*starts)[0].as_int());
    const int64_t to = std::max(from, clamp((*ends)[0].as_int()));
    return c.result_sizes({known->begin() + from, known->begin() + to}, false, c.value(0).dtype);
  }
  Val x = c.in(0);
  const int rank = c.rank(x);
  for (size_t i = 0; i < count && !c.failed(); ++i) {
    const int64_t axis = c.axis((*axes)[i], rank);
    const auto at = static_cast<int64_t>(i);
    if (!is_known) {
      const Val step = c.has(4) ? element(c, c.in(4), at) : c.scalar_int(1, DType::kInt64);
      x = data_slice(c, x, axis, element(c, c.in(1), at), element(c, c.in(2), at), step);
    } else if ((*steps)[i] == 0) {
      return c.fail_invalid("a step must not be 0");
    } else if ((*steps)[i] > 0) {
      x = c.slice(x, axis, (*starts)[i], (*ends)[i], (*steps)[i]);
    } else {
      x = reversed_slice(c, x, axis, (*starts)[i], (*ends)[i], (*steps)[i]);
    }
  }
  if (count == 0) return c.result_same(0, c.value(0));
  c.result(x);
}

// ---- Expand

/// Returns the size of a broadcast dimension; nullopt if it depends on which operand has size 1.
std::optional<Argument> broadcast(Call& c, Val x, int64_t axis, const Argument& target) {
  const Dim x_size = c.dim(x, axis);
  if (x_size.is_int() && x_size.value() == 1) return target;
  if (x_size.is_int() || (target.is_int() && target.as_int() == 1)) return c.size_of(x, axis);
  Argument size = c.size_of(x, axis);
  if (target.is_node() && size.is_node() && target.node() == size.node()) return size;
  return std::nullopt;
}

void expand(Call& c) {
  const Val x = c.in(0);
  const Sizes target_sizes = c.sizes(1);
  const auto rank = static_cast<size_t>(c.rank(x));
  Sizes sizes;
  for (size_t i = 0; i + target_sizes.size() < rank; ++i)
    sizes.push_back(c.size_of(x, static_cast<int64_t>(i)));
  bool is_known = true;
  for (size_t i = 0; i < target_sizes.size() && is_known && !c.failed(); ++i) {
    if (i + rank < target_sizes.size()) {
      sizes.push_back(target_sizes[i]);
      continue;
    }
    const auto size =
        broadcast(c, x, static_cast<int64_t>(i + rank - target_sizes.size()), target_sizes[i]);
    is_known = size.has_value();
    if (size) sizes.push_back(*size);
  }
  if (is_known) return c.result(c.op("aten.expand.default", {x, c.list(sizes)}));
  const Val ones = c.op("aten.ones.default", {c.list(target_sizes)}, {{"dtype", c.dtype(x)}});
  c.result(c.op("aten.mul.Tensor", {x, ones}));
}

void tile(Call& c) {
  const Val x = c.in(0);
  const Sizes repeats = c.sizes(1);
  if (static_cast<int>(repeats.size()) != c.rank(x))
    return c.fail_invalid("it must have a repeat count for each dimension");
  c.result(c.op("aten.repeat.default", {x, c.list(repeats)}));
}

/// Returns 0 if the size is too large.
int64_t block_size(Call& c) {
  constexpr int64_t kMaxBlock = 1 << 20;
  const int64_t block = c.integer("blocksize", 0);
  return block <= kMaxBlock ? block : 0;
}

void depth_to_space(Call& c) {
  const Val x = c.in(0);
  const int64_t block = block_size(c);
  const std::string mode = c.text("mode", "DCR");
  if (block <= 0) return c.fail_invalid("blocksize must be between 1 and 2^20");
  if (c.rank(x) != 4) return c.fail_invalid("its input must have four dimensions");
  if (mode == "CRD") return c.result(c.op("aten.pixel_shuffle.default", {x, block}));
  const Sizes s = c.shape_of(x);
  if (c.failed()) return;
  const Argument depth = c.floor_div(s[1], block * block);
  const Val parts = c.reshape(x, {s[0], block, block, depth, s[2], s[3]});
  const Val permuted = c.permute(parts, {0, 3, 4, 1, 5, 2});
  c.result(c.reshape(permuted, {s[0], depth, c.mul(s[2], block), c.mul(s[3], block)}));
}

void space_to_depth(Call& c) {
  const Val x = c.in(0);
  const int64_t block = block_size(c);
  if (block <= 0) return c.fail_invalid("blocksize must be between 1 and 2^20");
  if (c.rank(x) != 4) return c.fail_invalid("its input must have four dimensions");
  const Sizes s = c.shape_of(x);
  if (c.failed()) return;
  const Argument height = c.floor_div(s[2], block), width = c.floor_div(s[3], block);
  const Val parts = c.reshape(x, {s[0], s[1], height, block, width, block});
  const Val permuted = c.permute(parts, {0, 3, 5, 1, 2, 4});
  c.result(c.reshape(permuted, {s[0], c.mul(s[1], block * block), height, width}));
}

}  // namespace

absl::Span<const Row> shape_rows() {
  static constexpr Row kRows[] = {
      {"Shape", shape},
      {"Size", size},
      {"Reshape", reshape},
      {"Flatten", flatten},
      {"Squeeze", squeeze},
      {"Unsqueeze", unsqueeze},
      {"Transpose", transpose},
      {"Concat", concat},
      {"Split", split},
      {"Slice", slice},
      {"Expand", expand, 8},
      {"Tile", tile},
      {"DepthToSpace", depth_to_space},
      {"SpaceToDepth", space_to_depth},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
