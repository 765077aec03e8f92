// Inlines the graphs of called modules: see subgraph.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/edit/replace_call.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/passes/partition/subgraph.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Returns the module whose graph a call runs; null if it runs none.
const GraphModule* called_graph(const Module& root, const Node& node) {
  if (node.op() != Opcode::kCallModule) return nullptr;
  const Module* module = root.find_module(node.target());
  return module == nullptr ? nullptr : module->as_graph_module();
}

/// Maps each placeholder to its argument.
absl::Status bind_arguments(const Graph& callee, const Node& call, NodeMapping& map) {
  size_t next = 0;
  size_t named = 0;
  for (const Node& node : callee.nodes()) {
    if (!node.is_placeholder()) continue;
    if (node.target().starts_with('*')) {
      return absl::UnimplementedError(fmt::format(
          "%{} accepts any number of arguments; such a graph cannot be inlined", node.name()));
    }
    if (next < call.num_args()) {
      map.emplace(&node, Argument(call.arg(next++)));
    } else if (const auto value = call.kwarg(node.target())) {
      map.emplace(&node, Argument(*value));
      ++named;
    } else if (node.num_args() > 0) {
      map.emplace(&node, Argument(node.arg(0)));
    } else {
      return absl::InvalidArgumentError(fmt::format("%{} passes no value for the input {} of {}",
                                                    call.name(), node.target(), call.target()));
    }
  }
  if (next < call.num_args() || named < call.num_kwargs()) {
    return absl::InvalidArgumentError(
        fmt::format("%{} passes an argument that {} does not accept", call.name(), call.target()));
  }
  return absl::OkStatus();
}

/// Copies a node of a called graph. `prefix`, the path of the called module and a dot, is prepended
/// to module and tensor paths.
absl::StatusOr<Node*> copy_node(Graph& graph, const Node& node, std::string_view prefix,
                                const NodeMapping& map) {
  const auto mapped = [&](Node* operand) -> Argument { return map.at(operand); };
  if (node.op() != Opcode::kCallModule && node.op() != Opcode::kGetAttr)
    return graph.node_copy(node, mapped);
  std::vector<Argument> args;
  args.reserve(node.num_args());
  std::vector<Kwarg> kwargs;
  for (size_t i = 0; i < node.num_args(); ++i) args.push_back(map_nodes(node.arg(i), mapped));
  for (const Kwarg& kwarg : node.kwargs())
    kwargs.emplace_back(kwarg.key, map_nodes(kwarg.value, mapped));
  // Does not use node_copy, which checks that the owning module has the path without the prefix.
  FX_ASSIGN_OR_RETURN(Node * copy,
                      graph.create_node(node.op(), std::string(prefix) + std::string(node.target()),
                                        args, kwargs, {.name = node.name(), .type = node.type()}));
  copy->meta().copy_from(node);
  return copy;
}

/// True if symbols have the same meaning in the called graph and in the caller: the inputs of the
/// called graph have the types of the values that replace them.
bool has_same_symbols(const NodeMapping& map) {
  return std::ranges::all_of(map, [](const auto& entry) {
    const Type type = entry.first->type();
    const Node* const operand = entry.second.node();
    return !has_symbols(type) || (operand != nullptr && operand->type() == type);
  });
}

/// Implements inline_call. `new_nodes`, if not null, receives the new nodes.
absl::Status inline_one(Graph& graph, const Module& root, Node* call,
                        std::vector<Node*>* new_nodes) {
  const GraphModule* module = called_graph(root, *call);
  if (module == nullptr) {
    return absl::InvalidArgumentError(
        fmt::format("%{} does not call a module that has a graph", call->name()));
  }
  const Graph& callee = module->graph();
  if (callee.num_subgraphs() > 0) {
    return absl::UnimplementedError(fmt::format(
        "the graph of {} cannot be inlined, because it has nested graphs", call->target()));
  }
  NodeMapping map;
  FX_RETURN_IF_ERROR(bind_arguments(callee, *call, map));
  const bool has_own_symbols = !has_same_symbols(map);
  const std::string prefix = std::string(call->target()) + ".";
  const auto guard = graph.inserting_before(call);
  for (const Node& node : callee.nodes()) {
    if (node.is_placeholder() || node.is_output()) continue;
    FX_ASSIGN_OR_RETURN(Node * copy, copy_node(graph, node, prefix, map));
    if (has_own_symbols && has_symbols(copy->type())) change_type(*copy, Type());
    map.emplace(&node, Argument(copy));
    if (new_nodes != nullptr) new_nodes->push_back(copy);
  }
  if (!has_own_symbols) copy_guards(callee, graph);
  Argument result;
  if (const Node* output = callee.output_node()) {
    result = map_nodes(Argument(output->arg(0)),
                       [&](Node* operand) -> Argument { return map.at(operand); });
  }
  return replace_call(*call, result);
}

/// Adds all prefixes of a path: "a", "a.b" and "a.b.c" for "a.b.c".
void add_prefixes(std::string_view path, absl::flat_hash_set<std::string>& prefixes) {
  for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1))
    prefixes.emplace(path.substr(0, dot));
  prefixes.emplace(path);
}

/// True if all members of the module and of its submodules are modules.
bool has_only_modules(const Module& module) {
  bool empty = true;
  module.for_each_module([&](std::string_view, Module& part) {
    for (const auto& [name, member] : part.attributes())
      empty = empty && member.kind == AttributeKind::kModule;
  });
  return empty;
}

/// Removes inlined modules that have no tensors and to which no node of the graph or of its nested
/// graphs refers. Then removes the parents that became empty.
absl::Status remove_emptied(const Graph& graph, Module& root,
                            const std::vector<std::string>& modules) {
  if (modules.empty()) return absl::OkStatus();
  absl::flat_hash_set<std::string> used;
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes())
      if (node.op() == Opcode::kGetAttr || node.op() == Opcode::kCallModule)
        add_prefixes(node.target(), used);
  }
  for (std::string_view path : modules) {
    while (!path.empty() && !used.contains(std::string(path))) {
      const Module* module = root.find_module(path);
      if (module == nullptr || !has_only_modules(*module)) break;
      FX_RETURN_IF_ERROR(root.delete_submodule(path));
      const size_t dot = path.rfind('.');
      path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
      const Module* parent = path.empty() ? nullptr : root.find_module(path);
      if (parent == nullptr || !parent->attributes().empty()) break;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status inline_call(Graph& graph, const Module& root, Node* call) {
  if (call == nullptr || call->is_erased() || &call->graph() != &graph)
    return absl::InvalidArgumentError("the call to be inlined must be a live node of the graph");
  return inline_one(graph, root, call, nullptr);
}

absl::StatusOr<bool> inline_calls(Graph& graph, Module& root) {
  std::vector<Node*> worklist = graph.find_nodes(Opcode::kCallModule);
  std::vector<std::string> inlined;
  // New nodes are also inlined. This terminates, since modules do not contain themselves.
  while (!worklist.empty()) {
    Node* call = worklist.back();
    worklist.pop_back();
    if (called_graph(root, *call) == nullptr) continue;
    inlined.emplace_back(call->target());
    FX_RETURN_IF_ERROR(inline_one(graph, root, call, &worklist));
  }
  FX_RETURN_IF_ERROR(remove_emptied(graph, root, inlined));
  return !inlined.empty();
}

}  // namespace fx
