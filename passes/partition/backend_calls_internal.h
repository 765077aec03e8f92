// Finds the calls that a backend runs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/partition/operator_support.h"

#include <vector>

namespace fx::internal {

struct BackendCalls {
  NodeSet on_backend;
  std::vector<Node*>
      no_tensors;  ///< calls of either side whose results are not tensors, in program order
};

/// Returns the calls that find_backend_nodes (backend_splitter.h) returns.
BackendCalls find_backend_calls(const Graph& graph, const OperatorSupport& support,
                                bool allow_non_tensor);

/// Returns the groups that find_fusion_groups (backend_splitter.h) returns. Removes the calls of
/// omitted groups from `calls`.
std::vector<std::vector<Node*>> find_fusion_groups(const Graph& graph, BackendCalls& calls);

}  // namespace fx::internal
