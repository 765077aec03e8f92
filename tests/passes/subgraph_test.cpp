#include "fx/passes/partition/subgraph.h"

#include "fx/ir/module/tensor_names.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/passes/partition_fixture.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace fx::subgraph_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsOkAndHolds;
using testing::StatusIs;
using testing::value_of;

using SubgraphTest = testing::PartitionFixture;

// parity: P20
TEST_F(SubgraphTest, SubgraphsHaveTheirInputsAndOutputs) {
  parse(R"(graph(%x : f32[2], %y) {
    %a : f32[2] = aten.relu.default(%x) !{seq=3}
    %b = aten.add.Tensor(%a, %y, alpha=2)
    %c = aten.neg.default(%a)
    return (%b, %c)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Subgraph sub, copy_subgraph(*graph_, nodes({"a", "b"})));
  EXPECT_EQ(print(*sub.graph), R"(graph(%x : f32[2], %y) {
  %a : f32[2] = aten.relu.default(%x) !{seq=3}
  %b = aten.add.Tensor(%a, %y, alpha=2)
  return (%a, %b)
}
)");
  EXPECT_THAT(sub.inputs, ElementsAre(node("x"), node("y")));
  EXPECT_THAT(sub.outputs, ElementsAre(node("a"), node("b")));
  const Graph other(context_);
  EXPECT_THAT(copy_subgraph(other, nodes({"a"})).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(copy_subgraph(*graph_, nodes({"x"})).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%x, a placeholder")));
  EXPECT_THAT(copy_subgraph(*graph_, nodes({"a", "a"})).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("listed twice")));
}

// parity: P20
TEST_F(SubgraphTest, PathsThatLeaveAndReturnAreRejected) {
  parse(R"(graph(%x) {
    %a = aten.relu.default(%x)
    %b = aten.neg.default(%a)
    %c = aten.add.Tensor(%a, %b)
    return %c
  })");
  EXPECT_TRUE(is_convex(nodes({"a", "b"})));
  EXPECT_TRUE(is_convex(nodes({"b", "c"})));
  EXPECT_FALSE(is_convex(nodes({"a", "c"})));
  EXPECT_THAT(outline(*graph_, root_, nodes({"a", "c"}), "f").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("cannot run as a unit")));
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<Node*> sorted, sort_nodes(nodes({"c", "b", "a"})));
  EXPECT_THAT(sorted, ElementsAre(node("a"), node("b"), node("c")));
}

// parity: P20 P39 E7
TEST_F(SubgraphTest, InlineReversesOutline) {
  parse(R"(graph(%x, %y) {
    %a = aten.relu.default(%x)
    %b = aten.add.Tensor(%a, %y)
    %c = aten.neg.default(%b)
    return (%a, %c)
  })");
  const uint64_t value = value_of(*graph_);
  ASSERT_THAT(outline(*graph_, root_, nodes({"a", "b"}), "part"), IsOk());
  EXPECT_EQ(print(*graph_), R"(graph(%x, %y) {
  %part = call_module part(%x, %y)
  %getitem = operator.getitem(%part, 0)
  %getitem_1 = operator.getitem(%part, 1)
  %c = aten.neg.default(%getitem_1)
  return (%getitem, %c)
}
)");
  EXPECT_THAT(outline(*graph_, root_, nodes({"c"}), "part").status(),
              StatusIs(absl::StatusCode::kAlreadyExists));
  ASSERT_THAT(inline_call(*graph_, root_, node("part")), IsOk());
  EXPECT_EQ(graph_->size(), 6u);
  EXPECT_EQ(value_of(*graph_), value);
  EXPECT_THAT(inline_call(*graph_, root_, node("c")), StatusIs(absl::StatusCode::kInvalidArgument));
}

// If all calls of a module are inlined, it is removed, unless it has a tensor.
TEST_F(SubgraphTest, InlinedModulesWithoutTensorsAreRemoved) {
  parse(R"(graph(%x) {
    %w = get_attr layer.weight
    %a = aten.relu.default(%x)
    %b = aten.mul.Tensor(%a, %w)
    %c = aten.neg.default(%b)
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("layer.weight", Attribute::parameter(weight)), IsOk());
  const TensorNames before(root_);
  ASSERT_THAT(outline(*graph_, root_, nodes({"a"}), "parts.first"), IsOk());
  ASSERT_THAT(outline(*graph_, root_, nodes({"w", "b"}), "second"), IsOk());
  ASSERT_THAT(root_.delete_attribute("layer.weight"), IsOk());
  using Names = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(before.renamed_in(root_), (Names{{"second.layer.weight", "layer.weight"}}));
  ASSERT_THAT(inline_calls(*graph_, root_), testing::IsOkAndHolds(true));
  EXPECT_EQ(root_.find_module("parts"), nullptr);
  EXPECT_TRUE(root_.find_tensor("second.layer.weight").is_same(weight));
}

