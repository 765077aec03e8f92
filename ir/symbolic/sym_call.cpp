// Canonical minimum and maximum, relations, logic and calls of symbolic expressions, and the table
// of functions in torch's SymPy strings.
#include "fx/ir/support/check.h"
#include "fx/ir/symbolic/sym_expr_internal.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>

namespace fx {
namespace internal {
namespace {

constexpr uint8_t kAnyNumber = 255;
constexpr int kLow = 35;  // torch's precedence, below sums

// Sorted by name, for binary search.
constexpr SymFunctionInfo kFunctions[] = {
    {"Abs", SymFunction::kAbs, 1, 1, SymValueKind::kUnknown, kPrecedenceCall},
    {"And", SymFunction::kAnd, 0, kAnyNumber, SymValueKind::kBool, kPrecedenceAnd},
    {"BitwiseFn_bitwise_and", SymFunction::kBitAnd, 2, 2, SymValueKind::kInt, 38},
    {"BitwiseFn_bitwise_or", SymFunction::kBitOr, 2, 2, SymValueKind::kInt, 36},
    {"BitwiseFn_bitwise_xor", SymFunction::kBitXor, 2, 2, SymValueKind::kInt, 37},
    {"CeilDiv", SymFunction::kCeilDiv, 2, 2, SymValueKind::kInt, kPrecedenceCall},
    {"CeilToInt", SymFunction::kCeilToInt, 1, 1, SymValueKind::kInt, kPrecedenceCall},
    {"CleanDiv", SymFunction::kFloorDiv, 2, 2, SymValueKind::kInt, kLow},
    {"Eq", SymFunction::kEq, 2, 2, SymValueKind::kBool, kPrecedenceMul},
    {"FloatPow", SymFunction::kFloatPow, 2, 2, SymValueKind::kFloat, kPrecedencePow},
    {"FloatTrueDiv", SymFunction::kFloatTrueDiv, 2, 2, SymValueKind::kFloat, kLow},
    {"FloorDiv", SymFunction::kFloorDiv, 2, 2, SymValueKind::kInt, kLow},
    {"FloorToInt", SymFunction::kFloorToInt, 1, 1, SymValueKind::kInt, kPrecedenceCall},
    {"Ge", SymFunction::kGe, 2, 2, SymValueKind::kBool, kPrecedenceRelational},
    {"Gt", SymFunction::kGt, 2, 2, SymValueKind::kBool, kPrecedenceRelational},
    {"Identity", SymFunction::kIdentity, 1, 1, SymValueKind::kUnknown, 10},
    {"IntTrueDiv", SymFunction::kIntTrueDiv, 2, 2, SymValueKind::kFloat, kLow},
    {"LShift", SymFunction::kLShift, 2, 2, SymValueKind::kInt, kPrecedenceCall},
    {"Le", SymFunction::kLe, 2, 2, SymValueKind::kBool, kPrecedenceRelational},
    {"Lt", SymFunction::kLt, 2, 2, SymValueKind::kBool, kPrecedenceRelational},
    {"Max", SymFunction::kMax, 1, kAnyNumber, SymValueKind::kUnknown, kPrecedenceAtom},
    {"Min", SymFunction::kMin, 1, kAnyNumber, SymValueKind::kUnknown, kPrecedenceAtom},
    {"Mod", SymFunction::kMod, 2, 2, SymValueKind::kInt, kLow},
    {"ModularIndexing", SymFunction::kModularIndexing, 3, 3, SymValueKind::kInt, kLow},
    {"Ne", SymFunction::kNe, 2, 2, SymValueKind::kBool, kPrecedenceMul},
    {"Not", SymFunction::kNot, 1, 1, SymValueKind::kBool, kPrecedenceNot},
    {"OpaqueUnaryFn_acos", SymFunction::kAcos, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_asin", SymFunction::kAsin, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_asinh", SymFunction::kAsinh, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_atan", SymFunction::kAtan, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_cos", SymFunction::kCos, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_cosh", SymFunction::kCosh, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_exp", SymFunction::kExp, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_log", SymFunction::kLog, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_log2", SymFunction::kLog2, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_sin", SymFunction::kSin, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_sinh", SymFunction::kSinh, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_sqrt", SymFunction::kSqrt, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_tan", SymFunction::kTan, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"OpaqueUnaryFn_tanh", SymFunction::kTanh, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"Or", SymFunction::kOr, 0, kAnyNumber, SymValueKind::kBool, kPrecedenceOr},
    {"Piecewise", SymFunction::kPiecewise, 1, kAnyNumber, SymValueKind::kUnknown, kPrecedenceCall},
    {"Pow", SymFunction::kPow, 2, 2, SymValueKind::kUnknown, kPrecedencePow},
    {"PowByNatural", SymFunction::kPowByNatural, 2, 2, SymValueKind::kInt, kPrecedenceMul},
    {"PythonMod", SymFunction::kMod, 2, 2, SymValueKind::kInt, kLow},
    {"RShift", SymFunction::kRShift, 2, 2, SymValueKind::kInt, kPrecedenceCall},
    {"RoundDecimal", SymFunction::kRoundDecimal, 2, 2, SymValueKind::kFloat, kPrecedenceCall},
    {"RoundToInt", SymFunction::kRoundToInt, 1, 1, SymValueKind::kInt, kPrecedenceCall},
    {"ToFloat", SymFunction::kToFloat, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"TruncToFloat", SymFunction::kTruncToFloat, 1, 1, SymValueKind::kFloat, kPrecedenceCall},
    {"TruncToInt", SymFunction::kTruncToInt, 1, 1, SymValueKind::kInt, kPrecedenceCall},
    {"Where", SymFunction::kWhere, 3, 3, SymValueKind::kUnknown, kLow},
    {"ceiling", SymFunction::kCeilToInt, 1, 1, SymValueKind::kInt, kPrecedenceCall},
    {"floor", SymFunction::kFloorToInt, 1, 1, SymValueKind::kInt, kPrecedenceCall},
    {"int_oo", SymFunction::kIntInfinity, 0, 0, SymValueKind::kInt, kPrecedenceAtom},
    {"sqrt", SymFunction::kSquareRoot, 1, 1, SymValueKind::kFloat, kPrecedencePow},
};
static_assert(std::is_sorted(std::begin(kFunctions), std::end(kFunctions),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));

}  // namespace

const SymFunctionInfo* find_function(std::string_view name) {
  const auto* found = std::lower_bound(
      std::begin(kFunctions), std::end(kFunctions), name,
      [](const SymFunctionInfo& info, std::string_view n) { return info.name < n; });
  return found != std::end(kFunctions) && found->name == name ? found : nullptr;
}

int call_precedence(SymExpr call) {
  if (call.data()->function == 0) return kPrecedenceCall;
  return find_function(call.name().str())->precedence;
}

}  // namespace internal

namespace {

using internal::Number;
using internal::SymFunction;
using Exprs = llvm::SmallVector<SymExpr, 8>;

bool before(SymExpr a, SymExpr b) { return compare_order(a, b) < 0; }

void sort_unique(Exprs& operands) {
  std::sort(operands.begin(), operands.end(), before);
  operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
}

/// The operands, with nested expressions of `kind` replaced by their operands.
Exprs flatten(SymKind kind, absl::Span<const SymExpr> operands) {
  Exprs result;
  for (SymExpr operand : operands) {
    const SymExpr e = operand.canonical();
    if (e.kind() == kind)
      result.append(e.args().begin(), e.args().end());
    else
      result.push_back(e);
  }
  return result;
}

SymExpr without_constant(SymExprTable& table, SymExpr e, Number& constant) {
  constant = Number::integer(0);
  if (e.kind() != SymKind::kAdd || !internal::is_number(e.args().back())) return e;
  constant = internal::number_of(e.args().back());
  return table.add(e.args().subspan(0, e.args().size() - 1));
}

/// Keeps only the largest (`sign` 1) or smallest (-1) of operands that differ by a constant.
void keep_extremes(SymExprTable& table, int sign, Exprs& operands) {
  struct Entry {
    SymExpr operand;
    SymExpr rest = {};
    Number constant = {};
  };
  llvm::SmallVector<Entry, 8> entries;
  for (SymExpr operand : operands) {
    Entry entry{.operand = operand};
    if (internal::is_number(operand))
      entry.constant = internal::number_of(operand);
    else if (internal::is_exact(operand))
      entry.rest = without_constant(table, operand, entry.constant);
    else
      entry.rest = operand;
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [sign](const Entry& a, const Entry& b) {
    if (a.rest != b.rest) return a.rest && (!b.rest || before(a.rest, b.rest));
    return sign * internal::compare_value(a.constant, b.constant) > 0;
  });
  operands.clear();
  for (size_t i = 0; i < entries.size(); ++i)
    if (i == 0 || entries[i].rest != entries[i - 1].rest) operands.push_back(entries[i].operand);
}

SymExpr extreme(SymExprTable& table, SymExprTable::Impl& impl, SymKind kind,
                absl::Span<const SymExpr> operands) {
  FX_CHECK(!operands.empty(), "min and max must have an operand");
  if (const SymExpr undefined = internal::first_undefined(operands)) return undefined;
  Exprs args = flatten(kind, operands);
  keep_extremes(table, kind == SymKind::kMax ? 1 : -1, args);
  sort_unique(args);
  if (args.size() == 1) return args[0];
  SymValueKind value_kind = SymValueKind::kInt;
  for (SymExpr arg : args) value_kind = std::max(value_kind, arg.value_kind());
  if (value_kind == SymValueKind::kBool) value_kind = SymValueKind::kInt;
  return impl.intern({.kind = kind, .value_kind = value_kind, .args = args});
}

SymKind mirrored(SymKind relation) {
  switch (relation) {
    case SymKind::kLt:
      return SymKind::kGt;
    case SymKind::kLe:
      return SymKind::kGe;
    case SymKind::kGt:
      return SymKind::kLt;
    case SymKind::kGe:
      return SymKind::kLe;
    default:
      return relation;
  }
}

SymKind negated(SymKind relation) {
  switch (relation) {
    case SymKind::kEq:
      return SymKind::kNe;
    case SymKind::kNe:
      return SymKind::kEq;
    case SymKind::kLt:
      return SymKind::kGe;
    case SymKind::kLe:
      return SymKind::kGt;
    case SymKind::kGt:
      return SymKind::kLe;
    default:
      return SymKind::kLt;
  }
}

bool holds(SymKind relation, int order) {
  switch (relation) {
    case SymKind::kEq:
      return order == 0;
    case SymKind::kNe:
      return order != 0;
    case SymKind::kLt:
      return order < 0;
    case SymKind::kLe:
      return order <= 0;
    case SymKind::kGt:
      return order > 0;
    default:
      return order >= 0;
  }
}

bool is_relation(SymKind kind) { return kind >= SymKind::kEq && kind <= SymKind::kGe; }

bool is_nan(SymExpr e) { return e.kind() == SymKind::kFloat && e.float_value() != e.float_value(); }

SymExpr connect(SymExprTable& table, SymExprTable::Impl& impl, SymKind kind,
                absl::Span<const SymExpr> operands) {
  if (const SymExpr undefined = internal::first_undefined(operands)) return undefined;
  const bool neutral = kind == SymKind::kAnd;
  Exprs args;
  for (SymExpr e : flatten(kind, operands)) {
    if (e.kind() != SymKind::kBool) {
      args.push_back(e);
    } else if ((e.int_value() != 0) != neutral) {
      return e;
    }
  }
  sort_unique(args);
  if (args.empty()) return table.boolean(neutral);
  if (args.size() == 1) return args[0];
  return impl.intern({.kind = kind, .value_kind = SymValueKind::kBool, .args = args});
}

}  // namespace

SymExpr SymExprTable::min(absl::Span<const SymExpr> operands) {
  return extreme(*this, *impl_, SymKind::kMin, operands);
}
SymExpr SymExprTable::max(absl::Span<const SymExpr> operands) {
  return extreme(*this, *impl_, SymKind::kMax, operands);
}
SymExpr SymExprTable::min(SymExpr a, SymExpr b) {
  return internal::memoized(impl_->id, SymKind::kMin, a, b, [&] {
    const SymExpr operands[] = {a, b};
    return min(operands);
  });
}
SymExpr SymExprTable::max(SymExpr a, SymExpr b) {
  return internal::memoized(impl_->id, SymKind::kMax, a, b, [&] {
    const SymExpr operands[] = {a, b};
    return max(operands);
  });
}

SymExpr SymExprTable::compare(SymKind relation, SymExpr a, SymExpr b) {
  FX_CHECK(is_relation(relation), "compare() accepts kEq ... kGe");
  return internal::memoized(impl_->id, relation, a, b, [this, relation, a, b]() mutable -> SymExpr {
    if (a.is_undefined()) return a;
    if (b.is_undefined()) return b;
    a = a.canonical();
    b = b.canonical();
    if (is_nan(a) || is_nan(b)) return boolean(relation == SymKind::kNe);
    if (a.kind() == SymKind::kBool && b.kind() == SymKind::kBool)
      return boolean(holds(relation, static_cast<int>(a.int_value() - b.int_value())));
    if (internal::is_number(a) && internal::is_number(b))
      return boolean(
          holds(relation, internal::compare_value(internal::number_of(a), internal::number_of(b))));
    // Numbers go to the right, other operands are sorted, and one order of subtraction may
    // overflow when the other does not.
    if (internal::is_number(a) || (!internal::is_number(b) && before(b, a))) {
      std::swap(a, b);
      relation = mirrored(relation);
    }
    if (internal::is_exact(a) && internal::is_exact(b)) {
      const SymExpr difference = sub(a, b);
      if (internal::is_number(difference)) {
        return boolean(holds(relation, internal::compare_value(internal::number_of(difference),
                                                               Number::integer(0))));
      }
    }
    const SymExpr args[] = {a, b};
    return impl_->intern({.kind = relation, .value_kind = SymValueKind::kBool, .args = args});
  });
}

SymExpr SymExprTable::logical_and(absl::Span<const SymExpr> operands) {
  return connect(*this, *impl_, SymKind::kAnd, operands);
}
SymExpr SymExprTable::logical_or(absl::Span<const SymExpr> operands) {
  return connect(*this, *impl_, SymKind::kOr, operands);
}
SymExpr SymExprTable::logical_not(SymExpr a) {
  if (a.is_undefined()) return a;
  a = a.canonical();
  if (a.kind() == SymKind::kBool) return boolean(a.int_value() == 0);
  if (a.kind() == SymKind::kNot) return a.args()[0];
  if (is_relation(a.kind())) return compare(negated(a.kind()), a.args()[0], a.args()[1]);
  return impl_->intern({.kind = SymKind::kNot, .value_kind = SymValueKind::kBool, .args = {&a, 1}});
}

SymExpr SymExprTable::tuple(absl::Span<const SymExpr> items) {
  if (const SymExpr undefined = internal::first_undefined(items)) return undefined;
  const Exprs args = flatten(SymKind::kSpelled, items);  // no operand has this kind: copies only
  return impl_->intern(
      {.kind = SymKind::kTuple, .value_kind = SymValueKind::kUnknown, .args = args});
}

// ---------------------------------------------------------------- calls

namespace {

bool all_constant(absl::Span<const SymExpr> args) {
  return std::all_of(args.begin(), args.end(), [](SymExpr e) { return e.is_constant(); });
}

/// The value kind of a call, which may depend on the arguments.
SymValueKind call_value_kind(const internal::SymFunctionInfo& info,
                             absl::Span<const SymExpr> args) {
  switch (info.function) {
    case SymFunction::kAbs:
      return args[0].value_kind();
    case SymFunction::kWhere:
      return args[1].value_kind() == args[2].value_kind() ? args[1].value_kind()
                                                          : SymValueKind::kUnknown;
    case SymFunction::kBitAnd:
    case SymFunction::kBitOr:
    case SymFunction::kBitXor:
      return args[0].value_kind() == args[1].value_kind() ? args[0].value_kind()
                                                          : SymValueKind::kInt;
    default:
      return info.value_kind;
  }
}

/// The result of a function with a builder; for other functions, a form without a call, or null.
SymExpr build_call(SymExprTable& table, SymFunction function, absl::Span<const SymExpr> args) {
  const auto natural = [](SymExpr e) { return e.is_int() && e.int_value() >= 0; };
  switch (function) {
    case SymFunction::kFloorDiv:
      return table.floor_div(args[0], args[1]);
    case SymFunction::kCeilDiv:
      return table.neg(table.floor_div(table.neg(args[0]), args[1]));
    case SymFunction::kMod:
      return table.mod(args[0], args[1]);
    case SymFunction::kModularIndexing:
      return table.mod(table.floor_div(args[0], args[1]), args[2]);
    case SymFunction::kMin:
      return table.min(args);
    case SymFunction::kMax:
      return table.max(args);
    case SymFunction::kPow:
      return table.pow(args[0], args[1]);
    case SymFunction::kSquareRoot:
      return table.pow(args[0], table.rational(1, 2));
    case SymFunction::kIdentity:
      return args[0];
    case SymFunction::kEq:
      return table.compare(SymKind::kEq, args[0], args[1]);
    case SymFunction::kNe:
      return table.compare(SymKind::kNe, args[0], args[1]);
    case SymFunction::kLt:
      return table.compare(SymKind::kLt, args[0], args[1]);
    case SymFunction::kLe:
      return table.compare(SymKind::kLe, args[0], args[1]);
    case SymFunction::kGt:
      return table.compare(SymKind::kGt, args[0], args[1]);
    case SymFunction::kGe:
      return table.compare(SymKind::kGe, args[0], args[1]);
    case SymFunction::kAnd:
      return table.logical_and(args);
    case SymFunction::kOr:
      return table.logical_or(args);
    case SymFunction::kNot:
      return table.logical_not(args[0]);
    case SymFunction::kPowByNatural:
      return natural(args[1]) ? table.pow(args[0], args[1]) : SymExpr();
    case SymFunction::kLShift:
    case SymFunction::kRShift: {
      if (!natural(args[1])) return SymExpr();
      const SymExpr power = table.pow(table.integer(2), args[1]);
      return function == SymFunction::kLShift ? table.mul(args[0], power)
                                              : table.floor_div(args[0], power);
    }
    case SymFunction::kTruncToInt:
    case SymFunction::kFloorToInt:
    case SymFunction::kCeilToInt:
    case SymFunction::kRoundToInt:
      return internal::is_integer(args[0]) ? args[0] : SymExpr();
    case SymFunction::kWhere:
      if (args[0].kind() == SymKind::kBool) return args[0].int_value() != 0 ? args[1] : args[2];
      return SymExpr();
    default:
      return SymExpr();
  }
}

}  // namespace

SymExpr SymExprTable::call(std::string_view function, absl::Span<const SymExpr> operands) {
  if (const SymExpr undefined = internal::first_undefined(operands)) return undefined;
  FX_CHECK(internal::is_plain_name(function) || function == "int_oo",
           "a function name must consist of words joined by dots");
  const Exprs args = flatten(SymKind::kSpelled, operands);
  internal::SymExprKey key{.kind = SymKind::kCall,
                           .value_kind = SymValueKind::kUnknown,
                           .name = symbols_.intern(function),
                           .args = args};
  const internal::SymFunctionInfo* info = internal::find_function(function);
  const bool fits = info && args.size() >= info->min_args &&
                    (args.size() <= info->max_args || info->max_args == internal::kAnyNumber);
  if (!fits) return impl_->intern(key);
  if (const SymExpr built = build_call(*this, info->function, args)) return built;
  key.value_kind = call_value_kind(*info, args);
  key.function = static_cast<uint8_t>(info->function);
  const SymExpr result = impl_->intern(key);
  if (args.empty() || !all_constant(args) || result.is_undefined()) return result;
  const absl::StatusOr<SymValue> value = evaluate(result, {});
  if (!value.ok()) return result;  // a domain error: evaluation reports it
  switch (value->kind()) {
    case SymValueKind::kInt:
      return integer(value->int_value());
    case SymValueKind::kReal:
      return rational(value->int_value(), value->denominator());
    case SymValueKind::kBool:
      return boolean(value->int_value() != 0);
    default:
      return real(value->as_float());
  }
}

}  // namespace fx
