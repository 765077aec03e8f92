// Loads the tensors on which commands run a graph, from its data file and the files of --inputs.
#pragma once

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::tools {

/// Returns the files with a graph's tensors: g.safetensors next to g.fx, if it exists, or the .pt2
/// archive itself, followed by `files`. Returns InvalidArgument if one of `files` has no tensor for
/// any input or constant of the graph; the message lists the names in the file and the names that
/// the graph requires.
absl::StatusOr<std::vector<std::string>> data_files(const Graph& graph, const std::string& path,
                                                    const std::vector<std::string>& files);

/// Like load_graph_data and graph_outputs_of, but for all file formats that read_tensor_file
/// supports.
absl::StatusOr<GraphData> load_data(const Graph& graph, const std::vector<std::string>& paths,
                                    const GraphDataOptions& options = {});
absl::StatusOr<std::vector<at::Tensor>> load_outputs(const std::string& path, size_t count);

}  // namespace fx::tools
