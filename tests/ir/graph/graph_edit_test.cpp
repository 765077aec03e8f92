// Tests uses, arguments, erasing and finding nodes (parity sections 1 and 3).
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/ir/graph/graph_fixture.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fx::graph_edit_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
  // A user that loses its use and gets a new one moves to the end.
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

TEST_F(GraphTest, D1e_ReplacementKeepsItsInput) {
  // The example in torch.fx's documentation; in torch.fx, the new node becomes its own operand.
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
  // The tuple contains the node itself; this new use is not replaced.
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
  Node* external = other.placeholder("f");
  EXPECT_FALSE(n->update_arg(0, external).ok());
  EXPECT_FALSE(n->set_args({external}).ok());
  EXPECT_FALSE(n->update_kwarg("k", external).ok());
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
    // The slots are reused. They must not contain data of the erased nodes.
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

// After clear(), nodes are created as in a new graph, but in the same memory, and old handles
// report that their nodes are erased.
TEST_F(GraphTest, G30_ClearRemovesArgumentsAndMetadata) {
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

}  // namespace
}  // namespace fx::graph_edit_test
