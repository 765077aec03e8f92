// See shared_inputs_internal.h.
#include "fx/interp/shared_inputs.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/view_ops.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/functionalize/shared_inputs_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx::functional {
namespace {

/// True if a call may write to the memory of `group`.
bool may_write(const Graph& graph, const SharedInputs& group) {
  NodeSet aliases(graph);
  for (const Node* node : group.nodes) aliases.insert(*node);
  for (const Node& node : graph.nodes()) {
    if (node.is_placeholder() || node.is_output() || node.op() == Opcode::kGetAttr) continue;
    bool reads = false;
    node.for_each_input([&](Node* input) { reads = reads || aliases.contains(*input); });
    if (!reads) continue;
    if (effects(node).has(ops::Effect::kWritesArguments)) return true;
    if (!MemoryAnalysis::returns_only_new_memory(node)) aliases.insert(node);
  }
  return false;
}

/// Returns the input of a group that contains all other inputs, has no gaps, and has the same dtype
/// as they do.
std::optional<size_t> find_base(const SharedInputs& group, const std::vector<Placement>& places) {
  for (size_t i = 0; i < places.size(); ++i) {
    const Placement& place = places[i];
    bool covers = is_non_overlapping_and_dense(group.nodes[i]->type());
    for (size_t k = 0; k < places.size() && covers; ++k) {
      covers = group.nodes[k]->type().dtype() == group.nodes[i]->type().dtype() &&
               places[k].offset >= place.offset && places[k].end() <= place.end();
    }
    if (covers) return i;
  }
  return std::nullopt;
}

absl::Status not_covered(const SharedInputs& group) {
  return absl::FailedPreconditionError(fmt::format(
      "the inputs %{} and %{} share memory, which the graph writes to, and no input covers "
      "all of it with the same dtype and without gaps; functionalize requires such an input",
      group.nodes[0]->name(), group.nodes[1]->name()));
}

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

}  // namespace

absl::StatusOr<SharedInputViews> SharedInputViews::create(Graph& graph) {
  SharedInputViews result;
  const std::vector<SharedInputs> groups = shared_inputs(graph);
  if (groups.empty()) return result;
  Node* last_input = nullptr;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) last_input = &node;
  for (const SharedInputs& group : groups) {
    if (!may_write(graph, group)) continue;
    std::vector<Placement> places;
    for (const Node* node : group.nodes) {
      const absl::StatusOr<Placement> place = placement_of(node->type());
      if (!place.ok()) {
        return absl::FailedPreconditionError(fmt::format("%{} shares memory with another input: {}",
                                                         node->name(),
                                                         std::string(place.status().message())));
      }
      places.push_back(*place);
    }
    const std::optional<size_t> base = find_base(group, places);
    if (!base) return not_covered(group);
    for (size_t i = 0; i < places.size(); ++i) {
      // The caller passed a non-const graph.
      Node* const input = const_cast<Node*>(group.nodes[i]);
      if (i == *base || !input->has_uses()) continue;
      FX_RETURN_IF_ERROR(check_keeps_sizes(graph, *input));
      const InsertPointGuard insert_point = graph.inserting_after(last_input);
      Node* const view = graph.call_function(
          graph.context().function("aten.as_strided.default"),
          {Argument(const_cast<Node*>(group.nodes[*base])), Argument::ints(places[i].sizes),
           Argument::ints(places[i].strides), Argument(places[i].offset)},
          {}, {.name = "as_strided", .type = input->type()});
      input->replace_all_uses_with(view);
      result.views_.emplace_back(input, view);
      last_input = view;
    }
  }
  return result;
}

SharedInputViews::~SharedInputViews() {
  for (auto it = views_.rbegin(); it != views_.rend(); ++it) {
    it->second->replace_all_uses_with(it->first);
    FX_CHECK_OK(it->second->graph().erase_node(it->second));
  }
}

}  // namespace fx::functional
