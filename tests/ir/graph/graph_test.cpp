// Graphs: creating, editing, ordering, finding and copying nodes (parity sections 1 and 3).
#include "fx/ir/graph/graph.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/random_graph.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class GraphTest : public ::testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> result;
    for (Node& node : graph_.nodes()) result.push_back(node.name());
    return result;
  }
  static std::vector<std::string> names(const std::vector<Node*>& nodes) {
    std::vector<std::string> result;
    for (Node* node : nodes) result.push_back(node->name());
    return result;
  }
  Node* relu(Node* x) { return graph_.call_function(relu_, {x}); }

  Context context_;
  Graph graph_{context_};
  Target relu_ = context_.function("torch.relu");
  Target add_ = context_.function("operator.add");
};

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
TEST_F(GraphTest, CreateNodeRefusesBadInputAndReservesNoName) {
  Node* x = graph_.placeholder("x");
  Graph other(context_);
  Node* foreign = other.placeholder("foreign");
  auto bad = graph_.create_node(Opcode::kCallFunction, add_, {x, foreign});
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("foreign belongs to another graph"));
  bad = graph_.create_node(Opcode::kCallFunction, add_, {Argument::list({Argument(foreign)})});
  EXPECT_EQ(bad.status().code(), absl::StatusCode::kInvalidArgument);
  bad = graph_.create_node(Opcode::kCallFunction, add_, {x}, {{"k", 1}, {"k", 2}});
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("k occurs twice"));
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
  EXPECT_TRUE(y->arg(0).is_none());  // a default of None is not "no default"
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
      ASSERT_TRUE(graph_.erase_node(a).ok());  // the current one
      ASSERT_TRUE(graph_.erase_node(b).ok());  // the next one
      auto guard = graph_.inserting_before(d);
      graph_.placeholder("e");  // ahead: visited, though memory of a and b is free
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

