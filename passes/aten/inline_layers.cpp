#include "fx/passes/aten/inline_layers.h"

#include "fx/ir/graph/edit/replace_call.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tracer/nn/layer_graph.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using Values = absl::flat_hash_map<const Node*, Argument>;

/// Sets the module in the call's provenance to the module that it calls.
void enter_module(Node& call) {
  const std::string path(call.target());
  const Module* module = call.graph().owning_module()->find_module(path);
  call.meta().set(meta::kModule, path);
  const std::optional<Argument> outer = call.meta().get(meta::kModuleStack);
  if (!outer || !outer->is_list() || module == nullptr) return;
  std::vector<Argument> stack;
  stack.reserve(outer->size() + 1);
  for (size_t i = 0; i < outer->size(); ++i) stack.push_back((*outer)[i]);
  stack.push_back(Argument::list({path, path, std::string(module->class_name())}));
  call.meta().set(meta::kModuleStack, Argument::list(stack));
}

/// Replaces the call to the layer at `path` with the operators of the layer.
absl::Status splice(Node& call, std::string_view path, const Graph& layer) {
  Graph& graph = call.graph();
  const InsertPointGuard guard = graph.inserting_before(&call);
  Values values;
  const auto map_node = [&](Node* node) { return values.at(node); };
  const std::vector<Node*> inputs = call.all_input_nodes();
  size_t input = 0;
  for (const Node& node : layer.nodes()) {
    if (node.is_placeholder()) {
      values.emplace(&node, Argument(inputs[input++]));
    } else if (!node.is_output()) {
      Node* copy = nullptr;
      if (node.op() == Opcode::kGetAttr) {
        copy = graph.get_attr(fmt::format("{}.{}", path, node.target()));
      } else if (node.op() == Opcode::kCallModule) {  // a layer inside this layer
        std::vector<Argument> args;
        std::vector<Kwarg> kwargs;
        for (const Argument& arg : node.args()) args.push_back(map_nodes(arg, map_node));
        for (const Kwarg& kwarg : node.kwargs())
          kwargs.emplace_back(kwarg.key, map_nodes(kwarg.value, map_node));
        copy = graph.call_module(fmt::format("{}.{}", path, node.target()), args, kwargs);
      } else {
        FX_ASSIGN_OR_RETURN(copy, graph.node_copy(node, map_node));
      }
      inherit_provenance(*copy, call);
      if (copy->op() == Opcode::kCallModule) enter_module(*copy);
      values.emplace(&node, Argument(copy));
    }
  }
  return replace_call(call, map_nodes(layer.output_node()->arg(0), map_node));
}

/// The result of inlining a call.
enum class Inlined : uint8_t {
  kNo,  ///< the class of the module is unknown
  kYes,
  kWithCalls  ///< the new nodes call layers inside it
};

absl::StatusOr<Inlined> inline_known(Node& call) {
  const std::string path(call.target());
  const Module* root = call.graph().owning_module();
  const Module* module = root ? root->find_module(path) : nullptr;
  if (module == nullptr) {
    return node_error(call, absl::FailedPreconditionError(
                                "unknown module \"" + path +
                                "\"; put the graph into a GraphModule that contains it"));
  }
  if (!is_known_layer(*module)) return Inlined::kNo;
  const absl::StatusOr<std::unique_ptr<GraphModule>> layer =
      layer_graph_of_call(call, *module, {.targets = Targets::kAten, .locations = false});
  if (!layer.ok()) return node_error(call, layer.status());
  const Graph& graph = (*layer)->graph();
  if (absl::Status done = splice(call, path, graph); !done.ok()) return node_error(call, done);
  for (const Node& node : graph.nodes())
    if (node.op() == Opcode::kCallModule) return Inlined::kWithCalls;
  return Inlined::kYes;
}

/// Returns the first node after the call and its getitem nodes, which are erased with it.
Node* node_after(const Node& call) {
  Node* next = call.next();
  while (next != nullptr && next->target() == "operator.getitem") next = next->next();
  return next;
}

}  // namespace

absl::StatusOr<bool> inline_layer(Node& call) {
  FX_ASSIGN_OR_RETURN(const Inlined inlined, inline_known(call));
  return inlined != Inlined::kNo;
}

absl::StatusOr<bool> inline_layers(Graph& graph) {
  bool changed = false;
  // The nodes of an inlined layer that calls other layers end before this node. Their types are
  // inferred if possible, because inlining those layers may depend on the types of their inputs.
  Node* end = nullptr;
  bool inside = false;
  for (Node* node = graph.front(); node != nullptr;) {
    if (node == end) inside = false;
    if (node->op() == Opcode::kCallModule) {
      Node* const before = node->prev();
      Node* const next = node_after(*node);
      FX_ASSIGN_OR_RETURN(const Inlined inlined, inline_known(*node));
      if (inlined != Inlined::kNo) {
        changed = true;
        if (inlined == Inlined::kWithCalls && !std::exchange(inside, true)) end = next;
        node = before != nullptr ? before->next() : graph.front();
        continue;
      }
    }
    if (inside) set_inferred_type(*node);
    node = node->next();
  }
  return changed;
}

}  // namespace fx
