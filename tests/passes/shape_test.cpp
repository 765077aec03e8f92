// Tests binding and propagation of types. shape_corpus_test.cpp compares the results of type
// functions with libtorch's.
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/shape_prop.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ShapeTest : public ::testing::Test {
 protected:
  Type type(std::string_view text) {
    auto result = context_.types().parse(text);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : Type();
  }
  Node* input(std::string_view name, std::string_view text) {
    return graph_.placeholder(name, {.type = type(text)});
  }
  Node* call(std::string_view function, absl::Span<const Argument> args,
             absl::Span<const Kwarg> kwargs = {}) {
    return graph_.call_function(context_.function(function), args, kwargs);
  }
  /// Returns the text of the inferred type, or the error.
  std::string infer(const Node* node) {
    const auto result = infer_type(*node, {.env = &env_});
    return result.ok() ? to_string(*result) : std::string(result.status().message());
  }
  std::vector<std::string> guards() {
    std::vector<std::string> result;
    for (SymExpr guard : env_.guards()) result.push_back(to_string(guard));
    return result;
  }

  Context context_;
  Graph graph_{context_};
  ShapeEnv env_{context_};
};

TEST_F(ShapeTest, PromotesAndBroadcasts) {
  Node* x = input("x", "f32[4, 1, 3]");
  Node* i = input("i", "i64[5, 1]");
  Node* zero_dim = input("z", "f64[]");
  EXPECT_EQ(infer(call("aten.add.Tensor", {x, i})), "f32[4, 5, 3]");
  EXPECT_EQ(infer(call("aten.add.Tensor", {i, 2.5})), "f32[5, 1]");
  EXPECT_EQ(infer(call("aten.mul.Tensor", {x, zero_dim})), "f32[4, 1, 3]");
  EXPECT_EQ(infer(call("aten.mul.Tensor", {i, zero_dim})), "f64[5, 1]");
  EXPECT_EQ(infer(call("aten.div.Tensor", {i, i})), "f32[5, 1]");
  EXPECT_EQ(infer(call("aten.lt.Scalar", {x, 0})), "b8[4, 1, 3]");
}

TEST_F(ShapeTest, ResultsHaveTheLayoutOfTheOperands) {
  Node* last = input("x", "f32[2, 3, 4, 4][48, 1, 12, 3]");
  Node* transposed = input("t", "f32[3, 5][1, 3]");
  Node* gaps = input("g", "f32[3, 5][20, 2]{offset=1}");
  EXPECT_EQ(infer(call("aten.relu.default", {last})), "f32[2, 3, 4, 4][48, 1, 12, 3]");
  EXPECT_EQ(infer(call("aten.exp.default", {transposed})), "f32[3, 5][1, 3]");
  EXPECT_EQ(infer(call("aten.exp.default", {gaps})), "f32[3, 5]");
  EXPECT_EQ(infer(call("aten.clone.default", {transposed})), "f32[3, 5][1, 3]");
}

TEST_F(ShapeTest, InPlaceAndOutFormsShareTheFunction) {
  Node* x = input("x", "f32[4, 3]");
  Node* row = input("r", "f64[3]");
  Node* out = input("o", "f64[4, 3][1, 4]");
  EXPECT_EQ(infer(call("aten.add_.Tensor", {x, row})), "f32[4, 3]");
  EXPECT_THAT(infer(call("aten.add_.Tensor", {row, x})), HasSubstr("cannot be written into"));
  EXPECT_EQ(infer(call("aten.add.out", {x, row}, {{"out", out}})), "f64[4, 3][1, 4]");
  EXPECT_EQ(infer(call("aten.t_.default", {x})), "f32[3, 4][1, 3]");
  EXPECT_EQ(infer(call("aten.t_copy.default", {x})), "f32[3, 4]");
}

