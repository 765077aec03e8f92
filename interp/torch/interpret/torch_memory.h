// interp/torch/interpret/torch_memory.h - what libtorch's allocator gives out while a graph runs, counted:
// the measured side of what passes/summary computes from types.
//
//   FX_ASSIGN_OR_RETURN(const auto calls, fx::measure_memory(graph, constants, inputs));
//   calls[i].held_bytes   // given out and not back at the end of the call, its results included
//   calls[i].most_bytes   // at any time within it: what its kernel works with is in this one only
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

namespace fx {

/// Bytes beyond what was given out before the run: inputs and constants are not among them.
struct CallMemory {
  const Node* node;
  int64_t held_bytes = 0;
  int64_t most_bytes = 0;
};

/// Runs the graph twice, node by node, each value freed after its last use, and counts the second
/// time: what libtorch allocates once has been allocated then. One entry per call of the graph, in
/// order; calls of nested graphs count within theirs. CPU memory that the running thread allocates.
/// In-place operators write to `inputs`. Errors: those of TorchInterpreter.
absl::StatusOr<std::vector<CallMemory>> measure_memory(const Graph& graph,
                                                       const TorchConstants& constants,
                                                       const std::vector<c10::IValue>& inputs);

}  // namespace fx
