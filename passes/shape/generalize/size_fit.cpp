#include "fx/passes/shape/generalize/generalize_sizes.h"
#include "fx/passes/shape/generalize/size_fit_internal.h"

#include "absl/numeric/int128.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace fx {
namespace {

/// The maximum number of expressions that are combined in pairs.
constexpr size_t kMaxPairs = 64;

/// Returns the numbers near `value` that a program may contain as a constant.
std::vector<double> constants_near(double value) {
  std::vector<double> candidates;
  if (std::abs(value - std::round(value)) < 1e-6) candidates.push_back(std::round(value));
  candidates.push_back(value);
  candidates.push_back(std::nextafter(value, HUGE_VAL));
  candidates.push_back(std::nextafter(value, -HUGE_VAL));
  return candidates;
}

double value_of(FloatOfSize::Form form, double factor, int64_t size) {
  const auto n = static_cast<double>(size);
  switch (form) {
    case FloatOfSize::kQuotient:
      return factor / n;
    case FloatOfSize::kProduct:
      return factor * n;
    case FloatOfSize::kRoot:
      return factor * std::sqrt(n);
    case FloatOfSize::kInverseRoot:
      break;
  }
  return factor / std::sqrt(n);
}

/// Returns the factor for which the form has this value, before rounding.
double factor_of(FloatOfSize::Form form, double value, int64_t size) {
  const auto n = static_cast<double>(size);
  switch (form) {
    case FloatOfSize::kQuotient:
      return value * n;
    case FloatOfSize::kProduct:
      return value / n;
    case FloatOfSize::kRoot:
      return value / std::sqrt(n);
    case FloatOfSize::kInverseRoot:
      break;
  }
  return value * std::sqrt(n);
}

bool fits_int(absl::int128 value) { return value >= INT64_MIN && value <= INT64_MAX; }

int64_t floor_quotient(int64_t value, int64_t divisor) {
  const int64_t quotient = value / divisor;
  return value % divisor < 0 ? quotient - 1 : quotient;
}

/// True if f(i) is observed[i] for every run i.
template <class F>
bool has_values(absl::Span<const int64_t> observed, F f) {
  for (size_t i = 0; i < observed.size(); ++i)
    if (f(i) != observed[i]) return false;
  return true;
}

bool is_polynomial(SymExpr expr) {  // NOLINT(misc-no-recursion): as expressions nest
  switch (expr.kind()) {
    case SymKind::kSymbol:
      return true;
    case SymKind::kAdd:
    case SymKind::kMul:
      return std::ranges::all_of(expr.args(), is_polynomial);
    case SymKind::kPow:
      return is_polynomial(expr.args()[0]) && expr.args()[1].is_int();
    default:
      return expr.is_int();
  }
}

/// True for a symbol, a power of a symbol, and a product of these and constants.
bool is_product(SymExpr expr) {
  switch (expr.kind()) {
    case SymKind::kSymbol:
      return true;
    case SymKind::kPow:
      return expr.args()[0].is_symbol() && expr.args()[1].is_int();
    case SymKind::kMul:
      return std::ranges::all_of(expr.args(), [](SymExpr factor) {
        return factor.is_constant() || factor.is_symbol() ||
               (factor.kind() == SymKind::kPow && factor.args()[0].is_symbol() &&
                factor.args()[1].is_int());
      });
    default:
      return false;
  }
}

}  // namespace

SizeFit::SizeFit(Context& context, absl::Span<const SymBindings> sizes)
    : exprs_(context.exprs()), sizes_(sizes.begin(), sizes.end()) {
  std::vector<Symbol> symbols;
  if (!sizes_.empty())
    for (const auto& [symbol, value] : sizes_[0]) symbols.push_back(symbol);
  std::sort(symbols.begin(), symbols.end(), [](Symbol a, Symbol b) { return a.str() < b.str(); });
  for (const Symbol symbol : symbols) add(exprs_.symbol(symbol));
}

