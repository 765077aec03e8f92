// Finds the calls of a backend, as a set.
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

/// Returns the calls of find_backend_nodes (backend_splitter.h).
BackendCalls find_backend_calls(const Graph& graph, const OperatorSupport& support,
                                bool allow_non_tensor);

/// Returns the groups of find_fusion_groups; removes calls of other groups from `calls`.
std::vector<std::vector<Node*>> find_fusion_groups(const Graph& graph, BackendCalls& calls);

}  // namespace fx::internal
