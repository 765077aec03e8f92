// What `--input NAME=TYPE` of the command means.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <string>

namespace fx {

/// Gives placeholders and get_attr nodes their types, by texts such as `x=f32[s0, 3]`.
/// InvalidArgument for another form, a node of another kind, a type that cannot be or be read, and
/// what is given twice; NotFound where there is no such node. The message begins with `--input` and
/// the text. All are looked at before the first is set.
absl::Status set_input_types(Graph& graph, absl::Span<const std::string> texts);

}  // namespace fx
