// importers/torch/capture/eager.h - the same program without capture: what a captured graph is judged by.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>

#include <vector>

namespace fx {

/// The contents of tensors, to be put back: a program that is run twice from the same start needs
/// it, since a run changes its buffers.
class TensorSnapshot {
 public:
  explicit TensorSnapshot(std::vector<at::Tensor> tensors);
  /// Of what a program reads: parameters, buffers, inputs.
  TensorSnapshot(const ModuleState& state, Tensors inputs);

  /// Writes the contents back into the tensors.
  void restore() const;

 private:
  std::vector<at::Tensor> tensors_;
  std::vector<at::Tensor> contents_;
};

/// Runs `program` and its backward pass in eager mode, as `loss.backward()` does, with tangents of
/// ones. Gives what the graph that was captured from it returns, in its order: copies of the
/// tensors that it wrote to, results, gradients (undefined for None). `.grad` of the parameters is
/// undefined before and after. InvalidArgument when the program throws.
absl::StatusOr<std::vector<at::Tensor>> run_eager(const CapturedGraph& captured, Tensors inputs,
                                                  const Program& program);

/// Copies of what the graph's placeholders stand for, to be replayed on; undefined for numbers.
std::vector<at::Tensor> clone_inputs(const CapturedGraph& captured);

}  // namespace fx
