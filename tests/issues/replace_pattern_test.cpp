// Bugs that users of torch.fx's replace_pattern and of similar matchers reported. Each test names
// the report, and checks that fxcpp does not have the bug.
#include "fx/passes/rewrite/replace_pattern.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

/// Returns the strings of the arguments, concatenated.
template <class... Ts>
std::string concat(const Ts&... parts) {
  std::string text;
  ((text += fmt::format("{}", parts)), ...);
  return text;
}

class IssuesTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    auto graph = parse_graph(context_, "graph" + std::string(text));
    EXPECT_TRUE(graph.ok()) << graph.status();
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }

  std::string replaced(std::string_view graph_text, std::string_view pattern_text,
                       std::string_view replacement_text, const ReplaceOptions& options = {}) {
    const auto graph = parse(graph_text);
    const auto done =
        replace_pattern(*graph, *parse(pattern_text), *parse(replacement_text), options);
    if (!done.ok()) return std::string(done.status().message());
    const VerifierReport report = verify(*graph, {.check_index = true});
    EXPECT_TRUE(report.ok()) << report.str();
    std::string text;
    for (const Node& node : graph->nodes())
      if (!node.is_placeholder()) text += print(node) + "\n";
    return text;
  }

  Context context_;
};

// pytorch 159613: the result of each match is an input of the next match.
// parity: R7
TEST_F(IssuesTest, Pytorch159613BackToBack) {
  for (const ReplaceOptions& options : {ReplaceOptions(), ReplaceOptions::torch_fx()}) {
    EXPECT_EQ(replaced("(%a, %b) { %p = f(%a, %b) %q = f(%p, %b) %r = f(%q, %b) return %r }",
                       "(%x, %y) { %f = f(%x, %y) return %f }",
                       "(%x, %y) { %g = g(%x, %y) return %g }", options),
              "%g = g(%a, %b)\n%g_1 = g(%g, %b)\n%g_2 = g(%g_1, %b)\nreturn %g_2\n");
  }
}

// ... and inside a list: torch.fx's result used the erased node.
// parity: R7
TEST_F(IssuesTest, Pytorch159613ThroughAList) {
  for (const ReplaceOptions& options : {ReplaceOptions(), ReplaceOptions::torch_fx()}) {
    EXPECT_EQ(replaced("(%x1, %x2, %x3) { %y1 = aten.cat.default([%x1, %x2], 1) "
                       "%y2 = aten.cat.default([%y1, %x3], 2) return %y2 }",
                       "(%x, %dim) { %c = aten.cat.default(%x, %dim) return %c }",
                       "(%x, %dim) { %m = my_lib.my_cat(%x, %dim) return %m }", options),
              "%m = my_lib.my_cat([%x1, %x2], 1)\n%m_1 = my_lib.my_cat([%m, %x3], 2)\n"
              "return %m_1\n");
  }
}

// pytorch 97817: for a replacement that returns its input, all nodes before it were reported as
// inserted.
// parity: R2 R12
TEST_F(IssuesTest, Pytorch97817IdentityInsertsNothing) {
  const auto graph = parse(
      "(%x) { %a = aten.add.Tensor(%x, 2) %u = aten.unsqueeze.default(%a, 0) "
      "%s = aten.squeeze.default(%u) return %s }");
  const auto pattern = parse(
      "(%x) { %u = aten.unsqueeze.default(%x, 0) "
      "%s = aten.squeeze.default(%u) return %s }");
  const auto replacement = parse("(%x) { return %x }");
  FX_ASSERT_OK_AND_ASSIGN(const Replacements done, replace_pattern(*graph, *pattern, *replacement));
  ASSERT_EQ(done.size(), 1u);
  EXPECT_TRUE(done.inserted(0).empty());
  EXPECT_EQ(print(*graph), "graph(%x) {\n  %a = aten.add.Tensor(%x, 2)\n  return %a\n}\n");
}

// pytorch 98974: with adjacent removals, the inputs of the second match were erased nodes.
// parity: R7 R12
TEST_F(IssuesTest, Pytorch98974AdjacentRemovals) {
  const auto graph = parse("(%x) { %a = f(%x) %b = f(%a) %c = f(%b) return %c }");
  const auto pattern = parse("(%x) { %f = f(%x) return %f }");
  const auto replacement = parse("(%x) { return %x }");
  FX_ASSERT_OK_AND_ASSIGN(const Replacements done, replace_pattern(*graph, *pattern, *replacement));
  ASSERT_EQ(done.size(), 3u);
  for (size_t i = 0; i < 3; ++i)
    EXPECT_EQ(done.match(i).inputs()[0], Argument(graph->find_node("x")));
  EXPECT_EQ(print(*graph), "graph(%x) {\n  return %x\n}\n");
}

