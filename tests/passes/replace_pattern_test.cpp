// Tests replace_pattern and find_matches: torch.fx's semantics, and fxcpp's defaults where they
// differ.
#include "fx/passes/rewrite/replace_pattern.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/rewrite/pattern.h"
#include "fx/passes/rewrite/subgraph_matcher.h"
#include "tests/testing/status_matchers.h"

#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::StatusIs;
using ::testing::HasSubstr;

class ReplaceTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    auto graph = parse_graph(context_, "graph" + std::string(text));
    EXPECT_TRUE(graph.ok()) << graph.status();
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }

  /// Returns the graph's body after the replacement, one statement per line, and the number of
  /// matches.
  std::string replaced(std::string_view graph_text, std::string_view pattern_text,
                       std::string_view replacement_text, const ReplaceOptions& options = {}) {
    const auto graph = parse(graph_text);
    const auto pattern = parse(pattern_text);
    const auto replacement = parse(replacement_text);
    const auto done = replace_pattern(*graph, *pattern, *replacement, options);
    if (!done.ok()) return std::string(done.status().message());
    const VerifierReport report = verify(*graph, {.check_index = true});
    EXPECT_TRUE(report.ok()) << report.str();
    std::string text = std::to_string(done->size()) + ":";
    for (const Node& node : graph->nodes())
      if (!node.is_placeholder()) text += "\n" + print(node);
    return text;
  }

  /// Returns the names of the matched nodes, each match in parentheses.
  std::string matches(std::string_view graph_text, std::string_view pattern_text,
                      const PatternOptions& options = {}, const MatchOptions& match = {}) {
    const auto graph = parse(graph_text);
    const auto pattern = parse(pattern_text);
    const auto compiled = Pattern::create(*pattern, options);
    if (!compiled.ok()) return std::string(compiled.status().message());
    const auto found = find_matches(*compiled, *graph, match);
    if (!found.ok()) return std::string(found.status().message());
    std::vector<std::string> texts;
    for (const Match m : *found) {
      texts.push_back(
          "(" +
          absl::StrJoin(m.nodes(), " ",
                        [](std::string* out, const Node* node) { *out += node->name(); }) +
          ")");
    }
    return absl::StrJoin(texts, " ");
  }

  Context context_;
};

constexpr std::string_view kRelu = "(%x) { %r = aten.relu.default(%x) return %r }";
constexpr std::string_view kGelu = "(%x) { %g = aten.gelu.default(%x) return %g }";

// parity: R1 R2 R3 R5
TEST_F(ReplaceTest, ReplacesEveryOccurrence) {
  EXPECT_EQ(replaced("(%a) { %b = aten.relu.default(%a) %c = aten.neg.default(%b) "
                     "%d = aten.relu.default(%c) return %d }",
                     kRelu, kGelu),
            "2:\n%g = aten.gelu.default(%a)\n%c = aten.neg.default(%g)\n"
            "%g_1 = aten.gelu.default(%c)\nreturn %g_1");
  EXPECT_EQ(replaced("(%a) { %b = aten.neg.default(%a) return %b }", kRelu, kGelu),
            "0:\n%b = aten.neg.default(%a)\nreturn %b");
}

// parity: R3
TEST_F(ReplaceTest, ReportsAnchorsInputsAndInsertedNodes) {
  const auto graph = parse("(%a, %b) { %m = f(%a, 3) %n = g(%m, %b) return %n }");
  const auto pattern = parse("(%x, %c, %y) { %m = f(%x, %c) %n = g(%m, %y) return %n }");
  const auto replacement = parse("(%x, %c, %y) { %p = h(%y, %c) %q = h(%p, %x) return %q }");
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*pattern));
  FX_ASSERT_OK_AND_ASSIGN(const MatchList list, find_matches(compiled, *graph));
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].pattern_anchor(), pattern->find_node("n"));
  EXPECT_EQ(list[0].anchor(), graph->find_node("n"));
  EXPECT_EQ(list[0].node("m"), graph->find_node("m"));
  EXPECT_EQ(*list[0].value("c"), Argument(3));
  FX_ASSERT_OK_AND_ASSIGN(const Replacements done, replace_pattern(*graph, *pattern, *replacement));
  ASSERT_EQ(done.size(), 1u);
  ASSERT_EQ(done.inserted(0).size(), 2u);
  EXPECT_EQ(print(*done.inserted(0)[0]), "%p = h(%b, 3)");
  EXPECT_EQ(print(*done.inserted(0)[1]), "%q = h(%p, %a)");
  EXPECT_EQ(done.match(0).inputs()[0], Argument(graph->find_node("a")));
}

