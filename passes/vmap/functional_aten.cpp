// to_functional_aten: see functional_aten.h.
#include "fx/passes/vmap/functional_aten.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fx {

bool is_write(const Node& node) {
  return node.is_call() && effects(node).has(ops::Effect::kWritesArguments) &&
         node.function().op() != nullptr;
}

bool is_write_to_input(const Node& node) {
  if (!is_write(node) || node.num_args() == 0) return false;
  const Node* const target = node.arg(0).node();
  return target == nullptr || target->is_placeholder() || target->op() == Opcode::kGetAttr;
}

Node* end_of_calls(const Graph& graph) {
  Node* end = graph.output_node();
  while (end->prev() != nullptr && is_write_to_input(*end->prev())) end = end->prev();
  return end;
}

namespace {

/// True for a call that lower_to_aten lowers.
bool is_of_torch(const Node& node, absl::FunctionRef<bool(std::string_view)> keeps) {
  if (node.op() == Opcode::kCallMethod || node.op() == Opcode::kCallModule) return true;
  if (node.op() != Opcode::kCallFunction || node.target() == "operator.getitem") return false;
  const std::string_view target = node.target();
  return (target.starts_with("torch.") || target.starts_with("operator.") ||
          target == "builtins.getattr") &&
         !keeps(target);
}

}  // namespace

namespace {

bool is_list_of_tensors(Type type) {
  return (type.is_list() || type.is_tuple()) && std::ranges::any_of(type.items(), &Type::is_tensor);
}

/// Returns the items of a list of tensors, as nodes.
Argument items_of(Graph& graph, Node& list) {
  const Target getitem = graph.context().function("operator.getitem");
  std::vector<Argument> items;
  for (const Type type : list.type().items()) {
    Node* const item = graph.call_function(getitem, {&list, static_cast<int64_t>(items.size())}, {},
                                           {.type = type});
    inherit_provenance(*item, list);
    items.emplace_back(item);
  }
  return list.type().is_tuple() ? Argument::tuple(items) : Argument::list(items);
}

/// Replaces each result that is a node with a list of tensors by the items, which are then separate
/// results: each has its own gradient, tangent or batch dimension.
absl::Status return_items_of_lists(Graph& graph) {
  Node* const output = graph.output_node();
  if (output == nullptr || output->num_args() == 0) return absl::OkStatus();
  const std::optional<Argument> outputs = output->meta().get(meta::kOutputs);
  const bool is_described = outputs && outputs->is_list();
  std::vector<Argument> descriptions;
  bool changed = false;
  size_t next = 0;
  const InsertPointGuard guard = graph.inserting_before(end_of_calls(graph));
  const Argument results =
      map_leaves(Argument(output->arg(0)), [&](const Argument& leaf) -> Argument {
        Node* const node = leaf.node();
        const bool is_list = node != nullptr && is_list_of_tensors(node->type());
        if (is_described && next < outputs->size()) {
          const size_t count = is_list ? node->type().items().size() : 1;
          descriptions.insert(descriptions.end(), count, (*outputs)[next]);
        }
        ++next;
        changed |= is_list;
        return is_list ? items_of(graph, *node) : leaf;
      });
  if (!changed) return absl::OkStatus();
  if (is_described) output->meta().set(meta::kOutputs, Argument::list(descriptions));
  return output->set_args({results});
}

/// True if the operands of a call show that it is invalid or that its recorded type is wrong. Rules
/// rely on types.
bool has_wrong_type(const Node& node) {
  if (node.op() != Opcode::kCallFunction || node.function().op() == nullptr) return false;
  const absl::StatusOr<Type> type = infer_type(node);
  return absl::IsInvalidArgument(type.status()) ||
         (type.ok() && have_different_ranks(node.type(), *type));
}

}  // namespace

absl::Status to_functional_aten(Graph& graph, absl::FunctionRef<bool(std::string_view)> keeps,
                                const FunctionalizeOptions& options) {
  for (const Node& node : graph.nodes()) {
    if (node.is_placeholder() && !node.type()) {
      return absl::FailedPreconditionError(
          fmt::format("the input {} must have a type with dtype and sizes", node.name()));
    }
  }
  bool has_torch_calls = false;
  for (const Node& node : graph.nodes()) has_torch_calls |= is_of_torch(node, keeps);
  if (has_torch_calls) FX_RETURN_IF_ERROR(lower_to_aten(graph).status());
  bool has_types = true, has_writes = false;
  for (const Node& node : graph.nodes()) {
    has_types = has_types && (node.type() ? !has_wrong_type(node)
                                          : node.is_output() || node.op() == Opcode::kGetAttr);
    has_writes |= is_write(node);
  }
  if (!has_types) {
    const ShapeReport report = propagate_types(graph);
    const bool is_invalid = std::ranges::any_of(report.findings, [](const ShapeFinding& finding) {
      return finding.kind == ShapeFinding::Kind::kInvalidCall;
    });
    if (is_invalid) return absl::InvalidArgumentError(report.str());
  }
  if (has_writes) FX_RETURN_IF_ERROR(functionalize(graph, options).status());
  return return_items_of_lists(graph);
}

namespace {

/// Copies a graph, and the GraphModules that it reads as nested graphs.
absl::StatusOr<std::unique_ptr<Graph>> copy_with_modules(const Graph& graph) {
  std::unique_ptr<Graph> copy = graph.clone();
  for (const Node& node : copy->nodes()) {
    if (node.op() != Opcode::kGetAttr || copy->find_subgraph(node.target()) != nullptr) continue;
    const Module* const root = graph.owning_module();
    const Module* const module = root != nullptr ? root->find_module(node.target()) : nullptr;
    const GraphModule* const nested = module != nullptr ? module->as_graph_module() : nullptr;
    if (nested == nullptr) {
      return absl::UnimplementedError(
          fmt::format("a nested graph must not read the tensor {}", std::string(node.target())));
    }
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> inner, copy_with_modules(nested->graph()));
    FX_RETURN_IF_ERROR(copy->add_subgraph(node.target(), std::move(inner)).status());
  }
  return copy;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> copy_nested_graph(const Node& call, ArgumentRef value) {
  const Graph* const found = graph_of_argument(call, value, call.graph().owning_module());
  if (found == nullptr) {
    return absl::NotFoundError(
        fmt::format("an argument of %{} must name a nested graph", call.name()));
  }
  return copy_with_modules(*found);
}

}  // namespace fx
