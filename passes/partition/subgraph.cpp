// Outlines and extracts subgraphs: see subgraph.h. inline_calls.cpp implements the inverse.
#include "fx/passes/partition/subgraph.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/position_queue.h"
#include "fx/passes/partition/outline_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace fx {
namespace {

constexpr std::string_view kInvokeSubgraph = "higher_order.invoke_subgraph";

absl::Status check_nodes(const Graph& graph, absl::Span<Node* const> nodes) {
  absl::flat_hash_set<const Node*> seen;
  for (const Node* node : nodes) {
    if (node == nullptr || node->is_erased() || &node->graph() != &graph)
      return absl::InvalidArgumentError("the nodes of a subgraph must be live nodes of the graph");
    if (node->is_placeholder() || node->is_output()) {
      return absl::InvalidArgumentError(fmt::format("%{}, a {}, cannot be moved into a subgraph",
                                                    node->name(), opcode_name(node->op())));
    }
    if (!seen.insert(node).second)
      return absl::InvalidArgumentError(
          fmt::format("%{} is listed twice among the nodes of a subgraph", node->name()));
  }
  if (nodes.empty()) return absl::InvalidArgumentError("a subgraph must not be empty");
  if (!is_convex(nodes)) {
    return absl::InvalidArgumentError(fmt::format(
        "the nodes from %{} to %{} cannot run as a unit: a node between them uses one of "
        "them and is used by another",
        nodes.front()->name(), nodes.back()->name()));
  }
  return absl::OkStatus();
}

/// Copies `node` to the end of `graph` with its type and metadata; `find` returns the copy of an
/// operand, or null.
template <class Find>
absl::StatusOr<Node*> copy_node(Graph& graph, const Node& node, Find&& find) {
  const Node* missing = nullptr;
  Node* any = graph.front();
  auto copy = graph.node_copy(node, [&](Node* operand) -> Argument {
    if (Node* found = find(*operand)) return found;
    missing = operand;
    return any == nullptr ? Argument() : Argument(any);
  });
  if (missing != nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("%{} uses %{}, which is neither an input of the subgraph nor an earlier node "
                    "in it",
                    node.name(), missing->name()));
  }
  return copy;
}

/// A PartTable for one small part of a large graph.
class SmallPartTable {
 public:
  explicit SmallPartTable(const Graph& graph)
      : getitem_(graph.context().function("operator.getitem")), storages_(graph) {}
  void begin(Graph& copy) { copy_ = &copy; }
  void insert(const Node& node) { num_reads_.emplace(&node, 0); }
  bool note_read(const Node& node) {
    const auto found = num_reads_.find(&node);
    if (found == num_reads_.end()) return false;
    ++found->second;
    return true;
  }
  size_t num_reads(const Node& node) const { return num_reads_.at(&node); }
  Node* find(const Node& node) const {
    const auto found = copies_.find(&node);
    return found == copies_.end() ? nullptr : found->second;
  }
  bool add_input(const Node& node) {
    const auto [copy, is_new] = copies_.try_emplace(&node, nullptr);
    if (is_new) copy->second = copy_->placeholder_like(node);
    return is_new;
  }
  absl::Status copy(absl::Span<Node* const> nodes) {
    for (const Node* node : nodes) {
      FX_ASSIGN_OR_RETURN(Node * copy, copy_node(*copy_, *node, [this](const Node& operand) {
                            return find(operand);
                          }));
      copies_.emplace(node, copy);
    }
    return absl::OkStatus();
  }
  Target getitem() const { return getitem_; }
  static Type tuple_of(TypeTable& types, absl::Span<const Type> items) {
    return tuple_type(types, items);
  }
  internal::ValueStorages& storages() { return storages_; }

 private:
  Graph* copy_ = nullptr;
  Target getitem_;
  internal::ValueStorages storages_;
  absl::flat_hash_map<const Node*, size_t> num_reads_;  // of nodes of the part
  absl::flat_hash_map<const Node*, Node*> copies_;
};

/// Calls `f` with the table for a part of this size.
template <class F>
auto with_table(const Graph& graph, size_t part, F&& f) {
  if (part >= graph.id_bound() / 16) {
    internal::PartTable table(graph);
    return f(table);
  }
  SmallPartTable table(graph);
  return f(table);
}

