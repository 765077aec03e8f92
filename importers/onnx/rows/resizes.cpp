// Converts operators that resize or sample images. A resize with known sizes is linear in each
// dimension, and is written with libtorch's matrix or indices. Otherwise, it is written as ONNX's
// Resize with the same coordinates.
#include "fx/importers/onnx/rows/rows_internal.h"
#include "fx/ir/calls/resize_calls.h"

#include <algorithm>
#include <cmath>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

/// Returns libtorch's ratio of the input size to the result size. It is the reciprocal of the
/// call's factor or, without a factor, the ratio of the sizes.
double ratio_of(std::optional<double> factor, int64_t from, int64_t to, bool corners) {
  if (corners) {
    return to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0.0;
  }
  if (factor && *factor > 0) return 1 / *factor;
  return static_cast<double>(from) / static_cast<double>(to);
}

/// Returns the factor of a spatial dimension if the call has one.
std::optional<double> factor_of(RowCall& c, size_t i) {
  static constexpr std::string_view kNames[] = {"scales_d", "scales_h", "scales_w", "scales"};
  if (c.has_argument("scale_factors")) {
    const std::optional<ArgumentRef> list = c.argument("scale_factors");
    if (!list || list->is_none() || i >= list->size()) return std::nullopt;
    const ArgumentRef item = (*list)[i];
    if (item.is_float()) return item.as_float();
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (const std::string_view name : kNames)
    if (c.has_argument(name)) names.push_back(name);
  if (i >= names.size() || !c.has(names[i])) return std::nullopt;
  return c.constant_real(names[i]);
}

std::vector<std::optional<double>> factors_of(RowCall& c, const Type& type) {
  std::vector<std::optional<double>> factors;
  factors.reserve(type.sizes().size());
  for (int i = 2; i < type.rank(); ++i) factors.push_back(factor_of(c, static_cast<size_t>(i) - 2));
  return factors;
}

std::string_view operand_name(RowCall& c) { return c.has_argument("self") ? "self" : "input"; }

/// Returns the index of the input for each index of the result. Like libtorch, computes coordinates
/// in float32.
Ints nearest_indices(int64_t from, int64_t to, double ratio, bool exact) {
  Ints indices;
  const auto scale = static_cast<float>(ratio);
  for (int64_t i = 0; i < to; ++i) {
    const float at = exact ? (static_cast<float>(i) + 0.5F) * scale : static_cast<float>(i) * scale;
    const double index = std::min<double>(std::floor(at), static_cast<double>(from - 1));
    indices.push_back(static_cast<int64_t>(index));
  }
  return indices;
}

std::vector<double> linear_matrix(int64_t from, int64_t to, double ratio, bool corners) {
  std::vector<double> matrix(static_cast<size_t>(from * to), 0.0);
  const auto scale = static_cast<float>(ratio);
  for (int64_t i = 0; i < to; ++i) {
    float at = static_cast<float>(i) * scale;
    if (!corners) at = std::max(0.0F, (static_cast<float>(i) + 0.5F) * scale - 0.5F);
    const int64_t low = std::min(static_cast<int64_t>(at), from - 1);
    const int64_t high = std::min(low + 1, from - 1);
    const double part = std::clamp(at - static_cast<float>(low), 0.0F, 1.0F);
    matrix[static_cast<size_t>(i * from + low)] += 1 - part;
    matrix[static_cast<size_t>(i * from + high)] += part;
  }
  return matrix;
}

std::vector<double> nearest_matrix(int64_t from, int64_t to, double ratio, bool exact) {
  std::vector<double> matrix(static_cast<size_t>(from * to), 0.0);
  const Ints indices = nearest_indices(from, to, ratio, exact);
  for (int64_t i = 0; i < to; ++i)
    matrix[static_cast<size_t>(i * from + indices[static_cast<size_t>(i)])] = 1;
  return matrix;
}

/// Returns the factor that libtorch uses for a nearest resize (fixed_nearest_scale).
std::optional<double> nearest_factor(RowCall& c, size_t i, const Dim& from, const Dim& to) {
  const std::optional<double> factor = factor_of(c, i);
  return factor ? fixed_nearest_scale(from, to).value_or(*factor) : factor;
}

/// Writes Resize with these factors, or with the sizes unless all dimensions have a factor.
Value resize(RowCall& c, const Value& x, const Type& type, const Type& result,
             const std::vector<Attribute>& attributes,
             absl::Span<const std::optional<double>> given) {
  std::vector<double> factors{1, 1};
  factors.reserve(type.sizes().size());
  for (const std::optional<double>& factor : given)
    if (factor) factors.push_back(*factor);
  Value scales, sizes;
  if (factors.size() == type.sizes().size()) {
    scales = c.reals_value(factors, {static_cast<int64_t>(factors.size())}, DType::kFloat32);
  } else {
    sizes = c.sizes_value(result.sizes());
  }
  const Value inputs[] = {x, {}, scales, sizes};
  return c.op("Resize", inputs, attributes);
}

/// Returns the spatial dimensions if all spatial sizes are known.
std::optional<Ints> known_dims(const Type& type, const Type& result) {
  Ints dims;
  for (int d = 2; d < type.rank(); ++d) {
    if (type.size(d).is_symbolic() || result.size(d).is_symbolic()) return std::nullopt;
    dims.push_back(d);
  }
  return dims;
}

void nearest_by(RowCall& c, bool exact) {
  const Type type = c.type(operand_name(c)), result = c.result_type();
  Value x = c.tensor(operand_name(c));
  const std::optional<Ints> dims = known_dims(type, result);
  std::vector<std::optional<double>> factors;
  factors.reserve(type.sizes().size());
  for (int d = 2; d < type.rank(); ++d) {
    const size_t i = static_cast<size_t>(d) - 2;
    factors.push_back(type.rank() == 4 && !exact
                          ? nearest_factor(c, i, type.size(d), result.size(d))
                          : factor_of(c, i));
  }
  bool has_integer_factors =
      !exact && dims.has_value();  // ONNX's coordinates are exact for an integer factor
  for (const int64_t d : dims.value_or(Ints())) {
    const int64_t from = type.size(static_cast<int>(d)).value();
    const int64_t to = result.size(static_cast<int>(d)).value();
    const std::optional<double> given = factors[static_cast<size_t>(d) - 2];
    const int64_t integer = from > 0 && to % from == 0 ? to / from : 0;
    has_integer_factors &= integer > 0 && (!given || *given == static_cast<double>(integer));
  }
  if (!dims || has_integer_factors) {
    if (has_integer_factors) factors.clear();
    return c.result(resize(c, x, type, result,
                           {{"mode", "nearest"},
                            {"coordinate_transformation_mode", exact ? "half_pixel" : "asymmetric"},
                            {"nearest_mode", exact ? "round_prefer_ceil" : "floor"}},
                           factors));
  }
  for (const int64_t d : *dims) {
    const int64_t from = type.size(static_cast<int>(d)).value();
    const int64_t to = result.size(static_cast<int>(d)).value();
    const double ratio = ratio_of(factors[static_cast<size_t>(d) - 2], from, to, false);
    x = c.op("Gather", {x, c.ints_value(nearest_indices(from, to, ratio, exact))}, {{"axis", d}});
  }
  c.result(x);
}

void nearest(RowCall& c) { nearest_by(c, false); }
void nearest_exact(RowCall& c) { nearest_by(c, true); }

void interpolate(RowCall& c) {
  const Type type = c.type(operand_name(c)), result = c.result_type();
  const bool corners = c.flag("align_corners");
  std::vector<Attribute> attributes{
      {"mode", c.row().name},
      {"coordinate_transformation_mode", corners ? "align_corners" : "half_pixel"}};
  if (c.row().name == "cubic") attributes.emplace_back("cubic_coeff_a", -0.75);
  c.result(resize(c, c.tensor(operand_name(c)), type, result, attributes, factors_of(c, type)));
}

void interpolate_antialiased(RowCall& c) {
  if (c.opset() < 18) return c.fail("antialias=True requires opset 18");
  const Type type = c.type(operand_name(c)), result = c.result_type();
  const bool corners = c.flag("align_corners");
  std::vector<Attribute> attributes{
      {"mode", c.row().name},
      {"antialias", 1},
      {"exclude_outside", 1},  // normalizes the weights of the elements inside the input
      {"coordinate_transformation_mode", corners ? "align_corners" : "half_pixel"}};
  if (c.row().name == "cubic") attributes.emplace_back("cubic_coeff_a", -0.5);
  c.result(resize(c, c.tensor(operand_name(c)), type, result, attributes, factors_of(c, type)));
}

/// Converts the gradient of a resize, which multiplies by the transposed matrices.
void backward(RowCall& c) {
  const Type gradient = c.type("grad_output"), result = c.result_type();
  const bool corners = c.has_argument("align_corners") && c.flag("align_corners");
  Value x = c.tensor("grad_output");
  const std::optional<Ints> dims = known_dims(gradient, result);
  if (!dims) return c.fail("the resized sizes must be known");
  for (const int64_t dim : *dims) {
    const int d = static_cast<int>(dim);
    const int64_t from = result.size(d).value(), to = gradient.size(d).value();
    const size_t spatial_dim = static_cast<size_t>(dim) - 2;
    const bool is_nearest = c.row().name == "nearest";
    const double ratio =
        ratio_of(is_nearest ? nearest_factor(c, spatial_dim, result.size(d), gradient.size(d))
                            : factor_of(c, spatial_dim),
                 from, to, corners);
    const std::vector<double> matrix =
        c.row().name == "linear" ? linear_matrix(from, to, ratio, corners)
                                 : nearest_matrix(from, to, ratio, c.row().name == "exact");
    std::vector<double> transposed(matrix.size());
    for (int64_t i = 0; i < to; ++i)
      for (int64_t j = 0; j < from; ++j)
        transposed[static_cast<size_t>(j * to + i)] = matrix[static_cast<size_t>(i * from + j)];
    x = apply_matrix(c, x, gradient.rank(), d, transposed, from, to);
  }
  c.result(x);
}

/// Samples an image or a volume at the coordinates of a grid.
void grid_sample(RowCall& c) {
  static constexpr std::string_view kModes[] = {"linear", "nearest", "cubic"};
  static constexpr std::string_view kModesBefore20[] = {"bilinear", "nearest", "bicubic"};
  static constexpr std::string_view kPaddings[] = {"zeros", "border", "reflection"};
  const int64_t mode = c.integer("interpolation_mode"), padding = c.integer("padding_mode");
  if (mode < 0 || mode > 2 || padding < 0 || padding > 2)
    return c.fail_invalid("interpolation_mode and padding_mode must be between 0 and 2");
  if (c.type("input").rank() == 5 && c.opset() < 20)
    return c.fail("sampling of volumes requires opset 20");
  const Value x = c.tensor("input");
  const auto index = static_cast<size_t>(mode);
  c.result(c.op("GridSample", {x, c.tensor_as("grid", x.dtype)},
                {{"mode", c.opset() < 20 ? kModesBefore20[index] : kModes[index]},
                 {"padding_mode", kPaddings[static_cast<size_t>(padding)]},
                 {"align_corners", c.flag("align_corners")}}));
}

void affine_grid(RowCall& c) {
  if (c.opset() < 20) return c.fail("it requires opset 20");
  const bool is_double = c.type("theta").dtype() == DType::kFloat64;
  const Value theta = c.tensor_as("theta", is_double ? DType::kFloat64 : DType::kFloat32);
  c.result(
      c.op("AffineGrid", {theta, c.shape("size")}, {{"align_corners", c.flag("align_corners")}}));
}

}  // namespace

