// Resizing, which multiplies by a matrix of weights for each dimension, and sampling.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fx::onnx::reader {
namespace {

constexpr int64_t kMaxSize = 1 << 16, kMaxWeights = 1 << 24;

struct ResizeSpec {
  std::string mode, coordinates, nearest;
  double cubic = -0.75, outside = 0;
  bool excludes_outside = false, antialias = false;
};

/// A dimension that is resized.
struct ResizeAxis {
  int64_t axis = 0, in = 0, out = 0;
  double scale = 1;
  double begin = 0, end = 1;  // the region of tf_crop_and_resize
};

/// Returns the position in the input for a position in the result.
double source_of(const ResizeSpec& spec, const ResizeAxis& a, double position) {
  const auto in = static_cast<double>(a.in), out = static_cast<double>(a.out);
  const double resized = a.scale * in;
  if (spec.coordinates == "asymmetric") return position / a.scale;
  if (spec.coordinates == "align_corners")
    return out == 1 ? 0 : position * (in - 1) / (resized - 1);
  if (spec.coordinates == "pytorch_half_pixel")
    return resized == 1 ? -0.5 : (position + 0.5) / a.scale - 0.5;
  if (spec.coordinates == "tf_half_pixel_for_nn") return (position + 0.5) / a.scale;
  if (spec.coordinates == "tf_crop_and_resize") {
    if (a.out == 1) return 0.5 * (a.begin + a.end) * (in - 1);
    return a.begin * (in - 1) + position * (a.end - a.begin) * (in - 1) / (out - 1);
  }
  if (spec.coordinates == "half_pixel_symmetric") {
    const double adjustment = out / resized;
    const double center = in / 2;
    const double offset = center * (1 - adjustment);
    return offset + (position + 0.5) / a.scale - 0.5;
  }
  return (position + 0.5) / a.scale - 0.5;  // half_pixel
}

double nearest_of(const std::string& mode, double x) {
  if (mode == "round_prefer_floor") return std::ceil(x - 0.5);
  if (mode == "round_prefer_ceil") return std::floor(x + 0.5);
  if (mode == "floor") return std::floor(x);
  return std::ceil(x);
}

double kernel_at(const ResizeSpec& spec, double distance) {
  const double d = std::abs(distance);
  if (spec.mode == "linear") return std::max(0.0, 1 - d);
  const double a = spec.cubic;
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  if (d < 2) return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  return 0;
}

/// Writes to `row` the weights of the input's elements for one element of the result.
void fill_row(const ResizeSpec& spec, const ResizeAxis& a, double source, double* row) {
  const auto clamp = [&](int64_t at) { return std::clamp<int64_t>(at, 0, a.in - 1); };
  if (spec.mode == "nearest") {
    row[clamp(static_cast<int64_t>(nearest_of(spec.nearest, source)))] = 1;
    return;
  }
  const double radius = spec.mode == "linear" ? 1 : 2;
  const double stretch = spec.antialias && a.scale < 1 ? 1 / a.scale : 1;
  const double reach = radius * stretch;
  const auto first = static_cast<int64_t>(std::floor(source - reach)) + 1;
  const auto last = static_cast<int64_t>(std::ceil(source + reach)) - 1;
  double sum = 0;
  for (int64_t at = first; at <= last; ++at) {
    const bool is_outside = at < 0 || at >= a.in;
    if (is_outside && spec.excludes_outside) continue;
    const double weight = kernel_at(spec, (static_cast<double>(at) - source) / stretch);
    row[clamp(at)] += weight;
    sum += weight;
  }
  if ((spec.excludes_outside || spec.antialias) && sum != 0)
    for (int64_t i = 0; i < a.in; ++i) row[i] /= sum;
}

/// Rounds a size down. Returns a size that resize_axis() rejects if it is too large.
int64_t rounded_size(double size) {
  return static_cast<int64_t>(std::floor(std::min(size, kMaxSize + 1.0)));
}

/// Resizes one dimension.
Val resize_axis(Call& c, Val x, const ResizeSpec& spec, const ResizeAxis& a) {
  if (a.in <= 0 || a.out <= 0 || a.in > kMaxSize || a.out > kMaxSize ||
      a.in * a.out > kMaxWeights) {
    c.fail(fmt::format(
        "dimension {} is empty or too large: sizes must be at most {} before and after, and their "
        "product at most {}",
        a.axis, kMaxSize, kMaxWeights));
    return {};
  }
  std::vector<double> matrix(static_cast<size_t>(a.in * a.out), 0);
  std::vector<double> outside(static_cast<size_t>(a.out), 0);
  bool has_outside = false;
  for (int64_t i = 0; i < a.out; ++i) {
    const double source = source_of(spec, a, static_cast<double>(i));
    const bool is_outside = spec.coordinates == "tf_crop_and_resize" &&
                            (source < 0 || source > static_cast<double>(a.in - 1));
    if (is_outside) {
      outside[static_cast<size_t>(i)] = 1;
      has_outside = true;
    } else {
      fill_row(spec, a, source, &matrix[static_cast<size_t>(i * a.in)]);
    }
  }
  if (spec.mode == "nearest" && !has_outside) {
    Ints indices;
    for (int64_t i = 0; i < a.out; ++i) {
      const auto row = matrix.begin() + i * a.in;
      indices.push_back(std::max_element(row, row + a.in) - row);
    }
    return c.op("aten.index_select.default", {x, a.axis, c.ints_tensor(indices, DType::kInt64)});
  }
  const DType dtype = c.dtype(x), real = is_floating_point(dtype) ? wide(dtype) : DType::kFloat32;
  const auto tensor_of = [&](const std::vector<double>& values, const Ints& sizes) {
    const std::vector<Argument> items(values.begin(), values.end());
    absl::StatusOr<Tensor> tensor = Tensor::from_elements(real, sizes, items);
    if (!tensor.ok()) c.fail(tensor.status());
    return tensor.ok() ? c.constant(*std::move(tensor)) : Val();
  };
  const Val transposed = c.op("aten.transpose.int", {c.cast(x, real), a.axis, -1});
  Val y = c.op("aten.linear.default", {transposed, tensor_of(matrix, {a.out, a.in})});
  if (has_outside) {
    const Val is_outside = c.op("aten.gt.Scalar", {tensor_of(outside, {a.out}), 0.5});
    y = c.op("aten.where.self", {is_outside, c.scalar(spec.outside, real), y});
  }
  y = c.op("aten.transpose.int", {y, a.axis, -1});
  if (is_floating_point(dtype)) return c.cast(y, dtype);
  return c.cast(c.op("aten.round.default", {y}), dtype);
}

/// Calls torch's operator if it computes this resize; the operator cannot resize the first two
/// dimensions.
std::optional<Val> torch_resize(Call& c, Val x, const ResizeSpec& spec,
                                absl::Span<const double> scales) {
  const int rank = c.rank(x);
  const auto count = static_cast<size_t>(rank) - 2;
  if (rank < 3 || rank > 5 || scales.size() != count + 2 || scales[0] != 1 || scales[1] != 1)
    return std::nullopt;
  if (!is_floating_point(c.dtype(x)) || spec.excludes_outside || spec.antialias)
    return std::nullopt;
  std::vector<Argument> factors(scales.begin() + 2, scales.end());
  const Argument list = Argument::list(factors);
  const bool is_half_pixel = spec.coordinates == "half_pixel";
  if (spec.mode == "nearest" && spec.coordinates == "asymmetric" && spec.nearest == "floor") {
    return c.op(fmt::format("aten.upsample_nearest{}d.vec", count), {x, Argument(), list});
  }
  if (spec.mode == "linear" && is_half_pixel) {
    constexpr std::string_view kNames[] = {"linear1d", "bilinear2d", "trilinear3d"};
    return c.op(fmt::format("aten.upsample_{}.vec", kNames[count - 1]),
                {x, Argument(), false, list});
  }
  if (spec.mode == "cubic" && is_half_pixel && count == 2 && spec.cubic == -0.75)
    return c.op("aten.upsample_bicubic2d.vec", {x, Argument(), false, list});
  return std::nullopt;
}

/// Applies the policy for sizes that keep the aspect ratio.
void keep_aspect(const std::string& policy, std::vector<ResizeAxis>& axes) {
  if (policy == "stretch") return;
  double scale = 0;
  for (const ResizeAxis& a : axes) {
    const double own_scale = static_cast<double>(a.out) / static_cast<double>(a.in);
    const bool is_first = &a == axes.data();
    scale = is_first                 ? own_scale
            : policy == "not_larger" ? std::min(scale, own_scale)
                                     : std::max(scale, own_scale);
  }
  for (ResizeAxis& a : axes) {
    a.scale = scale;
    a.out = rounded_size(scale * static_cast<double>(a.in) + 0.5);
  }
}

ResizeSpec spec_of_resize(Call& c) {
  ResizeSpec spec;
  spec.mode = c.text("mode", "nearest");
  if (c.opset() < 11) {
    spec.coordinates = "asymmetric";
    spec.nearest = "floor";
  } else {
    spec.coordinates = c.text("coordinate_transformation_mode", "half_pixel");
    spec.nearest = c.text("nearest_mode", "round_prefer_floor");
    spec.cubic = c.real("cubic_coeff_a", -0.75);
    spec.outside = c.real("extrapolation_value", 0);
    spec.excludes_outside = c.flag("exclude_outside");
    spec.antialias = c.opset() >= 18 && c.flag("antialias");
  }
  if (spec.mode != "nearest" && spec.mode != "linear" && spec.mode != "cubic")
    c.fail_invalid("mode must be nearest, linear or cubic");
  constexpr std::string_view kCoordinates[] = {
      "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
      "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"};
  if (std::ranges::find(kCoordinates, spec.coordinates) == std::end(kCoordinates))
    c.fail_invalid("coordinate_transformation_mode is unknown");
  return spec;
}

/// Returns the dimensions that are resized.
Ints resized_dims(Call& c, int rank) {
  const auto given = c.opset() >= 18 ? c.ints("axes") : std::nullopt;
  if (!given) return dims_from(0, rank);
  Ints dims;
  for (const int64_t axis : *given) dims.push_back(c.axis(axis, rank));
  return dims;
}

/// Either the factors or the new sizes of the resized dimensions; the other vector is empty.
struct ResizeAmount {
  std::vector<double> scales;
  Ints sizes;
};

/// Reads the scales of `count` dimensions or, if they are missing and `sizes_input` is not 0, the
/// sizes.
ResizeAmount resize_amount(Call& c, size_t scales_input, size_t sizes_input, size_t count) {
  const auto is_given = [&](size_t i) {
    if (!c.has(i)) return false;
    const Tensor known = c.value(i).constant;  // an empty tensor counts as omitted
    return !known.defined() || known.num_elements() > 0;
  };
  ResizeAmount amount;
  if (is_given(scales_input)) {
    const auto known = c.constant_reals(scales_input);
    if (known)
      amount.scales = *known;
    else
      c.fail("its scales must be known before the graph runs");
  } else if (sizes_input != 0 && is_given(sizes_input)) {
    amount.sizes = c.ints_input(sizes_input, "its sizes");
  }
  if (c.failed()) return amount;
  const auto is_size = [](int64_t size) { return size > 0 && size <= kMaxSize; };
  const auto is_scale = [](double scale) { return scale > 0 && scale <= 1e6; };
  if (!std::ranges::all_of(amount.sizes, is_size))
    c.fail_invalid("a size is out of range");
  else if (amount.scales.size() != count && amount.sizes.size() != count)
    c.fail_invalid("it must have a scale or a size for each axis");
  else if (!std::ranges::all_of(amount.scales, is_scale))
    c.fail_invalid("a scale is out of range");
  return amount;
}

/// Reads the starts and ends of the region of tf_crop_and_resize. Returns an empty vector for other
/// coordinates.
std::vector<double> resize_region(Call& c, const ResizeSpec& spec, size_t input, size_t count) {
  if (spec.coordinates != "tf_crop_and_resize") return {};
  const auto known = c.constant_reals(input);
  if (!known || known->size() != 2 * count) {
    c.fail("its region must be known before the graph runs, with two bounds for each axis");
    return {};
  }
  constexpr double kMaxBound = 1e6;
  if (!std::ranges::all_of(*known, [](double position) { return std::abs(position) < kMaxBound; }))
    c.fail_invalid("its region is out of range");
  return *known;
}

/// Returns the dimensions whose sizes or elements change.
std::vector<ResizeAxis> axes_to_resize(Call& c, Val x, const Ints& dims, const ResizeAmount& amount,
                                       const std::vector<double>& region) {
  const auto& [scales, sizes] = amount;
  std::vector<ResizeAxis> axes;
  for (size_t i = 0; i < dims.size() && !c.failed(); ++i) {
    if (!scales.empty() && scales[i] == 1 && region.empty()) continue;
    ResizeAxis a{.axis = dims[i], .in = c.constant_dim(x, dims[i])};
    if (a.in <= 0) {
      c.fail_invalid("a resized dimension is empty");
      break;
    }
    a.scale =
        scales.empty() ? static_cast<double>(sizes[i]) / static_cast<double>(a.in) : scales[i];
    a.out = scales.empty() ? sizes[i] : rounded_size(static_cast<double>(a.in) * a.scale);
    if (!region.empty()) {
      a.begin = region[i];
      a.end = region[dims.size() + i];
    }
    axes.push_back(a);
  }
  return axes;
}

void resize_by(Call& c, const ResizeSpec& spec, size_t scales_input, size_t sizes_input,
               size_t region_input) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const Ints dims = resized_dims(c, rank);
  const std::string policy =
      c.opset() >= 18 ? c.text("keep_aspect_ratio_policy", "stretch") : "stretch";
  const ResizeAmount amount = resize_amount(c, scales_input, sizes_input, dims.size());
  if (c.failed()) return;
  if (!amount.scales.empty() && dims.size() == static_cast<size_t>(rank))
    if (const std::optional<Val> native = torch_resize(c, x, spec, amount.scales))
      return c.result(*native);
  const std::vector<double> region = resize_region(c, spec, region_input, dims.size());
  if (c.failed()) return;
  std::vector<ResizeAxis> axes = axes_to_resize(c, x, dims, amount, region);
  if (c.failed()) return;
  if (amount.scales.empty()) keep_aspect(policy, axes);
  Val y = x;
  for (const ResizeAxis& a : axes) {
    const bool is_same = a.in == a.out && a.scale == 1 && region.empty();
    if (!is_same) y = resize_axis(c, y, spec, a);
  }
  if (y.node == x.node) return c.result_same(0, c.value(0));
  c.result(y);
}

