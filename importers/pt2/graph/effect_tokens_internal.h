// Removes effect tokens. A program in the ATEN dialect calls an operator with effects as
// higher_order.with_effects(token, operator, ...), which also returns a token for the next such
// call.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <string_view>

namespace fx::pt2 {

/// Replaces calls to with_effects with direct calls to their operators, in the same order, as
/// ExportedProgram.module() does. Removes the tokens and their placeholders, whose names are in
/// `tokens`. The graph must not return a token. Returns InvalidArgument for a malformed call to
/// with_effects, and Unimplemented if a token has other uses, such as an operand of a nested graph.
absl::Status remove_effect_tokens(Graph& graph, absl::Span<const std::string_view> tokens);

}  // namespace fx::pt2
