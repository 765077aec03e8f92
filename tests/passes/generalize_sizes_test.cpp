// Recordings of a program at different sizes are combined into one graph with symbolic sizes. The
// graph must have the recorded types and numbers at each of these sizes.
#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fx::generalize_sizes_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class GeneralizeSizes : public ::testing::Test {
 protected:
  /// Generalizes the graphs that `text` returns for n = 4, 7, 11 and 6. Returns the text of the
  /// result.
  absl::StatusOr<std::string> run(const std::function<std::string(int)>& text, const char* input) {
    graphs_.clear();
    std::vector<Graph*> graphs;
    std::vector<SymBindings> sizes;
    for (const int n : {4, 7, 11, 6}) {
      FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, parse_graph(context_, text(n)));
      const ShapeReport report = propagate_types(*graph);
      EXPECT_TRUE(report.ok()) << report.str();
      graphs.push_back(graph.get());
      graphs_.push_back(std::move(graph));
      sizes.emplace_back().insert_or_assign(context_.symbol("n"), SymValue(n));
    }
    FX_ASSIGN_OR_RETURN(const Type type, context_.types().parse(input));
    const Type types[] = {type};
    FX_RETURN_IF_ERROR(generalize_sizes(graphs, sizes, types, &rivals_));
    EXPECT_EQ(verify(*graphs[0]).str(), "");
    return print(*graphs[0], {.meta = false});
  }

  Context context_;
  std::vector<std::unique_ptr<Graph>> graphs_;
  std::vector<SizeRivals> rivals_;  // of the last run
};

TEST_F(GeneralizeSizes, NumbersBecomeExpressionsOfSizes) {
  FX_ASSERT_OK_AND_ASSIGN(const std::string text, run(
                                                      [](int n) {
                                                        return fmt::format(
                                                            R"(graph(%x : f32[{}, 6]) {{
  %view = aten.view.default(%x, [{}, 2])
  %slice = aten.slice.Tensor(%view, 0, 0, {})
  %div = aten.div.Scalar(%slice, {})
  %mul = aten.mul.Tensor(%div, {:.17g})
  return %mul
}})",
                                                            n, 3 * n, n / 2, 5 * n + 2, 1.0 / n);
                                                      },
                                                      "f32[n, 6]"));
  EXPECT_EQ(text, R"(graph(%x : f32[n, 6]) {
  %sym_size_int : SymInt(n) = aten.sym_size.int(%x, 0)
  %mul_1 : SymInt(3*n) = operator.mul(3, %sym_size_int)
  %floordiv : SymInt((n//2)) = operator.floordiv(%sym_size_int, 2)
  %mul_2 : SymInt(5*n) = operator.mul(5, %sym_size_int)
  %add : SymInt(5*n + 2) = operator.add(%mul_2, 2)
  %truediv : float = operator.truediv(1.0, %sym_size_int)
  %view : f32[3*n, 2] = aten.view.default(%x, [%mul_1, 2])
  %slice : f32[Min(3*n, (n//2)), 2] = aten.slice.Tensor(%view, 0, 0, %floordiv)
  %div : f32[Min(3*n, (n//2)), 2] = aten.div.Scalar(%slice, %add)
  %mul : f32[Min(3*n, (n//2)), 2] = aten.mul.Tensor(%div, %truediv)
  return %mul
}
)");
}

TEST_F(GeneralizeSizes, EqualNumbersStayNumbers) {
  FX_ASSERT_OK_AND_ASSIGN(const std::string text, run(
                                                      [](int n) {
                                                        return fmt::format(
                                                            R"(graph(%x : f32[{}, 6]) {{
  %view = aten.view.default(%x, [-1, 6])
  %sum = aten.sum.dim_IntList(%view, [1])
  return %sum
}})",
                                                            n);
                                                      },
                                                      "f32[n, 6]"));
  EXPECT_EQ(text, R"(graph(%x : f32[n, 6]) {
  %view : f32[n, 6] = aten.view.default(%x, [-1, 6])
  %sum : f32[n] = aten.sum.dim_IntList(%view, [1])
  return %sum
}
)");
}

TEST_F(GeneralizeSizes, AssumptionsOfTypesAreGuards) {
  FX_ASSERT_OK_AND_ASSIGN(const std::string text, run(
                                                      [](int n) {
                                                        return fmt::format(
                                                            R"(graph(%x : f32[{}, 6]) {{
  %row = aten.select.int(%x, 0, 3)
  return %row
}})",
                                                            n);
                                                      },
                                                      "f32[n, 6]"));
  ASSERT_EQ(guards_of(*graphs_[0]).size(), 1u);
  EXPECT_EQ(to_string(guards_of(*graphs_[0])[0]), "n >= 4");
}

TEST_F(GeneralizeSizes, MinimaHaveRivals) {
  const auto scaled = [&](const std::function<int(int)>& number) {
    const auto text = [&](int n) {
      return fmt::format(R"(graph(%x : f32[{}, 6]) {{
  %y = aten.mul.Scalar(%x, {})
  return %y
}})",
                         n, number(n));
    };
    EXPECT_THAT(run(text, "f32[n, 6]"), IsOk());
    return rivals_;
  };
  const auto is_certain = [&](const std::function<int(int)>& number) {
    return scaled(number).empty();
  };
  EXPECT_TRUE(is_certain([](int n) { return n; }));
  EXPECT_TRUE(is_certain([](int n) { return 5 * n + 2; }));
  EXPECT_TRUE(is_certain([](int n) { return 2 * n * n; }));
  // At 4, 7, 11 and 6, these equal other expressions, which further sizes distinguish.
  const SizeWindow window{.symbol = context_.symbol("n"), .min = 2, .max = 24};
  for (const auto& number : std::vector<std::function<int(int)>>{
           [](int n) { return std::min(n, 6); }, [](int n) { return n / 2; },
           [](int n) { return n / 3 + 1; }, [](int n) { return n % 3; },
           [](int n) { return (n + 2) / 4; }, [](int n) { return 2 * (n % 4) + 1; },
           [](int n) { return (5 - n % 5) % 5; }, [](int n) { return n - n / 4; }}) {
    const std::vector<SizeRivals> found = scaled(number);
    ASSERT_EQ(found.size(), 1u);
    std::vector<SymExpr> left = found[0].expressions;
    EXPECT_EQ(found[0].number,
              fmt::format("node y (aten.mul.Scalar): argument \"1\" is {} with n=4", number(4)));
    for (int further = 0; further < 12; ++further) {
      const SizeRivals rivals[] = {{.number = "", .expressions = left}};
      const std::optional<SymBindings> sizes = distinguishing_sizes(rivals, {window});
      if (!sizes) break;
      const int n = static_cast<int>(sizes->at(window.symbol).int_value());
      std::erase_if(left,
                    [&](SymExpr expr) { return eval_int(expr, *sizes).value() != number(n); });
    }
    ASSERT_FALSE(left.empty());
    for (int n = 2; n <= 24; ++n) {
      SymBindings sizes;
      sizes.insert_or_assign(window.symbol, SymValue(n));
      EXPECT_EQ(eval_int(left[0], sizes).value(), number(n)) << to_string(left[0]) << " at " << n;
    }
  }
}

