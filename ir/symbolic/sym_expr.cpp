// Symbolic expressions: nodes, interning, order and substitution. The builders are in sym_build.cpp
// and sym_call.cpp, evaluation in sym_eval.cpp, text in sym_text.cpp.
#include "fx/ir/symbolic/sym_expr.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <new>

namespace fx {

using internal::Number;
using internal::UndefinedReason;

namespace internal {
namespace {

constexpr SymExprData undefined_data(UndefinedReason reason) {
  SymExprData data;
  data.function = static_cast<uint8_t>(reason);
  return data;
}
// Shared by all tables, because arithmetic on integers alone can also fail.
constexpr SymExprData kUndefined[kNumUndefinedReasons] = {
    undefined_data(UndefinedReason::kOverflow), undefined_data(UndefinedReason::kDivisionByZero),
    undefined_data(UndefinedReason::kTooDeep), undefined_data(UndefinedReason::kTooLarge)};

}  // namespace

SymExpr undefined_expr(UndefinedReason reason) {
  return SymExpr(&kUndefined[static_cast<size_t>(reason)]);
}

std::string_view undefined_reason_name(UndefinedReason reason) {
  switch (reason) {
    case UndefinedReason::kOverflow:
      return "overflow";
    case UndefinedReason::kDivisionByZero:
      return "division_by_zero";
    case UndefinedReason::kTooDeep:
      return "too_deep";
    case UndefinedReason::kTooLarge:
      return "too_large";
  }
  FX_UNREACHABLE("UndefinedReason");
}

Number number_of(SymExpr constant) {
  if (constant.kind() == SymKind::kFloat) return Number::real(constant.float_value());
  return {.numerator = constant.int_value(), .denominator = constant.denominator()};
}

}  // namespace internal

absl::Status SymExpr::status() const {
  if (!is_undefined()) return absl::OkStatus();
  switch (static_cast<UndefinedReason>(data_->function)) {
    case UndefinedReason::kOverflow:
      return absl::OutOfRangeError("a size, stride or offset does not fit in 64 bits");
    case UndefinedReason::kDivisionByZero:
      return absl::InvalidArgumentError("a size, stride or offset is divided by zero");
    case UndefinedReason::kTooDeep:
      return absl::ResourceExhaustedError(fmt::format(
          "a symbolic expression is nested more than {} levels deep", kMaxSymExprDepth));
    case UndefinedReason::kTooLarge:
      return absl::ResourceExhaustedError(
          fmt::format("a symbolic expression has more than {} nodes", kMaxSymExprSize));
  }
  FX_UNREACHABLE("UndefinedReason");
}

// ---------------------------------------------------------------- interning

uint64_t internal::new_table_id() {
  static std::atomic<uint64_t> last = 0;
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

SymExpr SymExprTable::Impl::intern(const internal::SymExprKey& key) {
  uint64_t hash = static_cast<uint64_t>(key.kind) << 8 | key.function;
  hash = internal::hash_mix(hash, key.name.id());
  hash = internal::hash_mix(hash, static_cast<uint64_t>(key.number));
  if (key.denominator != 1) hash = internal::hash_mix(hash, static_cast<uint64_t>(key.denominator));
  int depth = 0;
  uint64_t tree_size = 1;
  for (SymExpr arg : key.args) {
    FX_DCHECK(arg.table() == table, "the expression must be in this table");
    FX_DCHECK(arg == arg.canonical() || key.kind == SymKind::kSpelled);
    hash = internal::hash_mix(hash, arg.data()->hash);
    depth = std::max(depth, arg.depth());
    tree_size += arg.data()->tree_size;
  }
  if (depth + 1 > kMaxSymExprDepth) return internal::undefined_expr(UndefinedReason::kTooDeep);
  if (tree_size > kMaxSymExprSize) return internal::undefined_expr(UndefinedReason::kTooLarge);
  const auto hash32 = static_cast<uint32_t>(hash ^ hash >> 32);
  const auto equal = [&](const SymExprData& data) {
    return data.kind == key.kind && data.function == key.function && data.name == key.name &&
           data.number == key.number && data.denominator == key.denominator &&
           data.num_args == key.args.size() &&
           std::equal(key.args.begin(), key.args.end(), data.args());
  };
  return SymExpr(nodes.find_or_make(hash32, equal, [&](internal::Arena& arena) {
    void* memory = arena.allocate(sizeof(SymExprData) + key.args.size_bytes());
    auto* data = new (memory) SymExprData{.kind = key.kind,
                                          .value_kind = key.value_kind,
                                          .function = key.function,
                                          .depth = static_cast<uint16_t>(depth + 1),
                                          .hash = hash32,
                                          .tree_size = static_cast<uint32_t>(tree_size),
                                          .num_args = static_cast<uint32_t>(key.args.size()),
                                          .name = key.name,
                                          .number = key.number,
                                          .denominator = key.denominator,
                                          .table = table};
    std::uninitialized_copy(key.args.begin(), key.args.end(), reinterpret_cast<SymExpr*>(data + 1));
    return data;
  }));
}

SymExpr SymExprTable::Impl::number(const Number& value) {
  if (!value.is_float) {
    const bool whole = value.denominator == 1;
    return intern({.kind = whole ? SymKind::kInt : SymKind::kRational,
                   .value_kind = whole ? SymValueKind::kInt : SymValueKind::kReal,
                   .number = value.numerator,
                   .denominator = value.denominator});
  }
  double real = value.value;
  if (std::isnan(real)) real = std::numeric_limits<double>::quiet_NaN();  // one NaN for all
  return intern({.kind = SymKind::kFloat,
                 .value_kind = SymValueKind::kFloat,
                 .number = std::bit_cast<int64_t>(real)});
}

SymExprTable::SymExprTable(SymbolTable& symbols)
    : symbols_(symbols), impl_(std::make_unique<Impl>()) {
  impl_->table = this;
}
SymExprTable::~SymExprTable() = default;

size_t SymExprTable::size() const { return impl_->nodes.size(); }

SymExpr SymExprTable::integer(int64_t value) { return impl_->number(Number::integer(value)); }
SymExpr SymExprTable::real(double value) { return impl_->number(Number::real(value)); }
SymExpr SymExprTable::boolean(bool value) {
  return impl_->intern(
      {.kind = SymKind::kBool, .value_kind = SymValueKind::kBool, .number = value});
}

SymExpr SymExprTable::rational(int64_t numerator, int64_t denominator) {
  if (denominator == 0) return internal::undefined_expr(UndefinedReason::kDivisionByZero);
  Number value;
  if (!internal::make_fraction(value, numerator, denominator))
    return internal::undefined_expr(UndefinedReason::kOverflow);
  return impl_->number(value);
}

SymExpr SymExprTable::symbol(Symbol name) {
  const std::string_view text = name.str();
  const bool is_float = text.starts_with("zf") || text.starts_with("zuf");
  return impl_->intern({.kind = SymKind::kSymbol,
                        .value_kind = is_float ? SymValueKind::kFloat : SymValueKind::kInt,
                        .name = name});
}

// ---------------------------------------------------------------- order

namespace {

// SymPy sorts classes by (group, rank, name).
struct ClassKey {
  int group;
  int rank;
  std::string_view name;

  friend auto operator<=>(const ClassKey&, const ClassKey&) = default;
};

ClassKey class_key(SymExpr e) {
  switch (e.kind()) {
    case SymKind::kInt:
    case SymKind::kRational:
    case SymKind::kFloat:
      return {1, 0, "Number"};
    case SymKind::kSymbol:
      return {2, 0, "Symbol"};
    case SymKind::kMul:
      return {3, 0, "Mul"};
    case SymKind::kAdd:
      return {3, 1, "Add"};
    case SymKind::kPow:
      return {3, 2, "Pow"};
    case SymKind::kFloorDiv:
      return {4, 10000, "FloorDiv"};
    case SymKind::kMod:
      return {4, 10000, "Mod"};
    case SymKind::kCall:
      return {4, 10000, e.name().str()};
    case SymKind::kMin:
      return {5, 0, "Min"};
    case SymKind::kMax:
      return {5, 0, "Max"};
    case SymKind::kEq:
      return {5, 0, "Equality"};
    case SymKind::kNe:
      return {5, 0, "Unequality"};
    case SymKind::kLt:
      return {5, 0, "StrictLessThan"};
    case SymKind::kLe:
      return {5, 0, "LessThan"};
    case SymKind::kGt:
      return {5, 0, "StrictGreaterThan"};
    case SymKind::kGe:
      return {5, 0, "GreaterThan"};
    case SymKind::kAnd:
      return {5, 0, "And"};
    case SymKind::kOr:
      return {5, 0, "Or"};
    case SymKind::kNot:
      return {5, 0, "Not"};
    case SymKind::kBool:
      return {5, 0, e.int_value() != 0 ? "BooleanTrue" : "BooleanFalse"};
    case SymKind::kTuple:
      return {5, 0, "Tuple"};
    case SymKind::kSpelled:
    case SymKind::kUndefined:
      break;
  }
  FX_UNREACHABLE("expressions must be canonical and defined");
}

int sign_of(std::strong_ordering order) { return order < 0 ? -1 : order > 0; }

// Compares by value. A float comes after an equal exact number, so that different numbers never
// compare equal.
int compare_numbers(const Number& a, const Number& b) {
  if (const int order = internal::compare_value(a, b)) return order;
  if (a.is_float != b.is_float) return a.is_float ? 1 : -1;
  return static_cast<int>(std::signbit(b.value)) - static_cast<int>(std::signbit(a.value));
}

// An expression as coefficient * base**exponent. The base is one expression, or the product of
// `factors` if there is more than one.
struct Parts {
  Number coefficient = Number::integer(1);
  SymExpr base;
  absl::Span<const SymExpr> factors;
  SymExpr exponent;  // null: 1
};

Parts split(SymExpr e) {
  Parts parts;
  parts.base = e;
  if (e.kind() == SymKind::kMul) {
    parts.factors = e.args();
    if (internal::is_number(parts.factors[0])) {
      parts.coefficient = internal::number_of(parts.factors[0]);
      parts.factors.remove_prefix(1);
    }
    if (parts.factors.size() > 1) return parts;
    parts.base = parts.factors[0];
    parts.factors = {};
  }
  if (parts.base.kind() == SymKind::kPow) {
    parts.exponent = parts.base.args()[1];
    parts.base = parts.base.args()[0];
  }
  return parts;
}

int compare_lists(absl::Span<const SymExpr> a, absl::Span<const SymExpr> b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (size_t i = 0; i < a.size(); ++i)
    if (const int order = compare_order(a[i], b[i])) return order;
  return 0;
}

bool is_atom(SymExpr e) { return internal::is_number(e) || e.is_symbol(); }

int compare_bases(const Parts& a, const Parts& b) {
  if (a.base == b.base) return 0;
  if (const int order = sign_of(class_key(a.base) <=> class_key(b.base))) return order;
  if (a.base.is_symbol()) return sign_of(a.base.name().str() <=> b.base.name().str());
  if (is_atom(a.base))
    return compare_numbers(internal::number_of(a.base), internal::number_of(b.base));
  return compare_lists(a.factors.empty() ? a.base.args() : a.factors,
                       b.factors.empty() ? b.base.args() : b.factors);
}

// A missing exponent is 1.
int compare_exponents(SymExpr a, SymExpr b) {
  if (a == b) return 0;
  const Number one = Number::integer(1);
  if (!a) return internal::is_number(b) ? compare_numbers(one, internal::number_of(b)) : -1;
  if (!b) return -compare_exponents(b, a);
  return compare_order(a, b);
}

}  // namespace

int compare_order(SymExpr a, SymExpr b) {
  if (a == b) return 0;
  const bool a_number = internal::is_number(a);
  const bool b_number = internal::is_number(b);
  if (a_number && b_number) return compare_numbers(internal::number_of(a), internal::number_of(b));
  if (a_number != b_number) return a_number ? -1 : 1;
  const Parts left = split(a);
  const Parts right = split(b);
  if (const int order = compare_bases(left, right)) return order;
  if (const int order = compare_exponents(left.exponent, right.exponent)) return order;
  return compare_numbers(left.coefficient, right.coefficient);
}

namespace internal {
namespace {

// A factor as generator**power; only integer powers are split off.
struct Generator {
  SymExpr base;
  int64_t power;
};

Generator generator_of(SymExpr factor) {
  if (factor.kind() == SymKind::kPow && factor.args()[1].is_int())
    return {factor.args()[0], factor.args()[1].int_value()};
  return {factor, 1};
}

absl::Span<const SymExpr> factors_of(const SymExpr& monomial) {
  if (!monomial) return {};
  if (monomial.kind() == SymKind::kMul) return monomial.args();
  return {&monomial, 1};
}

}  // namespace

int compare_monomials(SymExpr a, SymExpr b) {
  if (a == b) return 0;
  const absl::Span<const SymExpr> left = factors_of(a);
  const absl::Span<const SymExpr> right = factors_of(b);
  for (size_t i = 0;; ++i) {
    if (i == left.size() && i == right.size()) return 0;
    // The power of the first generator in which they differ decides: the higher one comes first.
    if (i == left.size()) return generator_of(right[i]).power > 0 ? 1 : -1;
    if (i == right.size()) return generator_of(left[i]).power > 0 ? -1 : 1;
    const Generator x = generator_of(left[i]);
    const Generator y = generator_of(right[i]);
    const int order = compare_order(x.base, y.base);
    if (order < 0) return x.power > 0 ? -1 : 1;
    if (order > 0) return y.power > 0 ? 1 : -1;
    if (x.power != y.power) return x.power > y.power ? -1 : 1;
  }
}

}  // namespace internal

// ---------------------------------------------------------------- walks

std::vector<Symbol> free_symbols(SymExpr expr) {
  absl::flat_hash_set<SymExpr> seen;
  std::vector<Symbol> result;
  llvm::SmallVector<SymExpr, 16> stack = {expr.canonical()};
  while (!stack.empty()) {
    const SymExpr e = stack.pop_back_val();
    if (e.is_symbol()) {
      if (seen.insert(e).second) result.push_back(e.name());
    } else if (!e.args().empty() && seen.insert(e).second) {
      stack.append(e.args().begin(), e.args().end());
    }
  }
  std::sort(result.begin(), result.end(), [](Symbol a, Symbol b) { return a.str() < b.str(); });
  return result;
}

namespace {

// Replaces symbols bottom up; each distinct node once. Depth is bounded by kMaxSymExprDepth.
class Substitution {
 public:
  Substitution(SymExprTable& table, const absl::flat_hash_map<Symbol, SymExpr>& values)
      : table_(table), values_(values) {}

  SymExpr apply(SymExpr e) {
    if (e.is_symbol()) {
      const auto found = values_.find(e.name());
      return found == values_.end() ? e : found->second.canonical();
    }
    if (e.args().empty()) return e;
    const auto done = done_.find(e);
    if (done != done_.end()) return done->second;
    llvm::SmallVector<SymExpr, 8> args;
    for (SymExpr arg : e.args()) args.push_back(apply(arg));
    const SymExpr result = rebuild(e, args);
    done_.emplace(e, result);
    return result;
  }

 private:
  SymExpr rebuild(SymExpr e, absl::Span<const SymExpr> args) {
    for (SymExpr arg : args)
      if (arg.is_undefined()) return arg;
    switch (e.kind()) {
      case SymKind::kAdd:
        return table_.add(args);
      case SymKind::kMul:
        return table_.mul(args);
      case SymKind::kPow:
        return table_.pow(args[0], args[1]);
      case SymKind::kFloorDiv:
        return table_.floor_div(args[0], args[1]);
      case SymKind::kMod:
        return table_.mod(args[0], args[1]);
      case SymKind::kMin:
        return table_.min(args);
      case SymKind::kMax:
        return table_.max(args);
      case SymKind::kEq:
      case SymKind::kNe:
      case SymKind::kLt:
      case SymKind::kLe:
      case SymKind::kGt:
      case SymKind::kGe:
        return table_.compare(e.kind(), args[0], args[1]);
      case SymKind::kAnd:
        return table_.logical_and(args);
      case SymKind::kOr:
        return table_.logical_or(args);
      case SymKind::kNot:
        return table_.logical_not(args[0]);
      case SymKind::kCall:
        return table_.call(e.name().str(), args);
      case SymKind::kTuple:
        return table_.tuple(args);
      default:
        FX_UNREACHABLE("leaves and spellings have been handled");
    }
  }

  SymExprTable& table_;
  const absl::flat_hash_map<Symbol, SymExpr>& values_;
  absl::flat_hash_map<SymExpr, SymExpr> done_;
};

}  // namespace

SymExpr SymExprTable::substitute(SymExpr expr, const absl::flat_hash_map<Symbol, SymExpr>& values) {
  return Substitution(*this, values).apply(expr.canonical());
}

}  // namespace fx
