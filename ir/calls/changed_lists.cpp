// See changed_lists.h.
#include "fx/ir/calls/changed_lists.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/op_info.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fx {
namespace {

/// True for the type of a list or dict, or of a tuple that contains one.
bool is_changeable(Type type) {
  if (type.is_tuple()) return std::ranges::any_of(type.items(), is_changeable);
  return type.is_list() || type.is_map();
}

/// True for a value that may be a list or dict, or contain one.
bool may_be_list(const Node& node) {
  return !node.type() || is_changeable(node.type()) || node.type().kind() == TypeKind::kObject;
}

/// True for calls to ATen operators that run no graphs: their lists are new.
bool returns_new_lists(const Node& node) {
  const ops::OpInfo* const op = node.function().op();
  return op != nullptr && !op->is_function() && !op->has(ops::OpTrait::kSubgraphs);
}

/// True if the call writes to the items of a list (`torch._foreach_add_`), and not to the list.
bool writes_to_items(const ops::OpInfo& op, size_t argument) {
  const ops::SchemaType& type = op.schema().arguments()[argument].type.without_optional();
  return type.is_list() && type.own_alias() == nullptr;
}

/// Calls `f` with the operands that the call may change, if they are lists.
template <class F>
void for_each_changed_operand(const Node& call, F&& f) {
  if (!call.is_call() || returns_new_lists(call)) return;
  if (!effects(call).has(ops::Effect::kWritesArguments)) return;
  const ops::OpInfo* const op = call.function().op();
  if (op == nullptr || op->written_arguments().empty()) {
    call.for_each_input(f);
    return;
  }
  for (const uint8_t argument : op->written_arguments()) {
    if (writes_to_items(*op, argument)) continue;
    const std::optional<ArgumentRef> value = passed_argument(call, *op, argument);
    if (value && value->is_node()) f(value->node());
  }
}

/// Adds values to `found` that may be, contain, or be an item of a list in it.
void add_related(std::vector<Node*>& found, absl::flat_hash_set<const Node*>& seen) {
  const auto add = [&](Node* node) {
    if (may_be_list(*node) && seen.insert(node).second) found.push_back(node);
  };
  for (size_t i = 0; i < found.size(); ++i) {
    Node& node = *found[i];
    for (Node* const user : node.users())
      if (user->is_call() && !returns_new_lists(*user)) add(user);
    if (node.is_call() && !returns_new_lists(node)) node.for_each_input(add);
    // The inputs of a nested graph may be one list.
    if (!node.is_placeholder() || !node.graph().is_nested()) continue;
    for (Node* const input : node.graph().find_nodes(Opcode::kPlaceholder)) add(input);
  }
}

}  // namespace

std::vector<Node*> changed_lists(const Node& call) {
  std::vector<Node*> found;
  absl::flat_hash_set<const Node*> seen;
  for_each_changed_operand(call, [&](Node* operand) {
    if (may_be_list(*operand) && seen.insert(operand).second) found.push_back(operand);
  });
  if (found.empty()) return found;
  add_related(found, seen);
  std::erase_if(found, [&](const Node* node) {
    return !is_changeable(node->type()) || !node->comes_before(call);
  });
  return found;
}

}  // namespace fx
