// Tests patterns that torch.fx does not support, rule sets, rules in C++, and modules in
// replacements.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/rewrite/matchers.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "fx/passes/rewrite/rule_set.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::StatusIs;
using ::testing::HasSubstr;

/// Returns the strings of the arguments, concatenated.
template <class... Ts>
std::string concat(const Ts&... parts) {
  std::string text;
  ((text += fmt::format("{}", parts)), ...);
  return text;
}

class RulesTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    auto graph = parse_graph(context_, "graph" + std::string(text));
    EXPECT_TRUE(graph.ok()) << graph.status();
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }

  static std::string body(const Graph& graph) {
    const VerifierReport report = verify(graph, {.check_index = true});
    EXPECT_TRUE(report.ok()) << report.str();
    std::string text;
    for (const Node& node : graph.nodes())
      if (!node.is_placeholder()) text += print(node, {.types = false}) + "\n";
    return text;
  }

  /// Returns the body of the graph after the rules have run, one statement per line, or the error.
  std::string rewritten(std::string_view graph_text, std::string_view rules_text,
                        const RewriteOptions& options = {}) {
    const auto graph = parse(graph_text);
    const auto rules = RuleSet::parse(context_, rules_text);
    if (!rules.ok()) return std::string(rules.status().message());
    const auto report = rewrite_greedily(*graph, *rules, options);
    const std::string text = body(*graph);
    return report.ok() ? text : std::string(report.status().message());
  }

  Context context_;
};

constexpr std::string_view kDoubleNeg = R"(graph @double_neg() {
  graph @pattern(%x) { %a = aten.neg.default(%x) %b = aten.neg.default(%a) return %b }
  graph @replacement(%x) { return %x }
})";

TEST_F(RulesTest, RulesRunUntilNoneApplies) {
  EXPECT_EQ(rewritten("(%a) { %b = aten.neg.default(%a) %c = aten.neg.default(%b) "
                      "%d = aten.neg.default(%c) %e = aten.neg.default(%d) "
                      "%f = aten.neg.default(%e) return %f }",
                      kDoubleNeg),
            "%f = aten.neg.default(%a)\nreturn %f\n");
  // Each rule enables the other: f(neg(neg(x))) appears after g is dropped.
  const std::string_view rules = R"(
    graph @drop() { graph @pattern(%x) { %a = g(%x) return %a } graph @replacement(%x) { return %x } }
    graph @double_neg() {
      graph @pattern(%x) { %a = aten.neg.default(%x) %b = aten.neg.default(%a) return %b }
      graph @replacement(%x) { return %x }
    })";
  EXPECT_EQ(rewritten("(%a) { %b = aten.neg.default(%a) %c = g(%b) %d = aten.neg.default(%c) "
                      "%e = f(%d) return %e }",
                      rules),
            "%e = f(%a)\nreturn %e\n");
  // A user outside prevents the match until a rule removes it.
  EXPECT_EQ(rewritten("(%a) { %b = aten.neg.default(%a) %c = aten.neg.default(%b) "
                      "%d = two(%b, %a) %e = f(%c, %d) return %e }",
                      concat(rules, R"( graph @two() {
                        graph @pattern(%x, %y) { %a = two(%x, %y) return %a }
                        graph @replacement(%x, %y) { return %y } })")),
            "%e = f(%a, %a)\nreturn %e\n");
}

TEST_F(RulesTest, RulesThatDoNotTerminateAreErrors) {
  const std::string_view grow = R"(graph @grow() {
    graph @pattern(%x) { %a = f(%x) return %a }
    graph @replacement(%x) { %a = f(%x) %b = f(%a) return %b } })";
  EXPECT_THAT(rewritten("(%a) { %b = f(%a) return %b }", grow),
              HasSubstr("the rules do not terminate; most frequent: grow (1049 times)"));
  EXPECT_EQ(rewritten("(%a) { %b = f(%a) return %b }", grow, {.once = true}),
            "%a_1 = f(%a)\n%b_1 = f(%a_1)\nreturn %b_1\n");
}

TEST_F(RulesTest, RulesOfHigherPriorityApplyFirst) {
  const std::string_view rules = R"(
    graph @one() { graph @pattern(%x) { %a = f(%x) return %a }
                   graph @replacement(%x) { %r = one(%x) return %r } }
    graph @two() { !priority = 1
                   graph @pattern(%x) { %a = f(%x) %b = f(%a) return %b }
                   graph @replacement(%x) { %r = two(%x) return %r } })";
  // Operands are rewritten before their users, so @two does not match anywhere.
  EXPECT_EQ(rewritten("(%a) { %b = f(%a) %c = f(%b) %d = g(%c) %e = f(%d) return %e }", rules,
                      {.once = true}),
            "%r = one(%a)\n%r_1 = one(%r)\n%d = g(%r_1)\n%r_2 = one(%d)\nreturn %r_2\n");
  // If two rules match at a node, the rule with the higher priority applies, even if it is defined
  // last.
  const std::string_view both = R"(
    graph @one() { graph @pattern(%x) { %a = f(%x) return %a }
                   graph @replacement(%x) { %r = one(%x) return %r } }
    graph @two() { !priority = 1
                   graph @pattern(%x) { %a = g(%x) %b = f(%a) return %b }
                   graph @replacement(%x) { %r = two(%x) return %r } })";
  EXPECT_EQ(rewritten("(%a) { %b = g(%a) %c = f(%b) return %c }", both),
            "%r = two(%a)\nreturn %r\n");
}

