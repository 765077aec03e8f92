// CopyTable: where the nodes of a graph went when its parts are copied one after the other.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/status/status.h"

#include <cstdint>

namespace fx {

/// Maps nodes of one graph to their copies in the graph that is being made of it
/// (Graph::node_copy). Beginning with the next costs nothing: what was noted for the one before
/// does not count.
class CopyTable {
 public:
  explicit CopyTable(const Graph& source) : entries_(source) {}

  /// Copies from now on go to `destination`.
  void begin(const Graph& destination) {
    destination_ = &destination;
    num_same_names_ = 0;
    ++part_;
  }
  /// The node's copy; null when there is none yet.
  Node* find(const Node& node) const {
    const uint32_t slot = slot_of(node);
    return slot == 0 ? nullptr : destination_->node_at(slot);
  }
  /// InvalidArgument, naming it, when an operand of the node has no copy yet.
  absl::Status check_operands(const Node& node) const;
  /// `copy` is a node of the destination.
  void set(const Node& node, const Node& copy) { entries_[node] = {part_, copy.slot_}; }

 private:
  friend class Graph;
  struct Entry {
    uint32_t part = 0, slot = 0;
  };
  /// 0, which is no node's, when there is no copy yet.
  uint32_t slot_of(const Node& node) const {
    const Entry& entry = entries_[node];
    return entry.part == part_ ? entry.slot : 0;
  }

  NodeMap<Entry> entries_;
  const Graph* destination_ = nullptr;
  uint32_t part_ = 0;
  // For Graph::names_stay_free:
  size_t num_same_names_ = 0;         // nodes of the destination named like what they are copies of
  uint64_t source_version_ = 0;       // of the source whose names those are
  uint64_t destination_version_ = 0;  // right behind the last of those copies
};

}  // namespace fx
