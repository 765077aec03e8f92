// Tests names of nodes and targets of inputs, including those of copies.
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/ir/graph/graph_fixture.h"
#include "tests/testing/random_graph.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>
#include <set>
#include <string>
#include <vector>

namespace fx::graph_names_test {
namespace {

using ::testing::ElementsAre;

TEST_F(GraphTest, InputsOfAnotherGraphHaveSeparateNamesEvenAfterChanges) {
  const auto value = [&] { return graph_.call_function(add_); };  // %add
  CopyTable copies(graph_);
  Graph to(context_);
  copies.begin(to);
  EXPECT_EQ(copies.placeholder_like(*value())->name(), "add");
  graph_.clear();  // numbering of names restarts
  Node* second = value();
  EXPECT_EQ(second->name(), "add");
  EXPECT_EQ(copies.placeholder_like(*second)->name(), "add_1");
}

// torch.fx's Python code for `%add_1 = placeholder add` is `add_1 = add`, after `add = self.add`.
TEST_F(GraphTest, TheTargetOfAnInputThatIsLikeAValueIsTheNameOfTheInput) {
  for (const std::string name : {"add", "add_3", "Add"}) {
    Graph from(context_), to(context_);
    Node* const value = from.call_function(add_, {}, {}, {.name = name});
    const Node* const first = to.placeholder_like(*value);
    EXPECT_EQ(first->target(), first->name());
    to.clear();
    to.get_attr(name);
    const Node* const input = to.placeholder_like(*value);
    EXPECT_NE(input->name(), name);
    EXPECT_EQ(input->target(), input->name());
  }
}

// Callers must not observe whether names are stored only in nodes or also in the name table: a
// graph whose names are entered in the table after each step gets the same names.
TEST_F(GraphTest, NameStorageIsNotObservable) {
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
    // Runs the step in both graphs.
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
      const size_t size = graphs[0]->size(), index = random.below(size + 1);
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
          if (index < size)
            both([&](Graph& graph, CopyTable&) { node_number(graph, index)->rename(text); });
          break;
        case 9:
          if (index < size)
            both([&](Graph& graph, CopyTable&) {
              ASSERT_TRUE(graph.erase_node(node_number(graph, index)).ok());
            });
          break;
        case 10:
          if (index < size)
            both([&](Graph& graph, CopyTable&) {
              ASSERT_TRUE(graph.back()->move_before(*node_number(graph, index)).ok());
            });
          break;
        case 11:
          if (index < size)
            both([&](Graph& graph, CopyTable&) {
              const auto guard =
                  graph.inserting_before(index == 0 ? nullptr : node_number(graph, index));
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
            auto outer = std::make_unique<Graph>(context_);
            outer->replace_nodes(std::move(graphs[g]));
            graphs[g] = std::move(outer);
            copies[g].begin(*graphs[g]);
          }
          break;
        case 14:
          if (random.chance(20)) both([&](Graph& graph, CopyTable&) { graph.clear(); });
          break;
        case 15:
          if (index < size && graphs[0]->back()->num_args() == 0)
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

TEST_F(GraphTest, CopiesHaveSeparateNamesAfterTheSourceChanges) {
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

// Names derived from the name of a node equal names derived from its text.
TEST_F(GraphTest, NamesOfCopiesFollowTheirTargets) {
  for (const std::string_view target :
       {"w", "layers.1.weight", "layers.1", "a..b", "1x", "Up.caseName", "x_01", "x_1", "_",
        "input", "__a__", "a.", ".a", "s p", "x_99999999999"}) {
    Graph from(context_), like(context_), copy(context_);
    CopyTable copies(from);
    copies.begin(copy);
    for (int i = 0; i < 3; ++i) {
      Node* node = from.get_attr(target);
      const auto copied = copies.node_copy(*node, {.keep_name = false});
      ASSERT_TRUE(copied.ok());
      EXPECT_EQ((*copied)->name(), node->name()) << target;
      Node* input = like.placeholder_like(*node);
      EXPECT_EQ(input->target(), node->name());
    }
    Graph expected(context_);
    for (const Node& node : from.nodes()) expected.placeholder(node.name());
    EXPECT_EQ(print(like), print(expected)) << target;
  }
}

// The targets of inputs that are named after the values that they represent are created on first
// use.
TEST_F(GraphTest, TargetsOfInputsAreCreatedOnFirstUse) {
  for (int change = 0; change < 8; ++change) {
    Context context;  // the text is not yet interned in it
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

}  // namespace
}  // namespace fx::graph_names_test
