// Finds nested graphs by name, and iterates over a graph and the graphs nested in it at any depth:
// alone (all_graphs), with their paths, or in pairs with those of a copy.
//
//   for (Graph& g : all_graphs(graph)) FX_RETURN_IF_ERROR(simplify(g));
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The range that all_graphs returns; G is Graph or const Graph.
template <class G>
class GraphRange {
 public:
  class Iterator {
   public:
    explicit Iterator(G& graph) : todo_{&graph} {}
    G& operator*() const { return *todo_.back(); }
    Iterator& operator++() {
      G& visited = *todo_.back();
      todo_.pop_back();
      for (size_t i = visited.num_subgraphs(); i-- > 0;) todo_.push_back(&visited.subgraph(i));
      return *this;
    }
    friend bool operator==(const Iterator& i, std::default_sentinel_t) { return i.todo_.empty(); }

   private:
    absl::InlinedVector<G*, 4> todo_;  // the last element is visited next
  };

  explicit GraphRange(G& graph) : graph_(graph) {}
  Iterator begin() const { return Iterator(graph_); }
  std::default_sentinel_t end() const { return {}; }

 private:
  G& graph_;
};

/// `graph`, then its nested graphs in order of their indexes, each followed by the graphs nested in
/// it. The body of the loop may change the nested graphs of the current graph. Not recursive.
inline GraphRange<Graph> all_graphs(Graph& graph) { return GraphRange<Graph>(graph); }
inline GraphRange<const Graph> all_graphs(const Graph& graph) {
  return GraphRange<const Graph>(graph);
}

/// The graphs of all_graphs, each after the graphs nested in it: for a pass that depends on what the
/// calls of nested graphs do, such as which results share memory.
inline std::vector<Graph*> inner_graphs_first(Graph& graph) {
  std::vector<Graph*> graphs;
  for (Graph& each : all_graphs(graph)) graphs.push_back(&each);
  std::ranges::reverse(graphs);
  return graphs;
}

/// Calls `f(a, b)` for two graphs with the same nested graphs, such as a graph and its clone, and
/// for each pair of corresponding nested graphs, in the order of all_graphs.
template <class F>
void for_each_graph_pair(const Graph& a, const Graph& b, F&& f) {
  auto other = all_graphs(b).begin();
  for (const Graph& graph : all_graphs(a)) {
    f(graph, *other);
    ++other;
  }
}

/// A nested graph, and the names of the nested graphs that lead to it, joined by dots.
struct NestedGraph {
  const Graph* graph = nullptr;
  std::string path;
  size_t depth = 0;  ///< the number of names in the path
};
/// The graphs nested in `graph` in the order of all_graphs, up to a depth of `max_depth`.
std::vector<NestedGraph> nested_graph_paths(const Graph& graph, size_t max_depth);

/// The index of the graph's nested graph with this name; nullopt if there is none.
std::optional<uint32_t> subgraph_index(const Graph& graph, std::string_view name);
/// The first of `base`, `base_1`, `base_2`, ... that is not the name of a nested graph.
std::string unused_subgraph_name(const Graph& graph, std::string_view base);

}  // namespace fx
