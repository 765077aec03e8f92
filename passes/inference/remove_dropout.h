// remove_dropout: removes dropout from a graph for inference.
//
//   %d = aten.dropout.default(%x, 0.5, False)      (erased; its users use %x)
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"

namespace fx {

struct RemoveDropoutOptions {
  /// Also removes dropout in training mode: the graph then computes the results of evaluation mode.
  bool training = true;
};

/// Removes, in a graph and its nested graphs, calls of dropout of every kind (alpha, feature, by
/// dimension): aten's operators, torch.nn.functional's functions, and modules of `root` (may be
/// null); returns true if there were any. aten.native_dropout is removed if only its first result
/// has users. Calls that write to their argument are kept. torch.fx's remove_dropout handles only
/// modules of class Dropout.
absl::StatusOr<bool> remove_dropout(Graph& graph, const Module* root = nullptr,
                                    const RemoveDropoutOptions& options = {});

}  // namespace fx
