// functional_aten: prepares graphs for transforms (derivatives, vmap).
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/functionalize/functionalize.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string_view>

namespace fx {

/// Lowers functions and methods of torch to ATen operators, except those for which `keeps(target)`
/// holds; computes the types of all calls; and functionalizes writes. Writes to inputs remain, at
/// the end of the graph. A result that is a node with a list of tensors becomes a list of nodes.
/// Returns FailedPrecondition for an input without a type, or the error of a pass that it runs.
absl::Status to_functional_aten(Graph& graph, absl::FunctionRef<bool(std::string_view)> keeps,
                                const FunctionalizeOptions& options = {});

/// Returns the node before which new calls must be inserted: the first of the writes to inputs at
/// the end, or the output.
Node* end_of_calls(const Graph& graph);

/// Returns a copy of the nested graph that an argument of a call names: a graph, or a get_attr of a
/// graph or of a GraphModule in the owning module. Returns NotFound if there is none, and
/// Unimplemented for a graph that reads tensors.
absl::StatusOr<std::unique_ptr<Graph>> copy_nested_graph(const Node& call, ArgumentRef value);

/// True for a call to an operator that writes to an argument.
bool is_write(const Node& node);
/// True for a write to an input or attribute. A graph that has been functionalized may also write
/// to clones (FunctionalizeOptions::keep_histories).
bool is_write_to_input(const Node& node);

}  // namespace fx