/// Copies nodes in topological order into a new graph.
template <class Table>
absl::Status copy_sorted(const Graph& graph, absl::Span<Node* const> nodes,
                         const SubgraphOptions& options, Table& table, Subgraph& sub) {
  sub.graph = std::make_unique<Graph>(graph.context());
  sub.inputs.clear();
  sub.outputs.clear();
  table.begin(*sub.graph);
  for (const Node* node : nodes) {  // operands in the part come before their users
    node->for_each_input([&](Node* input) {
      if (!table.note_read(*input) && table.add_input(*input)) sub.inputs.push_back(input);
    });
    table.insert(*node);
  }
  absl::InlinedVector<Node*, 8> results;
  for (size_t begin = 0; begin < nodes.size(); begin += internal::kCopyBatchSize) {
    const absl::Span<Node* const> batch = nodes.subspan(begin, internal::kCopyBatchSize);
    FX_RETURN_IF_ERROR(table.copy(batch));
    for (Node* node : batch) {
      if (node->num_uses() == table.num_reads(*node)) continue;  // no users outside
      sub.outputs.push_back(node);
      results.push_back(table.find(*node));
    }
  }
  sub.returns_tuple = options.return_tuple || results.size() != 1;
  Graph::Editor::output(*sub.graph, results, sub.returns_tuple);
  copy_guards(graph, *sub.graph);
  table.storages().mark(sub.inputs, *sub.graph,
                        [&](const Node& value) { return table.find(value); });
  return absl::OkStatus();
}

/// Replaces the nodes with the results of `call`, which calls their copy.
template <class Table>
void replace_with_results(Graph& graph, Node* call, absl::Span<Node* const> sorted,
                          absl::Span<const Type> types, Table& table, const Subgraph& sub) {
  for (size_t i = 0; i < sub.outputs.size(); ++i) {
    Node* value = call;
    if (sub.returns_tuple) {
      value =
          Graph::Editor::get_item(graph, table.getitem(), *call, static_cast<int64_t>(i), types[i]);
    }
    value->meta().copy_from(*sub.outputs[i]);
    table.storages().note_moved(*sub.outputs[i], *value);
    Graph::Editor::replace_uses_unchecked(*sub.outputs[i], *value);
  }
  Graph::Editor::erase_block(graph, sorted);
}

absl::InlinedVector<Type, 8> output_types(const Subgraph& sub,
                                          const internal::ValueStorages& storages) {
  absl::InlinedVector<Type, 8> types;
  for (const Node* output : sub.outputs) types.push_back(storages.type_of(*output));
  return types;
}

/// Replaces the nodes with a call to a module that contains the copy, after `last`.
template <class Table>
absl::StatusOr<Node*> replace_with_call(Graph& graph, Module& root, absl::Span<Node* const> sorted,
                                        Node* last, const internal::PartName& name, Table& table,
                                        Subgraph& sub) {
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module,
                      GraphModule::create(root, std::move(sub.graph), name.text));
  FX_RETURN_IF_ERROR(root.add_submodule(name.text, std::move(module)));
  const auto guard = graph.inserting_after(last);
  const absl::InlinedVector<Type, 8> types = output_types(sub, table.storages());
  const Type type = sub.returns_tuple ? table.tuple_of(graph.context().types(), types) : types[0];
  Node* call = nullptr;
  if (name.name.has_number()) {
    call = Graph::Editor::call_module(graph, name.name, sub.inputs, type);
  } else {
    const std::vector<Argument> inputs(sub.inputs.begin(), sub.inputs.end());
    call = graph.call_module(name.text, inputs, {}, {.type = type});
  }
  replace_with_results(graph, call, sorted, types, table, sub);
  return call;
}

/// Replaces the nodes with a call, after `last`, that passes a nested graph with the copy to a
/// function.
template <class Table>
absl::StatusOr<Node*> replace_with_nested(Graph& graph, absl::Span<Node* const> sorted, Node* last,
                                          std::string_view name, const NestedCallOptions& options,
                                          Table& table, Subgraph& sub) {
  FX_ASSIGN_OR_RETURN(const uint32_t index, graph.add_subgraph(name, std::move(sub.graph)));
  std::vector<Argument> args = {Argument::graph(index)};
  if (options.function.name() == kInvokeSubgraph) args.emplace_back(name);
  const std::vector<Argument> inputs(sub.inputs.begin(), sub.inputs.end());
  if (options.list_operands)
    args.push_back(Argument::list(inputs));
  else
    args.insert(args.end(), inputs.begin(), inputs.end());
  const absl::InlinedVector<Type, 8> types = output_types(sub, table.storages());
  const Type type = sub.returns_tuple ? table.tuple_of(graph.context().types(), types) : types[0];
  const auto guard = graph.inserting_after(last);
  Node* call = graph.call_function(options.function, args, {}, {.name = name, .type = type});
  replace_with_results(graph, call, sorted, types, table, sub);
  return call;
}

