// ShapeEnv: see shape_env.h.
#include "fx/passes/shape/shape_env.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <algorithm>
#include <climits>
#include <numeric>
#include <string_view>

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
  set_ranges_of_items(graph);
  for (const SymExpr guard : guards_of(graph)) {
    known_.insert(guard);
    narrow(guard);
  }
}

void ShapeEnv::set_ranges_of_items(const Graph& graph) {
  constexpr std::string_view kTargets[] = {"aten.item.default", "aten._local_scalar_dense.default",
                                           "item"};
  absl::InlinedVector<Symbol, 3> targets;
  for (const std::string_view target : kTargets)
    if (const Symbol symbol = context_->symbols().find(target)) targets.push_back(symbol);
  if (targets.empty()) return;
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      const Type type = node.type();
      if (type.kind() != TypeKind::kInt || !type.is_symbolic() || !type.expr().is_symbol() ||
          std::ranges::find(targets, node.target_symbol()) == targets.end())
        continue;
      ranges_.try_emplace(type.expr().name());
    }
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

absl::Span<const SymExpr> terms_of(const SymExpr& e) {
  return e.kind() == SymKind::kAdd ? e.args() : absl::MakeConstSpan(&e, 1);
}

/// The integer factor of a term; nullopt if it is not an integer.
std::optional<int64_t> coefficient_of(SymExpr term) {
  const SymExpr first = term.kind() == SymKind::kMul ? term.args()[0] : term;
  if (!first.is_constant()) return 1;
  if (!first.is_int() || first.int_value() == INT64_MIN) return std::nullopt;
  return first.int_value();
}

/// The greatest common divisor of the coefficients of all terms, without the constant term if
/// `without_constant`; 0 if one is not an integer or there are no such terms.
int64_t content_of(SymExpr e, bool without_constant) {
  int64_t content = 0;
  for (const SymExpr term : terms_of(e)) {
    const std::optional<int64_t> c = coefficient_of(term);
    if (!c || term.value_kind() != SymValueKind::kInt) return 0;
    if (!without_constant || !term.is_constant()) content = std::gcd(content, *c);
  }
  return content;
}

/// True if no integers make the expression 0, because all coefficients except the constant term
/// have a common divisor that does not divide the constant term: 4*n - 2*m + 1.
bool has_no_integer_root(SymExpr e) {
  if (e.kind() != SymKind::kAdd) return false;
  const int64_t content = content_of(e, /*without_constant=*/true);
  for (const SymExpr term : terms_of(e))
    if (term.is_int()) return content > 1 && term.int_value() % content != 0;
  return false;
}

/// True for a product of an integer, symbols and their powers.
bool is_monomial(SymExpr term) {
  const auto is_power = [](SymExpr factor) {
    return factor.is_symbol() || (factor.kind() == SymKind::kPow && factor.args()[0].is_symbol() &&
                                  factor.args()[1].is_int() && factor.args()[1].int_value() > 0);
  };
  if (term.kind() != SymKind::kMul) return is_power(term);
  return std::ranges::all_of(term.args(),
                             [&](SymExpr factor) { return factor.is_int() || is_power(factor); });
}

}  // namespace

/// Returns the bounds of a polynomial whose terms, after each symbol is replaced by the sum of its
/// lower bound and a number that is at least 0, all grow or all shrink: n*m - n + 1 is at least 3
/// for n >= 2 and m >= 2.
SymRange ShapeEnv::bounds_of_polynomial(SymExpr expr, bool use_defaults) const {
  absl::flat_hash_map<Symbol, SymExpr> shifted;
  for (const Symbol name : free_symbols(expr)) {
    const SymExpr symbol = exprs().symbol(name);
    const SymRange range = bounds(symbol, use_defaults);
    if (!range.min) return {};
    shifted.emplace(name, exprs().add(symbol, exprs().integer(*range.min)));
  }
  const SymExpr moved = exprs().substitute(expr, shifted);
  if (moved.is_undefined()) return {};
  int64_t constant = 0;
  bool grows = true, shrinks = true;
  for (const SymExpr term : terms_of(moved)) {
    const std::optional<int64_t> coefficient = coefficient_of(term);
    if (!coefficient || (!term.is_int() && !is_monomial(term))) return {};
    if (term.is_int()) {
      constant = term.int_value();
      continue;
    }
    (*coefficient > 0 ? shrinks : grows) = false;
  }
  return {grows ? Bound(constant) : std::nullopt, shrinks ? Bound(constant) : std::nullopt};
}

void ShapeEnv::set_at_least_one(SymExpr size) {
  const SymExpr relation = with_constant_on_the_right(
      exprs(), exprs().compare(SymKind::kGe, size.canonical(), exprs().integer(1)).canonical());
  if (relation.is_constant()) return;
  known_.insert(relation);
  narrow(relation);
}

SymExpr ShapeEnv::without_factors(SymExpr difference) const {
  difference = difference.canonical();
  if (const int64_t content = content_of(difference, /*without_constant=*/false); content > 1)
    difference = exprs().floor_div(difference, exprs().integer(content));
  for (const Symbol name : free_symbols(difference)) {
    const SymExpr symbol = exprs().symbol(name);
    const SymRange range = bounds(symbol, /*use_defaults=*/false);
    while (range.min && *range.min >= 1) {
      const SymExpr quotient = exprs().floor_div(difference, symbol);
      if (quotient.is_undefined() || !same_value(exprs().mul(quotient, symbol), difference)) break;
      difference = quotient;
    }
  }
  return difference;
}

std::optional<ShapeEnv::Solution> ShapeEnv::solve(SymExpr difference) const {
  difference = without_factors(difference);
  for (const Symbol name : free_symbols(difference)) {
    const SymExpr symbol = exprs().symbol(name), negated = exprs().neg(symbol);
    SymExpr found;
    bool is_single = true;
    for (const SymExpr term : terms_of(difference)) {
      const std::vector<Symbol> symbols = free_symbols(term);
      if (std::ranges::find(symbols, name) == symbols.end()) continue;
      is_single = is_single && !found && (term == symbol || term == negated);
      found = term;
    }
    if (!found || !is_single) continue;
    const SymExpr rest = exprs().sub(difference, found);
    return Solution{name, found == symbol ? exprs().neg(rest) : rest};
  }
  return std::nullopt;
}

std::optional<bool> ShapeEnv::decide(SymExpr relation, bool use_defaults) const {
  relation = relation.canonical();
  if (relation.kind() == SymKind::kBool) return relation.int_value() != 0;
  const SymKind kind = relation.kind();
  if (kind < SymKind::kEq || kind > SymKind::kGe) return std::nullopt;
  const SymExpr difference = exprs().sub(relation.args()[0], relation.args()[1]);
  const bool is_equation = kind == SymKind::kEq || kind == SymKind::kNe;
  if (is_equation && has_no_integer_root(difference)) return kind == SymKind::kNe;
  SymRange d = bounds(difference, use_defaults);
  if (!d.min || !d.max) {
    const SymRange other = bounds_of_polynomial(difference, use_defaults);
    if (!d.min || (other.min && *other.min > *d.min)) d.min = other.min;
    if (!d.max || (other.max && *other.max < *d.max)) d.max = other.max;
  }
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
  const bool is_left = args[1].is_int();  // symbol <= 5; otherwise, 5 <= symbol
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
