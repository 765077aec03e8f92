#include "fx/ir/calls/graph_call.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

std::optional<bool> as_flag(ArgumentRef value) {
  return value.is_bool() ? std::optional(value.as_bool()) : std::nullopt;
}

/// True if the value of a get_attr node may be a graph. `root` may be null.
bool may_be_graph(const Node& source, const Module* root) {
  const TypeKind kind = source.type().kind();
  if (kind != TypeKind::kUnknown && kind != TypeKind::kGraph && kind != TypeKind::kObject)
    return false;
  return root == nullptr || !root->find_tensor(source.target()).defined();
}

/// The node of the argument if it is a get_attr node; otherwise null.
const Node* get_attr_node(ArgumentRef value) {
  const Node* const node = value.node();
  return node != nullptr && node->op() == Opcode::kGetAttr ? node : nullptr;
}

}  // namespace

Graph* nested_graph(const Node& node, ArgumentRef value) {
  const Graph& graph = node.graph();
  if (value.kind() == ArgumentKind::kGraph)
    return value.as_graph() < graph.num_subgraphs() ? &graph.subgraph(value.as_graph()) : nullptr;
  const Node* const source = get_attr_node(value);
  return source != nullptr ? graph.find_subgraph(source->target()) : nullptr;
}

const Graph* graph_of_argument(const Node& node, ArgumentRef value, const Module* root) {
  if (const Graph* const nested = nested_graph(node, value)) return nested;
  const Node* const source = get_attr_node(value);
  const Module* const module =
      source != nullptr && root != nullptr ? root->find_module(source->target()) : nullptr;
  const GraphModule* const graph_module = module != nullptr ? module->as_graph_module() : nullptr;
  return graph_module != nullptr ? &graph_module->graph() : nullptr;
}

absl::InlinedVector<Graph*, 2> nested_graphs(const Node& call) {
  absl::InlinedVector<Graph*, 2> graphs;
  const auto add = [&](ArgumentRef value) {
    if (Graph* const graph = nested_graph(call, value)) graphs.push_back(graph);
  };
  for (size_t i = 0; i < call.num_args(); ++i) add(call.arg(i));
  for (size_t i = 0; i < call.num_kwargs(); ++i) add(call.kwarg_value(i));
  return graphs;
}

absl::InlinedVector<const Graph*, 2> graphs_of_call(const Node& call, const Module* root) {
  absl::InlinedVector<const Graph*, 2> graphs;
  bool has_function = false;
  const auto add = [&](ArgumentRef value, bool is_item) {
    const Node* const source = get_attr_node(value);
    has_function = has_function || value.kind() == ArgumentKind::kFunction;
    if (source == nullptr && value.kind() != ArgumentKind::kGraph) return;
    const Graph* const graph = graph_of_argument(call, value, root);
    // Items of untyped lists are treated as operands.
    if (graph == nullptr && source != nullptr &&
        (is_item ? source->type().kind() != TypeKind::kGraph : !may_be_graph(*source, root)))
      return;
    graphs.push_back(graph);
  };
  const auto add_all = [&](ArgumentRef value) {
    if (!is_aggregate(value.kind())) return add(value, /*is_item=*/false);
    for (size_t i = 0; i < value.size(); ++i) add(value[i], /*is_item=*/true);
  };
  for (size_t i = 0; i < call.num_args(); ++i) add_all(call.arg(i));
  for (size_t i = 0; i < call.num_kwargs(); ++i) add_all(call.kwarg_value(i));
  if (graphs.empty() && !has_function) graphs.push_back(nullptr);
  return graphs;
}

absl::Status check_calls_function(const Node& node) {
  if (node.op() == Opcode::kCallMethod) {
    return absl::UnimplementedError(
        fmt::format("the method {} is not an ATen operator: lower the graph first (lower_to_aten)",
                    node.target()));
  }
  if (node.op() == Opcode::kCallModule) {
    return absl::UnimplementedError(
        fmt::format("the module {} is unknown or has no graph: read the graph together with its "
                    "modules, or trace into the module",
                    node.target()));
  }
  return absl::OkStatus();
}

