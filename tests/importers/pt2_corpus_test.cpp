// Reads every .pt2 archive of the corpus, and compares each node with the graph that PyTorch's
// loader creates (export.json).
// parity: S5 S6
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace fx {
namespace {

using testing::IsOk;

struct Pair {
  std::filesystem::path archive, json;
};

/// Returns the paths of the archives and of the graphs that PyTorch's loader creates, as JSON.
std::vector<Pair> archives() {
  std::vector<Pair> pairs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    const std::filesystem::path folder = entry.path().parent_path();
    if (entry.path().filename() == "model.pt2")
      pairs.push_back({entry.path(), folder / "export.json"});
    if (entry.path().filename() == "joint.pt2")
      pairs.push_back({entry.path(), folder / "joint_pt2.json"});
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& a, const Pair& b) { return a.archive < b.archive; });
  return pairs;
}

/// Returns the value with lists instead of tuples: format 1 of the JSON does not distinguish them.
Argument with_lists(const Argument& value) {
  if (!is_aggregate(value.kind())) return value;
  std::vector<Argument> items;
  for (size_t i = 0; i < value.size(); ++i) items.push_back(with_lists(value[i]));
  return value.is_tuple() ? Argument::list(items) : value.with_items(items);
}

/// Returns the type with lists instead of tuples, and with unknown types instead of None: format 1
/// of the JSON does not distinguish them.
Type with_lists(TypeTable& types, Type type) {
  if (type.is_none()) return Type();
  if (!type.is_tuple() && !type.is_list()) return type;
  std::vector<Type> items;
  for (const Type item : type.items()) items.push_back(with_lists(types, item));
  return types.list(items);
}

/// Removes the storage offset: PyTorch's loader drops offsets, and the JSON has the archive's
/// offsets only for the outermost graph.
Type without_offset(TypeTable& types, Type type) {
  if (!type.is_tensor()) return type;
  TensorSpec spec = type.spec();
  spec.offset = Dim(0);
  return types.tensor(spec);
}

/// Removes metadata that the JSON does not contain.
void make_comparable(Graph& root) {
  for (Graph& graph : all_graphs(root)) {
    for (Node& node : graph.nodes()) {
      node.set_type(with_lists(root.context().types(), node.type()));
      if (&graph != &root) node.set_type(without_offset(root.context().types(), node.type()));
      if (node.is_output()) FX_CHECK_OK(node.update_arg(0, with_lists(Argument(node.arg(0)))));
      for (const std::string_view key :
           {"stack_trace", "module_stack", "torch_fn", "source_fn", "custom", "from_node"})
        node.meta().remove(key);
      const std::optional<Argument> input = node.meta().get(meta::kInput);
      if (!input) continue;
      std::vector<std::pair<Argument, Argument>> entries;  // the JSON has no index
      for (size_t i = 0; i < input->size(); ++i)
        if (input->key(i) != Argument("index")) entries.emplace_back(input->key(i), (*input)[i]);
      node.meta().set(meta::kInput, Argument::dict(entries));
    }
  }
}

/// Keeps only the ranges of symbols: the JSON has no example values for them.
Argument without_hints(const Argument& symbols) {
  std::vector<std::pair<Argument, Argument>> entries;
  for (size_t i = 0; i < symbols.size(); ++i)
    entries.emplace_back(
        symbols.key(i),
        Argument::dict({{{symbols[i].key(0), symbols[i][0]}, {symbols[i].key(1), symbols[i][1]}}}));
  return Argument::dict(entries);
}

TEST(Pt2Corpus, EqualsPyTorchsGraph) {
  const std::vector<Pair> pairs = archives();
  EXPECT_GE(pairs.size(), 27u);
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.archive.string());
    Context context;
    std::vector<std::string> notes;
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program, read_pt2(context, pair.archive.string(),
                                                               {.lifted = true, .notes = &notes}));
    EXPECT_TRUE(notes.empty()) << notes[0];
    Graph& graph = program.module->graph();
    const VerifierReport report = verify(graph, {.check_index = true});
    EXPECT_TRUE(report.findings.empty()) << report.str();

    FX_ASSERT_OK_AND_ASSIGN(const std::string text, read_file(pair.json.string()));
    FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> expected, read_json(context, text));
    ASSERT_TRUE(graph.meta("symbols") && expected->meta("symbols"));
    EXPECT_EQ(without_hints(*graph.meta("symbols")), *expected->meta("symbols"));
    make_comparable(graph);
    make_comparable(*expected);
    // PyTorch has the guards only as code; Pt2GuardsTest and test_guards.py test those of the graph.
    for (const std::string_view key : {"format", "model", "kind", "torch", "symbols", "pt2",
                                       "guards", "guards_code", "calling_convention"}) {
      graph.set_meta(key, Argument::none());
      expected->set_meta(key, Argument::none());
    }
    const std::optional<GraphDifference> difference = first_difference(graph, *expected);
    EXPECT_FALSE(difference.has_value()) << difference->message;
  }
}

// In the unlifted form, members have their paths and data, and the graph is valid.
TEST(Pt2Corpus, MembersHaveData) {
  for (const Pair& pair : archives()) {
    SCOPED_TRACE(pair.archive.string());
    Context context;
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program, read_pt2(context, pair.archive.string()));
    const Graph& graph = program.module->graph();
    EXPECT_THAT(verify_status(graph), IsOk());
    for (const Node& node : graph.nodes()) {
      if (node.op() != Opcode::kGetAttr || graph.find_subgraph(node.target())) continue;
      const Tensor tensor = program.module->find_tensor(node.target());
      ASSERT_TRUE(tensor.defined()) << node.target();
      EXPECT_TRUE(tensor.has_data());
      EXPECT_EQ(tensor.dtype(), node.type().dtype());
      EXPECT_EQ(tensor.sizes().size(), static_cast<size_t>(node.type().rank()));
    }
  }
}

}  // namespace
}  // namespace fx