TEST_F(GraphTest, FactsOfManyNodesMoveAsTheyGrow) {
  NodeMap<std::array<int64_t, 8>> facts(graph_, {7});
  std::vector<Node*> nodes;
  for (int64_t i = 0; i < 100'000; ++i) {  // 6 MB: blocks of 2 MiB and more are mapped
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
  ASSERT_TRUE(c->append(*b).ok());  // torch.fx: moves b directly after c
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
  std::vector<Node*> made;
  for (int i = 0; i < 20'000; ++i) {
    graph_.set_insert_point_after(x);
    made.push_back(relu(x));
  }
  graph_.set_insert_point_before(out);
  for (int i = 0; i < 20'000; ++i) made.push_back(relu(x));
  const Node* last = nullptr;
  for (Node& node : graph_.nodes()) {
    if (last) {
      ASSERT_TRUE(last->comes_before(node));
    }
    last = &node;
  }
  EXPECT_TRUE(made[19'999]->comes_before(*made[0]));
  EXPECT_TRUE(made[0]->comes_before(*made[20'000]));
}

// ---------------------------------------------------------------- uses

TEST_F(GraphTest, N8_UsersAreDistinctAndOrdered) {
  Node* x = graph_.placeholder("x");
  Node* both = graph_.call_function(add_, {x, x});
  Node* single = relu(x);
  EXPECT_EQ(x->num_uses(), 3u);
  EXPECT_EQ(x->num_users(), 2u);
  EXPECT_THAT(x->users(), ElementsAre(both, single));
  std::vector<std::pair<Node*, size_t>> uses;
  for (Use use : x->uses()) uses.emplace_back(use.user(), use.operand_number());
  EXPECT_THAT(uses, ElementsAre(std::pair(both, 0u), std::pair(both, 1u), std::pair(single, 0u)));
  // Losing and regaining a use moves a user to the end.
  Node* y = graph_.placeholder("y");
  ASSERT_TRUE(both->set_args({y, y}).ok());
  EXPECT_THAT(x->users(), ElementsAre(single));
  EXPECT_TRUE(x->has_one_user());
  ASSERT_TRUE(both->set_args({x, y}).ok());
  EXPECT_THAT(x->users(), ElementsAre(single, both));
}

TEST_F(GraphTest, N7_InputsAreDistinctInOrder) {
  Node* a = graph_.placeholder("a");
  Node* b = graph_.placeholder("b");
  Node* c = graph_.placeholder("c");
  Node* node = graph_.call_function(
      add_, {Argument::list({b, Argument::tuple({a, b})}), a},
      {{"k", Argument::dict({{"x", c}, {"y", Argument::slice(a, Argument(), c)}})}});
  EXPECT_THAT(node->all_input_nodes(), ElementsAre(b, a, c));
  std::vector<Node*> every;
  node->for_each_input([&](Node* input) { every.push_back(input); });
  EXPECT_THAT(every, ElementsAre(b, a, b, a, c, a, c));
}

TEST_F(GraphTest, ManyUsersOfOneValue) {
  Node* x = graph_.placeholder("x");
  std::vector<Argument> all(1000, Argument(x));
  graph_.call_function(add_, {Argument::list(all)});
  for (int i = 0; i < 100; ++i) relu(x);
  EXPECT_EQ(x->num_uses(), 1100u);
  EXPECT_EQ(x->num_users(), 101u);
}

// parity: N9
TEST_F(GraphTest, ReplaceAllUses) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* a = graph_.call_function(add_, {x, x});
  Node* b = graph_.call_function(add_, {Argument::list({x, Argument::dict({{"k", x}})})});
  EXPECT_EQ(x->replace_all_uses_with(y), 4u);
  EXPECT_FALSE(x->has_uses());
  EXPECT_THAT(y->users(), ElementsAre(a, b));
  EXPECT_EQ(b->arg(0)[1][0].node(), y);
  EXPECT_EQ(y->replace_all_uses_with(y), 0u);
  EXPECT_EQ(y->replace_uses_if(x, [&](const Node& user) { return &user == a; }), 2u);
  EXPECT_THAT(x->users(), ElementsAre(a));
  EXPECT_THAT(y->users(), ElementsAre(b));
}

TEST_F(GraphTest, D1e_ReplacementKeepsItsOwnInput) {
  // The example of torch.fx's documentation, in which the new node becomes its own operand there.
  Node* x = graph_.placeholder("x");
  Node* out = graph_.output(x);
  auto guard = graph_.inserting_after(x);
  Node* activation = relu(x);
  x->replace_all_uses_with(activation);
  EXPECT_EQ(activation->arg(0).node(), x);
  EXPECT_EQ(out->arg(0).node(), activation);
  EXPECT_THAT(x->users(), ElementsAre(activation));
}

// parity: N9
TEST_F(GraphTest, ReplaceUsesWithAnyArgument) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* a = graph_.call_function(add_, {x, Argument::list({x, 1})});
  ASSERT_TRUE(x->replace_all_uses_with(Argument(2.5)).ok());
  EXPECT_EQ(a->arg(0).as_float(), 2.5);
  EXPECT_EQ(a->arg(1)[0].as_float(), 2.5);
  Node* b = relu(y);
  // A tuple that contains the node itself: the new use is kept.
  ASSERT_TRUE(y->replace_all_uses_with(Argument::tuple({y, 1})).ok());
  EXPECT_EQ(b->arg(0)[0].node(), y);
  EXPECT_EQ(y->num_uses(), 1u);
  Argument deep(1);
  for (int i = 0; i < kMaxArgumentDepth; ++i) deep = Argument::list({deep});
  ASSERT_TRUE(b->set_args({deep}).ok());
  ASSERT_TRUE(a->set_args({Argument::list({x})}).ok());
  EXPECT_FALSE(x->replace_all_uses_with(deep).ok());
  EXPECT_EQ(a->arg(0)[0].node(), x);
}

TEST_F(GraphTest, N10_ReplaceInput) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* a = graph_.call_function(add_, {x, Argument::list({x})});
  Node* b = relu(x);
  EXPECT_EQ(a->replace_input_with(x, y), 2u);
  EXPECT_THAT(x->users(), ElementsAre(b));
  EXPECT_THAT(y->users(), ElementsAre(a));
}

// ---------------------------------------------------------------- arguments

// parity: N3 N4 N5 N6
TEST_F(GraphTest, EditingArgumentsKeepsUses) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* n = graph_.call_function(add_, {x, 1}, {{"a", y}, {"b", 2}});
  ASSERT_TRUE(n->update_arg(1, y).ok());
  EXPECT_EQ(y->num_uses(), 2u);
  ASSERT_TRUE(n->insert_arg(0, Argument::list({y})).ok());
  ASSERT_TRUE(n->insert_arg(3, "end").ok());
  EXPECT_EQ(n->num_args(), 4u);
  EXPECT_EQ(n->arg(0)[0].node(), y);
  EXPECT_EQ(n->arg(1).node(), x);
  EXPECT_EQ(n->arg(2).node(), y);
  EXPECT_EQ(n->arg(3).as_string(), "end");
  EXPECT_EQ(n->kwarg("a")->node(), y);
  EXPECT_EQ(y->num_uses(), 3u);
  ASSERT_TRUE(n->update_kwarg("a", 5).ok());
  ASSERT_TRUE(n->update_kwarg("c", x).ok());
  ASSERT_EQ(n->num_kwargs(), 3u);
  EXPECT_EQ(n->kwarg_name(0).str(), "a");
  EXPECT_EQ(n->kwarg_name(2).str(), "c");
  EXPECT_EQ(n->kwarg_value(0).as_int(), 5);
  EXPECT_EQ(y->num_uses(), 2u);
  ASSERT_TRUE(n->set_kwargs({}).ok());
  ASSERT_TRUE(n->set_args({y}).ok());
  EXPECT_EQ(x->num_uses(), 0u);
  EXPECT_EQ(y->num_uses(), 1u);
  EXPECT_EQ(n->update_arg(1, 3).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(n->insert_arg(2, 3).code(), absl::StatusCode::kOutOfRange);
  Graph other(context_);
  Node* foreign = other.placeholder("f");
  EXPECT_FALSE(n->update_arg(0, foreign).ok());
  EXPECT_FALSE(n->set_args({foreign}).ok());
  EXPECT_FALSE(n->update_kwarg("k", foreign).ok());
  EXPECT_EQ(n->arg(0).node(), y);
}

TEST_F(GraphTest, N24_EveryKindOfArgument) {
  Node* x = graph_.placeholder("x");
  Type type = context_.types().none();
  const std::vector<Argument> args = {
      Argument::none(),
      true,
      -3,
      2.5,
      std::complex<double>(1, -2),
      "text",
      DType::kFloat32,
      Layout::kStrided,
      MemoryFormat::kChannelsLast,
      Argument(type),
      Argument(add_),
      Argument::ellipsis(),
      Argument::object("torch.per_tensor_affine"),
      x,
      Argument::list({x, Argument::list({})}),
      Argument::tuple({}),
      Argument::ints({1, 2}),
      Argument::named_tuple("torch.return_types.max", {Argument(x), Argument(1)}),
      Argument::dict({{"a", x}, {7, "seven"}}),
      Argument::slice(Argument(), x, 2),
      Argument::range(0, 10, 3)};
  Node* n = graph_.call_function(add_, args);
  ASSERT_EQ(n->num_args(), args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    EXPECT_EQ(n->arg(i).kind(), args[i].kind()) << i;
    EXPECT_TRUE(n->arg(i) == args[i]) << i << " " << argument_kind_name(args[i].kind());
  }
  EXPECT_EQ(n->arg(4).as_complex(), std::complex<double>(1, -2));
  EXPECT_EQ(n->arg(6).as_dtype(), DType::kFloat32);
  EXPECT_EQ(n->arg(10).as_function(), add_);
  EXPECT_EQ(n->arg(12).as_string(), "torch.per_tensor_affine");
  EXPECT_EQ(n->arg(17).type_name(), "torch.return_types.max");
  EXPECT_EQ(n->arg(17).size(), 2u);
  EXPECT_EQ(n->arg(18).key(1).as_int(), 7);
  EXPECT_EQ(n->arg(18)[1].as_string(), "seven");
  EXPECT_EQ(x->num_uses(), 5u);
  EXPECT_EQ(n->args(), args);
}

// parity: N22 N23
TEST_F(GraphTest, MapsOverArgumentTrees) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Argument tree = Argument::list(
      {x, Argument::dict({{"k", Argument::tuple({y, 1})}}), Argument::slice(x, 2, Argument())});
  std::vector<Node*> order;
  Argument mapped = map_nodes(tree, [&](Node* node) -> Argument {
    order.push_back(node);
    return node->name();
  });
  EXPECT_THAT(order, ElementsAre(x, y, x));
  EXPECT_TRUE(mapped == Argument::list({"x", Argument::dict({{"k", Argument::tuple({"y", 1})}}),
                                        Argument::slice("x", 2, Argument())}));
  int leaves = 0;
  EXPECT_TRUE(map_leaves(tree, [&](const Argument& leaf) {
                ++leaves;
                return leaf;
              }) == tree);
  EXPECT_EQ(leaves, 6);
}

// ---------------------------------------------------------------- erasing

TEST_F(GraphTest, G14_Erase) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  Node* b = graph_.call_function(add_, {a, a});
  absl::Status status = graph_.erase_node(a);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("it has 1 user (add)"));
  ASSERT_TRUE(graph_.erase_node(b).ok());
  EXPECT_EQ(graph_.erase_node(b).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_FALSE(a->has_uses());
  ASSERT_TRUE(graph_.erase_node(a).ok());
  EXPECT_THAT(names(), ElementsAre("x"));
  Graph other(context_);
  EXPECT_EQ(other.erase_node(x).code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(GraphTest, ErasesABlockOfNodes) {
  struct Log : GraphObserver {
    std::vector<std::string> lines;
    void node_erased(Node& node) override {
      EXPECT_FALSE(node.has_uses());
      lines.push_back(node.name());
    }
  } log;
  for (const bool observed : {false, true}) {
    graph_.clear();
    if (observed) graph_.add_observer(&log);
    Node* x = graph_.placeholder("x");
    Node* a = relu(x);
    Node* b = graph_.call_function(add_, {a, Argument::list({x, Argument::list({a, 1})})},
                                   {{"alpha", a}});
    Node* c = graph_.call_function(add_, {x, b});
    Node* d = relu(b);
    Node* e = relu(x);
    b->meta().set(meta::kSeq, 3);
    graph_.set_insert_point_before(b);
    Graph::Editor::erase_block(graph_, {a, b, c, d});
    EXPECT_THAT(names(), ElementsAre("x", "relu_2"));
    EXPECT_THAT(x->users(), ElementsAre(e));
    EXPECT_TRUE(b->is_erased());
    EXPECT_EQ(graph_.insert_point(), e);
    // Their slots are reused, and contain nothing of the erased nodes.
    Node* last = x;
    for (int i = 0; i < 6; ++i) last = graph_.call_function(add_, {last, x});
    graph_.set_insert_point_after(nullptr);
    graph_.output(last);
    for (const Node& node : graph_.nodes()) EXPECT_TRUE(node.meta().empty());
    EXPECT_TRUE(verify(graph_, {.check_index = true}).ok()) << verify(graph_).str();
  }
  graph_.remove_observer(&log);
  EXPECT_THAT(log.lines, ElementsAre("relu_1", "add_1", "add", "relu"));
}

TEST_F(GraphTest, G30_Clear) {
  Node* x = graph_.placeholder("x");
  graph_.output(relu(x));
  graph_.clear();
  EXPECT_TRUE(graph_.empty());
  EXPECT_EQ(graph_.placeholder("x")->name(), "x");
}

// New nodes are as in a new graph, in the same memory, and old handles report that they are erased.
TEST_F(GraphTest, G30_ClearRemovesArgumentsAndMetaData) {
  size_t bytes = 0;
  std::string text;
  for (int round = 0; round < 20; ++round) {
    Node* x = graph_.placeholder("x");
    Node* last = x;
    for (int i = 0; i < 300; ++i) {
      last = graph_.call_function(
          add_,
          {last, Argument::list({x, Argument::dict({{"k", last}, {1, Argument::slice(0, x, 1)}})}),
           std::complex<double>(1, i)},
          {{"k", Argument::tuple({last, "s"})}});
      last->meta().set(meta::kSeq, i);
    }
    graph_.output(last);
    ASSERT_TRUE(verify(graph_).ok()) << verify(graph_).str();
    if (round == 0) text = print(graph_);
    ASSERT_EQ(print(graph_), text);
    if (round == 1) bytes = graph_.memory_bytes();
    if (round > 1) {
      EXPECT_LE(graph_.memory_bytes(), bytes);
    }
    const uint64_t version = graph_.version();
    NodeIterator standing = graph_.nodes().begin();
    ++standing;
    graph_.clear();
    EXPECT_TRUE(x->is_erased() && last->is_erased());
    EXPECT_GT(graph_.version(), version);
    EXPECT_TRUE(graph_.empty());
    EXPECT_EQ(graph_.output_node(), nullptr);
    EXPECT_TRUE(verify(graph_).ok());
    ++standing;
    EXPECT_TRUE(standing == graph_.nodes().end());
  }
}

// ---------------------------------------------------------------- finding

// parity: G11 N27
TEST_F(GraphTest, FindNodesFollowsEdits) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  Node* b = graph_.call_function(add_, {a, x});
  EXPECT_THAT(graph_.find_nodes(relu_), ElementsAre(a));
  Node* c = relu(b);
  EXPECT_THAT(graph_.find_nodes(relu_), ElementsAre(a, c));
  ASSERT_TRUE(c->move_before(*x).ok());
  EXPECT_THAT(graph_.find_nodes(Opcode::kCallFunction, "torch.relu"), ElementsAre(c, a));
  a->set_function(add_);
  EXPECT_THAT(graph_.find_nodes(relu_), ElementsAre(c));
  EXPECT_THAT(graph_.find_nodes(add_), ElementsAre(a, b));
  a->set_function(relu_);
  ASSERT_TRUE(graph_.erase_node(c).ok());
  EXPECT_THAT(graph_.find_nodes(relu_), ElementsAre(a));
  EXPECT_THAT(graph_.find_nodes(Opcode::kPlaceholder), ElementsAre(x));
  EXPECT_THAT(graph_.find_nodes(Opcode::kPlaceholder, "x"), ElementsAre(x));
  x->set_target("z");
  EXPECT_THAT(graph_.find_nodes(Opcode::kPlaceholder, "x"), IsEmpty());
  EXPECT_THAT(graph_.find_nodes(Opcode::kCallModule, "nowhere"), IsEmpty());
  EXPECT_THAT(graph_.find_nodes(Opcode::kCallFunction), ElementsAre(a, b));
}

TEST_F(GraphTest, FindNodeByName) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  EXPECT_EQ(graph_.find_node("relu"), a);
  a->rename("other");
  EXPECT_EQ(graph_.find_node("relu"), nullptr);
  EXPECT_EQ(graph_.find_node("other"), a);
}

// ---------------------------------------------------------------- copying

TEST_F(GraphTest, G12_GraphCopyInlines) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  a->set_type(context_.types().none());
  a->meta().set(meta::kSeq, 3);
  graph_.output(Argument::tuple({a, 1}));
  Graph to(context_);
  Node* outer = to.placeholder("relu");
  NodeMapping map = {{x, outer}};  // bound before: not copied
  auto result = to.graph_copy(graph_, map);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->has_value());
  Node* copy = map.at(a).as_node();
  EXPECT_TRUE(**result == Argument::tuple({copy, 1}));
  EXPECT_EQ(copy->name(), "relu_1");
  EXPECT_EQ(copy->arg(0).node(), outer);
  EXPECT_EQ(copy->type(), a->type());
  EXPECT_EQ(copy->meta().get(meta::kSeq), 3);
  EXPECT_EQ(to.size(), 2u);  // no output
  Graph empty(context_);
  NodeMapping none;
  auto nothing = to.graph_copy(empty, none);
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->has_value());
}

