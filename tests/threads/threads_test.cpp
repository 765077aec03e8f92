// Threads that use separate graphs of one Context, and threads that read one graph: each must
// get the same results as a single thread. scripts/check runs this test under ThreadSanitizer.
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/cleanup/eliminate_common_subexpressions.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "tests/testing/random_graph.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace fx {
namespace {

constexpr int kThreads = 6;

template <class F>
void on_threads(F work) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&work, t] { work(t); });
  for (std::thread& thread : threads) thread.join();
}

/// Does everything that a thread may do with its graph. Returns the text of the result.
std::string work_on(Context& context, uint64_t seed) {
  std::unique_ptr<Graph> graph = testing::random_graph(context, seed);
  const std::string text = print(*graph);
  const auto parsed = parse_graph(context, text);
  const auto json = write_json(*graph);
  const auto from_json = json.ok() ? read_json(context, *json) : parse_graph(context, text);
  const auto binary = read_binary(context, *write_binary(*graph));
  if (!parsed.ok() || !from_json.ok() || !binary.ok()) return "not read";
  if (first_difference(*graph, **parsed) || first_difference(*graph, **binary)) return "different";
  verify(*graph, {.check_index = true});
  std::unique_ptr<Graph> copy = graph->clone();
  if (!eliminate_common_subexpressions(*copy).ok() || !eliminate_dead_code(*copy).ok())
    return "failed";
  return text + print(*copy) + structural_hash(*copy).str();
}

TEST(Threads, GraphsOfOneContextAreIndependent) {
  constexpr uint64_t kGraphs = 60;
  // Computes the expected results in one thread, with a separate Context for each graph.
  std::vector<std::string> expected(kGraphs);
  for (uint64_t seed = 0; seed < kGraphs; ++seed) {
    Context separate_context;
    expected[seed] = work_on(separate_context, seed);
  }
  Context shared;
  std::vector<std::vector<std::string>> got(kThreads, std::vector<std::string>(kGraphs));
  on_threads([&](int t) {
    // All threads use the same strings, types and functions for the first time at about the same
    // time.
    for (uint64_t i = 0; i < kGraphs; ++i) {
      const uint64_t seed = (i + static_cast<uint64_t>(t) * 7) % kGraphs;
      got[static_cast<size_t>(t)][seed] = work_on(shared, seed);
    }
  });
  for (const auto& texts : got)
    for (uint64_t seed = 0; seed < kGraphs; ++seed) EXPECT_EQ(texts[seed], expected[seed]) << seed;
}

/// Reads everything that a thread may read in a graph while other threads read it.
std::string read_all(const Graph& graph) {
  std::string text = print(graph) + structural_hash(graph, {.ignore_names = false}).str();
  for (const Graph& g : all_graphs(graph)) {
    size_t num_uses = 0;
    for (const Node& node : g.nodes()) {
      text += node.target();
      num_uses += node.num_uses() + node.all_input_nodes().size() + node.users().size();
      if (g.find_node(node.name()) != &node) return "a node is not found by its name";
      const std::vector<Node*> same_target = node.op() == Opcode::kCallFunction
                                                 ? g.find_nodes(node.function())
                                                 : g.find_nodes(node.op(), node.target());
      if (std::ranges::find(same_target, &node) == same_target.end())
        return "not found by its target";
    }
    size_t reversed = 0;
    for (const Node& node : g.nodes().reversed()) reversed += node.num_uses();
    text += std::to_string(num_uses) + " " + std::to_string(reversed);
  }
  if (!verify(graph, {.check_index = true}).ok()) return "not valid";
  const std::unique_ptr<Graph> copy = graph.clone();
  if (print(*copy) != print(graph)) return "the copy differs";
  // Copying nodes from the graph also reads it.
  Graph part(graph.context());
  CopyTable copies(graph);
  copies.begin(part);
  for (const Node& node : graph.nodes()) copies.placeholder_like(node);
  return text + print(part);
}

TEST(Threads, OneGraphIsReadByAllThreads) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    // A single thread first reads a separate graph. In `shared`, the threads compute the values
    // that are computed on first use.
    Context context;
    const std::string expected = read_all(*testing::random_graph(context, seed));
    const std::unique_ptr<Graph> graph = testing::random_graph(context, seed);
    const Graph& shared = *graph;
    std::vector<std::string> got(kThreads);
    on_threads([&](int t) { got[static_cast<size_t>(t)] = read_all(shared); });
    for (const std::string& text : got) ASSERT_EQ(text, expected) << seed;
  }
}