// parity: R2
TEST_F(ReplaceTest, FiltersAndReplacementFunctionsDependOnTheMatch) {
  const auto graph = parse("(%a) { %b = f(%a, 2) %c = f(%b, 3) %d = f(%c, 4) return %d }");
  const auto pattern = parse("(%x, %n) { %f = f(%x, %n) return %f }");
  const auto replacement = parse("(%x, %n) { %g = g(%x, %n) return %g }");
  ReplaceOptions options;
  options.match.filter = [](const Match& m) { return m.value("n")->as_int() != 3; };
  FX_ASSERT_OK_AND_ASSIGN(const Replacements done,
                          replace_pattern(*graph, *pattern, *replacement, options));
  EXPECT_EQ(done.size(), 2u);
  EXPECT_EQ(print(*graph),
            "graph(%a) {\n  %g = g(%a, 2)\n  %c = f(%g, 3)\n  %g_1 = g(%c, 4)\n  return %g_1\n}\n");
  // Creates one replacement for each match; the constant is the number of repetitions.
  const auto chain = parse("(%x, %n) { %a = h(%x) %b = h(%a) return %b }");
  const MakeReplacement make = [&](const Match& m) -> absl::StatusOr<const Graph*> {
    if (m.value("n")->as_int() == 2) return chain.get();
    return nullptr;
  };
  const auto other = parse("(%a) { %b = f(%a, 2) %c = f(%b, 3) return %c }");
  FX_ASSERT_OK_AND_ASSIGN(const Replacements replacements, replace_pattern(*other, *pattern, make));
  EXPECT_EQ(replacements.inserted(0).size(), 2u);
  EXPECT_EQ(replacements.inserted(1).size(), 0u);
  EXPECT_EQ(print(*other),
            "graph(%a) {\n  %a_1 = h(%a)\n  %b_1 = h(%a_1)\n  %c = f(%b_1, 3)\n  return %c\n}\n");
  EXPECT_THAT(replace_pattern(*other, *pattern, MakeReplacement()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a function that creates one, must be passed")));
}

// parity: R4
TEST_F(ReplaceTest, PlaceholdersBindByPositionOrName) {
  const std::string_view graph = "(%a, %b) { %s = aten.sub.Tensor(%a, %b) return %s }";
  const std::string_view pattern = "(%x, %y) { %s = aten.sub.Tensor(%x, %y) return %s }";
  EXPECT_EQ(replaced(graph, pattern, "(%p, %q) { %r = f(%p, %q) return %r }"),
            "1:\n%r = f(%a, %b)\nreturn %r");
  EXPECT_EQ(replaced(graph, pattern, "(%y, %x) { %r = f(%x, %y) return %r }"),
            "1:\n%r = f(%a, %b)\nreturn %r");
  EXPECT_EQ(
      replaced(graph, pattern, "(%y, %x) { %r = f(%x, %y) return %r }", ReplaceOptions::torch_fx()),
      "1:\n%r = f(%b, %a)\nreturn %r");
  EXPECT_THAT(replaced(graph, pattern, "(%x) { %r = f(%x) return %r }"),
              HasSubstr("the pattern has 2 placeholders, but the replacement has 1"));
}

// parity: R5
TEST_F(ReplaceTest, SeveralResults) {
  const std::string_view graph = "(%a) { %p = f(%a) %q = g(%p) %r = h(%q, %p) return %r }";
  const std::string_view pattern = "(%x) { %p = f(%x) %q = g(%p) return (%q, %p) }";
  EXPECT_EQ(replaced(graph, pattern, "(%x) { %m = m(%x) %n = n(%m) return (%n, %m) }"),
            "1:\n%m = m(%a)\n%n = n(%m)\n%r = h(%n, %m)\nreturn %r");
  EXPECT_THAT(replaced(graph, pattern, "(%x) { %m = m(%x) return %m }"),
              HasSubstr("the pattern returns 2 values, but the replacement returns 1"));
  // A value that is returned twice counts once. If both graphs return it twice, the results
  // correspond by position.
  const std::string_view twice = "(%x) { %p = f(%x) %q = g(%p) return (%q, %p, %q) }";
  EXPECT_EQ(replaced(graph, twice, "(%x) { %m = m(%x) %n = n(%m) return (%n, %m, %n) }"),
            "1:\n%m = m(%a)\n%n = n(%m)\n%r = h(%n, %m)\nreturn %r");
}

// parity: R6
TEST_F(ReplaceTest, IsInsertedBeforeTheFirstUser) {
  EXPECT_EQ(replaced("(%a) { %r = aten.relu.default(%a) %u = f(%a) %v = g(%r) %w = h(%r) "
                     "return (%u, %v, %w) }",
                     kRelu, kGelu),
            "1:\n%u = f(%a)\n%g = aten.gelu.default(%a)\n%v = g(%g)\n%w = h(%g)\n"
            "return (%u, %v, %w)");
  // Without users, the replacement is inserted directly after the last returned value.
  EXPECT_EQ(replaced("(%a) { %r = aten.relu.default(%a) %u = f(%a) return %u }", kRelu, kGelu),
            "1:\n%g = aten.gelu.default(%a)\n%u = f(%a)\nreturn %u");
}

// torch.fx inserts the replacement before %u, where %b is not defined yet.
// parity: R6
TEST_F(ReplaceTest, IsInsertedAfterAllInputs) {
  const std::string_view pattern =
      "(%x, %y) { %r = aten.relu.default(%x) %n = aten.neg.default(%y) return (%r, %n) }";
  const std::string_view replacement =
      "(%x, %y) { %p = both(%x, %y) %r = first(%p) %n = second(%p) return (%r, %n) }";
  EXPECT_EQ(replaced("(%a) { %r = aten.relu.default(%a) %u = aten.sin.default(%r) "
                     "%b = aten.cos.default(%a) %n = aten.neg.default(%b) return (%u, %n) }",
                     pattern, replacement),
            "1:\n%b = aten.cos.default(%a)\n%p = both(%a, %b)\n%r_1 = first(%p)\n"
            "%n_1 = second(%p)\n%u = aten.sin.default(%r_1)\nreturn (%u, %n_1)");
  EXPECT_THAT(replaced("(%a) { %r = aten.relu.default(%a) %u = aten.bernoulli.default(%r) "
                       "%b = aten.cos.default(%a) %n = aten.neg.default(%b) return (%u, %n) }",
                       pattern, replacement),
              HasSubstr("a node between them has effects"));
  EXPECT_THAT(replaced("(%a) { %r = aten.relu.default(%a) %u = aten.add_.Tensor(%a, %r) "
                       "%b = aten.cos.default(%a) %n = aten.neg.default(%b) return (%u, %n) }",
                       pattern, replacement),
              HasSubstr("0:\n%r = aten.relu.default(%a)\n"));
}

// The first match's replacement is inserted before %u, where its input %n2 is not defined yet. The
// second match replaces %n2 with a node that is defined before %u. No node may move; torch.fx 2.13
// printed the same listing.
// parity: R6
TEST_F(ReplaceTest, ALaterMatchReplacesAnInputWithAnEarlierNode) {
  const std::string_view graph =
      "(%s) { %v = aten.cos.default(%s) %n = aten.neg.default(%s) %u = aten.sin.default(%n) "
      "%w = aten.tan.default(%s) %n2 = aten.neg.default(%s) %r = aten.relu.default(%n2) "
      "%r2 = aten.relu.default(%v) return (%u, %w, %r, %r2) }";
  const std::string_view pattern =
      "(%x, %y) { %r = aten.relu.default(%x) %n = aten.neg.default(%y) return (%r, %n) }";
  EXPECT_EQ(replaced(graph, pattern,
                     "(%x, %y) { %g = aten.gelu.default(%x) %b = aten.abs.default(%y) "
                     "return (%g, %b) }",
                     ReplaceOptions::torch_fx()),
            "2:\n%v = aten.cos.default(%s)\n%g_1 = aten.gelu.default(%v)\n"
            "%b_1 = aten.abs.default(%s)\n%g = aten.gelu.default(%b_1)\n"
            "%b = aten.abs.default(%s)\n%u = aten.sin.default(%b)\n"
            "%w = aten.tan.default(%s)\nreturn (%u, %w, %g, %g_1)");
  // Calls with effects are not moved.
  EXPECT_EQ(replaced(graph, pattern,
                     "(%x, %y) { %g = unknown(%x) %b = aten.abs.default(%y) return (%g, %b) }",
                     ReplaceOptions::torch_fx()),
            "2:\n%v = aten.cos.default(%s)\n%w = aten.tan.default(%s)\n%g_1 = unknown(%v)\n"
            "%b_1 = aten.abs.default(%s)\n%g = unknown(%b_1)\n%b = aten.abs.default(%s)\n"
            "%u = aten.sin.default(%b)\nreturn (%u, %w, %g, %g_1)");
}

TEST_F(ReplaceTest, AnErrorInMakeReplacementLeavesAValidGraph) {
  const auto graph = parse(
      "(%s) { %v = aten.cos.default(%s) %n = aten.neg.default(%s) %u = aten.sin.default(%n) "
      "%n2 = aten.neg.default(%s) %r = aten.relu.default(%n2) %r2 = aten.relu.default(%v) "
      "return (%u, %r, %r2) }");
  const auto pattern =
      parse("(%x, %y) { %r = aten.relu.default(%x) %n = aten.neg.default(%y) return (%r, %n) }");
  const auto replacement =
      parse("(%x, %y) { %g = aten.gelu.default(%x) %b = aten.abs.default(%y) return (%g, %b) }");
  int remaining = 1;
  const MakeReplacement make = [&](const Match&) -> absl::StatusOr<const Graph*> {
    if (remaining-- == 0) return absl::InternalError("no more");
    return replacement.get();
  };
  EXPECT_THAT(replace_pattern(*graph, *pattern, make),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("no more")));
  const VerifierReport report = verify(*graph, {.check_index = true});
  EXPECT_TRUE(report.ok()) << report.str();
  EXPECT_EQ(graph->find_node("n"), nullptr);
}

// %x is an input that is also returned. It comes after the first user of the other result, so that
// user moves, but %x does not.
TEST_F(ReplaceTest, AReturnedInputMayComeAfterAUser) {
  EXPECT_EQ(replaced("(%a) { %n = aten.neg.default(%a) %u = aten.sin.default(%n) "
                     "%x = aten.cos.default(%a) %r = aten.relu.default(%x) return (%u, %x, %r) }",
                     "(%x, %y) { %r = aten.relu.default(%x) %n = aten.neg.default(%y) "
                     "return (%r, %n, %x) }",
                     "(%x, %y) { %g = aten.gelu.default(%x) %b = aten.abs.default(%y) "
                     "return (%g, %b, %x) }"),
            "1:\n%b = aten.abs.default(%a)\n%u = aten.sin.default(%b)\n%x = aten.cos.default(%a)\n"
            "%g = aten.gelu.default(%x)\nreturn (%u, %x, %g)");
}

// Each match is valid, but after the first replacement, an input of the second match depends on its
// result.
TEST_F(ReplaceTest, MatchesThatBecomeDependent) {
  const auto graph = parse(
      "(%a, %c) { %p1 = f(%a) %p3 = f(%c) %b = g(%p3) %p2 = f(%b) "
      "%y = h(%p1) %p4 = f(%y) return (%p2, %p4) }");
  const auto pattern = parse("(%x, %y) { %r = f(%x) %s = f(%y) return (%r, %s) }");
  const auto swapped = parse("(%x, %y) { %r = k(%y) %s = k(%x) return (%r, %s) }");
  ReplaceOptions options;
  options.match.filter = [](const Match& m) {
    return m.node("r")->name() != "p1" || m.node("s")->name() == "p2";
  };
  EXPECT_THAT(replace_pattern(*graph, *pattern, *swapped, options),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("which through an earlier replacement depends on its result")));
  const VerifierReport report = verify(*graph, {.check_index = true});
  EXPECT_TRUE(report.ok()) << report.str();
}

