// Checks in the Python code of torch.nn.functional that the operators do not repeat: a call that
// Python refuses must not become a legal call of an operator.
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace fx::ops {
namespace {

/// The type of a tensor of known rank; the null Type for other values.
Type type_of(const Values& values, std::string_view name) {
  const Node* const node = values.at(name).node();
  const Type type = node != nullptr ? node->type() : Type();
  return type.is_tensor() && type.has_rank() ? type : Type();
}

/// A constant number; NaN for other values, which compares as false.
double number(const Values& values, std::string_view name) {
  const Argument& value = values.at(name);
  if (value.is_int()) return static_cast<double>(value.as_int());
  if (value.is_float()) return value.as_float();
  return std::numeric_limits<double>::quiet_NaN();
}

absl::Status refused(std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format("Python refuses the call: {}", reason));
}

/// True if the sizes from dimension 2 on are 1.
bool has_one_element(Type type) {
  return std::ranges::all_of(type.sizes().subspan(2), [](Dim size) { return size == Dim(1); });
}

absl::Status check_batch_norm(const Values& values) {
  const double eps = number(values, "eps");
  if (values.at("training") != Argument(true))
    return eps < 0 ? refused("eps must not be negative") : absl::OkStatus();
  if (eps <= 0) return refused("eps must be positive in training mode");
  const Type type = type_of(values, "input");
  if (type && type.rank() >= 2 && type.sizes()[0] == Dim(1) && has_one_element(type))
    return refused(
        fmt::format("in training mode, each channel must have more than 1 value; the "
                    "input is {}",
                    to_string(type)));
  return absl::OkStatus();
}

absl::Status check_instance_norm(const Values& values) {
  const Type type = type_of(values, "input");
  if (values.at("use_input_stats") == Argument(true) && type && type.rank() >= 2 &&
      has_one_element(type))
    return refused(fmt::format("each channel must have more than 1 element; the input is {}",
                               to_string(type)));
  return absl::OkStatus();
}

absl::Status check_group_norm(const Values& values) {
  const Type type = type_of(values, "input");
  const Argument& groups = values.at("num_groups");
  if (!type) return absl::OkStatus();
  if (type.rank() < 2) return refused("the input must have at least 2 dimensions");
  const Dim batch = type.sizes()[0], channels = type.sizes()[1];
  if (!groups.is_int() || groups.as_int() <= 0 || !batch.is_int() || !channels.is_int())
    return absl::OkStatus();
  if (batch.value() <= groups.as_int() && channels.value() <= 2 * groups.as_int() &&
      batch.value() * channels.value() / groups.as_int() == 1 && has_one_element(type))
    return refused(
        fmt::format("each group must have more than 1 value; the input is {}", to_string(type)));
  return absl::OkStatus();
}

absl::Status check_embedding(const Values& values) {
  const Type weight = type_of(values, "weight");
  const Argument& padding = values.at("padding_idx");
  if (!padding.is_int() || !weight || weight.rank() == 0 || !weight.sizes()[0].is_int())
    return absl::OkStatus();
  const int64_t rows = weight.sizes()[0].value();
  // torch does not check 0.
  if (padding.as_int() == 0 || (padding.as_int() < rows && padding.as_int() >= -rows))
    return absl::OkStatus();
  return refused(fmt::format("padding_idx {} is out of range for {} rows", padding.as_int(), rows));
}

absl::Status check_hardtanh(const Values& values) {
  if (number(values, "min_val") > number(values, "max_val"))
    return refused("min_val must not be greater than max_val");
  return absl::OkStatus();
}

absl::Status check_margin(const Values& values) {
  return number(values, "margin") <= 0 ? refused("margin must be positive") : absl::OkStatus();
}

absl::Status check_dropout1d(const Values& values) {
  const Type type = type_of(values, "input");
  if (type && type.rank() != 2 && type.rank() != 3)
    return refused(fmt::format("the input must have rank 2 or 3, not {}", type.rank()));
  return absl::OkStatus();
}

absl::Status check_lp_pool(const Values& values) {
  return number(values, "norm_type") == 0 ? refused("it divides by norm_type, which is 0")
                                          : absl::OkStatus();
}

using Check = absl::Status (*)(const Values&);
constexpr std::pair<std::string_view, Check> kChecks[] = {
    {"batch_norm", check_batch_norm},
    {"dropout1d", check_dropout1d},
    {"embedding", check_embedding},
    {"group_norm", check_group_norm},
    {"hardtanh", check_hardtanh},
    {"instance_norm", check_instance_norm},
    {"lp_pool1d", check_lp_pool},
    {"lp_pool2d", check_lp_pool},
    {"lp_pool3d", check_lp_pool},
    {"triplet_margin_loss", check_margin},
    {"triplet_margin_with_distance_loss", check_margin},
};

}  // namespace

absl::Status check_python_call(std::string_view function, const Values& values) {
  constexpr std::string_view kFunctional = "torch.nn.functional.";
  if (!function.starts_with(kFunctional)) return absl::OkStatus();
  function.remove_prefix(kFunctional.size());
  const auto* const row =
      std::ranges::find_if(kChecks, [&](const auto& check) { return check.first == function; });
  return row != std::end(kChecks) ? row->second(values) : absl::OkStatus();
}

}  // namespace fx::ops
