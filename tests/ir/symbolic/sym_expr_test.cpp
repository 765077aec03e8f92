// Symbolic expressions: canonical form, text and evaluation, compared with SymPy and torch
// (tests/golden/sym_exprs.txt), and with direct arithmetic on random trees.
#include "fx/ir/symbolic/sym_expr.h"

#include "fx/ir/symbolic/dim.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::IsOkAndHolds;
using ::fx::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

class SymExprTest : public ::testing::Test {
 protected:
  /// Parses an expression. The test fails if the text is invalid.
  SymExpr parse(std::string_view text) {
    absl::StatusOr<SymExpr> result = exprs_.parse(text);
    EXPECT_THAT(result, IsOk()) << text;
    return result.ok() ? *result : exprs_.symbol("parse_failed");
  }
  /// Returns the text of the canonical form.
  std::string canonical(std::string_view text) { return to_string(parse(text).canonical()); }
  SymExpr integer(int64_t value) { return exprs_.integer(value); }
  SymExpr symbol(std::string_view name) { return exprs_.symbol(name); }
  SymBindings bind(std::initializer_list<std::pair<std::string_view, SymValue>> values) {
    SymBindings bindings;
    for (const auto& [name, value] : values) bindings.emplace(symbols_.intern(name), value);
    return bindings;
  }

  SymbolTable symbols_;
  SymExprTable exprs_{symbols_};
};

// ---------------------------------------------------------------- canonical form

TEST_F(SymExprTest, EqualPolynomialsAreOnePointer) {
  const SymExpr x = symbol("x");
  const SymExpr y = symbol("y");
  EXPECT_EQ(exprs_.add(x, y), exprs_.add(y, x));
  EXPECT_EQ(exprs_.mul(exprs_.add(x, integer(1)), exprs_.add(y, integer(1))),
            parse("x*y + x + y + 1"));
  EXPECT_EQ(exprs_.sub(exprs_.add(x, y), y), x);
  EXPECT_EQ(exprs_.pow(exprs_.sub(x, y), integer(2)), parse("x**2 - 2*x*y + y**2"));
  EXPECT_EQ(exprs_.mul(x, exprs_.pow(x, integer(-1))), integer(1));
  EXPECT_NE(exprs_.add(x, y), exprs_.mul(x, y));
}

// Found by the fuzzer: a float factor must not prevent the simplification of a power of a sum.
TEST_F(SymExprTest, PowersOfSumsAreExpandedAfterFloats) {
  const SymExpr product = parse("2.0*(x - 3)*2.0*(x - 3)").canonical();
  EXPECT_EQ(to_string(product), "4.0*x**2 - 24.0*x + 36.0");
  EXPECT_EQ(parse(to_string(product)), product);
  EXPECT_EQ(exprs_.mul(exprs_.real(4.0), parse("(x - 3)**2")), product);
}

TEST_F(SymExprTest, ProductsOfRootsBecomeIntegerPowers) {
  EXPECT_EQ(canonical("sqrt(8*x)*sqrt(8*x)"), "8*x");
  EXPECT_EQ(canonical("y/sqrt(8*x)/sqrt(8*x)"), "y/(8*x)");
  EXPECT_EQ(canonical("sqrt(2*x + 2)*sqrt(2*x + 2)*(x + 1)"), "2*x**2 + 4*x + 2");
}

TEST_F(SymExprTest, SignsComeBeforeProductsOfFloats) {
  const SymExpr product = parse("(x + 2.0)*(y + 4)*(z - 2)*(-1)").canonical();
  EXPECT_EQ(to_string(product), "-(x + 2.0)*(y + 4)*(z - 2)");
  EXPECT_EQ(parse(to_string(product)), product);
  EXPECT_EQ(exprs_.mul({exprs_.neg(parse("x + 2.0")), parse("y + 4"), parse("z - 2")}), product);
  EXPECT_EQ(canonical("-(x + 2.0)"), "-x - 2.0");
  EXPECT_EQ(canonical("-x**2"), "-x**2");
  EXPECT_EQ(canonical("-7//2"), "-4");
}

