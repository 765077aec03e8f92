// See shared_inputs_internal.h.
#include "fx/interp/shared_inputs.h"

#include "fx/interp/shared_attributes.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/functionalize/shared_inputs_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::functional {
namespace {

/// True if the call writes to one of these values.
bool writes_to(const Node& call, const NodeSet& values) {
  const ops::OpInfo* const op = call.op() == Opcode::kCallFunction ? call.function().op() : nullptr;
  if (op == nullptr || op->has(ops::OpTrait::kSubgraphs)) return true;
  bool found = false;
  for (const size_t i : op->written_arguments()) {
    const auto written = passed_argument(call, *op, static_cast<int>(i));
    if (!written) continue;
    (void)map_nodes(Argument(*written), [&](Node* node) -> Argument {
      found = found || values.contains(*node);
      return node;
    });
  }
  return found;
}

/// True if a call may write to the memory of these inputs or attributes.
bool may_write(const Graph& graph, absl::Span<const Node* const> nodes) {
  NodeSet aliases(graph);
  for (const Node* node : nodes) aliases.insert(*node);
  for (const Node& node : graph.nodes()) {
    if (node.is_placeholder() || node.is_output() || node.op() == Opcode::kGetAttr) continue;
    bool reads = false;
    node.for_each_input([&](Node* input) { reads = reads || aliases.contains(*input); });
    if (!reads) continue;
    if (effects(node).has(ops::Effect::kWritesArguments) && writes_to(node, aliases)) return true;
    if (!MemoryAnalysis::returns_only_new_memory(node)) aliases.insert(node);
  }
  return false;
}

/// Returns the index of the tensor that contains all other tensors in its memory, has no gaps, and
/// has the same dtype as they do.
std::optional<size_t> find_base(absl::Span<const Type> types,
                                const std::vector<Placement>& places) {
  for (size_t i = 0; i < places.size(); ++i) {
    const Placement& place = places[i];
    bool covers = is_non_overlapping_and_dense(types[i]);
    for (size_t k = 0; k < places.size() && covers; ++k) {
      covers = types[k].dtype() == types[i].dtype() && places[k].offset >= place.offset &&
               places[k].end() <= place.end();
    }
    if (covers) return i;
  }
  return std::nullopt;
}

absl::Status not_covered(std::string_view what, const Node& first, const Node& second) {
  return absl::FailedPreconditionError(fmt::format(
      "the {0}s %{1} and %{2} share memory, which the graph writes to, and no {0} covers "
      "all of it with the same dtype and without gaps; functionalize requires such an {0}",
      what, first.name(), second.name()));
}

/// Returns the placements of tensors with these types in their common memory.
absl::StatusOr<std::vector<Placement>> placements_of(std::string_view what,
                                                     absl::Span<const Node* const> nodes,
                                                     absl::Span<const Type> types) {
  std::vector<Placement> places;
  for (size_t i = 0; i < nodes.size(); ++i) {
    absl::StatusOr<Placement> place = placement_of(types[i]);
    if (!place.ok()) {
      return absl::FailedPreconditionError(fmt::format("%{} shares memory with another {}: {}",
                                                       nodes[i]->name(), what,
                                                       std::string(place.status().message())));
    }
    places.push_back(*std::move(place));
  }
  return places;
}

Node* create_view(Graph& graph, Node* base, const Placement& place, Type type) {
  return graph.call_function(graph.context().function("aten.as_strided.default"),
                             {Argument(base), Argument::ints(place.sizes),
                              Argument::ints(place.strides), Argument(place.offset)},
                             {}, {.name = "as_strided", .type = type});
}

/// True if the call may return this tensor itself.
bool may_return(const Node& call, const NodeSet& same, Type tensor) {
  const ops::OpInfo* const op = call.op() == Opcode::kCallFunction ? call.function().op() : nullptr;
  const bool may_be_same = op == nullptr || ops::may_return_source(*op) ||
                           ops::view_kind(*op) == ops::ViewKind::kOther || writes_to(call, same);
  if (!may_be_same || MemoryAnalysis::returns_only_new_memory(call)) return false;
  return known_equal(call.type(), tensor) || !is_fully_known(call.type()) ||
         !is_fully_known(tensor);
}

/// Returns an error if a call may change the sizes or strides of the input itself: a view that
/// replaces it would have them, but not the input.
absl::Status check_keeps_sizes(const Graph& graph, const Node& input) {
  NodeSet same(graph);
  same.insert(input);
  for (const Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    bool reads = false;
    node.for_each_input([&](const Node* value) { reads = reads || same.contains(*value); });
    if (!reads) continue;
    if (changes_metadata(node) && writes_to(node, same)) {
      return absl::UnimplementedError(fmt::format(
          "%{} ({}) changes the sizes or strides of input {}, which operators without writes "
          "cannot do: apply it to a view of the input",
          node.name(), node.target(), input.name()));
    }
    if (may_return(node, same, input.type())) same.insert(node);
  }
  return absl::OkStatus();
}

/// Attributes of a graph at different paths that share memory.
struct AttributeGroup {
  std::vector<const Node*> firsts = {};  ///< the first node of each path
  std::vector<Type> types = {};          ///< of the tensors at these paths
  /// The nodes of the graph, with the index of their path. Nodes of nested graphs are not included.
  std::vector<std::pair<Node*, size_t>> nodes = {};
  std::vector<const Node*> nested = {};  ///< the nodes of nested graphs

