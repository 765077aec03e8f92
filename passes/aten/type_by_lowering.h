// Types of calls of methods, modules and functions, by the operators that they are lowered to.
//
//   propagate_types(graph, {.other_call = type_by_lowering});   // torch.*, methods, layers too
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/status/statusor.h"

namespace fx {

/// The type of a function of Python's, a method, or a layer (by the graph's owning module): what
/// lower_to_aten makes of the call is typed, in a graph of its own; `call` stays. Of a module that
/// is a graph a copy is typed; its own nodes keep the types that they have. The null Type when an
/// operand's type is unknown, or the result is a value without a type (a dtype). Errors: the reason
/// why the call cannot be lowered.
absl::StatusOr<Type> type_by_lowering(const Node& call, ShapeEnv& env);

}  // namespace fx