// Nodes are outlined into a nested graph, which is called by torch's operator or a custom one.
TEST_F(SubgraphTest, OutliningIntoANestedGraph) {
  parse(R"(graph(%x : f32[2], %y : f32[2]) {
    %w = get_attr w
    %a : f32[2] = aten.relu.default(%x)
    %b : f32[2] = aten.add.Tensor(%a, %y)
    %c : f32[2] = aten.neg.default(%b)
    %d : f32[2] = aten.mul.Tensor(%c, %a)
    return (%d, %w)
  })");
  const auto copy = graph_->clone();
  EXPECT_THAT(outline_nested(*graph_, nodes({"w", "a"}), "part").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("%w, a get_attr, cannot be moved into a nested graph")));
  ASSERT_THAT(outline_nested(*graph_, nodes({"a", "b"}), "part"), IsOk());
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[2], %y : f32[2]) {
  graph @part(%x : f32[2], %y : f32[2]) {
    %a : f32[2] = aten.relu.default(%x)
    %b : f32[2] = aten.add.Tensor(%a, %y)
    return (%a, %b)
  }
  %w = get_attr w
  %part : (f32[2], f32[2]) = higher_order.invoke_subgraph(@part, "part", %x, %y)
  %getitem : f32[2] = operator.getitem(%part, 0)
  %getitem_1 : f32[2] = operator.getitem(%part, 1)
  %c : f32[2] = aten.neg.default(%getitem_1)
  %d : f32[2] = aten.mul.Tensor(%c, %getitem)
  return (%d, %w)
}
)");
  // Type functions read the nested graph.
  for (Node& node : graph_->nodes())
    if (node.is_call()) node.set_type(Type());
  const ShapeReport types = propagate_types(*graph_);
  EXPECT_TRUE(types.ok()) << types.str();
  EXPECT_EQ(to_string(node("d")->type()), "f32[2]");
  EXPECT_THAT(outline_nested(*graph_, nodes({"c"}), "part").status(),
              StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(outline_nested(*graph_, nodes({"part"}), "other").status(),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("%part has a nested graph, so it cannot be moved")));

  graph_ = copy->clone();
  ASSERT_THAT(outline_nested(*graph_, nodes({"c", "d"}), "tail",
                             {.function = context_.function("my.fused")}),
              IsOk());
  EXPECT_THAT(print(*graph_), HasSubstr("%tail : f32[2] = my.fused(@tail, %b, %a)"));
}

// The outlined calls run at the position of the last one. They must not move past a call that
// writes to memory that they use, or that has effects that must stay in order.
TEST_F(SubgraphTest, OutliningKeepsTheOrderOfEffects) {
  const std::string text = R"(graph(%x : f32[4]) {
    %a : f32[4] = aten.relu.default(%x)
    %y : f32[4] = aten.sin.default(%x)
    %own : f32[4] = aten.mul_.Tensor(%y, 2)
    %b : f32[4] = aten.sigmoid.default(%a)
    %w : f32[4] = aten.add_.Tensor(%b, 1)
    %c : f32[4] = aten.cos.default(%b)
    %r : f32[4] = aten.rand_like.default(%x)
    %d : f32[4] = aten.dropout.default(%c, 0.5, True)
    %e : f32[4] = aten.neg.default(%d)
    return (%e, %r, %y)
  })";
  const auto outlined = [&](std::initializer_list<std::string_view> names) {
    parse(text);
    return outline_nested(*graph_, nodes(names), "part").status();
  };
  EXPECT_THAT(outlined({"a", "b"}), IsOk())
      << "the write between them does not change their memory";
  EXPECT_THAT(outlined({"b", "w", "c"}), IsOk());
  EXPECT_THAT(outlined({"a", "d"}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(outlined({"w", "e"}), StatusIs(absl::StatusCode::kFailedPrecondition,
                                             HasSubstr("%w cannot be moved to %e, the last of the "
                                                       "nodes, because it must come before %c")));
  EXPECT_THAT(outlined({"b", "c"}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("must come before %w")));
  EXPECT_THAT(outlined({"r", "e"}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("must come before %d")));
  parse(text);
  EXPECT_THAT(outline(*graph_, root_, nodes({"b", "c"}), "part").status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("%w")));
  EXPECT_EQ(root_.find_module("part"), nullptr);
}

