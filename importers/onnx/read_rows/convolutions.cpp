// Convolutions.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <algorithm>

namespace fx::onnx::reader {

Ints spatial(Call& c, std::string_view name, size_t count, int64_t default_value) {
  std::optional<Ints> values = c.ints(name);
  if (!values) return Ints(count, default_value);
  if (values->size() != count) {
    c.fail_invalid(std::string(name) + " must have " + std::to_string(count) + " items");
    return Ints(count, default_value);
  }
  return *values;
}

namespace {

bool are_positive(Call& c, absl::Span<const int64_t> values, std::string_view name) {
  constexpr int64_t kMaxValue = 1 << 20;
  const bool fits =
      std::ranges::all_of(values, [](int64_t value) { return value > 0 && value < kMaxValue; });
  if (!fits) c.fail_invalid(std::string(name) + " must be positive and less than 2^20");
  return fits;
}

}  // namespace

Padding padding_of(Call& c, Val x, absl::Span<const int64_t> windows,
                   absl::Span<const int64_t> strides) {
  const size_t count = windows.size();
  Padding padding{Ints(count, 0), Ints(count, 0)};
  const std::string automatic = c.text("auto_pad", "NOTSET");
  if (automatic == "NOTSET") {
    const Ints pads = spatial(c, "pads", 2 * count, 0);
    constexpr int64_t kMaxValue = 1 << 30;
    for (size_t i = 0; i < count; ++i) {
      padding.low[i] = pads[i];
      padding.high[i] = pads[count + i];
      if (std::min(pads[i], pads[count + i]) < -kMaxValue ||
          std::max(pads[i], pads[count + i]) > kMaxValue)
        c.fail_invalid("a pad is out of range");
    }
    return padding;
  }
  c.ignore_attribute("pads");
  if (automatic == "VALID") return padding;
  if (automatic != "SAME_UPPER" && automatic != "SAME_LOWER") {
    c.fail_invalid("auto_pad must be NOTSET, VALID, SAME_UPPER or SAME_LOWER");
    return padding;
  }
  for (size_t i = 0; i < count && !c.failed(); ++i) {
    int64_t total = windows[i] - 1;
    if (strides[i] != 1) {
      const int64_t size = c.constant_dim(x, static_cast<int64_t>(i) + 2);
      const int64_t steps = (size + strides[i] - 1) / strides[i];
      total = std::max<int64_t>(0, (steps - 1) * strides[i] + windows[i] - size);
    }
    padding.low[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
    padding.high[i] = total - padding.low[i];
  }
  return padding;
}

namespace {

struct ConvolutionSpec {
  Ints strides, dilations, windows;
  Padding padding;
  int64_t groups = 1;
};

ConvolutionSpec spec_of(Call& c, Val x, Val weight) {
  ConvolutionSpec spec;
  const int rank = c.rank(x);
  if (rank < 3 || c.rank(weight) != rank)
    c.fail_invalid("its input and weight must have the same rank, at least 3");
  const auto count = static_cast<size_t>(std::max(rank - 2, 0));
  spec.strides = spatial(c, "strides", count, 1);
  spec.dilations = spatial(c, "dilations", count, 1);
  spec.groups = c.integer("group", 1);
  Ints kernel;
  for (size_t i = 0; i < count; ++i)
    kernel.push_back(c.constant_dim(weight, static_cast<int64_t>(i) + 2));
  if (spatial(c, "kernel_shape", count, 0) != kernel && c.has_attribute("kernel_shape"))
    c.fail_invalid("kernel_shape must match the shape of the weight");
  if (!are_positive(c, spec.strides, "strides") || !are_positive(c, spec.dilations, "dilations"))
    return spec;
  for (size_t i = 0; i < count; ++i)
    spec.windows.push_back((kernel[i] - 1) * spec.dilations[i] + 1);
  return spec;
}

Val convolution(Call& c, Val x, Val weight, Val bias) {
  ConvolutionSpec spec = spec_of(c, x, weight);
  if (c.failed()) return {};
  spec.padding = padding_of(c, x, spec.windows, spec.strides);
  Ints padding = spec.padding.low;
  const bool is_native = spec.padding.is_symmetric() &&
                         std::ranges::all_of(padding, [](int64_t pad) { return pad >= 0; });
  if (!is_native) {
    x = pad_constant(c, x, spec.padding.low, spec.padding.high, 0);
    padding.assign(padding.size(), 0);
  }
  const Ints zeros(padding.size(), 0);
  return c.op("aten.convolution.default",
              {x, weight, bias, c.list(spec.strides), c.list(padding), c.list(spec.dilations),
               false, c.list(zeros), spec.groups});
}

void conv(Call& c) {
  const Val x = c.in(0), weight = c.in(1), bias = c.optional(2);
  c.result(convolution(c, x, weight, bias));
}

/// Returns the pads of a transposed convolution, which are removed from its result.
Padding transposed_padding(Call& c, Val x, const ConvolutionSpec& spec, const Ints& extra) {
  const size_t count = spec.windows.size();
  const std::string automatic = c.text("auto_pad", "NOTSET");
  const std::optional<Ints> shape = c.ints("output_shape");
  if (!shape && automatic == "NOTSET") return padding_of(c, x, spec.windows, spec.strides);
  Padding padding{Ints(count, 0), Ints(count, 0)};
  if (!shape && automatic == "VALID") return padding;
  c.ignore_attribute("pads");
  for (size_t i = 0; i < count && !c.failed(); ++i) {
    const int64_t size = c.constant_dim(x, static_cast<int64_t>(i) + 2);
    const bool has_all = shape && shape->size() == count + 2;
    if (shape && !has_all && shape->size() != count)
      c.fail_invalid("output_shape must have an item for each dimension of the window");
    if (c.failed()) break;
    constexpr int64_t kMaxValue = int64_t{1} << 40;
    const auto is_large = [](int64_t value) { return value < -kMaxValue || value > kMaxValue; };
    if (is_large(extra[i]) || (shape && is_large((*shape)[has_all ? i + 2 : i]))) {
      c.fail_invalid("output_padding or output_shape is out of range");
      break;
    }
    const int64_t output_size = shape ? (*shape)[has_all ? i + 2 : i] : size * spec.strides[i];
    const int64_t total = spec.strides[i] * (size - 1) + extra[i] + spec.windows[i] - output_size;
    const int64_t half = total >= 0 ? total / 2 : -((1 - total) / 2);  // rounds down
    padding.low[i] = automatic == "SAME_UPPER" ? half : total - half;
    padding.high[i] = total - padding.low[i];
  }
  return padding;
}

void conv_transpose(Call& c) {
  const Val x = c.in(0), weight = c.in(1), bias = c.optional(2);
  ConvolutionSpec spec = spec_of(c, x, weight);
  if (c.failed()) return;
  const size_t count = spec.windows.size();
  Ints extra = spatial(c, "output_padding", count, 0);
  spec.padding = transposed_padding(c, x, spec, extra);
  if (c.failed()) return;
  const auto convolve = [&](Val b, const Ints& padding, const Ints& output_padding) {
    return c.op("aten.convolution.default",
                {x, weight, b, c.list(spec.strides), c.list(padding), c.list(spec.dilations), true,
                 c.list(output_padding), spec.groups});
  };
  bool is_native = spec.padding.is_symmetric();
  for (size_t i = 0; i < count; ++i) {
    is_native &= spec.padding.low[i] >= 0 &&
                 extra[i] < std::max(spec.strides[i], spec.dilations[i]) && extra[i] >= 0;
  }
  if (is_native) return c.result(convolve(bias, spec.padding.low, extra));
  // Remove the margins of the full result. A negative margin adds zeros.
  const Ints zeros(count, 0);
  const Val full_result = convolve({}, zeros, zeros);
  Ints low, high;
  for (size_t i = 0; i < count; ++i) {
    low.push_back(-spec.padding.low[i]);
    high.push_back(extra[i] - spec.padding.high[i]);
  }
  Val y = pad_constant(c, full_result, low, high, 0);
  if (bias) {
    Val column = bias;
    for (size_t i = 0; i < count; ++i) column = c.op("aten.unsqueeze.default", {column, -1});
    y = c.op("aten.add.Tensor", {y, column});
  }
  c.result(y);
}

/// Adds `count` dimensions of size 1 after the channels of a scale or zero point.
Val after_channels(Call& c, Val value, int count) {
  if (!value || c.rank(value) == 0) return value;
  for (int i = 0; i < count; ++i) value = c.op("aten.unsqueeze.default", {value, -1});
  return value;
}

/// Subtracts a zero point. Computes in float64, in which products of 8-bit integers and their sums
/// are exact.
Val subtract_zero_point(Call& c, Val x, Val zero_point, int channels_before) {
  Val y = c.cast(x, DType::kFloat64);
  if (zero_point)
    y = c.op("aten.sub.Tensor",
             {y, after_channels(c, c.cast(zero_point, DType::kFloat64), channels_before)});
  return y;
}

void conv_integer(Call& c) {
  const Val x = c.in(0), weight = c.in(1);
  const Val sums =
      convolution(c, subtract_zero_point(c, x, c.optional(2), 0),
                  subtract_zero_point(c, weight, c.optional(3), c.rank(weight) - 1), {});
  c.result(c.cast(sums, DType::kInt32));
}

void qlinear_conv(Call& c) {
  const Val x = c.in(0), weight = c.in(3), zero = c.in(7);
  const int after = c.rank(x) - 2;
  const DType dtype = c.dtype(zero);
  const Val bias = c.has(8) ? c.cast(c.in(8), DType::kFloat64) : Val();
  const Val sums = convolution(c, subtract_zero_point(c, x, c.in(2), 0),
                               subtract_zero_point(c, weight, c.in(5), c.rank(weight) - 1), bias);
  const Val weights = after_channels(c, c.cast(c.in(4), DType::kFloat64), after);
  const Val scale = c.op("aten.mul.Tensor", {weights, c.cast(c.in(1), DType::kFloat64)});
  const Val real = c.op("aten.mul.Tensor", {sums, scale});
  const Val steps = c.op("aten.div.Tensor", {real, c.cast(c.in(6), DType::kFloat64)});
  const Val shifted =
      c.op("aten.add.Tensor", {c.op("aten.round.default", {steps}), c.cast(zero, DType::kFloat64)});
  const bool is_signed_type = dtype == DType::kInt8;
  const Val limited =
      c.op("aten.clamp.default", {shifted, is_signed_type ? -128 : 0, is_signed_type ? 127 : 255});
  c.result(c.cast(limited, dtype));
}

/// Adds each column of a matrix to the elements of one window.
void col2im(Call& c) {
  const Val x = c.in(0);
  const Ints window = c.ints_input(2, "the sizes of the block");
  const Sizes image = c.sizes(1);
  const size_t count = window.size();
  const Ints strides = spatial(c, "strides", count, 1),
             dilations = spatial(c, "dilations", count, 1);
  const Ints pads = spatial(c, "pads", 2 * count, 0);
  bool fits = count == 2 && image.size() == 2;
  for (size_t i = 0; i < count; ++i) fits &= pads[i] == pads[i + count];
  if (!fits) return c.fail("only two-dimensional images with symmetric pads are supported");
  c.result(c.op("aten.col2im.default", {x, c.list(image), c.list(window), c.list(dilations),
                                        c.dims({pads[0], pads[1]}), c.list(strides)}));
}

}  // namespace

absl::Span<const Row> convolution_rows() {
  static constexpr Row kRows[] = {
      {"Conv", conv},
      {"ConvTranspose", conv_transpose},
      {"ConvInteger", conv_integer, 10},
      {"QLinearConv", qlinear_conv, 10},
      {"Col2Im", col2im, 18},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