TEST_F(SymExprTest, ConstantsFold) {
  EXPECT_EQ(parse("2 + 3*4").canonical(), integer(14));
  EXPECT_EQ(parse("7//2").canonical(), integer(3));
  EXPECT_EQ(parse("(-7)//2").canonical(), integer(-4));
  EXPECT_EQ(parse("(-7) % 3").canonical(), integer(2));
  EXPECT_EQ(parse("7 % (-3)").canonical(), integer(-2));
  EXPECT_EQ(parse("2**10").canonical(), integer(1024));
  EXPECT_EQ(parse("1/2 + 1/3").canonical(), exprs_.rational(5, 6));
  EXPECT_EQ(parse("3 < 4").canonical(), exprs_.boolean(true));
  EXPECT_EQ(parse("x < x + 1").canonical(), exprs_.boolean(true));
  EXPECT_EQ(parse("ToFloat(3)").canonical(), exprs_.real(3.0));
  EXPECT_EQ(parse("IntTrueDiv(1, 4)").canonical(), exprs_.real(0.25));
  EXPECT_EQ(parse("Where(x < x, y, z)").canonical(), symbol("z"));
}

TEST_F(SymExprTest, FloorDivisionExtractsIntegerParts) {
  EXPECT_EQ(canonical("(2*x + y + 5)//2"), "x + (((y + 1)//2)) + 2");
  EXPECT_EQ(canonical("(x - 1)//2 + 1"), "((x + 1)//2)");
  EXPECT_EQ(canonical("(4*x + 6*y)//8"), "((2*x + 3*y)//4)");
  EXPECT_EQ(canonical("(4*x + 3)//8"), "(x//2)");
  EXPECT_EQ(canonical("(x*y + x)//x"), "y + 1");
  EXPECT_EQ(canonical("((x//2)//3)"), "(x//6)");
  EXPECT_EQ(canonical("((x//2) + 1)//2"), "((x + 2)//4)");
  EXPECT_EQ(canonical("x//(-2)"), "((-x)//2)");
  EXPECT_EQ(canonical("(2*x + 2)//(x + 1)"), "2");
  EXPECT_EQ(canonical("x//1"), "x");
  // No term is divisible, so the expression is kept.
  EXPECT_EQ(canonical("(x + 1)//y"), "((x + 1)//y)");
  EXPECT_EQ(canonical("(x//y)//z"), "(((x//y))//z)");
}

TEST_F(SymExprTest, RemaindersDropMultiples) {
  EXPECT_EQ(canonical("(4*x + y + 9) % 4"), "Mod(y + 1, 4)");
  EXPECT_EQ(canonical("(6*x) % 3"), "0");
  EXPECT_EQ(canonical("(x*y + z) % x"), "Mod(z, x)");
  EXPECT_EQ(parse("PythonMod(x, 3)").canonical(), parse("Mod(x, 3)"));
  EXPECT_EQ(canonical("x % y"), "Mod(x, y)");
}

TEST_F(SymExprTest, MinAndMaxFlattenAndDropDominatedOperands) {
  EXPECT_EQ(canonical("Max(x, Max(y, 3), 1)"), "Max(3, x, y)");
  EXPECT_EQ(canonical("Max(x, x + 2, x - 1)"), "x + 2");
  EXPECT_EQ(canonical("Min(x, x + 2, 7, 9)"), "Min(7, x)");
  EXPECT_EQ(canonical("Max(x, Min(x, y))"), "Max(x, Min(x, y))");
  EXPECT_EQ(canonical("Max(x)"), "x");
}

TEST_F(SymExprTest, RelationsAndLogic) {
  EXPECT_EQ(parse("4 < x").canonical(), parse("x > 4"));
  EXPECT_EQ(parse("Eq(y, x)").canonical(), parse("Eq(x, y)"));
  EXPECT_EQ(canonical("~(x > 4)"), "x <= 4");
  EXPECT_EQ(canonical("(x > 4) & True & (x > 4)"), "x > 4");
  EXPECT_EQ(canonical("(x > 4) | True"), "True");
  EXPECT_EQ(canonical("~((x > 4) & Eq(x, y))"), "~(Eq(x, y) & (x > 4))");
  EXPECT_EQ(canonical("Ne(x + 1, x)"), "True");
}

TEST_F(SymExprTest, KnownFunctionsAreConverted) {
  EXPECT_EQ(canonical("CleanDiv(x, 2)"), "(x//2)");
  EXPECT_EQ(canonical("CeilDiv(x, 2)"), "-(((-x)//2))");
  EXPECT_EQ(canonical("ModularIndexing(x, 2, 3)"), "Mod((x//2), 3)");
  EXPECT_EQ(canonical("LShift(x, 3)"), "8*x");
  EXPECT_EQ(canonical("RShift(x, 3)"), "(x//8)");
  EXPECT_EQ(canonical("PowByNatural(x, 2)"), "x**2");
  EXPECT_EQ(canonical("TruncToInt(x)"), "x");
  EXPECT_EQ(canonical("Identity(x + 1)"), "x + 1");
  EXPECT_EQ(canonical("TruncToInt(0.5*ToFloat(x))"), "TruncToInt(0.5*ToFloat(x))");
}

