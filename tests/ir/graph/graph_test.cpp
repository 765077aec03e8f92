// Tests creating nodes, their order and iteration (parity section 1).
#include "fx/ir/graph/graph.h"

#include "fx/ir/graph/node_map.h"
#include "tests/ir/graph/graph_fixture.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace fx::graph_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// ---------------------------------------------------------------- building

// parity: G1 G8 G9 N1
TEST_F(GraphTest, BuildsEveryOpcode) {
  EXPECT_TRUE(graph_.empty());
  EXPECT_EQ(graph_.front(), nullptr);
  EXPECT_EQ(graph_.output_node(), nullptr);
  Node* x = graph_.placeholder("x");
  Node* w = graph_.get_attr("linear.weight");
  Node* f = graph_.call_function(add_, {x, w}, {{"alpha", 2}});
  Node* m = graph_.call_method("view", {f, -1});
  Node* c = graph_.call_module("net.0", {m});
  Node* out = graph_.output(Argument::tuple({c, f}));
  EXPECT_THAT(names(), ElementsAre("x", "linear_weight", "add", "view", "net_0", "output"));
  EXPECT_EQ(x->op(), Opcode::kPlaceholder);
  EXPECT_EQ(w->op(), Opcode::kGetAttr);
  EXPECT_EQ(w->target(), "linear.weight");
  EXPECT_EQ(f->function(), add_);
  EXPECT_EQ(f->target(), "operator.add");
  EXPECT_EQ(f->kwarg("alpha")->as_int(), 2);
  EXPECT_FALSE(f->kwarg("beta").has_value());
  EXPECT_EQ(m->target(), "view");
  EXPECT_FALSE(m->function());
  EXPECT_EQ(c->target(), "net.0");
  EXPECT_EQ(out->target(), "output");
  EXPECT_EQ(graph_.size(), 6u);
  EXPECT_EQ(graph_.back(), out);
  EXPECT_EQ(&x->graph(), &graph_);
}

// parity: G3 G7
TEST_F(GraphTest, CreateNodeRejectsInvalidInputAndReservesNoName) {
  Node* x = graph_.placeholder("x");
  Graph other(context_);
  Node* external = other.placeholder("external");
  auto bad = graph_.create_node(Opcode::kCallFunction, add_, {x, external});
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("external belongs to another graph"));
  bad = graph_.create_node(Opcode::kCallFunction, add_, {Argument::list({Argument(external)})});
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  bad = graph_.create_node(Opcode::kCallFunction, add_, {x}, {{"k", 1}, {"k", 2}});
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("duplicate keyword argument k"));
  EXPECT_FALSE(graph_.create_node(Opcode::kOutput, "output", {}).ok());
  EXPECT_FALSE(graph_.create_node(Opcode::kPlaceholder, "y", {1, 2}).ok());
  EXPECT_FALSE(graph_.create_node(Opcode::kCallMethod, add_, {x}).ok());
  EXPECT_EQ(graph_.size(), 1u);
  // torch.fx would have reserved "add" (G3).
  EXPECT_EQ(graph_.call_function(add_, {x, x})->name(), "add");
}

TEST_F(GraphTest, ErasedNodesCannotBeArguments) {
  Node* x = graph_.placeholder("x");
  ASSERT_TRUE(graph_.erase_node(x).ok());
  auto bad = graph_.create_node(Opcode::kCallFunction, relu_, {x});
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("an erased node"));
}

TEST_F(GraphTest, G4_PlaceholderDefaults) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y", Argument::none());
  EXPECT_EQ(x->num_args(), 0u);
  ASSERT_EQ(y->num_args(), 1u);
  EXPECT_TRUE(y->arg(0).is_none());  // a default of None differs from no default
}

