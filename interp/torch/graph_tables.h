// Loads the members and inputs of a graph from tables of tensors that the caller has read. This is
// the counterpart of graph_data.h for file formats other than safetensors.
#pragma once

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/files/safetensors.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>

#include <cstddef>
#include <string>
#include <vector>

namespace fx {

/// Tensors by name, and the path of their source for messages.
struct TensorTable {
  std::string path;
  Safetensors file;
};

/// Like load_graph_data, but loads from tables. If multiple tables contain a tensor with the same
/// name, the last one is used.
absl::StatusOr<GraphData> graph_data_of(const Graph& graph, absl::Span<const TensorTable> tables,
                                        const GraphDataOptions& options = {});

/// Returns the first `count` recorded results, out.0, out.1, ..., which are the leaves of the
/// graph's result, in order. Missing results are undefined. Returns NotFound if the table contains
/// no results.
absl::StatusOr<std::vector<at::Tensor>> graph_outputs_of(const TensorTable& table, size_t count);

}  // namespace fx
