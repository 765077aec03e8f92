// Type functions for convolution, forward and backward.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

struct Geometry {
  DimVector stride, padding, dilation, output_padding;  // one item for each spatial dimension
  bool transposed = false;
  Dim groups = 1;
  bool keeps_sizes = false;  ///< padding "same": the result has the spatial sizes of the input
};

/// True if oneDNN's kernels compute the convolution on the CPU. Equivalent to
/// ConvParams::use_mkldnn in ATen/native/Convolution.cpp with more than one thread. Symbolic sizes
/// count as large.
bool uses_onednn(Type x, Type weight, const Geometry& g) {
  if (x.dtype() == DType::kBFloat16) return true;
  if (x.dtype() != DType::kFloat32) return false;
  const auto is_greater = [](const Dim& size, int64_t bound) {
    return !size.is_int() || size.value() > bound;
  };
  const int rank = weight.rank();
  Dim count = 1;
  for (size_t i = 0; i < x.sizes().size() && i < 4; ++i) count = count * x.sizes()[i];
  return is_greater(g.groups, 1) || is_greater(x.sizes()[0], 1) || is_greater(count, 20480) ||
         (rank > 3 && is_greater(weight.size(rank - 1), 3) && is_greater(weight.size(rank - 2), 3));
}

/// Returns the memory format of the results of the CPU kernels: channels_last if the input or the
/// weight has this format. The kernels first convert the input to that format; then the format of
/// an input with one element for each item of the batch is ambiguous. A convolution with one
/// spatial dimension is computed as one with two, the first of size 1, on a contiguous input.
MemoryFormat kernel_format(TypeCall& c, Type x, Type weight, const Geometry& g) {
  // The other kernels for three spatial dimensions write contiguous results.
  if (x.rank() == 5 && !uses_onednn(x, weight, g)) return MemoryFormat::kContiguous;
  if (x.rank() == 3) {
    if (!is_contiguous(x)) x = contiguous_like(c, x);
    if (x) x = unsqueeze(c, x, 2);
    weight = unsqueeze(c, weight, 2);
  }
  if (!x || !weight) return MemoryFormat::kContiguous;
  const MemoryFormat last =
      x.rank() == 4 ? MemoryFormat::kChannelsLast : MemoryFormat::kChannelsLast3d;
  if (suggested_format(c, weight) == last) return last;
  if (suggested_format(c, x) != last || is_contiguous(x, last)) return suggested_format(c, x);
  const Type input = c.types().tensor(
      {.dtype = x.dtype(), .sizes = x.sizes(), .strides = strides_of(x.sizes(), last)});
  return input ? suggested_format(c, input) : last;
}

/// Returns the type of a result of these sizes in `format`. A result of rank 3 is a view of a
/// result of rank 4 without its dimension of size 1.
Type in_format(TypeCall& c, DType dtype, const DimVector& sizes, MemoryFormat format) {
  if (format == MemoryFormat::kContiguous) return c.result(dtype, sizes);
  if (sizes.size() != 3) return c.result(dtype, sizes, strides_of(sizes, format));
  const Dim four[] = {sizes[0], sizes[1], 1, sizes[2]};
  DimVector strides = strides_of(four, format);
  strides.erase(strides.begin() + 2);
  return c.result(dtype, sizes, strides);
}

DimVector output_sizes(TypeCall& c, Type x, Type weight, const Geometry& g) {
  DimVector sizes = {x.sizes()[0], g.transposed ? weight.sizes()[1] * g.groups : weight.sizes()[0]};
  for (size_t i = 0; i < g.stride.size(); ++i) {
    const Dim size = x.sizes()[i + 2];
    if (g.keeps_sizes) {
      sizes.push_back(size);
      continue;
    }
    const Dim span = g.dilation[i] * (weight.sizes()[i + 2] - 1);
    if (g.transposed) {
      sizes.push_back((size - 1) * g.stride[i] - 2 * g.padding[i] + span + g.output_padding[i] + 1);
      if (sizes.back() == Dim(0) && !uses_onednn(x, weight, g)) {
        c.fail("the result would have no elements, but the kernel requires at least one");
        return sizes;
      }
      continue;
    }
    const Dim max_start = size + 2 * g.padding[i] - span - 1;
    if (!c.guard_less_equal(0, max_start)) {
      c.fail(fmt::format(
          "the kernel size with dilation must not exceed the input size with padding: {} > {}",
          to_string(span + 1), to_string(size + 2 * g.padding[i])));
      return sizes;
    }
    sizes.push_back(floor_div(max_start, g.stride[i]) + 1);
  }
  return sizes;
}

