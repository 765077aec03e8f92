// fxcpp run --memory: prints the memory of a graph, computed from its types and measured.
#pragma once

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"

namespace fx::tools {

/// Runs the graph and prints the table or its JSON (docs/summaries.md lists the keys).
absl::Status print_memory(const Graph& graph, const GraphData& data, bool json);

}  // namespace fx::tools
