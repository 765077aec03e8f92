// The graphs among the arguments of a call, and calls to operators that run one nested graph
// exactly once, unchanged. torch.export creates such calls for `with torch.no_grad()`,
// torch.autocast, checkpoints and regions that are compiled once.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <optional>

namespace fx {

class Module;

/// The graph that `value`, an argument of `node`, refers to, if it is nested in the graph of
/// `node`. `value` is a graph argument (`@body`), or a get_attr node with the name of a nested
/// graph. Null if there is no such graph.
Graph* nested_graph(const Node& node, ArgumentRef value);
/// Like nested_graph, but also finds the graph of a GraphModule below `root` that a get_attr node
/// refers to. `root` may be null.
const Graph* graph_of_argument(const Node& node, ArgumentRef value, const Module* root);
/// The nested graphs that the arguments of a call refer to, positional arguments first. If multiple
/// arguments refer to the same graph, it occurs once for each.
absl::InlinedVector<Graph*, 2> nested_graphs(const Node& call);
/// The graphs that a call to a higher-order operator runs, as graph_of_argument finds them,
/// including those in lists among its arguments. A null entry represents a graph that is not
/// available: that of a get_attr node that may refer to a graph, or of a call that has neither a
/// graph nor a function among its arguments. Such a graph may have any effect.
absl::InlinedVector<const Graph*, 2> graphs_of_call(const Node& call, const Module* root);

/// Checks that the node can be written in formats without modules or methods. Unimplemented for a
/// method call (lower_to_aten converts it to an operator call) or a module call.
absl::Status check_calls_function(const Node& node);
/// Checks that a call can run `graph` with this number of operands, nested in `depth` other graphs.
/// InvalidArgument if the graph has a different number of inputs or no result; Unimplemented if it
/// is nested more deeply than file formats allow (kMaxGraphDepth).
absl::Status check_graph_call(const Graph& graph, size_t num_operands, int depth);

/// A call that runs one graph; see the top of this file. Its result is the result of the graph.
struct GraphCall {
  /// The arguments of torch.autocast; nullopt leaves a setting unchanged.
  struct Autocast {
    DeviceType device;
    std::optional<DType> dtype;
    bool enabled;
    std::optional<bool> cache;
    friend bool operator==(const Autocast&, const Autocast&) = default;
  };

  size_t graph = 0;          ///< the positional argument that is the graph
  size_t first_operand = 0;  ///< the first positional argument that is an input of the graph
  std::optional<bool> grad = std::nullopt;  ///< whether gradients are recorded inside
  std::optional<Autocast> autocast = std::nullopt;
};

/// Reads a call to an operator that runs one graph
/// (torch/_higher_order_ops/{wrap,invoke_subgraph}.py); nullopt for other nodes. InvalidArgument if
/// arguments are missing or not constants.
absl::StatusOr<std::optional<GraphCall>> graph_call(const Node& node);
/// Returns 1 for a call after which operators may have other dtypes or devices than their arguments
/// determine (`torch.amp.autocast_mode._enter_autocast`, `torch.set_default_dtype`,
/// `torch.set_default_device`; the trait kDtypeMode), -1 for `_exit_autocast`, and 0 for other nodes.
int dtype_mode_change(const Node& node);
/// Returns true if a call before this one, in the same graph, changed the dtypes or devices of
/// results (dtype_mode_change), and no call has ended this. The call then has no inferred type, must
/// not be replaced with calls to other operators, and must not leave the region. Fast for graphs
/// without such calls; otherwise, the time is linear in their number.
bool is_in_dtype_mode(const Node& call);
/// Like graph_call, for formats that inline the graph: InvalidArgument for other nodes, and
/// Unimplemented for a call that enables torch.autocast, which casts operands inside. Whether
/// gradients are recorded does not change the results.
absl::StatusOr<GraphCall> inlined_graph_call(const Node& node);

}  // namespace fx