TEST_F(RulesTest, NestedGraphsAreRewritten) {
  EXPECT_THAT(rewritten("(%p, %x) { graph @then(%x) { %a = aten.neg.default(%x) "
                        "%b = aten.neg.default(%a) return (%b,) } graph @else(%x) { return (%x,) } "
                        "%c = higher_order.cond(%p, @then, @else, (%x,)) return %c }",
                        kDoubleNeg),
              HasSubstr("higher_order.cond"));
  const auto graph = parse(
      "(%p, %x) { graph @then(%x) { %a = aten.neg.default(%x) "
      "%b = aten.neg.default(%a) return (%b,) } "
      "%c = f(%p, @then, (%x,)) return %c }");
  FX_ASSERT_OK_AND_ASSIGN(const RuleSet rules, RuleSet::parse(context_, kDoubleNeg));
  FX_ASSERT_OK_AND_ASSIGN(const RewriteReport report, rewrite_greedily(*graph, rules));
  EXPECT_EQ(report.num_rewrites, 1u);
  EXPECT_EQ(report.by_rule[0], std::make_pair(std::string("double_neg"), uint64_t{1}));
  EXPECT_EQ(graph->subgraph(0).size(), 2u);
}

// parity: SM8
TEST_F(RulesTest, CommutativeCallsMatchInEitherOrder) {
  const std::string_view text = R"(
      %m = aten.mul.Tensor(%a, 2) %r = aten.add.Tensor(%b, %m)
      %n = aten.mul.Tensor(%a, 2) %s = aten.add.Tensor(%n, %b)
      %o = aten.mul.Tensor(%a, 2) %t = aten.add.Tensor(%b, %o, alpha=2) return (%r, %s, %t))";
  const auto rule = [](std::string_view option) {
    return concat("graph @fma() { ", option, R"(
      graph @pattern(%x, %y) { %m = aten.mul.Tensor(%x, 2) %r = aten.add.Tensor(%m, %y) return %r }
      graph @replacement(%x, %y) { %f = fma(%x, %y) return %f } })");
  };
  const std::string graph = concat("(%a, %b) {", text, "}");
  EXPECT_EQ(rewritten(graph, rule("!commutative = True")),
            "%o = aten.mul.Tensor(%a, 2)\n%t = aten.add.Tensor(%b, %o, alpha=2)\n"
            "%f = fma(%a, %b)\n%f_1 = fma(%a, %b)\nreturn (%f, %f_1, %t)\n");
  EXPECT_THAT(rewritten(graph, rule("")), HasSubstr("%r = aten.add.Tensor(%b, %m)"));
}

TEST_F(RulesTest, ConstantsAreBoundByKind) {
  const auto rule = [](std::string_view word) {
    return concat("graph @scale() { graph @pattern(%x, %c !{match=\"", word,
                  "\"}) { %f = f(%x, %c) return %f } "
                  "graph @replacement(%x, %c) { %g = g(%x, [%c, %c]) return %g } }");
  };
  const std::string_view graph =
      "(%a) { %p = f(%a, 2) %q = f(%a, 2.5) %r = f(%a, %a) "
      "%s = f(%a, \"t\") return (%p, %q, %r, %s) }";
  EXPECT_EQ(rewritten(graph, rule("number")),
            "%r = f(%a, %a)\n%s = f(%a, \"t\")\n%g = g(%a, [2, 2])\n"
            "%g_1 = g(%a, [2.5, 2.5])\nreturn (%g, %g_1, %r, %s)\n");
  EXPECT_THAT(rewritten(graph, rule("int")), HasSubstr("%q = f(%a, 2.5)"));
  EXPECT_THAT(rewritten(graph, rule("value")), HasSubstr("%g = g(%a, [%a, %a])"));
  EXPECT_THAT(rewritten(graph, rule("constant")), HasSubstr("%g_2 = g(%a, [\"t\", \"t\"])"));
  EXPECT_THAT(rewritten(graph, rule("numbr")),
              HasSubstr("rule @scale: pattern node %c: its metadata `match` has an unknown value"));
}

