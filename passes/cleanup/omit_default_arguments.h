// omit_default_arguments: removes arguments that equal the defaults of the schema, like torch.fx's
// tracers and AOTAutograd. A capture has every argument.
//
//   %a = aten.addmm.default(%b, %x, %w, beta=1, alpha=1)   becomes
//   %a = aten.addmm.default(%b, %x, %w)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

/// Removes such arguments in the graph and its nested graphs; returns true if there were any.
/// Positional arguments are removed from the last one backwards, up to the first that differs from
/// its default. Calls of unknown operators do not change. Linear.
absl::StatusOr<bool> omit_default_arguments(Graph& graph);

}  // namespace fx
