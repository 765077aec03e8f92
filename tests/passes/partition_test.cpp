#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor_names.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/partition/partitioner.h"
#include "fx/passes/partition/split_module.h"
#include "fx/passes/partition/subgraph.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "gtest/gtest.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsOkAndHolds;
using testing::StatusIs;

/// Returns a hash of the graph's result as a tree of calls: equal for equal computations,
/// independent of order and names.
uint64_t value_of(const Graph& graph) {
  absl::flat_hash_map<const Node*, uint64_t> values;
  for (const Node& node : graph.nodes()) {
    const auto text = [&](const Argument& argument) {
      return print(map_nodes(
          argument, [&](Node* operand) -> Argument { return std::to_string(values.at(operand)); }));
    };
    std::string key = std::to_string(static_cast<int>(node.op())) + std::string(node.target());
    for (const Argument& arg : node.args()) key += "," + text(arg);
    for (const Kwarg& kwarg : node.kwargs())
      key += std::string(kwarg.key) + "=" + text(kwarg.value);
    values[&node] = absl::HashOf(key);
  }
  return graph.output_node() == nullptr ? 0 : values.at(graph.output_node());
}

class PartitionTest : public ::testing::Test {
 protected:
  void parse(const std::string& text) { graph_ = *parse_graph(context_, text); }
  Node* node(std::string_view name) { return graph_->find_node(name); }
  std::vector<Node*> nodes(std::initializer_list<std::string_view> names) {
    std::vector<Node*> list;
    for (const std::string_view name : names) list.push_back(node(name));
    return list;
  }
  std::string text_of(std::string_view module) {
    return print(root_.find_module(module)->as_graph_module()->graph());
  }
  static std::vector<std::string> names_of(const std::vector<Partition>& partitions) {
    std::vector<std::string> list;
    for (const Partition& partition : partitions) {
      std::string names;
      for (const Node* n : partition) names += (names.empty() ? "" : " ") + n->name();
      list.push_back(names);
    }
    return list;
  }

  Context context_;
  Module root_;
  std::unique_ptr<Graph> graph_;
};

// parity: P20
TEST_F(PartitionTest, SubgraphsHaveTheirInputsAndOutputs) {
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
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("occurs twice")));
}

// parity: P20
TEST_F(PartitionTest, PathsThatLeaveAndReturnAreRejected) {
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
TEST_F(PartitionTest, InlineReversesOutline) {
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
TEST_F(PartitionTest, InlinedModulesWithoutTensorsAreRemoved) {
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

// Nodes are outlined into a nested graph, which torch's operator or a custom one calls.
TEST_F(PartitionTest, OutliningIntoANestedGraph) {
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
                       HasSubstr("%w, a get_attr, cannot move into a nested graph")));
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
                       HasSubstr("%part has a nested graph, and cannot move")));

  graph_ = copy->clone();
  ASSERT_THAT(outline_nested(*graph_, nodes({"c", "d"}), "tail",
                             {.function = context_.function("my.fused")}),
              IsOk());
  EXPECT_THAT(print(*graph_), HasSubstr("%tail : f32[2] = my.fused(@tail, %b, %a)"));
}