TEST_F(RulesTest, AlternativesAndOptionalSteps) {
  const std::string_view rule = R"(graph @linear_act() {
    graph @pattern(%x, %w, %b = None) {
      %mm = aten.mm.default(%x, %w)
      %add = aten.add.Tensor(%mm, %b)
      %y = match.optional(%add, %mm)
      %relu = aten.relu.default(%y)
      %gelu = aten.gelu.default(%y)
      %act = match.any_of(%relu, %gelu)
      return %act
    }
    graph @replacement(%x, %w, %b) { %f = linear_act(%x, %w, %b) return %f } })";
  EXPECT_EQ(rewritten("(%x, %w, %b) { %m = aten.mm.default(%x, %w) %a = aten.add.Tensor(%m, %b) "
                      "%r = aten.relu.default(%a) %n = aten.mm.default(%r, %w) "
                      "%g = aten.gelu.default(%n) return %g }",
                      rule),
            "%f = linear_act(%x, %w, %b)\n%f_1 = linear_act(%f, %w, None)\nreturn %f_1\n");
  // Without a default, %b has no value.
  const std::string_view no_default = R"(graph @linear() {
    graph @pattern(%x, %b) { %a = f(%x) %c = g(%a, %b) %y = match.optional(%c, %a)
                             %r = aten.relu.default(%y) return %r }
    graph @replacement(%x, %b) { %f = h(%x, %b) return %f } })";
  EXPECT_EQ(rewritten("(%x) { %a = f(%x) %r = aten.relu.default(%a) return %r }", no_default),
            "%a = f(%x)\n%r = aten.relu.default(%a)\nreturn %r\n");
}

TEST_F(RulesTest, CallsOfSeveralFunctionsAndOfAny) {
  const std::string_view graph =
      "(%x) { %a = aten.relu.default(%x) %b = aten.neg.default(%a) "
      "%c = aten.gelu.default(%b) return %c }";
  const auto rule = [](std::string_view functions) {
    return concat("graph @act() { graph @pattern(%x) { %a = match.call([", functions,
                  "], %x) return %a } graph @replacement(%x) { %r = act(%x) return %r } }");
  };
  EXPECT_EQ(rewritten(graph, rule("op(aten.relu.default), op(aten.gelu.default)")),
            "%r = act(%x)\n%b = aten.neg.default(%r)\n%r_1 = act(%b)\nreturn %r_1\n");
  EXPECT_EQ(rewritten(graph, rule(""), {.once = true}),
            "%r = act(%x)\n%r_1 = act(%r)\n%r_2 = act(%r_1)\nreturn %r_2\n");
}

// parity: SM7
TEST_F(RulesTest, ListsOfAnyLength) {
  const std::string_view rule = R"(graph @cat() {
    graph @pattern(%x, %items[*items], %dim) {
      %n = aten.neg.default(%x)
      %c = aten.cat.default([%n, %items], %dim)
      return %c
    }
    graph @replacement(%x, %items[*items], %dim) {
      %c = neg_cat([%x, %items], (%items,), %dim, [%items, %items])
      return %c
    } })";
  EXPECT_EQ(rewritten("(%a, %b) { %p = aten.neg.default(%a) %q = aten.cat.default([%p, %a, %b], 1) "
                      "%r = aten.neg.default(%q) %s = aten.cat.default([%r], 0) "
                      "%t = aten.cat.default([%a, %b], 0) %u = aten.cat.default([], 0) "
                      "return (%s, %t, %u) }",
                      rule),
            "%c = neg_cat([%a, %a, %b], (%a, %b), 1, [%a, %b, %a, %b])\n"
            "%t = aten.cat.default([%a, %b], 0)\n%u = aten.cat.default([], 0)\n"
            "%c_1 = neg_cat([%c], (), 0, [])\nreturn (%c_1, %t, %u)\n");
  // Without the star, and in torch.fx's semantics, the lengths must match.
  EXPECT_THAT(rewritten("(%a, %b) { %c = f([%a, %b]) return %c }",
                        "graph @f() { graph @pattern(%x) { %c = f([%x]) return %c } "
                        "graph @replacement(%x) { return %x } }"),
              HasSubstr("%c = f([%a, %b])"));
  EXPECT_THAT(rewritten("(%a, %b) { %c = f([%a, %b]) return %c }",
                        "graph @f() { !torch_fx = True graph @pattern(%x[*x]) "
                        "{ %c = f([%x]) return %c } graph @replacement(%x[*x]) { return %x } }"),
              HasSubstr("%c = f([%a, %b])"));
}

