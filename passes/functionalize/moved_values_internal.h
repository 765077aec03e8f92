// Types of values that a rewrite of a graph moves to a different place in a storage.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

namespace fx::functional {

/// Returns the type of a call by the types of its operands, or null if it is unknown. Keeps
/// requires_grad of `recorded`.
Type type_of_call(Node& call, Type recorded);
/// Sets the type of a call whose operands may have another place: the inferred type, or the
/// recorded one without places.
void retype_elsewhere(Node& call);

/// The values whose place in their storage has changed, or may have, since the rewrite began. The
/// results of some operators have the strides or the offset of an operand (views, slice_scatter), so
/// the types of their users change too.
class MovedValues {
 public:
  /// Records the types before the rewriting.
  explicit MovedValues(Graph& graph);

  /// Updates the type of a view of a new value, which has another place.
  void note(Node& node);
  /// Notes a write that has become a call without a write, and its type.
  void note_written(const Node& node);
  /// After a node is rewritten, in program order: updates its type if an operand has moved, unless
  /// the rewriting has done so. `inputs`: its operands before the rewriting.
  void note_visited(Node& node, absl::Span<Node* const> inputs);

 private:
  bool reads_moved(const Node& node, absl::Span<Node* const> inputs) const;

  NodeMap<Type> before_;
  NodeSet moved_;
};

}  // namespace fx::functional
