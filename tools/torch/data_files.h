// The tensors on which commands run a graph: those next to it, and the files of --inputs.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::tools {

/// Paths for load_graph_data: g.safetensors next to g.fx, if it exists, then `files`.
/// InvalidArgument, with the names in the file and those of the graph, for one of `files` that has
/// no tensor for any input of the graph.
absl::StatusOr<std::vector<std::string>> data_files(const Graph& graph, const std::string& path,
                                                    const std::vector<std::string>& files);

}  // namespace fx::tools
