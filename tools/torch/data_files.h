// The tensors that commands run a graph on: those beside it, and files of --inputs.
#pragma once

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::tools {

/// The files of a graph's tensors: g.safetensors beside g.fx, or the .pt2 archive itself, where they
/// are, then `files`. InvalidArgument for one of these that has no tensor for any input of the
/// graph: the message lists what it has and what is wanted.
absl::StatusOr<std::vector<std::string>> data_files(const Graph& graph, const std::string& path,
                                                    const std::vector<std::string>& files);

/// load_graph_data and load_graph_outputs of every form of file that read_tensor_file reads.
absl::StatusOr<GraphData> load_data(const Graph& graph, const std::vector<std::string>& paths,
                                    const GraphDataOptions& options = {});
absl::StatusOr<std::vector<at::Tensor>> load_outputs(const std::string& path, size_t count);

}  // namespace fx::tools