// After t_, all uses of the tensor, under any name, have the transposed type. The nodes keep their
// original types.
TEST_F(ShapeTest, InPlaceChangesOfArgumentsApplyToLaterUses) {
  Node* x = input("x", "f32[4, 3]");
  Node* before = call("aten.relu.default", {x});
  Node* same = call("aten.add_.Tensor", {x, 1});
  Node* turned = call("aten.t_.default", {same});
  Node* after = call("aten.relu.default", {x});
  Node* of_same = call("aten.relu.default", {same});
  Node* back = call("aten.transpose_.default", {x, 0, 1});
  call("aten.resize_.default", {x, Argument::ints({5})});
  Node* resized = call("aten.neg.default", {turned});
  Node* out = input("out", "f32[0]");
  call("aten.mul.out", {before, 2}, {{"out", out}});
  Node* written = call("aten.neg.default", {out});
  graph_.output({Argument(written)});
  ASSERT_TRUE(propagate_types(graph_).ok());
  EXPECT_EQ(to_string(before->type()), "f32[4, 3]");
  EXPECT_EQ(to_string(turned->type()), "f32[3, 4][1, 3]");
  EXPECT_EQ(to_string(after->type()), "f32[3, 4][1, 3]");
  EXPECT_EQ(to_string(of_same->type()), "f32[3, 4][1, 3]");
  EXPECT_EQ(to_string(back->type()), "f32[4, 3]");
  EXPECT_EQ(to_string(resized->type()), "f32[5]");
  EXPECT_EQ(to_string(written->type()), "f32[4, 3]");
  EXPECT_EQ(to_string(x->type()), "f32[4, 3]");
  EXPECT_EQ(to_string(same->type()), "f32[4, 3]");
  EXPECT_EQ(to_string(out->type()), "f32[0]");
  // The second time, everything is cached, and the result is the same.
  TypeCache cache(context_);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(propagate_types(graph_, {.cache = &cache}).ok());
    EXPECT_EQ(to_string(after->type()), "f32[3, 4][1, 3]");
    EXPECT_EQ(to_string(resized->type()), "f32[5]");
    EXPECT_EQ(to_string(x->type()), "f32[4, 3]");
  }
}

TEST_F(ShapeTest, ViewsReportTheirAliases) {
  Node* x = input("x", "f32[4, 6]");
  const auto view = infer_call(*call("aten.select.int", {x, 1, -1}));
  ASSERT_TRUE(view.ok()) << view.status();
  EXPECT_EQ(to_string(view->type), "f32[4][6]{offset=5}");
  ASSERT_THAT(view->aliases, SizeIs(1));
  EXPECT_EQ(view->aliases[0].argument, 0);
  // reshape returns a view if it can.
  Node* t = input("t", "f32[4, 6][1, 4]");
  const auto same = infer_call(*call("aten.reshape.default", {x, Argument::ints({24})}));
  const auto copy = infer_call(*call("aten.reshape.default", {t, Argument::ints({24})}));
  ASSERT_TRUE(same.ok() && copy.ok());
  EXPECT_THAT(same->aliases, SizeIs(1));
  EXPECT_THAT(copy->aliases, IsEmpty());
}

// parity: P4
TEST_F(ShapeTest, TypesUseArithmeticOnSymbolicSizes) {
  Node* x = input("x", "f32[s0, 3, s1]");
  Node* w = input("w", "f32[8, 3, 3]");
  EXPECT_EQ(infer(call("aten.conv1d.default",
                       {x, w, Argument(), Argument::ints({2}), Argument::ints({1})})),
            "f32[s0, 8, ((s1 + 1)//2)]");
  EXPECT_EQ(infer(call("aten.view.default", {x, Argument::ints({-1, 3})})), "f32[s0*s1, 3]");
  EXPECT_EQ(infer(call("aten.sym_size.int", {x, 2})), "SymInt(s1)");
}

