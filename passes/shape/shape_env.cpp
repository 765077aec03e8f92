// ShapeEnv: see shape_env.h.
#include "fx/passes/shape/shape_env.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <algorithm>
#include <climits>

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

/// Returns the bounds of a // b; no bounds unless the divisor is positive.
SymRange floor_quotient(const SymRange& a, const SymRange& b) {
  if (!b.min || *b.min <= 0) return {};
  SymRange quotient;
  // A large divisor moves the quotient toward zero, a small one away from zero.
  if (a.min) {
    const Bound divisor = *a.min >= 0 ? b.max : b.min;
    quotient.min = divisor ? floor_quotient(*a.min, *divisor) : int64_t{0};
  }
  if (a.max) {
    const Bound divisor = *a.max >= 0 ? b.min : b.max;
    quotient.max = divisor ? floor_quotient(*a.max, *divisor) : int64_t{-1};
  }
  return quotient;
}

/// Returns the bounds of a % b; no bounds unless the divisor is positive.
SymRange modulo(const SymRange& b) {
  if (!b.min || *b.min <= 0) return {};
  return {0, b.max ? Bound(*b.max - 1) : std::nullopt};
}

SymRange maximum(const SymRange& a, const SymRange& b) {
  SymRange result = a.min ? a : SymRange{b.min, a.max};  // one lower bound suffices
  if (a.min && b.min) result.min = std::max(*a.min, *b.min);
  result.max = a.max && b.max ? Bound(std::max(*a.max, *b.max)) : std::nullopt;
  return result;
}

SymRange minimum(const SymRange& a, const SymRange& b) {
  SymRange result = a.max ? a : SymRange{a.min, b.max};  // one upper bound suffices
  if (a.max && b.max) result.max = std::min(*a.max, *b.max);
  result.min = a.min && b.min ? Bound(std::min(*a.min, *b.min)) : std::nullopt;
  return result;
}

}  // namespace

SymExprTable& ShapeEnv::exprs() const { return context_->exprs(); }

SymRange ShapeEnv::range(Symbol symbol) const {
  if (auto it = ranges_.find(symbol); it != ranges_.end()) return it->second;
  return {symbol.str().starts_with('u') ? 0 : 2, std::nullopt};
}

ShapeEnv::ShapeEnv(const Graph& graph) : ShapeEnv(graph.context()) { set_ranges_of(graph); }

void ShapeEnv::set_ranges_of(const Graph& graph) {
  for (const SymbolRange& recorded : symbol_ranges(graph))
    if (recorded.expr.is_symbol()) set_range(recorded.expr.name(), {recorded.min, recorded.max});
  for (const SymExpr guard : guards_of(graph)) {
    known_.insert(guard);
    narrow(guard);
  }
}

SymRange ShapeEnv::range(SymExpr expr) const { return bounds(expr, /*use_defaults=*/true); }

std::optional<bool> ShapeEnv::decide(SymExpr relation) const {
  return decide(relation, /*use_defaults=*/false);
}

// Depth is bounded by kMaxSymExprDepth.
SymRange ShapeEnv::bounds(SymExpr expr, bool use_defaults) const {
  const auto range = [&](SymExpr part) { return bounds(part, use_defaults); };
  expr = expr.canonical();
  const auto args = expr.args();
  switch (expr.kind()) {
    case SymKind::kInt:
      return {expr.int_value(), expr.int_value()};
    case SymKind::kSymbol: {
      if (use_defaults) return this->range(expr.name());
      const auto it = ranges_.find(expr.name());
      return it == ranges_.end() ? SymRange{0, std::nullopt} : it->second;
    }
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
    case SymKind::kFloorDiv:
      return floor_quotient(range(args[0]), range(args[1]));
    case SymKind::kMod:
      return modulo(range(args[1]));
    case SymKind::kMin:
    case SymKind::kMax: {
      SymRange result = range(args[0]);
      for (SymExpr arg : args.subspan(1)) {
        result = expr.kind() == SymKind::kMax ? maximum(result, range(arg))
                                              : minimum(result, range(arg));
      }
      return result;
    }
    default:
      return {};
  }
}