// The outlined calls run at the position of the last one. They must not move past a call that
// writes to memory that they use, or that has effects that must stay in order.
TEST_F(PartitionTest, OutliningKeepsTheOrderOfEffects) {
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
                                             HasSubstr("%w cannot move to %e, the last of the "
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

// parity: E7 P39
TEST_F(PartitionTest, PathsAreAdjustedWhenCallsMoveBetweenModules) {
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
TEST_F(PartitionTest, ExtractedSubgraphsReturnLists) {
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

TEST_F(PartitionTest, ReducingKeepsOperandsOfOutputs) {
  parse(R"(graph(%x, %y) {
    %a = aten.relu.default(%x)
    %b = aten.add.Tensor(%a, %y)
    %c = aten.neg.default(%b)
    %d = aten.sin.default(%c)
    return %d
  })");
  ASSERT_THAT(reduce_to(*graph_, nodes({"b"}), nodes({"c"})), IsOk());
  EXPECT_EQ(graph_->size(), 3u);
  EXPECT_THAT(verify_status(*graph_), IsOk());
  EXPECT_EQ(graph_->find_node("c")->arg(0).node(), graph_->front());
}

// Without the write, the values would differ.
TEST_F(PartitionTest, ReducingKeepsWrites) {
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
  // A write before all remaining nodes is not kept, since its effect is part of the inputs.
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

// parity: P18
TEST_F(PartitionTest, SupportedCallsAreJoinedWithoutCycles) {
  parse(R"(graph(%x, %y) {
    %a = aten.relu.default(%x)
    %b = aten.neg.default(%a)
    %u = aten.sin.default(%b)
    %c = aten.relu.default(%u)
    %d = aten.neg.default(%c)
    %e = aten.relu.default(%y)
    return (%d, %e, %b)
  })");
  const std::vector<std::string> ops = {"aten.relu.default", "aten.neg.default"};
  const OperatorSupport support = supports_targets(ops);
  EXPECT_THAT(names_of(propose_partitions(*graph_, support)), ElementsAre("c d e", "a b"));
  EXPECT_THAT(names_of(propose_partitions(*graph_, support, {.only_connected = true})),
              ElementsAre("c d", "a b"));
  EXPECT_THAT(names_of(propose_partitions(*graph_, support,
                                          {.allow_single_node = true, .only_connected = true})),
              ElementsAre("e", "c d", "a b"));
  EXPECT_THAT(
      names_of(propose_partitions(*graph_, support, {.non_compute_ops = {"aten.neg.default"}})),
      ElementsAre("c d e"));
}

TEST_F(PartitionTest, CallsOfNestedGraphsAreNotJoined) {
  parse(R"(graph(%p, %x) {
    graph @yes(%a) {
      %b = aten.neg.default(%a)
      return (%b,)
    }
    %body = get_attr yes
    %r = aten.relu.default(%x)
    %n = aten.neg.default(%r)
    %c = higher_order.cond(%p, %body, %body, (%n,))
    return %c
  })");
  const std::vector<std::string> ops = {"aten.relu.default", "aten.neg.default",
                                        "higher_order.cond"};
  EXPECT_THAT(names_of(propose_partitions(*graph_, supports_targets(ops))), ElementsAre("r n"));
}

// parity: P18 P19
TEST_F(PartitionTest, GetitemsAreInThePartitionOfTheirOperand) {
  parse(R"(graph(%x) {
    %s = aten.split.Tensor(%x, 2)
    %g = operator.getitem(%s, 0)
    %h = operator.getitem(%s, 1)
    %a = aten.relu.default(%g)
    %m = aten.mul.Tensor(%a, %h)
    return %m
  })");
  const std::vector<std::string> with = {"aten.split.Tensor", "aten.relu.default"};
  EXPECT_THAT(
      names_of(propose_partitions(*graph_, supports_targets(with), {.allow_single_node = true})),
      ElementsAre("s g h a"));
  const std::vector<std::string> without = {"operator.getitem", "aten.relu.default",
                                            "aten.mul.Tensor"};
  std::vector<Partition> partitions = propose_partitions(*graph_, supports_targets(without));
  EXPECT_THAT(names_of(partitions), ElementsAre("a m"));
  const std::vector<std::string> relu = {"aten.relu.default"};
  remove_bookends(partitions, relu);
  EXPECT_THAT(names_of(partitions), ElementsAre("m"));
}

// parity: P19
TEST_F(PartitionTest, FusedPartitionsBecomeModules) {
  parse(R"(graph(%x, %y) {
    %a = aten.relu.default(%x)
    %u = aten.sin.default(%y)
    %b = aten.neg.default(%a)
    %c = aten.add.Tensor(%b, %u)
    return (%c, %a)
  })");
  const uint64_t value = value_of(*graph_);
  const std::vector<std::string> ops = {"aten.relu.default", "aten.neg.default"};
  const auto partitions = propose_partitions(*graph_, supports_targets(ops));
  ASSERT_THAT(fuse_partitions(*graph_, root_, partitions), IsOk());
  EXPECT_EQ(print(*graph_), R"(graph(%x, %y) {
  %u = aten.sin.default(%y)
  %fused_0 = call_module fused_0(%x)
  %getitem = operator.getitem(%fused_0, 0)
  %getitem_1 = operator.getitem(%fused_0, 1)
  %c = aten.add.Tensor(%getitem_1, %u)
  return (%c, %getitem)
}
)");
  EXPECT_EQ(text_of("fused_0"), R"(graph(%x) {
  %a = aten.relu.default(%x)
  %b = aten.neg.default(%a)
  return (%a, %b)
}
)");
  ASSERT_THAT(inline_calls(*graph_, root_), IsOk());
  EXPECT_EQ(value_of(*graph_), value);
}

