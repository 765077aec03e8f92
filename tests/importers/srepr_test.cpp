// Tests the parser for expressions that SymPy's srepr writes.
#include "fx/importers/pt2/schema/srepr_internal.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace fx::pt2 {
namespace {

using fx::testing::StatusIs;
using ::testing::HasSubstr;

TEST(Srepr, ParsesTheOutputOfSympy) {
  SymbolTable symbols;
  SymExprTable exprs(symbols);
  // The srepr and the str of each expression.
  const std::pair<const char*, const char*> kCases[] = {
      {"Symbol('s77', positive=True, integer=True)", "s77"},
      {"Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(-1))",
       "2*s77 - 1"},
      {"FloorDiv(Add(Symbol('s0'), Integer(1)), Integer(2))", "((s0 + 1)//2)"},
      {"Mul(Rational(1, 2), Symbol('s0'))", "s0/2"},
      {"Pow(Symbol('s0'), Integer(2))", "s0**2"},
      {"Max(Integer(5), Symbol('s17'))", "Max(5, s17)"},
      {"Mod(Symbol('s17'), Integer(3))", "Mod(s17, 3)"},
      {"StrictGreaterThan(Symbol('s77'), Integer(4))", "s77 > 4"},
      {"Equality(Symbol('u0', integer=True), Integer(2))", "Eq(u0, 2)"},
      {"And(LessThan(Symbol('u0'), Integer(5)), GreaterThan(Symbol('u0'), Integer(2)))",
       "(u0 >= 2) & (u0 <= 5)"},
      {"OpaqueUnaryFn_sqrt(ToFloat(Symbol('s27')))", "OpaqueUnaryFn_sqrt(ToFloat(s27))"},
      {"Mul(Float('0.5', precision=53), Symbol('zf0'))", "0.5*zf0"},
      {"Integer(9223372036854775807)", "9223372036854775807"},
      {"s77", "s77"},
      {"true", "True"},
      {" Add( Symbol( 's0' ) ,Integer(1) ) ", "s0 + 1"},
  };
  for (const auto& [srepr, text] : kCases) {
    FX_ASSERT_OK_AND_ASSIGN(const SymExpr read, parse_srepr(exprs, srepr));
    FX_ASSERT_OK_AND_ASSIGN(const SymExpr expected, exprs.parse(text));
    EXPECT_TRUE(same_value(read, expected)) << srepr << ": " << to_string(read);
  }
}

TEST(Srepr, RejectsDamagedText) {
  SymbolTable symbols;
  SymExprTable exprs(symbols);
  for (const char* text : {"",
                           "Add(",
                           "Add()",
                           "Add(Integer(1)",
                           "Integer()",
                           "Integer(1, 2)",
                           "Rational(1, 0)",
                           "Rational(s0, 2)",
                           "Symbol()",
                           "Symbol('')",
                           "Symbol('a",
                           "Symbol('\\x')",
                           "Float('x')",
                           "Float()",
                           "s0 s1",
                           "Add(Integer(1) Integer(2))",
                           "1.5",
                           "(s0)",
                           "Integer(9223372036854775808)",
                           "Mul(Integer(9223372036854775807), Integer(2))",
                           "Mod(Integer(1), Integer(0))",
                           "FloorDiv(s0, s1, Integer(3))",
                           "Add(Where(s0, s1), Integer(1))",
                           "f('a')"})
    EXPECT_THAT(parse_srepr(exprs, text).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("symbolic expression")))
        << text;
}

}  // namespace
}  // namespace fx::pt2
