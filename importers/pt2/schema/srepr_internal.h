// Expressions as sympy's srepr writes them: `Add(Symbol('s77', integer=True), Integer(1))`.
#pragma once

#include "fx/ir/support/symbol.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Reads one expression, in canonical form. Assumptions of symbols (`positive=True`) are dropped:
/// ranges of symbols are in the program's constraints. InvalidArgument with the byte offset; also
/// where the arithmetic overflows, or the text nests deeper than kMaxSymExprDepth.
absl::StatusOr<SymExpr> parse_srepr(SymExprTable& exprs, std::string_view text);

/// The assumptions of a symbol as they follow its name: ", positive=True, integer=True".
using SymbolAssumptions = absl::FunctionRef<std::string_view(Symbol name)>;

/// Appends the text of a defined expression, in canonical form; parse_srepr returns an expression of
/// the same value for it.
void append_srepr(std::string& out, SymExpr expr, SymbolAssumptions assumptions);

}  // namespace fx::pt2
