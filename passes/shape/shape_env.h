// ShapeEnv: ranges of the symbols in symbolic sizes, and a record of the assumptions made about
// them.
//
// Type functions evaluate relations between sizes, for example whether two sizes are equal or
// whether one is 1. Relations between integers are decided immediately. For symbols, the ShapeEnv
// decides from their ranges if it can; otherwise it assumes the usual case (equal, not 1) and
// records the relation as a guard. The result holds for all sizes that satisfy the guards. Example
// sizes are never used. docs/guards.md describes where guards are kept and which code checks them.
#pragma once

#include "fx/ir/symbolic/dim.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {

class Context;
class Graph;

/// Inclusive bounds of a symbol or an expression. A missing bound means that the range is unbounded
/// on that side.
struct SymRange {
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};

class ShapeEnv {
 public:
  explicit ShapeEnv(Context& context) : context_(&context) {}
  /// Starts with the ranges and guards recorded in the graph; see set_ranges_of().
  explicit ShapeEnv(const Graph& graph);

  void set_range(Symbol symbol, SymRange range) {
    ranges_[symbol] = range;
    results_.clear();
  }
  /// Returns the range that was set. Symbols without a range have a default range: 2 or more, like
  /// the sizes that torch makes symbolic, or 0 or more for names that start with u (u0, u1), except
  /// for numbers that calls in the graph read from tensors, which may be negative. A relation that
  /// only the default range decides is recorded as a guard.
  SymRange range(Symbol symbol) const;
  /// Adds the ranges in a graph's metadata `symbols` (docs/json.md) and its guards
  /// (fx/ir/graph/edit/guards.h), which count as known.
  void set_ranges_of(const Graph& graph);
  /// Returns the bounds that follow from the ranges of the symbols.
  SymRange range(SymExpr expr) const;

  /// Returns whether a relation holds, or nullopt if that depends on symbols. Uses only ranges that
  /// were set.
  std::optional<bool> decide(SymExpr relation) const;
  /// Like decide(), but also uses the guards recorded so far.
  std::optional<bool> known(SymExpr relation) const;
  std::optional<bool> known_less_equal(const Dim& a, const Dim& b) const;
  /// Returns true if the relation holds or can be assumed, and false if it cannot hold or, by the
  /// default range of a symbol, is assumed not to hold. Records each assumption.
  bool guard(SymExpr relation);
  bool guard_equal(const Dim& a, const Dim& b);
  bool guard_not_equal(const Dim& a, const Dim& b);
  bool guard_less_equal(const Dim& a, const Dim& b);

  /// Declares that a size is at least 1, without recording this as an assumption.
  void set_at_least_one(SymExpr size);
  /// Returns an expression that is 0 exactly when `difference` is 0: removes the factors that all
  /// terms share and that are integers or symbols known to be at least 1.
  SymExpr without_factors(SymExpr difference) const;
  /// A symbol, and its value when an expression is 0.
  struct Solution {
    Symbol symbol;
    SymExpr value;
  };
  /// Returns a solution for a symbol that occurs in one term, without a factor; nullopt if there is
  /// none.
  std::optional<Solution> solve(SymExpr difference) const;

  /// Returns the assumptions beyond the given ranges and guards: each relation once, in the order
  /// in which it was needed.
  const std::vector<SymExpr>& guards() const { return guards_; }

  /// True if a guard was recorded or a symbol was created.
  bool has_assumed() const { return !guards_.empty() || next_fresh_ > 0; }

  /// Prevents fresh_size() from creating symbols that the types of a graph use.
  void avoid_symbols_of(const Graph& graph);
  /// Returns a symbol for the next size that depends on data: u0, u1, ... in the order of calls, as
  /// torch names them. A range that was already set for the symbol takes precedence.
  Dim fresh_size(SymRange range = {0, std::nullopt});
  /// Returns the number of the next new symbol: 0 for u0.
  int next_fresh() const { return next_fresh_; }

 private:
  SymExprTable& exprs() const;
  /// Symbols for numbers that calls read from tensors may be negative, unless a range is set.
  void set_ranges_of_items(const Graph& graph);
  /// With `use_defaults`, symbols without a range have the default range; otherwise they are at
  /// least 0.
  SymRange bounds(SymExpr expr, bool use_defaults) const;
  SymRange bounds_of_polynomial(SymExpr expr, bool use_defaults) const;
  std::optional<bool> decide(SymExpr relation, bool use_defaults) const;
  void narrow(SymExpr relation);

  Context* context_;
  absl::flat_hash_map<Symbol, SymRange> ranges_;
  std::vector<SymExpr> guards_;
  absl::flat_hash_set<SymExpr> known_;
  absl::flat_hash_map<SymExpr, bool> results_;  // results of guard(); later calls return them
  int next_fresh_ = 0;
};

}  // namespace fx