TEST_F(ShapeTest, StftChecksFrameSizes) {
  Node* x = input("x", "f32[100]");
  const auto stft = [&](int64_t frame, const Argument& hop) {
    return infer(call("aten.stft.default",
                      {x, frame, hop, Argument(), Argument(), false, Argument(), true}));
  };
  EXPECT_THAT(stft(0, Argument()), HasSubstr("at least 1"));
  EXPECT_THAT(stft(16, 0), HasSubstr("at least 1"));
  EXPECT_THAT(stft(101, Argument()), HasSubstr("shorter than a frame"));
  // If the input is real, return_complex is required.
  EXPECT_THAT(infer(call("aten.stft.default", {x, 16})), HasSubstr("self cannot be"));
}

// parity: E19
TEST_F(ShapeTest, AssumptionsAreGuards) {
  Node* x = input("x", "f32[s0, 4]");
  Node* y = input("y", "f32[s1, 4]");
  EXPECT_EQ(infer(call("aten.add.Tensor", {x, y})), "f32[s0, 4]");
  EXPECT_THAT(guards(), ElementsAre("Eq(s0, s1)"));
  // Known relations do not add a second guard. Contradictions are errors.
  EXPECT_EQ(infer(call("aten.mul.Tensor", {x, y})), "f32[s0, 4]");
  EXPECT_THAT(guards(), SizeIs(1));
  env_.set_range(context_.symbol("s2"), {5, 9});
  Node* z = input("z", "f32[s2, 4]");
  Node* small = input("small", "f32[3, 4]");
  EXPECT_THAT(infer(call("aten.add.Tensor", {z, small})), HasSubstr("do not broadcast"));
  EXPECT_THAT(guards(), SizeIs(1));
}

TEST_F(ShapeTest, DecisionsFromTheDefaultRangeAreGuards) {
  Node* x = input("x", "f32[n, 4]");
  EXPECT_EQ(infer(call("aten.squeeze.dim", {x, 0})), "f32[n, 4]");
  EXPECT_THAT(guards(), ElementsAre("Ne(n, 1)"));
  // After a guard is added, it and its consequences are known.
  EXPECT_EQ(infer(call("aten.select.int", {x, 0, 5})), "f32[4]{offset=20}");
  EXPECT_EQ(infer(call("aten.select.int", {x, 0, 2})), "f32[4]{offset=8}");
  EXPECT_THAT(guards(), ElementsAre("Ne(n, 1)", "n >= 6"));
  // A declared range avoids a guard. If a type can express all cases, nothing is assumed.
  env_.set_range(context_.symbol("m"), {2, 6});
  Node* y = input("y", "f32[m, 4]");
  EXPECT_EQ(infer(call("aten.squeeze.dim", {y, 0})), "f32[m, 4]");
  EXPECT_EQ(infer(call("aten.slice.Tensor", {y, 0, 0, 3})), "f32[Min(3, m), 4]");
  EXPECT_EQ(infer(call("aten.slice.Tensor", {input("z", "f32[k]"), 0, 0, 2})), "f32[Min(2, k)]");
  EXPECT_THAT(guards(), SizeIs(2));
}

TEST_F(ShapeTest, NothingIsAssumedWithoutAnEnvironment) {
  Node* x = input("x", "f32[n, 4]");
  Node* y = input("y", "f32[m, 4]");
  Node* sum = call("aten.add.Tensor", {x, y});
  Node* squeezed = call("aten.squeeze.dim", {x, 0});
  Node* twice = call("aten.add.Tensor", {x, x});
  EXPECT_EQ(*infer_type(*sum), Type());
  EXPECT_EQ(*infer_type(*squeezed), Type());
  EXPECT_EQ(infer_call(*squeezed)->aliases.size(), 0U);
  EXPECT_EQ(to_string(*infer_type(*twice)), "f32[n, 4]");
  // Guards in the graph are not assumptions.
  graph_.set_meta("guards", Argument::list({"Eq(m, n)"}));
  graph_.set_meta("symbols", Argument::dict({{"n", Argument::dict({{"min", 2}})}}));
  EXPECT_EQ(to_string(*infer_type(*sum)), "f32[n, 4]");
  EXPECT_EQ(to_string(*infer_type(*squeezed)), "f32[n, 4]");
}

