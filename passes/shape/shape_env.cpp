// ShapeEnv: see shape_env.h.
#include "fx/passes/shape/shape_env.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace {

using Bound = std::optional<int64_t>;

Bound add(Bound a, Bound b) {
  int64_t sum = 0;
  if (!a || !b || __builtin_add_overflow(*a, *b, &sum)) return std::nullopt;
  return sum;
}

SymRange add(const SymRange& a, const SymRange& b) {
  return {add(a.min, b.min), add(a.max, b.max)};
}

bool is_non_negative(const SymRange& r) { return r.min && *r.min >= 0; }

SymRange multiply(const SymRange& a, const SymRange& b) {
  const auto product = [](Bound x, Bound y) -> Bound {
    int64_t result = 0;
    if (!x || !y || __builtin_mul_overflow(*x, *y, &result)) return std::nullopt;
    return result;
  };
  if (is_non_negative(a) && is_non_negative(b))
    return {product(a.min, b.min), product(a.max, b.max)};
  if (a.min && a.max && *a.min == *a.max) {  // a constant times a range
    if (*a.min >= 0) return {product(a.min, b.min), product(a.min, b.max)};
    return {product(a.min, b.max), product(a.min, b.min)};
  }
  const Bound corners[] = {product(a.min, b.min), product(a.min, b.max), product(a.max, b.min),
                           product(a.max, b.max)};
  SymRange result = {corners[0], corners[0]};
  for (const Bound& corner : corners) {
    if (!corner) return {};
    result.min = std::min(*result.min, *corner);
    result.max = std::max(*result.max, *corner);
  }
  return result;
}

int64_t floor_quotient(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

}  // namespace

SymExprTable& ShapeEnv::exprs() const { return context_->exprs(); }

SymRange ShapeEnv::range(Symbol symbol) const {
  if (auto it = ranges_.find(symbol); it != ranges_.end()) return it->second;
  return {symbol.str().starts_with('u') ? 0 : 2, std::nullopt};
}

void ShapeEnv::set_ranges_of(const Graph& graph) {
  const auto symbols = graph.meta("symbols");
  if (!symbols || !symbols->is_dict()) return;
  for (size_t i = 0; i < symbols->size(); ++i) {
    const Argument& bounds = (*symbols)[i];
    if (!bounds.is_dict() || !symbols->key(i).is_string()) continue;
    SymRange range;
    for (size_t k = 0; k < bounds.size(); ++k) {
      if (!bounds.key(k).is_string() || !bounds[k].is_int()) continue;
      if (bounds.key(k).as_string() == "min") range.min = bounds[k].as_int();
      if (bounds.key(k).as_string() == "max") range.max = bounds[k].as_int();
    }
    set_range(context_->symbol(symbols->key(i).as_string()), range);
  }
}

// Depth is bounded by kMaxSymExprDepth.
SymRange ShapeEnv::range(SymExpr expr) const {
  expr = expr.canonical();
  const auto args = expr.args();
  switch (expr.kind()) {
    case SymKind::kInt:
      return {expr.int_value(), expr.int_value()};
    case SymKind::kSymbol:
      return range(expr.name());
    case SymKind::kAdd: {
      SymRange sum = {0, 0};
      for (SymExpr arg : args) sum = add(sum, range(arg));
      return sum;
    }
    case SymKind::kMul: {
      SymRange product = {1, 1};
      for (SymExpr arg : args) product = multiply(product, range(arg));
      return product;
    }
    case SymKind::kPow: {
      if (!args[1].is_int() || args[1].int_value() < 0 || args[1].int_value() > 8) return {};
      SymRange power = {1, 1};
      const SymRange base = range(args[0]);
      for (int64_t i = 0; i < args[1].int_value(); ++i) power = multiply(power, base);
      return power;
    }
    case SymKind::kFloorDiv: {
      const SymRange a = range(args[0]), b = range(args[1]);
      if (!b.min || *b.min <= 0) return {};
      SymRange quotient;
      // Towards zero with a large divisor, away from it with a small one.
      if (a.min) {
        const Bound by = *a.min >= 0 ? b.max : b.min;
        quotient.min = by ? floor_quotient(*a.min, *by) : int64_t{0};
      }
      if (a.max) {
        const Bound by = *a.max >= 0 ? b.min : b.max;
        quotient.max = by ? floor_quotient(*a.max, *by) : int64_t{-1};
      }
      return quotient;
    }
    case SymKind::kMod: {
      const SymRange b = range(args[1]);
      if (!b.min || *b.min <= 0) return {};
      return {0, b.max ? Bound(*b.max - 1) : std::nullopt};
    }
    case SymKind::kMin:
    case SymKind::kMax: {
      const bool is_max = expr.kind() == SymKind::kMax;
      SymRange result = range(args[0]);
      for (SymExpr arg : args.subspan(1)) {
        const SymRange r = range(arg);
        Bound& both = is_max ? result.max : result.min;    // needs every bound
        Bound& either = is_max ? result.min : result.max;  // any bound will do
        const Bound r_both = is_max ? r.max : r.min, r_either = is_max ? r.min : r.max;
        both = both && r_both ? Bound(is_max ? std::max(*both, *r_both) : std::min(*both, *r_both))
                              : std::nullopt;
        if (!either)
          either = r_either;
        else if (r_either)
          either = is_max ? std::max(*either, *r_either) : std::min(*either, *r_either);
      }
      return result;
    }
    default:
      return {};
  }
}

