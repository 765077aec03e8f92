// Types of values whose offset in their storage changes when a graph is rewritten.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

namespace fx::functional {

/// Returns the type of a call, inferred from the types of its operands; null if it is unknown.
/// Keeps the requires_grad of `recorded`.
Type type_of_call(Node& call, Type recorded);
/// Sets the type of a call whose operands may have different offsets: the inferred type, or the
/// recorded type without strides and offsets.
void retype_elsewhere(Node& call);

/// The values whose offset in their storage has changed, or may have changed, since the rewrite
/// began. The results of some operators have the strides or the offset of an operand (views,
/// slice_scatter), so the types of their users also change.
class MovedValues {
 public:
  /// Records the types before the rewrite.
  explicit MovedValues(Graph& graph);

  /// Updates the type of a view of a new value, which has a different offset.
  void note(Node& node);
  /// Records a write that has been turned into a call that does not write, and the call's type.
  void note_written(const Node& node);
  /// Must be called after each node is rewritten, in program order. Updates the type of the node if
  /// an operand has moved, unless the rewrite has already done so. `inputs` are its operands before
  /// the rewrite.
  void note_visited(Node& node, absl::Span<Node* const> inputs);

 private:
  bool reads_moved(const Node& node, absl::Span<Node* const> inputs) const;

  NodeMap<Type> before_;
  NodeSet moved_;
};

}  // namespace fx::functional
