// SizeChecks: the requirements of a graph on the sizes of its inputs (docs/guards.md).
//
//   const SizeChecks checks(graph);
//   FX_RETURN_IF_ERROR(checks.check([&](const SizeChecks::Place& place) { ... }));
//
// The types of the inputs determine the value of each symbol: `f32[3, n]` the size of dimension 1,
// `f32[2*m]` half of a size. All places with a symbol must then agree, and the ranges and guards
// that the graph and its nested graphs state must hold. Symbols without a value are not checked.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// Does not refer to the graph after construction. The graph's Context must outlive it.
class SizeChecks {
 public:
  enum class Quantity : uint8_t { kSize, kStride, kOffset, kNumber };
  /// A number of an input: a size of a tensor, or the value of an integer input.
  struct Place {
    size_t input;              ///< position of the placeholder
    std::vector<size_t> path;  ///< items of lists and tuples in it
    Quantity quantity;
    size_t dim = 0;    ///< of kSize and kStride
    std::string name;  ///< of the placeholder

    /// Returns a description: "dimension 1 of %x".
    std::string str() const;
  };
  /// A place whose number the type states as an expression.
  struct Equation {
    Place place;
    SymExpr expr;
    /// The symbol whose value this equation determines: (number - offset) / factor. If it is empty,
    /// all symbols have values, and the number must equal `expr`.
    Symbol symbol = {};
    int64_t factor = 1, offset = 0;
  };
  /// A relation that must hold, and its text.
  struct Requirement {
    SymExpr relation;
    std::string text;
  };

  SizeChecks() = default;
  explicit SizeChecks(const Graph& graph);

  /// True if no input can violate a requirement.
  bool empty() const { return !can_fail_; }
  /// InvalidArgument if a requirement does not hold; the message names the guard, the symbol, its
  /// value and the input that determines it. `value` returns the number at a place, or nullopt for
  /// an input that is missing or of a different kind, which is then not checked.
  absl::Status check(absl::FunctionRef<std::optional<int64_t>(const Place& place)> value) const;

  /// Returns the equations in an order in which the value of each symbol is determined before it is
  /// used.
  const std::vector<Equation>& equations() const { return equations_; }
  /// Returns the requirements on symbols of the equations.
  const std::vector<Requirement>& requirements() const { return requirements_; }
  /// Returns the place that determines a symbol's value; null if none exists.
  const Place* source(Symbol symbol) const;

 private:
  void add_equations(const Graph& graph);
  void add_requirements(const Graph& graph);
  absl::Status failed(const Requirement& requirement, const SymBindings& values) const;

  std::vector<Equation> equations_;
  std::vector<Requirement> requirements_;
  std::vector<std::string> unread_;  // guards that are not relations
  bool can_fail_ = false;
};

}  // namespace fx