TEST_F(GraphTest, G13_NodeCopy) {
  Node* x = graph_.placeholder("x");
  Node* a = graph_.call_function(add_, {x, Argument::list({x})}, {{"k", x}}, {.name = "mine"});
  auto copy = graph_.node_copy(*a);
  ASSERT_TRUE(copy.ok());
  EXPECT_EQ((*copy)->name(), "mine_1");
  EXPECT_EQ(x->num_users(), 2u);
  Graph other(context_);
  EXPECT_EQ(other.node_copy(*a).status().code(), absl::StatusCode::kInvalidArgument);
  Node* y = other.placeholder("y");
  auto foreign = other.node_copy(*a, [&](Node*) { return Argument(y); });
  ASSERT_TRUE(foreign.ok());
  EXPECT_EQ((*foreign)->kwarg("k")->node(), y);
}

TEST_F(GraphTest, NodeCopyByATable) {
  Node* x = graph_.placeholder("x");
  Node* a = graph_.call_function(add_, {x, Argument::list({x, 2})}, {{"k", x}}, {.name = "mine"});
  a->meta().set(meta::kSeq, 3);
  Node* b = relu(a);
  CopyTable copies(graph_);
  for (int part = 0; part < 2; ++part) {
    Graph to(context_);
    copies.begin(to);
    // The previous part has no effect.
    EXPECT_EQ(copies.find(*x), nullptr);
    const absl::Status missing = copies.node_copy(*a).status();
    EXPECT_EQ(missing.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(missing.message()), HasSubstr("%mine reads %x, which is neither"));
    EXPECT_TRUE(to.empty());
    copies.set(*x, *to.placeholder_like(*x));
    const auto copy = copies.node_copy(*a);
    ASSERT_TRUE(copy.ok());
    copies.set(*a, **copy);
    EXPECT_EQ(copies.find(*a), *copy);
    const auto last = copies.node_copy(*b, {.keep_name = false});
    ASSERT_TRUE(last.ok());
    to.output(*last);
    EXPECT_EQ(print(to), R"(graph(%x) {
  %mine = operator.add(%x, [%x, 2], k=%x) !{seq=3}
  %relu = torch.relu(%mine)
  return %relu
}
)");
    EXPECT_TRUE(verify(to).ok());
  }
}