// parity: R7
TEST_F(ReplaceTest, ChainedMatchesUseTheReplacedInputs) {
  EXPECT_EQ(replaced("(%a) { %b = aten.relu.default(%a) %c = aten.relu.default(%b) "
                     "%d = aten.relu.default(%c) return %d }",
                     kRelu, kGelu),
            "3:\n%g = aten.gelu.default(%a)\n%g_1 = aten.gelu.default(%g)\n"
            "%g_2 = aten.gelu.default(%g_1)\nreturn %g_2");
}

// parity: R8
TEST_F(ReplaceTest, InsertedNodesAreNotSearched) {
  EXPECT_EQ(replaced("(%a) { %b = aten.relu.default(%a) return %b }", kRelu,
                     "(%x) { %p = aten.relu.default(%x) %q = aten.relu.default(%p) return %q }"),
            "1:\n%p = aten.relu.default(%a)\n%q = aten.relu.default(%p)\nreturn %q");
}

// parity: R10 SM1
TEST_F(ReplaceTest, InvalidPatternsAreRejected) {
  const std::string_view graph = "(%a) { %b = aten.relu.default(%a) return %b }";
  EXPECT_THAT(matches(graph, "(%x, %y) { %r = aten.relu.default(%x) return %r }"),
              HasSubstr("pattern node %y: the results of the pattern do not depend on it"));
  EXPECT_THAT(matches(graph, "(%x) { %n = aten.neg.default(%x) %r = f(%x) return %r }"),
              HasSubstr("pattern node %n: the results of the pattern do not"));
  EXPECT_THAT(matches(graph, "(%x) { return %x }"), HasSubstr("would otherwise match every node"));
  EXPECT_THAT(matches(graph, "(%x, %y) { %r = f(%x) return (%r, %y) }"),
              HasSubstr("pattern node %y: it is returned and has no other users"));
  const Graph empty(context_);
  EXPECT_THAT(Pattern::create(empty), StatusIs(absl::StatusCode::kInvalidArgument,
                                               HasSubstr("the pattern must have an output")));
  Context other;
  Graph external(other);
  external.output(1);
  const auto pattern = parse(kRelu);
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*pattern));
  EXPECT_THAT(find_matches(compiled, external),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("different Contexts")));
}