// parity: G9 G10
TEST_F(GraphTest, OutputIsFoundAtAnyPosition) {
  Node* x = graph_.placeholder("x");
  Node* out = graph_.output(x);
  EXPECT_EQ(graph_.output_node(), out);
  relu(x);  // after the output
  EXPECT_EQ(graph_.output_node(), out);
  auto second = graph_.create_node(Opcode::kOutput, "output", {x});
  EXPECT_EQ(second.status().code(), absl::StatusCode::kFailedPrecondition);
  graph_.set_allow_several_outputs(true);
  ASSERT_TRUE(graph_.create_node(Opcode::kOutput, "output", {x}).ok());
  EXPECT_EQ(graph_.output_node(), out);
  ASSERT_TRUE(graph_.erase_node(out).ok());
  EXPECT_EQ(graph_.output_node()->name(), "output_1");
}

// ---------------------------------------------------------------- iteration and order

TEST_F(GraphTest, G2_IterationSurvivesEdits) {
  Node* a = graph_.placeholder("a");
  graph_.placeholder("b");
  graph_.placeholder("c");
  Node* d = graph_.placeholder("d");
  EXPECT_EQ(graph_.nodes().size(), 4u);
  std::vector<std::string> seen;
  for (Node& node : graph_.nodes()) {
    seen.push_back(node.name());
    if (&node == a) {
      Node* b = a->next();
      ASSERT_TRUE(graph_.erase_node(a).ok());  // the current node
      ASSERT_TRUE(graph_.erase_node(b).ok());  // the next node
      auto guard = graph_.inserting_before(d);
      graph_.placeholder("e");  // visited, although the memory of a and b is free
    }
  }
  EXPECT_THAT(seen, ElementsAre("a", "c", "e", "d"));
  seen.clear();
  for (Node& node : graph_.nodes().reversed()) seen.push_back(node.name());
  EXPECT_THAT(seen, ElementsAre("d", "e", "c"));
}

TEST_F(GraphTest, MemoryOfErasedNodesIsReused) {
  Node* x = graph_.placeholder("x");
  size_t before = graph_.memory_bytes();
  for (int i = 0; i < 100'000; ++i) {
    Node* node = graph_.call_function(add_, {x, Argument::list({x, i})});
    EXPECT_TRUE(graph_.erase_node(node).ok());
  }
  EXPECT_LT(graph_.memory_bytes(), before + 1'000'000);
  EXPECT_FALSE(x->has_uses());
}

TEST_F(GraphTest, IdsAreNeverReused) {
  NodeMap<int> facts(graph_, 7);
  Node* x = graph_.placeholder("x");
  facts[*x] = 1;
  uint32_t id = x->id();
  ASSERT_TRUE(graph_.erase_node(x).ok());
  Node* y = graph_.placeholder("y");
  EXPECT_NE(y->id(), id);
  EXPECT_EQ(facts[*y], 7);
}

TEST_F(GraphTest, MetadataOfManyNodesMovesAsItGrows) {
  NodeMap<std::array<int64_t, 8>> facts(graph_, {7});
  std::vector<Node*> nodes;
  for (int64_t i = 0; i < 100'000; ++i) {  // 6 MB: blocks of at least 2 MiB are mapped
    nodes.push_back(graph_.call_function(add_));
    if (i % 3 != 0) facts[*nodes.back()] = {i, 1, 2, 3, 4, 5, 6, -i};
  }
  for (int64_t i = 0; i < 100'000; ++i) {
    const std::array<int64_t, 8>& fact = facts[*nodes[static_cast<size_t>(i)]];
    ASSERT_EQ(fact[0], i % 3 != 0 ? i : 7);
    ASSERT_EQ(fact[7], i % 3 != 0 ? -i : 0);
  }
}

