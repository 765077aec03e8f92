// What `--input NAME=TYPE` of the command means.
#pragma once

#include "fx/ir/graph.h"

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// Gives a placeholder or get_attr its type, by a text such as `x=f32[s0, 3]`. InvalidArgument for
/// another form, a node of another kind and a type that cannot be read; NotFound where there is no
/// such node. The message begins with `--input` and the text.
absl::Status set_input_type(Graph& graph, std::string_view text);

}  // namespace fx
