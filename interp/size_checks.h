// SizeChecks: a graph's constraints on the sizes of its inputs (docs/guards.md).
//
//   const SizeChecks checks(graph);
//   FX_RETURN_IF_ERROR(checks.check([&](const SizeChecks::Location& location) { ... }));
//
// The types of the inputs determine the value of each symbol. For example, `n` in `f32[3, n]` is
// the size of dimension 1, and `m` in `f32[2*m]` is half of the size. All sizes that contain a
// symbol must match its value, and the ranges and guards of the graph and its nested graphs must
// hold. Constraints on symbols without a value are not checked. A tensor whose type contains a
// symbol must also have the rank of its type and the sizes that are numbers; types without symbols
// are not compared.
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
  enum class Quantity : uint8_t { kRank, kSize, kStride, kOffset, kNumber };
  /// A number in an input: a rank, size, stride or offset of a tensor, or the value of an integer.
  struct Location {
    size_t input;              ///< the index of the placeholder
    std::vector<size_t> path;  ///< the indices of items of lists and tuples in the input
    Quantity quantity;
    size_t dim = 0;    ///< the dimension of a kSize or kStride
    std::string name;  ///< the name of the placeholder

    /// Returns a description: "dimension 1 of %x".
    std::string str() const;
  };
  /// A number in an input that must equal an expression in the type of the input.
  struct Equation {
    Location location;
    SymExpr expr;
    /// The symbol whose value this equation determines: (number - offset) / factor. If null, all
    /// symbols of `expr`, if any, have values, and the number must equal `expr`.
    Symbol symbol = {};
    int64_t factor = 1, offset = 0;
  };
  /// A relation that must hold, and a description of it.
  struct Requirement {
    SymExpr relation;
    std::string text;
  };

  SizeChecks() = default;
  explicit SizeChecks(const Graph& graph);

  /// Returns true if no input can violate a requirement.
  bool empty() const { return !can_fail_; }
  /// Returns InvalidArgument if a requirement does not hold. The message contains the guard, the
  /// symbol, its value and the input that determines it. `value` must return the number at a
  /// location, or nullopt if the input is missing or of a different kind; in that case the number
  /// is not checked.
  absl::Status check(
      absl::FunctionRef<std::optional<int64_t>(const Location& location)> value) const;

  /// Returns the values of the symbols that the numbers determine; see check() for `value`.
  SymBindings solve(
      absl::FunctionRef<std::optional<int64_t>(const Location& location)> value) const;

  /// Returns the equations, those for ranks first. The value of each symbol is determined before
  /// the symbol is used.
  const std::vector<Equation>& equations() const { return equations_; }
  /// Returns the requirements on the symbols in the equations.
  const std::vector<Requirement>& requirements() const { return requirements_; }
  /// Returns the location that determines the value of a symbol, or null if there is none.
  const Location* source(Symbol symbol) const;

 private:
  void add_equations(const Graph& graph);
  void add_requirements(const Graph& graph);
  absl::Status check_requirement(const Requirement& requirement, const SymBindings& values) const;

  std::vector<Equation> equations_;
  std::vector<Requirement> requirements_;
  std::vector<std::string> unsupported_guards_;  // guards that are not relations between sizes
  bool can_fail_ = false;
};

}  // namespace fx
