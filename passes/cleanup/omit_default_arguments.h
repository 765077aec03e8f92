// omit_default_arguments: calls without the arguments that equal the defaults of their schema, as
// torch.fx's tracers and AOTAutograd write them. A capture has every argument.
//
//   %a = aten.addmm.default(%b, %x, %w, beta=1, alpha=1)   becomes
//   %a = aten.addmm.default(%b, %x, %w)
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

namespace fx {

/// Of the graph and its nested graphs; returns whether anything was left out. Positional arguments
/// go from the last one backwards, up to the first that is no default. Calls whose operator is
/// unknown stay. Linear.
absl::StatusOr<bool> omit_default_arguments(Graph& graph);

}  // namespace fx
