#include "fx/codegen/cpp/lowered_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"

#include <string>
#include <utility>

namespace fx::cpp {
namespace {

Type type_of_default(TypeTable& types, ArgumentRef value) {
  if (value.is_bool()) return types.boolean();
  if (value.is_int()) return types.integer();
  if (value.is_float()) return types.floating();
  return Type();
}

}  // namespace

bool calls_python(const Graph& graph) {
  for (const Graph& each : all_graphs(graph)) {
    for (const Node& node : each.nodes()) {
      if (node.op() == Opcode::kCallMethod || node.op() == Opcode::kCallModule) return true;
      if (node.op() != Opcode::kCallFunction) continue;
      const ops::OpInfo* op = node.function().op();
      if (op == nullptr || op->is_function()) return true;
    }
  }
  return false;
}

absl::StatusOr<LoweredGraph> lowered(const Graph& from, const Module* root) {
  LoweredGraph out;
  absl::flat_hash_map<const Node*, Node*> copies;
  out.graph = from.clone(&copies);
  out.graph->set_owning_module(root);
  absl::flat_hash_map<std::string, const Node*> by_name;
  for (const Node& node : from.nodes()) {
    by_name.emplace(node.name(), &node);
    if (node.is_placeholder() && !node.type() && node.num_args() > 0)
      copies.at(&node)->set_type(type_of_default(from.context().types(), node.arg(0)));
  }
  FX_ASSIGN_OR_RETURN(out.report, lower_to_aten(*out.graph));
  // When a node is lowered to multiple calls, the last call keeps its name, and the new calls
  // precede it.
  const Node* origin = nullptr;
  for (const Node& node : out.graph->nodes().reversed()) {
    if (const auto same = by_name.find(node.name()); same != by_name.end()) origin = same->second;
    if (origin != nullptr) out.origin.emplace(&node, origin);
  }
  return out;
}

}  // namespace fx::cpp
