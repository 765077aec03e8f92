// Inputs of a graph that share memory, such as a tensor and a slice of it, or a parameter and its
// transpose.
//
//   graph(%x : f32[5, 4] !{shared_memory=0}, %part : f32[3, 4]{offset=8} !{shared_memory=0}) {
//     %y = aten.mul_.Tensor(%x, 3)           # changes %part
//
// The placeholders have the same number in the metadata meta::kSharedMemory, which capture records.
// The strides and the offset in the type of an input, in elements, describe its position in the
// memory.
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

/// The position of a tensor in its storage, in elements.
struct Placement {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  /// Returns the index in the storage after the last element of the tensor, or the offset for a
  /// tensor without elements.
  int64_t end() const;
};
/// Returns the placement that a type describes, or FailedPrecondition if its sizes, strides or
/// offset are unknown or symbolic.
absl::StatusOr<Placement> placement_of(Type type);

}  // namespace fx
