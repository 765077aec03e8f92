// Captures a program with several sizes, for capture.cpp and step.cpp.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

namespace fx {

/// Captures a program on these inputs. The options do not contain dynamic sizes.
using CaptureAt =
    absl::FunctionRef<absl::StatusOr<CapturedGraph>(Tensors inputs, const CaptureOptions& options)>;

/// Captures on `inputs`, then with different sizes, and returns the first graph with symbolic sizes
/// (options.dynamic, dynamic.h).
absl::StatusOr<CapturedGraph> capture_sizes(Context& context, Tensors inputs,
                                            const CaptureOptions& options, CaptureAt run);

}  // namespace fx
