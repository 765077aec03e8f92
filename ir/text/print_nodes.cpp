// print_nodes: see print_nodes.h.
#include "fx/ir/text/print_nodes.h"

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"

#include <vector>

namespace fx {

std::string print_nodes(const Graph& graph, const std::function<bool(const Node&)>& only,
                        const PrintOptions& options) {
  std::string out;
  std::vector<NestedGraph> graphs = nested_graph_paths(graph, kMaxGraphDepth);
  graphs.insert(graphs.begin(), {.graph = &graph, .path = {}});
  for (const NestedGraph& part : graphs) {
    bool is_first = true;
    for (const Node& node : part.graph->nodes()) {
      if (!only(node)) continue;
      if (is_first && !part.path.empty()) out += "# @" + part.path + "\n";
      is_first = false;
      print(node, out, options);
      out += '\n';
    }
  }
  return out;
}

}  // namespace fx
