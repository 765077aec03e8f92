// fold_constants: computes once, now, what depends on constants alone.
//
//   %w = get_attr weight
//   %t = aten.t.default(%w)             %folded_0 = get_attr _folded_0
//   %mm = aten.mm.default(%x, %t)       %mm = aten.mm.default(%x, %folded_0)
//
// The values come from an evaluator that the caller passes; fx::torch_constant_evaluator
// (interp/torch/interpret/constant_evaluator.h) has libtorch compute them. torch.fx's counterpart is
// experimental.const_fold.split_const_subgraphs, which computes at the first call instead and keeps
// what the constants were made from.
#pragma once

#include "fx/interp/constant_evaluator.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"

#include <functional>
#include <string>

namespace fx {

struct FoldConstantsOptions {
  /// Calls for which it returns true are not folded, nor calls that depend on them.
  std::function<bool(const Node&)> skip = {};
  /// Calls without tensors among their operands, factories such as `aten.ones.default`, are folded
  /// too.
  bool fold_factories = true;
  /// Results larger than this are not kept: the calls stay. In bytes; 0: no limit.
  size_t max_bytes = 0;
  /// New constants are `<prefix>0`, `<prefix>1`, ..., those that are free.
  std::string prefix = "_folded_";
};

/// Folds the calls of `graph` (not of nested graphs) whose operands are all get_attr nodes of
/// tensors in `root` that have data or folded calls, and that are functions of their operands alone
/// (fx::effects); returns whether there were any. New constants are members of `root`. Nodes that
/// lose all users are erased from the graph; their tensors stay in `root`
/// (GraphModule::prune_unused). The get_attr node receives the name, type and meta data of the call
/// that it replaces.
///
/// What shares memory stays the same: a view of a parameter that is returned stays a view, and a
/// folded value that is returned is a copy of the constant (aten.clone), to which the caller may
/// write. A graph that writes to memory is left alone: functionalize it first. Errors: those of the
/// evaluator, InvalidArgument when it returns another number of values.
absl::StatusOr<bool> fold_constants(Graph& graph, Module& root, const ConstantEvaluator& evaluate,
                                    const FoldConstantsOptions& options = {});

}  // namespace fx
