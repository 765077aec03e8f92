// ChangedTypes: see changed_types.h.
#include "fx/passes/shape/changed_types.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/changed_lists.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/calls/metadata_writes.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/passes/shape/compare_types.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fx {
namespace {

/// Returns the operand for an argument of the schema, or null.
Node* operand_of(const Node& call, const ops::OpInfo& op, int argument) {
  const std::optional<ArgumentRef> value = passed_argument(call, op, argument);
  return value ? value->node() : nullptr;
}

/// Returns the operand that a call returns as its result (the same tensor object), or null.
Node* returned_operand(const Node& call) {
  const ops::OpInfo* op = call.function().op();
  if (!op || op->is_function()) return written_by_name(call);
  if (op->schema().returns().size() != 1) return nullptr;
  for (const ops::OutputAlias& alias : op->output_aliases())
    if (alias.kind == ops::AliasKind::kSame) return operand_of(call, *op, alias.argument);
  return nullptr;
}

/// True for a tensor with a known dtype and strides, and therefore known sizes.
bool has_known_layout(Type type) {
  return type.is_tensor() && type.has_strides() && type.dtype() != DType::kUndefined;
}

/// Determines which graphs change sizes or strides of an input. Visits each graph once.
class ChangingGraphs {
 public:
  /// True if a graph that the call runs changes an input.
  bool runs(const Node& call);
  /// See fx::changed_tensors.
  std::vector<const Node*> changed_tensors(const Graph& graph);

 private:
  bool changes_inputs(const Graph* graph);

