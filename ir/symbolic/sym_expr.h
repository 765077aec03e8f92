// Symbolic numbers: integer, float and boolean expressions over named symbols, as in the size
// `s77 + 1`.
//
// A SymExpr is a single pointer to an immutable, interned tree. It is created by
//
//   - the builders of SymExprTable, which return the canonical form: constants folded, sums and
//     products flattened, expanded and sorted. Expressions that are equal as polynomials over the
//     same atoms (symbols and calls) are one pointer, except that products whose expansion would
//     exceed kMaxExpandedTerms terms stay factored;
//   - parse(), which reads Python syntax as SymPy prints it. It returns the canonical form if the
//     canonical text is the input. If not (SymPy's expansion rules differ), it returns a *spelled*
//     node, whose text is the input and whose canonical() is the form for computing and comparing.
//
// Builders compute with canonical(), so that spellings do not propagate. Arithmetic does not return
// errors: after an overflow, a division by zero or a tree that exceeds the limits, the result is an
// *undefined* expression, every expression created from it is also undefined, and status() returns
// the reason. Check the final result.
#pragma once

#include "fx/ir/support/symbol.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

class SymExprTable;
struct SymExprData;

enum class SymKind : uint8_t {
  kUndefined,  ///< the result of an invalid operation; see status()
  kInt,
  kRational,  ///< lowest terms, denominator greater than 1
  kFloat,
  kBool,
  kSymbol,
  kAdd,       ///< terms in print order, a constant last
  kMul,       ///< a numeric coefficient first, then factors in print order
  kPow,       ///< base, exponent
  kFloorDiv,  ///< rounds toward minus infinity, like Python's //
  kMod,       ///< has the sign of the divisor, like Python's %
  kMin,
  kMax,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kAnd,
  kOr,
  kNot,
  kCall,     ///< a function by name; unknown ones are kept
  kTuple,    ///< only as an argument of a call: the branches of Piecewise
  kSpelled,  ///< an expression with its original text
};

/// The kind of number that an expression denotes.
enum class SymValueKind : uint8_t {
  kInt,
  kReal,  ///< exact, but possibly not an integer: s0/2
  kFloat,
  kBool,
  kUnknown,  ///< the value of an unknown function
};

/// Trees are at most this deep and have at most this many nodes; deeper or larger ones are
/// undefined (builders) or an error (parser).
inline constexpr int kMaxSymExprDepth = 256;
inline constexpr int kMaxSymExprSize = 1 << 20;
/// Products of sums are multiplied out when the result has at most this many terms.
inline constexpr int kMaxExpandedTerms = 64;

/// See the top of this file. Valid as long as its SymExprTable exists; null when
/// default-constructed.
class SymExpr {
 public:
  constexpr SymExpr() = default;
  explicit constexpr SymExpr(const SymExprData* data) : data_(data) {}

  const SymExprData* data() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }
  friend bool operator==(SymExpr, SymExpr) = default;
  template <typename H>
  friend H AbslHashValue(H h, SymExpr e) {
    return H::combine(std::move(h), e.data_);
  }

  // The functions below require an expression that is not null.
  inline SymKind kind() const;
  inline SymValueKind value_kind() const;
  inline absl::Span<const SymExpr> args() const;
  /// The symbol; the function of a call; the text of a spelled expression.
  inline Symbol name() const;
  /// The form for computing and comparing: the expression itself, unless it is spelled.
  inline SymExpr canonical() const;
  /// kInt: the value; kRational: the numerator; kBool: 0 or 1.
  inline int64_t int_value() const;
  /// kRational: the denominator; otherwise 1.
  inline int64_t denominator() const;
  inline double float_value() const;
  /// 1 for leaves.
  inline int depth() const;

  bool is_int() const { return kind() == SymKind::kInt; }
  bool is_symbol() const { return kind() == SymKind::kSymbol; }
  bool is_undefined() const { return kind() == SymKind::kUndefined; }
  /// True for integers, rationals, floats and booleans.
  bool is_constant() const { return kind() >= SymKind::kInt && kind() <= SymKind::kBool; }
  /// The reason why an expression is undefined: OutOfRange (overflow), InvalidArgument (division by
  /// zero) or ResourceExhausted (limits). OK for defined expressions.
  absl::Status status() const;
  /// The table that created the expression; null for undefined expressions.
  inline SymExprTable* table() const;

 private:
  const SymExprData* data_ = nullptr;
};

