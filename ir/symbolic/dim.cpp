// Arithmetic on sizes: integers directly, expressions through their table. See dim.h.
#include "fx/ir/symbolic/dim.h"

#include "fx/ir/support/text_tokens.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include <algorithm>

namespace fx {
namespace {

using internal::undefined_expr;
using internal::UndefinedReason;

Dim overflowed_dim() { return Dim(undefined_expr(UndefinedReason::kOverflow)); }

/// Applies a builder to two dimensions of which at least one is an expression.
template <typename Build>
Dim combine(const Dim& a, const Dim& b, const Build& build) {
  if (a.is_undefined()) return a;
  if (b.is_undefined()) return b;
  SymExprTable& table = *(a.is_symbolic() ? a.expr() : b.expr()).table();
  const SymExpr x = a.is_int() ? table.integer(a.value()) : a.expr();
  const SymExpr y = b.is_int() ? table.integer(b.value()) : b.expr();
  return Dim(build(table, x, y));
}

bool both_int(const Dim& a, const Dim& b) { return a.is_int() && b.is_int(); }

}  // namespace

Dim operator+(const Dim& a, const Dim& b) {
  if (both_int(a, b)) {
    int64_t result = 0;
    return __builtin_add_overflow(a.value(), b.value(), &result) ? overflowed_dim() : Dim(result);
  }
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.add(x, y); });
}

Dim operator-(const Dim& a, const Dim& b) {
  if (both_int(a, b)) {
    int64_t result = 0;
    return __builtin_sub_overflow(a.value(), b.value(), &result) ? overflowed_dim() : Dim(result);
  }
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.sub(x, y); });
}

Dim operator*(const Dim& a, const Dim& b) {
  if (both_int(a, b)) {
    int64_t result = 0;
    return __builtin_mul_overflow(a.value(), b.value(), &result) ? overflowed_dim() : Dim(result);
  }
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.mul(x, y); });
}

Dim operator-(const Dim& a) { return Dim(0) - a; }

Dim floor_div(const Dim& a, const Dim& b) {
  if (both_int(a, b)) {
    if (b.value() == 0) return Dim(undefined_expr(UndefinedReason::kDivisionByZero));
    if (b.value() == -1) return -a;
    return Dim(internal::floor_quotient(a.value(), b.value()));
  }
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.floor_div(x, y); });
}

Dim ceil_div(const Dim& a, const Dim& b) { return -floor_div(-a, b); }

Dim mod(const Dim& a, const Dim& b) {
  if (both_int(a, b)) {
    if (b.value() == 0) return Dim(undefined_expr(UndefinedReason::kDivisionByZero));
    return b.value() == -1 ? Dim(0) : Dim(internal::floor_remainder(a.value(), b.value()));
  }
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.mod(x, y); });
}

Dim min(const Dim& a, const Dim& b) {
  if (both_int(a, b)) return Dim(std::min(a.value(), b.value()));
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.min(x, y); });
}

Dim max(const Dim& a, const Dim& b) {
  if (both_int(a, b)) return Dim(std::max(a.value(), b.value()));
  return combine(a, b, [](SymExprTable& t, SymExpr x, SymExpr y) { return t.max(x, y); });
}

absl::StatusOr<int64_t> eval_int(const Dim& dim, const SymBindings& bindings) {
  return dim.is_int() ? absl::StatusOr<int64_t>(dim.value()) : eval_int(dim.expr(), bindings);
}

void append_text(std::string& out, const Dim& dim) {
  if (dim.is_int())
    text::append_int(out, dim.value());
  else
    append_text(out, dim.expr());
}

void append_text(std::string& out, absl::Span<const Dim> dims) {
  out += '[';
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) out += ", ";
    append_text(out, dims[i]);
  }
  out += ']';
}

std::string to_string(const Dim& dim) {
  std::string text;
  append_text(text, dim);
  return text;
}

}  // namespace fx