// A backward pass uses intermediate values of the forward pass, so these are matched and kept.
// After the rule for the backward pass has removed the uses, the rule for the forward pass matches.
TEST_F(RulesTest, KeptCallsStayWhileTheyHaveUsers) {
  const std::string_view forward = R"(
    graph @forward() { graph @pattern(%a, %b) { %s = aten.silu.default(%a) %y = aten.mul.Tensor(%s, %b) return %y }
                       graph @replacement(%a, %b) { %y = my.swiglu(%a, %b) return %y } })";
  const std::string_view backward = R"(
    graph @backward() {
      graph @pattern(%g, %a, %b) {
        %s = aten.silu.default(%a) !{match="kept"}
        %gb = aten.mul.Tensor(%g, %s)
        %gs = aten.mul.Tensor(%g, %b)
        %ga = aten.silu_backward.default(%gs, %a)
        return (%ga, %gb)
      }
      graph @replacement(%g, %a, %b) {
        %grads = my.swiglu_backward(%g, %a, %b)
        %ga = operator.getitem(%grads, 0)
        %gb = operator.getitem(%grads, 1)
        return (%ga, %gb)
      }
    })";
  const std::string_view graph =
      "(%a, %b) { %s = aten.silu.default(%a) %y = aten.mul.Tensor(%s, %b) %g = "
      "aten.cos.default(%y) "
      "%gb = aten.mul.Tensor(%g, %s) %gs = aten.mul.Tensor(%g, %b) "
      "%ga = aten.silu_backward.default(%gs, %a) return (%y, %ga, %gb) }";
  const std::string_view fused_backward =
      "%grads = my.swiglu_backward(%g, %a, %b)\n%ga_1 = operator.getitem(%grads, 0)\n"
      "%gb_1 = operator.getitem(%grads, 1)\n";
  EXPECT_EQ(rewritten(graph, backward),
            concat("%s = aten.silu.default(%a)\n%y = aten.mul.Tensor(%s, %b)\n"
                   "%g = aten.cos.default(%y)\n",
                   fused_backward, "return (%y, %ga_1, %gb_1)\n"));
  for (const auto& rules : {concat(forward, backward), concat(backward, forward)}) {
    EXPECT_EQ(rewritten(graph, rules),
              concat("%y_1 = my.swiglu(%a, %b)\n%g = aten.cos.default(%y_1)\n", fused_backward,
                     "return (%y_1, %ga_1, %gb_1)\n"));
  }
  // A kept call is an input of the replacement, with its name. It is erased when it has no users,
  // even if it is kept twice.
  const std::string_view square = R"(
    graph @square() { graph @pattern(%a) { %e = aten.exp.default(%a) !{match="kept"} %y = aten.mul.Tensor(%e, %e) return %y }
                      graph @replacement(%a, %e) { %y = my.square(%e) return %y } }
    graph @drop() { graph @pattern(%a) { %e = aten.exp.default(%a) !{match="kept"} %y = aten.log.default(%e) return %y }
                    graph @replacement(%a) { return %a } })";
  EXPECT_EQ(rewritten("(%a) { %e = aten.exp.default(%a) %y = aten.mul.Tensor(%e, %e) "
                      "%z = aten.log.default(%e) return (%y, %z) }",
                      square),
            "%e = aten.exp.default(%a)\n%y_1 = my.square(%e)\nreturn (%y_1, %a)\n");
  EXPECT_EQ(rewritten("(%a) { %e = aten.exp.default(%a) %y = aten.log.default(%e) "
                      "%z = aten.log.default(%e) return (%y, %z) }",
                      square),
            "return (%a, %a)\n");
  const auto error = [&](std::string_view pattern) {
    return rewritten("(%a) { return %a }", concat("graph @r() { graph @pattern(%x) { ", pattern,
                                                  " } graph @replacement(%x) { return %x } }"));
  };
  EXPECT_THAT(
      error("%a = f(%x) %b = g(%a) !{match=\"kept\"} %c = h(%a, %b) return %c"),
      HasSubstr("pattern node %b: it is kept, but uses %a, which is not kept; also keep %a"));
  EXPECT_THAT(error("%a = f(%x) !{match=\"kept\"} return %a"),
              HasSubstr("it is returned and kept"));
  EXPECT_THAT(error("%a = f(%x) !{match=\"int\"} return %a"), HasSubstr("must be \"kept\""));
}

TEST_F(RulesTest, TypesAreConstraints) {
  const auto rule = [](std::string_view type) {
    return concat("graph @t() { graph @pattern(%x : ", type,
                  ") { %a = f(%x) return %a } graph @replacement(%x) "
                  "{ %r = g(%x) return %r } }");
  };
  const std::string_view graph =
      "(%a : f32[8, 64], %b : f32[8, 32], %c : f16[8, 64], %d) { "
      "%p = f(%a) %q = f(%b) %r = f(%c) %s = f(%d) "
      "return (%p, %q, %r, %s) }";
  EXPECT_THAT(rewritten(graph, rule("f32[n, 64]")), HasSubstr("return (%r_1, %q, %r, %s)"));
  EXPECT_THAT(rewritten(graph, rule("tensor[n, 64]")), HasSubstr("return (%r_1, %q, %r_2, %s)"));
  EXPECT_THAT(rewritten(graph, rule("f32[*]")), HasSubstr("return (%r_1, %r_2, %r, %s)"));
  // A symbol represents the same size in every input.
  const std::string_view square = R"(graph @t() {
    graph @pattern(%x : f32[n, k], %y : f32[k, n]) { %a = f(%x, %y) return %a }
    graph @replacement(%x, %y) { %r = g(%x, %y) return %r } })";
  EXPECT_EQ(rewritten("(%a : f32[2, 3], %b : f32[3, 2], %c : f32[2, 2]) { %p = f(%a, %b) "
                      "%q = f(%a, %c) return (%p, %q) }",
                      square),
            "%q = f(%a, %c)\n%r = g(%a, %b)\nreturn (%r, %q)\n");
}

