// fold_constants: evaluates calls that depend only on constants.
//
//   %w = get_attr weight
//   %t = aten.t.default(%w)             %folded_0 = get_attr _folded_0
//   %mm = aten.mm.default(%x, %t)       %mm = aten.mm.default(%x, %folded_0)
//
// An evaluator that the caller passes computes the values; fx::torch_constant_evaluator
// (interp/torch/interpret/constant_evaluator.h) uses libtorch. torch.fx's counterpart is
// experimental.const_fold.split_const_subgraphs, which computes the values in the first run and
// keeps the original constants.
#pragma once

#include "fx/interp/constant_evaluator.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"

#include <functional>
#include <string>

namespace fx {

struct FoldConstantsOptions {
  /// Calls for which this function returns true, and calls that depend on them, are not folded.
  std::function<bool(const Node&)> skip = {};
  /// Also folds calls without tensor operands, such as `aten.ones.default`.
  bool fold_factories = true;
  /// Calls with larger results, in bytes, are not folded; 0: no limit.
  size_t max_bytes = 0;
  /// New constants are named `<prefix>0`, `<prefix>1`, ..., skipping names that are taken.
  std::string prefix = "_folded_";
};

/// Folds the calls in `graph` (not in nested graphs) whose operands are all folded calls or
/// get_attr nodes of tensors in `root` with data, and whose results depend only on their operands
/// (fx::effects). Returns true if it folded a call. New constants are members of `root`. Nodes that
/// lose all users are erased from the graph; their tensors stay in `root`
/// (GraphModule::prune_unused removes them). The get_attr node receives the metadata of the call
/// that it replaces.
///
/// Memory sharing does not change: a returned view of a parameter stays a view, and a folded
/// value that is returned is a copy of the constant (aten.clone), to which the caller may write. A
/// graph that writes to memory does not change; functionalize it first. A tensor to which a layer
/// writes (running statistics, the weight of an Embedding with `max_norm`) is not a constant. A call
/// for which the evaluator fails stays, except that ResourceExhausted and Unavailable are returned,
/// as is InvalidArgument if the evaluator returns the wrong number of values.
absl::StatusOr<bool> fold_constants(Graph& graph, Module& root, const ConstantEvaluator& evaluate,
                                    const FoldConstantsOptions& options = {});

/// Returns a note for the user about get_attr nodes whose tensors have no data in `root`: calls
/// that use them are not folded. Empty if all tensors have data.
std::string missing_tensors(const Graph& graph, const Module& root);

}  // namespace fx
