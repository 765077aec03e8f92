// Tests types of a graph that is being rewritten, and types for many signatures. They must always
// equal the types of a full propagation.
#include "fx/passes/shape/type_updater.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/check/shape_signatures.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;

class TypeUpdaterTest : public ::testing::Test {
 protected:
  Type type(std::string_view text) { return *context_.types().parse(text); }
  Node* call(std::string_view function, std::initializer_list<Argument> args) {
    return graph_.call_function(context_.function(function),
                                absl::MakeConstSpan(args.begin(), args.size()));
  }
  /// Expects that every type equals the type in a propagated copy of the graph.
  void expect_propagated_types() {
    const std::unique_ptr<Graph> copy = graph_.clone();
    for (Node& node : copy->nodes())
      if (node.op() == Opcode::kCallFunction) node.set_type(Type());
    propagate_types(*copy);
    auto other = copy->nodes().begin();
    for (const Node& node : graph_.nodes()) {
      EXPECT_EQ(node.type(), other->type()) << node.name();
      ++other;
    }
  }

  Context context_;
  Graph graph_{context_};
};

// A new t_ changes the operand types of later calls.
TEST_F(TypeUpdaterTest, FollowsInPlaceChangesOfArguments) {
  Node* x = graph_.placeholder("x", {.type = type("f32[4, 8]")});
  Node* a = call("aten.relu.default", {x});
  graph_.output(a);
  propagate_types(graph_);
  TypeUpdater types(graph_);
  {
    const auto guard = graph_.inserting_before(a);
    call("aten.t_.default", {x});
  }
  types.update();
  EXPECT_EQ(to_string(a->type()), "f32[8, 4][1, 8]");
  EXPECT_EQ(to_string(x->type()), "f32[4, 8]");
  expect_propagated_types();
  ASSERT_TRUE(types.set_input_type(*x, type("f32[2, 8]")).ok());
  types.update();
  EXPECT_EQ(to_string(a->type()), "f32[8, 2][1, 8]");
  expect_propagated_types();
}

TEST_F(TypeUpdaterTest, InfersOnlyTypesThatDependOnAChange) {
  Node* x = graph_.placeholder("x", {.type = type("f32[4, 8]")});
  Node* y = graph_.placeholder("y", {.type = type("f32[8, 2]")});
  Node* a = call("aten.relu.default", {x});
  Node* b = call("aten.relu.default", {y});
  Node* c = call("aten.mm.default", {a, b});
  Node* d = call("aten.sum.default", {c});
  Node* e = call("aten.neg.default", {d});
  graph_.output(e);
  propagate_types(graph_);
  TypeUpdater types(graph_);
  EXPECT_EQ(types.update().typed, 0u);

  ASSERT_TRUE(types.set_input_type(*x, type("f32[16, 8]")).ok());
  EXPECT_EQ(types.update().typed, 3u);  // a, c, d; d is unchanged, so e is not visited
  EXPECT_EQ(to_string(c->type()), "f32[16, 2]");
  expect_propagated_types();

  // The updater observes a rewrite: new nodes, and nodes with changed operands.
  {
    const auto guard = graph_.inserting_before(c);
    Node* wide = call("aten.cat.default", {Argument::list({a, a}), 0});
    c->replace_input_with(a, wide);
    types.mark(*c);
    Node* twice = call("aten.add.Tensor", {b, b});
    b->replace_uses_if(twice, [&](const Node& user) { return &user == c; });
  }
  EXPECT_EQ(types.update().typed, 4u);  // cat, add, mm, sum
  EXPECT_EQ(to_string(c->type()), "f32[32, 2]");
  expect_propagated_types();

  // An invalid call is reported, and the types of its users become unknown. After a correction,
  // they become known.
  ASSERT_TRUE(types.set_input_type(*y, type("f32[7, 2]")).ok());
  const ShapeReport report = types.update();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].nodes[0], c);
  EXPECT_FALSE(e->type());
  ASSERT_TRUE(types.set_input_type(*y, type("f32[8, 3]")).ok());
  EXPECT_TRUE(types.update().ok());
  EXPECT_TRUE(e->type());
  expect_propagated_types();
  EXPECT_THAT(std::string(types.set_input_type(*c, type("f32[1]")).message()),
              HasSubstr("is inferred from its operands"));
}

/// Adds a nested graph that returns a relu of its input.
absl::StatusOr<uint32_t> add_relu(Graph& graph) {
  auto nested = std::make_unique<Graph>(graph.context());
  Node* const a = nested->placeholder("a");
  Node* const relu = nested->call_function(graph.context().function("aten.relu.default"), {a});
  nested->output(Argument::list({relu}));
  return graph.add_subgraph("body", std::move(nested));
}

