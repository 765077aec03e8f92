// Operators that move elements: padding, triangular matrices, reversed sequences, crops.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fx::onnx::reader {

Val pad_constant(Call& c, Val x, absl::Span<const int64_t> low, absl::Span<const int64_t> high,
                 double value) {
  Ints pads;
  bool is_empty = true;
  for (size_t i = low.size(); i-- > 0;) {
    pads.push_back(low[i]);
    pads.push_back(high[i]);
    is_empty &= low[i] == 0 && high[i] == 0;
  }
  if (is_empty) return x;
  return c.op("aten.constant_pad_nd.default", {x, c.list(pads), value});
}

namespace {

/// The pads of each dimension.
struct Pads {
  Sizes low, high;
};

Pads pads_of(Call& c, int rank) {
  Sizes all;
  Ints axes;
  if (c.opset() < 11) {
    const Ints given = c.ints("pads").value_or(Ints());
    all.assign(given.begin(), given.end());
  } else if (const std::optional<Sizes> known = c.known_sizes(1)) {
    all = *known;
  } else {
    c.fail("the pads must be known before the graph runs and must not depend on data");
  }
  if (c.has(3)) {
    for (const int64_t axis : c.ints_input(3, "the axes")) axes.push_back(c.axis(axis, rank));
  } else {
    axes.resize(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  const auto count = static_cast<size_t>(rank);
  Pads pads{Sizes(count, 0), Sizes(count, 0)};
  if (all.size() != 2 * axes.size()) {
    c.fail_invalid("it must have two pads for each axis");
    return pads;
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    pads.low[static_cast<size_t>(axes[i])] = all[i];
    pads.high[static_cast<size_t>(axes[i])] = all[i + axes.size()];
  }
  return pads;
}

/// Constant pads.
struct ConstantPads {
  Ints low, high;
};

ConstantPads constant_pads(Call& c, const Pads& pads) {
  const auto integers = [&](const Sizes& sizes) {
    Ints all;
    for (const Argument& size : sizes) {
      if (!size.is_int()) c.fail("the pads must be constants");
      all.push_back(size.is_int() ? size.as_int() : 0);
    }
    return all;
  };
  return {integers(pads.low), integers(pads.high)};
}

/// Returns the position, in [0, n), from which the element at `position` of a padded dimension is
/// copied.
int64_t source_position(std::string_view mode, int64_t position, int64_t n) {
  if (mode == "edge") return std::clamp<int64_t>(position, 0, n - 1);
  if (mode == "wrap") return ((position % n) + n) % n;
  const int64_t period = std::max<int64_t>(1, 2 * (n - 1));
  const int64_t in_period = ((position % period) + period) % period;
  return in_period < n ? in_period : period - in_period;
}

/// Pads with torch's operator for the last dimensions, if it computes this padding.
std::optional<Val> torch_padding(Call& c, Val x, const ConstantPads& pads, std::string_view mode) {
  const int rank = c.rank(x);
  int first = 0;
  while (first < rank && pads.low[static_cast<size_t>(first)] == 0 &&
         pads.high[static_cast<size_t>(first)] == 0)
    ++first;
  const int count = rank - first;
  if (count == 0) return x;
  const bool is_image = (rank == 3 && count <= 2) || (rank == 4 && count <= 2) ||
                        (rank == 5 && count == 3) || (rank == 2 && count == 1);
  if (!is_image) return std::nullopt;
  Ints flat;
  for (int i = rank - 1; i >= first; --i) {
    const int64_t low = pads.low[static_cast<size_t>(i)], high = pads.high[static_cast<size_t>(i)];
    if (low < 0 || high < 0) return std::nullopt;
    flat.push_back(low);
    flat.push_back(high);
  }
  if (count == 1 && rank == 4) flat.insert(flat.end(), {0, 0});
  return c.op("aten.pad.default", {x, c.list(flat),
                                   mode == "edge"   ? "replicate"
                                   : mode == "wrap" ? "circular"
                                                    : mode});
}

/// Returns the value of the new elements of a constant padding.
Argument padding_value(Call& c) {
  const auto given = c.constant_reals(2);
  const auto integers = c.constant_ints(2);
  if (integers && integers->size() == 1) return (*integers)[0];
  if (given && given->size() == 1) return (*given)[0];
  if (!c.has(2)) return c.opset() < 11 ? c.real("value", 0) : 0.0;
  const Tensor known = c.value(2).constant;
  if (known.defined() && known.dtype() == DType::kBool && known.num_elements() == 1)
    return known.element(0).as_bool() ? 1 : 0;
  return c.op("aten.item.default", {c.in(2)});
}

void pad_by_constant(Call& c, Val x, const Pads& pads) {
  Argument value = padding_value(c);
  if (value.is_float() && value.as_float() == 0 && !is_floating_point(c.dtype(x))) value = 0;
  Sizes flat;
  for (size_t i = pads.low.size(); i-- > 0;) {
    flat.push_back(pads.low[i]);
    flat.push_back(pads.high[i]);
  }
  c.result(c.op("aten.constant_pad_nd.default", {x, c.list(flat), value}));
}

/// Pads by selecting elements along the padded dimensions, whose sizes must be constant.
void pad_by_selection(Call& c, Val x, const ConstantPads& pads, const Ints& sizes,
                      std::string_view mode) {
  Val y = x;
  for (int axis = 0; axis < static_cast<int>(sizes.size()); ++axis) {
    const auto at = static_cast<size_t>(axis);
    const int64_t n = sizes[at], low = pads.low[at], high = pads.high[at];
    if (low == 0 && high == 0) continue;
    constexpr int64_t kMaxPadding = 1 << 20;
    if (n == 0 || n > kMaxPadding)
      return c.fail_invalid("a padded dimension is empty or larger than 2^20");
    if (std::max(low, high) > kMaxPadding || std::min(low, high) < -n)
      return c.fail_invalid("a pad is out of range");
    Ints positions;
    for (int64_t position = -low; position < n + high; ++position)
      positions.push_back(source_position(mode, position, n));
    y = c.op("aten.index_select.default", {y, axis, c.ints_tensor(positions, DType::kInt64)});
  }
  c.result(y);
}

void pad(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const std::string mode = c.text("mode", "constant");
  const Pads all = pads_of(c, rank);
  if (c.failed()) return;
  if (mode == "constant") return pad_by_constant(c, x, all);
  if (mode != "edge" && mode != "reflect" && mode != "wrap")
    return c.fail_invalid("mode must be constant, edge, reflect or wrap");
  const ConstantPads pads = constant_pads(c, all);
  const std::optional<Ints> sizes = c.constant_shape(x);
  if (c.failed()) return;
  if (!sizes) {
    const std::optional<Val> padded = torch_padding(c, x, pads, mode);
    if (!padded) return c.fail("the padded dimensions must be constant");
    return c.result(*padded);
  }
  pad_by_selection(c, x, pads, *sizes, mode);
}

/// Returns 0, 1, ... along the second-to-last (-2) or the last (-1) dimension of a matrix.
Val positions_of(Call& c, Val x, int64_t axis) {
  const Val positions =
      c.op("aten.arange.default", {c.size_of(x, axis)}, {{"dtype", DType::kInt64}});
  return axis == -2 ? c.unsqueeze(positions, {1}) : positions;
}

void trilu(Call& c) {
  const Val x = c.in(0);
  const bool is_upper = c.flag("upper", true);
  const auto k = c.has(1) ? c.constant_ints(1) : Ints{0};
  if (k && k->size() == 1)
    return c.result(c.op(is_upper ? "aten.triu.default" : "aten.tril.default", {x, (*k)[0]}));
  const Val distance = c.op("aten.sub.Tensor", {positions_of(c, x, -1), positions_of(c, x, -2)});
  const Val mask = c.op(is_upper ? "aten.ge.Tensor" : "aten.le.Tensor", {distance, c.in(1)});
  c.result(c.op("aten.where.self", {mask, x, c.scalar_int(0, c.dtype(x))}));
}

/// Reverses the first elements of each sequence.
void reverse_sequence(Call& c) {
  const Val x = c.in(0), lengths = c.in(1);
  const int64_t batch = c.integer("batch_axis", 1), time = c.integer("time_axis", 0);
  const int rank = c.rank(x);
  if (batch + time != 1 || batch < 0 || time < 0 || rank < 2)
    return c.fail_invalid(
        "batch_axis and time_axis must be 0 and 1, in either order, for an input of at least two "
        "dimensions");
  // The matrices are [time, batch], or [batch, time] if the batch is dimension 0.
  Val position = c.op("aten.arange.default", {c.size_of(x, time)}, {{"dtype", DType::kInt64}});
  Val length = lengths;
  if (time == 0) {
    position = c.unsqueeze(position, {1});
  } else {
    length = c.unsqueeze(length, {1});
  }
  const Val last = c.op("aten.sub.Tensor", {c.op("aten.sub.Tensor", {length, 1}), position});
  const Val is_inside = c.op("aten.lt.Tensor", {position, length});
  Val index = c.op("aten.where.self", {is_inside, last, position});
  for (int i = 2; i < rank; ++i) index = c.op("aten.unsqueeze.default", {index, -1});
  index = c.op("aten.expand.default", {index, c.list(c.shape_of(x))});
  c.result(c.op("aten.gather.default", {x, time, index}));
}

/// Crops or pads equally on both sides.
void center_crop_pad(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const Ints new_sizes = c.ints_input(1, "the sizes");
  Ints axes(static_cast<size_t>(rank));
  std::iota(axes.begin(), axes.end(), 0);
  if (const auto given = c.ints("axes")) {
    axes.clear();
    for (const int64_t axis : *given) axes.push_back(c.axis(axis, rank));
  }
  if (axes.size() != new_sizes.size()) return c.fail_invalid("it must have a size for each axis");
  Val y = x;
  const auto count = static_cast<size_t>(rank);
  Ints low(count, 0), high(count, 0);
  for (size_t i = 0; i < axes.size() && !c.failed(); ++i) {
    const int64_t old_size = c.constant_dim(x, axes[i]), size = new_sizes[i];
    const auto at = static_cast<size_t>(axes[i]);
    if (size < 0) return c.fail_invalid("a size is negative");
    if (old_size > size) {
      const int64_t begin = (old_size - size) / 2;
      y = c.slice(y, axes[i], begin, begin + size);
    } else {
      low[at] = (size - old_size) / 2;
      high[at] = size - old_size - low[at];
    }
  }
  c.result(pad_constant(c, y, low, high, 0));
}

}  // namespace

absl::Span<const Row> move_rows() {
  static constexpr Row kRows[] = {
      {"Pad", pad},
      {"Trilu", trilu, 14},
      {"ReverseSequence", reverse_sequence, 10},
      {"CenterCropPad", center_crop_pad, 18},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
