// importers/torch/capture/autograd_internal.h - what capture asks libtorch's autograd engine, kept apart
// because the engine's headers are slow to compile.
#pragma once

#include "absl/types/span.h"
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace fx {

/// Where autograd stands in this thread.
struct AutogradPosition {
  /// True while the engine runs: the operator belongs to the backward pass.
  bool backward = false;
  /// Forward: the number of the autograd node made last. Backward: that of the node that runs. Both
  /// count from the creation of the thread's first node; nothing when there is no such node.
  std::optional<uint64_t> sequence;
};

AutogradPosition autograd_position();

/// The number that the next autograd node of this thread gets.
uint64_t next_autograd_sequence();

/// The number of the autograd node that made what `tensor` holds, and that a backward pass runs for
/// it: of a view, that of the tensor it is a view of. Nothing where no node did. Makes no node.
std::optional<uint64_t> history_sequence(const at::Tensor& tensor);

/// The gradients of `outputs`, seeded with `tangents`, for `inputs`; undefined for an input that
/// does not contribute. Nothing is accumulated into `.grad`, and the autograd graph is freed.
std::vector<at::Tensor> gradients(absl::Span<const at::Tensor> outputs,
                                  absl::Span<const at::Tensor> tangents,
                                  absl::Span<const at::Tensor> inputs);

/// As `backward()`: the gradients are accumulated into the `.grad` of the leaves.
void accumulate_gradients(absl::Span<const at::Tensor> outputs,
                          absl::Span<const at::Tensor> tangents);

}  // namespace fx
