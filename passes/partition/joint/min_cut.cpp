#include "fx/passes/partition/joint/min_cut_internal.h"

#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/property_map/property_map.hpp>

#include <utility>

namespace fx::internal {
namespace {

using FlowGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, uint32_t, uint32_t>;
using FlowArc = boost::graph_traits<FlowGraph>::edge_descriptor;

}  // namespace

void MinCut::add_arc(uint32_t from, uint32_t to, int64_t capacity) {
  if (from == to || from == kSink || to == kSource) return;
  if (from == kSource && to == kSink) return;
  arcs_.push_back({from, to, capacity});
}

bool MinCut::solve() {
  // Each arc and its reverse, sorted by their first vertex.
  std::vector<uint32_t> offset(num_vertices_ + 1, 0);
  for (const Arc& arc : arcs_) {
    ++offset[arc.from + 1];
    ++offset[arc.to + 1];
  }
  for (size_t i = 1; i < offset.size(); ++i) offset[i] += offset[i - 1];
  const size_t count = 2 * arcs_.size();
  std::vector<std::pair<uint32_t, uint32_t>> ends(count);
  std::vector<int64_t> capacity(count, 0), residual(count, 0);
  std::vector<uint32_t> opposite(count);
  for (const Arc& arc : arcs_) {
    const uint32_t there = offset[arc.from]++, back = offset[arc.to]++;
    ends[there] = {arc.from, arc.to};
    ends[back] = {arc.to, arc.from};
    capacity[there] = arc.capacity;
    opposite[there] = back;
    opposite[back] = there;
  }
  FlowGraph graph(boost::edges_are_sorted, ends.begin(), ends.end(), num_vertices_);
  std::vector<FlowArc> reverse(count), predecessor(num_vertices_);
  for (size_t i = 0; i < count; ++i) reverse[i] = boost::edge_from_index(opposite[i], graph);
  std::vector<boost::default_color_type> color(num_vertices_);
  std::vector<uint32_t> distance(num_vertices_);
  const auto arc_number = get(boost::edge_index, graph);
  const auto vertex_number = get(boost::vertex_index, graph);
  const int64_t flow = boost::boykov_kolmogorov_max_flow(
      graph, boost::make_iterator_property_map(capacity.begin(), arc_number),
      boost::make_iterator_property_map(residual.begin(), arc_number),
      boost::make_iterator_property_map(reverse.begin(), arc_number),
      boost::make_iterator_property_map(predecessor.begin(), vertex_number),
      boost::make_iterator_property_map(color.begin(), vertex_number),
      boost::make_iterator_property_map(distance.begin(), vertex_number), vertex_number, kSource,
      kSink);
  if (flow >= kInfinite) return false;
  // The smallest sink side: the vertices from which the residual network reaches the sink.
  sink_side_.assign(num_vertices_, 0);
  sink_side_[kSink] = 1;
  std::vector<uint32_t> worklist = {kSink};
  while (!worklist.empty()) {
    const uint32_t vertex = worklist.back();
    worklist.pop_back();
    for (uint32_t arc = vertex == 0 ? 0 : offset[vertex - 1]; arc < offset[vertex]; ++arc) {
      const uint32_t other = ends[arc].second;
      if (sink_side_[other] || residual[opposite[arc]] == 0) continue;
      sink_side_[other] = 1;
      worklist.push_back(other);
    }
  }
  return true;
}

}  // namespace fx::internal