TEST_F(PartitionTest, OperandsAfterTheirUsersAreRejectedWithoutAChange) {
  parse(R"(graph(%x) {
    %neg = aten.neg.default(%x)
    %a = aten.add.Tensor(%neg, %x)
    %b = aten.add.Tensor(%a, %a)
    return %b
  })");
  ASSERT_THAT(node("neg")->move_after(*node("a")), IsOk());
  const std::string before = print(*graph_);
  const std::vector<Partition> all = {nodes({"a", "neg", "b"})};
  EXPECT_THAT(fuse_partitions(*graph_, root_, all).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%a uses %neg, which")));
  EXPECT_EQ(print(*graph_), before);
  EXPECT_FALSE(root_.has_attribute("fused_0"));
  // In separate partitions, the nodes can be ordered.
  const std::vector<Partition> separate = {nodes({"a", "b"}), nodes({"neg"})};
  ASSERT_THAT(fuse_partitions(*graph_, root_, separate), IsOk());
  EXPECT_TRUE(verify(*graph_).ok());
}

// parity: P19 P20
TEST_F(PartitionTest, PartitionsInACycleAreRejectedWithoutAChange) {
  parse(R"(graph(%x) {
    %a = aten.relu.default(%x)
    %b = aten.neg.default(%x)
    %c = aten.sin.default(%b)
    %d = aten.cos.default(%a)
    return (%c, %d)
  })");
  const std::string before = print(*graph_);
  const std::vector<Partition> crossed = {nodes({"a", "c"}), nodes({"b", "d"})};
  EXPECT_THAT(
      fuse_partitions(*graph_, root_, crossed).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("is in a cycle: a node outside it")));
  const std::vector<Partition> twice = {nodes({"a"}), nodes({"a", "b"})};
  EXPECT_THAT(fuse_partitions(*graph_, root_, twice).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%a is in two partitions")));
  EXPECT_EQ(print(*graph_), before);
}

// A write keeps its position. torch.fx would fuse %a and %b, which changes the result.
TEST_F(PartitionTest, EffectsKeepTheirOrder) {
  parse(R"(graph(%x) {
    %a = aten.sin.default(%x)
    %w = aten.add_.Tensor(%x, 1)
    %b = aten.sin.default(%x)
    return (%a, %b)
  })");
  const std::vector<std::string> ops = {"aten.sin.default"};
  EXPECT_THAT(
      names_of(propose_partitions(*graph_, supports_targets(ops), {.allow_single_node = true})),
      ElementsAre("b", "a"));
  const std::vector<Partition> both = {nodes({"a", "b"})};
  EXPECT_THAT(fuse_partitions(*graph_, root_, both).status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
}