TEST_F(SymExprTest, UnknownFunctionsAreKept) {
  const SymExpr e = parse("my.function(x + x, g(), (x, y))");
  EXPECT_EQ(e.canonical().kind(), SymKind::kCall);
  EXPECT_EQ(e.canonical().name().str(), "my.function");
  EXPECT_EQ(to_string(e.canonical()), "my.function(2*x, g(), (x, y))");
  EXPECT_EQ(e.value_kind(), SymValueKind::kUnknown);
  EXPECT_THAT(eval_int(e, bind({{"x", 1}, {"y", 2}})),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("'g'")));
}

TEST_F(SymExprTest, LargeProductsStayFactored) {
  std::string product = "1";
  for (int i = 0; i < 12; ++i) product += "*(a" + std::to_string(i) + " + 1)";
  const SymExpr e = parse(product);
  EXPECT_EQ(e.canonical().kind(), SymKind::kMul);
  EXPECT_LT(e.data()->tree_size, 100U);
  EXPECT_EQ(parse("(x + 1)**1000").canonical().kind(), SymKind::kPow);
}

TEST_F(SymExprTest, ValueKinds) {
  EXPECT_EQ(parse("x*y + 1").value_kind(), SymValueKind::kInt);
  EXPECT_EQ(parse("x/2").value_kind(), SymValueKind::kReal);
  EXPECT_EQ(parse("x/2*4").value_kind(), SymValueKind::kInt);
  EXPECT_EQ(parse("0.5*ToFloat(x)").value_kind(), SymValueKind::kFloat);
  EXPECT_EQ(parse("x > 2").value_kind(), SymValueKind::kBool);
  EXPECT_EQ(parse("zuf0 + 1").value_kind(), SymValueKind::kFloat);
  EXPECT_EQ(parse("u0 + 1").value_kind(), SymValueKind::kInt);
  EXPECT_EQ(parse("Max(x, 2)").value_kind(), SymValueKind::kInt);
}

// ---------------------------------------------------------------- undefined results

TEST_F(SymExprTest, UndefinedResultsPropagate) {
  const SymExpr x = symbol("x");
  const SymExpr big = exprs_.add(exprs_.mul(integer(kMax), x), exprs_.mul(integer(kMax), x));
  EXPECT_THAT(big.status(), StatusIs(absl::StatusCode::kOutOfRange, HasSubstr("64 bits")));
  EXPECT_EQ(exprs_.add(x, big), big);
  EXPECT_EQ(exprs_.max(big, x), big);
  EXPECT_EQ(exprs_.call("f", {x, big}), big);
  const SymExpr by_zero = exprs_.floor_div(x, integer(0));
  EXPECT_THAT(by_zero.status(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("zero")));
  EXPECT_EQ(exprs_.mod(x, integer(0)), by_zero);
  EXPECT_EQ(exprs_.div(x, integer(0)), by_zero);
  EXPECT_EQ(exprs_.rational(1, 0), by_zero);
  EXPECT_TRUE(x.status().ok());
}

TEST_F(SymExprTest, UndefinedRoundTrips) {
  const SymExpr undefined = exprs_.floor_div(symbol("x"), integer(0));
  EXPECT_EQ(to_string(undefined), "undefined(division_by_zero)");
  EXPECT_THAT(exprs_.parse("undefined(division_by_zero)"), IsOkAndHolds(undefined));
}

TEST_F(SymExprTest, DepthAndSizeAreBounded) {
  SymExpr e = symbol("x");
  for (int i = 0; i < kMaxSymExprDepth + 10; ++i) e = exprs_.call("f", {e});
  EXPECT_THAT(e.status(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("levels")));
  e = symbol("x");
  for (int i = 0; i < 40; ++i) e = exprs_.call("f", {e, e});
  EXPECT_THAT(e.status(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("nodes")));
}

TEST_F(SymExprTest, TheSmallestIntegerIsSupported) {
  const SymExpr smallest = integer(kMin);
  EXPECT_THAT(exprs_.parse(to_string(smallest)), IsOkAndHolds(smallest));
  const SymExpr e = exprs_.add(exprs_.mul(smallest, symbol("x")), smallest);
  EXPECT_THAT(exprs_.parse(to_string(e)), IsOkAndHolds(e)) << to_string(e);
  EXPECT_TRUE(exprs_.neg(smallest).is_undefined());
  EXPECT_TRUE(exprs_.floor_div(smallest, integer(-1)).is_undefined());
  EXPECT_EQ(exprs_.mod(smallest, integer(-1)), integer(0));
  EXPECT_EQ(exprs_.floor_div(exprs_.mul(smallest, symbol("x")), integer(2)),
            exprs_.mul(integer(kMin / 2), symbol("x")));
}

