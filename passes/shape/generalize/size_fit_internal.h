// Finds expressions over symbols for numbers that were observed at different sizes.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fx {

/// A float that a program computes from a size.
struct FloatOfSize {
  enum Form : uint8_t {
    kQuotient,     ///< factor / size
    kProduct,      ///< factor * size
    kRoot,         ///< factor * sqrt(size)
    kInverseRoot,  ///< factor / sqrt(size)
  };
  Form form;
  double factor;
  SymExpr size;
};

/// Contains the values of the symbols in each run, and the expressions that have occurred so far.
/// All results have the observed values.
class SizeFit {
 public:
  SizeFit(Context& context, absl::Span<const SymBindings> sizes);

  /// Adds the sizes, the strides, the offset and the number of elements of a type.
  void add(Type type);
  void add(SymExpr expr);

  /// Returns an expression that occurred with these values (one for each run); null if there is
  /// none.
  SymExpr occurred(absl::Span<const int64_t> values) const;
  /// Returns a few expressions for integers with these values: an expression that occurred, and a
  /// linear function and a quotient of such an expression. If there are none, returns a minimum or
  /// maximum, a linear function of a quotient or remainder, a product, or a sum of two.
  std::vector<SymExpr> integers(absl::Span<const int64_t> values) const;
  /// Returns all expressions for these values that a program is likely to compute. They may differ
  /// at other sizes.
  std::vector<SymExpr> rivals(absl::Span<const int64_t> values) const;
  /// True if a few runs determine the expression: it is a product of symbols, or the sum of a
  /// constant and a product of powers of one symbol, or it occurred and is a polynomial.
  bool is_certain(SymExpr expr) const;
  std::optional<FloatOfSize> floating(absl::Span<const double> values) const;

 private:
  using Values = absl::InlinedVector<int64_t, 4>;  // by run
  struct Known {
    SymExpr expr;
    Values values;
  };

  std::optional<Values> evaluate(SymExpr expr) const;
  void find_linear(const Values& observed, std::vector<SymExpr>& found) const;
  void find_bounded(const Values& observed, std::vector<SymExpr>& found) const;
  void find_quotient(const Values& observed, std::vector<SymExpr>& found) const;
  void find_steps(const Values& observed, std::vector<SymExpr>& found) const;
  void find_product(const Values& observed, std::vector<SymExpr>& found) const;
  void find_sum(const Values& observed, std::vector<SymExpr>& found) const;
  /// Appends `expr` and returns true if it has the observed values.
  bool add_if_equal(SymExpr expr, const Values& observed, std::vector<SymExpr>& found) const;

  SymExprTable& exprs_;
  std::vector<SymBindings> sizes_;
  std::vector<Known> known_;
  absl::flat_hash_map<Values, size_t> by_values_;
  absl::flat_hash_set<SymExpr> seen_;
  absl::flat_hash_set<Type> seen_types_;
};

}  // namespace fx
