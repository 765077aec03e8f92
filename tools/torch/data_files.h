// The tensors that commands run a graph on: those beside it, and files of --inputs.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::tools {

/// Paths for load_graph_data: g.safetensors beside g.fx, where it is, then `files`. InvalidArgument
/// for one of these that has no tensor for any input of the graph: it says what there is and what
/// is looked for.
absl::StatusOr<std::vector<std::string>> data_files(const Graph& graph, const std::string& path,
                                                    const std::vector<std::string>& files);

}  // namespace fx::tools
