// Infers the types of calls to methods, modules and functions from the operators to which they are
// lowered.
//
//   propagate_types(graph, {.other_call = type_by_lowering});   // with torch.*, methods, layers
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/status/statusor.h"

namespace fx {

/// Returns the type of a call to a Python function, a method, or a layer (in the graph's owning
/// module). Lowers a copy of the call in a separate graph and computes its type; `call` does not
/// change. For a GraphModule, propagates types in a copy of its graph. Returns the null
/// Type if the type of an operand is unknown, or if the result is a value without a type (a dtype).
/// Returns an error, with the reason, if the call cannot be lowered.
absl::StatusOr<Type> type_by_lowering(const Node& call, ShapeEnv& env);

}  // namespace fx