/// Fails for nodes that need a module or a graph of the outer graph: a nested graph has neither.
absl::Status check_nested(absl::Span<Node* const> nodes) {
  for (const Node* node : nodes) {
    if (node->op() == Opcode::kGetAttr || node->op() == Opcode::kCallModule) {
      return absl::InvalidArgumentError(fmt::format(
          "%{}, a {}, cannot be moved into a nested graph: {}", node->name(),
          opcode_name(node->op()),
          node->op() == Opcode::kGetAttr ? "omit it, so that it becomes an operand of the call"
                                         : "use outline(), which moves calls into a module"));
    }
    if (node->graph().num_subgraphs() != 0 && !nested_graphs(*node).empty()) {
      return absl::UnimplementedError(fmt::format(
          "%{} has a nested graph, so it cannot be moved into another one", node->name()));
    }
  }
  return absl::OkStatus();
}

absl::Status check_unused(const Module& root, std::string_view name) {
  if (!root.has_attribute(name)) return absl::OkStatus();
  return absl::AlreadyExistsError(fmt::format("the module already has a member \"{}\"", name));
}

}  // namespace

absl::StatusOr<std::vector<Node*>> sort_nodes(absl::Span<Node* const> nodes) {
  absl::flat_hash_map<const Node*, size_t> position;
  for (size_t i = 0; i < nodes.size(); ++i) position.emplace(nodes[i], i);
  std::vector<size_t> waits_for(nodes.size(), 0);
  internal::PositionQueue ready(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i]->for_each_input([&](Node* input) { waits_for[i] += position.contains(input); });
    if (waits_for[i] == 0) ready.push(i);
  }
  std::vector<Node*> sorted;
  while (!ready.empty()) {
    sorted.push_back(nodes[ready.pop()]);
    for (const Use use : sorted.back()->uses()) {
      const auto user = position.find(use.user());
      if (user != position.end() && --waits_for[user->second] == 0) ready.push(user->second);
    }
  }
  if (sorted.size() < nodes.size()) {
    return absl::FailedPreconditionError(
        "the nodes of the subgraph cannot be sorted, because they depend on each other in a cycle");
  }
  return sorted;
}

bool is_convex(absl::Span<Node* const> nodes) {
  if (nodes.empty()) return true;
  const absl::flat_hash_set<const Node*> inside(nodes.begin(), nodes.end());
  const Node* last = *std::ranges::max_element(
      nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  // Visits users outside the part, and transitively their users, up to the last node.
  std::vector<const Node*> worklist;
  absl::flat_hash_set<const Node*> seen;
  const auto visit_users = [&](const Node& node, bool from_inside) {
    for (const Use use : node.uses()) {
      const Node* user = use.user();
      if (inside.contains(user)) {
        if (!from_inside) return false;
      } else if (user->comes_before(*last) && seen.insert(user).second) {
        worklist.push_back(user);
      }
    }
    return true;
  };
  for (const Node* node : nodes) visit_users(*node, true);
  while (!worklist.empty()) {
    const Node* node = worklist.back();
    worklist.pop_back();
    if (!visit_users(*node, false)) return false;
  }
  return true;
}

absl::StatusOr<Subgraph> copy_subgraph(const Graph& graph, absl::Span<Node* const> nodes,
                                       const SubgraphOptions& options) {
  FX_RETURN_IF_ERROR(check_nodes(graph, nodes));
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> sorted, sort_nodes(nodes));
  Subgraph sub;
  FX_RETURN_IF_ERROR(with_table(graph, nodes.size(), [&](auto& table) {
    return copy_sorted(graph, sorted, options, table, sub);
  }));
  return sub;
}

absl::StatusOr<Node*> outline(Graph& graph, Module& root, absl::Span<Node* const> nodes,
                              std::string_view name, const SubgraphOptions& options) {
  FX_RETURN_IF_ERROR(check_unused(root, name));
  FX_RETURN_IF_ERROR(check_nodes(graph, nodes));
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> sorted, sort_nodes(nodes));
  Node* last = *std::ranges::max_element(
      nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  FX_RETURN_IF_ERROR(internal::check_order_of_part(graph, nodes, *last));
  return with_table(graph, nodes.size(), [&](auto& table) -> absl::StatusOr<Node*> {
    Subgraph sub;
    FX_RETURN_IF_ERROR(copy_sorted(graph, sorted, options, table, sub));
    return replace_with_call(graph, root, sorted, last, {.text = name, .name = {}}, table, sub);
  });
}