  absl::flat_hash_map<const Graph*, bool> known_;
};

bool ChangingGraphs::changes_inputs(const Graph* graph) {
  if (graph == nullptr) return true;  // it is not available
  if (const auto known = known_.find(graph); known != known_.end()) return known->second;
  const bool changes = std::ranges::any_of(changed_tensors(*graph), &Node::is_placeholder);
  known_[graph] = changes;
  return changes;
}

bool ChangingGraphs::runs(const Node& call) {
  const Module* const root = call.graph().owning_module();
  if (call.op() == Opcode::kCallModule) {
    const Module* const module = root == nullptr ? nullptr : root->find_module(call.target());
    const GraphModule* const called = module == nullptr ? nullptr : module->as_graph_module();
    return called != nullptr && changes_inputs(&called->graph());
  }
  const ops::OpInfo* const op = call.function().op();
  return op != nullptr && op->has(ops::OpTrait::kSubgraphs) &&
         std::ranges::any_of(graphs_of_call(call, root),
                             [&](const Graph* graph) { return changes_inputs(graph); });
}

/// True for operator.getitem with a node and a constant index.
bool is_item(const Node& node) { return constant_item(node).has_value(); }

/// True for a slice of a list, or of a value without a type.
bool is_slice_of_list(const Node& node) {
  return node.target() == "operator.getitem" && node.num_args() == 2 && node.arg(0).is_node() &&
         node.arg(1).kind() == ArgumentKind::kSlice && !node.arg(0).as_node()->type().is_tensor();
}

/// Returns the number of items of a list or tuple; 0 if it is unknown.
int64_t num_items(const Node& list) {
  const Type type = list.type();
  return type.is_list() || type.is_tuple() ? static_cast<int64_t>(type.items().size()) : 0;
}

/// Returns the list of which `list` is a slice, or a slice of a slice.
Node& whole_list(Node& list) {
  Node* whole = &list;
  while (is_slice_of_list(*whole)) whole = whole->arg(0).as_node();
  return *whole;
}

/// Returns the index in the whole list of item `index` of a slice; nullopt if it is unknown.
std::optional<int64_t> index_in_whole(const Node& list, int64_t index) {
  if (index < 0) index += num_items(list);
  for (const Node* at = &list; is_slice_of_list(*at); at = at->arg(0).as_node()) {
    const ArgumentRef slice = at->arg(1);
    const auto is_constant = [&](size_t i) { return slice[i].is_none() || slice[i].is_int(); };
    if (index < 0 || !is_constant(0) || !is_constant(2)) return std::nullopt;
    const int64_t count = num_items(*at->arg(0).as_node());
    const int64_t step = slice[2].is_none() ? 1 : slice[2].as_int();
    int64_t start = slice[0].is_none() ? 0 : slice[0].as_int();
    if (start < 0) {
      if (count == 0) return std::nullopt;
      start = std::max<int64_t>(0, start + count);
    }
    constexpr int64_t kMax = int64_t{1} << 30;  // prevents overflow
    if (step <= 0 || step > kMax || start > kMax || index > kMax) return std::nullopt;
    index = start + index * step;
  }
  return index;
}

bool has_items(Type type) { return type.is_list() || type.is_tuple(); }

/// Calls `f` with the list and its slices, which may have no type.
template <class F>
void for_each_slice(Node& whole, F&& f) {
  std::vector<Node*> lists = {&whole};
  for (size_t i = 0; i < lists.size(); ++i) {
    for (Node* const user : lists[i]->users())
      if (is_slice_of_list(*user) && user->arg(0).node() == lists[i]) lists.push_back(user);
    f(*lists[i]);
  }
}

/// Returns whether both nodes are the same item of a list, hence the same tensor; nullopt if this
/// is unknown.
std::optional<bool> are_same_item(const Node& a, const Node& b) {
  const std::optional<int64_t> a_item = constant_item(a), b_item = constant_item(b);
  if (!a_item || !b_item) return false;
  Node &a_list = *a.arg(0).as_node(), &b_list = *b.arg(0).as_node();
  const Node& list = whole_list(a_list);
  if (&list != &whole_list(b_list) || list.type().is_tensor()) return false;
  const std::optional<int64_t> i = index_in_whole(a_list, *a_item);
  const std::optional<int64_t> k = index_in_whole(b_list, *b_item);
  // A negative index is that of an item of a list with an unknown number of items.
  if (!i || !k || (*i < 0) != (*k < 0)) return std::nullopt;
  return *i == *k;
}

/// Calls `f` with each item of the list or of a slice of it.
template <class F>
void for_each_item(Node& list, F&& f) {
  for_each_slice(list, [&](Node& part) {
    for (Node* const user : part.users())
      if (is_item(*user) && user->arg(0).node() == &part) f(*user);
  });
}

/// True if a view operator may return the operand itself.
bool is_sometimes_operand(const ops::OpInfo& op) {
  return ops::view_kind(op) == ops::ViewKind::kOther || ops::may_return_source(op);
}

/// True unless the types of two tensors show that they are not the same tensor.
bool may_be_one(Type a, Type b) {
  if (has_known_layout(a) && has_known_layout(b)) return equal_types(a, b);
  const bool have_dtypes = a.is_tensor() && b.is_tensor() && a.dtype() != DType::kUndefined &&
                           b.dtype() != DType::kUndefined;
  return !have_dtypes || a.dtype() == b.dtype();
}

/// Returns the operator that a function or method calls, or null.
const ops::OpInfo* operator_of(const Node& call) {
  return call.op() == Opcode::kCallMethod ? call.context().ops().find_method(call.target())
                                          : call.function().op();
}

/// True if the call may return the operand itself: `contiguous`, `to`, `flatten`. `result` and
/// `type` are the types of the call and of the operand when the call ran.
bool may_return(const Node& call, Type result, const Node& operand, Type type) {
  if (!call.is_call() || call.op() == Opcode::kCallModule) return false;
  const ops::OpInfo* const op = operator_of(call);
  // Indexing a tensor creates a tensor. For items of lists, see for_each_alias().
  if (op == nullptr || op->name() == "operator.getitem") return false;
  return std::ranges::any_of(op->output_aliases(), [&](const ops::OutputAlias& alias) {
    if (operand_of(call, *op, alias.argument) != &operand) return false;
    const bool is_view = alias.kind == ops::AliasKind::kView;
    if (is_view ? !is_sometimes_operand(*op) : alias.kind != ops::AliasKind::kMaybe) return false;
    return may_be_one(result, type);
  });
}

/// True if the operator may return tensors of a list itself: `broadcast_tensors`,
/// `cartesian_prod`.
bool may_return_items(const ops::OpInfo& op) {
  return std::ranges::any_of(op.output_aliases(), [&](const ops::OutputAlias& alias) {
    const ops::SchemaType& type = op.schema().arguments()[alias.argument].type.without_optional();
    if (!type.is_list() || !type.contains_tensors()) return false;
    return alias.kind == ops::AliasKind::kMaybe ||
           (alias.kind == ops::AliasKind::kView && is_sometimes_operand(op));
  });
}

/// True if the call returns a list of tensors that it received: `max(x, 1, out=(values, indices))`.
bool returns_outs(const Node& call, const ops::OpInfo& op) {
  return std::ranges::any_of(op.output_aliases(), [&](const ops::OutputAlias& alias) {
    if (!op.schema().arguments()[alias.argument].is_out()) return false;
    const std::optional<ArgumentRef> value = passed_argument(call, op, alias.argument);
    return value && (!value->is_node() || op.schema().returns().size() > 1) && !value->is_none();
  });
}

/// True if the call may return any operand, an item of one, or one tensor twice: it runs a graph or
/// a module, calls an unknown function, creates a list, or may return items of a list.
bool may_return_any(const Node& call) {
  if (call.op() == Opcode::kCallModule) return true;
  const ops::OpInfo* const op = operator_of(call);
  if (op == nullptr || op->has(ops::OpTrait::kSubgraphs)) return true;
  if (op->name() == "operator.getitem")  // of a list of operands; otherwise like may_return()
    return call.num_args() > 0 && !call.arg(0).is_node();
  const bool is_list = call.type().is_list() || call.type().is_tuple();
  return op->aliases_unknown() || may_return_items(*op) || returns_outs(call, *op) ||
         (op->is_function() && (is_list || op->has(ops::OpTrait::kMayAlias)));
}

/// Calls `f` with the node, if it may be a tensor, or with its items, if it may be a list.
template <class F>
void for_each_tensor(Node& node, F&& f) {
  const bool is_tensor = node.type().is_tensor();
  if (is_tensor || !node.type()) f(node);
  if (!is_tensor) for_each_item(whole_list(node), f);
}

/// Calls `f` with the other inputs and attributes of the graph that may be, or may contain, the
/// same tensor as this input or attribute. The inputs of a nested graph may be one tensor, or
/// attributes.
template <class F>
void for_each_other_source(const Node& source, F&& f) {
  const Graph& graph = source.graph();
  const bool is_attribute = source.op() == Opcode::kGetAttr;
  const auto memory = source.meta().get(meta::kSharedMemory);
  const auto visit = [&](Node* other) {
    if (other != &source) f(*other);
  };
  if (graph.is_nested() || memory) {
    for (Node* const input : graph.find_nodes(Opcode::kPlaceholder))
      if (graph.is_nested() || input->meta().get(meta::kSharedMemory) == memory) visit(input);
  }
  if (graph.is_nested() || is_attribute)
    std::ranges::for_each(graph.find_nodes(Opcode::kGetAttr), visit);
}

/// Calls `f` with other nodes that may be the same tensor as `node`: results of its users, operands
/// that it may return, results and operands of a call that may return any operand, and other inputs
/// and attributes. `type_of` returns the type of a node.
template <class TypeOf, class F>
void for_each_alias(Node& node, TypeOf&& type_of, F&& f) {
  const Type type = type_of(node);
  const auto visit = [&](Node& other) {
    if (&other != &node && may_be_one(type_of(other), type)) f(other);
  };
  const auto visit_users = [&](Node& value) {
    for (Node* const user : value.users())
      if (user->is_call() && may_return_any(*user)) for_each_tensor(*user, visit);
  };
  for (Node* const user : node.users())
    if (may_return(*user, type_of(*user), node, type)) f(*user);
  visit_users(node);
  node.for_each_input([&](Node* input) {
    if (may_return(node, type, *input, type_of(*input))) visit(*input);
  });
  Node* source = &node;
  if (is_item(node)) {
    source = &whole_list(*node.arg(0).as_node());
    for_each_slice(*source, visit_users);
    for_each_item(*source, [&](Node& item) {
      if (!are_same_item(item, node).has_value()) visit(item);
    });
  }
  if (source->is_placeholder() || source->op() == Opcode::kGetAttr)
    for_each_other_source(*source, [&](Node& other) { for_each_tensor(other, visit); });
  if (!source->is_call() || !may_return_any(*source)) return;
  for_each_tensor(*source, visit);
  source->for_each_input([&](Node* input) { for_each_tensor(*input, visit); });
}

/// True for a value that may be a tensor, or may contain one.
bool may_hold_tensor(Type type) {
  return !type || type.is_tensor() || type.is_list() || type.is_tuple();
}

/// Calls `f` with each operand whose type the call changes, or may change, and its new type, which
/// may be null. The operand may be a list of changed tensors.
template <class F>
void for_each_change(const Node& call, Type result, ChangingGraphs& graphs, F&& f) {
  const ops::OpInfo* const op = call.function().op();
  // Most operators neither write to operands nor run graphs.
  if (op != nullptr && !op->has(ops::OpTrait::kSubgraphs) &&
      !op->effects().has(ops::Effect::kWritesArguments))
    return;
  const auto visit = [&](Node& value, Type type) {
    if (!may_hold_tensor(value.type())) return;
    if (has_known_layout(type) && have_identical_layouts(value.type(), type)) return;
    if (!value.type().is_tensor()) {
      for_each_item(whole_list(value), [&](Node& item) {
        if (item.comes_before(call) && may_hold_tensor(item.type())) f(item, Type());
      });
    }
    f(value, type);
  };
  if (graphs.runs(call)) {
    call.for_each_input([&](Node* input) { visit(*input, Type()); });
  } else {
    for_each_metadata_write(call, result, visit);
  }
}

/// Returns the nodes that are the same tensor as `value`, except nodes that `accepts` rejects.
template <class Accepts>
std::vector<Node*> same_tensors(Node& value, Accepts&& accepts) {
  Node* root = &value;
  while (Node* const returned = returned_operand(*root)) root = returned;
  std::vector<Node*> same = {root};
  if (root->op() == Opcode::kGetAttr) {
    for (Node* const other : root->graph().find_nodes(Opcode::kGetAttr, root->target()))
      if (other != root && accepts(*other)) same.push_back(other);
  }
  if (is_item(*root)) {
    for_each_item(whole_list(*root->arg(0).as_node()), [&](Node& item) {
      if (&item != root && accepts(item) && are_same_item(item, *root).value_or(false))
        same.push_back(&item);
    });
  }
  for (size_t i = 0; i < same.size(); ++i) {
    for (const Use use : same[i]->uses()) {
      Node* const user = use.user();
      if (accepts(*user) && returned_operand(*user) == same[i]) same.push_back(user);
    }
  }
  return same;
}

/// Returns the other nodes that may be the same tensor as the nodes in `same`, except nodes that
/// `accepts` rejects. `type_of` returns the type of a node.
template <class TypeOf, class Accepts>
std::vector<Node*> possible_aliases(const std::vector<Node*>& same, TypeOf&& type_of,
                                    Accepts&& accepts) {
  absl::flat_hash_set<const Node*> found(same.begin(), same.end());
  std::vector<Node*> nodes = same;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for_each_alias(*nodes[i], type_of, [&](Node& other) {
      if (!accepts(other) || found.contains(&other)) return;
      for (Node* const each : same_tensors(other, accepts))
        if (found.insert(each).second) nodes.push_back(each);
    });
  }
  nodes.erase(nodes.begin(), nodes.begin() + static_cast<std::ptrdiff_t>(same.size()));
  return nodes;
}