// A second call of a nested graph may be added, and calls may be erased, between updates.
TEST_F(TypeUpdaterTest, FollowsTheCallsOfANestedGraph) {
  Node* x = graph_.placeholder("x", {.type = type("f32[4, 8]")});
  Node* y = graph_.placeholder("y", {.type = type("f32[3, 8]")});
  const absl::StatusOr<uint32_t> body = add_relu(graph_);
  ASSERT_TRUE(body.ok());
  Node* first = call("higher_order.wrap", {Argument::graph(*body), x});
  Node* out = graph_.output(first);
  propagate_types(graph_);
  const Node* input = &*graph_.subgraph(0).nodes().begin();
  TypeUpdater types(graph_);
  ASSERT_TRUE(types.set_input_type(*x, type("f32[5, 8]")).ok());
  EXPECT_EQ(types.update().typed, 2u);  // the call and the relu
  EXPECT_EQ(to_string(input->type()), "f32[5, 8]");

  Node* second = nullptr;
  {
    const auto guard = graph_.inserting_before(out);
    second = call("higher_order.wrap", {Argument::graph(*body), y});
  }
  types.update();
  EXPECT_EQ(to_string(second->type()), "(f32[3, 8],)");
  EXPECT_EQ(to_string(input->type()), "f32[*]");  // it receives both operands
  expect_propagated_types();

  ASSERT_TRUE(graph_.erase_node(second).ok());
  ASSERT_TRUE(types.set_input_type(*x, type("f32[6, 8]")).ok());
  types.update();
  EXPECT_EQ(to_string(first->type()), "(f32[6, 8],)");
  EXPECT_EQ(to_string(input->type()), "f32[6, 8]");
}

