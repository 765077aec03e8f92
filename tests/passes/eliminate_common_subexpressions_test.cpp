#include "fx/passes/cleanup/eliminate_common_subexpressions.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <memory>
#include <string>

namespace fx::eliminate_common_subexpressions_test {
namespace {

class CseTest : public ::testing::Test {
 protected:
  /// Returns the names of the calls that remain after the pass runs on the body of a graph with
  /// the inputs %x and %y. An added call uses the results of the body, so that they are not results
  /// of the graph.
  std::string remaining(std::string_view body) {
    return remaining_with_results(read_by_call(body));
  }
  static std::string read_by_call(std::string_view body) {
    std::string text(body);
    const size_t results = text.rfind("return (");
    text.replace(results, 8, "%out = aten.stack.default([");
    text.replace(text.rfind(')'), 1, "])\n return %out");
    return text;
  }
  /// Returns the names of the remaining calls; the results of the body are results of the graph.
  std::string remaining_with_results(const std::string& body) {
    auto graph = parse_graph(context_, "graph(%x, %y) {\n" + body + "\n}");
    EXPECT_TRUE(graph.ok()) << graph.status();
    if (!graph.ok()) return "";
    EXPECT_TRUE(eliminate_common_subexpressions(**graph).ok());
    const VerifierReport report = verify(**graph, {.check_index = true});
    EXPECT_TRUE(report.ok()) << report.str();
    const auto again = eliminate_common_subexpressions(**graph);
    EXPECT_TRUE(again.ok() && !*again) << "not idempotent";
    std::string names;
    for (const Node& node : (*graph)->nodes())
      if (!node.is_placeholder() && !node.is_output() && node.name() != "out")
        names += node.name() + " ";
    return names;
  }

