// Pooling functions in torch.nn.functional that lower to multiple operators, and functions based on
// pooling.
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/aten/composite_internal.h"

#include "fmt/format.h"

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

namespace fx::aten {
namespace {

/// Returns a size for each of the last `dims` dimensions: `output_size`, or its items. An item that
/// is None means the size of the input.
Argument resolve_output_size(Calls& call, const Argument& input, const Argument& output_size,
                             int64_t dims) {
  std::optional<std::vector<Argument>> sizes = call.items(output_size);
  if (!sizes) return Argument::list(std::vector<Argument>(static_cast<size_t>(dims), output_size));
  if (static_cast<int64_t>(sizes->size()) != dims) {
    call.fail(
        absl::InvalidArgumentError(fmt::format("output_size must be a number or {}, not {}",
                                               pluralize(dims, "number"), print(output_size))));
  }
  for (size_t i = 0; i < sizes->size(); ++i)
    if ((*sizes)[i].is_none()) (*sizes)[i] = call.size(input, static_cast<int64_t>(i) - dims);
  return Argument::list(*sizes);
}

template <int rank>
absl::StatusOr<Argument> adaptive_avg_pool(const ops::Values& values, AddCall add) {
  Calls call(add);
  const Argument& input = values.at("input");
  return call.result(
      call(fmt::format("aten.adaptive_avg_pool{}d.default", rank),
           {input, resolve_output_size(call, input, values.at("output_size"), rank)}));
}

/// Returns the values, or the values and the indices, according to `return_indices`.
template <int rank>
absl::StatusOr<Argument> adaptive_max_pool(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(const bool with_indices, ops::truth_of(values, "return_indices"));
  Calls call(add);
  const Argument& input = values.at("input");
  const Argument both =
      call(fmt::format("aten.adaptive_max_pool{}d.default", rank),
           {input, resolve_output_size(call, input, values.at("output_size"), rank)});
  return call.result(with_indices ? both : call("operator.getitem", {both, 0}));
}

/// Computes the norm of each window from the mean of the powers times the number of elements.
template <int rank>
absl::StatusOr<Argument> lp_pool(const ops::Values& values, AddCall add) {
  Calls call(add);
  const auto list = [](const Argument& value) {
    return value.is_list() || value.is_tuple() ? value
                                               : Argument::list(std::vector<Argument>(rank, value));
  };
  const Argument &input = values.at("input"), &norm = values.at("norm_type");
  const Argument kernel = list(values.at("kernel_size"));
  const Argument stride =
      values.at("stride").is_none() ? Argument::list({}) : list(values.at("stride"));
  const Argument padding = list(0), &ceil = values.at("ceil_mode");
  if (!norm.is_float() && !norm.is_int())
    return absl::InvalidArgumentError(
        fmt::format("norm_type must be a number, not {}", print(norm)));
  const double p = norm.is_int() ? static_cast<double>(norm.as_int()) : norm.as_float();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (p == kInfinity || p == -kInfinity) {
    const auto negated = [&](const Argument& x) {
      return p > 0 ? x : call("aten.neg.default", {x});
    };
    const Argument magnitude = negated(call("aten.abs.default", {input}));
    return call.result(negated(call(fmt::format("aten.max_pool{}d.default", rank),
                                    {magnitude, kernel, stride, padding, list(1), ceil})));
  }
  int64_t count = 1;
  for (size_t i = 0; i < kernel.size(); ++i) {
    if (!kernel[i].is_int() || __builtin_mul_overflow(count, kernel[i].as_int(), &count))
      return absl::InvalidArgumentError(
          fmt::format("kernel_size must consist of integers whose product fits in 64 bits, not {}",
                      print(kernel)));
  }
  if (kernel.size() != rank)
    return absl::InvalidArgumentError(fmt::format("kernel_size must be a number or {}, not {}",
                                                  pluralize(rank, "number"), print(kernel)));
  const Argument powers = call("aten.pow.Tensor_Scalar", {input, norm});
  const Argument mean =
      call(fmt::format("aten.avg_pool{}d.default", rank), {powers, kernel, stride, padding, ceil});
  const Argument sign = call("aten.sign.default", {mean});
  const Argument magnitude = call("aten.relu.default", {call("aten.abs.default", {mean})});
  const Argument sum = call("aten.mul.Tensor", {call("aten.mul.Tensor", {sign, magnitude}), count});
  return call.result(call("aten.pow.Tensor_Scalar", {sum, 1.0 / p}));
}

/// Returns an integer for each of `count` dimensions. Each must fit in 32 bits, as in kernels.
absl::StatusOr<std::vector<int64_t>> integers(std::string_view name, const Argument& value,
                                              size_t count) {
  std::vector<int64_t> items;
  const bool is_list = value.is_list() || value.is_tuple();
  for (size_t i = 0; i < (is_list ? value.size() : count); ++i) {
    const Argument& item = is_list ? value[i] : value;
    if (item.is_int() && std::abs(item.as_int()) <= INT32_MAX) items.push_back(item.as_int());
  }
  if (items.size() == count && (!is_list || value.size() == count)) return items;
  return absl::InvalidArgumentError(fmt::format(
      "{} must be a 32-bit integer or a list of {}, not {}", name, count, print(value)));
}

/// Lowers the inverse of max pooling. Without output_size, the result has the minimum size.
template <int rank>
absl::StatusOr<Argument> max_unpool(const ops::Values& values, AddCall add) {
  const Argument &given_stride = values.at("stride"), &given = values.at("output_size");
  const Argument& indices = values.at("indices");
  FX_ASSIGN_OR_RETURN(const auto kernel, integers("kernel_size", values.at("kernel_size"), rank));
  FX_ASSIGN_OR_RETURN(const auto padding, integers("padding", values.at("padding"), rank));
  FX_ASSIGN_OR_RETURN(const auto stride,
                      given_stride.is_none() ? kernel : integers("stride", given_stride, rank));
  Calls call(add);
  const std::optional<std::vector<Argument>> all = call.items(given);
  FX_RETURN_IF_ERROR(call.result({}).status());
  const size_t first = all && all->size() == rank + 2 ? 2 : 0;
  if (!given.is_none() && (!all || all->size() != rank + first)) {
    return absl::InvalidArgumentError(fmt::format(
        "output_size must be None, or {} or {} sizes, not {}", rank, rank + 2, print(given)));
  }
  const Argument& input = values.at("input");
  std::vector<Argument> sizes;
  for (size_t i = 0; i < rank; ++i) {
    if (!given.is_none()) {
      sizes.push_back((*all)[first + i]);
      continue;
    }
    const Argument input_size = call.size(input, static_cast<int64_t>(i) - rank);
    const int64_t last_step = kernel[i] - 2 * padding[i];
    if (input_size.is_int()) {
      int64_t size = 0;
      if (__builtin_mul_overflow(input_size.as_int() - 1, stride[i], &size) ||
          __builtin_add_overflow(size, last_step, &size))
        return absl::InvalidArgumentError("the size of the result is too large");
      sizes.emplace_back(size);
    } else {
      const Argument steps =
          call("operator.mul", {call("operator.sub", {input_size, 1}), stride[i]});
      sizes.push_back(call("operator.add", {steps, last_step}));
    }
  }
  if constexpr (rank == 1) {
    const Argument flat =
        call("aten.max_unpool2d.default",
             {call("aten.unsqueeze.default", {input, -1}),
              call("aten.unsqueeze.default", {indices, -1}), Argument::list({sizes[0], 1})});
    return call.result(call("aten.squeeze.dim", {flat, -1}));
  }
  const Argument size = Argument::list(sizes);
  if constexpr (rank == 2)
    return call.result(call("aten.max_unpool2d.default", {input, indices, size}));
  const auto list = [](const std::vector<int64_t>& items) {
    return Argument::list(std::vector<Argument>(items.begin(), items.end()));
  };
  return call.result(
      call("aten.max_unpool3d.default", {input, indices, size, list(stride), list(padding)}));
}

/// Lowers max pooling over windows that start at random positions.
template <int rank>
absl::StatusOr<Argument> fractional_max_pool(const ops::Values& values, AddCall add) {
  const Argument &output_size = values.at("output_size"), &ratio = values.at("output_ratio");
  FX_ASSIGN_OR_RETURN(const bool with_indices, ops::truth_of(values, "return_indices"));
  if (output_size.is_none() && ratio.is_none())
    return absl::InvalidArgumentError("an output_size or an output_ratio is required");
  FX_ASSIGN_OR_RETURN(const auto kernel, integers("kernel_size", values.at("kernel_size"), rank));
  Calls call(add);
  const Argument& input = values.at("input");
  const int64_t dims = call.rank(input);
  if (!call.ok()) return call.result({});
  if (dims != rank + 1 && dims != rank + 2)
    return absl::InvalidArgumentError(
        fmt::format("the input must have rank {} or {}, not {}", rank + 1, rank + 2, dims));
  const Argument& given = output_size.is_none() ? ratio : output_size;
  std::vector<Argument> sizes = call.items(given).value_or(std::vector<Argument>(rank, given));
  if (!call.ok()) return call.result({});
  if (sizes.size() != rank)
    return absl::InvalidArgumentError(
        fmt::format("expected {} sizes or ratios, not {}", rank, sizes.size()));
  for (size_t i = 0; output_size.is_none() && i < rank; ++i) {
    const Argument input_size = call.size(input, static_cast<int64_t>(i) - rank);
    if (!input_size.is_int() || !sizes[i].is_float())
      return absl::UnimplementedError(
          "output_ratio must be a float and requires known sizes: use output_size");
    const double scaled = static_cast<double>(input_size.as_int()) * sizes[i].as_float();
    if (!(scaled >= 0 && scaled < 0x1p53))
      return absl::InvalidArgumentError(fmt::format("output_ratio {} of size {} is out of range",
                                                    sizes[i].as_float(), input_size.as_int()));
    sizes[i] = static_cast<int64_t>(scaled);
  }
  Argument samples = values.at("_random_samples");
  if (samples.is_none()) {
    const Type type = input.as_node()->type();
    const Argument batch = dims == rank + 1 ? Argument(1) : call.size(input, 0);
    samples =
        call("aten.rand.default", {Argument::list({batch, call.size(input, -1 - rank), rank})},
             {Kwarg("dtype", call.dtype(input)), Kwarg("device", type.device())});
  }
  const Argument pooled =
      call(fmt::format("aten.fractional_max_pool{}d.default", rank),
           {input, Argument::list(std::vector<Argument>(kernel.begin(), kernel.end())),
            Argument::list(sizes), samples});
  return call.result(with_indices ? pooled : call("operator.getitem", {pooled, 0}));
}

/// Lowers local_response_norm, which uses the mean of the squares of a channel and its neighbors.
absl::StatusOr<Argument> local_response_norm(const ops::Values& values, AddCall add) {
  Calls call(add);
  const Argument &input = values.at("input"), &window = values.at("size");
  const int64_t rank = call.rank(input);
  if (!call.ok()) return call.result({});
  if (rank < 3)
    return absl::InvalidArgumentError(
        fmt::format("local_response_norm requires a tensor of rank 3 or higher, not {}", rank));
  if (!window.is_int() || window.as_int() < 1)
    return absl::InvalidArgumentError(
        fmt::format("size must be a positive integer, not {}", print(window)));
  for (const Dim size : input.as_node()->type().sizes())
    if (size == Dim(0)) return input;
  const int64_t size = window.as_int(), before = size / 2, after = (size - 1) / 2;
  const Argument squares = call("aten.mul.Tensor", {input, input});
  Argument mean;
  if (rank == 3) {
    const Argument alone = call("aten.unsqueeze.default", {squares, 1});
    const Argument padded =
        call("aten.pad.default", {alone, Argument::list({0, 0, before, after})});
    const Argument pooled = call("aten.avg_pool2d.default",
                                 {padded, Argument::list({size, 1}), Argument::list({1, 1})});
    mean = call("aten.squeeze.dim", {pooled, 1});
  } else {
    std::vector<Argument> sizes;
    sizes.reserve(static_cast<size_t>(rank));
    for (int64_t i = 0; i < rank; ++i) sizes.push_back(call.size(input, i));
    const Argument alone =
        call("aten.view.default", {squares, Argument::list({sizes[0], 1, sizes[1], sizes[2], -1})});
    const Argument padded =
        call("aten.pad.default", {alone, Argument::list({0, 0, 0, 0, before, after})});
    const Argument pooled = call("aten.avg_pool3d.default",
                                 {padded, Argument::list({size, 1, 1}), Argument::list({1, 1, 1})});
    mean =
        call("aten.view.default", {call("aten.squeeze.dim", {pooled, 1}), Argument::list(sizes)});
  }
  const Argument scaled = call("aten.mul.Tensor", {mean, values.at("alpha")});
  const Argument base = call("aten.add.Tensor", {scaled, values.at("k")});
  const Argument divisor = call("aten.pow.Tensor_Scalar", {base, values.at("beta")});
  return call.result(call("aten.div.Tensor", {input, divisor}));
}

constexpr std::string_view kLpPool = "input, norm_type, kernel_size, stride=None, ceil_mode=False";
constexpr std::string_view kMaxPool = "input, output_size, return_indices=False";
constexpr std::string_view kMaxPoolIndices = "input, output_size, return_indices=True";
constexpr std::string_view kUnpool =
    "input, indices, kernel_size, stride=None, padding=0, output_size=None";
constexpr std::string_view kFractional =
    "input, kernel_size, output_size=None, output_ratio=None, return_indices=False, "
    "_random_samples=None";
// In a call that returns indices, torch.fx records True among the arguments.
constexpr std::string_view kFractionalIndices =
    "input, kernel_size, output_size=None, output_ratio=None, return_indices=True, "
    "_random_samples=None";

constexpr Composite kPoolComposites[] = {
    {"torch.nn.functional.adaptive_avg_pool2d", "input, output_size", adaptive_avg_pool<2>},
    {"torch.nn.functional.adaptive_avg_pool3d", "input, output_size", adaptive_avg_pool<3>},
    {"torch.nn.functional.adaptive_max_pool1d", kMaxPool, adaptive_max_pool<1>},
    {"torch.nn.functional.adaptive_max_pool2d", kMaxPool, adaptive_max_pool<2>},
    {"torch.nn.functional.adaptive_max_pool3d", kMaxPool, adaptive_max_pool<3>},
    {"torch.nn.functional.adaptive_max_pool1d_with_indices", kMaxPoolIndices, adaptive_max_pool<1>},
    {"torch.nn.functional.adaptive_max_pool2d_with_indices", kMaxPoolIndices, adaptive_max_pool<2>},
    {"torch.nn.functional.adaptive_max_pool3d_with_indices", kMaxPoolIndices, adaptive_max_pool<3>},
    {"torch.nn.functional.fractional_max_pool2d", kFractional, fractional_max_pool<2>},
    {"torch.nn.functional.fractional_max_pool3d", kFractional, fractional_max_pool<3>},
    {"torch.nn.functional.fractional_max_pool2d_with_indices", kFractionalIndices,
     fractional_max_pool<2>},
    {"torch.nn.functional.fractional_max_pool3d_with_indices", kFractionalIndices,
     fractional_max_pool<3>},
    {"torch.nn.functional.local_response_norm", "input, size, alpha=0.0001, beta=0.75, k=1.0",
     local_response_norm},
    {"torch.nn.functional.lp_pool1d", kLpPool, lp_pool<1>},
    {"torch.nn.functional.lp_pool2d", kLpPool, lp_pool<2>},
    {"torch.nn.functional.lp_pool3d", kLpPool, lp_pool<3>},
    {"torch.nn.functional.max_unpool1d", kUnpool, max_unpool<1>},
    {"torch.nn.functional.max_unpool2d", kUnpool, max_unpool<2>},
    {"torch.nn.functional.max_unpool3d", kUnpool, max_unpool<3>},
};

}  // namespace

absl::Span<const Composite> pool_composites() { return kPoolComposites; }

}  // namespace fx::aten
