// Decompositions of layers, as libtorch's composite operators compute them: convolutions, pooling,
// normalization, dropout and upsampling.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/decompose/families_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace fx {
namespace {

/// Returns a list argument with a number for each of `count` dimensions.
std::vector<int64_t> numbers(Decomposer& d, std::string_view name, size_t count) {
  std::vector<int64_t> values = d.integers(name);
  if (values.size() == 1) values.resize(count, values[0]);
  return values;
}

AnyArg given(const Decomposer& d, std::string_view name) { return AnyArg(d.argument(name)); }

// ---- Convolutions (ATen/native/Convolution.cpp)

struct Convolution {
  std::vector<int64_t> padding, output_padding;
  bool is_transposed = false;
};

/// Adds a batch dimension to `x` if it has none.
AnyArg convolution(Decomposer& d, int64_t dims, const Convolution& c, const Proxy& x) {
  const bool is_batch = d.rank(x) == dims + 2;
  if (!is_batch && d.rank(x) != dims + 1) return d.reject("the input has the wrong rank");
  if (is_complex(d.dtype(x))) return d.reject("complex numbers are not supported");
  const auto count = static_cast<size_t>(dims);
  const Proxy out = d.emit("aten.convolution.default",
                           {is_batch ? x : unsqueeze(x, 0), given(d, "weight"), given(d, "bias"),
                            IntList(numbers(d, "stride", count)), IntList(c.padding),
                            IntList(numbers(d, "dilation", count)), c.is_transposed,
                            IntList(c.output_padding), given(d, "groups")});
  return is_batch ? out : d.emit("aten.squeeze.dim", {out, 0});
}
template <int64_t dims>
AnyArg conv(Decomposer& d) {
  return convolution(
      d, dims,
      {.padding = numbers(d, "padding", dims), .output_padding = std::vector<int64_t>(dims, 0)},
      d.tensor("input"));
}
template <int64_t dims>
AnyArg conv_transpose(Decomposer& d) {
  return convolution(d, dims,
                     {.padding = numbers(d, "padding", dims),
                      .output_padding = numbers(d, "output_padding", dims),
                      .is_transposed = true},
                     d.tensor("input"));
}
/// Handles padding="valid" and "same". If "same" requires more padding on the right than on the
/// left, the difference is added before the convolution.
template <int64_t dims>
AnyArg conv_padding(Decomposer& d) {
  Proxy x = d.tensor("input");
  const Proxy weight = d.tensor("weight");
  Convolution c{.padding = std::vector<int64_t>(dims, 0),
                .output_padding = std::vector<int64_t>(dims, 0)};
  if (d.text("padding") == "same") {
    const std::vector<int64_t> dilation = numbers(d, "dilation", dims);
    std::vector<int64_t> before(2 * dims, 0);  // as constant_pad_nd: the last dimension first
    for (size_t i = 0; i < dims; ++i) {
      const int64_t total = dilation[i] * (d.known_size(weight, static_cast<int64_t>(i) + 2) - 1);
      c.padding[i] = total / 2;
      before[2 * (dims - 1 - i) + 1] = total % 2;
    }
    if (std::ranges::count(before, 0) != 2 * dims)
      x = d.emit("aten.constant_pad_nd.default", {x, IntList(before), 0});
  }
  return convolution(d, dims, c, x);
}

// ---- Pooling (ATen/native/Pool*.cpp, AdaptiveAveragePooling.cpp)

template <Literal op>
AnyArg first_of_pool(Decomposer& d) {
  return d.emit(op.view(), {d.tensor("self"), given(d, "kernel_size"), given(d, "stride"),
                            given(d, "padding"), given(d, "dilation"), given(d, "ceil_mode")})[0];
}
/// Converts an argument of 1-d pooling for 2-d pooling whose first dimension has one element.
IntList flat(Decomposer& d, std::string_view name, int64_t first) {
  std::vector<int64_t> values = d.integers(name);
  if (values.empty()) return IntList(values);  // stride: the default is the kernel size
  return IntList({first, values[0]});
}
AnyArg max_pool1d(Decomposer& d) {
  const Proxy out =
      d.emit("aten.max_pool2d_with_indices.default",
             {unsqueeze(d.tensor("self"), -2), flat(d, "kernel_size", 1), flat(d, "stride", 1),
              flat(d, "padding", 0), flat(d, "dilation", 1), given(d, "ceil_mode")})[0];
  return squeeze(out, {-2});
}
AnyArg avg_pool1d(Decomposer& d) {
  const Proxy out =
      d.emit("aten.avg_pool2d.default",
             {unsqueeze(d.tensor("self"), -2), flat(d, "kernel_size", 1), flat(d, "stride", 1),
              flat(d, "padding", 0), given(d, "ceil_mode"), given(d, "count_include_pad")});
  return squeeze(out, {-2});
}
AnyArg adaptive_avg_pool1d(Decomposer& d) {
  const std::vector<int64_t> size = d.integers("output_size");
  if (size.empty()) return d.reject("output_size must not be empty");
  const Proxy out = d.emit("aten.adaptive_avg_pool2d.default",
                           {unsqueeze(d.tensor("self"), -2), IntList({1, size[0]})});
  return squeeze(out, {-2});
}
template <int64_t dims, Literal op>
AnyArg adaptive_avg_pool(Decomposer& d) {
  const std::vector<int64_t> size = numbers(d, "output_size", dims);
  if (std::ranges::count(size, 1) == dims)
    return mean(d.tensor("self"), Decomposer::range(-dims, 0), true);
  return d.emit(op.view(), {d.tensor("self"), IntList(size)});
}

// ---- Normalization and dropout

AnyArg layer_norm_composite(Decomposer& d) {
  return d.emit("aten.native_layer_norm.default",
                {d.tensor("input"), given(d, "normalized_shape"), given(d, "weight"),
                 given(d, "bias"), d.number("eps")})[0];
}
/// Returns `x` if it is dense in its memory format; otherwise a contiguous copy.
Proxy dense(Decomposer& d, const Proxy& x) {
  const Type type = d.type(x);
  const bool is_dense = is_contiguous(type) ||
                        (d.rank(x) == 4 && is_contiguous(type, MemoryFormat::kChannelsLast)) ||
                        (d.rank(x) == 5 && is_contiguous(type, MemoryFormat::kChannelsLast3d));
  return is_dense ? x : x.clone(MemoryFormat::kContiguous);
}
AnyArg group_norm_composite(Decomposer& d) {
  const Proxy x = dense(d, d.tensor("input"));
  if (d.rank(x) < 2) return d.reject("the input must have a batch and channels");
  return d.emit("aten.native_group_norm.default",
                {x, given(d, "weight"), given(d, "bias"), d.size(x, 0), d.size(x, 1),
                 d.product(d.sizes(x, 2)), given(d, "num_groups"), d.number("eps")})[0];
}
/// Computes batch normalization of a single example that has the channels of all examples.
AnyArg instance_norm(Decomposer& d) {
  const Proxy x = d.tensor("input");
  const bool has_stats = !d.is_none("running_mean") || !d.is_none("running_var");
  const bool use_input_stats = d.flag("use_input_stats");
  if (use_input_stats && has_stats) return d.reject("writing running statistics is not supported");
  if (d.rank(x) < 3) return d.reject("the input must have a batch, channels and other dimensions");
  const auto repeated = [&](std::string_view name) {
    const Proxy value = d.optional_tensor(name);
    return value.defined() ? AnyArg(value.repeat({d.size(x, 0)})) : AnyArg(std::nullopt);
  };
  std::vector<IntArg> sizes = {1, -1};
  for (const IntArg& size : d.sizes(x, 2)) sizes.push_back(size);
  const Proxy one = d.reshape(x, sizes);
  const Proxy out = d.emit(
      "aten.batch_norm.default",
      {one, repeated("weight"), repeated("bias"), repeated("running_mean"), repeated("running_var"),
       use_input_stats, d.number("momentum"), d.number("eps"), d.flag("cudnn_enabled")});
  return out.view(d.sizes(x));
}
/// Computes x * rsqrt(mean(x ** 2) + eps) * weight, in float32 for 16-bit types.
AnyArg rms_norm(Decomposer& d) {
  const Proxy input = d.tensor("input"), x = d.opmath(input);
  const Proxy weight = d.optional_tensor("weight");
  const auto count = static_cast<int64_t>(d.argument("normalized_shape").size());
  if (is_complex(d.dtype(x))) return d.reject("complex numbers are not supported");
  double eps = d.dtype(x) == DType::kFloat64 ? std::numeric_limits<double>::epsilon()
                                             : double{std::numeric_limits<float>::epsilon()};
  if (!d.is_none("eps")) {
    eps = d.number("eps");
    if (d.dtype(x) == DType::kFloat32) eps = double{static_cast<float>(eps)};
  }
  const Proxy square = mean(pow(x, 2), Decomposer::range(d.rank(x) - count, d.rank(x)), true);
  Proxy out = x * rsqrt(square + eps);
  if (weight.defined()) out = out * weight;
  return d.cast(out, d.dtype(input));
}
/// Returns random bools, drawn in the order of the elements of empty_like(x) in memory, as libtorch
/// draws them on the CPU. aten.bernoulli.p draws in row-major order.
Proxy kept_elements(Decomposer& d, const Proxy& x, double p) {
  const Proxy like = empty_like(x);
  const Type type = d.type(like);
  if (!type.has_rank() || !type.has_strides()) {
    d.reject("the order in which its random numbers are drawn is not known");
    return like;
  }
  if (is_contiguous(type)) return d.emit("aten.bernoulli.p", {like, p});
  std::vector<int64_t> order = Decomposer::range(0, type.rank()), back(order.size());
  const auto stride = [&](int64_t dim) { return type.strides()[static_cast<size_t>(dim)]; };
  const bool is_known = std::ranges::all_of(order, [&](int64_t i) { return stride(i).is_int(); });
  if (is_known) {
    std::ranges::stable_sort(
        order, [&](int64_t a, int64_t b) { return stride(a).value() > stride(b).value(); });
  }
  const Proxy rows = permute(like, order);
  if (!is_contiguous(d.type(rows)))
    d.reject("the order in which its random numbers are drawn is not known");
  for (size_t i = 0; i < order.size(); ++i)
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return permute(d.emit("aten.bernoulli.p", {rows, p}), back);
}
AnyArg dropout(Decomposer& d) {
  const Proxy x = d.tensor("input");
  const double p = d.number("p");
  if (!d.flag("train") || p == 0 || d.is_empty(x)) return x;
  if (p == 1) return x * d.zeros({}, x);
  return x * d.emit("aten.div.Scalar", {kept_elements(d, x, 1 - p), 1 - p});
}
AnyArg prelu_composite(Decomposer& d) {
  const Proxy x = d.tensor("self"), weight = d.tensor("weight");
  if (d.rank(weight) == d.rank(x)) return d.emit("aten._prelu_kernel.default", {x, weight});
  std::vector<IntArg> sizes(static_cast<size_t>(d.rank(x)), 1);
  if (sizes.size() > 1) sizes[1] = d.rank(weight) == 0 ? IntArg(1) : d.size(weight, 0);
  return d.emit("aten._prelu_kernel.default", {x, d.reshape(weight, sizes)});
}

// ---- Upsampling: the overloads with a list of scales (ATen/native/UpSample*.cpp)

/// Returns the sizes of the result after the batch and the channels: numbers, or values of the
/// graph; empty if they are not known.
std::vector<IntArg> upsampled_sizes(Decomposer& d, size_t dims) {
  std::vector<Dim> sizes;
  sizes.reserve(dims);
  // A recorded type may contain the sizes as PyTorch computes them: TruncToInt(0.5*ToFloat(4*s0)).
  const absl::StatusOr<Type> inferred = infer_type(d.call(), {.env = &d.shape_env()});
  const Type type = inferred.ok() && inferred->is_tensor() ? *inferred : d.result();
  if (!type.is_tensor() || type.sizes().size() != dims + 2) return d.dims("output_size");
  for (size_t i = 0; i < dims; ++i) sizes.push_back(type.size(static_cast<int>(i) + 2));
  const absl::StatusOr<std::vector<Argument>> found = materialize_symints(d.graph(), sizes);
  if (!found.ok()) return d.dims("output_size");
  std::vector<IntArg> values;
  for (const Argument& size : *found)
    values.push_back(size.is_int() ? IntArg(size.as_int()) : IntArg(Proxy(*size.as_node(), d)));
  return values;
}
template <int64_t dims, bool has_corners, Literal op>
AnyArg upsample_vec(Decomposer& d) {
  const Proxy x = d.tensor("input");
  if (x.node() == nullptr) return x;  // its type is unknown; the call is kept
  const std::vector<IntArg> sizes = upsampled_sizes(d, dims);
  if (sizes.size() != dims) return d.reject("the size of the result is not known");
  std::vector<Argument> args = {Argument(x.node()), IntList(sizes).value()};
  if (has_corners) args.emplace_back(d.flag("align_corners"));
  const Argument scales = d.argument("scale_factors");
  for (size_t i = 0; i < dims; ++i) args.push_back(scales.is_none() ? Argument() : scales[i]);
  return d.call_function(d.graph().context().function(op.view()), args);
}

AnyArg grid_sampler(Decomposer& d) {
  const Proxy x = d.tensor("input");
  if (d.rank(x) != 4 && d.rank(x) != 5) return d.reject("the input must have rank 4 or 5");
  return d.emit(d.rank(x) == 4 ? "aten.grid_sampler_2d.default" : "aten.grid_sampler_3d.default",
                {x, d.tensor("grid"), given(d, "interpolation_mode"), given(d, "padding_mode"),
                 given(d, "align_corners")});
}

}  // namespace

