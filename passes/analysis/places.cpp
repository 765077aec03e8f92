// Places of values in their storages: see places.h.
#include "fx/passes/analysis/places.h"

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

/// Types a call, and the nested graphs that it runs. `types` is made when it is needed.
void type_again(Node& node, std::optional<TypeUpdater>& types) {
  if (runs_nested_graph(node)) {
    if (!types) types.emplace(node.graph());
    types->mark(node);
    types->update();
    return;
  }
  node.set_type({});  // unknown if it cannot be inferred
  try_infer_type(node);
}

}  // namespace

bool reads_place(const Node& node) {
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

void retype_users(Graph& graph, NodeSet& changed) {
  std::optional<TypeUpdater> types;
  for (Node& node : graph.nodes()) {
    if (node.op() != Opcode::kCallFunction || !node.type()) continue;
    bool uses_changed = false;
    node.for_each_input([&](Node* input) { uses_changed |= changed.contains(*input); });
    if (!uses_changed) continue;
    const Type before = node.type();
    type_again(node, types);
    if (node.type() != before) changed.insert(node);
  }
}

}  // namespace fx
