// Queries about graphs: see graph_queries.h.
#include "fx/passes/analysis/graph_queries.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>

namespace fx {

bool writes_to_arguments(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (node.is_call() && effects(node).has(ops::Effect::kWritesArguments)) return true;
  }
  return false;
}

const ops::OpInfo* called_operator(const Node& node) {
  return node.op() == Opcode::kCallMethod ? node.context().ops().find_method(node.target())
                                          : node.function().op();
}

bool is_returned(const Node& node) {
  return std::any_of(node.uses().begin(), node.uses().end(),
                     [](const Use use) { return use.user()->is_output(); });
}

NodeMap<const Node*> last_users(const Graph& graph) {
  NodeMap<const Node*> users(graph, nullptr);
  for (const Node& node : graph.nodes())
    node.for_each_input([&](const Node* input) { users[*input] = &node; });
  return users;
}

bool has_real_dtype(Type type) {
  return type.is_tensor() && type.dtype() != DType::kUndefined && !is_complex(type.dtype());
}

bool may_resolve(const ops::OpInfo& op, Type operand) {
  if (op.packet() == "aten.resolve_neg") return true;
  return op.packet() == "aten.resolve_conj" && !has_real_dtype(operand);
}

void try_infer_type(Node& node) {
  if (const absl::StatusOr<Type> type = infer_type(node); type.ok() && *type) node.set_type(*type);
}

}  // namespace fx
