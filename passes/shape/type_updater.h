// TypeUpdater: the types of a graph that is being rewritten, kept right at the price of what
// changes.
//
//   fx::TypeUpdater types(graph);
//   rewrite(graph);                        // new nodes, and users of replaced values, are noticed
//   types.set_input_type(*x, wider);
//   ShapeReport report = types.update();   // types those, and what depends on them
//
// A call whose type stays what it was stops the way on. Calls whose arguments were changed by
// set_args or update_arg alone are not noticed: mark() them.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/shape/shape_prop.h"

#include <memory>
#include <vector>

namespace fx {

class Propagation;

/// Watches a graph, which must outlive it and be typed at first (propagate_types). Nested graphs
/// are typed again with the operator that runs them.
class TypeUpdater : public GraphObserver {
 public:
  explicit TypeUpdater(Graph& graph, const PropagateOptions& options = {});
  ~TypeUpdater() override;
  TypeUpdater(const TypeUpdater&) = delete;
  TypeUpdater& operator=(const TypeUpdater&) = delete;

  /// The node is typed at the next update. Nothing for other nodes than calls of functions.
  void mark(Node& node);
  /// Gives a placeholder or get_attr another type, and marks what reads it. InvalidArgument for
  /// other nodes.
  absl::Status set_input_type(Node& input, Type type);

  /// Types what was marked and, in the order of the graph, whatever reads a value whose type became
  /// another one. Costs the calls that it types, times the logarithm of how many wait; in a graph
  /// with calls that change an argument's sizes or strides (`t_`, out=) the whole graph is walked.
  /// The report counts these calls; its guards are all that were needed so far.
  ShapeReport update();

  void node_created(Node& node) override;
  void node_erased(Node& node) override { marked_.erase(node); }
  void use_replaced(Node& old_value, Node& new_value, Node& user) override;

 private:
  void mark_users(const Node& node, std::vector<Node*>& nodes);

  ShapeReport walk();

  Graph& graph_;
  ShapeEnv own_env_;
  std::unique_ptr<Propagation> propagation_;
  NodeSet marked_;
  std::vector<Node*> nodes_;  // those marked, and erased ones
  bool needs_walk_ = false;   // some call may change what an argument is
};

}  // namespace fx
