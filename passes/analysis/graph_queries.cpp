// Queries about graphs: see graph_queries.h.
#include "fx/passes/analysis/graph_queries.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace fx {
namespace {

/// For an operator: the positions of the arguments whose items are the inputs of its graphs, in
/// order.
struct OperandLists {
  std::string_view op;
  std::array<size_t, 3> arguments;  ///< 0: none
  bool is_loop = false;             ///< the items of the first list are carried values
};
constexpr OperandLists kOperandLists[] = {
    {"higher_order.cond", {3, 0, 0}},
    {"higher_order.while_loop", {2, 3, 0}, true},
    {"higher_order.while_loop_stack_output", {2, 3, 0}, true},
    {"higher_order.scan", {1, 2, 3}, true},
    {"higher_order.map_impl", {1, 2, 0}},
};

}  // namespace

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

std::optional<std::vector<const Node*>> operands_of_graphs(const Node& call) {
  if (call.num_kwargs() > 0) return std::nullopt;
  std::vector<const Node*> operands;
  const auto add = [&](ArgumentRef value) {
    operands.push_back(value.node());
    return !is_aggregate(value.kind());  // lists of values are not supported
  };
  const auto* const row = std::ranges::find(kOperandLists, call.target(), &OperandLists::op);
  if (row != std::end(kOperandLists)) {
    for (const size_t i : row->arguments) {
      if (i == 0 || i >= call.num_args()) continue;
      const ArgumentRef list = call.arg(i);
      if (!list.is_list() && !list.is_tuple()) return std::nullopt;
      for (size_t k = 0; k < list.size(); ++k)
        if (!add(list[k])) return std::nullopt;
    }
    return operands;
  }
  const auto found = graph_call(call);
  if (!found.ok() || !*found) return std::nullopt;
  for (size_t i = (*found)->first_operand; i < call.num_args(); ++i)
    if (!add(call.arg(i))) return std::nullopt;
  return operands;
}

std::optional<size_t> num_carried_values(const Node& call) {
  const auto* const row = std::ranges::find(kOperandLists, call.target(), &OperandLists::op);
  if (row == std::end(kOperandLists) || !row->is_loop) return 0;
  if (call.num_kwargs() > 0 || call.num_args() <= row->arguments[0]) return std::nullopt;
  const ArgumentRef list = call.arg(row->arguments[0]);
  if (!list.is_list() && !list.is_tuple()) return std::nullopt;
  return list.size();
}

absl::InlinedVector<const Graph*, 2> result_graphs(const Node& call) {
  if (call.target() == "higher_order.while_loop_stack_output" ||
      call.target() == "higher_order.map_impl")
    return {};
  const Module* const root = call.graph().owning_module();
  constexpr size_t kBody = 1;
  if (call.target() == "higher_order.while_loop" && call.num_args() > kBody)
    return {graph_of_argument(call, call.arg(kBody), root)};
  return graphs_of_call(call, root);
}

absl::flat_hash_set<const Graph*> graphs_in_autocast(const Graph& graph) {
  absl::flat_hash_set<const Graph*> found;
  if (graph.num_subgraphs() == 0) return found;
  const auto enables_autocast = [](const Node& node) {
    if (node.op() != Opcode::kCallFunction || node.target() != "higher_order.wrap_with_autocast")
      return false;
    const auto call = graph_call(node);
    return !call.ok() || !*call || (*call)->autocast->enabled;
  };
  for (const Graph& each : all_graphs(graph)) {
    int mode_depth = 0;
    for (const Node& node : each.nodes()) {
      mode_depth = std::max(0, mode_depth + dtype_mode_change(node));
      if (mode_depth == 0 && !enables_autocast(node)) continue;
      for (const Graph* const nested : nested_graphs(node))
        for (const Graph& inner : all_graphs(*nested)) found.insert(&inner);
    }
  }
  return found;
}

void try_infer_type(Node& node) {
  if (const absl::StatusOr<Type> type = infer_type(node); type.ok() && *type) node.set_type(*type);
}

}  // namespace fx