  Context context_;
};

TEST_F(CseTest, MergesEqualCallsAndTheirUsers) {
  EXPECT_EQ(remaining(R"(%a = aten.mul.Tensor(%x, 2)
                    %b = aten.mul.Tensor(%x, 2)
                    %c = aten.add.Tensor(%a, %y, alpha=2)
                    %d = aten.add.Tensor(%b, %y, alpha=2)
                    return (%c, %d))"),
            "a c ");
}

TEST_F(CseTest, LiteralsAreComparedByKindAndBits) {
  EXPECT_EQ(remaining(R"(%a = aten.mul.Tensor(%x, 1)
                    %b = aten.mul.Tensor(%x, True)
                    %c = aten.mul.Tensor(%x, 1.0)
                    %d = aten.mul.Tensor(%x, 0.0)
                    %e = aten.mul.Tensor(%x, -0.0)
                    %f = aten.view.default(%x, [2, 3])
                    %g = aten.view.default(%x, [2, 3, 1])
                    %h = aten.view.default(%x, (2, 3))
                    %i = aten.view.default(%x, [2, 3])
                    return (%a, %b, %c, %d, %e, %f, %g, %h, %i))"),
            "a b c d e f g h ");
}

TEST_F(CseTest, NestedOperandsAndKeywordsAreCompared) {
  EXPECT_EQ(remaining(R"(%a = aten.cat.default([%x, %y], 1)
                    %b = aten.cat.default([%y, %x], 1)
                    %c = aten.cat.default([%x, %y], dim=1)
                    %d = aten.cat.default([%x, %y], 1)
                    return (%a, %b, %c, %d))"),
            "a b c ");
}

TEST_F(CseTest, RandomStatefulAndUnknownCallsAreKept) {
  EXPECT_EQ(remaining(R"(%a = aten.rand.default([2])
                    %b = aten.rand.default([2])
                    %c = aten.dropout.default(%x, 0.5, True)
                    %d = aten.dropout.default(%x, 0.5, True)
                    %e = aten.empty.memory_format([2])
                    %f = aten.empty.memory_format([2])
                    %g = user.function(%x)
                    %h = user.function(%x)
                    return (%a, %b, %c, %d, %e, %f, %g, %h))"),
            "a b c d e f g h ");
  EXPECT_EQ(remaining(R"(%c = aten.dropout.default(%x, 0.5, False)
                    %d = aten.dropout.default(%x, 0.5, False)
                    return (%c, %d))"),
            "c ");
}

TEST_F(CseTest, WritesToOperandsPreventMerging) {
  EXPECT_EQ(remaining(R"(%a = aten.mul.Tensor(%x, 2)
                    %b = aten.mul.Tensor(%x, 2)
                    %w = aten.add_.Tensor(%x, 1)
                    %c = aten.mul.Tensor(%x, 2)
                    return (%a, %b, %c))"),
            "a w c ");
}

TEST_F(CseTest, AWriteThroughAViewWritesToItsSource) {
  EXPECT_EQ(remaining(R"(%z = aten.relu.default(%x)
                    %v = aten.view.default(%z, [-1])
                    %a = aten.sin.default(%z)
                    %w = aten.add_.Tensor(%v, 1)
                    %b = aten.sin.default(%z)
                    return (%a, %b))"),
            "z v a w b ");
}

TEST_F(CseTest, ValuesWrittenLaterAreNotShared) {
  EXPECT_EQ(remaining(R"(%a = aten.relu.default(%x)
                    %b = aten.relu.default(%x)
                    %w = aten.add_.Tensor(%b, 1)
                    return (%a, %b))"),
            "a b w ");
}

// faults/03-cse-two-results: calls that allocate memory are kept if different results use them.
TEST_F(CseTest, ResultsStayInSeparateMemory) {
  EXPECT_EQ(remaining_with_results(R"(%a = aten.zeros_like.default(%x)
                    %b = aten.zeros_like.default(%x)
                    %v = aten.unsqueeze.default(%b, 1)
                    return (%a, %v))"),
            "a b v ");
  EXPECT_EQ(remaining_with_results(R"(%a = aten.relu.default(%x)
                    %b = aten.relu.default(%x)
                    return (%a, [%b]))"),
            "a b ");
  EXPECT_EQ(remaining_with_results(R"(%a = torch.sin(%x)
                    %b = torch.sin(%x)
                    %p = aten.split.Tensor(%b, 1)
                    %q = operator.getitem(%p, 0)
                    return (%a, %q))"),
            "a b p q ");
  EXPECT_EQ(remaining_with_results(R"(%a = aten.max.dim(%x, 0)
                    %b = aten.max.dim(%x, 0)
                    %i = operator.getitem(%a, 0)
                    %j = operator.getitem(%b, 0)
                    return (%i, %j))"),
            "a b i j ");
  EXPECT_EQ(remaining_with_results(R"(%a = call_method sin(%x)
                    %b = call_method sin(%x)
                    %t = call_method t(%b)
                    return (%a, %t))"),
            "a b t ");
}

TEST_F(CseTest, OneResultAndViewsAreMerged) {
  EXPECT_EQ(remaining_with_results(R"(%a = aten.relu.default(%x)
                    %b = aten.relu.default(%x)
                    %c = aten.mul.Tensor(%a, 2)
                    return (%b, %c))"),
            "a c ");
  EXPECT_EQ(remaining_with_results(R"(%a = aten.t.default(%x)
                    %b = aten.t.default(%x)
                    return (%a, %b))"),
            "a ");
  EXPECT_EQ(remaining_with_results(R"(%p = aten.split.Tensor(%x, 1)
                    %a = operator.getitem(%p, 0)
                    %b = operator.getitem(%p, 0)
                    return (%a, %b))"),
            "p a ");
  EXPECT_EQ(remaining_with_results(R"(%a = aten.sym_size.int(%x, 0)
                    %b = aten.sym_size.int(%x, 0)
                    return (%a, %b))"),
            "a ");
}

TEST_F(CseTest, WritesToOtherMemoryAreIgnored) {
  EXPECT_EQ(remaining(R"(%z = aten.sin.default(%x)
                    %a = aten.mul.Tensor(%z, 2)
                    %t = aten.relu.default(%y)
                    %w = aten.add_.Tensor(%t, 1)
                    %b = aten.mul.Tensor(%z, 2)
                    return (%a, %b, %t))"),
            "z a t w ");
}

TEST_F(CseTest, AnUnknownCallMayWriteToAnything) {
  EXPECT_EQ(remaining(R"(%a = aten.sin.default(%x)
                    %u = user.function()
                    %b = aten.sin.default(%x)
                    return (%a, %b))"),
            "a u b ");
}

TEST_F(CseTest, GetAttrsAreMerged) {
  EXPECT_EQ(remaining(R"(%a = get_attr w
                    %b = get_attr w
                    %c = get_attr v
                    %d = aten.mul.Tensor(%a, %b)
                    return (%c, %d))"),
            "a c d ");
}

TEST_F(CseTest, OnlyCallsOfEqualTypesAreMerged) {
  auto graph = parse_graph(context_, R"(graph(%x) {
    %a = aten.sin.default(%x)
    %b : f32[2] = aten.sin.default(%x)
    %c : f32[3] = aten.sin.default(%x)
    %d = aten.cat.default([%a, %b, %c])
    return %d
  })");
  ASSERT_THAT(graph, testing::IsOk());
  ASSERT_TRUE(*eliminate_common_subexpressions(**graph));
  EXPECT_EQ(print(**graph), R"(graph(%x) {
  %a : f32[2] = aten.sin.default(%x)
  %c : f32[3] = aten.sin.default(%x)
  %d = aten.cat.default([%a, %a, %c])
  return %d
}
)");
}