void resize(Call& c) {
  const ResizeSpec spec = spec_of_resize(c);
  if (c.failed()) return;
  if (c.opset() < 11) return resize_by(c, spec, 1, 0, 0);
  resize_by(c, spec, 2, 3, 1);
}

/// Upsample was replaced with Resize in opset 10. Before opset 9, the scales are an attribute.
void upsample(Call& c) {
  ResizeSpec spec{
      .mode = c.text("mode", "nearest"), .coordinates = "asymmetric", .nearest = "floor"};
  if (spec.mode == "bilinear") spec.mode = "linear";
  if (c.opset() >= 9) return resize_by(c, spec, 1, 0, 0);
  const std::vector<double> scales = c.reals("scales");
  const Val x = c.in(0);
  const int rank = c.rank(x);
  if (static_cast<int>(scales.size()) != rank)
    return c.fail_invalid("it must have a scale for each dimension");
  Val y = x;
  for (int i = 0; i < rank && !c.failed(); ++i) {
    const double scale = scales[static_cast<size_t>(i)];
    if (scale == 1) continue;
    if (!(scale > 0) || scale > 1e6) return c.fail_invalid("a scale is out of range");
    const int64_t size = c.constant_dim(x, i);
    const auto out = rounded_size(static_cast<double>(size) * scale);
    y = resize_axis(c, y, spec, {.axis = i, .in = size, .out = out, .scale = scale});
  }
  if (y.node == x.node) return c.result_same(0, c.value(0));
  c.result(y);
}

