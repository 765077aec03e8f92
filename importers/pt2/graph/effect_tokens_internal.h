// Tokens of effects: a program of the dialect ATEN calls an operator with effects by
// higher_order.with_effects(token, operator, ...), which returns a token for the next such call.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <string_view>

namespace fx::pt2 {

/// Calls the operators directly, in this order, as ExportedProgram.module() does, and removes the
/// tokens, the placeholders with these names. The graph must not return a token. Unimplemented if a
/// token has another use, such as an operand of a nested graph.
absl::Status remove_effect_tokens(Graph& graph, absl::Span<const std::string_view> tokens);

}  // namespace fx::pt2