// A call without a type gets the type of an equal call. Views of the call can then be merged in the
// same run (program 998117666).
TEST_F(CseTest, TypesOfMergedCallsApplyInTheSameRun) {
  auto graph = parse_graph(context_, R"(graph(%x : f64[1, 2], %y : f64[2]) {
    %w : f64[2] = aten.add_.Tensor(%y, 1)
    %a = aten.amax.default(%x, [1])
    %b : f64[1] = aten.amax.default(%x, [1])
    %r : f64[1] = aten.reshape.default(%a, [1])
    %s : f64[1] = aten.reshape.default(%a, [1])
    %t = aten.sin.default(%r)
    return (%t, %s)
  })");
  ASSERT_THAT(graph, testing::IsOk());
  ASSERT_TRUE(*eliminate_common_subexpressions(**graph));
  EXPECT_EQ(print(**graph), R"(graph(%x : f64[1, 2], %y : f64[2]) {
  %w : f64[2] = aten.add_.Tensor(%y, 1)
  %a : f64[1] = aten.amax.default(%x, [1])
  %r : f64[1] = aten.reshape.default(%a, [1])
  %t = aten.sin.default(%r)
  return (%t, %r)
}
)");
  EXPECT_FALSE(*eliminate_common_subexpressions(**graph));
}

TEST_F(CseTest, NestedGraphsAreSearchedSeparately) {
  auto graph = parse_graph(context_, R"(graph(%x) {
    graph @body(%y) {
      %a = aten.sin.default(%y)
      %b = aten.sin.default(%y)
      %c = aten.mul.Tensor(%a, %b)
      return %c
    }
    %d = aten.sin.default(%x)
    return %d
  })");
  ASSERT_THAT(graph, testing::IsOk());
  ASSERT_TRUE(*eliminate_common_subexpressions(**graph));
  EXPECT_EQ((*graph)->subgraph(0).size(), 4u);
  EXPECT_EQ((*graph)->size(), 3u);
}

TEST_F(CseTest, KeepSelectsCallsToKeep) {
  auto graph = parse_graph(context_, R"(graph(%x) {
    %a = aten.sin.default(%x)
    %b = aten.sin.default(%x)
    return (%a, %b)
  })");
  ASSERT_THAT(graph, testing::IsOk());
  EXPECT_FALSE(*eliminate_common_subexpressions(
      **graph, {.keep = [](const Node& node) { return node.name() == "b"; }}));
}

// Random graphs stay valid, and a second run changes nothing.
TEST_F(CseTest, RandomGraphsAreMergedCompletely) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::unique_ptr<Graph> graph =
        testing::random_graph(context_, seed, {.max_nodes = 60, .max_argument_depth = 1});
    const VerifierReport before = verify(*graph);
    ASSERT_TRUE(eliminate_common_subexpressions(*graph).ok());
    ASSERT_EQ(verify(*graph).num_errors, before.num_errors) << seed;
    const auto again = eliminate_common_subexpressions(*graph);
    ASSERT_TRUE(again.ok() && !*again) << seed;
  }
}

}  // namespace
}  // namespace fx::eliminate_common_subexpressions_test
