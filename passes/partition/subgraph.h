// Subgraphs: copies parts of a graph, moves them into modules, and inlines them back.
//
//   graph(%x, %y) {                             graph(%x, %y) {
//     %a = aten.add.Tensor(%x, %y)    outline     %f = call_module fused_0(%x, %y)
//     %b = aten.relu.default(%a)     --------->   return %f
//     return %b                      <---------  }
//   }                                  inline     graph @fused_0(%x, %y) { add, relu }
//
// torch.fx's counterparts: passes.utils.fuser_utils, lift_subgraph_as_module (here
// GraphModule::create), experimental's extract_subgraph and _inline_module.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace fx {

/// A graph that contains copies of nodes from a different graph.
struct Subgraph {
  std::unique_ptr<Graph> graph;
  std::vector<Node*> inputs;   ///< nodes of the original for its placeholders, in order
  std::vector<Node*> outputs;  ///< nodes of the original whose values it returns, in order
  bool returns_tuple = false;  ///< false if it returns a single value
};

struct SubgraphOptions {
  bool return_tuple = false;  ///< return a tuple even for a single value
};

/// Returns the nodes in an order in which operands come before users, close to the given order:
/// repeatedly takes the first node that may come next. Corresponds to torch.fx's topo_sort. Returns
/// FailedPrecondition if they depend on each other in a cycle.
absl::StatusOr<std::vector<Node*>> sort_nodes(absl::Span<Node* const> nodes);

/// True if no path along operands leaves the set of nodes and returns to it. The nodes can then run
/// as a unit, unless calls with effects come between them (outline also checks this). Corresponds
/// to torch.fx's validate_partition. The graph must be in a valid order.
bool is_convex(absl::Span<Node* const> nodes);

/// Copies calls into a new graph: other values that they use become placeholders, in order of first
/// use; calls with users outside are its results. Names, types and metadata are kept.
/// InvalidArgument for nodes of a different graph, erased nodes, repeated nodes, inputs and
/// outputs, and nodes that are not convex; the message names one of them.
absl::StatusOr<Subgraph> copy_subgraph(const Graph& graph, absl::Span<Node* const> nodes,
                                       const SubgraphOptions& options = {});

/// Moves calls into a GraphModule, which becomes the child `name` of `root`, and inserts a call to
/// it after the last of the calls. Afterward, other users may come before the new call
/// (topological_sort). operator.getitem nodes select the results if there is more than one. The
/// nodes that replace results receive their types and metadata. Returns the new call.
///
/// Errors: those of copy_subgraph; AlreadyExists if `root` has a member of that name; NotFound if
/// the calls use members that `root` lacks; FailedPrecondition, naming both nodes, if another call
/// between the calls must keep its order relative to one of them: one of the two writes to memory
/// that the other uses, or both have effects. The partitions of propose_partitions (partitioner.h)
/// never have such calls between them.
absl::StatusOr<Node*> outline(Graph& graph, Module& root, absl::Span<Node* const> nodes,
                              std::string_view name, const SubgraphOptions& options = {});

struct NestedCallOptions {
  /// The function to call, as function(@graph, inputs...). If null, torch's
  /// higher_order.invoke_subgraph(@graph, "name", inputs...), which returns a tuple.
  Target function = {};
  bool return_tuple = false;  ///< the nested graph returns a tuple even for a single value
  /// Calls function(@graph, [inputs...]), for an operator with a schema such as
  /// `my::fused(Any body, Tensor[] operands) -> Tensor`.
  bool list_operands = false;
  /// Moves calls between the nodes that depend on one of them after the new call, so that a valid
  /// order stays valid; FailedPrecondition if another call must keep its order relative to one
  /// of these calls.
  bool move_users = false;
};

/// Moves calls into a nested graph `@name`, and inserts a call, named `name`, that passes the
/// nested graph to a function, after the last of the calls:
///
///   %a = aten.add.Tensor(%x, %y)       %f = my.fused(@fused_0, %x, %y)
///   %b = aten.relu.default(%a)         graph @fused_0(%x, %y) { add, relu }
///
/// Afterward, other users may come before the new call (topological_sort, or `move_users`). Results
/// are as in outline. Returns the new call. Errors: those of copy_subgraph; AlreadyExists if the
/// graph has a nested graph of that name (unused_subgraph_name in fx/ir/graph/nested_graphs.h
/// returns an unused name); FailedPrecondition as in outline; InvalidArgument, naming the node, for
/// a get_attr or call_module; Unimplemented for a call with a nested graph.
absl::StatusOr<Node*> outline_nested(Graph& graph, absl::Span<Node* const> nodes,
                                     std::string_view name, const NestedCallOptions& options = {});

/// Returns a graph of exactly these nodes, which must be in a valid execution order: `inputs`
/// become placeholders, and the values of `outputs` are returned as a list. Corresponds to
/// torch.fx's extract_subgraph. InvalidArgument if an operand or an output is neither among
/// `inputs` nor an earlier one of `nodes`; FailedPrecondition if a node outside the part uses a
/// value that depends on random numbers drawn in the part and is not an output.
absl::StatusOr<std::unique_ptr<Graph>> extract_subgraph(const Graph& graph,
                                                        absl::Span<Node* const> nodes,
                                                        absl::Span<Node* const> inputs,
                                                        absl::Span<Node* const> outputs);

/// Reduces the graph to the part that computes `outputs` from `inputs`, which become placeholders.
/// Other placeholders and unneeded nodes are erased; multiple outputs are returned as a list.
/// Useful for inspecting part of a large graph. InvalidArgument for an output among the inputs;
/// FailedPrecondition if an erased call may write to tensors and comes after the first call that
/// is kept, or writes to a placeholder or attribute that the part uses; or if a call outside the
/// part depends, other than through `outputs`, on random numbers drawn in the part, since both
/// would draw them. On error, nothing changes. Returns true if the graph changed.
absl::StatusOr<bool> reduce_to(Graph& graph, absl::Span<Node* const> inputs,
                               absl::Span<Node* const> outputs);

/// Reduces the graph to the calls for which `only` returns true: values of other nodes that they
/// use become placeholders, in program order, except attributes; those of their values that other
/// nodes use are returned. InvalidArgument if there are no such calls or values; FailedPrecondition
/// as above.
absl::StatusOr<bool> reduce_to(Graph& graph, const std::function<bool(const Node&)>& only);

/// Replaces the call to a GraphModule inside `root` with the nodes of its graph. Paths become
/// relative to `root`. operator.getitem nodes of a returned tuple are erased. The module is kept.
/// Corresponds to torch.fx's _inline_module. InvalidArgument if `call` is not such a call or its
/// arguments do not match; Unimplemented for a graph with nested graphs.
absl::Status inline_call(Graph& graph, const Module& root, Node* call);
/// Inlines all calls to GraphModules, recursively; returns true if there were any. Removes the
/// inlined modules that have no tensors and to which the graph does not refer, and any of their
/// parents that are left without members.
absl::StatusOr<bool> inline_calls(Graph& graph, Module& root);

/// Returns the type of a tuple with items of these types; the null Type if one of them is unknown
/// or `items` is empty.
Type tuple_type(TypeTable& types, absl::Span<const Type> items);

}  // namespace fx