std::optional<SizeFit::Values> SizeFit::evaluate(SymExpr expr) const {
  Values values;
  values.reserve(sizes_.size());
  for (const SymBindings& sizes : sizes_) {
    const absl::StatusOr<int64_t> value = eval_int(expr, sizes);
    if (!value.ok()) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

void SizeFit::add(SymExpr expr) {
  expr = expr.canonical();
  if (expr.is_constant() || expr.is_undefined() || !seen_.insert(expr).second) return;
  std::optional<Values> values = evaluate(expr);
  if (!values || !by_values_.try_emplace(*values, known_.size()).second) return;
  known_.push_back({expr, *std::move(values)});
}

void SizeFit::add(Type type) {
  if (!seen_types_.insert(type).second) return;
  if (!type.is_tensor()) {
    for (const Type item : type.items()) add(item);
    return;
  }
  const auto add_dim = [&](const Dim& dim) {
    if (dim.is_symbolic()) add(dim.expr());
  };
  Dim elements = 1;
  for (const Dim& size : type.sizes()) {
    add_dim(size);
    elements *= size;
  }
  for (const Dim& stride : type.strides()) add_dim(stride);
  add_dim(elements);
  add_dim(type.offset());
}

bool SizeFit::add_if_equal(SymExpr expr, const Values& observed,
                           std::vector<SymExpr>& found) const {
  expr = expr.canonical();
  if (expr.is_undefined() || evaluate(expr) != observed) return false;
  if (std::find(found.begin(), found.end(), expr) == found.end()) found.push_back(expr);
  return true;
}

/// Finds a*x + b.
void SizeFit::find_linear(const Values& observed, std::vector<SymExpr>& found) const {
  for (const Known& known : known_) {
    // Two runs with different values of x.
    const Values& x = known.values;
    size_t i = 1;
    while (i < x.size() && x[i] == x[0]) ++i;
    if (i == x.size()) continue;
    const absl::int128 rise = static_cast<absl::int128>(observed[i]) - observed[0],
                       run = static_cast<absl::int128>(x[i]) - x[0];
    if (rise == 0 || rise % run != 0 || !fits_int(rise / run)) continue;
    const absl::int128 offset = observed[0] - rise / run * x[0];
    if (!fits_int(offset) ||
        !has_values(observed, [&](size_t r) { return rise / run * x[r] + offset; }))
      continue;
    const SymExpr product =
        exprs_.mul(exprs_.integer(static_cast<int64_t>(rise / run)), known.expr);
    if (add_if_equal(exprs_.add(product, exprs_.integer(static_cast<int64_t>(offset))), observed,
                     found))
      return;
  }
}

/// Finds x // q and (x + q - 1) // q.
void SizeFit::find_quotient(const Values& observed, std::vector<SymExpr>& found) const {
  for (const Known& known : known_) {
    if (observed[0] <= 0 || known.values[0] <= observed[0]) continue;
    const int64_t near = known.values[0] / observed[0];
    for (int64_t divisor = std::max<int64_t>(2, near - 1); divisor <= near + 1; ++divisor) {
      const SymExpr q = exprs_.integer(divisor);
      const Values& x = known.values;
      if (has_values(observed, [&](size_t r) { return floor_quotient(x[r], divisor); }) &&
          add_if_equal(exprs_.floor_div(known.expr, q), observed, found))
        return;
      if (!has_values(observed, [&](size_t r) { return -floor_quotient(-x[r], divisor); }))
        continue;
      const SymExpr up = exprs_.add(known.expr, exprs_.integer(divisor - 1));
      if (add_if_equal(exprs_.floor_div(up, q), observed, found)) return;
    }
  }
}

/// Finds Min(x, n) and Max(x, n), and these plus a constant.
void SizeFit::find_bounded(const Values& observed, std::vector<SymExpr>& found) const {
  const auto [low, high] = std::minmax_element(observed.begin(), observed.end());
  for (const bool has_offset : {false, true}) {
    for (const Known& known : known_) {
      const auto [least, most] = std::minmax_element(known.values.begin(), known.values.end());
      for (const bool is_min : {true, false}) {
        const absl::int128 offset =
            is_min ? absl::int128(*low) - *least : absl::int128(*high) - *most;
        const absl::int128 bound = (is_min ? *high : *low) - offset;
        const bool is_bounded = is_min ? *most > bound : *least < bound;
        if (!is_bounded || has_offset != (offset != 0) || !fits_int(offset) || !fits_int(bound))
          continue;
        const SymExpr limit = exprs_.integer(static_cast<int64_t>(bound));
        const SymExpr value =
            is_min ? exprs_.min(known.expr, limit) : exprs_.max(known.expr, limit);
        const SymExpr constant = exprs_.integer(static_cast<int64_t>(offset));
        if (add_if_equal(exprs_.add(value, constant), observed, found)) return;
      }
    }
  }
}

/// Finds c*x*y.
void SizeFit::find_product(const Values& observed, std::vector<SymExpr>& found) const {
  const size_t count = std::min(known_.size(), kMaxPairs);
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i; j < count; ++j) {
      const absl::int128 product =
          static_cast<absl::int128>(known_[i].values[0]) * known_[j].values[0];
      if (product == 0 || observed[0] % product != 0 || observed[0] == 0) continue;
      const absl::int128 factor = observed[0] / product;
      const auto product_of = [&](size_t r) {
        const absl::int128 part = factor * known_[i].values[r];
        return fits_int(part) ? part * known_[j].values[r] : part;  // no product overflows
      };
      if (!fits_int(factor) || !has_values(observed, product_of)) continue;
      const SymExpr factors[] = {exprs_.integer(static_cast<int64_t>(factor)), known_[i].expr,
                                 known_[j].expr};
      if (add_if_equal(exprs_.mul(factors), observed, found)) return;
    }
  }
}

