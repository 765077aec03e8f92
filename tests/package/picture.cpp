// A program that renders graphs: fxcpp::graphviz also links the Graphviz library.
#include "fx/codegen/graphviz/svg.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include <cstdio>

int main() {
  fx::Context context;
  fx::Graph graph(context);
  fx::Node* x = graph.placeholder("x");
  graph.output(graph.call_function(context.function("aten.relu.default"), {x}));
  const auto svg = fx::draw_svg(graph);
  if (!svg.ok()) return 1;
  std::puts(svg->c_str());
  return svg->find(">relu_default</text>") == std::string::npos ? 1 : 0;
}
