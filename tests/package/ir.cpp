// A program that uses only the graph: it builds, checks, changes and prints a graph, and parses the
// text.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"

#include <cstdio>

int main() {
  fx::Context context;
  fx::Graph graph(context);
  fx::Node* x = graph.placeholder("x");
  fx::Node* neg = graph.call_function(context.function("aten.neg.default"), {x});
  fx::Node* relu = graph.call_function(context.function("aten.relu.default"), {neg});
  graph.output(relu);
  relu->replace_input_with(neg, x);
  if (!graph.erase_node(neg).ok() || !fx::verify(graph).ok()) return 1;
  const std::string text = fx::print(graph);
  const auto again = fx::parse_graph(context, text);
  if (!again.ok() || fx::print(**again) != text || (*again)->size() != 3) return 1;
  std::fputs(text.c_str(), stdout);
  return 0;
}
