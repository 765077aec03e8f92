// remove_dropout: removes dropout from a graph for inference.
//
//   %d = aten.dropout.default(%x, 0.5, False)      (erased; its users use %x)
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"

#include <functional>

namespace fx {

struct RemoveDropoutOptions {
  /// Also removes dropout in training mode. The graph then computes the results of evaluation mode.
  bool training = true;
  /// If set, removes only the calls for which it returns true. in_modules
  /// (fx/passes/analysis/selection.h) selects calls by module.
  std::function<bool(const Node&)> only = {};
};

/// Removes calls to all kinds of dropout (alpha, feature, 1d to 3d) from a graph and its nested
/// graphs: calls to ATen operators, to functions in torch and torch.nn.functional, and to modules
/// of `root` (may be null). Returns true if the graph changed. aten.native_dropout is removed only
/// if its mask has no users. Calls that write to their argument are kept. torch.fx's remove_dropout
/// handles only modules of class Dropout.
absl::StatusOr<bool> remove_dropout(Graph& graph, const Module* root = nullptr,
                                    const RemoveDropoutOptions& options = {});

}  // namespace fx