// With a table, inputs have the same names as without one, and each value has one input.
TEST_F(GraphTest, InputsByATable) {
  const std::vector<std::string> names = {"x",          "x_1",     "w_3",   "Upper",
                                          "__dunder__", "input_1", "input", "x_2",
                                          "torch_",     "y",       "y_2",   "layer_01"};
  std::vector<Node*> values;
  for (const std::string& name : names) {
    const Name exact = split_name(context_.symbols(), name);
    absl::StatusOr<Node*> value =
        graph_.create_node(Opcode::kCallFunction, add_, {}, {}, {.exact_name = exact});
    ASSERT_TRUE(value.ok());
    (*value)->meta().set(meta::kSeq, static_cast<int64_t>(values.size()));
    values.push_back(*value);
  }
  CopyTable copies(graph_);
  for (size_t first = 0; first < values.size(); ++first) {
    Graph to(context_), expected(context_);
    copies.begin(to);
    for (size_t i = 0; i < values.size(); ++i) {
      const Node& value = *values[(first + i) % values.size()];
      Node* input = copies.placeholder_like(value);
      EXPECT_EQ(copies.find(value), input);
      EXPECT_EQ(copies.placeholder_like(value), input);
      expected.placeholder_like(value);
      if (first > 5 && i % 5 == first % 5)  // names of others between them
        for (Graph* graph : {&to, &expected}) graph->front()->rename("y");
    }
    for (Graph* graph : {&to, &expected}) {
      graph->output(graph->get_attr("x"));
      EXPECT_TRUE(verify(*graph).ok());
    }
    EXPECT_EQ(print(to), print(expected));
  }
}

TEST_F(GraphTest, InputsOfAnotherGraphHaveSeparateNamesAlsoAfterChanges) {
  const auto value = [&] { return graph_.call_function(add_); };  // %add
  CopyTable copies(graph_);
  Graph to(context_);
  copies.begin(to);
  EXPECT_EQ(copies.placeholder_like(*value())->name(), "add");
  graph_.clear();  // its names start again
  Node* second = value();
  EXPECT_EQ(second->name(), "add");
  EXPECT_EQ(copies.placeholder_like(*second)->name(), "add_1");
}

// It is not observable whether names are only in the nodes or were entered: a graph whose names are
// entered after every step gets the same names.
TEST_F(GraphTest, StorageOfNamesIsNotObservable) {
  const std::vector<std::string> texts = {"x",       "x_1",    "x_7",      "input",
                                          "input_3", "output", "output_1", "layer.w",
                                          "Upper",   "a_01",   "relu",     "relu_2"};
  fx::testing::Random random(1);
  const auto any_text = [&]() -> const std::string& { return texts[random.below(texts.size())]; };
  std::vector<const Node*> values;
  for (int i = 0; i < 60; ++i)
    values.push_back(random.chance(50) ? graph_.get_attr(any_text()) : graph_.call_function(relu_));
  for (int round = 0; round < 10000; ++round) {
    std::array<std::unique_ptr<Graph>, 2> graphs = {std::make_unique<Graph>(context_),
                                                    std::make_unique<Graph>(context_)};
    std::array<CopyTable, 2> copies = {CopyTable(graph_), CopyTable(graph_)};
    for (const auto& graph : graphs) graph->set_torch_insert_order(round % 8 == 0);
    for (size_t g = 0; g < 2; ++g) copies[g].begin(*graphs[g]);
    // The same step in both graphs.
    const auto both = [&](const auto& step) {
      for (size_t g = 0; g < 2; ++g) {
        step(*graphs[g], copies[g]);
        if (g == 1) graphs[g]->names();
      }
    };
    const auto node_number = [](Graph& graph, size_t i) {
      auto at = graph.nodes().begin();
      for (; i > 0; --i) ++at;
      return &*at;
    };
    const size_t first = random.below(values.size());
    for (size_t step = 0, steps = random.below(30); step < steps; ++step) {
      const std::string& text = any_text();
      const size_t size = graphs[0]->size(), place = random.below(size + 1);
      const size_t begin = (first + step) % values.size();
      const size_t count = std::min(random.below(12), values.size() - begin);
      const bool keep_name = random.chance(80);
      switch (random.below(step < 3 ? 4 : 17)) {
        case 0:
        case 1:
          both([&](Graph&, CopyTable& table) {
            const auto some = absl::MakeConstSpan(values).subspan(begin, count);
            ASSERT_TRUE(table.copy_nodes(some, {.keep_name = keep_name}).ok());
          });
          break;
        case 2:
          both([&](Graph&, CopyTable& table) {
            std::vector<const Node*> some(values.begin() + static_cast<ptrdiff_t>(begin),
                                          values.begin() + static_cast<ptrdiff_t>(begin + count));
            table.placeholders_like(some);
          });
          break;
        case 3:
          both([&](Graph&, CopyTable& table) { table.placeholder_like(*values[begin]); });
          break;
        case 4:
          both([&](Graph& graph, CopyTable&) { graph.get_attr(text); });
          break;
        case 5:
          both([&](Graph& graph, CopyTable&) { graph.call_function(relu_); });
          break;
        case 6:
          both([&](Graph& graph, CopyTable&) { graph.placeholder_like(*values[begin]); });
          break;
        case 7:
          both([&](Graph& graph, CopyTable&) {
            if (graph.output_node() == nullptr) graph.output(1);
          });
          break;
        case 8:
          if (place < size)
            both([&](Graph& graph, CopyTable&) { node_number(graph, place)->rename(text); });
          break;
        case 9:
          if (place < size)
            both([&](Graph& graph, CopyTable&) {
              ASSERT_TRUE(graph.erase_node(node_number(graph, place)).ok());
            });
          break;
        case 10:
          if (place < size)
            both([&](Graph& graph, CopyTable&) {
              ASSERT_TRUE(graph.back()->move_before(*node_number(graph, place)).ok());
            });
          break;
        case 11:
          if (place < size)
            both([&](Graph& graph, CopyTable&) {
              const auto guard =
                  graph.inserting_before(place == 0 ? nullptr : node_number(graph, place));
              graph.get_attr(text);
              if (count > 6) graph.placeholder_like(*values[begin]);
            });
          break;
        case 12:
          for (size_t g = 0; g < 2; ++g) {
            graphs[g] = graphs[g]->clone();
            copies[g].begin(*graphs[g]);
          }
          break;
        case 13:
          for (size_t g = 0; g < 2; ++g) {
            auto around = std::make_unique<Graph>(context_);
            around->replace_nodes(std::move(graphs[g]));
            graphs[g] = std::move(around);
            copies[g].begin(*graphs[g]);
          }
          break;
        case 14:
          if (random.chance(20)) both([&](Graph& graph, CopyTable&) { graph.clear(); });
          break;
        case 15:
          if (place < size && graphs[0]->back()->num_args() == 0)
            both([&](Graph& graph, CopyTable&) {
              graph.back()->set_op_and_target(Opcode::kGetAttr, text);
            });
          break;
        case 16:
          both([&](Graph& graph, CopyTable&) {
            const Name exact = split_name(context_.symbols(), text);
            (void)graph.create_node(Opcode::kCallFunction, add_, {}, {}, {.exact_name = exact});
          });
          break;
        default:
          break;
      }
      ASSERT_EQ(print(*graphs[0]), print(*graphs[1])) << "round " << round << ", step " << step;
      for (size_t op = 0; op < kNumOpcodes; ++op) {
        ASSERT_EQ(graphs[0]->num_nodes(static_cast<Opcode>(op)),
                  graphs[0]->find_nodes(static_cast<Opcode>(op)).size());
      }
    }
    std::set<std::string> names;
    for (const Node& node : graphs[0]->nodes())
      ASSERT_TRUE(names.insert(node.name()).second) << print(*graphs[0]);
  }
}