absl::StatusOr<Node*> outline_nested(Graph& graph, absl::Span<Node* const> nodes,
                                     std::string_view name, const NestedCallOptions& options) {
  if (graph.find_subgraph(name) != nullptr)
    return absl::AlreadyExistsError(fmt::format("the graph already has a nested graph @{}", name));
  FX_RETURN_IF_ERROR(check_nodes(graph, nodes));
  FX_RETURN_IF_ERROR(check_nested(nodes));
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> sorted, sort_nodes(nodes));
  Node* last = *std::ranges::max_element(
      nodes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  FX_RETURN_IF_ERROR(internal::check_order_of_part(graph, nodes, *last));
  std::vector<Node*> users;
  if (options.move_users) {
    FX_ASSIGN_OR_RETURN(users, internal::users_before(graph, nodes, *last));
  }
  NestedCallOptions call_options = options;
  if (!call_options.function) call_options.function = graph.context().function(kInvokeSubgraph);
  const SubgraphOptions copy_options = {
      .return_tuple = options.return_tuple || call_options.function.name() == kInvokeSubgraph};
  return with_table(graph, nodes.size(), [&](auto& table) -> absl::StatusOr<Node*> {
    Subgraph sub;
    FX_RETURN_IF_ERROR(copy_sorted(graph, sorted, copy_options, table, sub));
    // The node that will follow the call and the nodes that select its results.
    Node* const next = last->next();
    FX_ASSIGN_OR_RETURN(Node* const call,
                        replace_with_nested(graph, sorted, last, name, call_options, table, sub));
    for (Node* user : users) FX_RETURN_IF_ERROR(user->move_before(*next));
    return call;
  });
}

absl::StatusOr<Node*> internal::outline_block(Graph& graph, Module& root,
                                              absl::Span<Node* const> nodes, const PartName& name,
                                              const SubgraphOptions& options, PartTable& table) {
  FX_RETURN_IF_ERROR(copy_sorted(graph, nodes, options, table, table.part()));
  return replace_with_call(graph, root, nodes, nodes.back(), name, table, table.part());
}

absl::StatusOr<std::unique_ptr<Graph>> extract_subgraph(const Graph& graph,
                                                        absl::Span<Node* const> nodes,
                                                        absl::Span<Node* const> inputs,
                                                        absl::Span<Node* const> outputs) {
  const absl::flat_hash_set<const Node*> inside(nodes.begin(), nodes.end());
  const absl::flat_hash_set<const Node*> returned(outputs.begin(), outputs.end());
  const auto in_part = [&](const Node& node) { return inside.contains(&node); };
  FX_RETURN_IF_ERROR(internal::check_dtype_modes(graph, in_part));
  FX_RETURN_IF_ERROR(internal::check_random_calls(
      graph, in_part, [&](const Node& node) { return returned.contains(&node); }));
  auto part = std::make_unique<Graph>(graph.context());
  absl::flat_hash_map<const Node*, Node*> map;
  for (const Node* input : inputs) {
    map.emplace(input, part->placeholder_like(*input));
  }
  for (const Node* node : nodes) {
    FX_ASSIGN_OR_RETURN(Node * copy, copy_node(*part, *node, [&](const Node& n) {
                          const auto found = map.find(&n);
                          return found == map.end() ? nullptr : found->second;
                        }));
    map.emplace(node, copy);
  }
  std::vector<Argument> results;
  for (const Node* output : outputs) {
    const auto found = map.find(output);
    if (found == map.end()) {
      return absl::InvalidArgumentError(
          fmt::format("the output %{} must be a node or an input of the subgraph", output->name()));
    }
    results.emplace_back(found->second);
  }
  part->output(Argument::list(results));
  copy_guards(graph, *part);
  internal::ValueStorages(graph).mark(inputs, *part, [&](const Node& value) {
    const auto found = map.find(&value);
    return found == map.end() ? nullptr : found->second;
  });
  return part;
}

Type tuple_type(TypeTable& types, absl::Span<const Type> items) {
  for (const Type item : items)
    if (!item) return Type();
  return items.empty() ? Type() : types.tuple(items);
}

absl::Status internal::not_sorted(const Node& node, const Node& late) {
  return absl::InvalidArgumentError(
      fmt::format("%{} uses %{}, which does not come before it: sort the graph first "
                  "(topological_sort)",
                  node.name(), late.name()));
}

absl::StatusOr<bool> internal::replace_with_parts(Graph& graph, Module& root,
                                                  std::unique_ptr<Graph> base, size_t count,
                                                  absl::FunctionRef<NamedPart(size_t)> part_at) {
  if (count == 0) return false;
  root.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    NamedPart part = part_at(i);
    FX_RETURN_IF_ERROR(root.add_submodule(part.name, std::move(part.module)));
  }
  graph.replace_nodes(std::move(base));
  return true;
}

internal::NumberedNames::NumberedNames(const Graph& graph, std::string_view prefix)
    : size_(prefix.size()), text_(prefix) {
  const Name first = split_name(graph.context().symbols(), text_ + "0");
  const NameForm form = first.base.name_form();
  if (first.has_number() && first.number() == 0 && form.legal && form.lower) base_ = first.base;
}

internal::PartName internal::NumberedNames::name(size_t number) {
  const fmt::format_int digits(number);
  text_.resize(size_);
  text_.append(digits.data(), digits.size());
  PartName name{.text = text_, .name = {}};
  if (base_ && number < INT32_MAX) name.name = {base_, static_cast<uint32_t>(number) + 1};
  return name;
}

}  // namespace fx
