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
  /// Without `aten.`; `inplace=True` appends an underscore, and `return_indices=True` appends
  /// `_with_indices` unless the function has this suffix.
  std::string_view packet;
  /// The operator's arguments: parameters and constants. `a|c`: the constant c if a is None;
  /// `@mode:x/y`: the index of the value of mode among these words; `@reduction`: the same for
  /// reduction_of among none, mean and sum; `@batch_reduction`: also batchmean; `dim|@rank`:
  /// default_softmax_dim; `*a`: a keyword argument, after the others.
  std::string_view arguments;
  /// Parameters that the operator lacks; they must have their default values.
  std::string_view unused = "";
  /// The row applies only if this parameter is 0.
  std::string_view zero = "";
  /// If not 0: torch adds a batch dimension to an input of another rank, in training mode.
  int batched_rank = 0;
};

constexpr std::string_view kStft =
    "input, n_fft, hop_length=None, win_length=None, window=None, center=True, "
    "pad_mode=\"reflect\", normalized=False, onesided=None, return_complex=None, "
    "align_to_window=None";
constexpr std::string_view kStftArguments =
    "input, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, "
    "return_complex, align_to_window";

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
     "input, p, training", "", "", 3},
    {"dropout2d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training"},
    {"dropout3d", "input, p=0.5, training=True, inplace=False", "feature_dropout",
     "input, p, training", "", "", 5},
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
     "max_pool1d", "input, kernel_size, stride|[], padding, dilation, ceil_mode"},
    {"max_pool2d",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool2d", "input, kernel_size, stride|[], padding, dilation, ceil_mode"},
    {"max_pool3d",
     "input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, "
     "return_indices=False",
     "max_pool3d", "input, kernel_size, stride|[], padding, dilation, ceil_mode"},
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
     "cross_entropy_loss", "input, target, weight, @reduction, ignore_index, label_smoothing"},
    {"nll_loss",
     "input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, "
     "reduction=\"mean\"",
     "nll_loss_nd", "input, target, weight, @reduction, ignore_index"},
    {"mse_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\", weight=None",
     "mse_loss", "input, target, @reduction", "weight"},
    {"l1_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\", weight=None",
     "l1_loss", "input, target, @reduction", "weight"},
    {"smooth_l1_loss",
     "input, target, size_average=None, reduce=None, reduction=\"mean\", beta=1.0", "l1_loss",
     "input, target, @reduction", "", "beta"},
    {"smooth_l1_loss",
     "input, target, size_average=None, reduce=None, reduction=\"mean\", beta=1.0",
     "smooth_l1_loss", "input, target, @reduction, beta"},
    {"huber_loss", "input, target, reduction=\"mean\", delta=1.0, weight=None", "huber_loss",
     "input, target, @reduction, delta", "weight"},
    {"kl_div",
     "input, target, size_average=None, reduce=None, reduction=\"mean\", log_target=False",
     "kl_div", "input, target, @batch_reduction, *log_target"},
    {"binary_cross_entropy",
     "input, target, weight=None, size_average=None, reduce=None, reduction=\"mean\"",
     "binary_cross_entropy", "input, target, weight, @reduction"},
    {"binary_cross_entropy_with_logits",
     "input, target, weight=None, size_average=None, reduce=None, reduction=\"mean\", "
     "pos_weight=None",
     "binary_cross_entropy_with_logits", "input, target, weight, pos_weight, @reduction"},
    {"soft_margin_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\"",
     "soft_margin_loss", "input, target, @reduction"},
    {"margin_ranking_loss",
     "input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction=\"mean\"",
     "margin_ranking_loss", "input1, input2, target, margin, @reduction"},
    {"cosine_embedding_loss",
     "input1, input2, target, margin=0.0, size_average=None, reduce=None, reduction=\"mean\"",
     "cosine_embedding_loss", "input1, input2, target, margin, @reduction"},
    {"hinge_embedding_loss",
     "input, target, margin=1.0, size_average=None, reduce=None, reduction=\"mean\"",
     "hinge_embedding_loss", "input, target, margin, @reduction"},
    {"triplet_margin_loss",
     "anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, "
     "reduce=None, reduction=\"mean\"",
     "triplet_margin_loss", "anchor, positive, negative, margin, p, eps, swap, @reduction"},
    {"poisson_nll_loss",
     "input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, "
     "reduction=\"mean\"",
     "poisson_nll_loss", "input, target, log_input, full, eps, @reduction"},
    {"multi_margin_loss",
     "input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, "
     "reduction=\"mean\"",
     "multi_margin_loss", "input, target, p, margin, weight, @reduction"},
    {"multilabel_margin_loss", "input, target, size_average=None, reduce=None, reduction=\"mean\"",
     "multilabel_margin_loss", "input, target, @reduction"},
    {"ctc_loss",
     "log_probs, targets, input_lengths, target_lengths, blank=0, reduction=\"mean\", "
     "zero_infinity=False",
     "ctc_loss",
     "log_probs, targets, input_lengths, target_lengths, blank, @reduction, zero_infinity"},
    {"torch.functional.cdist",
     "x1, x2, p=2.0, compute_mode=\"use_mm_for_euclid_dist_if_necessary\"", "cdist",
     "x1, x2, p, @compute_mode:use_mm_for_euclid_dist_if_necessary/use_mm_for_euclid_dist/"
     "donot_use_mm_for_euclid_dist"},
    {"torch.functional.split", "tensor, split_size_or_sections, dim=0", "split",
     "tensor, split_size_or_sections, dim"},
    // torch pads the input by default; the operator has an overload that does not.
    {"torch.functional.stft", kStft, "stft", kStftArguments},
    {"torch.Tensor.stft", kStft, "stft", kStftArguments},
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

