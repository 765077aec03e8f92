// Convolutions, transposed convolutions, and their gradients.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <numeric>

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

/// The arguments of a convolution.
struct Geometry {
  size_t dims = 0;  // the number of spatial dimensions
  Ints stride, padding, dilation, output_padding;
  int64_t groups = 1;
  bool is_transposed = false;

  std::vector<Attribute> attributes(absl::Span<const int64_t> extra = {}) const {
    Ints pads = padding;
    pads.insert(pads.end(), padding.begin(), padding.end());
    for (size_t i = 0; i < extra.size(); ++i) pads[dims + i] += extra[i];
    return {{"strides", stride}, {"pads", pads}, {"dilations", dilation}, {"group", groups}};
  }
};

Geometry geometry_of(RowCall& c, int weight_rank) {
  Geometry g;
  g.dims = static_cast<size_t>(std::max(weight_rank - 2, 0));
  g.stride = c.ints("stride", g.dims);
  g.padding = c.ints("padding", g.dims);
  g.dilation = c.ints("dilation", g.dims);
  g.groups = c.integer("groups");
  g.output_padding.assign(g.dims, 0);
  if (c.has_argument("output_padding")) g.output_padding = c.ints("output_padding", g.dims);
  g.is_transposed = c.has_argument("transposed") && c.flag("transposed");
  return g;
}

Value convolve(RowCall& c, const Geometry& g, const Value& x, const Value& weight,
               const Value& bias) {
  std::vector<Attribute> attributes = g.attributes();
  if (g.is_transposed) attributes.emplace_back("output_padding", g.output_padding);
  const Value inputs[] = {x, weight, bias};
  return c.op(g.is_transposed ? "ConvTranspose" : "Conv", inputs, attributes);
}

/// Sets the result. The rank of an unbatched input is the rank of the weight minus 1.
void finish(RowCall& c, const Geometry& g) {
  const DType dtype = c.result_dtype();
  const bool is_single = c.type("input").rank() + 1 == c.type("weight").rank();
  Value x = c.tensor_as("input", dtype);
  if (is_single) x = c.unsqueeze(x, {0});
  const Value bias = c.has("bias") ? c.tensor_as("bias", dtype) : Value();
  const Value y = convolve(c, g, x, c.tensor_as("weight", dtype), bias);
  c.result(is_single ? c.squeeze(y, {0}) : y);
}

void convolution(RowCall& c) { finish(c, geometry_of(c, c.type("weight").rank())); }

void transposed_convolution(RowCall& c) {
  Geometry g = geometry_of(c, c.type("weight").rank());
  g.is_transposed = true;
  finish(c, g);
}

/// Converts a convolution with padding "valid" or "same". If the number of added elements is
/// odd, "same" adds the last one at the end.
void named_padding(RowCall& c) {
  const Type weight = c.type("weight");
  const std::string name = c.text("padding");
  Geometry g;
  g.dims = static_cast<size_t>(std::max(weight.rank() - 2, 0));
  g.stride = c.ints("stride", g.dims);
  g.dilation = c.ints("dilation", g.dims);
  g.groups = c.integer("groups");
  g.padding.assign(g.dims, 0);
  Ints extra(g.dims, 0);
  for (size_t i = 0; i < g.dims && name == "same"; ++i) {
    const Dim& size = weight.size(static_cast<int>(i) + 2);
    if (size.is_symbolic()) return c.fail("the sizes of its weight must be known");
    const int64_t total = g.dilation[i] * (size.value() - 1);
    g.padding[i] = total / 2;
    extra[i] = total - 2 * g.padding[i];
  }
  const DType dtype = c.result_dtype();
  const bool is_single = c.type("input").rank() + 1 == weight.rank();
  Value x = c.tensor_as("input", dtype);
  if (is_single) x = c.unsqueeze(x, {0});
  const Value inputs[] = {x, c.tensor_as("weight", dtype),
                          c.has("bias") ? c.tensor_as("bias", dtype) : Value()};
  const Value y = c.op("Conv", inputs, g.attributes(extra));
  c.result(is_single ? c.squeeze(y, {0}) : y);
}

// ---------------------------------------------------------------- gradients

/// Returns the gradient of the input: the transposed convolution of the gradient of the result or,
/// for a transposed convolution, its convolution.
Value input_gradient(RowCall& c, const Geometry& g, const Value& gradient, const Value& weight) {
  Geometry inverse = g;
  inverse.is_transposed = !g.is_transposed;
  if (inverse.is_transposed) {
    const Type input = c.type("input"), kernel = c.type("weight"), out = c.type("grad_output");
    for (size_t i = 0; i < g.dims; ++i) {
      const int d = static_cast<int>(i) + 2;
      const Dim spanned = (out.size(d) - Dim(1)) * Dim(g.stride[i]) - Dim(2 * g.padding[i]) +
                          Dim(g.dilation[i]) * (kernel.size(d) - Dim(1)) + Dim(1);
      const Dim missing = (input.size(d) - spanned).canonical();
      if (missing.is_symbolic()) {
        c.fail("with this stride, the sizes of its input must be known");
        return {};
      }
      inverse.output_padding[i] = missing.value();
    }
  }
  return convolve(c, inverse, gradient, weight, {});
}

