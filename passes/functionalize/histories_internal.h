// The histories of tensors that a graph writes through views that autograd does not follow.
//
//   %d    = aten.detach.default(%c)           %d      = aten.detach.default(%c)
//   %mul_ = aten.mul_.Scalar(%d, 2)      ->   %mul    = aten.mul.Scalar(%d, 2)
//   %sin  = aten.sin.default(%c)              %clone  = aten.clone.default(%c)
//                                             %detach = aten.detach.default(%clone)
//                                             %copy_  = aten.copy_.default(%detach, %mul)
//                                             %sin    = aten.sin.default(%clone)
//
// After the write, %c has a new value and its old history: its derivative is that of the old value.
// %clone has both. The only operators that separate a value from its history write to memory, so
// this is a write to new memory, which every transform accepts.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/views_internal.h"

#include "absl/container/flat_hash_map.h"

#include <cstdint>
#include <vector>

namespace fx::functional {

/// Keeps the histories of tensors while a graph is rewritten. A memory has one value, and one
/// history for the root and for each detached view, which the views of these share.
class Histories {
 public:
  /// Does nothing unless `enabled` (FunctionalizeOptions::keep_histories).
  Histories(Aliases& aliases, NodeBuilder& builder, bool enabled)
      : a_(aliases), builder_(builder), enabled_(enabled), writes_(aliases.graph) {}

  /// True if a write to `part` does not change the history of `whole`, which contains it.
  bool differ(uint32_t part, uint32_t whole);
  /// Returns a tensor with this value of the view and this history.
  Node* combine(uint32_t view, Node* value, Node* history);
  /// Records the value of a view that contains a written part.
  void note_written(uint32_t view, Node* value);
  /// Returns a value of the view, which was created from a value of its parent, with the history of
  /// the view.
  Node* read(uint32_t view, Node* value);
  /// Returns the value of the parent of the view, for a call that creates the view from it.
  Node* source_of(uint32_t view, Node* value);
  /// True if the node writes the value of a tensor with a history, and nothing uses the tensor.
  bool is_unused(const Node& node) const;

 private:
  /// Returns the view that is the root of the views with the same history.
  uint32_t owner_of(uint32_t view);
  Node* detached(Node* value, const Node& origin) {
    return builder_.call("aten.detach.default", {value}, origin);
  }

  Aliases& a_;
  NodeBuilder& builder_;
  bool enabled_;
  NodeSet writes_;
  std::vector<uint32_t> owners_;                 // by view
  absl::flat_hash_map<uint32_t, Node*> latest_;  // by detached view: the value last written to it
};

}  // namespace fx::functional
