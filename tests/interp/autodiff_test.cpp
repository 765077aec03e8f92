// The differentiation example: its gradients must equal the derivatives.
#include "examples/08_autodiff/vjp.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fx::autodiff_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::StatusIs;

class Numbers : public Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    const std::string_view name = call.function.name();
    if (name == "operator.add") return call.args[0] + call.args[1];
    if (name == "operator.mul") return call.args[0] * call.args[1];
    if (name == "torch.sin") return std::sin(call.args[0]);
    if (name == "torch.cos") return std::cos(call.args[0]);
    if (name == "torch.exp") return std::exp(call.args[0]);
    return Interpreter::call_function(call);
  }
};

/// Returns the value of a number or a node in the graph for these inputs.
double value_of(const Graph& graph, const ArgumentRef& what, const std::vector<double>& inputs) {
  if (!what.is_node()) return what.as_float();
  Numbers numbers(graph);
  numbers.set_garbage_collect_values(false);
  EXPECT_THAT(numbers.start(inputs), testing::IsOk());
  EXPECT_THAT(numbers.run_until(*graph.output_node()), testing::IsOk());
  return *numbers.value(*what.as_node());
}

// parity: D3a D3c
TEST(AutodiffTest, VjpOfSinPlusX) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto f, parse_graph(context, R"(graph(%x) {
    %sin = torch.sin(%x)
    %add = operator.add(%sin, %x)
    return %add
  })"));
  const autodiff::Rules rules = autodiff::standard_rules();
  FX_ASSERT_OK_AND_ASSIGN(const auto backward, autodiff::vjp(*f, rules));
  EXPECT_EQ(verify(*backward).str(), "");
  std::map<std::string, int> calls;
  for (const Node& node : backward->nodes())
    if (node.op() == Opcode::kCallFunction) ++calls[std::string(node.target())];
  EXPECT_THAT(calls, ElementsAre(Pair("operator.add", 2), Pair("operator.mul", 1),
                                 Pair("torch.cos", 1), Pair("torch.sin", 1)));
  const ArgumentRef result = backward->output_node()->arg(0);
  EXPECT_EQ(value_of(*backward, result[0], {0.3, 2.0}), std::sin(0.3) + 0.3);
  EXPECT_DOUBLE_EQ(value_of(*backward, result[1][0], {0.3, 2.0}), 2 * (std::cos(0.3) + 1));
}

TEST(AutodiffTest, GradientsEqualFiniteDifferences) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto f, parse_graph(context, R"(graph(%x, %y, %unused) {
    %a = operator.mul(%x, %y)
    %b = torch.sin(%a)
    %c = torch.exp(%b)
    %d = operator.mul(%c, %c)
    %e = operator.add(%d, %x)
    %f = operator.mul(%e, 0.5)
    %dead = torch.exp(%f)
    %g = operator.mul(%f, %b)
    %h = torch.sin(%g)
    return %h
  })"));
  const autodiff::Rules rules = autodiff::standard_rules();
  FX_ASSERT_OK_AND_ASSIGN(const auto backward, autodiff::vjp(*f, rules));
  const ArgumentRef result = backward->output_node()->arg(0);
  const std::vector<double> at = {0.7, -0.4, 5.0};
  const double dret = 1.5, step = 1e-6;
  for (size_t i = 0; i < at.size(); ++i) {
    std::vector<double> up = at, down = at;
    up[i] += step;
    down[i] -= step;
    FX_ASSERT_OK_AND_ASSIGN(const double above, Numbers(*f).run(up));
    FX_ASSERT_OK_AND_ASSIGN(const double below, Numbers(*f).run(down));
    const double slope = (above - below) / (2 * step);
    EXPECT_NEAR(value_of(*backward, result[1][i], {at[0], at[1], at[2], dret}), dret * slope, 1e-8)
        << i;
  }
}

TEST(AutodiffTest, CallsOnNumbersAreEvaluated) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto f, parse_graph(context, R"(graph(%x) {
    %two = operator.add(1.5, 0.5)
    %sin = torch.sin(%two)
    %y = operator.mul(%x, %sin)
    return %y
  })"));
  FX_ASSERT_OK_AND_ASSIGN(const auto backward, autodiff::vjp(*f, autodiff::standard_rules()));
  EXPECT_EQ(verify(*backward).str(), "");
  const ArgumentRef result = backward->output_node()->arg(0);
  EXPECT_DOUBLE_EQ(value_of(*backward, result[1][0], {5.0, 3.0}), 3 * std::sin(2.0));
}

TEST(AutodiffTest, MissingRulesAreNamed) {
  Context context;
  const autodiff::Rules rules = autodiff::standard_rules();
  for (const std::string call : {"torch.tan(%x)", "torch.sin()", "torch.sin(input=%x)"}) {
    FX_ASSERT_OK_AND_ASSIGN(
        const auto f, parse_graph(context, "graph(%x) {\n  %y = " + call + "\n  return %y\n}"));
    EXPECT_THAT(autodiff::vjp(*f, rules),
                StatusIs(absl::StatusCode::kUnimplemented,
                         HasSubstr("no rule for this call to " + call.substr(0, 9))));
  }
}

}  // namespace
}  // namespace fx::autodiff_test
