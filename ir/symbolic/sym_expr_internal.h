// Shared by the sources of sym_expr.h: interning, the known functions, undefined results. Private
// to ir/.
#pragma once

#include "fx/ir/support/hash_mix.h"
#include "fx/ir/support/intern_set.h"
#include "fx/ir/support/recent_cache.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/symbolic/sym_number_internal.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace fx::internal {

/// The reason why an expression is undefined.
enum class UndefinedReason : uint8_t { kOverflow, kDivisionByZero, kTooDeep, kTooLarge };
inline constexpr int kNumUndefinedReasons = 4;

SymExpr undefined_expr(UndefinedReason reason);
std::string_view undefined_reason_name(UndefinedReason reason);  // "overflow", ...

/// The first undefined operand; null if none exists.
inline SymExpr first_undefined(std::span<const SymExpr> operands) {
  for (const SymExpr e : operands)
    if (e.is_undefined()) return e;
  return SymExpr();
}

/// Functions with a name in the table. Those starting with kFirstBuilt have a builder and never
/// occur in a call.
enum class SymFunction : uint8_t {
  kUnknown,
  kToFloat,
  kTruncToInt,
  kTruncToFloat,
  kFloorToInt,
  kCeilToInt,
  kRoundToInt,
  kRoundDecimal,
  kIntTrueDiv,
  kFloatTrueDiv,
  kFloatPow,
  kPowByNatural,
  kLShift,
  kRShift,
  kWhere,
  kPiecewise,
  kAbs,
  kBitAnd,
  kBitOr,
  kBitXor,
  kIntInfinity,
  kSqrt,
  kCos,
  kCosh,
  kSin,
  kSinh,
  kTan,
  kTanh,
  kAsin,
  kAcos,
  kAtan,
  kExp,
  kLog,
  kAsinh,
  kLog2,
  kFirstBuilt,
  kFloorDiv = kFirstBuilt,
  kCeilDiv,
  kMod,
  kModularIndexing,
  kMin,
  kMax,
  kPow,
  kSquareRoot,
  kIdentity,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,
  kNot,
};

struct SymFunctionInfo {
  std::string_view name;
  SymFunction function;
  uint8_t min_args;
  uint8_t max_args;  // 255: any number
  SymValueKind value_kind;
  int precedence;  // of SymPy's printer
};

/// True for words joined by dots, none of them a constant: a name of a symbol or function that
/// needs no quotes.
bool is_plain_name(std::string_view name);

/// The row of a known function, or null.
const SymFunctionInfo* find_function(std::string_view name);
/// The precedence of a call in SymPy's printer.
int call_precedence(SymExpr call);

// Precedences of SymPy's printer.
inline constexpr int kPrecedenceOr = 20;
inline constexpr int kPrecedenceAnd = 30;
inline constexpr int kPrecedenceRelational = 35;
inline constexpr int kPrecedenceAdd = 40;
inline constexpr int kPrecedenceMul = 50;
inline constexpr int kPrecedencePow = 60;
inline constexpr int kPrecedenceCall = 70;
inline constexpr int kPrecedenceNot = 100;
inline constexpr int kPrecedenceAtom = 1000;

/// True for int, rational and float constants.
inline bool is_number(SymExpr e) {
  return e.kind() == SymKind::kInt || e.kind() == SymKind::kRational || e.kind() == SymKind::kFloat;
}
/// The value of a constant; booleans count as 0 and 1.
Number number_of(SymExpr constant);
/// True if the expression has only integer values.
inline bool is_integer(SymExpr e) { return e.value_kind() == SymValueKind::kInt; }
/// True if arithmetic on the expression is exact.
inline bool is_exact(SymExpr e) {
  return e.value_kind() == SymValueKind::kInt || e.value_kind() == SymValueKind::kReal;
}

/// A term of a sum: coefficient times monomial; the constant has a null monomial.
struct SymTerm {
  Number coefficient;
  SymExpr monomial;
};

/// Compares terms by their order in a printed sum: by the powers of their factors, as in SymPy.
int compare_monomials(SymExpr a, SymExpr b);

/// The parts of a node.
struct SymExprKey {
  SymKind kind;
  SymValueKind value_kind;
  uint8_t function = 0;
  Symbol name = {};
  int64_t number = 0;
  int64_t denominator = 1;
  std::span<const SymExpr> args = {};
};

}  // namespace fx::internal

namespace fx {

namespace internal {

/// A positive number, unique in the process.
uint64_t new_table_id();

/// The result of `compute`, an operation on two expressions of the table with this id, cached for
/// the calling thread: shapes repeat, and the strides of equal sizes are the same products.
template <typename Compute>
SymExpr memoized(uint64_t table_id, SymKind operation, SymExpr a, SymExpr b, Compute compute) {
  struct Key {
    uint64_t table_id = 0;
    SymKind operation = SymKind::kUndefined;
    SymExpr a, b;
    bool operator==(const Key&) const = default;
  };
  struct IndexOfKey {
    size_t operator()(const Key& key) const {
      const uint64_t hash = hash_mix(key.table_id << 8 | static_cast<uint64_t>(key.operation),
                                     reinterpret_cast<uintptr_t>(key.a.data()));
      return hash_mix(hash, reinterpret_cast<uintptr_t>(key.b.data())) >> 20;
    }
  };
  thread_local RecentCache<Key, SymExpr, 512, IndexOfKey> results;
  return results.get({table_id, operation, a, b}, compute);
}

}  // namespace internal

struct SymExprTable::Impl {
  internal::InternSet<SymExprData> nodes;
  SymExprTable* table;
  uint64_t id = internal::new_table_id();

  /// Returns the node, which is created if it does not exist; undefined if it exceeds the limits.
  SymExpr intern(const internal::SymExprKey& key);
  SymExpr number(const internal::Number& value);
};

}  // namespace fx
