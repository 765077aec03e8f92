// ShapeEnv: what is assumed of the symbols in symbolic sizes, and what was relied on.
//
// A type function asks relations of sizes: are these two equal, is this one 1? Between integers
// that is decided at once. Where symbols decide, the ShapeEnv answers from the ranges of the
// symbols if these settle it; otherwise it takes the usual case (equal, not 1) and records the
// relation as a guard: the result holds for every size that satisfies the guards. No example size
// is ever read. docs/guards.md describes where guards are kept and who checks them.
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

/// Bounds of a symbol or an expression, both included; absent: none.
struct SymRange {
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};

class ShapeEnv {
 public:
  explicit ShapeEnv(Context& context) : context_(&context) {}
  /// With what the graph states: set_ranges_of.
  explicit ShapeEnv(const Graph& graph);

  void set_range(Symbol symbol, SymRange range) {
    ranges_[symbol] = range;
    answers_.clear();
  }
  /// The range that was set. Of a symbol without one: 2 or more, as of sizes that torch makes
  /// symbolic; 0 or more of u0, u1, .... A relation that only this default decides is recorded as a
  /// guard.
  SymRange range(Symbol symbol) const;
  /// Adopts the ranges that a graph's meta data `symbols` states (docs/json.md), and its guards
  /// (fx/ir/graph/edit/guards.h), which count as known.
  void set_ranges_of(const Graph& graph);
  /// Bounds that follow from the ranges of the symbols.
  SymRange range(SymExpr expr) const;

  /// True, false, or nothing when it depends on symbols, of whose ranges only those that were set
  /// count.
  std::optional<bool> decide(SymExpr relation) const;
  /// As decide(), but earlier guards count too.
  std::optional<bool> known(SymExpr relation) const;
  std::optional<bool> known_less_equal(const Dim& a, const Dim& b) const;
  /// True when the relation holds or may be assumed, which is recorded; false when it cannot hold,
  /// or, by the default range of a symbol, is assumed not to, which is recorded too.
  bool guard(SymExpr relation);
  bool guard_equal(const Dim& a, const Dim& b);
  bool guard_not_equal(const Dim& a, const Dim& b);
  bool guard_less_equal(const Dim& a, const Dim& b);

  /// What was assumed beyond the ranges and guards that were stated, each relation once, in the order
  /// in which it was needed.
  const std::vector<SymExpr>& guards() const { return guards_; }

  /// Whether a guard was recorded or a symbol made.
  bool has_assumed() const { return !guards_.empty() || next_fresh_ > 0; }

  /// Keeps the symbols in the types of a graph from being made again by fresh_size().
  void avoid_symbols_of(const Graph& graph);
  /// A symbol for the next size that depends on data: u0, u1, ... in the order of calls, as torch
  /// names them. A range that was set before counts.
  Dim fresh_size(SymRange range = {0, std::nullopt});

 private:
  SymExprTable& exprs() const;
  /// With `is_assumed`, symbols without a range have the default one; else they are 0 or more.
  SymRange bounds(SymExpr expr, bool is_assumed) const;
  std::optional<bool> decide(SymExpr relation, bool is_assumed) const;
  void narrow(SymExpr relation);

  Context* context_;
  absl::flat_hash_map<Symbol, SymRange> ranges_;
  std::vector<SymExpr> guards_;
  absl::flat_hash_set<SymExpr> known_;
  absl::flat_hash_map<SymExpr, bool> answers_;  // of guard(): they stay
  int next_fresh_ = 0;
};

}  // namespace fx