// An observer may reserve names between two copies.
TEST_F(GraphTest, CopiesHaveSeparateNamesWithObservers) {
  class Renamer : public GraphObserver {
    void node_created(Node& node) override {
      if (node.name() == "a") node.rename("b");
    }
  } renamer;
  const std::vector<const Node*> nodes = {graph_.get_attr("a"), graph_.get_attr("b")};
  for (const bool inputs : {false, true}) {
    Graph to(context_);
    to.add_observer(&renamer);
    CopyTable copies(graph_);
    copies.begin(to);
    if (inputs) {
      std::vector<const Node*> values = nodes;
      copies.placeholders_like(values);
      EXPECT_EQ(values, nodes);
    } else {
      ASSERT_TRUE(copies.copy_nodes(nodes).ok());
    }
    EXPECT_EQ(to.front()->name(), "b");
    EXPECT_EQ(to.back()->name(), "b_1");
    to.remove_observer(&renamer);
  }
}

TEST_F(GraphTest, CopiesHaveSeparateNamesWhenTheSourceChangesBetween) {
  Node* a = graph_.get_attr("a");
  Node* b = graph_.get_attr("b");
  CopyTable copies(graph_);
  Graph to(context_);
  copies.begin(to);
  ASSERT_TRUE(copies.copy_nodes(std::vector<const Node*>{a}).ok());
  a->rename("c");
  graph_.clear();
  EXPECT_EQ(copies.placeholder_like(*graph_.get_attr("x"))->name(), "x");
  b = graph_.get_attr("a");
  std::vector<const Node*> values = {b, b};
  copies.placeholders_like(values);
  EXPECT_EQ(values, std::vector<const Node*>{b});
  EXPECT_EQ(to.back()->name(), "a_1");
  EXPECT_TRUE(verify(to).ok());
}

TEST_F(GraphTest, CopyNodesEqualsNodeCopyOfEach) {
  Node* x = graph_.placeholder("x");
  Node* w = graph_.get_attr("layer.w");
  Node* a = graph_.call_function(add_, {x, Argument::list({1, 2})}, {{"k", w}}, {.name = "mine"});
  std::vector<Argument> many(20, Argument(a));
  Node* b = graph_.call_function(add_, {Argument::list(many), Argument::list({}), 2.5});
  Node* c = graph_.call_method("size", {b, std::complex<double>(1, 2)});
  Node* d = graph_.call_module("layer", {Argument::tuple({c, Argument::list({1, "s"})})});
  for (Node* node : {w, a, d}) node->meta().set(meta::kSeq, node->id());
  const std::vector<const Node*> nodes = {w, a, b, c, d};
  for (const bool keep_name : {true, false}) {
    Graph at_once(context_), each(context_);
    CopyTable copies(graph_), copies_of_each(graph_);
    copies.begin(at_once);
    copies_of_each.begin(each);
    const absl::Status missing = copies.copy_nodes(nodes, {.keep_name = keep_name});
    EXPECT_EQ(missing.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(missing.message()), HasSubstr("%mine reads %x, which is neither"));
    EXPECT_EQ(at_once.size(), 1u);
    EXPECT_TRUE(copies.find(*w)->meta().has(meta::kSeq));
    copies.set(*x, *at_once.placeholder("x"));
    copies_of_each.set(*w, **copies_of_each.node_copy(*w, {.keep_name = keep_name}));
    copies_of_each.set(*x, *each.placeholder("x"));
    ASSERT_TRUE(
        copies.copy_nodes(absl::MakeConstSpan(nodes).subspan(1), {.keep_name = keep_name}).ok());
    for (size_t i = 1; i < nodes.size(); ++i) {
      const auto copy = copies_of_each.node_copy(*nodes[i], {.keep_name = keep_name});
      ASSERT_TRUE(copy.ok());
      copies_of_each.set(*nodes[i], **copy);
    }
    EXPECT_EQ(print(at_once), print(each));
    EXPECT_TRUE(verify(at_once).ok()) << verify(at_once).str();
  }
}

TEST_F(GraphTest, CopyNodesWithinAGraphAndWithNestedGraphs) {
  Node* x = graph_.placeholder("x");
  Node* a = graph_.call_function(add_, {x, 1});
  a->meta().set(meta::kSeq, 3);
  CopyTable copies(graph_);
  copies.begin(graph_);
  copies.set(*x, *x);
  const std::vector<const Node*> nodes = {a, relu(a)};
  ASSERT_TRUE(copies.copy_nodes(nodes).ok());
  EXPECT_EQ(print(graph_), R"(graph(%x) {
  %add = operator.add(%x, 1) !{seq=3}
  %relu = torch.relu(%add)
  %add_1 = operator.add(%x, 1) !{seq=3}
  %relu_1 = torch.relu(%add_1)
}
)");
  ASSERT_TRUE(graph_.add_subgraph("body", std::make_unique<Graph>(context_)).ok());
  const std::vector<const Node*> more = {graph_.get_attr("body")};
  Graph to(context_);
  copies.begin(to);
  ASSERT_TRUE(copies.copy_nodes(more).ok());
  EXPECT_NE(to.find_subgraph("body"), nullptr);
}

