// Inline definitions of the private functions of Graph that every edit runs.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage_inline.h"

#include <cstdint>

namespace fx {

inline void Graph::insert(Node& node) {
  storage_.insert(node, insert_before_);
  if (insert_reverse_) insert_before_ = node.slot_;
  ++version_;
  note_target(node);
  for (GraphObserver* observer : observers_) observer->node_created(node);
}

inline void Graph::remove(Node& node) {
  names_.all();  // the node's name stays taken
  if (insert_before_ == node.slot_) insert_before_ = node.next_;
  if (node.flags_ & Node::kHasMeta) meta_.remove_all(node.slot_);
  storage_.remove(node);
  ++version_;
}

inline void Graph::move(Node& node, uint32_t before) {
  if (insert_before_ == node.slot_) insert_before_ = node.next_;
  names_.all();  // filled in the order of the nodes, so before the move
  storage_.move(node, before);
  changed();
}

[[gnu::always_inline]] inline bool Graph::is_valid_argument(const Argument& value) const {
  if (value.kind() == ArgumentKind::kNode) return owns(value.payload_.node);
  if (value.kind() == ArgumentKind::kGraph) return value.as_graph() < subgraphs_.size();
  return !is_aggregate(value.kind()) || check_argument(value).ok();
}

}  // namespace fx