// parity: P21 P22
TEST_F(PartitionTest, SupportPredicatesCombine) {
  parse(R"(graph(%x : f32[2], %i : i64[2], %u) {
    %a = aten.add.Tensor(%x, %x)
    %b = aten.add.Tensor(%x, %i)
    %c = aten.add.Tensor(%x, other=%i)
    %d = aten.add.Tensor(%u, 1)
    %m = call_module conv(%x)
    %n = call_method relu(%x)
    return %a
  })");
  ASSERT_THAT(root_.add_submodule("conv", std::make_shared<Module>("torch.nn.modules.conv.Conv2d")),
              IsOk());
  const std::vector<SupportedTarget> rows = {{.target = "aten.add.Tensor",
                                              .args = {std::vector{DType::kFloat32}, std::nullopt},
                                              .kwargs = {{"other", {DType::kFloat32}}}},
                                             {.target = "torch.nn.modules.conv.Conv2d"},
                                             {.target = "relu"}};
  const OperatorSupport support = supports_targets(rows, &root_);
  const auto supported = [&](const OperatorSupport& by) {
    std::string names;
    for (const Node& n : graph_->nodes()) names += by(n) ? n.name() + " " : "";
    return names;
  };
  EXPECT_EQ(supported(support), "x i u a b m n output ");
  EXPECT_EQ(supported(all_of({support, declines_input_dtype(DType::kInt64)})),
            "x i u a m n output ");
  const std::vector<std::string> names = {"a"};
  EXPECT_EQ(supported(all_of({support, declines_names(names)})), "x i u b m n output ");
  EXPECT_EQ(supported(any_of({support, supports_targets(names)})), "x i u a b m n output ");
  EXPECT_EQ(support_target(*node("m"), nullptr), "");
}

// On random graphs, proposed partitions can be fused, and inlining restores the graph.
TEST_F(PartitionTest, RandomGraphsPartitionAndInline) {
  int partitions_made = 0, connected_made = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    for (const bool connected : {false, true}) {
      graph_ = testing::random_graph(
          context_, seed,
          {.max_nodes = 40, .max_argument_depth = 1, .max_graph_depth = 0, .odd_names = false});
      if (!verify(*graph_, {.warnings = false}).ok()) continue;
      testing::Random random(seed);
      std::vector<char> chosen;
      for (uint32_t i = 0; i < graph_->id_bound(); ++i) chosen.push_back(random.chance(60));
      const OperatorSupport support = [&](const Node& n) {
        return chosen[n.id()] != 0 && n.op() == Opcode::kCallFunction;
      };
      const uint64_t value = value_of(*graph_);
      const auto partitions = propose_partitions(
          *graph_, support, {.allow_single_node = true, .only_connected = connected});
      const std::unique_ptr<Graph> copy = graph_->clone();
      Module root, other_root;
      ASSERT_THAT(fuse_partitions(*graph_, root, partitions), IsOk()) << seed;
      ASSERT_THAT(verify_status(*graph_, {.warnings = false}), IsOk()) << seed;
      // Runs both steps in one call.
      const absl::StatusOr<FusedCalls> fused = partition_and_fuse(
          *copy, other_root, support, {.allow_single_node = true, .only_connected = connected});
      ASSERT_THAT(fused, IsOk()) << seed;
      ASSERT_EQ(print(*copy), print(*graph_)) << seed;
      ASSERT_EQ(fused->calls.size(), partitions.size()) << seed;
      size_t num_moved = 0;
      for (const Partition& partition : partitions) num_moved += partition.size();
      ASSERT_EQ(fused->num_moved, num_moved) << seed;
      for (const Node& n : graph_->nodes())
        EXPECT_FALSE(n.id() < chosen.size() && support(n) &&
                     !n.is(context_.function("operator.getitem")))
            << seed;
      ASSERT_THAT(inline_calls(*graph_, root), IsOk()) << seed;
      ASSERT_THAT(verify_status(*graph_, {.warnings = false}), IsOk()) << seed;
      EXPECT_EQ(value_of(*graph_), value) << seed;
      (connected ? connected_made : partitions_made) += static_cast<int>(partitions.size());
    }
  }
  EXPECT_GT(partitions_made, 50);
  EXPECT_GT(connected_made, partitions_made);
}

