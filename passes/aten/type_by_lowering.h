// Types of calls of methods, modules and functions, by the operators that they are lowered to.
//
//   propagate_types(graph, {.other_call = type_by_lowering});   // torch.*, methods, layers too
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/status/statusor.h"

namespace fx {

/// Returns the type of a call of a Python function, a method, or a layer (in the graph's owning
/// module). Lowers a copy of the call in a separate graph and computes its type; `call` does not
/// change. For a GraphModule, types a copy; the types of its nodes do not change. Returns the null
/// Type if the type of an operand is unknown, or if the result is a value without a type (a dtype).
/// Returns an error, with the reason, if the call cannot be lowered.
absl::StatusOr<Type> type_by_lowering(const Node& call, ShapeEnv& env);

}  // namespace fx
