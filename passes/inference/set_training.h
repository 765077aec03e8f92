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

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct SetTrainingOptions {
  /// If set, switches only the calls for which it returns true, and the submodules of `root` that
  /// such calls run. in_modules (fx/passes/analysis/selection.h) selects calls by module.
  std::function<bool(const Node&)> only = {};
};

struct SetTrainingReport {
  bool changed = false;  ///< the graph changed; flags of modules do not count
  /// Calls that cannot be switched, each with the reason.
  std::vector<std::pair<std::string, std::string>> unchanged = {};
  std::string str() const;  ///< one line for each call
};

/// Switches every call, in a graph and its nested graphs, whose schema has a flag for the mode: a
/// bool `training`, `train` or `use_input_stats`. These are calls to all kinds of dropout, rrelu,
/// all of ATen's batch norms, instance norm, recurrent layers, their backward operators, and
/// functions in torch and torch.nn.functional. The backward operator of native_dropout has no flag;
/// its scale is changed. Also switches `root` (may be null) and its submodules. A captured graph
/// contains only the calls of the mode in which it was captured: dropout that was skipped in
/// evaluation mode is not restored.
///
/// Batch norm is switched to evaluation mode only if it has running statistics. For training,
/// _native_batch_norm_legit_no_training becomes _native_batch_norm_legit, which writes the
/// statistics. Types are updated if results have different sizes.
absl::StatusOr<SetTrainingReport> set_training(Graph& graph, bool training, Module* root = nullptr,
                                               const SetTrainingOptions& options = {});

}  // namespace fx
