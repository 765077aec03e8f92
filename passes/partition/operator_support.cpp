// Predicates of support: see operator_support.h.
#include "fx/passes/partition/operator_support.h"

#include "fx/ir/graph.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>

namespace fx {
namespace {

/// The dtype of an operand that is a tensor.
std::optional<DType> dtype_of(const Node& node) {
  const Type type = node.type();
  if (!type.is_tensor() || type.dtype() == DType::kUndefined) return std::nullopt;
  return type.dtype();
}

bool allows(const ArgumentRef& argument, const std::vector<DType>& dtypes) {
  const Node* operand = argument.node();
  if (operand == nullptr) return true;
  const std::optional<DType> dtype = dtype_of(*operand);
  return dtype && std::ranges::find(dtypes, *dtype) != dtypes.end();
}

bool allows(const Node& node, const SupportedTarget& row) {
  for (size_t i = 0; i < row.args.size() && i < node.num_args(); ++i)
    if (row.args[i] && !allows(node.arg(i), *row.args[i])) return false;
  for (const auto& [name, dtypes] : row.kwargs) {
    const auto value = node.kwarg(name);
    if (value && !allows(*value, dtypes)) return false;
  }
  return true;
}

}  // namespace

std::string_view support_target(const Node& node, const Module* root) {
  if (node.op() != Opcode::kCallModule) return node.target();
  if (root == nullptr) root = node.graph().owning_module();
  const Module* module = root == nullptr ? nullptr : root->find_module(node.target());
  return module == nullptr ? std::string_view() : std::string_view(module->class_name());
}

OperatorSupport supports_targets(absl::Span<const SupportedTarget> rows, const Module* root) {
  // By length first: most targets that are not there are told apart without reading them.
  constexpr auto kBefore = [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  };
  std::vector<SupportedTarget> table(rows.begin(), rows.end());
  std::ranges::stable_sort(table, kBefore, &SupportedTarget::target);
  return [table = std::move(table), root, kBefore](const Node& node) {
    if (!node.is_call()) return true;
    const std::string_view target = support_target(node, root);
    auto row = std::ranges::lower_bound(table, target, kBefore, &SupportedTarget::target);
    for (; row != table.end() && row->target == target; ++row)
      if (allows(node, *row)) return true;
    return false;
  };
}

OperatorSupport supports_targets(absl::Span<const std::string> targets, const Module* root) {
  std::vector<SupportedTarget> rows;
  for (const std::string& target : targets) rows.push_back({.target = target});
  return supports_targets(rows, root);
}

OperatorSupport all_of(std::vector<OperatorSupport> parts) {
  return [parts = std::move(parts)](const Node& node) {
    return std::ranges::all_of(parts, [&](const OperatorSupport& part) { return part(node); });
  };
}

OperatorSupport any_of(std::vector<OperatorSupport> parts) {
  return [parts = std::move(parts)](const Node& node) {
    return std::ranges::any_of(parts, [&](const OperatorSupport& part) { return part(node); });
  };
}

OperatorSupport declines_input_dtype(DType dtype) {
  return [dtype](const Node& node) {
    bool supported = true;
    node.for_each_input([&](Node* input) { supported = supported && dtype_of(*input) != dtype; });
    return supported;
  };
}

OperatorSupport declines_names(absl::Span<const std::string> names) {
  return [set = absl::flat_hash_set<std::string>(names.begin(), names.end())](const Node& node) {
    return !set.contains(node.name());
  };
}

OperatorSupport supports_device(Device device) {
  return [device](const Node& node) {
    const auto fits = [&](const Node& value) {
      const Type type = value.type();
      return !type.is_tensor() || type.device() == device;
    };
    if (!node.is_call()) return true;
    bool supported = fits(node);
    node.for_each_input([&](Node* input) { supported = supported && fits(*input); });
    return supported;
  };
}

}  // namespace fx