// parity: R12 R13
TEST_F(ReplaceTest, IdentityReplacementsRemoveCallsAndDeadMatches) {
  const std::string_view identity = "(%x) { return %x }";
  EXPECT_EQ(replaced("(%a) { %b = aten.relu.default(%a) %c = aten.relu.default(%b) "
                     "%d = f(%c, [%b]) return %d }",
                     kRelu, identity),
            "2:\n%d = f(%a, [%a])\nreturn %d");
  EXPECT_EQ(replaced("(%a) { %b = aten.relu.default(%a) return %a }", kRelu, kGelu),
            "1:\n%g = aten.gelu.default(%a)\nreturn %a");
}

// parity: SM2
TEST_F(ReplaceTest, NodesMatchByOpcodeAndTarget) {
  const std::string_view graph =
      "(%a) { %b = call_method relu(%a) %c = torch.relu(%b) %d = call_module relu(%c) "
      "%e = call_module act.relu(%d) %w = get_attr w %f = torch.mul(%e, %w) return %f }";
  EXPECT_EQ(matches(graph, "(%x) { %r = torch.relu(%x) return %r }"), "(c)");
  EXPECT_EQ(matches(graph, "(%x) { %r = call_method relu(%x) return %r }"), "(b)");
  EXPECT_EQ(matches(graph, "(%x) { %r = call_module relu(%x) return %r }"), "(d)");
  EXPECT_EQ(matches(graph, "(%x) { %v = get_attr v %r = torch.mul(%x, %v) return %r }"), "(w f)");
  EXPECT_EQ(matches(graph, "(%x) { %v = get_attr v %r = torch.mul(%x, %v) return %r }",
                    {.attribute_paths = true}),
            "");
}