absl::Status check_graph_call(const Graph& graph, size_t num_operands, int depth) {
  if (depth >= kMaxGraphDepth) return absl::UnimplementedError("graphs are nested too deeply");
  const Node* output = graph.output_node();
  if (output == nullptr || output->num_args() == 0)
    return absl::InvalidArgumentError("a nested graph must return a value");
  const size_t num_inputs = graph.num_nodes(Opcode::kPlaceholder);
  if (num_inputs != num_operands) {
    return absl::InvalidArgumentError(fmt::format(
        "the number of operands, {}, differs from the number of inputs of the graph, {}",
        num_operands, num_inputs));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<GraphCall>> graph_call(const Node& node) {
  if (node.op() != Opcode::kCallFunction) return std::nullopt;
  const std::string_view name = node.target();
  const auto invalid = [&](std::string_view expected) {
    return absl::InvalidArgumentError(
        fmt::format("the arguments of {} must be {}", name, expected));
  };
  GraphCall call;
  if (name == "higher_order.invoke_subgraph") {
    call = {.graph = 0, .first_operand = 2};
  } else if (name == "higher_order.wrap" || name == "higher_order.wrap_activation_checkpoint" ||
             name == "higher_order.tag_activation_checkpoint") {
    call = {.graph = 0, .first_operand = 1};
  } else if (name == "higher_order.wrap_with_set_grad_enabled") {
    call = {.graph = 1, .first_operand = 2};
    if (node.num_args() >= 1) call.grad = as_flag(node.arg(0));
    if (!call.grad) return invalid("a bool (grad mode), a graph and its inputs");
  } else if (name == "higher_order.wrap_with_autocast") {
    constexpr std::string_view kExpected =
        "a device type, a dtype, two flags (enabled, cache), a graph and its inputs";
    call = {.graph = 4, .first_operand = 5};
    if (node.num_args() < 5) return invalid(kExpected);
    const std::optional<DeviceType> device =
        node.arg(0).is_string() ? device_type_from_name(node.arg(0).as_string()) : std::nullopt;
    const ArgumentRef dtype = node.arg(1), cache = node.arg(3);
    const std::optional<bool> enabled = as_flag(node.arg(2));
    if (!device || !enabled || !(dtype.is_none() || dtype.kind() == ArgumentKind::kDType) ||
        !(cache.is_none() || cache.is_bool()))
      return invalid(kExpected);
    call.autocast = {
        .device = *device, .dtype = std::nullopt, .enabled = *enabled, .cache = as_flag(cache)};
    if (!dtype.is_none()) call.autocast->dtype = dtype.as_dtype();
  } else {
    return std::nullopt;
  }
  if (node.num_args() < call.first_operand) return invalid("a graph and its inputs");
  return call;
}

int dtype_mode_change(const Node& node) {
  const ops::OpInfo* const op = node.op() == Opcode::kCallFunction ? node.function().op() : nullptr;
  if (op == nullptr || !op->has(ops::OpTrait::kDtypeMode)) return 0;
  return op->name().ends_with("._exit_autocast") ? -1 : 1;
}

namespace {

bool is_after_dtype_mode(const Node& call) {
  std::vector<const Node*> changes;
  for (const Target mode : call.context().dtype_modes())
    for (const Node* const change : call.graph().find_nodes(mode))
      if (change->comes_before(call)) changes.push_back(change);
  std::ranges::sort(changes, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  int depth = 0;
  for (const Node* const change : changes) depth = std::max(0, depth + dtype_mode_change(*change));
  return depth > 0;
}

}  // namespace

bool is_in_dtype_mode(const Node& call) {
  return call.context().has_dtype_modes() && is_after_dtype_mode(call);
}

absl::StatusOr<GraphCall> inlined_graph_call(const Node& node) {
  FX_ASSIGN_OR_RETURN(const std::optional<GraphCall> call, graph_call(node));
  if (!call) return absl::InvalidArgumentError("it must call a graph");
  if (call->autocast && call->autocast->enabled)
    return absl::UnimplementedError(
        "torch.autocast is not supported; trace its casts into the graph");
  return *call;
}

}  // namespace fx
