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
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// Inputs that share one storage.
struct SharedInputs {
  std::vector<const Node*> nodes;  ///< placeholders, in order
  std::vector<size_t> indices;     ///< their positions among the placeholders
};

/// Returns the groups of two or more inputs that share memory, in the order of their first inputs.
std::vector<SharedInputs> shared_inputs(const Graph& graph);

/// Two inputs that must be in one storage in a run of a graph.
struct SharedPair {
  size_t first, second;  ///< positions among the placeholders
  std::string first_name, second_name;
  /// The number of bytes from the first element of `first` to the first element of `second`; unset
  /// if the types do not determine it.
  std::optional<int64_t> distance;
};
/// Returns the first input of each group, with each other input of the group. If a graph writes to
/// memory, a run must preserve the positions of these inputs in their storage; otherwise, its
/// results would differ from those of the captured program. Empty if the graph does not write.
std::vector<SharedPair> required_sharing(const Graph& graph);

/// The position of a tensor in its storage, in elements.
struct Placement {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  /// Returns the index in the storage after the last element of the tensor, or the offset for a
  /// tensor without elements.
  int64_t end() const;
};
/// Returns the placement that a type describes if symbols have these values, or FailedPrecondition
/// if its sizes, strides or offset are unknown or contain other symbols.
absl::StatusOr<Placement> placement_of(Type type, const SymBindings& symbols = {});

}  // namespace fx