// parity: SM3
TEST_F(ReplaceTest, PlaceholdersMatchAnything) {
  const std::string_view graph =
      "(%a, %b) { %c = f(%a, %b) %d = f(%a, %a) %e = f(%a, 1) %g = f([%a, 2], %b) "
      "return (%c, %d, %e, %g) }";
  const std::string_view two = "(%x, %y) { %f = f(%x, %y) return %f }";
  EXPECT_EQ(matches(graph, two), "(c) (d) (e) (g)");
  EXPECT_EQ(matches(graph, two, PatternOptions::torch_fx()), "(c) (e) (g)");
  const std::string_view one = "(%x) { %f = f(%x, %x) return %f }";
  EXPECT_EQ(matches(graph, one), "(d)");
  EXPECT_EQ(matches(graph, one, PatternOptions::torch_fx()), "(d)");
  // A placeholder can be bound to a constant, and equal constants count as one value.
  EXPECT_EQ(matches("(%a) { %p = f(1, 2) %q = f(2, 2) return (%p, %q) }", one), "(q)");
  // An input must not be inside the match.
  EXPECT_EQ(matches("(%a) { %p = g(%a) %q = f(%p, %p) return %q }",
                    "(%x, %y) { %g = g(%x) %f = f(%g, %y) return %f }"),
            "");
}