/// The target of a SymExpr. Use SymExpr's accessors.
struct SymExprData {
  SymKind kind = SymKind::kUndefined;
  SymValueKind value_kind = SymValueKind::kUnknown;
  uint8_t function = 0;  // of a call: the known function, 0 if unknown; of kUndefined: the reason
  uint16_t depth = 1;
  uint32_t hash = 0;
  uint32_t tree_size = 1;
  uint32_t num_args = 0;
  Symbol name = {};
  union {
    int64_t number = 0;
    double real;
  };
  int64_t denominator = 1;
  SymExprTable* table = nullptr;
  // The arguments follow.

  const SymExpr* args() const { return reinterpret_cast<const SymExpr*>(this + 1); }
};

/// A number in bindings, and as the result of evaluation.
class SymValue {
 public:
  SymValue(int64_t value) : kind_(SymValueKind::kInt), int_(value) {}
  SymValue(int value) : SymValue(int64_t{value}) {}
  SymValue(double value) : kind_(SymValueKind::kFloat), float_(value) {}
  SymValue(bool value) : kind_(SymValueKind::kBool), int_(value) {}
  /// A fraction in lowest terms, with a positive denominator.
  static SymValue rational(int64_t numerator, int64_t denominator);

  SymValueKind kind() const { return kind_; }
  /// kInt, kBool (0 or 1), kReal (the numerator).
  int64_t int_value() const { return int_; }
  int64_t denominator() const { return denominator_; }
  /// The value of any kind as a float.
  double as_float() const;
  friend bool operator==(const SymValue&, const SymValue&) = default;

 private:
  SymValueKind kind_;
  int64_t int_ = 0;
  int64_t denominator_ = 1;
  double float_ = 0;
};

/// Symbol to value.
using SymBindings = absl::flat_hash_map<Symbol, SymValue>;

/// Evaluates an expression. Errors: a symbol without a value, an unknown function, division by
/// zero, a result that does not fit in 64 bits, a boolean instead of a number.
absl::StatusOr<SymValue> evaluate(SymExpr expr, const SymBindings& bindings);
/// Evaluate an expression. The value must be an integer (eval_int), a number or a boolean; any
/// other value is also an error.
absl::StatusOr<int64_t> eval_int(SymExpr expr, const SymBindings& bindings);
absl::StatusOr<double> eval_float(SymExpr expr, const SymBindings& bindings);
absl::StatusOr<bool> eval_bool(SymExpr expr, const SymBindings& bindings);

/// The symbols that occur, each once, sorted by name.
std::vector<Symbol> free_symbols(SymExpr expr);

/// True if both have the same canonical form. If the result is false, expressions that are not
/// polynomials may still have equal values.
inline bool same_value(SymExpr a, SymExpr b);

/// Appends the expression as SymPy prints it. parse() returns the same pointer for this text.
void append_text(std::string& out, SymExpr expr);
std::string to_string(SymExpr expr);

/// SymPy's order of printed factors: by kind, name and arguments, never by address.
/// Negative, zero or positive if `a` comes before, equals, or comes after `b`.
int compare_order(SymExpr a, SymExpr b);

/// Creates SymExprs. Thread-safe. Operands must come from this table (or be undefined) and not be
/// null.
class SymExprTable {
 public:
  struct Impl;  ///< private to ir/

  explicit SymExprTable(SymbolTable& symbols);
  ~SymExprTable();
  SymExprTable(const SymExprTable&) = delete;
  SymExprTable& operator=(const SymExprTable&) = delete;

  SymbolTable& symbols() { return symbols_; }

