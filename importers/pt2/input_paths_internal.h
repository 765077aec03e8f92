// The inputs of a program as Python code names them: L['x'], L['pair'][0], L['batch']['ids'].
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include "absl/container/flat_hash_map.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Returns the inputs of a program by their paths in the arguments of the call, from the metadata
/// `calling_convention`. Paths through objects of classes, such as dataclasses, are omitted. If the
/// metadata is missing or does not match the inputs, each input has the path L['NAME'].
absl::flat_hash_map<std::string, const Node*> input_paths(const Graph& graph);

/// Returns the inputs of a program that the caller passes, each with its path in the arguments of
/// the call. If `keeps_convention`, the metadata `calling_convention` describes the call, and inputs
/// whose path is not known are omitted. If not, each input is an argument with its name.
absl::flat_hash_map<const Node*, std::string> paths_of_inputs(const Graph& graph,
                                                              bool keeps_convention);

}  // namespace fx::pt2
