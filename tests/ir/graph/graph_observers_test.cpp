// Tests observers, versions, metadata and nested graphs (parity section 1).
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "tests/ir/graph/graph_fixture.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace fx::graph_observers_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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

TEST_F(GraphTest, VersionIncreasesWithEveryChange) {
  Node* x = graph_.placeholder("x");
  Node* a = relu(x);
  uint64_t version = graph_.version();
  auto has_grown = [&] {
    bool result = graph_.version() > version;
    version = graph_.version();
    return result;
  };
  EXPECT_FALSE(has_grown());
  ASSERT_TRUE(a->update_arg(0, 1).ok());
  EXPECT_TRUE(has_grown());
  a->set_function(add_);
  EXPECT_TRUE(has_grown());
  a->rename("b");
  EXPECT_TRUE(has_grown());
  a->set_type(context_.types().none());
  EXPECT_TRUE(has_grown());
  a->meta().set(meta::kSeq, 1);
  EXPECT_TRUE(has_grown());
  ASSERT_TRUE(a->move_before(*x).ok());
  EXPECT_TRUE(has_grown());
  ASSERT_TRUE(graph_.erase_node(a).ok());
  EXPECT_TRUE(has_grown());
}

// parity: N2 N18 N19 N20
TEST_F(GraphTest, Metadata) {
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
  EXPECT_FALSE(
      x->meta().get(MetaKey<int64_t>{"mine"}).has_value());  // the entry has a different type
  std::vector<std::string> keys;
  x->meta().for_each([&](Symbol key, const Argument&) { keys.emplace_back(key.str()); });
  EXPECT_THAT(keys, ElementsAre("seq", "stack_trace", "annotation", "mine"));
  Node* y = graph_.placeholder("y");
  EXPECT_TRUE(y->meta().empty());
  y->meta().copy_from(*x);
  EXPECT_TRUE(x->meta().remove(meta::kSeq));
  EXPECT_FALSE(x->meta().remove(meta::kSeq));
  EXPECT_EQ(y->meta().get(meta::kSeq), 12);
  // A node in reused memory has no metadata.
  ASSERT_TRUE(graph_.erase_node(x).ok());
  EXPECT_TRUE(graph_.placeholder("z")->meta().empty());
}

TEST_F(GraphTest, D2a_NodeSetsIterateInGraphOrder) {
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
  const auto paths = [&](size_t max_depth) {
    std::vector<std::string> result;
    for (const NestedGraph& nested : nested_graph_paths(root, max_depth)) {
      EXPECT_EQ(static_cast<int64_t>(nested.depth), std::ranges::count(nested.path, '.') + 1);
      result.push_back(nested.path);
    }
    return result;
  };
  EXPECT_THAT(paths(3), ElementsAre("a", "a.a1", "a.a2", "a.a2.new", "b"));
  EXPECT_THAT(paths(1), ElementsAre("a", "b"));
  EXPECT_THAT(paths(0), IsEmpty());
  seen.clear();
  for_each_graph_pair(*root.clone(), root, [&](const Graph& copy, const Graph& original) {
    EXPECT_NE(&copy, &original);
    EXPECT_EQ(copy.meta("name"), original.meta("name"));
    seen.emplace_back(original.meta("name")->as_string());
  });
  EXPECT_THAT(seen, ElementsAre("root", "a", "a1", "a2", "new", "b"));
}

TEST_F(GraphTest, NestedGraphsHaveIndicesAndUnusedNames) {
  EXPECT_EQ(subgraph_index(graph_, "body"), std::nullopt);
  EXPECT_EQ(unused_subgraph_name(graph_, "body"), "body");
  for (const char* name : {"other", "body", "body_1"})
    ASSERT_TRUE(graph_.add_subgraph(name, std::make_unique<Graph>(context_)).ok());
  EXPECT_EQ(subgraph_index(graph_, "body"), 1U);
  EXPECT_EQ(unused_subgraph_name(graph_, "body"), "body_2");
}

}  // namespace
}  // namespace fx::graph_observers_test