// Nodes that are out of order, far apart, or after the output are moved as fuse_partitions moves
// them.
TEST_F(PartitionTest, PartitionAndFuseMovesNodesIfNecessary) {
  const std::vector<std::string> ops = {"aten.relu.default", "aten.neg.default"};
  const OperatorSupport support = supports_targets(ops);
  for (int change = 0; change < 4; ++change) {
    parse(R"(graph(%x) {
      %a = aten.relu.default(%x)
      %b = aten.neg.default(%a)
      %c = user.function(%b)
      %d = aten.relu.default(%c)
      %e = aten.neg.default(%d)
      return %e
    })");
    const auto find = [&](std::string_view name) { return graph_->find_node(name); };
    if (change == 1) {
      ASSERT_THAT(find("b")->move_after(*find("c")), IsOk());
    }
    if (change == 2) {
      ASSERT_THAT(find("output")->move_before(*find("b")), IsOk());
    }
    if (change == 3) {
      ASSERT_THAT(find("x")->move_after(*find("d")), IsOk());
    }
    const std::unique_ptr<Graph> copy = graph_->clone();
    Module root, other_root;
    const auto expected = fuse_partitions(*graph_, root, propose_partitions(*graph_, support));
    const auto fused = partition_and_fuse(*copy, other_root, support);
    ASSERT_EQ(fused.status(), expected.status()) << change;
    EXPECT_EQ(print(*copy), print(*graph_)) << change;
    if (!fused.ok()) {  // if nodes are out of order, partitions may form a cycle
      EXPECT_EQ(change, 1) << fused.status();
      continue;
    }
    EXPECT_EQ(fused->calls.size(), 2u);
    EXPECT_EQ(fused->num_moved, 4u);
    ASSERT_THAT(verify_status(*copy, {.warnings = false}), IsOk()) << change << print(*copy);
  }
}

// ---------------------------------------------------------------- split_module

class SplitModuleTest : public PartitionTest {
 protected:
  static PartitionOf by_seq() {
    return [](const Node& n) { return n.meta().get(meta::kSeq).value_or(0); };
  }
};

// parity: P6
TEST_F(SplitModuleTest, ModulesAreNamedAndCalledAsInTorchFx) {
  parse(R"(graph(%x, %y = 2) {
    %w = get_attr layer.weight
    %a = torch.add(%x, %w) !{seq=1}
    %b = torch.relu(%a) !{seq=0}
    %c = call_module layer.fc(%b) !{seq=0}
    %d = torch.add(%c, %a, alpha=%y) !{seq=2}
    return (%d, %b)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("layer.weight", Attribute::parameter(weight)), IsOk());
  ASSERT_THAT(
      root_.add_submodule("layer.fc", std::make_shared<Module>("torch.nn.modules.linear.Linear")),
      IsOk());
  const std::string before = print(*graph_);
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x, %y = 2) {
  %layer_weight = get_attr layer.weight
  %submod_1 = call_module submod_1(%x, %layer_weight)
  %submod_0 = call_module submod_0(%submod_1)
  %getitem = operator.getitem(%submod_0, 0)
  %getitem_1 = operator.getitem(%submod_0, 1)
  %submod_2 = call_module submod_2(%getitem, %submod_1, %y)
  return (%submod_2, %getitem_1)
}
)");
  EXPECT_EQ(print(*graph_), before);  // the pass adds no metadata
  EXPECT_THAT(split.partitions, ElementsAre("submod_1", "submod_0", "submod_2"));
  EXPECT_EQ(split.paths.at("submod_0.layer.fc"), "layer.fc");
  EXPECT_THAT(verify_status(split.module->graph()), IsOk());
  const GraphModule* inner = split.module->find_module("submod_0")->as_graph_module();
  EXPECT_EQ(inner->graph().find_nodes(Opcode::kCallModule).front()->target(), "layer.fc");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult flat,
                          split_module(*graph_, root_, by_seq(),
                                       {.keep_original_order = true,
                                        .keep_original_node_name = true,
                                        .keep_original_input_name = false,
                                        .partition_affix = "pp",
                                        .tuple_return = true,
                                        .flatten_paths = true}));
  EXPECT_THAT(flat.partitions, ElementsAre("submod_pp_1", "submod_pp_0", "submod_pp_2"));
  EXPECT_EQ(
      print(flat.module->find_module("submod_pp_0")->as_graph_module()->graph(), {.meta = false}),
      R"(graph(%arg_0) {
  %b = torch.relu(%arg_0)
  %c = call_module layer_fc(%b)
  return (%c, %b)
}
)");
}

