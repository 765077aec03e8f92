// Merges the captures of multiple runs of a training step into one graph.
#pragma once

#include "fx/importers/torch/capture/capture_internal.h"

#include "absl/status/statusor.h"

#include <optional>
#include <vector>

namespace fx {

/// Returns the graph of the first run, in which the following values are inputs:
///   - numbers that differ between the runs, or between a run and `probe`, a run of the same
///     program whose tensors are fake and not compared;
///   - tensors that no run wrote to, but that are replaced in the next run with a result of the
///     previous run. The graph returns the next value (OutputKind::kState).
/// Numbers that operators returned to the program are not guards if they differ. Returns the errors
/// of capture_step.
absl::StatusOr<CapturedGraph> merge_runs(std::vector<CapturedRun> runs,
                                         std::optional<CapturedRun> probe);

}  // namespace fx