  // Leaves.
  SymExpr integer(int64_t value);
  /// Undefined if `denominator` is 0.
  SymExpr rational(int64_t numerator, int64_t denominator);
  SymExpr real(double value);
  SymExpr boolean(bool value);
  /// An integer symbol, or a float symbol if torch's naming rules make it one (zf0, zuf0).
  SymExpr symbol(Symbol name);
  SymExpr symbol(std::string_view name) { return symbol(symbols_.intern(name)); }

  // Arithmetic, canonical. Sums and products of floats are flattened and their constants folded as
  // SymPy does, so the last bit may differ from evaluation in the order written.
  SymExpr add(SymExpr a, SymExpr b);
  SymExpr add(absl::Span<const SymExpr> terms);
  SymExpr sub(SymExpr a, SymExpr b);
  SymExpr neg(SymExpr a);
  SymExpr mul(SymExpr a, SymExpr b);
  SymExpr mul(absl::Span<const SymExpr> factors);
  SymExpr pow(SymExpr base, SymExpr exponent);
  /// Exact division, a * b**-1: s0/2. Python's `/` of sizes is call("IntTrueDiv", ...).
  SymExpr div(SymExpr a, SymExpr b);
  SymExpr floor_div(SymExpr a, SymExpr b);
  SymExpr mod(SymExpr a, SymExpr b);
  SymExpr min(SymExpr a, SymExpr b);
  SymExpr min(absl::Span<const SymExpr> operands);
  SymExpr max(SymExpr a, SymExpr b);
  SymExpr max(absl::Span<const SymExpr> operands);

  /// `relation` is one of kEq ... kGe. Folds when the difference is constant.
  SymExpr compare(SymKind relation, SymExpr a, SymExpr b);
  SymExpr logical_and(absl::Span<const SymExpr> operands);
  SymExpr logical_or(absl::Span<const SymExpr> operands);
  SymExpr logical_not(SymExpr a);

  /// A function by SymPy's name. For a name with a builder (Max, FloorDiv, Eq, ...) the result is
  /// that of the builder; calls to other known functions are folded if their arguments are
  /// constant; unknown functions are kept. The name must consist of words joined by dots; checked.
  SymExpr call(std::string_view function, absl::Span<const SymExpr> args);
  /// Creates a tuple, which is only allowed as an argument of a call.
  SymExpr tuple(absl::Span<const SymExpr> items);

  /// The canonical form of `expr` with the symbols in `values` replaced.
  SymExpr substitute(SymExpr expr, const absl::flat_hash_map<Symbol, SymExpr>& values);

  /// Reads one expression, which must be the whole text. Errors: InvalidArgument with the byte
  /// offset in the message, and also in `*error_offset` if that is not null.
  absl::StatusOr<SymExpr> parse(std::string_view text, size_t* error_offset = nullptr);
  /// Reads the longest expression at the start of `text`; `*consumed` is set to the number of bytes
  /// read or, on error, the offset of the error.
  absl::StatusOr<SymExpr> parse_prefix(std::string_view text, size_t* consumed);

  /// The number of expressions created so far, for statistics and tests.
  size_t size() const;

 private:
  friend class SymExprBuilder;

  SymbolTable& symbols_;
  std::unique_ptr<Impl> impl_;
};

// ---------------------------------------------------------------- inline definitions

inline SymKind SymExpr::kind() const { return data_->kind; }
inline SymValueKind SymExpr::value_kind() const { return data_->value_kind; }
inline absl::Span<const SymExpr> SymExpr::args() const { return {data_->args(), data_->num_args}; }
inline Symbol SymExpr::name() const { return data_->name; }
inline SymExpr SymExpr::canonical() const {
  return data_->kind == SymKind::kSpelled ? data_->args()[0] : *this;
}
inline int64_t SymExpr::int_value() const { return data_->number; }
inline int64_t SymExpr::denominator() const { return data_->denominator; }
inline double SymExpr::float_value() const { return data_->real; }
inline int SymExpr::depth() const { return data_->depth; }
inline SymExprTable* SymExpr::table() const { return data_->table; }
inline bool same_value(SymExpr a, SymExpr b) { return a.canonical() == b.canonical(); }

}  // namespace fx
