// set_training: switches the layers of a graph to training or evaluation mode.
//
//   %d = aten.dropout.default(%x, 0.5, True)
// becomes
//   %d = aten.dropout.default(%x, 0.5, False)
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {

struct SetTrainingReport {
  bool changed = false;  ///< the graph changed; flags of modules do not count
  /// Calls that cannot be switched, each with the reason.
  std::vector<std::pair<std::string, std::string>> unchanged = {};
  std::string str() const;  ///< one line per call
};

/// Switches, in a graph and its nested graphs, every call whose schema has a flag for it: a bool
/// `training`, `train` or `use_input_stats`. These are dropout of every kind, rrelu, batch norm in
/// all of ATen's forms, instance norm, recurrent layers, their backward operators, and functions of
/// torch and torch.nn.functional. The backward operator of native_dropout, which has no flag, is
/// rescaled. Also switches the modules below `root` (may be null). A captured graph has only the
/// calls that were recorded in its mode: dropout that was skipped in evaluation mode is not
/// restored.
///
/// Batch norm is switched to evaluation mode only if it has running statistics. For training,
/// _native_batch_norm_legit_no_training becomes _native_batch_norm_legit, which writes the
/// statistics. Types are updated if results have different sizes.
absl::StatusOr<SetTrainingReport> set_training(Graph& graph, bool training, Module* root = nullptr);

}  // namespace fx
