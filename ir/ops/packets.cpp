#include "fx/ir/ops/packets.h"

#include "fx/ir/ops/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fx::ops {
namespace {

struct PrefixRule {
  std::string_view module;
  std::string_view packet;  // the prefix of the function's name
};

/// The functions of these modules have the names of their operators.
constexpr PrefixRule kPrefixRules[] = {
    {"torch.nn.functional.", "aten."},
    {"torch.functional.", "aten."},
    {"torch.fft.", "aten.fft_"},
    {"torch.linalg.", "aten.linalg_"},
    {"torch.special.", "aten.special_"},
    {"torch.sparse.", "aten._sparse_"},
    {"torch.Tensor.", "aten."},
    {"torch._VF.", "aten."},
    {"torch._C._VariableFunctions.", "aten."},
    {"torch._VariableFunctionsClass.", "aten."},
    {"torch._C._nn.", "aten."},
    {"torch._C._fft.", "aten."},
    {"torch._C._linalg.", "aten."},
    {"torch._C._special.", "aten."},
    {"torch._C._sparse.", "aten."},
    {"torch._C._nested.", "aten."},
    {"torch.", "aten."},
};

constexpr std::string_view kOperatorModule = "operator.";

/// Python's operators as torch.Tensor defines them (torch/_tensor.py and torch/csrc/autograd's
/// python_variable_methods: `__and__` is bitwise_and, `__floordiv__` floor_divide, ...).
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"abs", "aten.abs"},
    {"add", "aten.add"},
    {"and_", "aten.bitwise_and"},
    {"eq", "aten.eq"},
    {"floordiv", "aten.floor_divide"},
    {"ge", "aten.ge"},
    {"gt", "aten.gt"},
    {"iadd", "aten.add_"},
    {"iand", "aten.bitwise_and_"},
    {"ifloordiv", "aten.floor_divide_"},
    {"ilshift", "aten.bitwise_left_shift_"},
    {"imatmul", "aten.matmul"},
    {"imod", "aten.remainder_"},
    {"imul", "aten.mul_"},
    {"inv", "aten.bitwise_not"},
    {"invert", "aten.bitwise_not"},
    {"ior", "aten.bitwise_or_"},
    {"ipow", "aten.pow_"},
    {"irshift", "aten.bitwise_right_shift_"},
    {"isub", "aten.sub_"},
    {"itruediv", "aten.div_"},
    {"ixor", "aten.bitwise_xor_"},
    {"le", "aten.le"},
    {"lshift", "aten.bitwise_left_shift"},
    {"lt", "aten.lt"},
    {"matmul", "aten.matmul"},
    {"mod", "aten.remainder"},
    {"mul", "aten.mul"},
    {"ne", "aten.ne"},
    {"neg", "aten.neg"},
    {"or_", "aten.bitwise_or"},
    {"pos", "aten.positive"},
    {"pow", "aten.pow"},
    {"rshift", "aten.bitwise_right_shift"},
    {"sub", "aten.sub"},
    {"truediv", "aten.div"},
    {"xor", "aten.bitwise_xor"},
};

}  // namespace

bool defaults_to_no_reduction(std::string_view function) {
  constexpr std::string_view kInPython[] = {"torch.nn.", "torch.functional.", "torch.Tensor."};
  return function.starts_with("torch.") &&
         std::ranges::none_of(
             kInPython, [&](std::string_view module) { return function.starts_with(module); });
}

BindingKeywords binding_keywords(std::string_view function,
                                 absl::Span<const OpInfo* const> overloads, size_t num_args,
                                 absl::FunctionRef<bool(std::string_view)> has_keyword) {
  BindingKeywords keywords;
  if (overloads.empty()) return keywords;
  const OpSchema& schema = overloads[0]->schema();
  const int reduction = schema.find_argument("reduction");
  keywords.adds_reduction = reduction >= 0 && static_cast<size_t>(reduction) >= num_args &&
                            schema.arguments()[static_cast<size_t>(reduction)].default_value &&
                            defaults_to_no_reduction(function) && !has_keyword("reduction");
  const auto is_factory = [](const OpInfo* op) {
    return op->schema().find_argument("pin_memory") >= 0 &&
           op->schema().find_argument("requires_grad") < 0;
  };
  keywords.drops_requires_grad =
      has_keyword("requires_grad") && std::ranges::any_of(overloads, is_factory);
  return keywords;
}

absl::Status unsupported_requires_grad(std::string_view function) {
  return absl::UnimplementedError(fmt::format(
      "no operator has the argument requires_grad of {}: call requires_grad_ on the result",
      function));
}

std::string packet_of_function(std::string_view name) {
  if (name.starts_with(kOperatorModule)) {
    const std::string_view local = name.substr(kOperatorModule.size());
    const auto* const row = std::ranges::lower_bound(
        kOperators, local, {}, &std::pair<std::string_view, std::string_view>::first);
    const bool is_known = row != std::end(kOperators) && row->first == local;
    return is_known ? std::string(row->second) : std::string();
  }
  const bool is_packet = std::ranges::count(name, '.') == 1 && !name.starts_with("torch.");
  if (is_packet) return std::string(name);
  for (const PrefixRule& rule : kPrefixRules) {
    if (!name.starts_with(rule.module)) continue;
    const std::string_view local = name.substr(rule.module.size());
    if (local.empty() || local.find_first_of(".:(") != std::string_view::npos) return {};
    return std::string(rule.packet).append(local);
  }
  return {};
}

}  // namespace fx::ops