TEST_F(GraphTest, CopyCall) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* old = graph_.call_function(add_, {x, Argument::list({y, 1})}, {{"k", y}}, {.name = "old"});
  old->meta().set(meta::kSeq, 3);
  Node* user = relu(old);
  Graph pattern(context_);
  Node* a = pattern.placeholder("a");
  Node* b = pattern.placeholder("b");
  Node* node = pattern.call_function(context_.function("torch.sub"),
                                     {Argument::list({a, Argument::tuple({b, a})}), 2.5},
                                     {{"alpha", 2}, {"out", b}});
  CopyTable copies(pattern);
  copies.begin(graph_);
  const std::string before = print(graph_);
  copies.set(*a, *x);
  EXPECT_EQ(copies.copy_call(*old, *node).code(), absl::StatusCode::kInvalidArgument);
  copies.set(*b, *old);
  EXPECT_THAT(std::string(copies.copy_call(*old, *node).message()), HasSubstr("%old"));
  copies.set(*b, *x);
  EXPECT_EQ(copies.copy_call(*x, *node).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(copies.copy_call(*old, *a).code(), absl::StatusCode::kInvalidArgument);
  CopyTable to_another_graph(pattern);
  to_another_graph.begin(pattern);
  EXPECT_EQ(to_another_graph.copy_call(*old, *node).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(print(graph_), before);
  copies.set(*b, *y);
  ASSERT_TRUE(copies.copy_call(*old, *node).ok());
  graph_.output(user);
  EXPECT_EQ(print(graph_), R"(graph(%x, %y) {
  %old = torch.sub([%x, (%y, %x)], 2.5, alpha=2, out=%y) !{seq=3}
  %relu = torch.relu(%old)
  return %relu
}
)");
  EXPECT_EQ(x->num_uses(), 2u);
  EXPECT_EQ(y->num_uses(), 2u);
  EXPECT_EQ(graph_.find_nodes(context_.function("torch.sub")), std::vector<Node*>{old});
  EXPECT_TRUE(graph_.find_nodes(add_).empty());
  EXPECT_TRUE(verify(graph_).ok()) << verify(graph_).str();
}

// Names derived from a node's name equal those derived from its text.
TEST_F(GraphTest, NamesOfCopiesFollowTheirTargets) {
  for (const std::string_view target :
       {"w", "layers.1.weight", "layers.1", "a..b", "1x", "Up.caseName", "x_01", "x_1", "_",
        "input", "__a__", "a.", ".a", "s p", "x_99999999999"}) {
    Graph from(context_), like(context_), copy(context_);
    CopyTable copies(from);
    copies.begin(copy);
    for (int i = 0; i < 3; ++i) {
      Node* node = from.get_attr(target);
      const auto made = copies.node_copy(*node, {.keep_name = false});
      ASSERT_TRUE(made.ok());
      EXPECT_EQ((*made)->name(), node->name()) << target;
      Node* input = like.placeholder_like(*node);
      EXPECT_EQ(input->target(), node->name());
    }
    Graph expected(context_);
    for (const Node& node : from.nodes()) expected.placeholder(node.name());
    EXPECT_EQ(print(like), print(expected)) << target;
  }
}

// For all kinds of arguments, whether operands become nodes or constants.
TEST_F(GraphTest, G13_NodeCopyAcceptsEveryArgument) {
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  const std::vector<Argument> args = {
      Argument::list({x, Argument::tuple({y, Argument::list({}), x}), "s"}),
      Argument::dict({{"k", y}, {2, Argument::slice(1, x, Argument())}}),
      std::complex<double>(1, 2),
      Argument::named_tuple("pkg.Point(a, b)", {x, 1.5}),
      Argument::range(0, 8, 2),
      DType::kFloat32};
  Node* node = graph_.call_function(add_, args, {{"k", y}, {"l", Argument::list({1, 2})}});
  node->meta().set(meta::kSeq, 7);
  Graph other(context_);
  Node* a = other.placeholder("x");
  Node* b = other.placeholder("y");
  const auto copy =
      other.node_copy(*node, [&](const Node* operand) { return Argument(operand == x ? a : b); });
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(print(other), print(graph_));
  EXPECT_EQ(a->num_uses(), 4u);
  EXPECT_EQ(b->num_uses(), 3u);
  EXPECT_TRUE(verify(other).ok()) << verify(other).str();
  std::vector<const Node*> asked;
  const auto constant = other.node_copy(*node,
                                        [&](const Node* operand) {
                                          asked.push_back(operand);
                                          return operand == x ? Argument(a) : Argument(3);
                                        },
                                        {.keep_name = false});
  ASSERT_TRUE(constant.ok()) << constant.status();
  EXPECT_THAT(asked, ElementsAre(x, y, x, y, x, x, y));  // once each
  EXPECT_TRUE((*constant)->arg(0) ==
              Argument::list({a, Argument::tuple({3, Argument::list({}), a}), "s"}));
  EXPECT_TRUE(*(*constant)->kwarg("k") == Argument(3));
  EXPECT_EQ((*constant)->name(), "add_1");
  EXPECT_EQ((*constant)->meta().get(meta::kSeq), 7);
}

// Targets of inputs named after the values that they represent are created at first use.
TEST_F(GraphTest, TargetsOfInputsAreMadeOnFirstUse) {
  for (int change = 0; change < 8; ++change) {
    Context context;  // without the text
    Graph graph(context);
    const Target function = context.function("torch.relu");
    Node* x = graph.placeholder("x");
    for (int i = 0; i < 3; ++i) x = graph.call_function(function, {x});  // relu, relu_1, relu_2
    Graph to(context);
    Node* input = to.placeholder_like(*x);
    to.output(input);
    std::unique_ptr<Graph> copy = to.clone();
    std::string expected = "relu_2";
    if (change == 1) input->rename("other");
    if (change == 2) input->set_target(expected = "mine");
    if (change == 3) {
      EXPECT_THAT(to.find_nodes(Opcode::kPlaceholder, "relu_2"), ElementsAre(input));
    }
    if (change == 4) {
      Graph third(context);
      third.placeholder("relu_2");
      const absl::StatusOr<Node*> again = third.node_copy(*input, [](Node*) { return Argument(); });
      ASSERT_TRUE(again.ok());
      EXPECT_EQ((*again)->name(), "relu_3");
      EXPECT_EQ((*again)->target(), "relu_2");
    }
    if (change == 5) {
      Node* other = to.placeholder("relu_2");
      EXPECT_TRUE(input->same_computation(*other));
      EXPECT_EQ(input->computation_hash(), other->computation_hash());
      ASSERT_TRUE(to.erase_node(other).ok());
    }
    if (change == 7) {
      to.set_insert_point_before(to.output_node());
      Node* call = Graph::Editor::call_module(to, {context.symbol("fused"), 4}, {input}, {});
      EXPECT_THAT(to.find_nodes(Opcode::kCallModule, "fused_3"), ElementsAre(call));
      EXPECT_EQ(call->target(), "fused_3");
    }
    if (change == 6) {
      input->set_op_and_target(Opcode::kCallFunction, expected = "torch.relu");
      EXPECT_EQ(input->function(), function);
    }
    EXPECT_TRUE(verify(to, {.check_index = true}).ok()) << verify(to).str();
    EXPECT_EQ(input->target(), expected) << change;
    EXPECT_EQ(input->name(), change == 1 ? "other" : "relu_2");
    EXPECT_EQ(copy->front()->target(), "relu_2");
    EXPECT_EQ(print(*copy), "graph(%relu_2) {\n  return %relu_2\n}\n");
  }
}

