// Expressions as sympy's srepr writes them: `Add(Symbol('s77', integer=True), Integer(1))`.
#pragma once

#include "fx/ir/symbolic/sym_expr.h"

#include "absl/status/statusor.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Reads one expression, in canonical form. Assumptions of symbols (`positive=True`) are dropped:
/// ranges of symbols are in the program's constraints. InvalidArgument with the byte offset; also
/// where the arithmetic overflows, or the text nests deeper than kMaxSymExprDepth.
absl::StatusOr<SymExpr> parse_srepr(SymExprTable& exprs, std::string_view text);

}  // namespace fx::pt2
