#include "fx/ir/calls/python_forms.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "absl/strings/str_replace.h"
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fx::ops {
namespace {

/// A Python function (torch 2.13's signature) and the arguments of the operator that it calls.
struct Form {
  std::string_view function;   ///< `torch.functional.cdist`; without dots, in torch.nn.functional
  std::string_view signature;  ///< names with defaults
  std::string_view packet;     ///< without `aten.`; `inplace=True` appends an underscore
  /// The operator's arguments: parameters and constants. `a|c`: the constant c if a is None;
  /// `@mode:x/y`: the index of the value of mode among these words; `@reduction`: the same among
  /// none, mean and sum; `dim|@rank`: default_softmax_dim.
  std::string_view arguments;
  /// Parameters that the operator lacks; they must have their default values.
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
    {"_threshold", "input, threshold, value, inplace=False", "threshold",
     "input, threshold, value"},
    {"rrelu", "input, lower=0.125, upper=0.3333333333333333, training=False, inplace=False",
     "rrelu", "input, lower, upper, training"},
    {"sigmoid", "input", "sigmoid", "input"},
    {"tanh", "input", "tanh", "input"},
    {"glu", "input, dim=-1", "glu", "input, dim"},
    {"softmax", "input, dim=None, _stacklevel=3, dtype=None", "softmax", "input, dim|@rank, dtype"},
    {"log_softmax", "input, dim=None, _stacklevel=3, dtype=None", "log_softmax",
     "input, dim|@rank, dtype"},
    {"dropout", "input, p=0.5, training=True, inplace=False", "dropout", "input, p, training"},
    {"dropout1d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"dropout2d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"dropout3d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"alpha_dropout", "input, p=0.5, training=False, inplace=False", "alpha_dropout",
     "input, p, training"},
    {"feature_alpha_dropout", "input, p=0.5, training=False, inplace=False",
     "feature_alpha_dropout", "input, p, training"},
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
    {"max_pool1d_with_indices",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool1d_with_indices", "input, kernel_size, stride|[], padding, dilation, ceil_mode"},
    {"max_pool2d_with_indices",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool2d_with_indices", "input, kernel_size, stride|[], padding, dilation, ceil_mode"},
    {"max_pool3d_with_indices",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool3d_with_indices", "input, kernel_size, stride|[], padding, dilation, ceil_mode"},
    {"adaptive_max_pool1d_with_indices", "input, output_size, return_indices=False",
     "adaptive_max_pool1d", "input, output_size"},
    {"adaptive_max_pool2d_with_indices", "input, output_size, return_indices=False",
     "adaptive_max_pool2d", "input, output_size"},
    {"adaptive_max_pool3d_with_indices", "input, output_size, return_indices=False",
     "adaptive_max_pool3d", "input, output_size"},
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
    {"margin_ranking_loss",
     "input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction=\"mean\"",
     "margin_ranking_loss", "input1, input2, target, margin, @reduction", "size_average, reduce"},
    {"cosine_embedding_loss",
     "input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction=\"mean\"",
     "cosine_embedding_loss", "input1, input2, target, margin, @reduction", "size_average, reduce"},
    {"hinge_embedding_loss",
     "input, target, margin=1.0, size_average=None, reduce=None, reduction=\"mean\"",
     "hinge_embedding_loss", "input, target, margin, @reduction", "size_average, reduce"},
    {"triplet_margin_loss",
     "anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, "
     "reduce=None, reduction=\"mean\"",
     "triplet_margin_loss", "anchor, positive, negative, margin, p, eps, swap, @reduction",
     "size_average, reduce"},
    {"poisson_nll_loss",
     "input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, "
     "reduction=\"mean\"",
     "poisson_nll_loss", "input, target, log_input, full, eps, @reduction", "size_average, reduce"},
    {"multi_margin_loss",
     "input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, "
     "reduction=\"mean\"",
     "multi_margin_loss", "input, target, p, margin, weight, @reduction", "size_average, reduce"},
    {"multilabel_margin_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\"",
     "multilabel_margin_loss", "input, target, @reduction", "size_average, reduce"},
    {"ctc_loss",
     "log_probs, targets, input_lengths, target_lengths, blank=0, reduction=\"mean\", "
     "zero_infinity=False",
     "ctc_loss",
     "log_probs, targets, input_lengths, target_lengths, blank, @reduction, zero_infinity"},
    {"torch.functional.cdist",
     "x1, x2, p=2.0, compute_mode=\"use_mm_for_euclid_dist_if_necessary\"", "cdist",
     "x1, x2, p, @compute_mode:use_mm_for_euclid_dist_if_necessary/use_mm_for_euclid_dist/"
     "donot_use_mm_for_euclid_dist"},
    // Patches and samples
    {"grid_sample", "input, grid, mode=\"bilinear\", padding_mode=\"zeros\", align_corners=None",
     "grid_sampler",
     "input, grid, @mode:bilinear/nearest/bicubic, @padding_mode:zeros/border/reflection, "
     "align_corners|False"},
    {"affine_grid", "theta, size, align_corners=None", "affine_grid_generator",
     "theta, size, align_corners|False"},
    {"pad", "input, pad, mode=\"constant\", value=None", "pad", "input, pad, mode, value"},
    {"unfold", "input, kernel_size, dilation=1, padding=0, stride=1", "im2col",
     "input, kernel_size, dilation, padding, stride"},
    {"fold", "input, output_size, kernel_size, dilation=1, padding=0, stride=1", "col2im",
     "input, output_size, kernel_size, dilation, padding, stride"},
};

/// Splits a list at `, `.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const size_t end = std::min(text.find(", "), text.size());
    items.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return items;
}

/// The index of a parameter's value in a list of words; `item` is an item of Form::arguments.
absl::StatusOr<Argument> number_of_word(std::string_view item, const Values& values) {
  item.remove_prefix(1);  // skip the @
  const size_t colon = item.find(':');
  const std::string_view name = item.substr(0, colon);
  const std::string_view words =
      colon == std::string_view::npos ? "none/mean/sum" : item.substr(colon + 1);
  const Argument& given = values.at(name);
  int64_t number = 0;
  for (std::string_view rest = words; given.is_string(); ++number) {
    const size_t end = std::min(rest.find('/'), rest.size());
    if (rest.substr(0, end) == given.as_string()) return Argument(number);
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  const size_t last = words.rfind('/');
  return absl::InvalidArgumentError(
      fmt::format("{} must be {} or {}, not {}", name,
                  absl::StrReplaceAll(std::string(words.substr(0, last)), {{"/", ", "}}),
                  words.substr(last + 1), print(given)));
}

}  // namespace

absl::StatusOr<Values> bind_signature(Context& context, std::string_view function,
                                      std::string_view signature, absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs) {
  const std::vector<std::string_view> items = items_of(signature);
  std::vector<BindParameter> parameters;
  parameters.reserve(items.size());
  for (const std::string_view item : items) {
    const size_t equals = item.find('=');
    parameters.push_back({item.substr(0, equals), equals != std::string_view::npos});
  }
  std::vector<BoundParameter> bound;
  const BindProblem problem = bind_arguments(parameters, CallArguments::of(args, kwargs), bound);
  if (problem.kind == BindProblem::kMissing) {
    return absl::InvalidArgumentError(
        fmt::format("{} requires the argument {}", function, parameters[problem.index].name));
  }
  if (!problem.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "{} does not accept these arguments; its signature is ({})", function, signature));
  }
  Values values;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::string_view name = parameters[i].name;
    if (bound[i].is_passed()) {
      const size_t number = bound[i].first;
      values.add(name, argument_at(args, kwargs, number), static_cast<int>(number));
      continue;
    }
    FX_ASSIGN_OR_RETURN(Argument otherwise,
                        parse_argument(context, items[i].substr(name.size() + 1)));
    values.add(name, std::move(otherwise), -1);
  }
  return values;
}

namespace {

/// Checks that parameters that the operator lacks have their default values.
absl::Status check_unused(Context& context, const Form& form, const Values& values) {
  for (const std::string_view name : items_of(form.unused)) {
    for (const std::string_view item : items_of(form.signature)) {
      const size_t equals = item.find('=');
      if (item.substr(0, equals) != name) continue;
      FX_ASSIGN_OR_RETURN(const Argument otherwise,
                          parse_argument(context, item.substr(equals + 1)));
      const Argument& value = values.at(name);
      if (value == otherwise) continue;
      return absl::UnimplementedError(fmt::format(
          "{} with {}={} cannot be expressed as one operator", form.function, name, print(value)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::optional<PythonCall>> python_form(Context& context, std::string_view function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs,
                                                      std::optional<int64_t> rank) {
  constexpr std::string_view kFunctional = "torch.nn.functional.";
  const bool is_functional = function.starts_with(kFunctional);
  const std::string_view name = is_functional ? function.substr(kFunctional.size()) : function;
  const Form* form = nullptr;
  for (const Form& row : kForms)
    if (row.function == name && (row.function.find('.') == std::string_view::npos) == is_functional)
      form = &row;
  if (form == nullptr) return std::nullopt;
  FX_ASSIGN_OR_RETURN(const Values values,
                      bind_signature(context, form->function, form->signature, args, kwargs));
  FX_RETURN_IF_ERROR(check_unused(context, *form, values));
  PythonCall call{
      .packet = fmt::format("aten.{}", form->packet), .args = {}, .argument_numbers = {}};
  if (values.contains("inplace") && values.at("inplace") == Argument(true)) call.packet += '_';
  for (const std::string_view item : items_of(form->arguments)) {
    Argument argument;
    int number = -1;
    const size_t bar = item.find('|');
    const std::string_view parameter = item.substr(0, bar);
    const bool is_parameter = values.contains(parameter);
    if (item.starts_with('@')) {
      FX_ASSIGN_OR_RETURN(argument, number_of_word(item, values));
    } else if (is_parameter && (bar == std::string_view::npos || !values.at(parameter).is_none())) {
      argument = values.at(parameter);
      number = values.number_of(parameter);
    } else {
      const std::string_view constant = is_parameter ? item.substr(bar + 1) : item;
      if (constant == "@rank") {
        if (!rank) {
          return absl::InvalidArgumentError(
              fmt::format("the default of {1} in {0} depends on the rank of the input, which is "
                          "unknown: propagate types first",
                          form->function, parameter));
        }
        argument = Argument(default_softmax_dim(*rank));
      } else {
        FX_ASSIGN_OR_RETURN(argument, parse_argument(context, constant));
      }
    }
    call.args.push_back(std::move(argument));
    call.argument_numbers.push_back(number);
  }
  return call;
}

std::optional<DType> dtype_of_cast(std::string_view method) {
  constexpr std::pair<std::string_view, DType> kCasts[] = {
      {"float", DType::kFloat32},    {"double", DType::kFloat64},
      {"half", DType::kFloat16},     {"bfloat16", DType::kBFloat16},
      {"int", DType::kInt32},        {"long", DType::kInt64},
      {"short", DType::kInt16},      {"char", DType::kInt8},
      {"byte", DType::kUInt8},       {"bool", DType::kBool},
      {"cfloat", DType::kComplex64}, {"cdouble", DType::kComplex128},
      {"chalf", DType::kComplex32},
  };
  for (const auto& [name, dtype] : kCasts)
    if (name == method) return dtype;
  return std::nullopt;
}

std::string_view parameter_before_self(std::string_view method) {
  return method == "where" ? "condition" : method == "polygamma" ? "n" : "";
}

}  // namespace fx::ops
