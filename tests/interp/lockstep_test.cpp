// Counterparts of nodes, and two interleaved runs.
#include "fx/interp/lockstep.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/text/text.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::lockstep_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class LockstepTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }
  /// Returns "a=b by name" for each pair except placeholders and outputs.
  static std::string pairs(const Graph& a, const Graph& b) {
    const auto matched = match_nodes(a, b);
    EXPECT_THAT(matched, IsOk());
    std::string text;
    for (const MatchedNodes& pair : *matched) {
      if (pair.by == MatchedBy::kPosition) continue;
      text += pair.a->name() + "=" + pair.b->name() + " by ";
      text += std::string(matched_by_name(pair.by)) + "\n";
    }
    return text;
  }
  Context context_;
};

class Numbers : public Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    ++calls;
    if (call.function.name() == "operator.add") return call.args[0] + call.args[1];
    if (call.function.name() == "operator.mul") return call.args[0] * call.args[1];
    return Interpreter::call_function(call);
  }
  int calls = 0;
};

TEST_F(LockstepTest, CounterpartsByStructureNameAndOrigin) {
  const auto a = parse(R"(graph(%x) {
    %p = operator.add(%x, 1)
    %q = operator.add(%x, 1)
    %r = operator.mul(%p, %q)
    %s = operator.add(%r, 2)
    return %s
  })");
  const auto b = parse(R"(graph(%y) {
    %first = operator.add(%y, 1)
    %second = operator.add(%y, 1)
    %r = operator.add(%first, %second)
    %last = operator.add(%r, 2)
    return %last
  })");
  EXPECT_EQ(pairs(*a, *b),
            "p=first by structure\nq=second by structure\nr=r by name\ns=last by structure\n");
  // Literals are compared by kind: 1 is not 1.0.
  const auto c = parse("graph(%x) { %z = operator.add(%x, 1.0) return (%z,) }");
  EXPECT_EQ(pairs(*a, *c), "");

  const auto replaced = a->clone();
  {
    const ProvenanceScope scope(*replaced, "pass");
    Node* q = replaced->find_node("r");
    const auto guard = replaced->inserting_after(q);
    Node* sub = replaced->call_function(context_.function("operator.sub"), {q->arg(0), q->arg(1)});
    q->replace_all_uses_with(sub);
    ASSERT_THAT(replaced->erase_node(q), IsOk());
  }
  EXPECT_THAT(pairs(*a, *replaced), HasSubstr("r=sub by origin\n"));

  const auto other = parse("graph(%x, %y) { return %x }");
  EXPECT_THAT(match_nodes(*a, *other), StatusIs(absl::StatusCode::kInvalidArgument,
                                                HasSubstr("number of inputs, not 1 and 2")));
  Context other_context;
  EXPECT_THAT(match_nodes(*a, Graph(other_context)), StatusIs(absl::StatusCode::kInvalidArgument));
}

// A renamed call in a chain with other operators is found from the results.
TEST_F(LockstepTest, CounterpartsByUse) {
  const auto a = parse(R"(graph(%x, %w) {
    %p = aten.exp_.default(%x)
    %q = aten.mul.Tensor(%p, %w)
    %r = aten.neg.default(%q)
    return (%r, [%w])
  })");
  const auto b = parse(R"(graph(%x, %w) {
    %exp_default = aten.sin.default(%x)
    %mul_tensor = aten.mul_.Tensor(%exp_default, %w)
    %neg_default = aten.neg.default(%mul_tensor)
    return (%neg_default, [%w])
  })");
  EXPECT_EQ(pairs(*a, *b), "p=exp_default by use\nq=mul_tensor by use\nr=neg_default by use\n");
  // No counterparts are found for the operands of calls that have different constants or different
  // operators, or if two operands are ambiguous.
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"aten.mul.Tensor(%p, 2)", "aten.mul.Tensor(%e, 3)"},
      {"aten.mul.Tensor(%p, 2)", "aten.sub.Tensor(%e, 2)"},
      {"aten.mul.Tensor(%p, %t)", "aten.mul.Tensor(%f, %e)"}};
  for (const auto& [first, second] : calls) {
    const auto c =
        parse("graph(%x, %w) { %p = aten.exp.default(%x) %t = aten.exp.default(%w) %q = " + first +
              " return %q }");
    const auto d =
        parse("graph(%x, %w) { %e = aten.cos.default(%x) %f = aten.sin.default(%w) %r = " + second +
              " return %r }");
    EXPECT_EQ(pairs(*c, *d), "q=r by use\n");
  }
  // Values with different types are not counterparts.
  const auto typed = parse("graph(%x) { %e : f32[2] = aten.exp.default(%x) return %e }");
  const auto other = parse("graph(%x) { %f : f32[3] = aten.sin.default(%x) return %f }");
  EXPECT_EQ(pairs(*typed, *other), "");
}

// Each node of a graph is the counterpart of its copy, whatever the graph contains.
TEST_F(LockstepTest, ACopyMatchesNodeByNode) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const auto graph = testing::random_graph(context_, seed);
    absl::flat_hash_map<const Node*, Node*> copies;
    const auto copy = graph->clone(&copies);
    FX_ASSERT_OK_AND_ASSIGN(const auto matched, match_nodes(*graph, *copy));
    EXPECT_EQ(matched.size(), graph->size()) << seed;
    for (const MatchedNodes& pair : matched) EXPECT_EQ(copies[pair.a], pair.b) << seed;
  }
}

// parity: D2b
TEST_F(LockstepTest, StopsAtTheFirstPairThatDiffers) {
  const auto a = parse(R"(graph(%x) {
    %p = operator.add(%x, 1)
    %q = operator.mul(%x, 2)
    %r = operator.mul(%p, %q)
    %s = operator.mul(%r, 2)
    return %s
  })");
  // `b` has a different order and an additional call, and its %q is wrong.
  const auto b = parse(R"(graph(%x) {
    %q = operator.mul(%x, 3)
    %unused = operator.add(%q, 1)
    %p = operator.add(%x, 1)
    %r = operator.mul(%p, %q)
    %s = operator.mul(%r, 2)
    return %s
  })");
  FX_ASSERT_OK_AND_ASSIGN(auto matched, match_nodes(*a, *b));
  Numbers run_a(*a), run_b(*b);
  Lockstep<double> lockstep(run_a, run_b, std::move(matched));
  lockstep.set_compare([](double x, double y) { return x == y ? "" : "not the same"; });
  FX_ASSERT_OK_AND_ASSIGN(const auto difference, lockstep.run({5}, {5}));
  ASSERT_TRUE(difference.has_value());
  EXPECT_EQ(difference->a->name(), "q");
  EXPECT_EQ(difference->b->name(), "q");
  EXPECT_EQ(difference->what, "not the same");
  EXPECT_EQ(run_a.calls, 2);  // no later call runs
  EXPECT_EQ(run_b.calls, 3);

  FX_ASSERT_OK_AND_ASSIGN(auto same, match_nodes(*a, *a));
  Numbers again_a(*a), again_b(*a);
  Lockstep<double> with_compare(again_a, again_b, std::move(same));
  with_compare.set_compare([](double x, double y) { return x == y ? "" : "not the same"; });
  FX_ASSERT_OK_AND_ASSIGN(const auto none, with_compare.run({5}, {5}));
  EXPECT_FALSE(none.has_value());
}

}  // namespace
}  // namespace fx::lockstep_test