// Nested graphs move with the calls that use them; each part has a copy.
// parity: P6
TEST_F(SplitModuleTest, NestedGraphsMoveWithTheirCalls) {
  parse(R"(graph(%p, %x) {
    graph @neg(%y) {
      %w = get_attr w
      %n = torch.add(%y, %w)
      return %n
    }
    %neg = get_attr neg
    %a = higher_order.cond(%p, %neg, %neg, [%x]) !{seq=0}
    %b = my.call(@neg, %a) !{seq=1}
    %c = higher_order.cond(%p, %neg, %neg, [%b]) !{seq=1}
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("neg.w", Attribute::parameter(weight)), IsOk());
  for (const bool flatten_paths : {false, true}) {
    FX_ASSERT_OK_AND_ASSIGN(
        const SplitModuleResult split,
        split_module(
            *graph_, root_, by_seq(),
            {.keep_original_order = true, .tuple_return = true, .flatten_paths = flatten_paths}));
    EXPECT_EQ(print(split.module->graph()), R"(graph(%p, %x) {
  %submod_0 = call_module submod_0(%p, %x)
  %getitem = operator.getitem(%submod_0, 0)
  %submod_1 = call_module submod_1(%getitem, %p)
  %getitem_1 = operator.getitem(%submod_1, 0)
  return %getitem_1
}
)");
    const GraphModule* inner = split.module->find_module("submod_1")->as_graph_module();
    EXPECT_EQ(print(inner->graph(), {.meta = false}), R"(graph(%a, %p) {
  graph @neg(%y) {
    %w = get_attr w
    %n = torch.add(%y, %w)
    return %n
  }
  %neg = get_attr neg
  %call = my.call(@neg, %a)
  %cond = higher_order.cond(%p, %neg, %neg, [%call])
  return (%cond,)
}
)");
    EXPECT_TRUE(inner->has_attribute("neg.w"));
    EXPECT_THAT(verify_status(inner->graph()), IsOk());
    EXPECT_THAT(verify_status(split.module->graph()), IsOk());
  }
}

// parity: P6
TEST_F(SplitModuleTest, CyclesIncludingEffectsAreRejected) {
  parse(R"(graph(%x) {
    %a = torch.relu(%x) !{seq=0}
    %b = torch.neg(%a) !{seq=1}
    %c = torch.add(%a, %b) !{seq=0}
    return %c
  })");
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in a cycle: 0, 1")));
  parse(R"(graph(%x) {
    %a = aten.sin.default(%x) !{seq=1}
    %b = aten.add_.Tensor(%x, 1) !{seq=0}
    %c = aten.cos.default(%x) !{seq=1}
    return (%a, %c)
  })");
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("in a cycle: 1, 0")));
}

TEST_F(SplitModuleTest, AMissingMemberIsAnErrorForANewModule) {
  parse(R"(graph(%x) {
    %w = get_attr missing.w
    %a = torch.add(%x, %w) !{seq=0}
    %b = torch.add(%a, %w) !{seq=1}
    return %b
  })");
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("%missing_w: the module does not have a member \"missing.w\"")));
  ASSERT_THAT(split_module_in_place(*graph_, root_, by_seq()), IsOkAndHolds(true));
  EXPECT_TRUE(verify(*graph_).ok());
  EXPECT_EQ(node("missing_w")->num_uses(), 2u);
}

TEST_F(SplitModuleTest, AnOperandAfterItsUserIsAnError) {
  parse(R"(graph(%x) {
    %a = torch.relu(%x) !{seq=0}
    %b = torch.neg(%a) !{seq=0}
    return %b
  })");
  ASSERT_THAT(node("a")->move_after(*node("b")), IsOk());
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%b uses %a, which does")));
  node("a")->meta().set(meta::kSeq, 1);
  EXPECT_THAT(split_module(*graph_, root_, by_seq()).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%b uses %a, which does")));
}