TEST_F(ShapeTest, PropagationKeepsGuardsInTheGraph) {
  Node* x = input("x", "f32[n, 4]");
  Node* y = input("y", "f32[m, 4]");
  graph_.output(call("aten.add.Tensor", {x, y}));
  EXPECT_EQ(propagate_types(graph_).guards.size(), 1U);
  EXPECT_EQ(*graph_.meta("guards"), Argument::list({"Eq(m, n)"}));
  // A second propagation records the same guards, without duplicates.
  EXPECT_EQ(propagate_types(graph_).guards.size(), 1U);
  EXPECT_EQ(graph_.meta("guards")->size(), 1U);
}

// parity: E19
TEST_F(ShapeTest, RangesOfExpressionsFollowFromThoseOfSymbols) {
  env_.set_range(context_.symbol("a"), {2, 10});
  env_.set_range(context_.symbol("b"), {3, std::nullopt});
  const auto range = [&](std::string_view text) {
    const SymRange r = env_.range(*context_.exprs().parse(text));
    return (r.min ? std::to_string(*r.min) : "none") + " " +
           (r.max ? std::to_string(*r.max) : "none");
  };
  EXPECT_EQ(range("a + 3"), "5 13");
  EXPECT_EQ(range("-a"), "-10 -2");
  EXPECT_EQ(range("a*b"), "6 none");
  EXPECT_EQ(range("a//4"), "0 2");
  EXPECT_EQ(range("Mod(b, 4)"), "0 3");
  EXPECT_EQ(range("Max(a, b)"), "3 none");
  EXPECT_EQ(range("Min(a, b)"), "2 10");
  EXPECT_EQ(range("(-a)//3"), "-4 -1");
}

// parity: P1
TEST_F(ShapeTest, ErrorsNameNodeOperatorAndBothValues) {
  Node* x = input("x", "f32[4, 3]");
  Node* y = input("y", "f32[4, 5]");
  Node* bad = call("aten.mm.default", {x, y});
  const std::string message = infer(bad);
  EXPECT_THAT(message, HasSubstr("mm"));
  EXPECT_THAT(message, HasSubstr("aten.mm.default"));
  EXPECT_THAT(message, HasSubstr("f32[4, 3]"));
  EXPECT_THAT(message, HasSubstr("f32[4, 5]"));
  EXPECT_THAT(infer(call("aten.relu.default", {})), HasSubstr("argument self is missing"));
  EXPECT_THAT(infer(call("aten.stack.default", {Argument::list({Argument(x), Argument()})})),
              HasSubstr("item 1 of argument tensors must be a tensor, not None"));
  Node* rows = input("rows", "i64[2]");
  EXPECT_EQ(infer(call("aten.index.Tensor", {x, Argument::list({Argument(), Argument(rows)})})),
            "f32[4, 2]");
  EXPECT_THAT(infer(call("aten.relu.default", {Argument("text")})), HasSubstr("must be a tensor"));
  EXPECT_THAT(infer(call("aten.sum.dim_IntList", {x, Argument::ints({2})})),
              HasSubstr("dimension 2 is out of range for a tensor of rank 2"));
}

// The type is unknown if it depends on a number that is known only at run time. Using 0
// instead would be an error.
TEST_F(ShapeTest, UnknownNumbersAreNotInvalid) {
  Node* x = input("x", "f32[2, 4, 8, 8]");
  Node* w = input("w", "f32[4, 4, 3, 3]");
  Node* n = input("n", "int");
  const Argument one = Argument::ints({1, 1}), zero = Argument::ints({0, 0});
  EXPECT_EQ(infer(call("aten.convolution.default",
                       {x, w, Argument(), Argument::list({n, n}), one, one, false, zero, 1})),
            "?");
  EXPECT_EQ(infer(call("aten.view.default", {x, Argument::list({n, -1})})), "?");
  EXPECT_EQ(infer(call("aten.max_pool2d.default", {x, Argument::list({n, 2})})), "?");
  const Node* wrong = call("aten.convolution.default",
                           {x, w, Argument(), Argument::ints({1, 1, 1}), one, one, false, zero, 1});
  EXPECT_THAT(infer(wrong),
              HasSubstr("argument stride must be a list of 2 integers, not list of 3 items"));
}

