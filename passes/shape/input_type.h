// The command's option `--input NAME=TYPE`.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <string>

namespace fx {

/// Sets the types of placeholders and get_attr nodes from strings such as `x=f32[s0, 3]`. Returns
/// InvalidArgument for malformed text, a node of a different kind, an invalid type, and a node that
/// is named twice; NotFound for an unknown name. The message starts with `--input` and the text. On
/// an error, sets no type.
absl::Status set_input_types(Graph& graph, absl::Span<const std::string> texts);

}  // namespace fx