// parity: SM4
TEST_F(ReplaceTest, LiteralsMatchByKindAndValue) {
  const std::string_view graph =
      "(%a) { %i = f(%a, 1) %j = f(%a, 1.0) %k = f(%a, True) %l = f(%a, 2) %m = f(%a, %a) "
      "%n = f(%a, [1, 2]) %o = f(%a, (1, 2)) return (%i, %j, %k, %l, %m, %n, %o) }";
  const std::string_view one = "(%x) { %f = f(%x, 1) return %f }";
  EXPECT_EQ(matches(graph, one), "(i)");
  EXPECT_EQ(matches(graph, one, {.ignore_literals = true}), "(i) (j) (k) (l) (n) (o)");
  PatternOptions torch_fx = PatternOptions::torch_fx();
  torch_fx.ignore_literals = true;
  EXPECT_EQ(matches(graph, one, torch_fx), "(i) (j) (k) (l) (m) (n) (o)");
  EXPECT_EQ(matches(graph, "(%x) { %f = f(%x, [1, 2]) return %f }"), "(n) (o)");
  EXPECT_EQ(matches(graph, "(%x) { %f = f(%x, [1, 2, 3]) return %f }"), "");
}

TEST_F(ReplaceTest, FloatsMatchByTheirBits) {
  const std::string_view graph =
      "(%a) { %i = f(%a, 0.0) %j = f(%a, -0.0) %k = f(%a, nan) %l = f(%a, [0.0]) "
      "%m = f(%a, [-0.0]) %n = f(%a, complex(0.0, 0.0)) %o = f(%a, complex(0.0, -0.0)) "
      "return (%i, %j, %k, %l, %m, %n, %o) }";
  const auto with = [](std::string_view constant) {
    return "(%x) { %f = f(%x, " + std::string(constant) + ") return %f }";
  };
  const PatternOptions torch_fx = PatternOptions::torch_fx();
  EXPECT_EQ(matches(graph, with("0.0")), "(i)");
  EXPECT_EQ(matches(graph, with("-0.0")), "(j)");
  EXPECT_EQ(matches(graph, with("0.0"), torch_fx), "(i) (j)");
  EXPECT_EQ(matches(graph, with("nan")), "(k)");
  EXPECT_EQ(matches(graph, with("nan"), torch_fx), "");
  EXPECT_EQ(matches(graph, with("[0.0]")), "(l)");
  EXPECT_EQ(matches(graph, with("complex(0.0, -0.0)")), "(o)");
  EXPECT_EQ(matches(graph, with("complex(0.0, -0.0)"), torch_fx), "(n) (o)");
  // A value that occurs twice is one value.
  const std::string_view twice = "(%x) { %f = f(%x, %x) return %f }";
  const std::string_view zeros = "(%a) { %p = f(0.0, -0.0) %q = f(-0.0, -0.0) return (%p, %q) }";
  EXPECT_EQ(matches(zeros, twice), "(q)");
  EXPECT_EQ(matches(zeros, twice, torch_fx), "(p) (q)");
}