/// Functions that call multiple operators, or return other values than the operator with their
/// name. lower_to_aten replaces them.
constexpr std::string_view kComposed[] = {
    "torch.functional.tensordot",
    "torch.functional.unique_consecutive",
    "torch.nn.functional.adaptive_max_pool1d",
    "torch.nn.functional.adaptive_max_pool2d",
    "torch.nn.functional.adaptive_max_pool3d",
    "torch.nn.functional.embedding_bag",
    "torch.nn.functional.fractional_max_pool2d",
    "torch.nn.functional.fractional_max_pool3d",
    "torch.nn.functional.max_unpool2d",
    "torch.nn.functional.max_unpool3d",
};

/// True if the row describes the function, whose name is that of python_function().
bool is_row_of(const Form& row, std::string_view function) {
  constexpr std::string_view kFunctional = "torch.nn.functional.";
  if (row.function.find('.') != std::string_view::npos) return row.function == function;
  return function.starts_with(kFunctional) && function.substr(kFunctional.size()) == row.function;
}

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

/// Returns the value of a constant in a condition; nullopt for a node.
std::optional<bool> truth_of(const Argument& value) {
  if (value.is_bool()) return value.as_bool();
  if (value.is_int()) return value.as_int() != 0;
  if (value.is_float()) return value.as_float() != 0;
  if (value.is_string()) return !value.as_string().empty();
  if (value.is_list() || value.is_tuple()) return value.size() != 0;
  if (value.is_none()) return false;
  return std::nullopt;
}