std::vector<const Node*> ChangingGraphs::changed_tensors(const Graph& graph) {
  std::vector<const Node*> changed;
  absl::flat_hash_set<const Node*> stale;  // their types are those before a change
  const auto type_of = [&](const Node& node) {
    const Type type = node.type();
    if (!type.is_tensor() || !stale.contains(&node)) return type;
    return node.context().types().tensor(
        {.dtype = type.dtype(), .strides = StrideSpec::unknown(), .has_rank = false});
  };
  const auto all = [](const Node&) { return true; };
  for (const Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    for_each_change(node, node.type(), *this, [&](Node& value, Type) {
      const std::vector<Node*> same = same_tensors(value, all);
      const std::vector<Node*> others = possible_aliases(same, type_of, all);
      changed.insert(changed.end(), same.begin(), same.end());
      changed.insert(changed.end(), others.begin(), others.end());
      stale.insert(same.begin(), same.end());
      stale.insert(others.begin(), others.end());
    });
  }
  return changed;
}

}  // namespace

bool ChangedTypes::note(const Node& call, Type result) {
  const size_t before = size();
  ChangingGraphs graphs;
  for_each_change(call, result, graphs, [&](Node& value, Type type) { change(value, type, call); });
  note_lists(call);
  return size() != before;
}

void ChangedTypes::note_lists(const Node& call) {
  for (Node* const list : changed_lists(call)) set(*list, Type());
}

