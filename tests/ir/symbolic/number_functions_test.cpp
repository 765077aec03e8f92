// Python's functions on numbers: their values and their symbolic forms must agree.
#include "fx/ir/symbolic/number_functions.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/symbolic/sym_expr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace fx {
namespace {

SymExpr constant(SymExprTable& exprs, const PythonNumber& number) {
  if (number.is_float()) return exprs.real(number.f);
  return number.kind == PythonNumber::kBool ? exprs.boolean(number.i != 0)
                                            : exprs.integer(number.i);
}

TEST(NumberFunctions, SymbolicFormsAgreeWithValues) {
  Context context;
  SymExprTable& exprs = context.exprs();
  const PythonNumber values[] = {PythonNumber::of(int64_t{7}), PythonNumber::of(int64_t{-7}),
                                 PythonNumber::of(int64_t{3}), PythonNumber::of(int64_t{-2}),
                                 PythonNumber::of(int64_t{0}), PythonNumber::of(2.5),
                                 PythonNumber::of(-2.5),       PythonNumber::of(4.0)};
  int compared = 0;
  for (const NumberFunction& function : number_functions()) {
    if (function.symbolic == nullptr || function.compute == nullptr) continue;
    for (const PythonNumber& a : values) {
      for (const PythonNumber& b : values) {
        const PythonNumber both[] = {a, b};
        const SymExpr symbols[] = {constant(exprs, a), constant(exprs, b)};
        const auto computed = function.compute({both, function.max_operands});
        if (!computed.ok()) continue;
        const SymExpr result =
            function.symbolic(exprs, absl::MakeConstSpan(symbols, function.max_operands));
        if (result.is_undefined()) continue;
        const SymExpr value = result.canonical();
        double found = 0;
        if (value.kind() == SymKind::kFloat) {
          found = value.float_value();
        } else if (value.kind() == SymKind::kInt || value.kind() == SymKind::kBool) {
          found = static_cast<double>(value.int_value());
        } else {
          continue;  // the expression is not evaluated
        }
        EXPECT_NEAR(found, computed->real(), 1e-12 * std::abs(computed->real()))
            << function.name << " of " << a.real() << " and " << b.real();
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 500);
}

TEST(NumberFunctions, AreOperatorsOfTheTable) {
  for (const NumberFunction& function : number_functions()) {
    const bool listed = ops::find_op(function.name) != nullptr;
    EXPECT_TRUE(listed || function.name == "round" || function.name == "torch._sym_exp" ||
                function.name == "torch._sym_log")
        << function.name;
  }
}

TEST(NumberFunctions, ComputeSymbolicCalls) {
  EXPECT_EQ(function_of_sympy("FloorToInt"), "math.floor");
  EXPECT_EQ(function_of_sympy("ceiling"), "math.ceil");
  EXPECT_EQ(function_of_sympy("FloatTrueDiv"), "operator.truediv");
  EXPECT_EQ(function_of_sympy("Piecewise"), "");
}

}  // namespace
}  // namespace fx