absl::Span<const DecompositionRow> layer_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.adaptive_avg_pool1d.default", adaptive_avg_pool1d, kCore},
      {"aten.adaptive_avg_pool2d.default",
       adaptive_avg_pool<2, "aten._adaptive_avg_pool2d.default">, kCore},
      {"aten.adaptive_avg_pool3d.default",
       adaptive_avg_pool<3, "aten._adaptive_avg_pool3d.default">, kCore},
      {"aten.avg_pool1d.default", avg_pool1d, kCore},
      {"aten.conv1d.default", conv<1>, kCore},
      {"aten.conv1d.padding", conv_padding<1>, kCore},
      {"aten.conv2d.default", conv<2>, kCore},
      {"aten.conv2d.padding", conv_padding<2>, kCore},
      {"aten.conv3d.default", conv<3>, kCore},
      {"aten.conv3d.padding", conv_padding<3>, kCore},
      {"aten.conv_transpose1d.default", conv_transpose<1>, kCore},
      {"aten.conv_transpose2d.input", conv_transpose<2>, kCore},
      {"aten.conv_transpose3d.input", conv_transpose<3>, kCore},
      {"aten.dropout.default", dropout, kCore},
      {"aten.grid_sampler.default", grid_sampler, kCore},
      {"aten.group_norm.default", group_norm_composite, kCore},
      {"aten.instance_norm.default", instance_norm, kCore},
      {"aten.layer_norm.default", layer_norm_composite, kCore},
      {"aten.max_pool1d.default", max_pool1d, kCore},
      {"aten.max_pool2d.default", first_of_pool<"aten.max_pool2d_with_indices.default">, kCore},
      {"aten.max_pool3d.default", first_of_pool<"aten.max_pool3d_with_indices.default">, kCore},
      {"aten.prelu.default", prelu_composite, kCore},
      {"aten.rms_norm.default", rms_norm, kCore},
      {"aten.upsample_bicubic2d.vec", upsample_vec<2, true, "aten.upsample_bicubic2d.default">,
       kCore},
      {"aten.upsample_bilinear2d.vec", upsample_vec<2, true, "aten.upsample_bilinear2d.default">,
       kCore},
      {"aten.upsample_linear1d.vec", upsample_vec<1, true, "aten.upsample_linear1d.default">,
       kCore},
      {"aten.upsample_nearest1d.vec", upsample_vec<1, false, "aten.upsample_nearest1d.default">,
       kCore},
      {"aten.upsample_nearest2d.vec", upsample_vec<2, false, "aten.upsample_nearest2d.default">,
       kCore},
      {"aten.upsample_nearest3d.vec", upsample_vec<3, false, "aten.upsample_nearest3d.default">,
       kCore},
      {"aten.upsample_trilinear3d.vec", upsample_vec<3, true, "aten.upsample_trilinear3d.default">,
       kCore},
  };
  return kRows;
}

}  // namespace fx
