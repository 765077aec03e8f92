// importers/torch/capture/capture_internal.h - what capture.cpp and step.cpp share.
#pragma once

#include "fx/importers/torch/capture/capture.h"

namespace fx {

/// capture(), where tensors of the program that `state` does not list and that it writes to are
/// inputs too, behind the others.
absl::StatusOr<CapturedGraph> capture_and_promote(Context& context, const ModuleState& state,
                                                  Tensors inputs, const Program& program,
                                                  const CaptureOptions& options);

/// What the meta data `input` of a placeholder says.
Argument describe_input(const CapturedInput& input);

}  // namespace fx
