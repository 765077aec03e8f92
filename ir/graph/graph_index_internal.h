// The indexes of Graph::find_nodes and Graph::find_node.
//
// Lookups may run concurrently as long as no thread changes the graph: they lock the index.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/recent_cache.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace fx {

/// Nodes by opcode and target. Filled by the first lookup; from then on the graph adds new nodes
/// and new targets. Entries become stale when a node is erased or its target changes; the next
/// lookup of the target removes them.
class Graph::TargetIndex {
 public:
  /// Adds all nodes of the graph on the first call.
  void fill(const Graph& graph);
  /// The nodes with this opcode and target, in order. A null target means any target, and is not
  /// allowed for call_function.
  std::vector<Node*> find(const Graph& graph, Opcode op, const void* target);
  /// No other thread may use the graph during the call.
  void note(Node& node);

 private:
  struct Entry {
    Node* node;
    uint32_t id;
  };
  using Key = std::pair<Opcode, const void*>;
  using Bucket = std::vector<Entry>;

  void fill_locked(const Graph& graph);
  void add(Node& node);
  Bucket& bucket(Opcode op, const void* target);

  std::mutex mutex_;
  bool is_filled_ = false;
  absl::node_hash_map<Key, Bucket> buckets_;
  // Most nodes have one of a few targets; the most recent ones are found without hashing.
  struct RecentIndexOfKey {
    size_t operator()(const Key& key) const { return internal::RecentIndex()(key.second); }
  };
  internal::RecentCache<Key, Bucket*, 16, RecentIndexOfKey> recent_;
};

/// Nodes by name, for one version of the graph.
class Graph::NameIndex {
 public:
  Node* find(const Graph& graph, const Name& name);

 private:
  std::mutex mutex_;
  bool is_filled_ = false;
  uint64_t version_ = 0;
  absl::flat_hash_map<Name, Node*> nodes_;
};

}  // namespace fx
