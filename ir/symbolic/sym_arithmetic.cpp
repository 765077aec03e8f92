// Arithmetic of SymExprTable on two operands. Results are cached, because shapes repeat.
#include "fx/ir/symbolic/sym_expr_internal.h"

namespace fx {

SymExpr SymExprTable::add(SymExpr a, SymExpr b) {
  return internal::memoized(impl_->id, SymKind::kAdd, a, b, [&] {
    const SymExpr operands[] = {a, b};
    return add(operands);
  });
}
SymExpr SymExprTable::mul(SymExpr a, SymExpr b) {
  return internal::memoized(impl_->id, SymKind::kMul, a, b, [&] {
    const SymExpr operands[] = {a, b};
    return mul(operands);
  });
}
SymExpr SymExprTable::neg(SymExpr a) { return mul(integer(-1), a); }
SymExpr SymExprTable::sub(SymExpr a, SymExpr b) { return add(a, neg(b)); }
SymExpr SymExprTable::div(SymExpr a, SymExpr b) { return mul(a, pow(b, integer(-1))); }

}  // namespace fx
