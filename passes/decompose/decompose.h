// decompose: replaces operators with simpler operators that compute the same values.
//
//   %silu : f32[4] = aten.silu.default(%x)
// becomes
//   %sigmoid : f32[4] = aten.sigmoid.default(%x)
//   %silu : f32[4] = aten.mul.Tensor(%x, %sigmoid)
//
// This is the counterpart of torch's `run_decompositions` and `make_fx(decomposition_table=...)`,
// for an existing graph.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/decompose/decomposition_table.h"
#include "fx/passes/manager/pass.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct DecomposeOptions {
  /// If null, DecompositionTable::of(the Context of the graph).
  const DecompositionTable* table = nullptr;
  /// Decomposes the entries in DecompositionSet::kCore.
  bool core = true;
  /// Decomposes all entries of the table. With DecompositionTable::composite, the result consists
  /// of the operators that libtorch's kernels call.
  bool all = false;
  /// Additional operators to decompose: `aten.gelu.default`, or `aten.gelu` for all overloads.
  /// NotFound for an operator that is not in the table.
  std::vector<std::string> ops = {};
  /// Operators to keep, named in the same way.
  std::vector<std::string> keep = {};
  /// If set, decomposes only the calls for which it returns true, and recursively the calls that
  /// replace them. in_modules (fx/passes/analysis/selection.h) selects calls by module.
  std::function<bool(const Node&)> only = {};
};

struct DecomposeReport {
  bool changed = false;
  size_t decomposed = 0;  ///< number of calls
  /// Calls that could not be decomposed, each with the reason.
  std::vector<std::pair<std::string, absl::Status>> not_decomposed = {};
  /// Returns one line for each call.
  std::string str() const;
};

/// Decomposes calls in a graph and its nested graphs, recursively. The operands of such a call must
/// have types (propagate_types). Every new node has a type. The replacement has the type of the
/// result, including strides; if the decomposition computes different strides, a copy is added.
/// Values are equal to those of torch's decompositions; a sum may be computed in a different order.
/// Takes linear time.
///
/// A call is kept, and listed in the report, if it is invalid (its replacement could be valid) or if
/// the decomposition does not support it (complex numbers, unknown sizes, ...). Returns
/// ResourceExhausted if decompositions form a cycle.
absl::StatusOr<DecomposeReport> decompose(Graph& graph, const DecomposeOptions& options = {});

/// Returns a pass that decomposes with this table, which must outlive the pass. If null, it uses
/// DecompositionTable::of(the Context of the graph), like the standard pass `decompose`.
Pass decompose_pass(std::string name, const DecompositionTable* table = nullptr);

}  // namespace fx