// pytorch 66442: only one of three consecutive calls was replaced.
TEST_F(IssuesTest, Pytorch66442ThreeInARow) {
  EXPECT_EQ(replaced("(%x) { %a = torch.sigmoid(%x) %b = torch.sigmoid(%a) %c = torch.sigmoid(%b) "
                     "return %c }",
                     "(%x) { %s = torch.sigmoid(%x) return %s }",
                     "(%x) { %e = torch.exp(%x) return %e }"),
            "%e = torch.exp(%x)\n%e_1 = torch.exp(%e)\n%e_2 = torch.exp(%e_1)\nreturn %e_2\n");
}

// pytorch 55863: methods with a dtype as an argument.
TEST_F(IssuesTest, Pytorch55863Methods) {
  EXPECT_EQ(replaced("(%x) { %d = call_method dequantize(%x) %s = call_method sigmoid(%d) "
                     "%t = call_method to(%s, torch.float16) return %t }",
                     "(%x) { %d = call_method dequantize(%x) %s = call_method sigmoid(%d) "
                     "%t = call_method to(%s, torch.float16) return %t }",
                     "(%x) { return %x }"),
            "return %x\n");
}

// pytorch 68392: an input of the match may have other users, but an inner value must not.
TEST_F(IssuesTest, Pytorch68392InputsMayBeShared) {
  EXPECT_EQ(replaced("(%x) { %i = g(%x) %a = f(%i) %b = f(%a) %o = h(%i, %b) return %o }",
                     "(%x) { %p = f(%x) %q = f(%p) return %q }", "(%x) { %r = ff(%x) return %r }"),
            "%i = g(%x)\n%r = ff(%i)\n%o = h(%i, %r)\nreturn %o\n");
}

// pytorch 104775: with ignored constants, a node argument was mistaken for a call of the pattern,
// and was then missing from the match.
TEST_F(IssuesTest, Pytorch104775IgnoredLiteralsAreNotCalls) {
  ReplaceOptions options;
  options.pattern.ignore_literals = true;
  const std::string_view pattern =
      "(%x) { %b = bernoulli(%x) %d = div_(%b, 0.5) %m = aten.mul.Tensor(%x, %d) return %m }";
  const std::string_view replacement = "(%x) { %m = dropout(%x) return %m }";
  EXPECT_EQ(
      replaced("(%x) { %m = aten.mul.Tensor(%x, 3) return %m }", pattern, replacement, options),
      "%m = aten.mul.Tensor(%x, 3)\nreturn %m\n");
  EXPECT_EQ(replaced("(%x) { %b = bernoulli(%x) %d = div_(%b, 0.25) %m = aten.mul.Tensor(%x, %d) "
                     "return %m }",
                     pattern, replacement, options),
            "%m_1 = dropout(%x)\nreturn %m_1\n");
}

// pytorch 99431, and a question in its review: calls that mix defaults, positional and keyword
// arguments.
// parity: SM5
TEST_F(IssuesTest, Pytorch99431DefaultsAndKeywords) {
  const std::string_view graph =
      "(%x) { %a = aten.sum.dim_IntList(%x, [1]) %b = aten.sum.dim_IntList(%x, [1], False) "
      "%c = aten.sum.dim_IntList(%x, [1], keepdim=False, dtype=None) "
      "%d = aten.sum.dim_IntList(%x, dim=[1]) %e = aten.sum.dim_IntList(%x, [1], True) "
      "return [%a, %b, %c, %d, %e] }";
  for (const std::string_view call : {"%x, [1]", "%x, [1], False", "%x, dim=[1], keepdim=False"}) {
    EXPECT_EQ(replaced(graph, concat("(%x) { %s = aten.sum.dim_IntList(", call, ") return %s }"),
                       "(%x) { %s = s(%x) return %s }"),
              "%e = aten.sum.dim_IntList(%x, [1], True)\n%s = s(%x)\n%s_1 = s(%x)\n"
              "%s_2 = s(%x)\n%s_3 = s(%x)\nreturn [%s, %s_1, %s_2, %s_3, %e]\n");
  }
}

