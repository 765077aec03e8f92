// Finds expressions over symbols for numbers that were observed at several sizes.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
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

/// Holds the values of the symbols in each run, and the expressions that occurred so far.
/// All results have the observed value in every run.
class SizeFit {
 public:
  SizeFit(Context& context, absl::Span<const SymBindings> sizes);

  /// Adds the sizes, strides, the offset and the number of elements of a type.
  void note(Type type);
  void note(SymExpr expr);

  /// The expression that occurred with these values (one for each run); null if there is none.
  SymExpr occurred(absl::Span<const int64_t> values) const;
  /// Expressions for integers, a few at most: first one that occurred, then linear functions,
  /// quotients, products, minima and maxima of those that occurred.
  std::vector<SymExpr> integers(absl::Span<const int64_t> values) const;
  /// True if three runs determine the expression: it occurred, or it is a product of symbols, or a
  /// linear function of one symbol.
  bool is_certain(SymExpr expr) const;
  std::optional<FloatOfSize> floating(absl::Span<const double> values) const;

 private:
  using Values = std::vector<int64_t>;
  struct Known {
    SymExpr expr;
    Values values;
  };

  std::optional<Values> evaluate(SymExpr expr) const;
  void find_linear(const Values& wanted, std::vector<SymExpr>& found) const;
  void find_bounded(const Values& wanted, std::vector<SymExpr>& found) const;
  void find_quotient(const Values& wanted, std::vector<SymExpr>& found) const;
  void find_product(const Values& wanted, std::vector<SymExpr>& found) const;
  void find_sum(const Values& wanted, std::vector<SymExpr>& found) const;
  /// Appends `expr` if it has the values.
  bool add_if_equal(SymExpr expr, const Values& wanted, std::vector<SymExpr>& found) const;

  SymExprTable& exprs_;
  std::vector<SymBindings> sizes_;
  std::vector<Known> known_;
  absl::flat_hash_map<Values, size_t> by_values_;
  absl::flat_hash_set<SymExpr> seen_;
  absl::flat_hash_set<Type> noted_;
};

}  // namespace fx
