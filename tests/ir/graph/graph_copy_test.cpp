// Tests copies of nodes and graphs (parity section 1).
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/ir/graph/graph_fixture.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fx::graph_copy_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// ---------------------------------------------------------------- copying

TEST_F(GraphTest, G12_GraphCopyInlines) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  a->set_type(context_.types().none());
  a->meta().set(meta::kSeq, 3);
  graph_.output(Argument::tuple({a, 1}));
  Graph to(context_);
  Node* outer = to.placeholder("relu");
  NodeMapping map = {{x, outer}};  // already in the mapping, so it is not copied
  auto result = to.graph_copy(graph_, map);
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_TRUE(result->has_value());
  Node* copy = map.at(a).as_node();
  EXPECT_TRUE(**result == Argument::tuple({copy, 1}));
  EXPECT_EQ(copy->name(), "relu_1");
  EXPECT_EQ(copy->arg(0).node(), outer);
  EXPECT_EQ(copy->type(), a->type());
  EXPECT_EQ(copy->meta().get(meta::kSeq), 3);
  EXPECT_EQ(to.size(), 2u);  // the output is not copied
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
  auto external = other.node_copy(*a, [&](Node*) { return Argument(y); });
  ASSERT_TRUE(external.ok());
  EXPECT_EQ((*external)->kwarg("k")->node(), y);
}

TEST_F(GraphTest, NodeCopyWithATable) {
  Node* x = graph_.placeholder("x");
  Node* a = graph_.call_function(add_, {x, Argument::list({x, 2})}, {{"k", x}}, {.name = "mine"});
  a->meta().set(meta::kSeq, 3);
  Node* b = relu(a);
  CopyTable copies(graph_);
  for (int part = 0; part < 2; ++part) {
    Graph to(context_);
    copies.begin(to);
    // The failed copy has no effect.
    EXPECT_EQ(copies.find(*x), nullptr);
    const absl::Status missing = copies.node_copy(*a).status();
    EXPECT_EQ(missing.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(missing.message()), HasSubstr("%mine uses %x, which is neither"));
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
TEST_F(GraphTest, InputsWithATable) {
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
      if (first > 5 && i % 5 == first % 5)  // reserves names between the copies
        for (Graph* graph : {&to, &expected}) graph->front()->rename("y");
    }
    for (Graph* graph : {&to, &expected}) {
      graph->output(graph->get_attr("x"));
      EXPECT_TRUE(verify(*graph).ok());
    }
    EXPECT_EQ(print(to), print(expected));
  }
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
    EXPECT_THAT(std::string(missing.message()), HasSubstr("%mine uses %x, which is neither"));
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
  const std::vector<const Node*> additional = {graph_.get_attr("body")};
  Graph to(context_);
  copies.begin(to);
  ASSERT_TRUE(copies.copy_nodes(additional).ok());
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

// Tests all kinds of arguments; operands become nodes or constants.
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
  std::vector<const Node*> mapped;
  const auto constant = other.node_copy(*node,
                                        [&](const Node* operand) {
                                          mapped.push_back(operand);
                                          return operand == x ? Argument(a) : Argument(3);
                                        },
                                        {.keep_name = false});
  ASSERT_TRUE(constant.ok()) << constant.status();
  EXPECT_THAT(mapped, ElementsAre(x, y, x, y, x, x, y));  // once for each use
  EXPECT_TRUE((*constant)->arg(0) ==
              Argument::list({a, Argument::tuple({3, Argument::list({}), a}), "s"}));
  EXPECT_TRUE(*(*constant)->kwarg("k") == Argument(3));
  EXPECT_EQ((*constant)->name(), "add_1");
  EXPECT_EQ((*constant)->meta().get(meta::kSeq), 7);
}

// Pages of small graphs are adjacent. Each node finds its graph, and destroying a graph does not
// affect other graphs.
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

// The first pages of a graph are small. Tests graphs that just fit, and larger graphs.
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
      // Both graphs continue to grow, each in separate memory.
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
  // Names that are reserved in the original, including names of erased nodes, are reserved in the
  // copy.
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
  graph_.output(Argument::list(many));  // its cells need multiple pages
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

TEST_F(GraphTest, TakesTheNodesOfAnotherGraph) {
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
  // Keys keep their order, ids are new, and numbering of names continues.
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

}  // namespace
}  // namespace fx::graph_copy_test