/// Checks the geometry like check_shape_forward in ATen/native/Convolution.cpp. Returns false if
/// the call fails.
bool check_geometry(TypeCall& c, Type weight, const Geometry& g) {
  const auto check = [&](const DimVector& dims, int64_t min, std::string_view what) {
    for (const Dim& dim : dims) {
      if (c.guard_less_equal(min, dim)) continue;
      c.fail(fmt::format("{} {} must be at least {}", what, to_string(dim), min));
      return false;
    }
    return true;
  };
  if (!check(g.stride, 1, "stride") || !check(g.padding, 0, "padding") ||
      !check(g.dilation, 1, "dilation") || !check(g.output_padding, 0, "output padding") ||
      !check({g.groups}, 1, "number of groups"))
    return false;
  const Dim first = weight.sizes()[0];
  if (!c.guard_less_equal(g.groups, first) || !c.guard_equal(mod(first, g.groups), 0)) {
    c.fail(fmt::format(
        "the number of groups, {}, must divide the size of dimension 0 of the weight, {}",
        to_string(g.groups), to_string(first)));
    return false;
  }
  for (size_t i = 0; g.transposed && i < g.stride.size(); ++i) {
    const Dim next = g.output_padding[i] + 1;
    if (next == Dim(1) || c.guard_less_equal(next, g.stride[i]) ||
        c.guard_less_equal(next, g.dilation[i]))
      continue;
    c.fail(fmt::format("output padding must be smaller than either stride or dilation, but is {}",
                       to_string(g.output_padding[i])));
    return false;
  }
  return true;
}

Type convolve(TypeCall& c, Type x, Type weight, Type bias, const Geometry& g) {
  const int spatial = weight.rank() - 2;
  if (spatial < 1 || spatial > 3)
    return c.fail(fmt::format("the weight must have 3 to 5 dimensions, not {}", weight.rank()));
  const bool batched = x.rank() == weight.rank();
  if (!batched) {
    if (x.rank() != weight.rank() - 1) {
      return c.fail(fmt::format(
          "the input must have as many dimensions as the weight, or one fewer: {} vs. {}", x.rank(),
          weight.rank()));
    }
    x = unsqueeze(c, x, 0);
    if (!x) return Type();
  }
  if (c.failed()) return Type();
  if (x.dtype() != weight.dtype())
    return c.fail(fmt::format("input {} and weight {} must have the same dtype", to_string(x),
                              to_string(weight)));
  if (bias && bias.dtype() != x.dtype()) {
    return c.fail(fmt::format("argument bias cannot be of dtype {} if the input is of dtype {}",
                              dtype_name(bias.dtype()), dtype_name(x.dtype())));
  }
  if (!check_geometry(c, weight, g)) return Type();
  const Dim channels = g.transposed ? weight.sizes()[0] : weight.sizes()[1] * g.groups;
  if (!c.guard_equal(x.sizes()[1], channels)) {
    return c.fail(fmt::format("the input has {} channels, but the weight requires {}",
                              to_string(x.sizes()[1]), to_string(channels)));
  }
  const Dim filters = g.transposed ? weight.sizes()[1] * g.groups : weight.sizes()[0];
  if (bias && (bias.rank() != 1 || !c.guard_equal(bias.sizes()[0], filters)))
    return c.fail(fmt::format("the bias {} must be 1-D with {} elements", to_string(bias),
                              to_string(filters)));
  DimVector sizes = output_sizes(c, x, weight, g);
  if (c.failed()) return Type();
  if (x.sizes()[1] == Dim(0)) sizes[1] = 0;  // as in PyTorch
  const Type result = in_format(c, x.dtype(), sizes, kernel_format(c, x, weight, g));
  return batched || !result ? result : select(c, result, 0, 0);
}

/// convolution(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
Type convolution(TypeCall& c) {
  const size_t n = index(std::max(c.tensor(1).rank() - 2, 0));
  Geometry g{c.dims(3, n), c.dims(4, n), c.dims(5, n), c.dims(7, n), c.boolean(6), c.dim(8)};
  return convolve(c, c.tensor(0), c.tensor(1), c.optional_tensor(2), g);
}

/// conv2d(input, weight, bias, stride, padding, dilation, groups)
Type conv(TypeCall& c) {
  const size_t n = index(std::max(c.tensor(1).rank() - 2, 0));
  Geometry g{c.dims(3, n), c.dims(4, n), c.dims(5, n), DimVector(n, Dim(0)), false, c.dim(6)};
  return convolve(c, c.tensor(0), c.tensor(1), c.optional_tensor(2), g);
}

/// conv2d(input, weight, bias, stride, padding, dilation, groups) with padding "same" or "valid".
Type conv_padding(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.tensor(1);
  const size_t n = index(std::max(weight.rank() - 2, 0));
  Geometry g{c.dims(3, n), DimVector(n, Dim(0)), c.dims(5, n), DimVector(n, Dim(0)), false,
             c.dim(6)};
  const std::string_view padding = c.string(4);
  if (padding != "same" && padding != "valid") return c.fail_argument(4, "\"same\" or \"valid\"");
  g.keeps_sizes = padding == "same";
  for (const Dim& stride : g.stride)
    if (g.keeps_sizes && stride != Dim(1)) return c.fail("padding \"same\" requires a stride of 1");
  return convolve(c, x, weight, c.optional_tensor(2), g);
}

