// Lowers a graph from torch.fx's tracer to a graph of ATen operators.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/passes/aten/lower_to_aten.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <memory>

namespace fx::cpp {

/// True if the graph or a nested graph has calls that are not operators: Python functions, methods
/// or modules.
bool calls_python(const Graph& graph);

struct LoweredGraph {
  std::unique_ptr<Graph> graph;
  /// For each placeholder and call, the node of the original graph that it comes from.
  absl::flat_hash_map<const Node*, const Node*> origin;
  LowerToAtenReport report;
};

/// Runs lower_to_aten on a copy of the graph. `root` contains the tensors and layers of get_attr
/// and call_module nodes, and may be null. An input without a type gets the type of its default
/// value.
absl::StatusOr<LoweredGraph> lowered(const Graph& from, const Module* root);

}  // namespace fx::cpp
