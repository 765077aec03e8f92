// decompose: replaces operators by simpler ones that compute the same.
//
//   %silu : f32[4] = aten.silu.default(%x)
// becomes
//   %sigmoid : f32[4] = aten.sigmoid.default(%x)
//   %silu : f32[4] = aten.mul.Tensor(%x, %sigmoid)
//
// The counterpart of torch's `run_decompositions` and `make_fx(decomposition_table=...)`, on a
// graph that is there.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/decompose/decomposition_table.h"
#include "fx/passes/manager/pass.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct DecomposeOptions {
  /// Null: DecompositionTable::standard().
  const DecompositionTable* table = nullptr;
  /// The entries of DecompositionSet::kCore.
  bool core = true;
  /// The others, too.
  bool all = false;
  /// Further operators: `aten.gelu.default`, or `aten.gelu` for all overloads. NotFound for what is
  /// not in the table.
  std::vector<std::string> ops = {};
  /// Operators that stay, named in the same way.
  std::vector<std::string> keep = {};
};

struct DecomposeReport {
  bool changed = false;
  size_t decomposed = 0;  ///< calls
  /// Calls that were to be decomposed and could not, each with the reason.
  std::vector<std::pair<std::string, absl::Status>> left = {};
  /// One line each.
  std::string str() const;
};

/// Decomposes calls in a graph and its nested ones, and again what that gives. The operands of such
/// a call must have types (propagate_types). Every new node has its type. What reads the result
/// finds a tensor of the same type as before, strides included; where the replacement has other
/// strides, a copy is made. Values are those of torch's decompositions; a sum may be taken
/// in another order. Linear.
///
/// A call stays, and is in the report, when the decomposition refuses it (complex numbers, sizes
/// that are not known, ...). ResourceExhausted when decompositions lead in a circle.
absl::StatusOr<DecomposeReport> decompose(Graph& graph, const DecomposeOptions& options = {});

/// The row of a pass that decomposes with this table, which must outlive it: for a command with
/// decompositions of your own (tools/driver/opt_main.h). fxcpp's own is called `decompose`.
Pass decompose_pass(std::string name, const DecompositionTable& table);

}  // namespace fx