std::optional<bool> ShapeEnv::decide(SymExpr relation, bool use_defaults) const {
  relation = relation.canonical();
  if (relation.kind() == SymKind::kBool) return relation.int_value() != 0;
  const SymKind kind = relation.kind();
  if (kind < SymKind::kEq || kind > SymKind::kGe) return std::nullopt;
  const SymRange d = bounds(exprs().sub(relation.args()[0], relation.args()[1]), use_defaults);
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

/// Narrows the range of a symbol by a guard on it, so that guards that follow from it are not
/// recorded.
void ShapeEnv::narrow(SymExpr relation) {
  const auto args = relation.args();
  if (args.size() != 2 || args[0].is_int() == args[1].is_int()) return;
  const bool is_left = args[1].is_int();  // symbol <= 5; else 5 <= symbol
  const SymExpr symbol = args[is_left ? 0 : 1];
  if (!symbol.is_symbol()) return;
  const int64_t value = args[is_left ? 1 : 0].int_value();
  const auto it = ranges_.find(symbol.name());
  SymRange range = it == ranges_.end() ? SymRange{0, std::nullopt} : it->second;
  const auto at_least = [&](Bound low) {
    if (low && (!range.min || *range.min < *low)) range.min = low;
  };
  const auto at_most = [&](Bound high) {
    if (high && (!range.max || *range.max > *high)) range.max = high;
  };
  switch (relation.kind()) {
    case SymKind::kEq:
      at_least(value);
      at_most(value);
      break;
    case SymKind::kLe:
    case SymKind::kGe:
      (relation.kind() == SymKind::kGe) == is_left ? at_least(value) : at_most(value);
      break;
    case SymKind::kLt:
      is_left ? at_most(add(Bound(value), Bound(-1))) : at_least(add(Bound(value), Bound(1)));
      break;
    case SymKind::kGt:
      is_left ? at_least(add(Bound(value), Bound(1))) : at_most(add(Bound(value), Bound(-1)));
      break;
    default:
      return;
  }
  ranges_[symbol.name()] = range;
}

namespace {

/// Rewrites n - 4 >= 0 as n >= 4, and 4 - n >= 0 as n <= 4.
SymExpr with_constant_on_the_right(SymExprTable& exprs, SymExpr relation) {
  const auto args = relation.args();
  if (relation.kind() < SymKind::kEq || relation.kind() > SymKind::kGe || !args[1].is_int() ||
      args[0].kind() != SymKind::kAdd)
    return relation;
  const auto terms = args[0].args();
  const auto constant =
      std::find_if(terms.begin(), terms.end(), [](SymExpr e) { return e.is_int(); });
  if (constant == terms.end()) return relation;
  const SymExpr left = exprs.sub(args[0], *constant), right = exprs.sub(args[1], *constant);
  const SymExpr negated = exprs.neg(left);
  return negated.is_symbol() ? exprs.compare(relation.kind(), exprs.neg(right), negated)
                             : exprs.compare(relation.kind(), left, right);
}

}  // namespace

bool ShapeEnv::guard(SymExpr relation) {
  relation = with_constant_on_the_right(exprs(), relation.canonical()).canonical();
  const auto [it, is_new] = results_.try_emplace(relation, true);
  if (!is_new) return it->second;
  if (const auto decided = decide(relation)) return it->second = *decided;
  const SymExpr opposite = exprs().logical_not(relation).canonical();
  if (known_.contains(relation)) return true;
  if (known_.contains(opposite)) return it->second = false;
  const bool holds = decide(relation, /*use_defaults=*/true).value_or(true);
  const SymExpr assumed = holds ? relation : opposite;
  known_.insert(assumed);
  guards_.push_back(assumed);
  narrow(assumed);
  return it->second = holds;
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

void ShapeEnv::avoid_symbols_of(const Graph& graph) {
  for (const Graph& part : all_graphs(graph)) {
    for (const Symbol symbol : symbols_of_types(part)) {
      int number = 0;
      const std::string_view name = symbol.str();
      if (name.starts_with('u') &&
          absl::SimpleAtoi(absl::string_view(name.data(), name.size()).substr(1), &number) &&
          number < INT_MAX)
        next_fresh_ = std::max(next_fresh_, number + 1);
    }
  }
}

Dim ShapeEnv::fresh_size(SymRange range) {
  const Symbol symbol = context_->symbol(fmt::format("u{}", next_fresh_++));
  if (!ranges_.contains(symbol)) set_range(symbol, range);
  return Dim(exprs().symbol(symbol));
}

}  // namespace fx
