// The name of the data file of a saved graph, g.safetensors for g.fx, and the names of the tensors
// in it.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include <string>
#include <string_view>

namespace fx {

/// Returns the name of a placeholder's value in the data file: the qualified name of a parameter,
/// buffer or optimizer state ("layer1.0.conv1.weight"), otherwise "in.<index>" for inputs,
/// "tangent.<index>", "number.<index>", or the node's name.
std::string data_name(const Node& placeholder);

/// Returns the path of the data file of a graph file: "g.safetensors" for "g.fx".
std::string data_path(const std::string& graph_path);

/// Returns the values of the symbols that the sizes of tensors, and the numbers, in a data file
/// determine. `find` must return the tensor with a name, or null.
SymBindings symbols_of_data(const Graph& graph,
                            absl::FunctionRef<const Tensor*(std::string_view name)> find);

/// Returns InvalidArgument if an input has the same name in the data file as the tensor of a
/// get_attr node.
absl::Status check_data_names(const Graph& graph);

}  // namespace fx