std::optional<bool> ShapeEnv::decide(SymExpr relation) const {
  relation = relation.canonical();
  if (relation.kind() == SymKind::kBool) return relation.int_value() != 0;
  const SymKind kind = relation.kind();
  if (kind < SymKind::kEq || kind > SymKind::kGe) return std::nullopt;
  const SymRange d = range(exprs().sub(relation.args()[0], relation.args()[1]));
  const bool positive = d.min && *d.min > 0, negative = d.max && *d.max < 0;
  const bool at_least_zero = d.min && *d.min >= 0, at_most_zero = d.max && *d.max <= 0;
  const auto either = [](bool yes, bool no) -> std::optional<bool> {
    if (yes) return true;
    if (no) return false;
    return std::nullopt;
  };
  switch (kind) {
    case SymKind::kEq:
      return either(at_least_zero && at_most_zero, positive || negative);
    case SymKind::kNe:
      return either(positive || negative, at_least_zero && at_most_zero);
    case SymKind::kLt:
      return either(negative, at_least_zero);
    case SymKind::kLe:
      return either(at_most_zero, positive);
    case SymKind::kGt:
      return either(positive, at_most_zero);
    default:
      return either(at_least_zero, negative);
  }
}

std::optional<bool> ShapeEnv::known(SymExpr relation) const {
  relation = relation.canonical();
  if (const auto decided = decide(relation)) return decided;
  if (known_.contains(relation)) return true;
  if (known_.contains(exprs().logical_not(relation).canonical())) return false;
  return std::nullopt;
}

bool ShapeEnv::guard(SymExpr relation) {
  relation = relation.canonical();
  const auto [it, is_new] = answers_.try_emplace(relation, true);
  if (!is_new) return it->second;
  if (const auto decided = decide(relation)) return it->second = *decided;
  if (known_.contains(relation)) return true;
  if (known_.contains(exprs().logical_not(relation).canonical())) return it->second = false;
  known_.insert(relation);
  guards_.push_back(relation);
  return true;
}

namespace {

SymExpr expr_of(SymExprTable& exprs, const Dim& dim) {
  return dim.is_int() ? exprs.integer(dim.value()) : dim.expr();
}

}  // namespace

bool ShapeEnv::guard_equal(const Dim& a, const Dim& b) {
  return guard(exprs().compare(SymKind::kEq, expr_of(exprs(), a), expr_of(exprs(), b)));
}

bool ShapeEnv::guard_not_equal(const Dim& a, const Dim& b) {
  return guard(exprs().compare(SymKind::kNe, expr_of(exprs(), a), expr_of(exprs(), b)));
}

bool ShapeEnv::guard_less_equal(const Dim& a, const Dim& b) {
  return guard(exprs().compare(SymKind::kLe, expr_of(exprs(), a), expr_of(exprs(), b)));
}

std::optional<bool> ShapeEnv::known_less_equal(const Dim& a, const Dim& b) const {
  return known(exprs().compare(SymKind::kLe, expr_of(exprs(), a), expr_of(exprs(), b)));
}

Dim ShapeEnv::fresh_size(SymRange range) {
  const Symbol symbol = context_->symbol(fmt::format("u{}", next_fresh_++));
  if (!ranges_.contains(symbol)) set_range(symbol, range);
  return Dim(exprs().symbol(symbol));
}

}  // namespace fx