// parity: SM5
TEST_F(ReplaceTest, ArgumentsMatchByTheSchema) {
  const std::string_view graph =
      "(%a, %b) { %p = aten.add.Tensor(%a, %b) %q = aten.add.Tensor(%a, %b, alpha=1) "
      "%r = aten.add.Tensor(%a, other=%b) %s = aten.add.Tensor(%a, %b, alpha=2) "
      "%t = torch.sum(%a, keepdim=True, dim=1) %u = torch.sum(%a, dim=1, keepdim=True) "
      "%v = mine(%a, m=1, n=2) %w = mine(%a, n=2, m=1) return (%p, %q, %r, %s, %t, %u, %v, %w) }";
  const std::string_view add = "(%x, %y) { %f = aten.add.Tensor(%x, %y) return %f }";
  EXPECT_EQ(matches(graph, add), "(p) (q) (r)");
  EXPECT_EQ(matches(graph, add, PatternOptions::torch_fx()), "(p) (q) (r)");
  const std::string_view sum = "(%x) { %f = torch.sum(%x, dim=1, keepdim=True) return %f }";
  EXPECT_EQ(matches(graph, sum), "(t) (u)");
  EXPECT_EQ(matches(graph, sum, PatternOptions::torch_fx()), "(u)");
  const std::string_view mine = "(%x) { %f = mine(%x, m=1, n=2) return %f }";
  EXPECT_EQ(matches(graph, mine), "(v) (w)");
  EXPECT_EQ(matches(graph, mine, PatternOptions::torch_fx()), "(v)");
}

// parity: SM6
TEST_F(ReplaceTest, SlicesMayContainNodes) {
  const std::string_view graph =
      "(%a, %n) { %p = operator.getitem(%a, slice(None, %n, None)) "
      "%q = operator.getitem(%a, slice(None, 2, None)) return (%p, %q) }";
  const std::string_view node =
      "(%x, %n) { %f = operator.getitem(%x, slice(None, %n, None)) return %f }";
  EXPECT_EQ(matches(graph, node), "(p) (q)");
  EXPECT_EQ(matches(graph, node, PatternOptions::torch_fx()), "");
  const std::string_view literal =
      "(%x) { %f = operator.getitem(%x, slice(None, 2, None)) return %f }";
  EXPECT_EQ(matches(graph, literal), "(q)");
  EXPECT_EQ(matches(graph, literal, PatternOptions::torch_fx()), "(q)");
}

// parity: SM9
TEST_F(ReplaceTest, OnlyReturnedValuesMayHaveOtherUsers) {
  const std::string_view graph = "(%a) { %p = f(%a) %q = g(%p) %r = h(%p, %q) return %r }";
  EXPECT_EQ(matches(graph, "(%x) { %p = f(%x) %q = g(%p) return %q }"), "");
  EXPECT_EQ(matches(graph, "(%x) { %p = f(%x) %q = g(%p) return (%q, %p) }"), "(p q)");
}

// parity: SM10
TEST_F(ReplaceTest, MatchesThatWouldFormACycleAreDropped) {
  const std::string_view graph = "(%a) { %p = f(%a) %q = g(%p) %r = h(%p, %q) return %r }";
  const std::string_view pattern = "(%x, %y) { %p = f(%x) %r = h(%p, %y) return (%r, %p) }";
  EXPECT_EQ(matches(graph, pattern), "");
  EXPECT_EQ(matches(graph, pattern, {}, {.overlap = Overlap::kAll}), "");
  EXPECT_EQ(matches(graph, pattern, {}, {.check_cycles = false}), "(p r)");
}

// parity: SM11
TEST_F(ReplaceTest, OverlappingMatches) {
  const std::string_view graph = "(%a) { %b = f(%a) %c = f(%b) %d = f(%c) return %d }";
  const std::string_view pattern = "(%x) { %p = f(%x) %q = f(%p) return %q }";
  EXPECT_EQ(matches(graph, pattern), "(b c)");
  EXPECT_EQ(matches(graph, pattern, {}, {.overlap = Overlap::kLast}), "(c d)");
  EXPECT_EQ(matches(graph, pattern, {}, {.overlap = Overlap::kAll}), "(b c) (c d)");
}