// ---------------------------------------------------------------- any expression

/// Returns the text of a random expression with at most `depth` levels.
std::string random_expression(std::mt19937_64& random, int depth) {
  const auto pick = [&](uint64_t n) { return static_cast<size_t>(random() % n); };
  if (depth == 0 || pick(6) == 0) {
    constexpr std::string_view kLeaves[] = {"s0", "s1",  "s2",  "x.y", "1", "2",
                                            "3",  "2.0", "0.5", "60",  "0", "9223372036854775807"};
    return std::string(kLeaves[pick(std::size(kLeaves))]);
  }
  // `#` is replaced with an expression.
  constexpr std::string_view kForms[] = {
      "# + #",     "# - #",      "(#)*(#)",   "#*#",           "(#)//(#)",
      "(#) % (#)", "(#)/(#)",    "(#)**3",    "(#)**-2",       "-(#)",
      "sqrt(#)",   "(#)**(1/2)", "Max(#, #)", "TruncToInt(#)", "~(#)",
      "~#",        "(# < #)",    "Abs(#)",    "Min(#, 4)",     "Where(# >= #, #, #)"};
  std::string text;
  for (const char c : kForms[pick(std::size(kForms))])
    c == '#' ? text += random_expression(random, depth - 1) : text += c;
  return text;
}

TEST_F(SymExprTest, PrintedTextParsesToTheSameExpression) {
  int read = 0;
  for (uint64_t seed = 0; seed < 20000; ++seed) {
    std::mt19937_64 random(seed);
    const std::string text = random_expression(random, 2 + static_cast<int>(seed % 4));
    const absl::StatusOr<SymExpr> expr = exprs_.parse(text);
    if (!expr.ok()) continue;  // division by zero, or a number that does not fit
    ++read;
    ASSERT_THAT(exprs_.parse(to_string(*expr)), IsOkAndHolds(*expr)) << text;
    const SymExpr canonical = expr->canonical();
    ASSERT_THAT(exprs_.parse(to_string(canonical)), IsOkAndHolds(canonical))
        << text << "\n"
        << to_string(canonical);
  }
  EXPECT_GT(read, 15000);
}

// ---------------------------------------------------------------- text

TEST_F(SymExprTest, SpellingIsKeptSeparately) {
  const SymExpr spelled = parse("1 + x");
  EXPECT_EQ(spelled.kind(), SymKind::kSpelled);
  EXPECT_EQ(to_string(spelled), "1 + x");
  EXPECT_EQ(spelled.canonical(), parse("x + 1"));
  EXPECT_TRUE(same_value(spelled, parse("x + 1")));
  EXPECT_NE(spelled, parse("x + 1"));
  EXPECT_EQ(exprs_.add(spelled, integer(1)), parse("x + 2"));
  EXPECT_EQ(parse("1 + x"), spelled);
}

TEST_F(SymExprTest, WhitespaceIsIgnored) {
  EXPECT_EQ(parse("  x+1 "), parse("x + 1"));
  EXPECT_EQ(parse("x\n + 1"), parse("x + 1"));
  EXPECT_EQ(parse("1   +\tx"), parse("1 + x"));
}

TEST_F(SymExprTest, NamesThatAreNotIdentifiersAreQuoted) {
  for (const char* name : {"a  b", "True", "oo", "1x", "", "x.", "q\"uote"}) {
    const SymExpr e = exprs_.add(symbol(name), integer(1));
    EXPECT_THAT(exprs_.parse(to_string(e)), IsOkAndHolds(e)) << to_string(e);
  }
  EXPECT_EQ(to_string(symbol("a b")), "Symbol(\"a b\")");
}

