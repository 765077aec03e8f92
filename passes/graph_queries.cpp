// Questions about graphs: see graph_queries.h.
#include "fx/passes/graph_queries.h"

#include "fx/ir/call.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>

namespace fx {

bool writes_to_arguments(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) {
    return !node.is_placeholder() && !node.is_output() && node.op() != Opcode::kGetAttr &&
           effects(node).has(ops::Effect::kWritesArguments);
  });
}

bool is_returned(const Node& node) {
  return std::any_of(node.uses().begin(), node.uses().end(),
                     [](const Use use) { return use.user()->is_output(); });
}

void type_if_known(Node& node) {
  if (const absl::StatusOr<Type> type = infer_type(node); type.ok() && *type) node.set_type(*type);
}

}  // namespace fx