TEST_F(SubgraphTest, UsersBetweenTheOutlinedCallsMove) {
  const std::string text = R"(graph(%x : f32[4], %y : f32[4]) {
    %z : f32[4] = aten.exp.default(%y)
    %a : f32[4] = aten.relu.default(%x)
    %user : f32[4] = aten.add_.Tensor(%z, %a)
    %other : f32[4] = aten.cos.default(%x)
    %next : f32[4] = aten.exp.default(%user)
    %b : f32[4] = aten.sin.default(%x)
    %c : f32[4] = aten.neg.default(%z)
    return (%b, %next, %other, %c)
  })";
  parse(text);
  ASSERT_THAT(outline_nested(*graph_, nodes({"a", "b"}), "part", {.move_users = true}), IsOk());
  EXPECT_EQ(verify(*graph_).str(), "");
  EXPECT_THAT(print(*graph_), HasSubstr(R"(  %other : f32[4] = aten.cos.default(%x)
  %part : (f32[4], f32[4]) = higher_order.invoke_subgraph(@part, "part", %x)
  %getitem : f32[4] = operator.getitem(%part, 0)
  %getitem_1 : f32[4] = operator.getitem(%part, 1)
  %user : f32[4] = aten.add_.Tensor(%z, %getitem)
  %next : f32[4] = aten.exp.default(%user)
  %c : f32[4] = aten.neg.default(%z)
)"));
  // %c reads what %user writes, but does not use its result.
  parse(text);
  const auto copy = graph_->clone();
  EXPECT_THAT(outline_nested(*graph_, nodes({"a", "c"}), "part", {.move_users = true}).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("%user cannot be moved")));
  EXPECT_EQ(print(*graph_), print(*copy));
}

// parity: E7 P39
TEST_F(SubgraphTest, PathsAreAdjustedWhenCallsMoveBetweenModules) {
  parse(R"(graph(%x) {
    %w = get_attr layer.weight
    %a = aten.mul.Tensor(%x, %w)
    return %a
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("layer.weight", Attribute::parameter(weight)), IsOk());
  ASSERT_THAT(outline(*graph_, root_, nodes({"w", "a"}), "part"), IsOk());
  EXPECT_TRUE(root_.find_tensor("part.layer.weight").is_same(weight));
  ASSERT_THAT(inline_calls(*graph_, root_), testing::IsOkAndHolds(true));
  EXPECT_EQ(graph_->find_nodes(Opcode::kGetAttr).front()->target(), "part.layer.weight");
  EXPECT_THAT(inline_calls(*graph_, root_), testing::IsOkAndHolds(false));
}

// parity: E3
TEST_F(SubgraphTest, ExtractedSubgraphsReturnLists) {
  parse(R"(graph(%x, %y) {
    %a = aten.relu.default(%x)
    %b = aten.add.Tensor(%a, %y)
    %c = aten.neg.default(%b)
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const auto part, extract_subgraph(*graph_, nodes({"b", "c"}),
                                                            nodes({"a", "y"}), nodes({"c"})));
  EXPECT_EQ(print(*part), R"(graph(%a, %y) {
  %b = aten.add.Tensor(%a, %y)
  %c = aten.neg.default(%b)
  return [%c]
}
)");
  EXPECT_THAT(extract_subgraph(*graph_, nodes({"c"}), nodes({"a"}), nodes({"c"})).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%c uses %b")));
  EXPECT_THAT(extract_subgraph(*graph_, nodes({"b"}), nodes({"a", "y"}), nodes({"c"})).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("the output %c")));
}

