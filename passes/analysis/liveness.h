// Which memory is held while: the storages behind a graph's values, how large they are and how long
// they live.
//
// A view has no memory of its own: it lives in the storage of what it views, which stays until the
// last use of any of them. What shares memory with what is known from the type functions
// (infer_call), else from the operators' schemas. A storage is as large as its elements reach,
// which for an expanded or strided tensor is not the size of the tensor.
//
// The program that is thought of runs the nodes in order, as TorchEvaluator and eager mode do: a
// call makes its results, and what it read for the last time is freed after it. Inputs and
// attributes belong to the caller: they are held all the time. Inputs that share memory
// (interp/shared_inputs.h) are one storage. What kernels need while they run is
// not in a graph and not counted.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fx {

/// Graphs nested deeper in calls are not looked into, nor summed up.
inline constexpr int kMaxGraphNesting = 32;

enum class StorageKind : uint8_t {
  kParameter,  ///< of placeholders whose meta data `input` says so
  kBuffer,
  kTangent,    ///< the gradient that the backward pass starts from
  kInput,      ///< any other placeholder
  kAttribute,  ///< of a get_attr
  kForward,    ///< made by a call of the forward pass
  kBackward,   ///< made by a call of the backward pass: meta data `region` is "bw"
};
/// "parameter", "buffer", "tangent", "input", "attribute", "forward", "backward".
std::string_view storage_kind_name(StorageKind kind);
inline constexpr size_t kNumStorageKinds = 7;

/// One block of memory. Times are positions in the order of the graph's nodes, from 0.
struct StorageLife {
  const Node* maker;
  Type type;  ///< of the tensor that it was made for
  int64_t bytes;
  StorageKind kind;
  uint32_t first;  ///< when it is made; 0 for those of the caller
  uint32_t last;   ///< the last node that reads it, or needs it to be there
  bool saved;      ///< made, or given, before the backward pass, which reads it
};

/// See the head of this file.
struct Liveness {
  std::vector<const Node*> nodes;  ///< by position
  std::vector<StorageLife> storages;
  /// Bytes held while the node at each position runs, its results included.
  std::vector<int64_t> live_bytes;
  /// Bytes that the caller holds: part of all of live_bytes.
  int64_t caller_bytes = 0;
  /// Tensors whose size is not known: without a type, or sparse. They count nothing.
  uint32_t unknown_values = 0;

  /// The bytes of new memory that a call makes.
  int64_t made_bytes(const Node& node) const { return bytes_made[node]; }
  /// Where the most is held, among the nodes for which `in` is true; -1 when there is none.
  template <class In>
  int64_t peak_position(In in) const {
    int64_t best = -1;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (in(*nodes[i]) && (best < 0 || live_bytes[i] > live_bytes[static_cast<size_t>(best)]))
        best = static_cast<int64_t>(i);
    }
    return best;
  }
  /// The storages held while the node at `position` runs, the largest first.
  std::vector<const StorageLife*> live_at(uint32_t position) const;

  explicit Liveness(const Graph& graph) : bytes_made(graph, 0) {}
  NodeMap<int64_t> bytes_made;  ///< made_bytes
};

/// True for nodes of the backward pass.
bool is_backward(const Node& node);

/// Values for the symbols of a graph's sizes: those of `given`, then the `hint`s that the graph's
/// meta data `symbols` states.
SymBindings bindings_of(const Graph& graph, const SymBindings& given = {});

/// Finds all of it. InvalidArgument when a size has a symbol without a value: the message names it.
/// Nested graphs count as one step that holds the most that any of them holds. Linear.
absl::StatusOr<Liveness> analyze_liveness(const Graph& graph, const SymBindings& bindings = {});

}  // namespace fx