TEST_F(SplitModuleTest, AutocastsAreRepeated) {
  parse(R"(graph(%x) {
    %on = torch.amp.autocast_mode._enter_autocast("cpu") !{seq=0}
    %a = torch.sin(%x) !{seq=0}
    %b = torch.cos(%a) !{seq=1}
    %off = torch.amp.autocast_mode._exit_autocast(%on) !{seq=1}
    %c = torch.sin(%b) !{seq=1}
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  for (const std::string_view part : {"submod_0", "submod_1"}) {
    const std::string text = print(split.module->find_module(part)->as_graph_module()->graph());
    EXPECT_THAT(text, AllOf(HasSubstr("autocast_mode._enter_autocast(\"cpu\")"),
                            HasSubstr("autocast_mode._exit_autocast(%")));
  }
}

// A call_module with the name of an autocast function is an ordinary call.
TEST_F(SplitModuleTest, OnlyFunctionsBeginAutocasts) {
  ASSERT_THAT(root_.add_submodule("own._enter_autocast", std::make_shared<Module>()), IsOk());
  parse(R"(graph(%x) {
    %a = torch.sin(%x) !{seq=0}
    %m = call_module own._enter_autocast(%a) !{seq=1}
    return %m
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  EXPECT_THAT(split.partitions, ElementsAre("submod_0", "submod_1"));
}

TEST_F(SplitModuleTest, PartsMayAlternate) {
  parse(R"(graph(%x) {
    %a = torch.sin(%x) !{seq=0}
    %m = torch.neg(%a) !{seq=1}
    %b = torch.cos(%a) !{seq=0}
    %c = torch.add(%b, %m) !{seq=1}
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  const auto text = [&](std::string_view part) {
    return print(split.module->find_module(part)->as_graph_module()->graph(), {.meta = false});
  };
  EXPECT_EQ(text("submod_0"), R"(graph(%x) {
  %sin = torch.sin(%x)
  %cos = torch.cos(%sin)
  return (%sin, %cos)
}
)");
  EXPECT_EQ(text("submod_1"), R"(graph(%a, %b) {
  %neg = torch.neg(%a)
  %add = torch.add(%b, %neg)
  return %add
}
)");
}

// parity: P6
TEST_F(SplitModuleTest, GradientTogglesAreRepeated) {
  parse(R"(graph(%x) {
    %a = torch.relu(%x) !{seq=0}
    %off = torch._C._set_grad_enabled(False) !{seq=0}
    %b = torch.neg(%a) !{seq=0}
    %c = torch.sin(%b) !{seq=1}
    %on = torch._C._set_grad_enabled(True) !{seq=1}
    %d = torch.cos(%c) !{seq=2}
    return %d
  })");
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_module(*graph_, root_, by_seq()));
  const auto text = [&](std::string_view name) {
    return print(split.module->find_module(name)->as_graph_module()->graph(), {.meta = false});
  };
  EXPECT_EQ(text("submod_1"), R"(graph(%b) {
  %_set_grad_enabled = torch._C._set_grad_enabled(False)
  %sin = torch.sin(%b)
  %_set_grad_enabled_1 = torch._C._set_grad_enabled(True)
  return %sin
}
)");
  EXPECT_THAT(text("submod_2"), HasSubstr("torch._C._set_grad_enabled(True)\n  %cos"));
  node("d")->meta().set(meta::kSeq, 0);
  EXPECT_THAT(
      split_module(*graph_, root_, by_seq()).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("%d has a smaller partition id")));
}

// parity: P8
TEST_F(SplitModuleTest, EachTagIsOneModule) {
  parse(R"(graph(%x, %y) {
    %w = get_attr w
    %a = torch.mul(%x, %w) !{region="ro"}
    %b = torch.relu(%y) !{region="main"}
    %c = torch.add(%a, %b) !{region="main"}
    return (%c, %a)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("w", Attribute::parameter(weight)), IsOk());
  const TagOf tag = [](const Node& n) {
    return std::string(n.meta().get(meta::kRegion).value_or(""));
  };
  const std::vector<std::string> tags = {"ro", "main", "none"};
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split, split_by_tags(*graph_, root_, tags, tag));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x, %y) {
  %ro = call_module ro(%x)
  %main = call_module main(%y, %ro)
  %none = call_module none()
  return (%main, %ro)
}
)");
  EXPECT_TRUE(split.module->find_tensor("ro.w").is_same(weight));
  EXPECT_EQ(split.paths.at("ro.w"), "w");
  const std::vector<std::string> late = {"main", "ro"};
  EXPECT_THAT(split_by_tags(*graph_, root_, late, tag).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("%c has the tag \"main\" and uses %a of the later tag \"ro\"")));
  const std::vector<std::string> few = {"ro"};
  EXPECT_THAT(
      split_by_tags(*graph_, root_, few, tag).status(),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"main\", which is not listed")));
}

