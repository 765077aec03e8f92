// Capture's interface to libtorch's autograd engine, in a separate file because the engine's
// headers are slow to compile.
#pragma once

#include "absl/types/span.h"
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace fx {

/// The state of autograd in this thread.
struct AutogradPosition {
  /// True in a backward pass, which the engine or gradients() runs.
  bool backward = false;
  /// In the forward pass, the sequence number of the most recently created autograd node. In a
  /// backward pass, the sequence number of the running node. std::nullopt if there is no such node.
  std::optional<uint64_t> sequence;
  /// In a backward pass, its number; the program may run the engine multiple times. Passes that
  /// gradients() runs without the engine have numbers less than -1.
  int64_t run = -1;
  /// In a backward pass, true if the running node has hooks, which may call operators.
  bool has_hooks = false;
};

AutogradPosition autograd_position();

/// Returns the sequence number of the next autograd node of this thread.
uint64_t next_autograd_sequence();

/// Returns the sequence number of the autograd node that computed `tensor` or, for a view, its
/// base; std::nullopt if there is no such node. Does not create a node.
std::optional<uint64_t> history_sequence(const at::Tensor& tensor);

/// Returns the gradients of `outputs` with respect to `inputs` for these `tangents`. They are
/// undefined for inputs that do not affect the outputs. Does not change `.grad`, and frees the
/// autograd graph.
///
/// If libtorch generated all nodes of the autograd graph, and none of them has a hook or uses a
/// device other than the CPU, runs the nodes in this thread in the engine's order and accumulates
/// gradients as the engine does, but does not save and restore the thread's state for each node,
/// which takes about a quarter of the time of a capture on fake tensors. Otherwise, calls
/// engine_gradients().
std::vector<at::Tensor> gradients(absl::Span<const at::Tensor> outputs,
                                  absl::Span<const at::Tensor> tangents,
                                  absl::Span<const at::Tensor> inputs);

/// Returns the same as gradients(), computed by libtorch's engine.
std::vector<at::Tensor> engine_gradients(absl::Span<const at::Tensor> outputs,
                                         absl::Span<const at::Tensor> tangents,
                                         absl::Span<const at::Tensor> inputs);

/// Accumulates the gradients in the `.grad` of the leaves, like `backward()`.
void accumulate_gradients(absl::Span<const at::Tensor> outputs,
                          absl::Span<const at::Tensor> tangents);

}  // namespace fx