TEST_F(RulesTest, InvalidRulesAreRejected) {
  const auto why = [&](std::string_view text) {
    return std::string(RuleSet::parse(context_, text).status().message());
  };
  EXPECT_THAT(why("graph @r(%x) { return %x }"), HasSubstr("rule @r: a rule must have two nested"));
  EXPECT_THAT(why(R"(graph @r() { !speed = 2
                graph @pattern(%x) { %a = f(%x) return %a } graph @replacement(%x) { return %x } })"),
              HasSubstr("rule @r: speed is not an option"));
  EXPECT_THAT(why(R"(graph @r() { !torch_fx = 1
                graph @pattern(%x) { %a = f(%x) return %a } graph @replacement(%x) { return %x } })"),
              HasSubstr("rule @r: torch_fx is not an option or has an invalid value"));
  EXPECT_THAT(why(R"(graph @r() {
                graph @pattern(%x, %y) { %a = f(%x) %b = g(%y) return (%a, %b) }
                graph @replacement(%x, %y) { return (%x, %y) } })"),
              HasSubstr("%a and %b, but they are not connected in the pattern"));
  EXPECT_THAT(why(concat(kDoubleNeg, kDoubleNeg)),
              HasSubstr("the rule name double_neg is already used"));
  EXPECT_THAT(why(R"(graph @r() {
                graph @pattern(%x) { %a = match.anyof(%x) return %a }
                graph @replacement(%x) { return %x } })"),
              HasSubstr("unknown function match.anyof; the functions are match.any_of"));
}

// parity: R11
TEST_F(RulesTest, ReplacementsInheritProvenanceAndTypes) {
  const auto graph = parse("(%a) { %b : f32[2] = f(%a) !{module=\"net.act\", seq=3} return %b }");
  const auto pattern = parse("(%x) { %b = f(%x) return %b }");
  const auto replacement = parse("(%x) { %c = g(%x) !{seq=9} return %c }");
  const auto copy = graph->clone();
  ASSERT_THAT(replace_pattern(*graph, *pattern, *replacement), IsOk());
  EXPECT_EQ(print(*graph->find_node("c")), "%c : f32[2] = g(%a) !{module=\"net.act\", seq=9}");
  ASSERT_THAT(replace_pattern(*copy, *pattern, *replacement, ReplaceOptions::torch_fx()), IsOk());
  EXPECT_EQ(print(*copy->find_node("c")), "%c = g(%a) !{seq=9}");
}

// parity: R9
TEST_F(RulesTest, ModulesOfAReplacementAreCopied) {
  const auto make =
      [&](std::string_view text,
          std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
        std::vector<std::pair<std::string_view, Attribute>> attributes;
        for (const auto& [path, kind] : members)
          attributes.emplace_back(path, Attribute::submodule(std::make_shared<Module>(kind)));
        auto module = GraphModule::create(attributes, parse(text));
        EXPECT_TRUE(module.ok()) << module.status();
        return *std::move(module);
      };
  const auto net = make("(%x) { %a = call_module old(%x) %b = call_module same(%a) return %b }",
                        {{"old", "pkg.Old"}, {"same", "pkg.Same"}});
  const auto pattern = make("(%x) { %a = call_module old(%x) return %a }", {{"old", "pkg.Old"}});
  const auto replacement =
      make("(%x) { %a = call_module new(%x) %b = call_module same(%a) return %b }",
           {{"new", "pkg.New"}, {"same", "pkg.Other"}});
  ASSERT_THAT(replace_pattern(*net, *pattern, *replacement), IsOk());
  EXPECT_EQ(net->find_module("old"), nullptr);
  EXPECT_EQ(net->find_module("same")->class_name(), "pkg.Same");
  ASSERT_NE(net->find_module("new"), nullptr);
  EXPECT_NE(net->find_module("new"), replacement->find_module("new"));
  const auto without_class =
      make("(%x) { %a = call_module same(%x) return %a }", {{"same", "pkg.Same"}});
  without_class->graph().set_owning_module(nullptr);
  without_class->graph().output_node()->arg(0).as_node()->set_target("nowhere");
  EXPECT_THAT(replace_pattern(*net, *replacement, *without_class),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("refers to nowhere")));
}

