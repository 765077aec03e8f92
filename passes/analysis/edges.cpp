#include "fx/passes/analysis/edges.h"

#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/analysis/module_tree.h"

namespace fx {
namespace {

/// The edges that start (or end) at each node, in the order of `edges`.
class EdgeLists {
 public:
  EdgeLists(const Graph& graph, absl::Span<const GraphEdge> edges, const Node* GraphEdge::* end)
      : begin_(graph.id_bound() + 1, 0), order_(edges.size()) {
    for (const GraphEdge& edge : edges) ++begin_[(edge.*end)->id() + 1];
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<uint32_t> next = begin_;
    for (uint32_t i = 0; i < edges.size(); ++i) order_[next[(edges[i].*end)->id()]++] = i;
  }
  absl::Span<const uint32_t> of(const Node& node) const {
    const uint32_t from = begin_[node.id()];
    return absl::MakeConstSpan(order_).subspan(from, begin_[node.id() + 1] - from);
  }

 private:
  std::vector<uint32_t> begin_;
  std::vector<uint32_t> order_;
};

}  // namespace

std::vector<GraphEdge> graph_edges(const Graph& graph) {
  std::vector<GraphEdge> edges;
  NodeMap<uint32_t> count(graph, 0);
  std::vector<const Node*> values;
  for (const Node& node : graph.nodes()) {
    values.clear();
    node.for_each_input([&](Node* value) {
      if (count[*value]++ == 0) values.push_back(value);
    });
    for (const Node* value : values) {
      for (uint32_t i = 0; i < count[*value]; ++i) edges.push_back({value, &node, i});
      count[*value] = 0;
    }
  }
  return edges;
}

Type edge_type(const GraphEdge& edge) {
  const Type value_type = edge.from->type();
  if (!value_type.is_tuple() && !value_type.is_list()) return value_type;
  const std::optional<int64_t> item = constant_item(*edge.to);
  if (!item) return value_type;
  const auto size = static_cast<int64_t>(value_type.items().size());
  const int64_t index = *item < 0 ? *item + size : *item;
  return index < 0 || index >= size ? value_type : value_type.items()[static_cast<size_t>(index)];
}

std::vector<GraphEdge> edge_bfs(const Graph& graph, absl::Span<const Node* const> sources,
                                EdgeOrientation orientation) {
  const std::vector<GraphEdge> edges = graph_edges(graph);
  const EdgeLists out(graph, edges, &GraphEdge::from);
  const EdgeLists in(graph, edges, &GraphEdge::to);
  std::vector<GraphEdge> found;
  std::vector<char> walked(edges.size(), 0);
  NodeSet seen(graph);
  std::vector<const Node*> queue;
  for (const Node* source : sources)
    if (seen.insert(*source)) queue.push_back(source);
  const auto walk = [&](uint32_t i, const Node* child) {
    if (seen.insert(*child)) queue.push_back(child);
    if (walked[i] != 0) return;
    walked[i] = 1;
    found.push_back(edges[i]);
  };
  for (size_t at = 0; at < queue.size(); ++at) {
    const Node& node = *queue[at];
    if (orientation != EdgeOrientation::kReverse)
      for (const uint32_t i : out.of(node)) walk(i, edges[i].to);
    if (orientation != EdgeOrientation::kOriginal)
      for (const uint32_t i : in.of(node)) walk(i, edges[i].from);
  }
  return found;
}

bool is_tangent(const Node& node) {
  if (!node.is_placeholder()) return false;
  const std::string_view kind = input_fact(node, "kind");
  return kind.empty() ? node.target().starts_with("tangents") : kind == "tangent";
}

std::vector<const Node*> tangents(const Graph& graph) {
  std::vector<const Node*> found;
  for (const Node* node : graph.find_nodes(Opcode::kPlaceholder))
    if (is_tangent(*node)) found.push_back(node);
  return found;
}

std::vector<const Node*> primals(const Graph& graph) {
  std::vector<const Node*> found;
  for (const Node* node : graph.find_nodes(Opcode::kPlaceholder))
    if (!is_tangent(*node)) found.push_back(node);
  return found;
}

}  // namespace fx