TEST(Threads, TargetsThatAreNamesAreReadByAllThreads) {
  Context context;
  Graph source(context);
  Node* x = source.placeholder("x");
  std::vector<Node*> values;
  for (int i = 0; i < 200; ++i)
    values.push_back(source.call_function(context.function("torch.add"), {x, i}));
  Graph graph(context);  // the targets of its inputs have not been interned yet
  CopyTable copies(source);
  copies.begin(graph);
  for (Node* value : values) copies.placeholder_like(*value);
  const Graph& shared = graph;
  std::vector<std::string> got(kThreads);
  on_threads([&](int t) {
    std::string& text = got[static_cast<size_t>(t)];
    for (const Node& node : shared.nodes()) text += node.target();
    text += print(*shared.clone());
  });
  for (const std::string& text : got) EXPECT_EQ(text, got[0]);
  EXPECT_NE(got[0].find("add_150"), std::string::npos);
}

TEST(Threads, IteratorsKeepMemoryOfErasedNodesAfterConcurrentReads) {
  Context context;
  Graph graph(context);
  for (int i = 0; i < 50; ++i) graph.call_function(context.function("f"));
  on_threads([&](int) {
    for (int i = 0; i < 2000; ++i) {
      const Graph& shared = graph;
      size_t count = 0;
      for (const Node& node : shared.nodes()) count += node.num_uses() + 1;
      EXPECT_EQ(count, 50u);
    }
  });
  // The count of iterators must be exact: without iterators, slots are reused...
  Node* const first = graph.front();
  ASSERT_TRUE(graph.erase_node(first).ok());
  EXPECT_EQ(graph.call_function(context.function("f")), first);
  // ... but not while an iterator exists.
  const NodeIterator iterator = graph.nodes().begin();
  ASSERT_TRUE(graph.erase_node(&*iterator).ok());
  EXPECT_NE(graph.call_function(context.function("f")), &*iterator);
}

TEST(Threads, EqualStringsTypesAndFunctionsAreOnePointerInAllThreads) {
  Context context;
  constexpr size_t kEach = 300;
  struct Seen {
    std::vector<Symbol> symbols;
    std::vector<Type> types;
    std::vector<Target> functions;
    std::vector<SymExpr> exprs;
  };
  std::vector<Seen> seen(kThreads);
  on_threads([&](int t) {
    Seen& seen_by_thread = seen[static_cast<size_t>(t)];
    for (size_t i = 0; i < kEach; ++i) {
      const std::string number = std::to_string(i);
      seen_by_thread.symbols.push_back(context.symbol("text" + number));
      seen_by_thread.types.push_back(
          *context.types().parse("f32[" + number + ", s0 + " + number + "]"));
      seen_by_thread.functions.push_back(context.function("user.function" + number));
      seen_by_thread.exprs.push_back(*context.exprs().parse("s1*" + number + " + s0"));
    }
  });
  for (const Seen& other : seen) {
    EXPECT_EQ(other.symbols, seen[0].symbols);
    EXPECT_EQ(other.types, seen[0].types);
    EXPECT_EQ(other.functions, seen[0].functions);
    for (size_t i = 0; i < kEach; ++i) EXPECT_EQ(other.exprs[i].data(), seen[0].exprs[i].data());
  }
}

// Details of operators are computed on first use.
TEST(Threads, OperatorsAreDescribedOnce) {
  Context context;
  const std::vector<std::string> names = {"aten.conv3d.default",     "aten.addmm.default",
                                          "aten.layer_norm.default", "aten.view.default",
                                          "aten.dropout.default",    "aten.add_.Tensor"};
  std::vector<std::string> rows(kThreads);
  on_threads([&](int t) {
    for (const std::string& name : names) {
      const ops::OpInfo* op = context.function(name).op();
      rows[static_cast<size_t>(t)] +=
          ops::to_string(op->schema()) + ops::to_string(op->effects()) + "\n";
    }
  });
  for (const std::string& row : rows) EXPECT_EQ(row, rows[0]);
}

}  // namespace
}  // namespace fx