/// Finds a*x + b*y + c. Three runs determine the coefficients; at least one more must confirm them.
void SizeFit::find_sum(const Values& observed, std::vector<SymExpr>& found) const {
  if (observed.size() < 4) return;
  const size_t count = std::min(known_.size(), kMaxPairs);
  const auto difference = [](const Values& v, size_t i) {
    return static_cast<absl::int128>(v[i]) - v[0];
  };
  const absl::int128 w1 = difference(observed, 1), w2 = difference(observed, 2);
  for (size_t i = 0; i < count; ++i) {
    const Values& x = known_[i].values;
    for (size_t j = i + 1; j < count; ++j) {
      const Values& y = known_[j].values;
      const absl::int128 x1 = difference(x, 1), x2 = difference(x, 2), y1 = difference(y, 1),
                         y2 = difference(y, 2);
      const absl::int128 determinant = x1 * y2 - x2 * y1;
      if (determinant == 0) continue;
      const absl::int128 a = w1 * y2 - w2 * y1, b = x1 * w2 - x2 * w1;
      if (a % determinant != 0 || b % determinant != 0 || a == 0 || b == 0) continue;
      const absl::int128 c = observed[0] - a / determinant * x[0] - b / determinant * y[0];
      if (!fits_int(a / determinant) || !fits_int(b / determinant) || !fits_int(c)) continue;
      if (!has_values(observed, [&](size_t r) {
            return a / determinant * x[r] + b / determinant * y[r] + c;
          }))
        continue;
      const SymExpr terms[] = {
          exprs_.mul(exprs_.integer(static_cast<int64_t>(a / determinant)), known_[i].expr),
          exprs_.mul(exprs_.integer(static_cast<int64_t>(b / determinant)), known_[j].expr),
          exprs_.integer(static_cast<int64_t>(c))};
      if (add_if_equal(exprs_.add(terms), observed, found)) return;
    }
  }
}

SymExpr SizeFit::occurred(absl::Span<const int64_t> values) const {
  const auto known = by_values_.find(Values(values.begin(), values.end()));
  return known == by_values_.end() ? SymExpr() : known_[known->second].expr;
}

std::vector<SymExpr> SizeFit::integers(absl::Span<const int64_t> values) const {
  const Values observed(values.begin(), values.end());
  std::vector<SymExpr> found;
  if (const SymExpr known = occurred(values)) found.push_back(known);
  find_linear(observed, found);
  find_quotient(observed, found);
  if (found.empty()) find_bounded(observed, found);
  if (found.empty()) find_steps(observed, found);
  if (found.empty()) find_product(observed, found);
  if (found.empty()) find_sum(observed, found);
  return found;
}

std::vector<SymExpr> SizeFit::rivals(absl::Span<const int64_t> values) const {
  const Values observed(values.begin(), values.end());
  std::vector<SymExpr> found;
  if (const SymExpr known = occurred(values)) found.push_back(known);
  find_linear(observed, found);
  find_quotient(observed, found);
  find_bounded(observed, found);
  find_steps(observed, found);
  find_product(observed, found);
  find_sum(observed, found);
  return found;
}

bool SizeFit::is_certain(SymExpr expr) const {
  if (is_product(expr) || (seen_.contains(expr) && is_polynomial(expr))) return true;
  if (expr.kind() != SymKind::kAdd || expr.args().size() != 2) return false;
  const SymExpr a = expr.args()[0], b = expr.args()[1];
  const SymExpr term = a.is_int() ? b : a;
  return (a.is_int() || b.is_int()) && is_product(term) && free_symbols(term).size() == 1;
}

std::optional<FloatOfSize> SizeFit::floating(absl::Span<const double> values) const {
  constexpr FloatOfSize::Form kForms[] = {FloatOfSize::kQuotient, FloatOfSize::kProduct,
                                          FloatOfSize::kRoot, FloatOfSize::kInverseRoot};
  for (const double value : values)
    if (!std::isfinite(value) || value == 0) return std::nullopt;
  for (const FloatOfSize::Form form : kForms) {
    for (const Known& known : known_) {
      if (std::any_of(known.values.begin(), known.values.end(), [](int64_t n) { return n <= 0; }))
        continue;
      for (const double factor : constants_near(factor_of(form, values[0], known.values[0]))) {
        bool equal = true;
        for (size_t r = 0; r < values.size() && equal; ++r)
          equal = value_of(form, factor, known.values[r]) == values[r];
        if (equal) return FloatOfSize{form, factor, known.expr};
      }
    }
  }
  return std::nullopt;
}

std::string sizes_text(const SymBindings& sizes) {
  std::vector<std::string> texts;
  for (const auto& [symbol, value] : sizes)
    texts.push_back(fmt::format("{}={}", symbol.str(), value.int_value()));
  std::sort(texts.begin(), texts.end());
  std::string text;
  for (const std::string& item : texts) text += (text.empty() ? "" : ", ") + item;
  return text;
}

}  // namespace fx
