// Types of tensors whose sizes or strides a call changes in place (`t_`, `resize_`, out= of a
// different size), or that an unknown call receives, and of lists whose items a call changes
// (`l[0] = x`).
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/types/type.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace fx {

/// The type of a node describes its value when the node ran. A walk in program order that reads the
/// types of operands passes each call to note(), which sets the new type on every node whose tensor
/// or list the call changed. restore() and the destructor restore the old types. Do not erase such a node
/// before that.
class ChangedTypes {
 public:
  ChangedTypes() = default;
  ~ChangedTypes() { restore(0); }
  ChangedTypes(const ChangedTypes&) = delete;
  ChangedTypes& operator=(const ChangedTypes&) = delete;

  /// Processes a call whose result has this type. Returns true if the type of an argument changed.
  /// An argument that may have been changed in an unknown way receives the type of an unknown
  /// tensor; a list whose items may have been changed has no type.
  bool note(const Node& call, Type result);
  bool note(const Node& call) { return note(call, call.type()); }
  /// Sets the type of every node before `writer` that is the same tensor as `value`. Nodes that may
  /// be the same tensor receive the type of an unknown tensor.
  void change(Node& value, Type type, const Node& writer);

  /// The number of changes so far.
  size_t size() const { return changed_.size(); }
  /// Reverts all changes after the first `count`, in reverse order.
  void restore(size_t count);

 private:
  void note_lists(const Node& call);
  /// Forgets the items of lists, returned by calls with this operand, that may be this tensor.
  template <class Accepts>
  void change_results(const Node& value, Type unknown, Accepts&& accepts);
  void set(Node& node, Type type);

  std::vector<std::pair<Node*, Type>> changed_;  // nodes with their previous types
};

/// Returns the nodes whose tensors a call in the graph changes, or may change. Their types are
/// valid only during part of the run.
std::vector<const Node*> changed_tensors(const Graph& graph);

/// True if the call, or a graph that it runs, may change the sizes or strides of an operand.
bool may_change_operands(const Node& call);

}  // namespace fx