// pytorch 85456: a parameter of the pattern matches a constant.
// parity: SM3
TEST_F(IssuesTest, Pytorch85456ParametersMatchConstants) {
  EXPECT_EQ(
      replaced("(%x) { %a = foo(%x, 3) return %a }", "(%x, %y) { %f = foo(%x, %y) return %f }",
               "(%x, %y) { %f = bar(%y, %x) return %f }"),
      "%f = bar(3, %x)\nreturn %f\n");
}

// kernl 180, pytorch 97683: a pattern matches any constant, and the replacement uses it.
TEST_F(IssuesTest, Kernl180ConstantsAreBound) {
  EXPECT_EQ(
      replaced("(%x, %y) { %a = dropout(%x, 0.1, True) %b = dropout(%a, %y, True) return %b }",
               "(%x, %p !{match=\"float\"}) { %d = dropout(%x, %p, True) return %d }",
               "(%x, %p) { %d = fast_dropout(%x, p=%p, q=[%p]) return %d }"),
      "%d = fast_dropout(%x, p=0.1, q=[0.1])\n%b = dropout(%d, %y, True)\nreturn %b\n");
}

// pytorch 129685 (Inductor): an inner value with users outside the match cannot be erased.
TEST_F(IssuesTest, Pytorch129685ValuesUsedElsewhere) {
  const std::string_view graph = "(%x) { %a = f(%x) %b = g(%a) %c = h(%a) return (%b, %c) }";
  EXPECT_EQ(
      replaced(graph, "(%x) { %a = f(%x) %b = g(%a) return %b }", "(%x) { %r = fg(%x) return %r }"),
      "%a = f(%x)\n%b = g(%a)\n%c = h(%a)\nreturn (%b, %c)\n");
  // If the pattern also returns it, it may have users, and the replacement provides their operand.
  EXPECT_EQ(replaced(graph, "(%x) { %a = f(%x) %b = g(%a) return (%b, %a) }",
                     "(%x) { %r = fg(%x) %s = f(%x) return (%r, %s) }"),
            "%r = fg(%x)\n%s = f(%x)\n%c = h(%s)\nreturn (%r, %c)\n");
}

// pytorch 143841: a match without users.
// parity: R13
TEST_F(IssuesTest, Pytorch143841MatchesWithoutUsers) {
  EXPECT_EQ(replaced("(%x) { %a = f(%x) %b = g(%x) return %b }", "(%x) { %f = f(%x) return %f }",
                     "(%x) { %h = h(%x) return %h }"),
            "%h = h(%x)\n%b = g(%x)\nreturn %b\n");
}

// pytorch 108163: torch.export writes torch.cat([a, b]).sum() as operators with all default
// arguments.
TEST_F(IssuesTest, Pytorch108163ExportedGraphs) {
  EXPECT_EQ(replaced("(%w1, %w2) { %c = aten.cat.default([%w1, %w2]) %s = aten.sum.default(%c) "
                     "return (%s,) }",
                     "(%w1, %w2) { %c = aten.cat.default([%w1, %w2], 0) "
                     "%s = aten.sum.default(%c, dtype=None) return %s }",
                     "(%w1, %w2) { %s = aten.stack.default([%w1, %w2]) return %s }"),
            "%s_1 = aten.stack.default([%w1, %w2])\nreturn (%s_1,)\n");
}

