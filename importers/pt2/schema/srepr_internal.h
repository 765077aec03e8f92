// Reads and writes expressions in the form of SymPy's srepr:
// `Add(Symbol('s77', integer=True), Integer(1))`.
#pragma once

#include "fx/ir/support/symbol.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include <string>
#include <string_view>

namespace fx::pt2 {

/// Reads one expression and returns its canonical form. Assumptions about symbols (`positive=True`)
/// are dropped, since the constraints of the program contain the ranges of symbols. Returns
/// InvalidArgument with the byte offset if the text is malformed, if the arithmetic overflows, or
/// if the text is nested more than kMaxSymExprDepth levels deep.
absl::StatusOr<SymExpr> parse_srepr(SymExprTable& exprs, std::string_view text);

/// Returns the text of the assumptions about a symbol, which follows its name: ", positive=True,
/// integer=True".
using SymbolAssumptions = absl::FunctionRef<std::string_view(Symbol name)>;

/// Appends the text of a defined expression in canonical form. parse_srepr returns an expression
/// with the same value for this text.
void append_srepr(std::string& out, SymExpr expr, SymbolAssumptions assumptions);

}  // namespace fx::pt2
