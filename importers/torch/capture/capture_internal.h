// Shared by capture.cpp and step.cpp.
#pragma once

#include "fx/importers/torch/capture/capture.h"

namespace fx {

/// Like capture(), but tensors that the program writes to and that `state` does not list become
/// additional inputs, after all other inputs.
absl::StatusOr<CapturedGraph> capture_and_promote(Context& context, const ModuleState& state,
                                                  Tensors inputs, const Program& program,
                                                  const CaptureOptions& options);

/// The meta data `input` of a placeholder.
Argument describe_input(const CapturedInput& input);

}  // namespace fx
