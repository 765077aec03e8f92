// The order in which a graph's writers list the metadata of its nodes.
//
// A graph lists keys in the order in which they were first used, which depends on its history: keys
// may have been set on later nodes first, or removed. A reader sees only the nodes, in their order.
// Writers use the order that the reader's graph will have, so that writing that graph again
// produces the same output.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/functional/function_ref.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fx::internal {

/// Valid until the graph's nodes or their metadata change.
class MetaOrder {
 public:
  explicit MetaOrder(const Graph& graph) {
    for (const Node& node : graph.nodes()) {
      size_t last = 0;
      node.meta().for_each([&](Symbol key, const Argument&) {
        const size_t rank = ranks_.try_emplace(key.id(), ranks_.size()).first->second;
        is_order_of_graph_ = is_order_of_graph_ && rank >= last;
        last = rank;
      });
    }
  }

  /// All entries of a node of the graph: keys in the order of the first nodes that have them.
  void for_each(const Node& node,
                absl::FunctionRef<void(Symbol key, const Argument& value)> f) const {
    if (is_order_of_graph_) return node.meta().for_each(f);
    struct Entry {
      size_t rank;
      Symbol key;
      const Argument* value;
    };
    absl::InlinedVector<Entry, 8> entries;
    node.meta().for_each([&](Symbol key, const Argument& value) {
      entries.push_back({ranks_.at(key.id()), key, &value});
    });
    std::ranges::sort(entries, {}, &Entry::rank);
    for (const Entry& entry : entries) f(entry.key, *entry.value);
  }

 private:
  absl::flat_hash_map<uint32_t, size_t> ranks_;  // by the key's id
  bool is_order_of_graph_ = true;
};

}  // namespace fx::internal
