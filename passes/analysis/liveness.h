// Liveness of memory: the storages of a graph's values, with their sizes and lifetimes.
//
// A view does not own memory: it is in the storage of its source, which is live until the last use
// of the source or of any of its views. Type functions (infer_call) determine which values share
// memory; without them, the operators' schemas do. A storage extends from its first to its last
// element; for an expanded or strided tensor, its size differs from that of the tensor.
//
// Assumes that the nodes run in order, as in TorchEvaluator and eager mode: a call allocates its
// results, and the operands that it uses last are freed after it. Inputs and attributes belong to
// the caller and are always live. Inputs that share memory (interp/shared_inputs.h) are one
// storage. The temporary memory of kernels is not visible in a graph and is not counted.
//
// Lifetimes end with the run. A memory plan must exclude storages that may be used after the run:
// those for which MemoryAnalysis::is_returned(*producer) or may_be_external(*producer) (memory.h)
// is true.
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

/// The maximum depth of nested graphs. Deeper graphs are neither visited nor counted.
inline constexpr int kMaxGraphNesting = 32;

enum class StorageKind : uint8_t {
  kParameter,  ///< a placeholder that the metadata `input` marks as a parameter
  kBuffer,
  kState,      ///< a placeholder that the metadata `input` marks as the state of an optimizer
  kTangent,    ///< a gradient from which the backward pass starts
  kInput,      ///< any other placeholder
  kAttribute,  ///< the value of a get_attr
  kForward,    ///< created by a call in the forward pass
  kBackward,   ///< created by a call in the backward pass: metadata `region` is "bw"
  kOptimizer,  ///< created by a call of the optimizer; see training_step.h
};
/// Returns "parameter", "buffer", "state", "tangent", "input", "attribute", "forward", "backward"
/// or "optimizer".
std::string_view storage_kind_name(StorageKind kind);
inline constexpr size_t kNumStorageKinds = 9;

/// A block of memory. Times are zero-based positions in the order of the graph's nodes.
struct StorageLifetime {
  const Node* producer;  ///< a call with multiple results produces a storage for each, in order
  Type type;             ///< the type of the tensor for which it was allocated
  int64_t bytes;
  StorageKind kind;
  uint32_t first;  ///< the node that allocates it; 0 for storages of the caller
  uint32_t last;   ///< the last node that uses it
  bool saved;      ///< used by the backward pass; neither allocated by it nor a tangent
};

/// The result of analyze_liveness. See the top of this file.
struct Liveness {
  std::vector<const Node*> nodes;  ///< by position
  std::vector<StorageLifetime> storages;
  /// Bytes that are live while the node at each position runs, including its results.
  std::vector<int64_t> live_bytes;
  /// Bytes of inputs and attributes, which belong to the caller. Each element of live_bytes
  /// includes them.
  int64_t caller_bytes = 0;
  /// The number of tensors of unknown size: without a type, or sparse. They are not counted.
  uint32_t unknown_values = 0;
  /// The nodes of these values, excluding nodes of nested graphs.
  std::vector<const Node*> unknown_nodes;

  /// Returns the storage of each leaf of a value (a tensor, or each tensor in a tuple or list), as
  /// an index into `storages`. A view is in the storage of its source. kNoStorage for a number, and
  /// for a tensor of unknown size. The graph must not have changed since the analysis.
  std::vector<uint32_t> storages_of(const Node& value) const;
  static constexpr uint32_t kNoStorage = UINT32_MAX;

  /// Returns the bytes of new memory that a call allocates.
  int64_t allocated_bytes(const Node& node) const { return bytes_allocated[node]; }
  /// Returns the position of the peak among the nodes for which `in` is true; -1 if there are none.
  template <class In>
  int64_t peak_position(In in) const {
    int64_t best = -1;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (in(*nodes[i]) && (best < 0 || live_bytes[i] > live_bytes[static_cast<size_t>(best)]))
        best = static_cast<int64_t>(i);
    }
    return best;
  }
  /// Returns the storages that are live while the node at `position` runs, the largest first.
  std::vector<const StorageLifetime*> live_at(uint32_t position) const;

  explicit Liveness(const Graph& graph) : bytes_allocated(graph, 0), first_leaf(graph, 0) {}
  NodeMap<int64_t> bytes_allocated;  ///< allocated_bytes
  // For storages_of: the index of the first leaf of each value, and the storage of each leaf.
  NodeMap<uint32_t> first_leaf;
  std::vector<uint32_t> leaf_storages;
};

/// True for nodes of the backward pass.
bool is_backward(const Node& node);

/// Returns values of the symbols in a graph's sizes: those in `given`, and for other symbols the
/// `hint`s in the graph's metadata `symbols`.
SymBindings bindings_of(const Graph& graph, const SymBindings& given = {});

/// Analyzes a graph. `bindings` are values of symbols that take precedence over the hints:
/// `bindings.insert_or_assign(context.symbol("n"), 4)`. Returns InvalidArgument, with the symbol,
/// if a size has a symbol without a value. A call with nested graphs uses as much memory as the
/// nested graph that uses the most. Takes linear time.
absl::StatusOr<Liveness> analyze_liveness(const Graph& graph, const SymBindings& bindings = {});

}  // namespace fx
