// Every graph of the corpus runs, and each value has the type that torch recorded. The graphs
// include exported and joint graphs, symbolic sizes, control flow and sizes that depend on data.
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/shape_prop.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using testing::IsOk;

std::vector<std::string> graphs() {
  std::vector<std::string> names;
  if (!std::filesystem::is_directory(testing::corpus_dir())) return names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "index.json") continue;
    names.push_back(std::filesystem::relative(entry.path(), testing::corpus_dir()).string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class ConcreteCorpus : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Graphs, ConcreteCorpus, ::testing::ValuesIn(graphs()),
                         [](const auto& test) {
                           std::string name = test.param.substr(0, test.param.rfind('.'));
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

/// True if torch recorded the type that its meta kernel returns, which differs from the result of
/// the real kernel: the strides of a gradient in channels_last, the offset of a copy.
bool is_from_meta_kernel(const std::string& graph, const TypeDifference& difference) {
  static const std::set<std::pair<std::string, std::string>> kKnown = {
      {"mobilenet/joint.json", "native_batch_norm_backward"},
      {"mobilenet/joint.json", "getitem_67"},
      {"views_inplace/forward.json", "copy_1"},
      {"views_inplace/joint.json", "copy_1"},
      {"views_inplace/joint.json", "copy_10"},
  };
  return kKnown.contains({graph, difference.node->name()});
}

// parity: P1 P5
TEST_P(ConcreteCorpus, HasTheRecordedTypes) {
  FX_ASSERT_OK_AND_ASSIGN(const std::string text,
                          read_file((testing::corpus_dir() / GetParam()).string()));
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Graph> graph, read_json(context, text));
  FX_ASSERT_OK_AND_ASSIGN(const SymBindings sizes, example_sizes(*graph));
  const std::unique_ptr<Graph> typed = graph->clone();
  ASSERT_THAT(set_input_sizes(*typed, sizes), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(GraphData data,
                          load_graph_data(*typed, {}, {.generate_missing = true, .seed = 3}));
  for (size_t i = 0; i <= typed->num_subgraphs(); ++i) {
    Graph& part = i == 0 ? *typed : typed->subgraph(i - 1);
    for (Node& node : part.nodes())
      if (node.op() == Opcode::kCallFunction) node.set_type(Type());
  }
  ASSERT_THAT(propagate_concrete_types(*typed, std::move(data.inputs), data.constants), IsOk());
  const GraphComparison comparison = compare_graph_types(*graph, *typed, sizes);
  EXPECT_GT(comparison.compared, 0u);
  for (const TypeDifference& d : comparison.different) {
    if (is_from_meta_kernel(GetParam(), d)) continue;
    ADD_FAILURE() << d.node->name() << " = " << d.node->target() << ": recorded "
                  << to_string(d.expected) << ", concrete " << to_string(d.got);
  }
}

}  // namespace
}  // namespace fx
