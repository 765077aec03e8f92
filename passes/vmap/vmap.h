// vmap: turns a graph for one example into a graph for a batch of examples.
//
//   graph(%x : f32[3], %w : f32[4, 3]) {            graph(%x : f32[8, 3], %w : f32[4, 3]) {
//     %y = aten.mv.default(%w, %x)        x = 0       %t = aten.t.default(%w)
//     return %y                           ->          %mm = aten.mm.default(%x, %t)
//   }                                                 return %mm
//                                                   }
//
// torch.func.vmap over the operators of a graph, without libtorch. Each operator has a batching
// rule (batching_table.h), is decomposed into operators that have one, or is called once for each
// example. The report names the operators that are called for each example.
// docs/differentiation.md describes the limits.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/passes/vmap/batching_table.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// How random operators draw numbers, like torch.func.vmap's `randomness`.
enum class BatchRandomness : uint8_t {
  kError,      ///< a random call is an error
  kSame,       ///< one draw for all examples; an error if a call depends on the batch
  kDifferent,  ///< one draw for each example; an error for a call whose sizes cannot be batched
};

struct VmapOptions {
  /// The batch dimension of each named input, from 0 to the rank, or negative; nullopt for an
  /// input that all examples share. If the list is empty, the dimension is 0 for all tensor
  /// placeholders except parameters and buffers (metadata `input`). Other inputs that are not
  /// listed are shared.
  std::vector<std::pair<std::string, std::optional<int64_t>>> in_dims = {};
  /// The batch dimension of each result tensor, or one dimension for all; 0 if empty. nullopt for a
  /// result that is not batched, which must not depend on the batch.
  std::vector<std::optional<int64_t>> out_dims = {};
  /// The number of examples; nullopt for a new symbol, `batch`.
  std::optional<Dim> size = {};
  BatchRandomness randomness = BatchRandomness::kError;
  /// If null, BatchingTable::of(the Context of the graph).
  const BatchingTable* table = nullptr;
  /// Calls an operator without a rule once for each example. If false, such a call is an error.
  bool loop = true;
};

struct VmapReport {
  /// Operators that are called once for each example, in the order of their first calls, with those
  /// calls: `aten.histc.default (%histc)`.
  std::vector<std::string> looped = {};
};

/// Turns graph(inputs...) -> results, for one example, into graph(batched inputs...) -> batched
/// results. `graph` does not change; its inputs must have the types of one example. torch functions
/// and methods are lowered to ATen operators, and writes are functionalized: a write to a
/// batched input remains. A result that does not depend on the batch is expanded. Nested graphs
/// (cond, while_loop, map, scan) are also batched: if a condition differs between examples, both
/// branches run, and a loop runs until it has ended for every example. All nodes have types. Takes
/// time linear in the number of nodes, except for looped operators.
///
/// Errors: FailedPrecondition for an unbatched input without a type, and for a batched input or a
/// result of unknown rank; NotFound for a name in `in_dims`; InvalidArgument for a graph without an
/// output, a batched input that is not a tensor, a dimension that does not exist, `out_dims` that
/// do not match the results, or a negative size, and if no input is batched; Unimplemented for
/// calls that cannot be batched (one message lists them all).
absl::StatusOr<std::unique_ptr<Graph>> vmap(const Graph& graph, const VmapOptions& options = {},
                                            VmapReport* report = nullptr);

}  // namespace fx
