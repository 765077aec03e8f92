// Inputs of a graph that share memory: a tensor and its slice, a parameter and its transpose.
//
//   graph(%x : f32[5, 4] !{shared_memory=0}, %part : f32[3, 4]{offset=8} !{shared_memory=0}) {
//     %y = aten.mul_.Tensor(%x, 3)           # changes %part
//
// The placeholders have the same number in their metadata (meta::kSharedMemory), which capture
// records. The strides and the offset of an input's type state its place, in elements from the
// start of the memory.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx {

/// Inputs that share one storage.
struct SharedInputs {
  std::vector<const Node*> nodes;  ///< placeholders, in order
  std::vector<size_t> indices;     ///< their positions among the placeholders
};

/// Returns the groups of two or more inputs that share memory, in the order of their first inputs.
std::vector<SharedInputs> shared_inputs(const Graph& graph);

/// The place of a tensor in its storage, in elements.
struct Placement {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  /// Returns the index after the last element of the tensor in its storage; the offset for a tensor
  /// without elements.
  int64_t end() const;
};
/// Returns the placement that a type states. FailedPrecondition if its sizes, strides or offset are
/// not numbers.
absl::StatusOr<Placement> placement_of(Type type);

}  // namespace fx