// pytorch 187945: nodes of a replacement had no meta["val"], so a later rewrite whose filter used
// the type of its result silently matched nothing. Inner values of a replacement need types too.
// parity: R2 R11
TEST_F(IssuesTest, Pytorch187945InsertedNodesHaveTypesForTheNextFilter) {
  const auto graph = parse(
      "(%x : f32[2, 3], %w : f32[4, 3]) { %t : f32[3, 4] = aten.t.default(%w) "
      "%mm : f32[2, 4] = aten.mm.default(%x, %t) return %mm }");
  const auto linear = parse(
      "(%x, %w) { %t = aten.t.default(%w) %mm = aten.mm.default(%x, %t) "
      "return %mm }");
  const auto by_half = parse(
      "(%x, %w) { %y = aten.mul.Scalar(%x, 0.5) %t = aten.t.default(%w) "
      "%mm = aten.mm.default(%y, %t) %sum = aten.add.Tensor(%mm, %mm) return %sum }");
  ASSERT_THAT(replace_pattern(*graph, *linear, *by_half), testing::IsOk());
  EXPECT_EQ(print(*graph),
            "graph(%x : f32[2, 3], %w : f32[4, 3]) {\n"
            "  %y : f32[2, 3] = aten.mul.Scalar(%x, 0.5)\n"
            "  %t_1 : f32[3, 4][1, 3] = aten.t.default(%w)\n"
            "  %mm_1 : f32[2, 4] = aten.mm.default(%y, %t_1)\n"
            "  %sum_1 : f32[2, 4] = aten.add.Tensor(%mm_1, %mm_1)\n"
            "  return %sum_1\n}\n");
  // The second step in the report: a filter that uses the type of the result, for each inserted
  // value.
  ReplaceOptions typed;
  typed.match.filter = [](const Match& match) {
    const Type type = match.anchor()->type();
    return type.is_tensor() && type.dtype() == DType::kFloat32;
  };
  for (const std::string_view body : {"(%x) { %a = aten.add.Tensor(%x, %x) return %a }",
                                      "(%x, %y) { %a = aten.mm.default(%x, %y) "
                                      "return %a }"}) {
    const bool is_binary = body.find("%y") != std::string_view::npos;
    FX_ASSERT_OK_AND_ASSIGN(
        const Replacements done,
        replace_pattern(*graph, *parse(body),
                        *parse(is_binary ? "(%x, %y) { %r = my.op(%x, %y) return %r }"
                                         : "(%x) { %r = my.op(%x) return %r }"),
                        typed));
    EXPECT_EQ(done.size(), 1u) << body;
  }
}

// torch.fx 2.13, found by fxcpp's random comparisons: one match returns a value unchanged, and a
// later match replaces that value. Users of the first match must use the second replacement.
// parity: R7
TEST_F(IssuesTest, IdentityOfAValueThatIsReplacedLater) {
  const std::string_view pattern = "(%x, %y) { %f = f(%x, %y) %g = g(%y) return (%f, %g) }";
  EXPECT_EQ(replaced("(%a, %b) { %f = f(%a, %b) %g = g(%b) %f2 = f(%f, %g) %g2 = g(%g) "
                     "return (%f2, %g2) }",
                     pattern, "(%x, %y) { return (%y, %x) }"),
            "return (%a, %b)\n");
}

// Tree patterns in which all calls have the same function, on a long chain of that function: the
// steps at each node are bounded by the size of the pattern.
// parity: SM12
TEST_F(IssuesTest, SelfSimilarPatternsStayLinear) {
  std::string graph = "(%x) { %v0 = f(%x, %x)";
  for (int i = 1; i < 4000; ++i) graph += concat(" %v", i, " = f(%v", i - 1, ", %v", i - 1, ")");
  graph += " return %v3999 }";
  std::string pattern = "(%x) { %p0 = f(%x, %x)";
  for (int i = 1; i < 30; ++i) pattern += concat(" %p", i, " = f(%p", i - 1, ", %p", i - 1, ")");
  pattern += " return %p29 }";
  const auto g = parse(graph);
  const auto p = parse(pattern);
  PatternOptions options;
  options.commutative = true;
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*p, options));
  // Each match of thirty nodes with two arguments each, and the choice of its anchor, must take at
  // most max_steps steps.
  FX_ASSERT_OK_AND_ASSIGN(const MatchList found, find_matches(compiled, *g, {.max_steps = 200}));
  EXPECT_EQ(found.size(), 4000u / 30u);
}

// A wide commutative pattern that fails at its last leaf would try all orders; the limit stops the
// search.
TEST_F(IssuesTest, WideCommutativePatternsEndWithAnError) {
  std::string graph = "(%x) {", pattern = "(%x) {";
  const auto tree = [](std::string& text, std::string_view leaf) {
    for (int i = 0; i < 64; ++i)
      text += concat(" %t", 64 + i, " = ", i == 63 ? leaf : "leaf", "(%x)");
    for (int i = 63; i > 0; --i)
      text += concat(" %t", i, " = aten.add.Tensor(%t", 2 * i, ", %t", 2 * i + 1, ")");
    text += " return %t1 }";
  };
  tree(graph, "leaf");
  tree(pattern, "other");
  PatternOptions options;
  options.commutative = true;
  const auto g = parse(graph);
  const auto p = parse(pattern);
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*p, options));
  EXPECT_THAT(find_matches(compiled, *g, {.max_steps = 10000}),
              testing::StatusIs(absl::StatusCode::kResourceExhausted,
                                ::testing::HasSubstr("the search at %t1 exceeded 10000 steps")));
}

}  // namespace
}  // namespace fx
