// interp/shared_inputs.h - inputs of a graph that share memory: a tensor and its slice, a parameter
// and its transpose.
//
//   graph(%x : f32[5, 4] !{shared_memory=0}, %part : f32[3, 4]{offset=8} !{shared_memory=0}) {
//     %y = aten.mul_.Tensor(%x, 3)           # changes %part
//
// Meta data of the placeholders (meta::kSharedMemory) states it; capture records it. Each input is
// where the strides and the offset of its type are, in elements from the start of the memory.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx {

/// Inputs in one piece of memory.
struct SharedInputs {
  std::vector<const Node*> nodes;  ///< placeholders, in order
  std::vector<size_t> indices;     ///< their numbers among the placeholders
};

/// The groups of two or more inputs that share memory, in the order of their first inputs.
std::vector<SharedInputs> shared_inputs(const Graph& graph);

/// Where a tensor is in its storage; in elements.
struct Placement {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  /// The first element behind the tensor, counted from the start of the storage; the offset for a
  /// tensor without elements.
  int64_t end() const;
};
/// FailedPrecondition when sizes, strides or offset of the type are not numbers.
absl::StatusOr<Placement> placement_of(Type type);

}  // namespace fx
