// Runs a program without capture, to check a captured graph.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>

#include <vector>

namespace fx {

/// Saves and restores the contents of tensors, so that a program can run twice from the same state.
class TensorSnapshot {
 public:
  explicit TensorSnapshot(std::vector<at::Tensor> tensors);
  /// Saves parameters, buffers and inputs.
  TensorSnapshot(const ModuleState& state, Tensors inputs);

  /// Writes the saved contents to the tensors.
  void restore() const;

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> contents_;
};

/// Runs `program` and its backward pass in eager mode, as `loss.backward()` does. Tangents are
/// ones. Returns values in the order of the captured graph's output: copies of the tensors that the
/// program wrote to, results, and gradients (undefined for None). Resets `.grad` of the tensors in
/// `captured.inputs` before and after the run. Returns InvalidArgument if the program throws.
absl::StatusOr<std::vector<at::Tensor>> run_eager(const CapturedGraph& captured, Tensors inputs,
                                                  const Program& program);

/// Returns copies of the tensors of the graph's placeholders, for a replay. The copies are
/// undefined for numbers. Copies share memory if the tensors do.
std::vector<at::Tensor> clone_inputs(const CapturedGraph& captured);

}  // namespace fx
