// fold_constants: evaluates calls that depend only on constants.
//
//   %w = get_attr weight
//   %t = aten.t.default(%w)             %folded_0 = get_attr _folded_0
//   %mm = aten.mm.default(%x, %t)       %mm = aten.mm.default(%x, %folded_0)
//
// The values come from an evaluator that the caller passes; fx::torch_constant_evaluator
// (interp/torch/interpret/constant_evaluator.h) computes them with libtorch. torch.fx's counterpart
// is experimental.const_fold.split_const_subgraphs, which computes at the first call and keeps the
// original constants.
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
  /// Fold calls without tensor operands, such as `aten.ones.default`, in addition to other calls.
  bool fold_factories = true;
  /// Calls with larger results, in bytes, are not folded; 0: no limit.
  size_t max_bytes = 0;
  /// New constants are named `<prefix>0`, `<prefix>1`, ..., except names that are taken.
  std::string prefix = "_folded_";
};

/// Folds the calls of `graph` (not of nested graphs) whose operands are all folded calls or
/// get_attr nodes of tensors in `root` with data, and whose results depend only on their operands
/// (fx::effects); returns true if there were any. New constants are members of `root`. Nodes that
/// lose all users are erased from the graph; their tensors stay in `root`
/// (GraphModule::prune_unused). The get_attr node receives the name, type and metadata of the call
/// that it replaces.
///
/// Sharing of memory does not change: a returned view of a parameter stays a view, and a folded
/// value that is returned is a copy of the constant (aten.clone), to which the caller may write. A
/// graph that writes to memory does not change: functionalize it first. Errors: those of the
/// evaluator, and InvalidArgument when it returns the wrong number of values.
absl::StatusOr<bool> fold_constants(Graph& graph, Module& root, const ConstantEvaluator& evaluate,
                                    const FoldConstantsOptions& options = {});

/// Describes the tensors of get_attr nodes that have no data in `root`, so that calls that use them
/// are not folded: how many, the first of them, and where data come from. Empty if all have data.
std::string missing_tensors(const Graph& graph, const Module& root);

}  // namespace fx
