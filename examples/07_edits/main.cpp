// Lesson 7: torch.fx's first small transformations. Each follows the same template, so they
// compose: it traces a module with a tracer, changes the graph and returns a module.
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"

#include <iostream>
#include <memory>

namespace {

using Traced = absl::StatusOr<std::unique_ptr<fx::GraphModule>>;

/// The template: the arguments of a transformation are a module and the tracer to trace it with.
template <class Module, class Edit>
Traced transform(Module& module, fx::Tracer& tracer, Edit edit) {
  FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::Graph> graph, tracer.trace(module, {"x"}));
  FX_RETURN_IF_ERROR(edit(*graph));
  return fx::GraphModule::create(tracer.root(), std::move(graph));
}

/// Replaces one function with another. Only the target changes.
absl::Status add_to_mul(fx::Graph& graph) {
  for (fx::Node* node : graph.find_nodes(graph.context().function("operator.add")))
    node->set_function(graph.context().function("operator.mul"));
  return absl::OkStatus();
}

/// Inserts a relu after every call to a module. With torch.fx's replace_all_uses_with, the
/// relu would use itself.
absl::Status append_relu(fx::Graph& graph) {
  for (fx::Node* node : graph.find_nodes(fx::Opcode::kCallModule)) {
    const auto guard = graph.inserting_after(node);
    node->replace_all_uses_with(
        graph.call_function(graph.context().function("torch.relu"), {node}));
  }
  return absl::OkStatus();
}

/// relu(x) becomes (x > 0) * x, written with Proxies that record into the same graph.
absl::Status decompose_relu(fx::Graph& graph) {
  fx::GraphAppendingTracer tracer(graph);
  for (fx::Node* node : graph.find_nodes(graph.context().function("torch.relu"))) {
    const auto guard = graph.inserting_before(node);
    const fx::Proxy x = tracer(node->arg(0).node());
    node->replace_all_uses_with(((x > 0) * x).node());
    FX_RETURN_IF_ERROR(graph.erase_node(node));
  }
  return tracer.status();
}

struct Net : fx::nn::Module {
  fx::nn::Linear linear{nullptr};
  Net() { linear = register_module("linear", fx::nn::Linear(4, 5)); }
  fx::Proxy forward(fx::Proxy x) { return linear(x) + 1; }
};

absl::Status run() {
  fx::Context context;
  fx::nn::ModuleHolder<Net> net;
  fx::Tracer tracer(context);
  for (const auto& edits :
       {std::vector{add_to_mul}, {append_relu}, {append_relu, decompose_relu}}) {
    FX_ASSIGN_OR_RETURN(const auto module,
                        transform(net, tracer, [&](fx::Graph& graph) -> absl::Status {
                          for (const auto& edit : edits) FX_RETURN_IF_ERROR(edit(graph));
                          return absl::OkStatus();
                        }));
    std::cout << fx::print(module->graph(), {.meta = false}) << '\n';
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
