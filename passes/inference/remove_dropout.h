// remove_dropout: takes dropout out of a graph for inference.
//
//   %d = aten.dropout.default(%x, 0.5, False)      (goes; its readers read %x)
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"

namespace fx {

struct RemoveDropoutOptions {
  /// Also dropout that is in training: the graph then computes what the model does in evaluation.
  bool training = true;
};

/// Removes, in a graph and its nested ones, calls of dropout of every kind (alpha, feature, by
/// dimension): aten's operators, torch.nn.functional's functions, and modules of `root` (may be
/// null); returns whether there were any. aten.native_dropout goes where only its first result is
/// read. Those that write to their argument stay. torch.fx's remove_dropout knows modules of class
/// Dropout only.
absl::StatusOr<bool> remove_dropout(Graph& graph, const Module* root = nullptr,
                                    const RemoveDropoutOptions& options = {});

}  // namespace fx