void ChangedTypes::set(Node& node, Type type) {
  changed_.emplace_back(&node, node.type());
  Graph::Editor::set_type(node, type);
}

template <class Accepts>
void ChangedTypes::change_results(const Node& value, Type unknown, Accepts&& accepts) {
  for (Node* const user : value.users()) {
    if (!user->is_call() || !has_items(user->type()) || !accepts(*user) || !may_return_any(*user))
      continue;
    for_each_slice(*user, [&](Node& part) {
      if (!has_items(part.type())) return;
      std::vector<Type> items(part.type().items().begin(), part.type().items().end());
      for (Type& item : items)
        if (item.is_tensor() && may_be_one(item, value.type())) item = unknown;
      const Type changed = part.context().types().with_items(part.type(), items);
      if (accepts(part) && changed != part.type()) set(part, changed);
    });
  }
}

void ChangedTypes::change(Node& value, Type type, const Node& writer) {
  // Unlike the null Type, this type excludes numbers.
  const Type unknown =
      value.context().types().tensor({.strides = StrideSpec::unknown(), .has_rank = false});
  const bool is_known{type};
  if (!is_known) type = unknown;
  // A later get_attr returns the changed tensor.
  const auto is_valid = [&](const Node& node) {
    return node.comes_before(writer) || node.op() == Opcode::kGetAttr;
  };
  const std::vector<Node*> same = same_tensors(value, is_valid);
  const auto type_of = [](const Node& node) { return node.type(); };
  const std::vector<Node*> others = possible_aliases(same, type_of, is_valid);
  for (Node* const node : same) change_results(*node, unknown, is_valid);
  for (Node* const other : others) change_results(*other, unknown, is_valid);
  for (Node* const other : others) {
    // The result of a call to a graph may be a list if it has no type; it then stays unknown.
    if (other->type().is_tensor() && other->type() != unknown) set(*other, unknown);
  }
  if (has_items(value.type())) {
    for_each_slice(whole_list(value), [&](Node& list) {
      if (!has_items(list.type())) return;
      std::vector<Type> items(list.type().items().begin(), list.type().items().end());
      for (Type& item : items)
        if (item.is_tensor()) item = unknown;
      if (is_valid(list)) set(list, list.context().types().with_items(list.type(), items));
    });
    return;
  }
  const auto index_of = [](const Node& node) {
    return index_in_whole(*node.arg(0).as_node(), node.arg(1).as_int());
  };
  for (Node* const node : same) {
    const bool is_other_slice =
        is_item(*node) && is_item(*same[0]) && node->arg(0).node() != same[0]->arg(0).node();
    const bool may_differ = is_other_slice && (!index_of(*node) || !index_of(*same[0]));
    // A value without a type may be a number.
    if (is_known || node->type()) set(*node, may_differ ? unknown : type);
    // A later getitem of the same item returns the changed tensor.
    if (!is_item(*node)) continue;
    Node& of = *node->arg(0).as_node();
    const std::optional<int64_t> index = index_of(*node);
    for_each_slice(whole_list(of), [&](Node& list) {
      std::vector<Type> items;
      bool changes = false;
      for (int64_t i = 0; i < num_items(list); ++i) {
        const std::optional<int64_t> at = index_in_whole(list, i);
        const bool is_same = index && at && *at == *index;
        const bool may_be_same = !index || !at;
        const Type before = list.type().items()[static_cast<size_t>(i)];
        items.push_back(is_same ? type : may_be_same && before.is_tensor() ? unknown : before);
        changes = changes || items.back() != before;
      }
      if (changes) set(list, list.context().types().with_items(list.type(), items));
    });
  }
}

void ChangedTypes::restore(size_t count) {
  while (changed_.size() > count) {
    const auto [node, type] = changed_.back();
    Graph::Editor::set_type(*node, type);
    changed_.pop_back();
  }
}

std::vector<const Node*> changed_tensors(const Graph& graph) {
  return ChangingGraphs().changed_tensors(graph);
}

bool may_change_operands(const Node& call) {
  return may_change_metadata(call) || ChangingGraphs().runs(call);
}

}  // namespace fx
