// Python's functions on numbers, which graphs call to compute sizes: operator.add, math.floor,
// torch.sym_max, ...
//
// A function is one row of number_functions.cpp and its schema (ir/ops/rows/python_functions.cpp or
// torch_functions.cpp): the row has its implementation, its symbolic form, the expressions that it
// computes, and its C++ text. Interpreter, shape propagation, materialize_symint and the C++ writer
// use the row.
#pragma once

#include "fx/ir/symbolic/sym_expr.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fx {

/// A Python number: int, bool or float.
struct PythonNumber {
  enum Kind : uint8_t { kInt, kBool, kFloat };
  Kind kind = kInt;
  int64_t i = 0;  ///< of kInt and kBool
  double f = 0;   ///< of kFloat

  static PythonNumber of(int64_t value) { return {.i = value}; }
  static PythonNumber of(bool value) { return {.kind = kBool, .i = value ? 1 : 0}; }
  static PythonNumber of(double value) { return {.kind = kFloat, .f = value}; }

  bool is_float() const { return kind == kFloat; }
  double real() const { return is_float() ? f : static_cast<double>(i); }
};

struct NumberFunction {
  /// InvalidArgument for operands for which Python raises an exception (division by zero), and for
  /// results that do not fit in 64 bits.
  using Compute = absl::StatusOr<PythonNumber> (*)(absl::Span<const PythonNumber> operands);
  /// Null if no expression has the value.
  using Symbolic = SymExpr (*)(SymExprTable& exprs, absl::Span<const SymExpr> operands);
  enum Result : uint8_t { kSame, kFloat, kInt, kBool };  ///< kSame: a float if an operand is one
  static constexpr uint8_t kAny = 255;

  std::string_view name;
  uint8_t min_operands, max_operands;  ///< kAny: the operands are the items of a list
  Result result;
  Compute compute;               ///< null: not computed
  Symbolic symbolic = nullptr;   ///< null: the result of symbolic operands is unknown
  std::string_view sympy = {};   ///< symbolic calls that it computes, separated by spaces
  std::string_view cpp = {};     ///< `{0} + {1}`; empty: none, or the writer has a special case
  bool accepts_tensors = false;  ///< torch.Tensor overloads it, elementwise
};

/// Returns the function that computes the result of `name` for numbers: "operator.add" for
/// "operator.iadd", and `name` itself for any other function. No number changes in place.
std::string_view plain_number_function(std::string_view name);
/// The row of a function or of its plain form; null if it is not a function on numbers.
const NumberFunction* find_number_function(std::string_view name);
/// The function that computes a symbolic call, "FloorToInt"; empty if none exists.
std::string_view function_of_sympy(std::string_view call);
/// The function that computes an expression from its operands: "operator.add" for a sum, which
/// may have more than two operands; empty if none exists.
std::string_view number_function_of(SymExpr expr);
/// All rows, sorted by name.
absl::Span<const NumberFunction> number_functions();
/// Python's in-place operators, which have no rows: {"operator.iadd", "operator.add"}, ...
absl::Span<const std::pair<std::string_view, std::string_view>> in_place_number_functions();

}  // namespace fx
