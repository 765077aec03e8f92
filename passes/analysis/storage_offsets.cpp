// Offsets of values in their storages: see storage_offsets.h.
#include "fx/passes/analysis/storage_offsets.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/shape/type_updater.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fx {
namespace {

/// True if an argument of the call is a nested graph of its graph.
bool runs_nested_graph(const Node& node) {
  return node.graph().num_subgraphs() > 0 && !nested_graphs(node).empty();
}

/// Infers the types of a call and of the nested graphs that it runs. Creates `types` on first use.
void type_with_graphs(Node& node, std::optional<TypeUpdater>& types, OtherCallType other_call) {
  if (!runs_nested_graph(node)) return infer_type_again(node, other_call);
  if (!types) types.emplace(node.graph());
  types->mark(node);
  types->update();
}

}  // namespace

void infer_type_again(Node& node, OtherCallType other_call) {
  const Type before = node.type();
  node.set_type({});
  if (node.op() == Opcode::kCallFunction) try_infer_type(node);
  if (!node.type() && other_call != nullptr) {
    ShapeEnv env(node.context());
    env.set_ranges_of(node.graph());
    if (const absl::StatusOr<Type> type = other_call(node, env); type.ok()) node.set_type(*type);
  }
  const Type now = node.type();
  if (!before.is_tensor() || !before.requires_grad() || !now.is_tensor()) return;
  TensorSpec spec = now.spec();
  spec.requires_grad = true;
  node.set_type(node.context().types().tensor(spec));
}

bool reads_storage_offset(const Node& node) {
  constexpr std::string_view kPackets[] = {
      "aten.as_strided",       "aten.as_strided_copy",      "aten.as_strided_scatter",
      "aten.view_as_complex",  "aten.view_as_complex_copy", "torch.as_strided",
      "torch.as_strided_copy", "torch.as_strided_scatter",  "torch.view_as_complex"};
  constexpr std::string_view kMethods[] = {"as_strided", "as_strided_scatter", "storage_offset"};
  if (node.op() == Opcode::kCallMethod) {
    const bool is_of_dtype = node.num_args() > 1 && node.arg(1).kind() == ArgumentKind::kDType;
    return std::ranges::find(kMethods, node.target()) != std::end(kMethods) ||
           (node.target() == "view" && is_of_dtype);
  }
  if (node.op() != Opcode::kCallFunction) return false;
  if (runs_nested_graph(node)) return true;
  const ops::OpInfo* op = node.function().op();
  return op != nullptr && (op->name() == "aten.view.dtype" ||
                           std::ranges::find(kPackets, op->packet()) != std::end(kPackets));
}

void retype_users(Graph& graph, NodeSet& changed, OtherCallType other_call) {
  std::optional<TypeUpdater> types;
  // The updater also changes the types of users of a call that runs nested graphs.
  std::optional<NodeMap<Type>> recorded;
  if (graph.num_subgraphs() > 0) {
    recorded.emplace(graph);
    for (const Node& node : graph.nodes()) (*recorded)[node] = node.type();
  }
  for (Node& node : graph.nodes()) {
    // A nested graph that the call runs has changed.
    bool uses_changed = changed.contains(node) && runs_nested_graph(node);
    node.for_each_input([&](Node* input) { uses_changed |= changed.contains(*input); });
    if (!uses_changed || node.is_output()) continue;
    const Type before = recorded ? (*recorded)[node] : node.type();
    if (before || runs_nested_graph(node)) type_with_graphs(node, types, other_call);
    // A value without a type may also have changed.
    if (!before || node.type() != before) changed.insert(node);
  }
}

}  // namespace fx