// parity: SM12
TEST_F(ReplaceTest, SeveralAnchors) {
  const std::string_view pattern = "(%x) { %p = f(%x) %q = g(%x) return (%p, %q) }";
  EXPECT_EQ(matches("(%a, %b) { %p = f(%a) %q = g(%b) %r = f(%b) %s = g(%a) %t = g(%a) "
                    "return (%p, %q, %r, %s, %t) }",
                    pattern),
            "(p s) (r q)");
  // torch.fx raises a KeyError for this graph.
  EXPECT_EQ(matches("(%a) { %p = f(%a) return %p }", pattern), "");
  EXPECT_EQ(matches("(%a) { %p = f(%a) return %p }", pattern, PatternOptions::torch_fx()), "");
}

// parity: SM12
TEST_F(ReplaceTest, ManyWaysToMatchEndWithAnError) {
  // The twelve anchors can be assigned in 12! ways, none of which is a match.
  std::string graph = "(%a) {", pattern = "(%x) {", list;
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    graph += " %f" + n + " = f(%a) %g" + n + " = g(%f" + n + ")";
    pattern += " %f" + n + " = f(%x) %g" + n + " = g(%f" + n + ")";
    list += ", %g" + n;
  }
  graph += " %u = u([%f0, %f1, %f2]) return (%u" + list + ") }";
  pattern += " return (" + list.substr(2) + ") }";
  EXPECT_THAT(matches(graph, pattern, {}, {.max_steps = 100000}),
              HasSubstr("the search at %g0 exceeded 100000 steps"));
}

// parity: SM13
TEST_F(ReplaceTest, AnchorsByName) {
  const std::string_view graph =
      "(%a) { %keep_b = f(%a) %c = f(%a) %keep_d = g(%a) "
      "return (%keep_b, %c, %keep_d) }";
  EXPECT_EQ(matches(graph, "(%x) { %p = f(%x) return %p }", {}, {.anchor_name = "keep"}),
            "(keep_b) (c) (keep_d)");
}

// parity: SM18
TEST_F(ReplaceTest, ExplainsMismatches) {
  const auto pattern = parse(
      "(%x, %y) { %m = aten.mul.Tensor(%x, 2) %a = aten.add.Tensor(%m, %y) "
      "%r = aten.relu.default(%a) return %r }");
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*pattern));
  const auto why = [&](std::string_view text) {
    const auto graph = parse(text);
    const auto mismatch = explain_mismatch(compiled, *graph);
    return mismatch.ok() ? mismatch->str() : std::string(mismatch.status().message());
  };
  EXPECT_EQ(why("(%a) { %b = aten.neg.default(%a) return %b }"),
            "pattern %r = aten.relu.default(%a): the graph does not have such a call");
  EXPECT_EQ(why("(%a) { %b = aten.div.Tensor(%a, 2) %c = aten.add.Tensor(%b, %a) "
                "%d = aten.relu.default(%c) return %d }"),
            "closest at %d, 2 nodes of the pattern found; pattern %m = aten.mul.Tensor(%x, 2) "
            "vs. %b = aten.div.Tensor(%a, 2): expected call_function aten.mul.Tensor");
  EXPECT_THAT(why("(%a) { %b = aten.mul.Tensor(%a, 3) %c = aten.add.Tensor(%b, %a) "
                  "%d = aten.relu.default(%c) return %d }"),
              HasSubstr("expected 2, found 3"));
  EXPECT_THAT(why("(%a) { %b = aten.mul.Tensor(%a, 2) %c = aten.add.Tensor(%b, %a) "
                  "%d = aten.relu.default(%c) return (%d, %b) }"),
              HasSubstr("%output, outside the match, also uses it"));
  EXPECT_EQ(why("(%a) { %b = aten.mul.Tensor(%a, 2) %c = aten.add.Tensor(%b, %a) "
                "%d = aten.relu.default(%c) return %d }"),
            "the pattern matches at %d");
}

}  // namespace
}  // namespace fx
