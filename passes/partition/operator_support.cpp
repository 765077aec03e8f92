// Support predicates: see operator_support.h.
#include "fx/passes/partition/operator_support.h"

#include "fx/ir/graph/graph.h"
#include "fx/passes/partition/operator_support_internal.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>

namespace fx {
namespace {

/// Returns the dtype of an operand that is a tensor.
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

/// Compares lengths first: this distinguishes most targets without reading their text.
bool is_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

}  // namespace

namespace internal {

TargetSupport::TargetSupport(absl::Span<const SupportedTarget> rows, const Module* root)
    : rows_(rows.begin(), rows.end()), root_(root) {
  std::ranges::stable_sort(rows_, is_before, &SupportedTarget::target);
}

absl::Span<const SupportedTarget> TargetSupport::rows_of(std::string_view target) const {
  const auto first = std::ranges::lower_bound(rows_, target, is_before, &SupportedTarget::target);
  auto last = first;
  while (last != rows_.end() && last->target == target) ++last;
  return absl::MakeConstSpan(rows_).subspan(static_cast<size_t>(first - rows_.begin()),
                                            static_cast<size_t>(last - first));
}

bool TargetSupport::operator()(const Node& node) const {
  if (!node.is_call()) return true;
  return std::ranges::any_of(rows_of(support_target(node, root_)),
                             [&](const SupportedTarget& row) { return allows(node, row); });
}

std::optional<bool> TargetSupport::of_function(Target function) const {
  const absl::Span<const SupportedTarget> rows = rows_of(function.name());
  if (rows.empty()) return false;
  for (const SupportedTarget& row : rows)
    if (row.args.empty() && row.kwargs.empty()) return true;
  return std::nullopt;
}

}  // namespace internal

std::string_view support_target(const Node& node, const Module* root) {
  if (node.op() != Opcode::kCallModule) return node.target();
  if (root == nullptr) root = node.graph().owning_module();
  const Module* module = root == nullptr ? nullptr : root->find_module(node.target());
  return module == nullptr ? std::string_view() : std::string_view(module->class_name());
}

OperatorSupport supports_targets(absl::Span<const SupportedTarget> rows, const Module* root) {
  return internal::TargetSupport(rows, root);
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

}  // namespace fx
