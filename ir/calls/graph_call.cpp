#include "fx/ir/calls/graph_call.h"

#include "fmt/format.h"

#include <string>
#include <string_view>

namespace fx {
namespace {

std::optional<bool> as_flag(ArgumentRef value) {
  return value.is_bool() ? std::optional(value.as_bool()) : std::nullopt;
}

}  // namespace

absl::StatusOr<std::optional<GraphCall>> graph_call(const Node& node) {
  if (node.op() != Opcode::kCallFunction) return std::nullopt;
  const std::string_view name = node.target();
  const auto refuse = [&](std::string_view wanted) {
    return absl::InvalidArgumentError(fmt::format("the arguments of {} must be {}", name, wanted));
  };
  GraphCall call;
  if (name == "higher_order.invoke_subgraph") {
    call = {.graph = 0, .first_operand = 2};
  } else if (name == "higher_order.wrap" || name == "higher_order.wrap_activation_checkpoint" ||
             name == "higher_order.tag_activation_checkpoint") {
    call = {.graph = 0, .first_operand = 1};
  } else if (name == "higher_order.wrap_with_set_grad_enabled") {
    call = {.graph = 1, .first_operand = 2};
    if (node.num_args() >= 1) call.grad = as_flag(node.arg(0));
    if (!call.grad) return refuse("a bool (grad mode), a graph and its inputs");
  } else if (name == "higher_order.wrap_with_autocast") {
    constexpr std::string_view kWanted =
        "a device type, a dtype, two flags (enabled, cache), a graph and its inputs";
    call = {.graph = 4, .first_operand = 5};
    if (node.num_args() < 5) return refuse(kWanted);
    const std::optional<DeviceType> device =
        node.arg(0).is_string() ? device_type_from_name(node.arg(0).as_string()) : std::nullopt;
    const ArgumentRef dtype = node.arg(1), cache = node.arg(3);
    const std::optional<bool> enabled = as_flag(node.arg(2));
    if (!device || !enabled || !(dtype.is_none() || dtype.kind() == ArgumentKind::kDType) ||
        !(cache.is_none() || cache.is_bool()))
      return refuse(kWanted);
    call.autocast = {
        .device = *device, .dtype = std::nullopt, .enabled = *enabled, .cache = as_flag(cache)};
    if (!dtype.is_none()) call.autocast->dtype = dtype.as_dtype();
  } else {
    return std::nullopt;
  }
  if (node.num_args() < call.first_operand) return refuse("a graph and its inputs");
  return call;
}

}  // namespace fx
