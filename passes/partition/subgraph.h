// Subgraphs: parts of a graph copied out, moved into a module of their own, and put back.
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

#include <memory>
#include <string_view>
#include <vector>

namespace fx {

/// Nodes copied into a graph of their own.
struct Subgraph {
  std::unique_ptr<Graph> graph;
  std::vector<Node*> inputs;   ///< nodes of the original that its placeholders stand for, in order
  std::vector<Node*> outputs;  ///< nodes of the original whose values it returns, in order
  bool returns_tuple = false;  ///< else the one value itself
};

struct SubgraphOptions {
  bool always_tuple = false;  ///< return a tuple also of one value
};

/// The nodes in an order in which operands stand first, near to the order given: of those that may
/// come next, the first. torch.fx's topo_sort. FailedPrecondition when they read each other in a
/// circle.
absl::StatusOr<std::vector<Node*>> sort_nodes(absl::Span<Node* const> nodes);

/// True when no path leaves the nodes and comes back: they can run as one. torch.fx's
/// validate_partition. The graph must be in a legal order.
bool is_convex(absl::Span<Node* const> nodes);

/// Copies calls into a new graph: what they read beside each other becomes placeholders, in order
/// of first use, those that others read its results. Names, types and meta data are kept.
/// InvalidArgument for nodes of another graph, erased ones, repeated ones, inputs and outputs, and
/// nodes that are not convex; the message names one.
absl::StatusOr<Subgraph> copy_subgraph(const Graph& graph, absl::Span<Node* const> nodes,
                                       const SubgraphOptions& options = {});

/// Moves calls into a GraphModule that becomes a child of `root` called `name`, and calls that in
/// their place: behind the last of them, where others that read them may then stand too early
/// (topological_sort). Several results are unpacked by operator.getitem; types and meta data go to
/// what stands for each. Returns the call. Errors of copy_subgraph; AlreadyExists when `root` has a
/// member of that name; NotFound when the calls need members that `root` lacks.
absl::StatusOr<Node*> outline(Graph& graph, Module& root, absl::Span<Node* const> nodes,
                              std::string_view name, const SubgraphOptions& options = {});

/// A graph of exactly these nodes, which must be in an order of execution: `inputs` become
/// placeholders, and the values of `outputs` are returned as a list. torch.fx's extract_subgraph.
/// InvalidArgument when a node reads a value that is neither among `inputs` nor an earlier one of
/// `nodes`, or an output is neither; FailedPrecondition when a value that depends on random numbers
/// drawn in the part is read outside of it and is not an output.
absl::StatusOr<std::unique_ptr<Graph>> extract_subgraph(const Graph& graph,
                                                        absl::Span<Node* const> nodes,
                                                        absl::Span<Node* const> inputs,
                                                        absl::Span<Node* const> outputs);

/// Turns the graph into the part of it that computes `outputs` from `inputs`: those become
/// placeholders, the others and what is not needed goes; several outputs are returned as a list.
/// For looking at a part of a large graph. InvalidArgument for an output among the inputs;
/// FailedPrecondition when a call that goes may write to tensors and stands behind the first that
/// stays, or writes to a placeholder or attribute that the part reads; or when a call of the part
/// draws random numbers that a call outside of it depends on, other than through `outputs`: both
/// parts would draw. Nothing has changed then.
absl::Status reduce_to(Graph& graph, absl::Span<Node* const> inputs,
                       absl::Span<Node* const> outputs);

/// Replaces the call of a GraphModule below `root` by its nodes; paths become those from `root`.
/// operator.getitem of a tuple that it returns goes too. The module stays. torch.fx's
/// _inline_module. InvalidArgument when `call` is no such call or its arguments do not fit;
/// Unimplemented for a graph with nested graphs.
absl::Status inline_call(Graph& graph, const Module& root, Node* call);
/// All such calls, those that come in too; whether there were any.
absl::StatusOr<bool> inline_calls(Graph& graph, const Module& root);

/// The type of a tuple of these; the null Type when one of them is not known, or there is none.
Type tuple_type(TypeTable& types, absl::Span<const Type> items);

}  // namespace fx