/// The index of a parameter's value in a list of words; `item` is an item of Form::arguments.
absl::StatusOr<Argument> number_of_word(std::string_view item, const Values& values) {
  item.remove_prefix(1);  // skip the @
  const size_t colon = item.find(':');
  std::string_view name = item.substr(0, colon);
  std::string_view words =
      colon == std::string_view::npos ? "none/mean/sum" : item.substr(colon + 1);
  if (name == "batch_reduction") {
    name = "reduction";
    words = "none/mean/sum/batchmean";
  }
  Argument given = values.at(name);
  if (name == "reduction") {
    FX_ASSIGN_OR_RETURN(given, reduction_of(values));
    if (given == Argument("elementwise_mean")) given = Argument("mean");  // its old name
  }
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
  values.set_num_args(static_cast<int>(args.size()));
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

/// Returns the call for einsum(a, [0, 1], b, [1, 2], [0, 2]), whose subscripts are numbers:
/// einsum("AB,BC->AC", a, b) (torch/functional.py); nullopt if the first argument is an equation.
absl::StatusOr<std::optional<PythonCall>> einsum_form(absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs) {
  if (args.size() < 2 || args[0].is_string() || !kwargs.empty()) return std::nullopt;
  PythonCall call{.packet = "aten.einsum", .args = {Argument()}, .argument_numbers = {-1}};
  std::string equation;
  for (size_t i = 0; i < args.size(); ++i) {
    const bool is_result = i % 2 == 0 && i + 1 == args.size();
    if (i % 2 == 0 && !is_result) {
      call.args.push_back(args[i]);
      call.argument_numbers.push_back(static_cast<int>(i));
      continue;
    }
    const Argument& subscripts = args[i];
    if (!subscripts.is_list() && !subscripts.is_tuple())
      return absl::UnimplementedError(
          "the subscripts of einsum must be a list of constants or an equation");
    equation += is_result ? "->" : i > 1 ? "," : "";
    for (size_t k = 0; k < subscripts.size(); ++k) {
      const Argument& subscript = subscripts[k];
      if (subscript.kind() == ArgumentKind::kEllipsis) {
        equation += "...";
      } else if (subscript.is_int() && subscript.as_int() >= 0 && subscript.as_int() < 52) {
        const auto letter = static_cast<char>(subscript.as_int() % 26);
        equation += static_cast<char>((subscript.as_int() < 26 ? 'A' : 'a') + letter);
      } else {
        return absl::InvalidArgumentError(
            fmt::format("a subscript of einsum must be ... or a number from 0 to 51, not {}",
                        print(subscript)));
      }
    }
  }
  call.args[0] = Argument(equation);
  return call;
}

/// Returns the call for meshgrid(*tensors, indexing=None), which torch.fx records.
std::optional<PythonCall> meshgrid_form(absl::Span<const Argument> args,
                                        absl::Span<const Kwarg> kwargs) {
  if (kwargs.size() != 1 || kwargs[0].key != "indexing" || !kwargs[0].value.is_none())
    return std::nullopt;
  PythonCall call{.packet = "aten.meshgrid", .args = {args.begin(), args.end()}};
  for (size_t i = 0; i < args.size(); ++i) call.argument_numbers.push_back(static_cast<int>(i));
  return call;
}

/// Checks that parameters that the operator lacks have their default values. 0 is False.
absl::Status check_unused(Context& context, const Form& form, const Values& values) {
  for (const std::string_view name : items_of(form.unused)) {
    for (const std::string_view item : items_of(form.signature)) {
      const size_t equals = item.find('=');
      if (item.substr(0, equals) != name) continue;
      FX_ASSIGN_OR_RETURN(const Argument normal, parse_argument(context, item.substr(equals + 1)));
      const Argument& value = values.at(name);
      if (value == normal || (normal.is_bool() && truth_of(value) == normal.as_bool())) continue;
      return absl::UnimplementedError(fmt::format(
          "{} with {}={} cannot be expressed as one operator", form.function, name, print(value)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<bool> truth_of(const Argument& value, std::string_view name) {
  if (const std::optional<bool> truth = truth_of(value)) return *truth;
  return absl::UnimplementedError(
      fmt::format("{} must be a constant, not {}: it selects the operator", name, print(value)));
}

absl::StatusOr<Argument> reduction_of(const Values& values) {
  bool is_passed = false;
  std::optional<bool> means = true, reduces = true;
  for (const auto& [name, flag] : {std::pair("size_average", &means), {"reduce", &reduces}}) {
    if (!values.contains(name) || values.at(name).is_none()) continue;
    is_passed = true;
    *flag = truth_of(values.at(name));
    if (!*flag)
      return absl::UnimplementedError(fmt::format("{} must be a constant: use reduction", name));
  }
  if (!is_passed) return values.at("reduction");
  return Argument(!*reduces ? "none" : *means ? "mean" : "sum");
}

bool has_python_form(std::string_view function) {
  function = python_function(function);
  return function == "torch.functional.einsum" || function == "torch.functional.meshgrid" ||
         std::ranges::find(kComposed, function) != std::end(kComposed) ||
         std::ranges::any_of(kForms, [&](const Form& row) { return is_row_of(row, function); });
}

absl::StatusOr<std::optional<PythonCall>> python_form(Context& context, std::string_view function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs,
                                                      std::optional<int64_t> rank) {
  function = python_function(function);
  if (function == "torch.functional.einsum") return einsum_form(args, kwargs);
  if (function == "torch.functional.meshgrid") return meshgrid_form(args, kwargs);
  if (std::ranges::find(kComposed, function) != std::end(kComposed))
    return absl::UnimplementedError(
        fmt::format("{} cannot be expressed as one operator: use lower_to_aten", function));
  const Form* form = nullptr;
  Values values;
  for (const Form& row : kForms) {
    if (!is_row_of(row, function)) continue;
    form = &row;
    FX_ASSIGN_OR_RETURN(values, bind_signature(context, row.function, row.signature, args, kwargs));
    if (row.zero.empty() || truth_of(values.at(row.zero)) == false) break;
  }
  if (form == nullptr) return std::nullopt;
  FX_RETURN_IF_ERROR(check_python_call(function, values));
  FX_RETURN_IF_ERROR(check_unused(context, *form, values));
  if (form->batched_rank != 0 && rank != form->batched_rank &&
      values.at("training") != Argument(false)) {
    return absl::UnimplementedError(
        fmt::format("{} of an input whose rank is not {} cannot be expressed as one operator",
                    form->function, form->batched_rank));
  }
  PythonCall call{.packet = fmt::format("aten.{}", form->packet)};
  if (values.contains("inplace")) {
    FX_ASSIGN_OR_RETURN(const bool is_inplace, truth_of(values, "inplace"));
    if (is_inplace) call.packet += '_';
  }
  if (values.contains("return_indices") && !form->function.ends_with("_with_indices")) {
    FX_ASSIGN_OR_RETURN(const bool with_indices, truth_of(values, "return_indices"));
    if (with_indices) call.packet += "_with_indices";
  }
  for (std::string_view item : items_of(form->arguments)) {
    const bool is_keyword = item.starts_with('*');
    if (is_keyword) item.remove_prefix(1);
    Argument argument;
    int number = -1;
    const size_t bar = item.find('|');
    const std::string_view parameter = item.substr(0, bar);
    const bool is_parameter = values.contains(parameter);
    if (item.starts_with('@')) {
      FX_ASSIGN_OR_RETURN(argument, number_of_word(item, values));
      if (item == "@batch_reduction") {
        call.is_batch_mean = values.at("reduction") == Argument("batchmean");
        if (argument == Argument(3)) argument = Argument(2);  // the sum, which is then divided
      }
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
    if (is_keyword) {
      call.kwargs.emplace_back(item, std::move(argument));
    } else {
      call.args.push_back(std::move(argument));
    }
    call.argument_numbers.push_back(number);
  }
  return call;
}

}  // namespace fx::ops
