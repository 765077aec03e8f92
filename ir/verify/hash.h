// Structural hash: one number that summarizes a graph's computation, for caches and for
// checking whether a pass changed the graph.
//
//   fx::GraphHash before = fx::structural_hash(graph);
//   ...
//   bool changed = fx::structural_hash(graph) != before;
//
// Equal graphs (structurally_equal, ir/verify/diff.h, under the same options) have equal hashes, in
// every process and every Context: strings are hashed, never addresses. Program order counts:
// graphs that differ in the order of independent nodes have different hashes. The hash is
// not cryptographic: two graphs with the same hash can be constructed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace fx {

class Graph;

/// 128 bits.
struct GraphHash {
  uint64_t high = 0;
  uint64_t low = 0;

  /// 32 hexadecimal digits.
  std::string str() const;

  friend bool operator==(const GraphHash&, const GraphHash&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const GraphHash& hash) {
    return H::combine(std::move(h), hash.high, hash.low);
  }
};

/// What to hash in addition to opcodes, targets, arguments and nested graphs.
struct HashOptions {
  bool ignore_names = true;  ///< node names and targets of placeholders
  bool ignore_meta = true;   ///< metadata of nodes and graphs
  bool ignore_types = false;
};

/// Takes time linear in nodes and arguments, including nested graphs.
GraphHash structural_hash(const Graph& graph, const HashOptions& options = {});

}  // namespace fx

template <>
struct std::hash<fx::GraphHash> {
  size_t operator()(const fx::GraphHash& graph_hash) const noexcept { return graph_hash.low; }
};