  /// Returns whether the graph may write to the memory, or an error if a nested graph reads it.
  absl::StatusOr<bool> check_writes(const Graph& graph) const {
    if (firsts.size() < 2) return false;
    std::vector<const Node*> all;
    all.reserve(nodes.size());
    for (const auto& [node, number] : nodes) all.push_back(node);
    const bool is_written =
        may_write(graph, all) || std::ranges::any_of(nested, [](const Node* node) {
          return may_write(node->graph(), {node});
        });
    if (!is_written || nested.empty()) return is_written;
    return absl::UnimplementedError(fmt::format(
        "the attributes %{} and %{} share memory, which the graph writes to, and a nested graph "
        "reads %{}: pass the value as an operand instead",
        firsts[0]->name(), firsts[1]->name(), nested[0]->name()));
  }
};

/// Returns the groups of attributes that share memory. The paths in a nested graph start with the
/// path of that graph.
std::vector<AttributeGroup> attribute_groups(Graph& graph) {
  const Module* const root = graph.owning_module();
  const SharedAttributes shared(root);
  std::vector<AttributeGroup> groups;
  if (shared.empty()) return groups;
  absl::flat_hash_map<size_t, size_t> indices;       // by group of the module
  absl::flat_hash_map<std::string, size_t> numbers;  // by path, in its group
  const auto visit = [&](Node& node, const std::string& prefix) {
    if (node.op() != Opcode::kGetAttr) return;
    const std::string path = prefix + std::string(node.target());
    const std::optional<size_t> found = shared.group_of(path);
    if (!found) return;
    const auto [index, is_new_group] = indices.try_emplace(*found, groups.size());
    if (is_new_group) groups.emplace_back();
    AttributeGroup& group = groups[index->second];
    const auto [number, is_new] = numbers.try_emplace(path, group.firsts.size());
    if (is_new) {
      group.firsts.push_back(&node);
      group.types.push_back(root->find_tensor(path).type(graph.context().types()));
    }
    if (prefix.empty())
      group.nodes.emplace_back(&node, number->second);
    else
      group.nested.push_back(&node);
  };
  for (Node& node : graph.nodes()) visit(node, "");
  for (const NestedGraph& nested : nested_graph_paths(graph, kMaxModuleDepth))
    for (Node& node : nested.graph->nodes()) visit(node, nested.path + ".");
  return groups;
}

}  // namespace

absl::StatusOr<SharedInputViews> SharedInputViews::create(Graph& graph) {
  SharedInputViews result;
  FX_RETURN_IF_ERROR(result.add_inputs(graph));
  FX_RETURN_IF_ERROR(result.add_attributes(graph));
  return result;
}

absl::Status SharedInputViews::add_inputs(Graph& graph) {
  const std::vector<SharedInputs> groups = shared_inputs(graph);
  if (groups.empty()) return absl::OkStatus();
  Node* last_input = nullptr;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) last_input = &node;
  for (const SharedInputs& group : groups) {
    if (!may_write(graph, group.nodes)) continue;
    std::vector<Type> types;
    types.reserve(group.nodes.size());
    for (const Node* node : group.nodes) types.push_back(node->type());
    FX_ASSIGN_OR_RETURN(const std::vector<Placement> places,
                        placements_of("input", group.nodes, types));
    const std::optional<size_t> base = find_base(types, places);
    if (!base) return not_covered("input", *group.nodes[0], *group.nodes[1]);
    for (size_t i = 0; i < places.size(); ++i) {
      // The caller passed a non-const graph.
      Node* const input = const_cast<Node*>(group.nodes[i]);
      if (i == *base || !input->has_uses()) continue;
      FX_RETURN_IF_ERROR(check_keeps_sizes(graph, *input));
      const InsertPointGuard insert_point = graph.inserting_after(last_input);
      Node* const view =
          create_view(graph, const_cast<Node*>(group.nodes[*base]), places[i], input->type());
      input->replace_all_uses_with(view);
      views_.emplace_back(input, view);
      last_input = view;
    }
  }
  return absl::OkStatus();
}

absl::Status SharedInputViews::add_attributes(Graph& graph) {
  for (AttributeGroup& group : attribute_groups(graph)) {
    FX_ASSIGN_OR_RETURN(const bool is_written, group.check_writes(graph));
    if (!is_written) continue;
    FX_ASSIGN_OR_RETURN(const std::vector<Placement> places,
                        placements_of("attribute", group.firsts, group.types));
    const std::optional<size_t> base = find_base(group.types, places);
    if (!base) return not_covered("attribute", *group.firsts[0], *group.firsts[1]);
    for (const auto& [node, number] : group.nodes) {
      if (number == *base || !node->has_uses()) continue;
      FX_RETURN_IF_ERROR(check_keeps_sizes(graph, *node));
      const InsertPointGuard insert_point = graph.inserting_before(node);
      Node* view = graph.get_attr(group.firsts[*base]->target(), {.type = group.types[*base]});
      if (group.types[number] != group.types[*base]) {
        views_.emplace_back(nullptr, view);
        view = create_view(graph, view, places[number], group.types[number]);
      }
      node->replace_all_uses_with(view);
      views_.emplace_back(node, view);
    }
  }
  return absl::OkStatus();
}

void SharedInputViews::keep() {
  for (const auto& [input, view] : views_)
    if (input != nullptr && input->op() == Opcode::kGetAttr)
      FX_CHECK_OK(input->graph().erase_node(input));
  views_.clear();
}

SharedInputViews::~SharedInputViews() {
  for (auto it = views_.rbegin(); it != views_.rend(); ++it) {
    const auto [input, view] = *it;
    if (input != nullptr) view->replace_all_uses_with(input);
    FX_CHECK_OK(view->graph().erase_node(view));
  }
}

}  // namespace fx::functional
