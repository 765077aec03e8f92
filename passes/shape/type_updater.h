// TypeUpdater: keeps the types of a graph valid during rewrites. The cost depends on the number of
// calls that a change affects, not on the size of the graph.
//
//   fx::TypeUpdater types(graph);
//   rewrite(graph);                        // marks new nodes and users of replaced values
//   types.set_input_type(*x, wider);
//   ShapeReport report = types.update();   // types the marked calls and their dependents
//
// Propagation stops at calls whose type does not change. set_args and update_arg do not mark nodes;
// call mark() after them.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/shape/shape_prop.h"

#include <memory>
#include <vector>

namespace fx {

class Propagation;

/// Observes a graph, which must outlive the updater and whose nodes must have types
/// (propagate_types). Nested graphs are typed again with the operator that runs them.
class TypeUpdater : public GraphObserver {
 public:
  explicit TypeUpdater(Graph& graph, const PropagateOptions& options = {});
  ~TypeUpdater() override;
  TypeUpdater(const TypeUpdater&) = delete;
  TypeUpdater& operator=(const TypeUpdater&) = delete;

  /// Types the node in the next update(). Ignores nodes other than call_function.
  void mark(Node& node);
  /// Records that a value that no longer has a type had one when its users were typed. Marks its
  /// users: a nested graph that receives the value must not keep the recorded type of its input.
  void mark_untyped(Node& value);
  /// Sets the type of a placeholder or get_attr and marks its users. Returns InvalidArgument for
  /// other nodes.
  absl::Status set_input_type(Node& input, Type type);

  /// Types the marked calls and, in the order of the graph, the users of each value whose type
  /// changes. Takes O(n log n) time in the number of calls that it types. If a call changes the
  /// sizes or strides of an argument (`t_`, out=), the whole graph is typed again. The report
  /// counts the calls typed by this update; its guards are all guards so far.
  ShapeReport update();

  void node_created(Node& node) override;
  void node_erased(Node& node) override;
  void use_replaced(Node& old_value, Node& new_value, Node& user) override;

 private:
  void mark_users(const Node& node, std::vector<Node*>& nodes);

  ShapeReport walk();

  Graph& graph_;
  ShapeEnv own_env_;
  std::unique_ptr<Propagation> propagation_;
  NodeSet marked_;
  std::vector<Node*> nodes_;            // marked nodes; may include erased ones
  std::vector<Node*> waiting_, users_;  // of update(), which keeps their memory
  bool needs_walk_ = false;             // a call may change the sizes or strides of an argument
};

}  // namespace fx