absl::Span<const Row> resize_rows() {
  static constexpr Row kRows[] = {
      {"aten.upsample_nearest1d.default", nearest, kNumbers, false},
      {"aten.upsample_nearest2d.default", nearest, kNumbers, false},
      {"aten.upsample_nearest3d.default", nearest, kNumbers, false},
      {"aten.upsample_nearest1d.vec", nearest, kNumbers, false},
      {"aten.upsample_nearest2d.vec", nearest, kNumbers, false},
      {"aten.upsample_nearest3d.vec", nearest, kNumbers, false},
      {"aten._upsample_nearest_exact1d.default", nearest_exact, kNumbers, false},
      {"aten._upsample_nearest_exact2d.default", nearest_exact, kNumbers, false},
      {"aten._upsample_nearest_exact3d.default", nearest_exact, kNumbers, false},
      {"aten._upsample_nearest_exact1d.vec", nearest_exact, kNumbers, false},
      {"aten._upsample_nearest_exact2d.vec", nearest_exact, kNumbers, false},
      {"aten._upsample_nearest_exact3d.vec", nearest_exact, kNumbers, false},
      {"aten.upsample_linear1d.default", interpolate, kFloats, true, "linear"},
      {"aten.upsample_bilinear2d.default", interpolate, kFloats, true, "linear"},
      {"aten.upsample_trilinear3d.default", interpolate, kFloats, true, "linear"},
      {"aten.upsample_bicubic2d.default", interpolate, kFloats, true, "cubic"},
      {"aten.upsample_linear1d.vec", interpolate, kFloats, true, "linear"},
      {"aten.upsample_bilinear2d.vec", interpolate, kFloats, true, "linear"},
      {"aten.upsample_trilinear3d.vec", interpolate, kFloats, true, "linear"},
      {"aten.upsample_bicubic2d.vec", interpolate, kFloats, true, "cubic"},
      {"aten._upsample_bilinear2d_aa.default", interpolate_antialiased, kFloats, true, "linear"},
      {"aten._upsample_bicubic2d_aa.default", interpolate_antialiased, kFloats, true, "cubic"},
      {"aten.upsample_linear1d_backward.default", backward, kFloats, true, "linear"},
      {"aten.upsample_bilinear2d_backward.default", backward, kFloats, true, "linear"},
      {"aten.upsample_nearest1d_backward.default", backward, kFloats, true, "nearest"},
      {"aten.upsample_nearest2d_backward.default", backward, kFloats, true, "nearest"},
      {"aten.upsample_nearest3d_backward.default", backward, kFloats, true, "nearest"},
      {"aten._upsample_nearest_exact2d_backward.default", backward, kFloats, true, "exact"},
      {"aten.grid_sampler_2d.default", grid_sample, kFloats},
      {"aten.grid_sampler_3d.default", grid_sample, kFloats},
      {"aten.affine_grid_generator.default", affine_grid, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
