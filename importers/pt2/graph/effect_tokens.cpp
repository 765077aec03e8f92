#include "fx/importers/pt2/graph/effect_tokens_internal.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fx::pt2 {
namespace {

constexpr std::string_view kWithEffects = "higher_order.with_effects";

absl::Status effects_error(const Node& node, std::string_view what) {
  return absl::InvalidArgumentError(
      fmt::format("node {} ({}): {}", node.name(), node.target(), what));
}

/// Inserts a direct call to the operator before a call to with_effects, and replaces the results of
/// with_effects. After that, only the token of with_effects has uses.
absl::Status call_directly(Graph& graph, Node& node) {
  const Type type = node.type();
  if (node.num_args() < 2 || node.arg(1).kind() != ArgumentKind::kFunction || !type.is_tuple() ||
      type.items().empty())
    return effects_error(node,
                         "it must have a token and an operator as arguments, and return a tuple");
  const Target function = node.arg(1).as_function();
  std::vector<Argument> args;
  for (size_t i = 2; i < node.num_args(); ++i) args.emplace_back(node.arg(i));
  std::vector<Kwarg> kwargs;
  kwargs.reserve(node.num_kwargs());
  for (size_t i = 0; i < node.num_kwargs(); ++i)
    kwargs.emplace_back(node.kwarg_name(i), Argument(node.kwarg_value(i)));
  const InsertPointGuard before = graph.inserting_before(&node);
  FX_ASSIGN_OR_RETURN(Node* const call,
                      graph.create_node(Opcode::kCallFunction, function, args, kwargs));
  call->meta().copy_from(node);
  TypeTable& types = graph.context().types();
  const absl::Span<const Type> results = type.items().subspan(1);
  const ops::OpInfo* const op = function.op();
  const size_t count =
      op == nullptr || op->is_function() ? results.size() : op->schema().returns().size();
  if (count > results.size()) return effects_error(node, "it returns too few values");
  call->set_type(count == 0 ? types.none() : count == 1 ? results[0] : types.tuple(results));
  for (Node* const user : node.users()) {
    const auto item = selected_item(*user);
    if (!item) return effects_error(node, "its users must select items of its result");
    if (item->second == 0 || !user->has_uses()) continue;  // a token
    Node* value = call;
    if (count > 1) {
      FX_ASSIGN_OR_RETURN(
          value,
          graph.create_node(Opcode::kCallFunction, user->target(),
                            {Argument(call), Argument(static_cast<int64_t>(item->second - 1))}));
      value->set_type(user->type());
      value->meta().copy_from(*user);
    }
    user->replace_all_uses_with(value);
  }
  return absl::OkStatus();
}

/// Erases a node and its getitem nodes. Returns an error if they have other uses.
absl::Status erase_unused(Graph& graph, Node* node) {
  for (Node* const user : node->users()) {
    if (!selected_item(*user) || user->has_uses()) {
      return absl::UnimplementedError(
          fmt::format("node {} ({}) uses a token of {}, but tokens must only be passed to "
                      "higher_order.with_effects; read the program in the lifted form (--lifted)",
                      user->name(), user->target(), node->name()));
    }
    FX_RETURN_IF_ERROR(graph.erase_node(user));
  }
  return graph.erase_node(node);
}

}  // namespace

absl::Status remove_effect_tokens(Graph& graph, absl::Span<const std::string_view> tokens) {
  std::vector<Node*> calls;
  for (Node& node : graph.nodes())
    if (node.op() == Opcode::kCallFunction && node.target() == kWithEffects) calls.push_back(&node);
  for (Node* const call : calls) FX_RETURN_IF_ERROR(call_directly(graph, *call));
  while (!calls.empty()) {  // last call first, since later calls use the token of a call
    FX_RETURN_IF_ERROR(erase_unused(graph, calls.back()));
    calls.pop_back();
  }
  for (const std::string_view name : tokens) {
    if (Node* const token = graph.find_node(name); token != nullptr)
      FX_RETURN_IF_ERROR(erase_unused(graph, token));
  }
  return absl::OkStatus();
}

}  // namespace fx::pt2