TEST_F(GeneralizeSizes, DifferentOperatorsAreErrors) {
  EXPECT_THAT(run(
                  [](int n) {
                    return fmt::format(R"(graph(%x : f32[{}, 6]) {{
  %y = {}(%x)
  return %y
}})",
                                       n, n > 10 ? "aten.relu.default" : "aten.tanh.default");
                  },
                  "f32[n, 6]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the structure of the program depends on a size: node y "
                                 "(aten.tanh.default) of the run with n=4 is node y "
                                 "(aten.relu.default) with n=11")));
}

// The call before the loop has the same operator as the last call of the loop body, so the loop
// seems to start earlier.
TEST_F(GeneralizeSizes, TheErrorNamesALoop) {
  const auto loop = [](int n) {
    std::string text = fmt::format("graph(%x : f32[{}, 6]) {{\n", n);
    text += "  %h0 = aten.tanh.default(%x)\n";
    for (int i = 0; i < n; ++i) {
      text += fmt::format("  %row{} = aten.select.int(%x, 0, {})\n", i, i);
      text += fmt::format("  %sum{} = aten.add.Tensor(%h{}, %row{})\n", i, i, i);
      text += fmt::format("  %h{} = aten.tanh.default(%sum{})\n", i + 1, i);
    }
    return text + fmt::format("  %y = aten.sum.default(%h{})\n  return %y\n}}", n);
  };
  EXPECT_THAT(run(loop, "f32[n, 6]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("depends on a size: a loop has 4 iterations with n=4, and 7 with "
                                 "n=7; an iteration has 3 calls, from node row3 (aten.select.int) "
                                 "to node h4 (aten.tanh.default);")));
  const auto fewer = [&](int n) { return loop(12 - n); };
  EXPECT_THAT(run(fewer, "f32[12 - n, 6]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a loop has 8 iterations with n=4, and 1 with n=11; an iteration "
                                 "has 3 calls, from node row0 (aten.select.int) to node h1")));
  const auto calls = [](int n) {
    std::string text = fmt::format("graph(%x : f32[{}, 6]) {{\n  %h0 = aten.neg.default(%x)\n", n);
    for (int i = 0; i < n; ++i) text += fmt::format("  %h{} = aten.tanh.default(%h{})\n", i + 1, i);
    return text + fmt::format("  return %h{}\n}}", n);
  };
  EXPECT_THAT(
      run(calls, "f32[n, 6]"),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("4 iterations with n=4, and 7 with n=7; an iteration is node h4 (")));
}

TEST_F(GeneralizeSizes, GuardsThatARunViolatesAreErrors) {
  const auto padded = [](int n) {
    return fmt::format(R"(graph(%x : f32[{}, 6]) {{
  %t = aten.t.default(%x)
  %y = aten.constant_pad_nd.default(%t, [0, {}], 0)
  return %y
}})",
                       n, n - 4);
  };
  EXPECT_THAT(run(padded, "f32[n, 6]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the types of the program require n >= 5, which does not hold "
                                 "with n=4, although the program ran with these sizes; specify "
                                 "narrower ranges for the sizes")));
}

TEST_F(GeneralizeSizes, UnsupportedFunctionsOfSizesAreErrors) {
  EXPECT_THAT(run(
                  [](int n) {
                    return fmt::format(R"(graph(%x : f32[{}, 6]) {{
  %y = aten.mul.Scalar(%x, {})
  return %y
}})",
                                       n, n * n * n % 101);
                  },
                  "f32[n, 6]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("node y (aten.mul.Scalar): argument \"1\" is 64 with n=4, and 40 "
                                 "with n=7")));
  EXPECT_THAT(run(
                  [](int n) {
                    return fmt::format(R"(graph(%x : f32[{}, 6]) {{
  %y = aten.argsort.default(%x, 1, {})
  return %y
}})",
                                       n, n == 7 ? "True" : "False");
                  },
                  "f32[n, 6]"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("= False, but True")));
}

}  // namespace
}  // namespace fx::generalize_sizes_test
