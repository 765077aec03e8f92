// MinCut: a minimum cut of a network, computed with Boost.Graph's Boykov-Kolmogorov maximum flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx::internal {

/// Vertices are integers; kSource and kSink always exist. Ignores arcs from a vertex to itself,
/// into the source and out of the sink, and arcs from the source to the sink, which every cut
/// contains.
class MinCut {
 public:
  static constexpr uint32_t kSource = 0, kSink = 1;
  /// Greater than the sum of all finite capacities.
  static constexpr int64_t kInfinite = int64_t{1} << 60;

  uint32_t add_vertex() { return num_vertices_++; }
  void add_arc(uint32_t from, uint32_t to, int64_t capacity);
  /// Computes the cut whose sink side is smallest. Returns false if every cut has an arc of
  /// infinite capacity.
  bool solve();
  /// True if the vertex is on the sink side of the cut. Requires solve().
  bool is_on_sink_side(uint32_t vertex) const { return sink_side_[vertex] != 0; }

 private:
  struct Arc {
    uint32_t from, to;
    int64_t capacity;
  };
  uint32_t num_vertices_ = 2;
  std::vector<Arc> arcs_;
  std::vector<char> sink_side_;
};

}  // namespace fx::internal
