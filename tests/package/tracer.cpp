// A program that uses the graph and the tracer: it traces a module, infers types, and reads the
// nodes.
#include "fx/tracer/tracer.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/listing.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"

#include <cstdio>

namespace {

struct Net : fx::nn::Module {
  fx::nn::Linear linear = register_module("linear", fx::nn::Linear(4, 5));
  fx::Proxy forward(fx::Proxy x) { return sum(relu(linear(x)), -1); }
};

}  // namespace

int main() {
  fx::Context context;
  const auto traced = fx::symbolic_trace(context, fx::nn::ModuleHolder<Net>(), {"x"});
  if (!traced.ok()) return 1;
  const fx::Graph& graph = (*traced)->graph();
  std::puts(fx::format_graph(graph).c_str());
  return graph.size() == 5 && graph.find_node("linear") && graph.find_node("sum_1") ? 0 : 1;
}