// The extracted graph belongs to no module, so the effects of %b are unknown there.
TEST_F(SubgraphTest, CallsOfKnownModulesCanBeExtracted) {
  parse(R"(graph(%x, %y) {
    %a = aten.add.Tensor(%x, %y)
    %b = call_module fc(%a)
    return %b
  })");
  ASSERT_THAT(root_.add_submodule("fc", std::make_shared<Module>("torch.nn.modules.linear.Linear")),
              IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const auto owner, GraphModule::create(root_, std::move(graph_)));
  Graph& graph = owner->graph();
  const auto find = [&](std::string_view name) { return graph.find_node(name); };
  const std::vector<Node*> calls = {find("a"), find("b")}, inputs = {find("x"), find("y")},
                           outputs = {find("b")};
  FX_ASSERT_OK_AND_ASSIGN(const auto part, extract_subgraph(graph, calls, inputs, outputs));
  EXPECT_EQ(print(*part), R"(graph(%x, %y) {
  %a = aten.add.Tensor(%x, %y)
  %b = call_module fc(%a)
  return [%b]
}
)");
}

TEST_F(SubgraphTest, ReducingKeepsOperandsOfOutputs) {
  parse(R"(graph(%x, %y) {
    %a = aten.relu.default(%x)
    %b = aten.add.Tensor(%a, %y)
    %c = aten.neg.default(%b)
    %d = aten.sin.default(%c)
    return %d
  })");
  EXPECT_THAT(reduce_to(*graph_, nodes({"b"}), nodes({"c"})), IsOkAndHolds(true));
  EXPECT_EQ(graph_->size(), 3u);
  EXPECT_THAT(verify_status(*graph_), IsOk());
  EXPECT_EQ(graph_->find_node("c")->arg(0).node(), graph_->front());
  const std::string before = print(*graph_);
  EXPECT_THAT(reduce_to(*graph_, nodes({"b"}), nodes({"c"})), IsOkAndHolds(false));
  EXPECT_EQ(print(*graph_), before);
}

TEST_F(SubgraphTest, ReducingReturnsWhetherInputsOrResultsChanged) {
  const char* const text = R"(graph(%x, %y) {
    %a = aten.add.Tensor(%x, %y)
    %b = aten.neg.default(%a)
    return %a
  })";
  parse(text);  // b is erased
  EXPECT_THAT(reduce_to(*graph_, nodes({"x", "y"}), nodes({"a"})), IsOkAndHolds(true));
  EXPECT_THAT(reduce_to(*graph_, nodes({"x", "y"}), nodes({"a"})), IsOkAndHolds(false));
  EXPECT_THAT(reduce_to(*graph_, nodes({"y", "x"}), nodes({"a"})), IsOkAndHolds(true));
  EXPECT_EQ(graph_->front()->name(), "y");
  parse(text);  // b is the result
  EXPECT_THAT(reduce_to(*graph_, nodes({"x", "y"}), nodes({"b"})), IsOkAndHolds(true));
  EXPECT_THAT(reduce_to(*graph_, nodes({"x", "y"}), nodes({"b"})), IsOkAndHolds(false));
}

// Without the write, the values would differ.
TEST_F(SubgraphTest, ReducingKeepsWrites) {
  const char* const text = R"(graph(%x, %y) {
    %early = aten.neg_.default(%y)
    %a = aten.relu.default(%x)
    %write = aten.add_.Tensor(%a, 1)
    %b = aten.sin.default(%a)
    return %b
  })";
  parse(text);
  const std::string before = print(*graph_);
  EXPECT_THAT(reduce_to(*graph_, nodes({"x"}), nodes({"b"})),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("%write"), HasSubstr("functionalize"))));
  EXPECT_EQ(print(*graph_), before);
  // A write before all remaining nodes is not kept, because the inputs already reflect it.
  ASSERT_THAT(reduce_to(*graph_, nodes({"x"}), nodes({"write"})), IsOk());
  EXPECT_EQ(graph_->size(), 4u);
  // The write is kept if the part uses the written tensor, here through a view.
  parse(R"(graph(%x, %y) {
    %view = aten.select.int(%y, 0, 0)
    %early = aten.neg_.default(%view)
    %h = aten.relu.default(%x)
    %late = aten.neg_.default(%h)
    %a = aten.add.Tensor(%h, %y)
    return %a
  })");
  EXPECT_THAT(reduce_to(*graph_, nodes({"h", "y"}), nodes({"a"})),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("%early"), HasSubstr("functionalize"))));
  // The new input already includes the write.
  node("view")->replace_all_uses_with(node("x"));
  EXPECT_THAT(reduce_to(*graph_, nodes({"h", "y"}), nodes({"a"})), IsOk());
}

}  // namespace
}  // namespace fx::subgraph_test