// Small graphs have adjacent pages: each node finds its own graph, and destroying one graph does
// not affect other graphs.
TEST_F(GraphTest, SmallGraphsAreAdjacent) {
  std::vector<std::unique_ptr<Graph>> graphs;
  for (int round = 0; round < 2000; ++round) {
    auto graph = std::make_unique<Graph>(context_);
    Node* last = graph->placeholder("x");
    for (int i = 0; i < round % 14; ++i) last = graph->call_function(relu_, {last});
    graph->output(last);
    if (round % 3 == 0 && !graphs.empty())
      graphs[static_cast<size_t>(round) * 7 % graphs.size()] = graph->clone();
    else
      graphs.push_back(std::move(graph));
    if (round % 5 == 4) graphs.erase(graphs.begin() + static_cast<long>(graphs.size() / 2));
  }
  for (const std::unique_ptr<Graph>& graph : graphs) {
    ASSERT_TRUE(verify(*graph).ok()) << verify(*graph).str();
    for (const Node& node : graph->nodes()) ASSERT_EQ(&node.graph(), graph.get());
  }
}

// The first pages of a graph are small: graphs that just fit, and graphs that do not.
TEST_F(GraphTest, StorageGrowsFromASmallPage) {
  for (const size_t count : std::initializer_list<size_t>{1, 5, 6, 7, 8, 9, 10, 11, 28, 60, 69, 70,
                                                          71, 72, 73, 200, 1100}) {
    for (const size_t width : std::initializer_list<size_t>{0, 1, 3, 16, 17, 40, 200}) {
      Graph graph(context_);
      Node* last = graph.placeholder("x");
      for (size_t i = 0; i < count; ++i)
        last =
            graph.call_function(add_, {last, Argument::list(std::vector<Argument>(width, last))});
      graph.output(last);
      ASSERT_TRUE(verify(graph).ok()) << count << ' ' << width << '\n' << verify(graph).str();
      const std::unique_ptr<Graph> copy = graph.clone();
      ASSERT_EQ(print(*copy), print(graph));
      ASSERT_TRUE(verify(*copy).ok()) << verify(*copy).str();
      // Both continue to grow, each in its own memory.
      for (Graph* g : {&graph, copy.get()}) {
        ASSERT_TRUE(g->erase_node(g->output_node()).ok());
        Node* end = g->back();
        for (int i = 0; i < 50; ++i) end = g->call_function(add_, {end, Argument::list({end, 1})});
        g->output(end);
        ASSERT_TRUE(verify(*g).ok()) << verify(*g).str();
      }
      ASSERT_EQ(print(*copy), print(graph));
    }
  }
}

TEST_F(GraphTest, G24_CloneIsIndependent) {
  Node* x = graph_.placeholder("x");
  Node* a = graph_.call_function(add_, {x, Argument::list({x, "s"})});
  a->meta().set(meta::kRegion, "bw");
  ASSERT_TRUE(graph_.erase_node(relu(x)).ok());
  graph_.output(a);
  graph_.set_meta("kind", "joint");
  absl::flat_hash_map<const Node*, Node*> map;
  std::unique_ptr<Graph> copy = graph_.clone(&map);
  Node* b = map.at(a);
  EXPECT_EQ(&b->graph(), copy.get());
  EXPECT_EQ(b->name(), "add");
  EXPECT_EQ(b->id(), a->id());
  EXPECT_EQ(b->arg(1)[0].node(), map.at(x));
  EXPECT_EQ(b->meta().get(meta::kRegion), "bw");
  EXPECT_TRUE(*copy->meta("kind") == Argument("joint"));
  EXPECT_EQ(copy->output_node(), map.at(graph_.output_node()));
  b->rename("changed");
  ASSERT_TRUE(b->set_args({}).ok());
  b->meta().set(meta::kRegion, "fw");
  EXPECT_EQ(a->name(), "add");
  EXPECT_EQ(x->num_uses(), 2u);
  EXPECT_EQ(a->meta().get(meta::kRegion), "bw");
  // Names reserved in the original, including erased ones, are reserved in the copy.
  EXPECT_EQ(copy->call_function(relu_, {map.at(x)})->name(), "relu_1");
}