/// Converts [n, g * c, ...] to [c, g * n, ...], that is, exchanges the batch and the channels of
/// each group.
Value swap_groups(RowCall& c, const Value& x, const Type& type, int64_t groups, bool groups_first) {
  DimVector split{type.size(0), Dim(groups), floor_div(type.size(1), Dim(groups))};
  Ints order = groups_first ? Ints{1, 2, 0} : Ints{2, 1, 0};
  DimVector joined;
  if (groups_first) {
    joined = {type.size(1), type.size(0)};
  } else {
    joined = {floor_div(type.size(1), Dim(groups)), Dim(groups) * type.size(0)};
  }
  for (int d = 2; d < type.rank(); ++d) {
    split.push_back(type.size(d));
    joined.push_back(type.size(d));
    order.push_back(d + 1);
  }
  const Value parts = c.reshape(x, type.sizes(), split);
  return c.reshape(c.transpose(parts, order), {}, joined);
}

/// Returns the gradient of the weight: the convolution over the batch of `x`, the input, with `y`,
/// the gradient of the result. For a transposed convolution, the two are exchanged.
Value weight_gradient(RowCall& c, const Geometry& g, const Value& x, const Type& x_type,
                      const Value& y, const Type& y_type) {
  const Type weight = c.type("weight");
  Geometry slide = g;
  std::swap(slide.stride, slide.dilation);
  slide.is_transposed = false;
  const Value left = swap_groups(c, x, x_type, g.groups, false);
  const Value right = swap_groups(c, y, y_type, g.groups, true);
  Value gradient = convolve(c, slide, left, right, {});
  for (size_t i = 0; i < g.dims; ++i) {
    const int d = static_cast<int>(i) + 2;
    const Dim& size = weight.size(d);
    if (size.is_symbolic()) {
      c.fail("the sizes of its weight must be known");
      return {};
    }
    gradient = c.slice(gradient, d, 0, size.value());
  }
  // Convert [c, g * o, ...] to [g * o, c, ...].
  Ints order{1, 0};
  for (int d = 2; d < weight.rank(); ++d) order.push_back(d);
  return c.transpose(gradient, order);
}

void convolution_backward(RowCall& c) {
  const Type input = c.type("input"), weight = c.type("weight"), out = c.type("grad_output");
  const Geometry g = geometry_of(c, weight.rank());
  const Ints mask = c.ints("output_mask");
  if (c.failed()) return;
  if (mask.size() != 3) return c.fail("its output_mask must consist of three constants");
  if (input.rank() != weight.rank()) return c.fail("an unbatched input is not supported");
  const DType dtype = computing_dtype(out.dtype());
  const Value gradient = c.tensor_as("grad_output", dtype);
  const Value x = c.tensor_as("input", dtype), w = c.tensor_as("weight", dtype);
  Value results[3];
  if (mask[0] != 0) results[0] = input_gradient(c, g, gradient, w);
  if (mask[1] != 0) {
    results[1] = g.is_transposed ? weight_gradient(c, g, gradient, out, x, input)
                                 : weight_gradient(c, g, x, input, gradient, out);
  }
  if (mask[2] != 0) {
    Ints dims{0};
    for (int d = 2; d < out.rank(); ++d) dims.push_back(d);
    results[2] = c.reduce("ReduceSum", gradient, dims, false);
  }
  if (!c.failed()) c.results(results);
}

/// Adds each column of a matrix to the elements of one window.
void col2im(RowCall& c) {
  if (c.opset() < 18) return c.fail("it requires opset 18");
  const Ints padding = c.ints("padding", 2);
  const bool is_single = c.type("self").rank() == 2;
  if (c.failed()) return;
  Value x = c.tensor("self");
  if (is_single) x = c.unsqueeze(x, {0});
  const Value y =
      c.op("Col2Im", {x, c.shape("output_size"), c.ints_value(c.ints("kernel_size", 2))},
           {{"dilations", c.ints("dilation", 2)},
            {"pads", Ints{padding[0], padding[1], padding[0], padding[1]}},
            {"strides", c.ints("stride", 2)}});
  c.result(is_single ? c.squeeze(y, {0}) : y);
}

}  // namespace

absl::Span<const Row> convolution_rows() {
  static constexpr Row kRows[] = {
      {"aten.convolution.default", convolution, kFloats},
      {"aten.conv1d.default", convolution, kFloats},
      {"aten.conv2d.default", convolution, kFloats},
      {"aten.conv3d.default", convolution, kFloats},
      {"aten.conv1d.padding", named_padding, kFloats},
      {"aten.conv2d.padding", named_padding, kFloats},
      {"aten.conv3d.padding", named_padding, kFloats},
      {"aten.conv_transpose1d.default", transposed_convolution, kFloats},
      {"aten.conv_transpose2d.input", transposed_convolution, kFloats},
      {"aten.conv_transpose3d.input", transposed_convolution, kFloats},
      {"aten.convolution_backward.default", convolution_backward, kFloats},
      {"aten.col2im.default", col2im, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