// Eager mode expands a number to a list only if the parameter is a fixed-size list of int, not of
// SymInt (`int[2]`).
TEST_F(ShapeTest, ListParametersDoNotAcceptNumbers) {
  Node* x = input("x", "f32[2, 4, 8, 8]");
  Node* w = input("w", "f32[4, 4, 3, 3]");
  Node* n = input("n", "int");
  const Argument one = Argument::ints({1, 1}), zero = Argument::ints({0, 0});
  EXPECT_THAT(infer(call("aten.convolution.default", {x, w, {}, 1, one, one, false, zero, 1})),
              HasSubstr("argument stride must be a list of numbers, not a number"));
  EXPECT_THAT(infer(call("aten.view.default", {x, n})), HasSubstr("size must be a list"));
  EXPECT_THAT(infer(call("aten.flip.default", {x, 0})), HasSubstr("dims must be a list"));
  EXPECT_EQ(infer(call("aten.sum.dim_IntList", {x, 0})), "f32[4, 8, 8]");
  EXPECT_EQ(infer(call("aten.avg_pool2d.default", {x, 2})), "f32[2, 4, 4, 4]");
  EXPECT_THAT(infer(call("aten.conv2d.default", {x, w, {}, 1, 1})),
              HasSubstr("argument stride must be a list of numbers, not a number"));
  EXPECT_THAT(infer(call("aten.roll.default", {x, n})), HasSubstr("shifts must be a list"));
}

// Guards on sizes that depend on data cannot be checked before a run.
TEST_F(ShapeTest, RelationsOfSizesThatDependOnDataAreNotAssumed) {
  Node* a = input("a", "f32[u0]");
  Node* y = input("y", "f32[5]");
  EXPECT_EQ(infer(call("aten.add.Tensor", {a, y})), "?");
  EXPECT_EQ(infer(call("aten.add.Tensor", {a, a})), "f32[u0]");
  EXPECT_EQ(infer(call("aten.expand.default", {a, Argument::ints({5})})), "?");
  EXPECT_EQ(infer(call("aten.squeeze.default", {a})), "?");
  EXPECT_THAT(guards(), IsEmpty());
  env_.set_range(context_.symbol("u0"), {5, 5});
  EXPECT_THAT(infer(call("aten.add.Tensor", {a, y})), HasSubstr("f32["));
  EXPECT_THAT(guards(), IsEmpty());
}

// The types of the parts do not depend on the sum of their lengths, which the kernel checks.
TEST_F(ShapeTest, PartsHaveLengthsThatDependOnData) {
  Node* x = input("x", "f32[5, 3]");
  Node* n = input("n", "SymInt(u0)");
  Node* m = input("m", "SymInt(u1)");
  const auto split = [&](Node* from, const Argument& lengths, int64_t dim) {
    return infer(call("aten.split_with_sizes.default", {from, lengths, dim}));
  };
  const Argument both = Argument::list({n, m});
  EXPECT_EQ(split(x, both, 0), "[f32[u0, 3], f32[u1, 3]{offset=3*u0}]");
  EXPECT_EQ(split(x, both, 1), "[f32[5, u0][3, 1], f32[5, u1][3, 1]{offset=u0}]");
  EXPECT_EQ(split(input("y", "f32[u2]"), Argument::list({2, 3}), 0), "[f32[2], f32[3]{offset=2}]");
  EXPECT_THAT(guards(), IsEmpty());
  env_.set_range(context_.symbol("u0"), {6, std::nullopt});
  env_.set_range(context_.symbol("u1"), {0, std::nullopt});
  EXPECT_THAT(split(x, both, 0), HasSubstr("must sum to the size"));
}