/// conv_transpose2d(input, weight, bias, stride, padding, output_padding, groups, dilation)
Type conv_transpose(TypeCall& c) {
  const size_t n = index(std::max(c.tensor(1).rank() - 2, 0));
  Geometry g{c.dims(3, n), c.dims(4, n), c.dims(7, n), c.dims(5, n), true, c.dim(6)};
  return convolve(c, c.tensor(0), c.tensor(1), c.optional_tensor(2), g);
}

/// convolution_backward(grad, input, weight, bias_sizes, stride, padding, dilation, transposed,
/// output_padding, groups, output_mask)
Type convolution_backward(TypeCall& c) {
  const Type grad = c.tensor(0), x = c.tensor(1), weight = c.tensor(2);
  const auto mask = c.argument(10);
  if (mask.size() != 3) return c.fail_argument(10, "a list of three bools");
  if (grad.rank() < 3 || x.rank() != weight.rank() || grad.rank() != x.rank())
    return c.fail("gradient, input and weight must have the same number of dimensions, 3 to 5");
  const size_t n = index(weight.rank()) - 2;
  const Geometry g{c.dims(4, n), c.dims(5, n), c.dims(6, n), c.dims(8, n), c.boolean(7), c.dim(9)};
  if (c.failed() || !check_geometry(c, weight, g)) return Type();
  const Dim channels = g.transposed ? weight.sizes()[0] : weight.sizes()[1] * g.groups;
  if (!c.guard_equal(x.sizes()[1], channels)) {
    return c.fail(fmt::format("the input has {} channels, but the weight requires {}",
                              to_string(x.sizes()[1]), to_string(channels)));
  }
  const DimVector sizes = output_sizes(c, x, weight, g);
  if (c.failed()) return Type();
  // For an empty input, the kernel computes nothing and checks no sizes.
  if (numel(x.sizes()) != Dim(0) && !same_sizes(c, sizes, grad.sizes())) {
    return c.fail(
        fmt::format("the gradient must have the sizes of the result, not {}", to_string(grad)));
  }
  const MemoryFormat format = kernel_format(c, x, weight, g);
  const auto is_required = [&](size_t i) { return mask[i].as_bool().value_or(false); };
  const Type none = c.none();
  return c.tuple({
      is_required(0) ? in_format(c, x.dtype(), to_vector(x.sizes()), format) : none,
      is_required(1) ? in_format(c, weight.dtype(), to_vector(weight.sizes()), format) : none,
      is_required(2) ? c.result(grad.dtype(), {grad.sizes()[1]}) : none,
  });
}

/// conv_tbc(input[T, B, C], weight[K, C, D], bias[D], pad): one spatial dimension, channels last.
Type conv_tbc(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.tensor(1), bias = c.tensor(2);
  if (x.rank() != 3 || weight.rank() != 3 || bias.rank() != 1 ||
      !c.guard_equal(x.sizes()[2], weight.sizes()[1]) ||
      !c.guard_equal(weight.sizes()[2], bias.sizes()[0])) {
    return c.fail(
        fmt::format("expected input[T, B, C], weight[K, C, D] and bias[D], not {}, {}, {}",
                    to_string(x), to_string(weight), to_string(bias)));
  }
  const Dim length = x.sizes()[0] + 2 * c.dim(3) - weight.sizes()[0] + 1;
  if (!c.guard_less_equal(0, length))
    return c.fail(fmt::format("kernel size {} is greater than the input size with padding, {}",
                              to_string(weight.sizes()[0]),
                              to_string(x.sizes()[0] + 2 * c.dim(3))));
  return c.result(x.dtype(), {length, x.sizes()[1], weight.sizes()[2]});
}
/// conv_tbc_backward(grad, input, weight, bias, pad)
Type conv_tbc_backward(TypeCall& c) {
  Type gradients[3];
  for (int i = 0; i < 3; ++i) gradients[i] = contiguous_like(c, c.tensor(i + 1));
  return c.tuple({gradients[0], gradients[1], gradients[2]});
}

constexpr TypeRule kConvRules[] = {
    {"aten.convolution.default", convolution},
    {"aten.convolution_overrideable.default", convolution},
    {"aten._convolution.default", convolution},
    {"aten._convolution.deprecated", convolution},
    {"aten._convolution_mode.default", conv_padding},
    {"aten.conv_tbc.default", conv_tbc},
    {"aten.conv_tbc_backward.default", conv_tbc_backward},
    {"aten.conv1d.default", conv},
    {"aten.conv2d.default", conv},
    {"aten.conv3d.default", conv},
    {"aten.conv1d.padding", conv_padding},
    {"aten.conv2d.padding", conv_padding},
    {"aten.conv3d.padding", conv_padding},
    {"aten.conv_transpose1d.default", conv_transpose},
    {"aten.conv_transpose2d.input", conv_transpose},
    {"aten.conv_transpose3d.input", conv_transpose},
    {"aten.convolution_backward.default", convolution_backward},
};

}  // namespace

absl::Span<const TypeRule> conv_rules() { return kConvRules; }

}  // namespace fx::shape