// parity: P8
TEST_F(SplitModuleTest, TagsMayAlternate) {
  parse(R"(graph(%x, %y = None) {
    %v = get_attr layer.w
    %a = torch.mul(%x, %v) !{region="one"}
    %b = torch.relu(%x) !{region="two"}
    %c = torch.add(%a, %y) !{region="one"}
    %d = torch.add(%b, %x) !{region="two"}
    %e = torch.add(%a, %v) !{region="two"}
    return (%d, %a, %v, %c, %e)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({2}, {1, 2}));
  ASSERT_THAT(root_.assign("layer.w", Attribute::parameter(weight)), IsOk());
  const TagOf tag = [](const Node& n) {
    return std::string(n.meta().get(meta::kRegion).value_or(""));
  };
  const std::vector<std::string> tags = {"one", "two"};
  FX_ASSERT_OK_AND_ASSIGN(const SplitModuleResult split,
                          split_by_tags(*graph_, root_, tags, tag, {.return_tuple = true}));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x, %y = None) {
  %layer_w = get_attr layer.w
  %one = call_module one(%x, %y)
  %getitem = operator.getitem(%one, 0)
  %getitem_1 = operator.getitem(%one, 1)
  %two = call_module two(%x, %getitem)
  %getitem_2 = operator.getitem(%two, 0)
  %getitem_3 = operator.getitem(%two, 1)
  return (%getitem_2, %getitem, %layer_w, %getitem_1, %getitem_3)
}
)");
  const auto text = [&](std::string_view module) {
    return print(split.module->find_module(module)->as_graph_module()->graph());
  };
  // Operands of a part precede their first use. Members are named by their paths, as in torch.fx.
  EXPECT_EQ(text("one"), R"(graph(%x) {
  %layer_w = get_attr layer.w
  %a = torch.mul(%x, %layer_w) !{region="one"}
  %y = placeholder
  %c = torch.add(%a, %y) !{region="one"}
  return (%a, %c)
}
)");
  EXPECT_THAT(text("two"), HasSubstr("return (%d, %e)"));
  EXPECT_TRUE(split.module->find_tensor("one.layer.w").is_same(weight));
  EXPECT_TRUE(split.module->find_tensor("two.layer.w").is_same(weight));
  EXPECT_TRUE(split.module->find_tensor("layer.w").is_same(weight));
  EXPECT_EQ(split.paths.size(), 2u);
}

TEST_F(SplitModuleTest, TagsKeepTheOrderOfEffectsAndUses) {
  parse(R"(graph(%x) {
    %a = aten.add_.Tensor(%x, 1) !{region="two"}
    %b = aten.mul.Tensor(%x, 2) !{region="one"}
    return (%a, %b)
  })");
  const TagOf tag = [](const Node& n) {
    return std::string(n.meta().get(meta::kRegion).value_or("one"));
  };
  const std::vector<std::string> tags = {"one", "two"};
  EXPECT_THAT(
      split_by_tags(*graph_, root_, tags, tag).status(),
      StatusIs(absl::StatusCode::kInvalidArgument,
               HasSubstr("%b must not run before %a because of its effects, but its tag \"one\" "
                         "comes before \"two\"")));
  const std::vector<std::string> twice = {"one", "two", "one"};
  EXPECT_THAT(split_by_tags(*graph_, root_, twice, tag).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"one\" occurs twice")));
  parse(R"(graph(%x) {
    %a = aten.mul.Tensor(%x, 1)
    %b = aten.mul.Tensor(%a, 2)
    return %b
  })");
  ASSERT_THAT(node("b")->move_before(*node("a")), IsOk());
  EXPECT_THAT(split_by_tags(*graph_, root_, tags, tag).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("%b uses %a, which does not come before it: sort the graph")));
}

}  // namespace
}  // namespace fx