TEST_F(ShapeTest, PropagationContinuesAfterAnError) {
  Node* x = input("x", "f32[4, 3]");
  Node* a = call("mylib.a.default", {x});
  Node* b = call("aten.relu.default", {a});
  call("mylib.a.default", {b});
  Node* wrong = call("aten.mm.default", {x, x});
  Node* fine = call("aten.neg.default", {x});
  graph_.output(fine);
  const ShapeReport report = propagate_types(graph_);
  ASSERT_THAT(report.findings, SizeIs(2));  // one for two calls to an unknown operator
  EXPECT_EQ(report.findings[0].kind, ShapeFinding::Kind::kNoTypeFunction);
  EXPECT_EQ(report.findings[0].op, "mylib.a.default");
  EXPECT_THAT(report.findings[0].nodes, SizeIs(2));
  EXPECT_EQ(report.findings[1].kind, ShapeFinding::Kind::kInvalidCall);
  EXPECT_THAT(report.findings[1].nodes, ElementsAre(wrong));
  EXPECT_FALSE(b->type());
  EXPECT_EQ(to_string(fine->type()), "f32[4, 3]");
  EXPECT_EQ(report.typed, 1u);
  EXPECT_EQ(report.unknown, 4u);
}

TEST_F(ShapeTest, CustomOperatorsHaveRules) {
  ASSERT_TRUE(context_.add_operator("mylib::pool(Tensor x, int size=2) -> Tensor").ok());
  TypeRules rules;
  const auto rule = [](TypeCall& c) {
    const Type x = c.tensor(0);
    if (x.rank() != 2) return c.fail("x must be a matrix");
    return c.result(x.dtype(), {x.sizes()[0], floor_div(x.sizes()[1], c.dim(1))});
  };
  ASSERT_TRUE(rules.add(context_, "mylib.pool.default", rule).ok());
  EXPECT_EQ(rules.add(context_, "mylib.other.default", rule).code(), absl::StatusCode::kNotFound);
  Node* x = input("x", "f32[4, s0]");
  Node* y = call("mylib.pool.default", {x}, {{"size", 3}});
  graph_.output(y);
  EXPECT_FALSE(propagate_types(graph_).ok());
  EXPECT_TRUE(propagate_types(graph_, {.rules = &rules}).ok());
  EXPECT_EQ(to_string(y->type()), "f32[4, (s0//3)]");
}

// parity: P4 E19
TEST_F(ShapeTest, SizesThatDependOnDataAreNewSymbols) {
  Node* x = input("x", "f32[4, 4]");
  Node* n = call("aten.nonzero.default", {x});
  Node* size = call("aten.sym_size.int", {n, 0});
  Node* zeros = call("aten.zeros.default", {Argument::list({Argument(size), Argument(3)})});
  graph_.output(zeros);
  EXPECT_TRUE(propagate_types(graph_).ok());
  EXPECT_EQ(to_string(zeros->type()), "f32[u0, 3]");
  // Without an environment, no facts about sizes are known.
  const auto without_env = infer_type(*n);
  ASSERT_TRUE(without_env.ok());
  EXPECT_FALSE(*without_env);
}

// getitem on a value of any type: the binder accepts values with partially known types.
TEST_F(ShapeTest, ItemsOfPartiallyKnownTensorsHaveNoType) {
  for (const char* type : {"f32[4, 1][?]", "f32[*]", "tensor[2]"}) {
    SCOPED_TRACE(type);
    Node* x = input("x", type);
    for (const Argument& index : {Argument(0), Argument(-1), Argument::list({Argument(0)}),
                                  Argument::tuple({Argument(0), Argument(0)})}) {
      Node* item = call("operator.getitem", {x, index});
      const absl::StatusOr<InferredCall> inferred = infer_call(*item);
      ASSERT_TRUE(inferred.ok()) << inferred.status();
      EXPECT_FALSE(inferred->type);
    }
  }
}

}  // namespace
}  // namespace fx
