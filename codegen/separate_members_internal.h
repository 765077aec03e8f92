// Emitted code has separate tensors for the members of a module, except for tied tensors
// (ir/module/tied_paths.h).
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"

namespace fx {

/// Returns FailedPrecondition if the graph writes to the memory of two different tensors of `root`
/// that it uses and that overlap, such as a buffer and a view of it: with separate tensors, the
/// results would differ. `root` may be null: a graph without a module.
absl::Status check_separate_members(const Graph& graph, const Module* root);

}  // namespace fx