// parity: SM17
TEST_F(RulesTest, ModulesMatchByClass) {
  std::vector<std::pair<std::string_view, Attribute>> attributes;
  for (const auto& [path, name] : {std::pair{"a", "torch.nn.Conv2d"},
                                   {"b", "torch.nn.BatchNorm2d"},
                                   {"c", "torch.nn.Conv2d"},
                                   {"d", "torch.nn.MyConv2d"}})
    attributes.emplace_back(path, Attribute::submodule(std::make_shared<Module>(name)));
  FX_ASSERT_OK_AND_ASSIGN(
      const auto net,
      GraphModule::create(attributes, parse("(%x) { %a = call_module a(%x) %b = call_module b(%a) "
                                            "%c = call_module c(%b) %d = call_module d(%c) "
                                            "return %d }")));
  const auto pattern = parse(
      "(%x) { %conv = match.module(\"Conv2d\", %x) "
      "%bn = match.module(\"torch.nn.BatchNorm2d\", %conv) return %bn }");
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*pattern));
  FX_ASSERT_OK_AND_ASSIGN(const MatchList found, find_matches(compiled, net->graph()));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node("conv")->target(), "a");
  const auto one = parse("(%x) { %c = match.module(\"Conv2d\", %x) return %c }");
  FX_ASSERT_OK_AND_ASSIGN(const Pattern conv, Pattern::create(*one));
  FX_ASSERT_OK_AND_ASSIGN(const MatchList convs, find_matches(conv, net->graph()));
  EXPECT_EQ(convs.size(), 2u);
}

// parity: SM14
TEST_F(RulesTest, NodesOfAMatchHaveTheirNamesInThePattern) {
  const auto graph = parse("(%a, %b) { %c = conv(%a, %b) %d = aten.relu.default(%c) return %d }");
  const auto pattern =
      parse("(%x, %w) { %conv = conv(%x, %w) %relu = aten.relu.default(%conv) return %relu }");
  FX_ASSERT_OK_AND_ASSIGN(const Pattern compiled, Pattern::create(*pattern));
  FX_ASSERT_OK_AND_ASSIGN(const MatchList found, find_matches(compiled, *graph));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].node("conv"), graph->find_node("c"));
  EXPECT_EQ(found[0].node("relu"), graph->find_node("d"));
  EXPECT_EQ(found[0].node("w"), graph->find_node("b"));
  EXPECT_EQ(found[0].node("nothing"), nullptr);
}

TEST_F(RulesTest, MatchersInCpp) {
  const auto graph = parse(
      "(%a, %b) { %m = mul(%a, 2) %s = add(%b, %m) %l = cat([%s, %a], dim=1) "
      "%r = call_method relu(%l) return %r }");
  const auto at = [&](std::string_view name) -> const Node& { return *graph->find_node(name); };
  const Target add = context_.function("add"), mul = context_.function("mul"),
               cat = context_.function("cat");
  Argument x, c;
  Node* product = nullptr;
  int64_t factor = 0;
  EXPECT_TRUE(m::match(at("m"), m::call(mul, m::any(x), m::constant(c))));
  EXPECT_EQ(x, Argument(graph->find_node("a")));
  EXPECT_EQ(c, Argument(2));
  EXPECT_FALSE(m::match(at("m"), m::call(mul, m::any(), m::constant(2.0))));
  EXPECT_FALSE(m::match(at("m"), m::call(mul, m::any())));
  const auto product_matcher =
      m::bind(product, m::one_user(m::call(mul, m::any(), m::integer(factor))));
  EXPECT_FALSE(m::match(at("s"), m::call(add, product_matcher, m::any())));
  EXPECT_TRUE(m::match(at("s"), m::commutative_call(add, product_matcher, m::node())));
  EXPECT_EQ(product, graph->find_node("m"));
  EXPECT_EQ(factor, 2);
  EXPECT_TRUE(m::match(at("l"), m::call(cat, m::list(m::is(at("s")), m::same(x)),
                                        m::keyword("dim", m::constant(1)))));
  EXPECT_FALSE(m::match(at("l"), m::call(cat, m::list(m::any(), m::any()))));
  EXPECT_TRUE(m::match(
      at("r"), m::method("relu", m::either(m::call(add),
                                           m::call(cat, m::any(), m::keyword("dim", m::any()))))));
}

