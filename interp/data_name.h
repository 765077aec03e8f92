// Where the tensors of a saved graph are, and under which names: g.safetensors beside g.fx.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include "absl/status/status.h"

#include <string>

namespace fx {

/// The name under which the value of a placeholder is stored: the qualified name of the parameter,
/// buffer or optimizer state that it is ("layer1.0.conv1.weight"), else "in.<index>" for inputs,
/// "tangent.<index>", "number.<index>", or the node's name.
std::string data_name(const Node& placeholder);

/// The path of the data file beside a graph file: "g.safetensors" for "g.fx".
std::string data_path(const std::string& graph_path);

/// InvalidArgument when an input would have the name of another tensor that a get_attr node reads.
absl::Status check_data_names(const Graph& graph);

}  // namespace fx
