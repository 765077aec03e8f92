// omit_default_arguments: removes arguments that equal the defaults of the schema, like torch.fx's
// tracers and AOTAutograd. Captured graphs contain every argument.
//
//   %a = aten.addmm.default(%b, %x, %w, beta=1, alpha=1)   becomes
//   %a = aten.addmm.default(%b, %x, %w)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

/// Removes such arguments in the graph and its nested graphs; returns true if there were any.
/// Removes positional arguments from last to first, until one differs from its default.
/// Calls to unknown operators do not change. Takes linear time.
absl::StatusOr<bool> omit_default_arguments(Graph& graph);

}  // namespace fx