TEST_F(RulesTest, RulesInCpp) {
  const Target mul = context_.function("aten.mul.Tensor");
  RuleSet rules(context_);
  ASSERT_THAT(rules.add("mul_one", {mul},
                        [&](Node& node, Rewriter& rw) -> absl::StatusOr<bool> {
                          Argument x;
                          if (!m::match(node, m::call(mul, m::any(x), m::constant(1))))
                            return false;
                          return rw.replace(node, x);
                        }),
              IsOk());
  ASSERT_THAT(rules.add("square", {mul},
                        [&](Node& node, Rewriter& rw) -> absl::StatusOr<bool> {
                          Argument x;
                          if (!m::match(node, m::call(mul, m::any(x), m::same(x)))) return false;
                          return rw.replace(
                              node,
                              rw.call_function(context_.function("aten.square.default"), {x}));
                        }),
              IsOk());
  const auto graph = parse(
      "(%a) { %b = aten.neg.default(%a) %c = aten.mul.Tensor(%b, 1) "
      "%d = aten.mul.Tensor(%c, %b) !{module=\"m\"} return %d }");
  FX_ASSERT_OK_AND_ASSIGN(const RewriteReport report, rewrite_greedily(*graph, rules));
  EXPECT_EQ(report.num_rewrites, 2u);
  EXPECT_EQ(body(*graph),
            "%b = aten.neg.default(%a)\n"
            "%square_default = aten.square.default(%b) !{module=\"m\"}\nreturn %square_default\n");

  // Only %c is selected, so %d is not replaced even though it has become a square.
  const auto selected = parse(
      "(%a) { %b = aten.neg.default(%a) %c = aten.mul.Tensor(%b, 1) "
      "%d = aten.mul.Tensor(%c, %b) return %d }");
  const auto only = [](const Node& node) { return node.name() == "c"; };
  FX_ASSERT_OK_AND_ASSIGN(const RewriteReport one,
                          rewrite_greedily(*selected, rules, {.only = only}));
  EXPECT_EQ(one.num_rewrites, 1u);
  EXPECT_EQ(body(*selected),
            "%b = aten.neg.default(%a)\n%d = aten.mul.Tensor(%b, %b)\nreturn %d\n");
}

// A match must consist of selected nodes, not only start at one. Replacements belong to the module
// of the match, and are matched again.
TEST_F(RulesTest, OnlySelectedNodesMatch) {
  FX_ASSERT_OK_AND_ASSIGN(const RuleSet rules, RuleSet::parse(context_, R"(
    graph @twice() {
      graph @pattern(%x) { %a = aten.neg.default(%x) %b = aten.neg.default(%a) return %b }
      graph @replacement(%x) { %y = aten.positive.default(%x) return %y }
    }
    graph @positive() {
      graph @pattern(%x) { %a = aten.positive.default(%x) return %a }
      graph @replacement(%x) { %y = aten.alias.default(%x) return %y }
    })"));
  const std::string text =
      "(%x) { %a = aten.neg.default(%x) !{module=\"n\"} %b = aten.neg.default(%a) !{module=\"m\"} "
      "%c = aten.neg.default(%b) !{module=\"m\"} return %c }";
  const auto in_m = parse(text);
  FX_ASSERT_OK_AND_ASSIGN(const NodeFilter only_m, in_modules(*in_m, {"m"}));
  FX_ASSERT_OK_AND_ASSIGN(const RewriteReport report,
                          rewrite_greedily(*in_m, rules, {.only = only_m}));
  EXPECT_EQ(report.num_rewrites, 2u);
  EXPECT_EQ(body(*in_m),
            "%a = aten.neg.default(%x) !{module=\"n\"}\n"
            "%y_1 = aten.alias.default(%a) !{module=\"m\"}\nreturn %y_1\n");
  const auto in_n = parse(text);
  FX_ASSERT_OK_AND_ASSIGN(const NodeFilter only_n, in_modules(*in_n, {"n"}));
  FX_ASSERT_OK_AND_ASSIGN(const RewriteReport none,
                          rewrite_greedily(*in_n, rules, {.only = only_n}));
  EXPECT_FALSE(none.changed());
}

// A rewriter also erases operands that only the replaced node used, unless they have effects.
TEST_F(RulesTest, UnusedOperandsAreErased) {
  const Target f = context_.function("f");
  RuleSet rules(context_);
  ASSERT_THAT(rules.add("drop", {f},
                        [](Node& node, Rewriter& rw) -> absl::StatusOr<bool> {
                          return rw.replace(node, 7);
                        }),
              IsOk());
  const auto graph = parse(
      "(%a) { %b = aten.neg.default(%a) %c = aten.relu.default(%b) "
      "%d = aten.add_.Tensor(%a, 1) %e = f(%c, %d) return %e }");
  ASSERT_THAT(rewrite_greedily(*graph, rules), IsOk());
  EXPECT_EQ(body(*graph), "%d = aten.add_.Tensor(%a, 1)\nreturn 7\n");
}

// Rules are retried only near a rewrite, but must find all matches that it enables. In these
// graphs, values are merged, lose users and become constants.
TEST_F(RulesTest, NoMatchIsMissed) {
  const std::string_view text = R"(
    graph @undo() { graph @pattern(%x) { %a = g(%x) %b = f(%a) return %b }
                    graph @replacement(%x) { return %x } }
    graph @same() { graph @pattern(%x) { %a = k(%x, %x) return %a }
                    graph @replacement(%x) { %r = g(%x) return %r } }
    graph @twice() { !priority = 1 graph @pattern(%x) { %a = h(%x) %b = k(%a, %a) return %b }
                     graph @replacement(%x) { %r = f(%x) return %r } }
    graph @deep() { graph @pattern(%x, %y) { %a = f(%x) %b = k(%a, %y) %c = h(%b) return %c }
                    graph @replacement(%x, %y) { %r = k(%x, %y) return %r } }
    graph @three() { graph @pattern(%x) { %a = g(%x) %b = g(%a) %c = g(%b) return %c }
                     graph @replacement(%x) { return 3 } }
    graph @list() { graph @pattern(%x, %y) { %a = h(%x) %b = j([%a, %y]) return %b }
                    graph @replacement(%x, %y) { %r = j([%x, %y]) return %r } }
    graph @constant() { graph @pattern(%x !{match="constant"}) { %a = h(%x) return %a }
                        graph @replacement(%x) { return %x } })";
  FX_ASSERT_OK_AND_ASSIGN(const RuleSet rules, RuleSet::parse(context_, text));
  const std::string_view unary[] = {"f", "g", "h"};
  std::vector<uint64_t> counts(rules.size());
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    testing::Random random(seed);
    Graph graph(context_);
    std::vector<Node*> values = {graph.placeholder("x"), graph.placeholder("y")};
    const auto operand = [&] {
      return values[values.size() - 1 - random.below(std::min<size_t>(values.size(), 4))];
    };
    for (int i = 0; i < 40; ++i) {
      const size_t what = random.below(8);
      // In separate statements, because compilers evaluate arguments in different orders.
      const Argument first = operand();
      const Argument second = what < 3 ? Argument(operand()) : Argument();
      values.push_back(
          what == 0 ? graph.call_function(context_.function("j"), {Argument::list({first, second})})
          : what < 3 ? graph.call_function(context_.function("k"), {first, second})
                     : graph.call_function(context_.function(random.pick(unary)), {first}));
    }
    graph.output(Argument::list({operand(), operand()}));
    // find_matches and explain_mismatch must agree on the nodes at which each pattern matches.
    for (size_t i = 0; seed < 50 && i < rules.size(); ++i) {
      FX_ASSERT_OK_AND_ASSIGN(const MatchList found,
                              find_matches(*rules.pattern(i), graph, {.overlap = Overlap::kAll}));
      std::vector<const Node*> roots, explained;
      for (const Match match : found) roots.push_back(match.anchor());
      for (const Node& node : graph.nodes()) {
        FX_ASSERT_OK_AND_ASSIGN(const Mismatch why,
                                explain_mismatch(*rules.pattern(i), graph, &node));
        if (why.matches) explained.push_back(&node);
      }
      EXPECT_EQ(roots, explained) << seed << rules.name(i);
    }
    FX_ASSERT_OK_AND_ASSIGN(const RewriteReport report, rewrite_greedily(graph, rules));
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += report.by_rule[i].second;
    ASSERT_TRUE(verify(graph, {.check_index = true}).ok()) << seed;
    const std::string remaining = print(graph);
    FX_ASSERT_OK_AND_ASSIGN(const RewriteReport again, rewrite_greedily(graph, rules));
    ASSERT_FALSE(again.changed()) << seed << " " << remaining;
  }
  for (size_t i = 0; i < counts.size(); ++i) EXPECT_GT(counts[i], 50u) << rules.name(i);
}

