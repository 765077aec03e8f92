// MinCut: a minimum cut of a network, by Boost.Graph's maximum flow of Boykov and Kolmogorov.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx::internal {

/// Vertices are numbers; kSource and kSink exist. Arcs between equal vertices, into the source and
/// out of the sink are ignored. Arcs from the source to the sink are also ignored: every cut
/// has them.
class MinCut {
 public:
  static constexpr uint32_t kSource = 0, kSink = 1;
  /// More than the sum of all finite capacities.
  static constexpr int64_t kInfinite = int64_t{1} << 60;

  uint32_t add_vertex() { return num_vertices_++; }
  void add_arc(uint32_t from, uint32_t to, int64_t capacity);
  /// Computes the cut whose sink side is smallest. Returns false if every cut has an arc of
  /// infinite capacity.
  bool solve();
  /// After solve().
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