// An input of a nested graph keeps its recorded type if the operand of a call has none, also if the
// operand of the call that is updated first has a more exact type (1083029865).
TEST_F(TypeUpdaterTest, KeepsTheRecordedTypesOfInputsWithUntypedOperands) {
  auto graph = parse_graph(context_, R"(
graph(%x : f32[2, 2], %u) {
  graph @part(%a : f32[2, 2][?]) {
    %n = aten.clone.default(%a, memory_format=torch.contiguous_format)
    return [%a]
  }
  %t : f32[2, 2][?] = aten.t.default(%x)
  %typed = higher_order.wrap(@part, %t)
  %untyped = higher_order.wrap(@part, %u)
  return (%typed, %untyped)
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  TypeUpdater types(**graph);
  types.mark(*(*graph)->find_node("t"));
  types.update();
  EXPECT_EQ(to_string((*graph)->subgraph(0).find_node("a")->type()), "f32[2, 2][?]");
  EXPECT_EQ(to_string((*graph)->find_node("typed")->type()), "(f32[2, 2][1, 2],)");
  EXPECT_EQ(to_string((*graph)->find_node("untyped")->type()), "(f32[2, 2][?],)");
}

// The graph of a module is a nested graph, too; propagation types a copy of it.
TEST_F(TypeUpdaterTest, KeepsTheRecordedTypesOfModuleGraphs) {
  auto part = parse_graph(context_, R"(
graph(%a : f32[2, 2][?]) {
  %n = aten.clone.default(%a, memory_format=torch.contiguous_format)
  return [%a]
})");
  ASSERT_TRUE(part.ok()) << part.status();
  auto graph = parse_graph(context_, R"(
graph(%x : f32[2, 2], %u) {
  graph @shared(%a) {
    return [%a]
  }
  %part = get_attr part
  %t : f32[2, 2][?] = aten.t.default(%x)
  %typed = higher_order.wrap(%part, %t)
  %untyped = higher_order.wrap(%part, %u)
  %item = operator.getitem(%typed, 0)
  %first = higher_order.wrap(@shared, %x)
  %second = higher_order.wrap(@shared, %item)
  return (%typed, %untyped, %first, %second)
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<std::pair<std::string_view, Attribute>> members;
  auto nested = GraphModule::create(members, *std::move(part));
  ASSERT_TRUE(nested.ok()) << nested.status();
  members.emplace_back("part", Attribute::submodule(*std::move(nested)));
  auto module = GraphModule::create(members, *std::move(graph));
  ASSERT_TRUE(module.ok()) << module.status();
  Graph& root = (*module)->graph();
  TypeUpdater types(root);
  types.mark(*root.find_node("t"));
  types.update();  // types everything, because two calls run @shared
  EXPECT_EQ(to_string(root.find_node("typed")->type()), "(f32[2, 2][1, 2],)");
  EXPECT_EQ(to_string(root.find_node("untyped")->type()), "(f32[2, 2][?],)");
}

// The input of a nested graph loses its type with the operand; so does the input of an inner graph.
TEST_F(TypeUpdaterTest, ForgetsTheInputsOfInnerGraphs) {
  auto graph = parse_graph(context_, R"(
graph(%x : f32[2, 2], %y : f32[2, 2]) {
  graph @outer(%a) {
    graph @inner(%b) {
      %n = aten.neg.default(%b)
      return [%n]
    }
    %w = higher_order.wrap(@inner, %a)
    %i = operator.getitem(%w, 0)
    return [%i]
  }
  %m = aten.mm.default(%x, %y)
  %w = higher_order.wrap(@outer, %m)
  return %w
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  propagate_types(**graph);
  EXPECT_EQ(to_string((*graph)->find_node("w")->type()), "(f32[2, 2],)");
  TypeUpdater types(**graph);
  ASSERT_TRUE(types.set_input_type(*(*graph)->find_node("y"), type("f32[*]")).ok());
  types.update();
  ASSERT_TRUE(types.set_input_type(*(*graph)->find_node("y"), type("f32[7, 2]")).ok());
  types.update();
  Graph& outer = (*graph)->subgraph(0);
  EXPECT_FALSE((*graph)->find_node("m")->type());
  EXPECT_FALSE((*graph)->find_node("w")->type());
  EXPECT_FALSE(outer.find_node("a")->type());
  EXPECT_FALSE(outer.subgraph(0).find_node("b")->type());
  EXPECT_FALSE(outer.subgraph(0).find_node("n")->type());
}

TEST_F(TypeUpdaterTest, ErasedNodesAreIgnored) {
  Node* x = graph_.placeholder("x", {.type = type("f32[4]")});
  Node* out = graph_.output(x);
  TypeUpdater types(graph_);
  std::mt19937 random(3);
  std::vector<Node*> live;
  for (int round = 0; round < 200; ++round) {
    const auto guard = graph_.inserting_before(out);
    Node* input = live.empty() ? x : live[random() % live.size()];
    live.push_back(round % 3 == 0 ? call("aten.lt.Scalar", {input, round})
                                  : call("aten.exp.default", {input}));
    const size_t victim = random() % live.size();
    if (round % 2 == 1 && !live[victim]->has_uses()) {
      ASSERT_TRUE(graph_.erase_node(live[victim]).ok());
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
    }
    if (round % 5 == 0) {
      const ShapeReport report = types.update();
      EXPECT_TRUE(report.ok()) << report.str();
    }
  }
  types.update();
  EXPECT_GT(graph_.size(), 20u);
  expect_propagated_types();
}

TEST(ShapeSignatures, ThreadsInferTheSameTypes) {
  Context context;
  const auto parsed = parse_graph(context, R"(
graph(%x : f32[4, 8], %n : i64[4]) {
  %w : f32[8, 8] = get_attr w
  %mm = aten.mm.default(%x, %w)
  %relu = aten.relu.default(%mm)
  %sum = aten.sum.dim_IntList(%relu, [0])
  %pick = aten.index_select.default(%relu, 0, %n)
  return (%sum, %pick)
})");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const Graph& graph = **parsed;
  std::vector<Signature> signatures;
  for (int i = 1; i <= 40; ++i) {
    const std::string rows = std::to_string(i);
    signatures.push_back({*context.types().parse("f32[" + rows + ", 8]"),
                          *context.types().parse("i64[" + std::to_string(2 * i) + "]")});
  }
  signatures.push_back({*context.types().parse("f32[3, 9]")});  // invalid; n is unchanged
  signatures.push_back({});
  const auto results = shape_prop_each(graph, signatures, {.threads = 4});
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), signatures.size());
  const Node &sum = *graph.find_node("sum"), &pick = *graph.find_node("pick");
  for (int i = 1; i <= 40; ++i) {
    const SignatureTypes& result = (*results)[static_cast<size_t>(i - 1)];
    EXPECT_EQ(to_string(result.type(sum)), "f32[8]");
    EXPECT_EQ(to_string(result.type(pick)), "f32[" + std::to_string(2 * i) + ", 8]");
    EXPECT_EQ(shape_prop(graph, signatures[static_cast<size_t>(i - 1)])->types, result.types);
    EXPECT_GT(result.nanoseconds, 0);
  }
  const SignatureTypes& wrong = (*results)[40];
  ASSERT_EQ(wrong.report.findings.size(), 1u);
  EXPECT_EQ(wrong.report.findings[0].nodes[0], graph.find_node("mm"));
  EXPECT_FALSE(wrong.type(sum));
  EXPECT_EQ(to_string((*results)[41].type(pick)), "f32[4, 8]");
  EXPECT_FALSE(sum.type());  // the graph itself does not change
  const Signature three(3, Type());
  EXPECT_THAT(std::string(shape_prop(graph, three).status().message()),
              HasSubstr("3 types for 2 placeholders"));
}

TEST(ShapeSignatures, AttributesHaveTheTypesOfTheModulesTensors) {
  Context context;
  auto graph = parse_graph(context, R"(
graph(%x : f32[2, 3]) {
  %w = get_attr w
  %mm = aten.mm.default(%x, %w)
  return %mm
})");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto weight = Attribute::parameter(Tensor::declared(*context.types().parse("f32[3, 5]")));
  const auto module = GraphModule::create({{"w", weight}}, *std::move(graph));
  ASSERT_TRUE(module.ok()) << module.status();
  const auto result = shape_prop(**module, Signature{});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(to_string(result->type(*(*module)->graph().find_node("mm"))), "f32[2, 5]");
}

}  // namespace
}  // namespace fx
