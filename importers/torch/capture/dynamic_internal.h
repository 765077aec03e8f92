// Captures a program with multiple sets of sizes, for capture.cpp and step.cpp.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include <optional>

namespace fx {

/// Captures a program on these inputs. The options do not contain dynamic sizes.
using CaptureAt =
    absl::FunctionRef<absl::StatusOr<CapturedGraph>(Tensors inputs, const CaptureOptions& options)>;

/// Compares a run on these inputs with the graph of the first run. Returns nullopt if the run must
/// be captured to describe how it differs.
using FollowAt = absl::FunctionRef<std::optional<RecordedRun>(
    const CapturedGraph& first, Tensors inputs, const CaptureOptions& options)>;

/// Captures on `inputs`, then runs the program with different sizes, and returns the first graph
/// with symbolic sizes (options.dynamic, dynamic.h). Without `follow`, each run is captured.
absl::StatusOr<CapturedGraph> capture_sizes(Context& context, Tensors inputs,
                                            const CaptureOptions& options, CaptureAt run,
                                            std::optional<FollowAt> follow = std::nullopt);

}  // namespace fx