// parity: G15 G16
TEST_F(GraphTest, InsertPointsAdvance) {
  Node* x = graph_.placeholder("x");
  Node* out = graph_.output(x);
  {
    auto guard = graph_.inserting_before(out);
    relu(x);
    relu(x);
    {
      auto inner = graph_.inserting_after(x);
      graph_.call_method("first", {x});
      graph_.call_method("second", {x});
    }
    relu(x);  // restores the outer point
  }
  EXPECT_THAT(names(), ElementsAre("x", "first", "second", "relu", "relu_1", "relu_2", "output"));
  EXPECT_EQ(graph_.insert_point(), nullptr);
  graph_.set_insert_point_before(x);  // permanent
  graph_.placeholder("p");
  graph_.placeholder("q");
  EXPECT_EQ(graph_.front()->name(), "p");
  EXPECT_EQ(graph_.front()->next()->name(), "q");
  graph_.set_insert_point_before(nullptr);  // the start
  graph_.placeholder("r");
  EXPECT_EQ(graph_.front()->name(), "r");
  graph_.set_insert_point_after(nullptr);  // the end
  relu(x);
  EXPECT_EQ(graph_.back()->name(), "relu_3");
}

TEST_F(GraphTest, G16_TorchInsertOrderReverses) {
  graph_.set_torch_insert_order(true);
  Node* x = graph_.placeholder("x");
  auto guard = graph_.inserting_after(x);
  graph_.call_method("a", {x});
  graph_.call_method("b", {x});
  EXPECT_THAT(names(), ElementsAre("x", "b", "a"));
  graph_.set_insert_point_before(nullptr);
  graph_.placeholder("p");
  graph_.placeholder("q");
  EXPECT_THAT(names(), ElementsAre("q", "p", "x", "b", "a"));
}

TEST_F(GraphTest, InsertPointAdvancesWhenItsNodeIsErased) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* out = graph_.output(x);
  {
    auto guard = graph_.inserting_before(y);
    {
      auto inner = graph_.inserting_before(out);
      ASSERT_TRUE(graph_.erase_node(y).ok());
    }
    relu(x);
  }
  EXPECT_THAT(names(), ElementsAre("x", "relu", "output"));
}

// parity: N11 N12 N13
TEST_F(GraphTest, OrderAndMoves) {
  Node* a = graph_.placeholder("a");
  Node* b = graph_.placeholder("b");
  Node* c = graph_.placeholder("c");
  EXPECT_TRUE(a->comes_before(*b));
  EXPECT_FALSE(b->comes_before(*a));
  EXPECT_FALSE(a->comes_before(*a));
  ASSERT_TRUE(c->move_before(*a).ok());
  EXPECT_THAT(names(), ElementsAre("c", "a", "b"));
  EXPECT_TRUE(c->comes_before(*a));
  ASSERT_TRUE(c->append(*b).ok());  // as in torch.fx, moves b directly after c
  EXPECT_THAT(names(), ElementsAre("c", "b", "a"));
  ASSERT_TRUE(a->move_before(*a).ok());
  ASSERT_TRUE(a->move_after(*a).ok());
  EXPECT_THAT(names(), ElementsAre("c", "b", "a"));
  EXPECT_EQ(c->prev(), nullptr);
  EXPECT_EQ(a->next(), nullptr);
  EXPECT_EQ(c->next(), b);
  Graph other(context_);
  EXPECT_FALSE(a->move_before(*other.placeholder("x")).ok());
}

TEST_F(GraphTest, OrderIsCorrectAfterManyInsertsAtOnePosition) {
  Node* x = graph_.placeholder("x");
  Node* out = graph_.output(x);
  std::vector<Node*> nodes;
  for (int i = 0; i < 20'000; ++i) {
    graph_.set_insert_point_after(x);
    nodes.push_back(relu(x));
  }
  graph_.set_insert_point_before(out);
  for (int i = 0; i < 20'000; ++i) nodes.push_back(relu(x));
  const Node* last = nullptr;
  for (Node& node : graph_.nodes()) {
    if (last) {
      ASSERT_TRUE(last->comes_before(node));
    }
    last = &node;
  }
  EXPECT_TRUE(nodes[19'999]->comes_before(*nodes[0]));
  EXPECT_TRUE(nodes[0]->comes_before(*nodes[20'000]));
}

}  // namespace
}  // namespace fx::graph_test
