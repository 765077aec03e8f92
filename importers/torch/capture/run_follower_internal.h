// Compares an additional run of a program with the graph of its first run, without a second graph.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"

#include <optional>

namespace fx {

/// The passes of a program (forward, backward) that its graph contains.
enum class CapturedPasses { kForward, kJoint };

/// Runs the program on fake tensors and compares each operator with the graph of the first run,
/// which capture() or capture_joint() returned. The run uses `inputs` in place of the first run's
/// inputs, and the same parameters, buffers and optimizer state. Returns nullopt if the program
/// fails, or if the run does not have the same operators on the same values or uses different
/// constants; capturing the run then shows the difference. Operators must not be recorded whole
/// (CaptureOptions::keep).
std::optional<RecordedRun> follow_run(const CapturedGraph& first, CapturedPasses passes,
                                      Tensors inputs, const Program& program,
                                      const CaptureOptions& options);

}  // namespace fx
