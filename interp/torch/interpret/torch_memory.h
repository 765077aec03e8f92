// Measures libtorch's allocations during the run of a graph, to compare them with the estimates of
// passes/summary.
//
//   FX_ASSIGN_OR_RETURN(const auto calls, fx::measure_memory(graph, constants, inputs));
//   calls[i].live_bytes   // allocated and not freed at the end of the call, including its results
//   calls[i].peak_bytes   // the maximum during the call, including its kernel's workspace
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

namespace fx {

/// Bytes allocated since the start of the run, excluding inputs and constants.
struct CallMemory {
  const Node* node;
  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;
};

/// Runs the graph twice, node by node, and frees each value after its last use. Measures the second
/// run, since some allocations of libtorch occur only once. Returns one entry for each call in the
/// graph, in order; calls in nested graphs are counted as part of the outer call. Measures the CPU
/// memory of the calling thread. In-place operators write to `inputs`. Returns the errors of
/// TorchInterpreter.
absl::StatusOr<std::vector<CallMemory>> measure_memory(const Graph& graph,
                                                       const TorchConstants& constants,
                                                       const std::vector<c10::IValue>& inputs);

}  // namespace fx
