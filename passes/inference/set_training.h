// set_training: puts the layers of a graph into training, or into evaluation.
//
//   %d = aten.dropout.default(%x, 0.5, True)     becomes     %d = aten.dropout.default(%x, 0.5,
//   False)
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
  bool changed = false;  ///< the graph; modules' flags do not count
  /// Calls that cannot be switched, each with the reason.
  std::vector<std::pair<std::string, std::string>> left = {};
  std::string str() const;  ///< one line each
};

/// Switches, in a graph and its nested ones: dropout of every kind, native_dropout with its
/// backward operator, rrelu, batch norm in all forms of ATen's with its backward operator, instance
/// norm's flag, and torch.nn.functional's; and the modules below `root` (may be null). A captured
/// graph keeps only what its mode recorded: dropout that evaluation left out does not come back.
///
/// Batch norm goes into evaluation only where it has running statistics. Into training,
/// _native_batch_norm_legit_no_training becomes _native_batch_norm_legit, which writes them. New
/// types are set where results have other sizes.
absl::StatusOr<SetTrainingReport> set_training(Graph& graph, bool training, Module* root = nullptr);

}  // namespace fx