TEST_F(SymExprTest, NumbersAndConstantsRoundTrip) {
  for (double value :
       {0.0, -0.0, 0.1, 1.5, -2.0, 1e300, 5e-324, 123456789.0,
        std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    const SymExpr e = exprs_.real(value);
    EXPECT_THAT(exprs_.parse(to_string(e)), IsOkAndHolds(e)) << to_string(e);
  }
  const SymExpr nan = exprs_.real(std::nan(""));
  EXPECT_THAT(exprs_.parse("nan"), IsOkAndHolds(nan));
  for (const char* text :
       {"oo",      "-oo",       "int_oo",    "-int_oo", "True",    "False", "1/2",     "-1/2",
        "sqrt(x)", "1/sqrt(x)", "x**(1/3)",  "1/x",     "x**(-2)", "2**x",  "y/x",     "3*x/2",
        "-x/2",    "x/(2*y)",   "x/y + 1/y", "0.5*x",   "-0.5*x",  "2 - x", "-x*y + 2"})
    EXPECT_EQ(to_string(parse(text).canonical()), text);
}

TEST_F(SymExprTest, ErrorsIncludeAPosition) {
  struct Case {
    const char* text;
    size_t offset;
    const char* message;
  };
  const Case cases[] = {
      {"", 0, "expected a number"},
      {"x +", 3, "expected a number"},
      {"x + )", 4, "expected a number"},
      {"(x", 2, "expected ',' or ')'"},
      {"f(x y)", 4, "expected ',' or ')'"},
      {"x y", 2, "expected an operator or the end"},
      {"x // 0", 2, "divided by zero"},
      {"1/0", 1, "divided by zero"},
      {"a < b < c", 6, "comparisons cannot be chained"},
      {"12345678901234567890", 0, "does not fit in 64 bits"},
      {"FloorDiv(x)", 0, "has 2 arguments, not 1"},
      {"Symbol(x)", 7, "expected a string"},
      {"Symbol(\"x)", 7, "no closing quote"},
      {"undefined(maybe)", 10, "expected overflow"},
      {"True(x)", 0, "is not a function"},
      {"x ^ y", 2, "expected an operator"},
      {"(x, y)", 0, "a tuple is not a number"},
  };
  for (const Case& c : cases) {
    size_t offset = 1000;
    const absl::StatusOr<SymExpr> result = exprs_.parse(c.text, &offset);
    EXPECT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(c.message)))
        << c.text;
    EXPECT_EQ(offset, c.offset) << c.text << ": " << result.status();
  }
}

