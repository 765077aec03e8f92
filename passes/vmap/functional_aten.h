// functional_aten: what transforms of graphs (derivatives, vmap) start from.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string_view>

namespace fx {

/// Lowers functions and methods of torch to ATen operators, but those for which `keeps(target)` holds,
/// types all calls, and functionalizes writes: those to inputs remain, at the end of the graph.
/// FailedPrecondition for an input without a type; errors of the passes that it runs.
absl::Status to_functional_aten(Graph& graph, absl::FunctionRef<bool(std::string_view)> keeps);

/// The node before which new calls must be inserted: the first of the writes at the end, or the
/// output.
Node* end_of_calls(const Graph& graph);

/// A copy of the nested graph that an argument of a call names: a graph, or a get_attr of one, also of
/// a GraphModule in the owning module. NotFound when there is none; Unimplemented for one that has
/// tensors of its own.
absl::StatusOr<std::unique_ptr<Graph>> copy_nested_graph(const Node& call, const Argument& value);

/// A call of an operator that writes to an argument.
bool is_write(const Node& node);

}  // namespace fx
