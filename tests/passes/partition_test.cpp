#include "fx/ir/verify/verifier.h"
#include "fx/passes/partition/partitioner.h"
#include "fx/passes/partition/subgraph.h"
#include "tests/passes/partition_fixture.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "gtest/gtest.h"

#include <functional>
#include <string>
#include <vector>

namespace fx::partition_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;
using testing::value_of;

using PartitionTest = testing::PartitionFixture;

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
  int num_partitions = 0, num_connected = 0;
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
      (connected ? num_connected : num_partitions) += static_cast<int>(partitions.size());
    }
  }
  EXPECT_GT(num_partitions, 50);
  EXPECT_GT(num_connected, num_partitions);
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

}  // namespace
}  // namespace fx::partition_test
