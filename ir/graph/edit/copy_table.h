// CopyTable: copies parts of one graph into other graphs, one part at a time.
//
//   CopyTable copies(source);
//   copies.begin(part);
//   copies.placeholders_like(inputs);
//   FX_RETURN_IF_ERROR(copies.copy_nodes(nodes));
//   part.output(copies.find(*result));
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx {

/// Maps nodes of one graph, the source, to their copies in another graph of the same Context, the
/// destination. New nodes are inserted at the destination's insert point.
class CopyTable {
 public:
  explicit CopyTable(const Graph& source) : entries_(source) {}

  /// Starts with a new destination: removes all copies from the table, in O(1).
  void begin(Graph& destination) {
    destination_ = &destination;
    num_same_names_ = 0;
    ++part_;
  }
  /// The node's copy; null if it has none yet.
  Node* find(const Node& node) const {
    const uint32_t slot = slot_of(node);
    return slot == 0 ? nullptr : destination_->storage().node_at(slot);
  }
  /// Records a copy that the caller created.
  void set(const Node& node, const Node& copy) { entries_[node] = {part_, copy.slot_}; }
  /// Returns InvalidArgument, with the operand's name, if an operand of the node has no copy yet.
  absl::Status check_operands(const Node& node) const;

  /// The value's copy. If it has none, creates a new input with its name, type and metadata
  /// (Graph::placeholder_like) and records it.
  Node* placeholder_like(const Node& value);
  /// Does the same for many values of the source, faster than one call for each. On return,
  /// `values` contains only the values for which an input was created, in order and without
  /// duplicates.
  void placeholders_like(std::vector<const Node*>& values);
  /// Graph::node_copy with operands from the table. Returns InvalidArgument, with the operand's
  /// name, if an operand has no copy. The caller records the new copy.
  absl::StatusOr<Node*> node_copy(const Node& node, NodeCopyOptions options = {}) const;
  /// Does the same for many nodes of the source, in order, faster than one call for each.
  /// Operands may be among these nodes. Records the copies. On error, the nodes before the failing
  /// one have been copied.
  absl::Status copy_nodes(absl::Span<const Node* const> nodes, NodeCopyOptions options = {});
  /// Sets the function and arguments of `call`, a call_function of the destination, to those of
  /// `pattern`, a call_function of the source, with operands from the table. Name, position, type,
  /// metadata and users do not change. Returns InvalidArgument, and changes nothing, if an operand
  /// has no copy or its copy is `call` itself, if a node is not a call_function, or if the source
  /// has nested graphs.
  absl::Status copy_call(Node& call, const Node& pattern) const;

 private:
  struct Entry {
    uint32_t part = 0, slot = 0;
  };
  class MetaCopies;  // copy_table.cpp

  /// The slot of the copy; 0, which is not the slot of any node, when there is no copy yet.
  uint32_t slot_of(const Node& node) const {
    const Entry& entry = entries_[node];
    return entry.part == part_ ? entry.slot : 0;
  }
  /// True if nodes that have no copy yet may keep their names without a search for conflicts: all
  /// names in the destination are names of other nodes of the source, and therefore differ. Records
  /// the version of the source when the destination is empty.
  bool names_stay_free(const Graph& source);
  /// Creates an input with the name of the value, without metadata. Returns null if the name is
  /// not a legal name of an input.
  Node* input_of_same_name(const Node& value);
  /// Copies a node of a graph without nested graphs, except its metadata. Returns null if an
  /// operand has no copy. `keeps_name` is the result of names_stay_free; it is set to false if the
  /// name of the copy differs from that of the node.
  Node* copy_bare(const Node& node, const NodeCopyOptions& how, bool& keeps_name) const;

  NodeMap<Entry> entries_;
  Graph* destination_ = nullptr;
  uint32_t part_ = 0;
  // Used by names_stay_free:
  size_t num_same_names_ = 0;         // nodes of the destination with the name of their original
  uint64_t source_version_ = 0;       // the version of the source that has these names
  uint64_t destination_version_ = 0;  // just after the last of these copies
};

}  // namespace fx
