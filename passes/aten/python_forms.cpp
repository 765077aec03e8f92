#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "fx/passes/aten/python_forms_internal.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fx::aten {
namespace {

/// A function of torch.nn.functional (torch 2.13's signatures) and the operator's arguments.
struct Form {
  std::string_view function;   ///< without `torch.nn.functional.`
  std::string_view signature;  ///< names with defaults
  std::string_view packet;     ///< `aten.` and this; with an underscore where `inplace` is True
  /// What the operator is given: parameters and constants. `a|c`: the constant c where a is None;
  /// `@reduction`: PyTorch's number of it.
  std::string_view arguments;
  /// Parameters that must have their default, since the operator has no such thing.
  std::string_view unused = "";
};

constexpr Form kForms[] = {
    // Activations
    {"relu", "input, inplace=False", "relu", "input"},
    {"relu6", "input, inplace=False", "relu6", "input"},
    {"silu", "input, inplace=False", "silu", "input"},
    {"mish", "input, inplace=False", "mish", "input"},
    {"selu", "input, inplace=False", "selu", "input"},
    {"hardswish", "input, inplace=False", "hardswish", "input"},
    {"hardsigmoid", "input, inplace=False", "hardsigmoid", "input"},
    {"elu", "input, alpha=1.0, inplace=False", "elu", "input, alpha"},
    {"celu", "input, alpha=1.0, inplace=False", "celu", "input, alpha"},
    {"leaky_relu", "input, negative_slope=0.01, inplace=False", "leaky_relu",
     "input, negative_slope"},
    {"hardtanh", "input, min_val=-1.0, max_val=1.0, inplace=False", "hardtanh",
     "input, min_val, max_val"},
    {"threshold", "input, threshold, value, inplace=False", "threshold", "input, threshold, value"},
    {"sigmoid", "input", "sigmoid", "input"},
    {"tanh", "input", "tanh", "input"},
    {"glu", "input, dim=-1", "glu", "input, dim"},
    {"softmax", "input, dim=None, _stacklevel=3, dtype=None", "softmax", "input, dim, dtype"},
    {"log_softmax", "input, dim=None, _stacklevel=3, dtype=None", "log_softmax",
     "input, dim, dtype"},
    {"dropout", "input, p=0.5, training=True, inplace=False", "dropout", "input, p, training"},
    {"dropout1d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"dropout2d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"dropout3d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"alpha_dropout", "input, p=0.5, training=False, inplace=False", "alpha_dropout",
     "input, p, training"},
    // Norms
    {"batch_norm",
     "input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, "
     "eps=1e-5",
     "batch_norm", "input, weight, bias, running_mean, running_var, training, momentum, eps, True"},
    {"instance_norm",
     "input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, "
     "momentum=0.1, eps=1e-5",
     "instance_norm",
     "input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True"},
    {"layer_norm", "input, normalized_shape, weight=None, bias=None, eps=1e-5", "layer_norm",
     "input, normalized_shape, weight, bias, eps"},
    {"group_norm", "input, num_groups, weight=None, bias=None, eps=1e-5", "group_norm",
     "input, num_groups, weight, bias, eps"},
    {"rms_norm", "input, normalized_shape, weight=None, eps=None", "rms_norm",
     "input, normalized_shape, weight, eps"},
    // Pooling
    {"max_pool1d",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool1d", "input, kernel_size, stride|[], padding, dilation, ceil_mode", "return_indices"},
    {"max_pool2d",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool2d", "input, kernel_size, stride|[], padding, dilation, ceil_mode", "return_indices"},
    {"max_pool3d",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool3d", "input, kernel_size, stride|[], padding, dilation, ceil_mode", "return_indices"},
    // Embedding and losses
    {"embedding",
     "input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, "
     "sparse=False",
     "embedding", "weight, input, padding_idx|-1, scale_grad_by_freq, sparse", "max_norm"},
    {"cross_entropy",
     "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
     "reduction=\"mean\", label_smoothing=0.0",
     "cross_entropy_loss", "input, target, weight, @reduction, ignore_index, label_smoothing",
     "size_average, reduce"},
    {"nll_loss",
     "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
     "reduction=\"mean\"",
     "nll_loss_nd", "input, target, weight, @reduction, ignore_index", "size_average, reduce"},
    {"mse_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\", weight=None",
     "mse_loss", "input, target, @reduction", "size_average, reduce, weight"},
    {"l1_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\", weight=None",
     "l1_loss", "input, target, @reduction", "size_average, reduce, weight"},
    {"smooth_l1_loss",
     "input, target, size_average=None, reduce=None, reduction=\"mean\", beta=1.0",
     "smooth_l1_loss", "input, target, @reduction, beta", "size_average, reduce"},
    {"huber_loss", "input, target, reduction=\"mean\", delta=1.0, weight=None", "huber_loss",
     "input, target, @reduction, delta", "weight"},
    {"binary_cross_entropy",
     "input, target, weight=None, size_average=None, reduce=None, reduction=\"mean\"",
     "binary_cross_entropy", "input, target, weight, @reduction", "size_average, reduce"},
    {"binary_cross_entropy_with_logits",
     "input, target, weight=None, size_average=None, reduce=None, reduction=\"mean\", "
     "pos_weight=None",
     "binary_cross_entropy_with_logits", "input, target, weight, pos_weight, @reduction",
     "size_average, reduce"},
    {"soft_margin_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\"",
     "soft_margin_loss", "input, target, @reduction", "size_average, reduce"},
    // Patches
    {"pad", "input, pad, mode=\"constant\", value=None", "pad", "input, pad, mode, value"},
    {"unfold", "input, kernel_size, dilation=1, padding=0, stride=1", "im2col",
     "input, kernel_size, dilation, padding, stride"},
    {"fold", "input, output_size, kernel_size, dilation=1, padding=0, stride=1", "col2im",
     "input, output_size, kernel_size, dilation, padding, stride"},
};

/// The items of a list, which have no commas in them.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const size_t end = std::min(text.find(", "), text.size());
    items.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return items;
}

absl::StatusOr<Argument> reduction_number(const Argument& reduction) {
  constexpr std::string_view kNames[] = {"none", "mean", "sum"};
  if (reduction.is_string()) {
    for (int64_t i = 0; i < 3; ++i)
      if (kNames[i] == reduction.as_string()) return Argument(i);
  }
  return absl::InvalidArgumentError(
      fmt::format("reduction is one of none, mean and sum, not {}", print(reduction)));
}

}  // namespace

absl::StatusOr<Values> bind_signature(Context& context, std::string_view function,
                                      std::string_view signature, absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs) {
  Values values;
  size_t position = 0, num_named = 0;
  for (const std::string_view item : items_of(signature)) {
    const size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    std::optional<Argument> value;
    if (position < args.size()) {
      value = args[position++];
    } else {
      for (const Kwarg& given : kwargs) {
        if (given.key != name) continue;
        value = given.value;
        ++num_named;
      }
    }
    if (!value && equals != std::string_view::npos) {
      FX_ASSIGN_OR_RETURN(value, parse_argument(context, item.substr(equals + 1)));
    }
    if (!value) return absl::InvalidArgumentError(fmt::format("{} has no {}", function, name));
    values.emplace(name, *std::move(value));
  }
  if (position != args.size() || num_named != kwargs.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} takes ({}), not these arguments", function, signature));
  }
  return values;
}

namespace {

/// Parameters that the operator lacks have their defaults.
absl::Status check_unused(Context& context, const Form& form, const Values& values) {
  for (const std::string_view name : items_of(form.unused)) {
    for (const std::string_view item : items_of(form.signature)) {
      const size_t equals = item.find('=');
      if (item.substr(0, equals) != name) continue;
      FX_ASSIGN_OR_RETURN(const Argument otherwise,
                          parse_argument(context, item.substr(equals + 1)));
      const Argument& value = values.at(name);
      if (value == otherwise) continue;
      return absl::UnimplementedError(
          fmt::format("{} with {}={} is no single operator", form.function, name, print(value)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::optional<PythonCall>> python_form(Context& context, std::string_view function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs) {
  constexpr std::string_view kFunctional = "torch.nn.functional.";
  if (!function.starts_with(kFunctional)) return std::nullopt;
  const std::string_view name = function.substr(kFunctional.size());
  const Form* form = nullptr;
  for (const Form& row : kForms)
    if (row.function == name) form = &row;
  if (form == nullptr) return std::nullopt;
  FX_ASSIGN_OR_RETURN(const Values values,
                      bind_signature(context, form->function, form->signature, args, kwargs));
  FX_RETURN_IF_ERROR(check_unused(context, *form, values));
  PythonCall call{.packet = fmt::format("aten.{}", form->packet), .args = {}};
  const auto inplace = values.find("inplace");
  if (inplace != values.end() && inplace->second == Argument(true)) call.packet += '_';
  for (const std::string_view item : items_of(form->arguments)) {
    Argument argument;
    const size_t bar = item.find('|');
    const auto value = values.find(item.substr(0, bar));
    if (item == "@reduction") {
      FX_ASSIGN_OR_RETURN(argument, reduction_number(values.at("reduction")));
    } else if (value != values.end() &&
               (bar == std::string_view::npos || !value->second.is_none())) {
      argument = value->second;
    } else {
      const std::string_view constant = value == values.end() ? item : item.substr(bar + 1);
      FX_ASSIGN_OR_RETURN(argument, parse_argument(context, constant));
    }
    call.args.push_back(std::move(argument));
  }
  return call;
}

}  // namespace fx::aten