TEST_F(GraphTest, G24_CloneOfALargeGraph) {
  Node* x = graph_.placeholder("x");
  Node* last = x;
  std::vector<Argument> many;
  for (int i = 0; i < 10'000; ++i) {
    last = graph_.call_function(add_, {last, x, i});
    many.emplace_back(last);
  }
  graph_.output(Argument::list(many));  // a run of cells over several pages
  std::unique_ptr<Graph> copy = graph_.clone();
  ASSERT_EQ(copy->size(), graph_.size());
  Node* b = copy->front();
  for (Node& a : graph_.nodes()) {
    ASSERT_EQ(a.name_parts(), b->name_parts());
    ASSERT_EQ(a.num_uses(), b->num_uses());
    b = b->next();
  }
  EXPECT_EQ(copy->output_node()->arg(0)[9'999].node(), copy->output_node()->prev());
}

TEST_F(GraphTest, NestedGraphsAreCopied) {
  auto body = std::make_unique<Graph>(context_);
  body->output(body->placeholder("y"));
  ASSERT_EQ(*graph_.add_subgraph("body_0", std::move(body)), 0u);
  EXPECT_FALSE(graph_.add_subgraph("body_0", std::make_unique<Graph>(context_)).ok());
  Node* branch = graph_.get_attr("body_0");
  Node* call =
      graph_.call_function(context_.function("higher_order.cond"), {branch, Argument::graph(0)});
  EXPECT_FALSE(call->update_arg(0, Argument::graph(1)).ok());
  Graph to(context_);
  ASSERT_TRUE(to.add_subgraph("body_0", std::make_unique<Graph>(context_)).ok());
  NodeMapping map;
  ASSERT_TRUE(to.graph_copy(graph_, map).ok());
  EXPECT_EQ(map.at(branch).as_node()->target(), "body_0_1");
  EXPECT_EQ(map.at(call).as_node()->arg(1).as_graph(), 1u);
  EXPECT_EQ(to.find_subgraph("body_0_1")->size(), 2u);
  EXPECT_EQ(graph_.clone()->find_subgraph("body_0")->size(), 2u);
}

TEST_F(GraphTest, TakesTheNodesOfAnother) {
  Node* old = relu(graph_.placeholder("old"));
  old->meta().set("first", 1);
  old->meta().set("second", 1);
  graph_.output(old);
  graph_.set_meta("mine", 1);
  const uint32_t bound = graph_.id_bound();
  const uint64_t version = graph_.version();
  EXPECT_EQ(graph_.find_nodes(relu_).size(), 1u);
  EXPECT_NE(graph_.find_node("old"), nullptr);
  auto from = std::make_unique<Graph>(context_);
  Node* x = from->placeholder("x");
  Node* last = x;
  for (int i = 0; i < 3000; ++i) last = from->call_function(add_, {last, x});
  last->meta().set("second", 2);
  last->meta().set("first", 2);
  last->meta().set("third", 2);
  from->output(last);
  const std::string text = print(*from);
  graph_.replace_nodes(std::move(from));
  EXPECT_EQ(last->name(), "add_2999");
  EXPECT_EQ(&last->graph(), &graph_);
  EXPECT_EQ(graph_.size(), 3002u);
  EXPECT_TRUE(verify(graph_).ok());
  EXPECT_GT(graph_.version(), version);
  EXPECT_EQ(graph_.meta("mine"), Argument(1));
  // Keys keep their order, ids are new, names continue after the reserved ones.
  std::vector<std::string_view> keys;
  last->meta().for_each([&](Symbol key, const Argument&) { keys.push_back(key.str()); });
  EXPECT_THAT(keys, ElementsAre("first", "second", "third"));
  for (const Node& node : graph_.nodes()) EXPECT_GE(node.id(), bound);
  EXPECT_THAT(graph_.find_nodes(relu_), IsEmpty());
  EXPECT_EQ(graph_.find_node("old"), nullptr);
  EXPECT_EQ(graph_.find_node("add_2999"), last);
  const auto guard = graph_.inserting_before(graph_.output_node());
  EXPECT_EQ(graph_.call_function(add_, {x, x})->name(), "add_3000");
}

// ---------------------------------------------------------------- observers, versions, meta

TEST_F(GraphTest, G28_Observers) {
  struct Log : GraphObserver {
    std::vector<std::string> lines;
    void node_created(Node& node) override { lines.push_back("create " + node.name()); }
    void node_erased(Node& node) override { lines.push_back("erase " + node.name()); }
    void use_replaced(Node& from, Node& to, Node& user) override {
      lines.push_back(user.name() + " reads " + to.name() + " not " + from.name());
    }
  } log;
  graph_.add_observer(&log);
  Node* x = graph_.placeholder("x");
  Node* y = graph_.placeholder("y");
  Node* a = relu(x);
  x->replace_all_uses_with(y);
  a->replace_input_with(y, x);
  ASSERT_TRUE(graph_.erase_node(a).ok());
  graph_.remove_observer(&log);
  relu(x);
  EXPECT_THAT(log.lines, ElementsAre("create x", "create y", "create relu", "relu reads y not x",
                                     "relu reads x not y", "erase relu"));
}

TEST_F(GraphTest, ObserversAreNotifiedOfTakenNodes) {
  struct Log : GraphObserver {
    std::vector<std::string> lines;
    void node_created(Node& node) override { lines.push_back("create " + node.name()); }
    void node_erased(Node& node) override { lines.push_back("erase " + node.name()); }
  } log;
  relu(graph_.placeholder("x"));
  graph_.set_meta("mine", 1);
  graph_.add_observer(&log);
  auto from = std::make_unique<Graph>(context_);
  from->placeholder("y");
  graph_.replace_nodes(std::move(from));
  EXPECT_THAT(log.lines, ElementsAre("erase x", "erase relu", "create y"));
  EXPECT_EQ(graph_.meta("mine"), Argument(1));
  graph_.remove_observer(&log);
}

TEST_F(GraphTest, VersionGrowsWithEveryChange) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  uint64_t version = graph_.version();
  auto grown = [&] {
    bool result = graph_.version() > version;
    version = graph_.version();
    return result;
  };
  EXPECT_FALSE(grown());
  ASSERT_TRUE(a->update_arg(0, 1).ok());
  EXPECT_TRUE(grown());
  a->set_function(add_);
  EXPECT_TRUE(grown());
  a->rename("b");
  EXPECT_TRUE(grown());
  a->set_type(context_.types().none());
  EXPECT_TRUE(grown());
  a->meta().set(meta::kSeq, 1);
  EXPECT_TRUE(grown());
  ASSERT_TRUE(a->move_before(*x).ok());
  EXPECT_TRUE(grown());
  ASSERT_TRUE(graph_.erase_node(a).ok());
  EXPECT_TRUE(grown());
}

// parity: N2 N18 N19 N20
TEST_F(GraphTest, MetaData) {
  Node* x = graph_.placeholder("x");
  EXPECT_TRUE(x->meta().empty());
  EXPECT_FALSE(x->meta().get(meta::kSeq).has_value());
  x->meta().set(meta::kSeq, 12);
  x->meta().set(meta::kStackTrace, "model.py:3, in forward");
  x->meta().set(meta::kAnnotation, "torch.Tensor");
  x->meta().set("mine", Argument::list({1, "two"}));
  EXPECT_EQ(x->meta().get(meta::kSeq), 12);
  EXPECT_EQ(x->meta().get(meta::kStackTrace), "model.py:3, in forward");
  EXPECT_TRUE(*x->meta().find("mine") == Argument::list({1, "two"}));
  EXPECT_FALSE(x->meta().get(MetaKey<int64_t>{"mine"}).has_value());  // a different type
  std::vector<std::string> keys;
  x->meta().for_each([&](Symbol key, const Argument&) { keys.emplace_back(key.str()); });
  EXPECT_THAT(keys, ElementsAre("seq", "stack_trace", "annotation", "mine"));
  Node* y = graph_.placeholder("y");
  EXPECT_TRUE(y->meta().empty());
  y->meta().copy_from(*x);
  EXPECT_TRUE(x->meta().remove(meta::kSeq));
  EXPECT_FALSE(x->meta().remove(meta::kSeq));
  EXPECT_EQ(y->meta().get(meta::kSeq), 12);
  // A node in recycled memory starts without meta data.
  ASSERT_TRUE(graph_.erase_node(x).ok());
  EXPECT_TRUE(graph_.placeholder("z")->meta().empty());
}

TEST_F(GraphTest, D2a_NodeSetsAreIteratedInGraphOrder) {
  NodeSet set(graph_);
  Node* a = graph_.placeholder("a");
  Node* b = graph_.placeholder("b");
  EXPECT_TRUE(set.insert(*b));
  EXPECT_TRUE(set.insert(*a));
  EXPECT_FALSE(set.insert(*a));
  std::vector<std::string> seen;
  for (Node& node : graph_.nodes())
    if (set.contains(node)) seen.push_back(node.name());
  EXPECT_THAT(seen, ElementsAre("a", "b"));
  set.erase(*a);
  EXPECT_FALSE(set.contains(*a));
}

TEST_F(GraphTest, AllGraphsVisitsNestedGraphsInOrderIncludingNewOnes) {
  const auto add = [&](Graph& to, std::string_view name) -> Graph& {
    auto nested = std::make_unique<Graph>(context_);
    nested->set_meta("name", Argument(name));
    return to.subgraph(*to.add_subgraph(name, std::move(nested)));
  };
  graph_.set_meta("name", Argument("root"));
  Graph& a = add(graph_, "a");
  add(graph_, "b");
  add(a, "a1");
  add(a, "a2");
  std::vector<std::string> seen;
  const Graph& root = graph_;
  for (const Graph& g : all_graphs(root)) seen.emplace_back(g.meta("name")->as_string());
  EXPECT_THAT(seen, ElementsAre("root", "a", "a1", "a2", "b"));
  seen.clear();
  for (Graph& g : all_graphs(graph_)) {
    seen.emplace_back(g.meta("name")->as_string());
    if (seen.back() == "a2") add(g, "new");
  }
  EXPECT_THAT(seen, ElementsAre("root", "a", "a1", "a2", "new", "b"));
}

TEST_F(GraphTest, NestedGraphsHaveIndexesAndUnusedNames) {
  EXPECT_EQ(subgraph_index(graph_, "body"), std::nullopt);
  EXPECT_EQ(unused_subgraph_name(graph_, "body"), "body");
  for (const char* name : {"other", "body", "body_1"})
    ASSERT_TRUE(graph_.add_subgraph(name, std::make_unique<Graph>(context_)).ok());
  EXPECT_EQ(subgraph_index(graph_, "body"), 1U);
  EXPECT_EQ(unused_subgraph_name(graph_, "body"), "body_2");
}

}  // namespace
}  // namespace fx