// ---- Sampling

int64_t index_in(Call& c, std::string_view what, const std::string& name,
                 absl::Span<const std::string_view> names) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int64_t>(i);
  c.fail(fmt::format("the {} {} is not supported", what, name));
  return 0;
}

void grid_sample(Call& c) {
  std::string mode = c.text("mode", c.opset() >= 20 ? "linear" : "bilinear");
  if (mode == "linear") mode = "bilinear";
  if (mode == "cubic") mode = "bicubic";
  const int64_t interpolation = index_in(c, "mode", mode, {"bilinear", "nearest", "bicubic"});
  const int64_t padding = index_in(c, "padding_mode", c.text("padding_mode", "zeros"),
                                   {"zeros", "border", "reflection"});
  const bool aligns = c.flag("align_corners");
  const Val x = c.in(0), grid = c.in(1);
  const int rank = c.rank(x);
  if (rank != 4 && rank != 5) return c.fail("its input must have two or three spatial dimensions");
  if (rank == 5 && interpolation == 2) return c.fail("cubic sampling of volumes is not supported");
  c.result(c.op("aten.grid_sampler.default", {x, grid, interpolation, padding, aligns}));
}

void affine_grid(Call& c) {
  const Val theta = c.in(0);
  const Sizes sizes = c.sizes(1);
  c.result(
      c.op("aten.affine_grid_generator.default", {theta, c.list(sizes), c.flag("align_corners")}));
}

}  // namespace

absl::Span<const Row> resize_rows() {
  static constexpr Row kRows[] = {
      {"Resize", resize, 10},
      {"Upsample", upsample, 7, 9},
      {"GridSample", grid_sample, 16},
      {"AffineGrid", affine_grid, 20},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