TEST_F(SymExprTest, DeepTextIsAnError) {
  for (const char* piece : {"(", "-", "f(", "2**", "~", "x//(", "-(", "(((("}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    EXPECT_THAT(exprs_.parse(text),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is nested more than")))
        << piece;
  }
  // Long expressions without nesting are accepted up to the limit on size.
  std::string sum = "x0";
  for (int i = 1; i < 5000; ++i) sum += " + x" + std::to_string(i);
  EXPECT_THAT(exprs_.parse(sum), IsOk());
  std::string same = "x";
  for (int i = 1; i < 200'000; ++i) same += "+x";
  EXPECT_EQ(parse(same).canonical(), exprs_.mul(integer(200'000), symbol("x")));
  std::string division = "x";
  for (int i = 0; i < 10'000; ++i) division += "//y";
  EXPECT_FALSE(exprs_.parse(division).ok());
}

TEST_F(SymExprTest, PrefixesEndWithTheExpression) {
  size_t consumed = 0;
  EXPECT_THAT(exprs_.parse_prefix("x + 1, y]", &consumed), IsOkAndHolds(parse("x + 1")));
  EXPECT_EQ(consumed, 5U);
  EXPECT_THAT(exprs_.parse_prefix(" (x//2)  ] = 3", &consumed), IsOkAndHolds(parse("(x//2)")));
  EXPECT_EQ(consumed, 7U);
}

// ---------------------------------------------------------------- evaluation

TEST_F(SymExprTest, EvaluatesAsInPython) {
  const SymBindings values = bind({{"a", 7}, {"b", -2}, {"f", 0.3}});
  const auto number = [&](std::string_view text) { return eval_int(parse(text), values); };
  EXPECT_THAT(number("a//b"), IsOkAndHolds(-4));
  EXPECT_THAT(number("a % b"), IsOkAndHolds(-1));
  EXPECT_THAT(number("b**3"), IsOkAndHolds(-8));
  EXPECT_THAT(number("a*(a + 1)/2"), IsOkAndHolds(28));
  EXPECT_THAT(number("TruncToInt(0.5*ToFloat(b - a))"), IsOkAndHolds(-4));
  EXPECT_THAT(number("FloorToInt(0.5*ToFloat(b - a))"), IsOkAndHolds(-5));
  EXPECT_THAT(number("CeilToInt(0.5*ToFloat(b - a))"), IsOkAndHolds(-4));
  EXPECT_THAT(number("RoundToInt(0.5*ToFloat(a))"), IsOkAndHolds(4));
  EXPECT_THAT(number("RoundToInt(0.5*ToFloat(a - 2))"), IsOkAndHolds(2));
  EXPECT_THAT(number("Piecewise((a, b > 0), (b, True))"), IsOkAndHolds(-2));
  EXPECT_THAT(number("Where(a > b, a, 1//(a - 7))"), IsOkAndHolds(7));
  EXPECT_THAT(number("BitwiseFn_bitwise_and(a, 5)"), IsOkAndHolds(5));
  EXPECT_THAT(number("Abs(b)"), IsOkAndHolds(2));
  EXPECT_THAT(number("LShift(a, a)"), IsOkAndHolds(896));
  EXPECT_THAT(number("RShift(b, a)"), IsOkAndHolds(-1));
  EXPECT_THAT(eval_float(parse("IntTrueDiv(a, b)"), values), IsOkAndHolds(-3.5));
  EXPECT_THAT(eval_float(parse("RoundDecimal(2.675*ToFloat(a)/7, 2)"), values), IsOkAndHolds(2.67));
  EXPECT_THAT(eval_float(parse("OpaqueUnaryFn_sqrt(ToFloat(a + 2))"), values), IsOkAndHolds(3.0));
  EXPECT_THAT(eval_float(parse("a/2"), values), IsOkAndHolds(3.5));
  EXPECT_THAT(eval_bool(parse("(a > b) & Ne(a, 8)"), values), IsOkAndHolds(true));
  EXPECT_THAT(eval_bool(parse("Eq(a, 7.0)"), values), IsOkAndHolds(true));
}

TEST_F(SymExprTest, EvaluationErrorsStateTheReason) {
  const SymBindings values = bind({{"a", 7}, {"z", 0}, {"big", kMax}});
  EXPECT_THAT(eval_int(parse("a + c"), values),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("'c'")));
  EXPECT_THAT(eval_int(parse("a//z"), values),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("zero")));
  EXPECT_THAT(eval_int(parse("big*a"), values), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(eval_int(parse("big + 1"), values), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(eval_int(parse("a/2"), values),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("integer")));
  EXPECT_THAT(eval_int(parse("a > 2"), values), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(eval_bool(parse("a"), values), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(eval_float(parse("OpaqueUnaryFn_log(ToFloat(z - 1))"), values),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(eval_int(parse("int_oo"), values), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(eval_int(parse("TruncToInt(ToFloat(big)*ToFloat(big))"), values),
              StatusIs(absl::StatusCode::kOutOfRange));
}

TEST_F(SymExprTest, SubstitutesAndCollects) {
  const SymExpr e = parse("Max(x + y, ((x*y)//2))").canonical();
  EXPECT_THAT(free_symbols(e), ElementsAre(symbols_.intern("x"), symbols_.intern("y")));
  EXPECT_EQ(exprs_.substitute(e, {{symbols_.intern("y"), integer(4)}}), parse("Max(2*x, x + 4)"));
  EXPECT_EQ(exprs_.substitute(e, {{symbols_.intern("x"), parse("1 + y")}}).canonical(),
            parse("Max(2*y + 1, ((y**2 + y)//2))"));
  EXPECT_EQ(exprs_.substitute(e, {}), e);
}

// ---------------------------------------------------------------- against SymPy

TEST_F(SymExprTest, AgreesWithSympy) {
  std::ifstream file("tests/golden/sym_exprs.txt");
  ASSERT_TRUE(file) << "run from the source root";
  const SymBindings rows[] = {
      bind({{"s0", 2}, {"s1", 3}, {"s10", 5}, {"s2", 7}, {"s77", 11}, {"u0", 0}, {"u1", 1}}),
      bind({{"s0", 6}, {"s1", 4}, {"s10", 2}, {"s2", 3}, {"s77", 10}, {"u0", -3}, {"u1", 2}}),
      bind({{"s0", 13}, {"s1", 8}, {"s10", 9}, {"s2", 4}, {"s77", 5}, {"u0", 4}, {"u1", -7}})};
  int expressions = 0;
  int canonical_texts = 0;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    SCOPED_TRACE(line);
    std::vector<std::string> cells;
    for (size_t start = 0; start <= line.size();) {
      const size_t end = std::min(line.find(" ; ", start), line.size());
      cells.push_back(line.substr(start, end - start));
      start = end + 3;
    }
    ASSERT_EQ(cells.size(), 4U);
    const SymExpr e = parse(cells[0]);
    EXPECT_EQ(to_string(e), cells[0]);  // equal text
    ++expressions;
    canonical_texts += e == e.canonical();
    EXPECT_EQ(parse(to_string(e.canonical())), e.canonical());
    for (size_t row = 0; row < 3; ++row) {
      const std::string& expected = cells[row + 1];
      if (expected == "-") continue;
      const absl::StatusOr<SymValue> value = evaluate(e, rows[row]);
      ASSERT_THAT(value, IsOk());
      if (expected == "True" || expected == "False") {
        EXPECT_EQ(value->int_value() != 0, expected == "True");
      } else {
        const absl::StatusOr<SymValue> expected_value = evaluate(parse(expected), {});
        ASSERT_THAT(expected_value, IsOk());
        EXPECT_NEAR(value->as_float(), expected_value->as_float(),
                    1e-12 * std::abs(expected_value->as_float()));
      }
    }
  }
  EXPECT_EQ(expressions, 600);
  // The spelling differs for products (fxcpp expands them), PythonMod, and reversed relations.
  EXPECT_GT(canonical_texts, 350);
}

// ---------------------------------------------------------------- random trees

/// A random integer tree as text, with its value from direct arithmetic (nullopt: undefined).
struct RandomTree {
  std::string text;
  std::optional<int64_t> value;
};

class RandomTrees {
 public:
  RandomTrees(uint32_t seed, const std::vector<int64_t>& values) : random_(seed), values_(values) {}

  RandomTree make(int depth) {
    if (depth == 0 || pick(5) == 0) {
      if (pick(3) == 0) {
        const int64_t n = pick(13) - 4;
        return {n < 0 ? "(" + std::to_string(n) + ")" : std::to_string(n), n};
      }
      const auto i = static_cast<size_t>(pick(static_cast<int>(values_.size())));
      return {"v" + std::to_string(i), values_[i]};
    }
    const RandomTree a = make(depth - 1);
    const RandomTree b = make(depth - 1);
    const auto infix = [&](const char* sign) { return "(" + a.text + sign + b.text + ")"; };
    const auto call = [&](const char* name) { return name + ("(" + a.text) + ", " + b.text + ")"; };
    const bool defined = a.value && b.value;
    const int64_t x = a.value.value_or(0);
    const int64_t y = b.value.value_or(1);
    const auto when = [&](bool condition, int64_t value) {
      return defined && condition ? std::optional(value) : std::nullopt;
    };
    // Values are usually small: only in theory could trees of depth 4 with leaves up to 40 reach
    // 2**90. Large values are skipped.
    const auto small = [&](double value) { return std::abs(value) < 1e9; };
    switch (pick(9)) {
      case 0:
      case 1:
        return {infix(" + "), when(true, x + y)};
      case 2:
        return {infix(" - "), when(true, x - y)};
      case 3:
      case 4: {
        const double product = static_cast<double>(x) * static_cast<double>(y);
        return {infix("*"), when(small(product), small(product) ? x * y : 0)};
      }
      case 5:
        return {infix("//"), when(y != 0, y == 0 ? 0 : floor_div(Dim(x), Dim(y)).value())};
      case 6:
        return {infix(" % "), when(y != 0, y == 0 ? 0 : mod(Dim(x), Dim(y)).value())};
      case 7:
        return {call("Max"), when(true, std::max(x, y))};
      default:
        return {call("Min"), when(true, std::min(x, y))};
    }
  }

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

 private:
  std::minstd_rand random_;
  const std::vector<int64_t>& values_;
};

TEST_F(SymExprTest, RandomTreesKeepTheirValueAndText) {
  int evaluated = 0;
  for (uint32_t seed = 1; seed <= 20'000; ++seed) {
    std::minstd_rand random(seed);
    std::vector<int64_t> values(4);
    SymBindings bindings;
    for (size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<int64_t>(random() % 60) - 20;
      bindings.emplace(symbols_.intern("v" + std::to_string(i)), values[i]);
    }
    const RandomTree tree = RandomTrees(seed, values).make(4);
    const absl::StatusOr<SymExpr> e = exprs_.parse(tree.text);
    if (!e.ok()) {  // divides by zero, possibly in an irrelevant subexpression
      EXPECT_THAT(std::string(e.status().message()), HasSubstr("zero")) << tree.text;
      EXPECT_FALSE(tree.value) << tree.text;
      continue;
    }
    const SymExpr canonical = e->canonical();
    const std::string text = to_string(canonical);
    EXPECT_THAT(exprs_.parse(text), IsOkAndHolds(canonical)) << tree.text << "\n" << text;
    if (!tree.value) continue;
    EXPECT_THAT(eval_int(*e, bindings), IsOkAndHolds(*tree.value)) << tree.text << "\n" << text;
    ++evaluated;
    absl::flat_hash_map<Symbol, SymExpr> constants;
    for (size_t i = 0; i < values.size(); ++i)
      constants.emplace(symbols_.intern("v" + std::to_string(i)), integer(values[i]));
    EXPECT_EQ(exprs_.substitute(*e, constants), integer(*tree.value)) << tree.text << "\n" << text;
  }
  EXPECT_GT(evaluated, 12'000);
}

TEST_F(SymExprTest, RandomPolynomialsDoNotDependOnTheOrderOfBuilding) {
  std::minstd_rand random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<SymExpr> terms;
    for (int i = 0; i < 6; ++i) {
      SymExpr term = integer(static_cast<int64_t>(random() % 7) - 3);
      for (uint32_t factors = random() % 4; factors > 0; --factors)
        term = exprs_.mul(term, symbol("v" + std::to_string(random() % 4)));
      terms.push_back(term);
    }
    const SymExpr expected = exprs_.add(terms);
    const SymExpr squared = exprs_.mul(expected, expected);
    std::shuffle(terms.begin(), terms.end(), random);
    SymExpr sum = integer(0);
    SymExpr square = integer(0);
    for (SymExpr term : terms) {
      sum = exprs_.add(sum, term);
      square = exprs_.add(square, exprs_.mul(term, expected));
    }
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(square, squared);
  }
}

TEST_F(SymExprTest, OrderIsTotal) {
  std::vector<SymExpr> all;
  for (const char* text :
       {"1",         "1.0",       "-1",    "1/2",     "nan",   "oo",     "x",
        "y",         "x10",       "x2",    "2*x",     "x**2",  "x**3",   "1/x",
        "x**y",      "2**x",      "x*y",   "x + 1",   "x + y", "(x//2)", "Mod(x, 2)",
        "Max(1, x)", "Min(1, x)", "f(x)",  "f(x, y)", "g(x)",  "x > 1",  "Eq(x, 1)",
        "True",      "x**(1/2)",  "0.5*x", "0.0",     "-0.0"})
    all.push_back(parse(text).canonical());
  const auto before = [](SymExpr a, SymExpr b) { return compare_order(a, b) < 0; };
  std::sort(all.begin(), all.end(), before);
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < all.size(); ++j)
      EXPECT_EQ(before(all[i], all[j]), i < j) << to_string(all[i]) << " " << to_string(all[j]);
}

TEST_F(SymExprTest, ThreadsShareOneTable) {
  constexpr int kThreads = 4;
  std::vector<std::vector<SymExpr>> results(kThreads);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3000; ++i) {
        const SymExpr x = exprs_.symbol("x" + std::to_string(i % 50));
        results[static_cast<size_t>(t)].push_back(
            exprs_.add(exprs_.mul(x, exprs_.integer(i)), exprs_.symbol("y")));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int t = 1; t < kThreads; ++t) EXPECT_EQ(results[static_cast<size_t>(t)], results[0]);
}

// ---------------------------------------------------------------- Dim

TEST_F(SymExprTest, DimsComputeWithIntegers) {
  const Dim n = symbol("n");
  EXPECT_EQ(Dim(3) + 4, Dim(7));
  EXPECT_EQ(2 * n - n - n, Dim(0));
  EXPECT_EQ(floor_div(n + 2 * 1 - 3, 2) + 1, Dim(parse("((n + 1)//2)")));
  EXPECT_EQ(ceil_div(Dim(7), 2), Dim(4));
  EXPECT_EQ(ceil_div(Dim(-7), 2), Dim(-3));
  EXPECT_EQ(mod(n * 4, 4), Dim(0));
  EXPECT_EQ(max(n, n + 1), n + 1);
  EXPECT_EQ(min(Dim(2), 5), Dim(2));
  EXPECT_TRUE((n - n).is_int());
  EXPECT_EQ(to_string(n * 2 + 1), "2*n + 1");
  EXPECT_THAT(eval_int(n * 2 + 1, bind({{"n", 5}})), IsOkAndHolds(11));
  EXPECT_THAT(eval_int(Dim(4), {}), IsOkAndHolds(4));
}

TEST_F(SymExprTest, UndefinedDimsPropagate) {
  const Dim n = symbol("n");
  for (const Dim& d : {Dim(kMax) + 1, Dim(kMin) - 1, Dim(kMax) * 2, -Dim(kMin),
                       floor_div(Dim(kMin), -1), Dim(kMax) * n + Dim(kMax) * n}) {
    EXPECT_TRUE(d.is_undefined());
    EXPECT_THAT(d.status(), StatusIs(absl::StatusCode::kOutOfRange));
    EXPECT_TRUE((d + 1).is_undefined());
    EXPECT_TRUE((n * d).is_undefined());
  }
  EXPECT_THAT(floor_div(n, 0).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(mod(Dim(1), 0).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(n.status().ok());
}

}  // namespace
}  // namespace fx
