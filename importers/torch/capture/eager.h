// Runs a program without capture, to check a captured graph.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>

#include <vector>

namespace fx {

/// Saves the contents of tensors and restores them, to run a program twice from the same state.
class TensorSnapshot {
 public:
  explicit TensorSnapshot(std::vector<at::Tensor> tensors);
  /// Saves parameters, buffers and inputs.
  TensorSnapshot(const ModuleState& state, Tensors inputs);

  /// Writes the contents back into the tensors.
  void restore() const;

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> contents_;
};

/// Runs `program` and its backward pass in eager mode, as `loss.backward()` does, with tangents of
/// ones. Returns values in the order of the captured graph's output: copies of the tensors that the
/// program wrote to, results, and gradients (undefined for None). Resets `.grad` of the inputs
/// before and after. InvalidArgument if the program throws.
absl::StatusOr<std::vector<at::Tensor>> run_eager(const CapturedGraph& captured, Tensors inputs,
                                                  const Program& program);

/// Copies of the tensors of the graph's placeholders, for a replay; undefined for numbers. Copies
/// share memory if the tensors do.
std::vector<at::Tensor> clone_inputs(const CapturedGraph& captured);

}  // namespace fx
