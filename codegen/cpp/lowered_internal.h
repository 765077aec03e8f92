// A graph as torch.fx's tracer records it, as one of ATen operators.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/passes/aten/lower_to_aten.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <memory>

namespace fx::cpp {

/// Whether it has calls that are no operators: functions of Python, methods, modules; nested graphs
/// count.
bool calls_python(const Graph& graph);

struct LoweredGraph {
  std::unique_ptr<Graph> graph;
  /// For its placeholders and the calls that stand for one of `from`: the node there. A call that
  /// was added for another stands for that one.
  absl::flat_hash_map<const Node*, const Node*> origin;
  LowerToAtenReport report;
};

/// lower_to_aten on a copy. `root`: where get_attr and call_module find tensors and layers; may be
/// null. An input without a type has that of its default value.
absl::StatusOr<LoweredGraph> lowered(const Graph& from, const Module* root);

}  // namespace fx::cpp