// Rules keep random graphs valid, and terminate when none applies.
TEST_F(RulesTest, RandomGraphsStayValid) {
  const std::string_view text = R"(
    graph @relu() { graph @pattern(%x) { %a = torch.relu(%x) return %a }
                    graph @replacement(%x) { %r = aten.relu.default(%x) return %r } }
    graph @any() { graph @pattern(%x, %y) { %a = match.call([], %x, %y) return %a }
                   graph @replacement(%x, %y) { %r = call_method pair(%x, %y) return %r } }
    graph @add() { !commutative = True
                   graph @pattern(%x, %y) { %a = call_method pair(%x, %y) %b = operator.add(%a, %y) return (%b, %a) }
                   graph @replacement(%x, %y) { %r = call_method both(%x, %y) return (%r, %x) } })";
  FX_ASSERT_OK_AND_ASSIGN(const RuleSet rules, RuleSet::parse(context_, text));
  uint64_t num_rewrites = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const auto graph = testing::random_graph(context_, seed, {.max_nodes = 40, .odd_names = false});
    FX_ASSERT_OK_AND_ASSIGN(const RewriteReport report, rewrite_greedily(*graph, rules));
    for (const Finding& finding :
         verify(*graph, {.warnings = false, .check_index = true}).findings) {
      // Random calls do not match schemas and types, before or after the rules run.
      ASSERT_TRUE(finding.invariant == Invariant::kSchema || finding.invariant == Invariant::kTypes)
          << seed << finding.str();
    }
    num_rewrites += report.num_rewrites;
    FX_ASSERT_OK_AND_ASSIGN(const RewriteReport again, rewrite_greedily(*graph, rules));
    EXPECT_FALSE(again.changed()) << seed;
  }
  EXPECT_GT(num_rewrites, 100u);
}

}  // namespace
}  // namespace fx
