// Tests type functions on the corpus: on recorded operator calls, and on every graph file.
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/passes/shape/check/check_cases.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tests/testing/corpus.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::IsEmpty;

std::string gunzip(const std::filesystem::path& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen(("gzip -dc '" + path.string() + "'").c_str(), "r"), pclose);
  std::string text;
  char buffer[65536];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, n);
  return text;
}

std::string to_string(const SymBindings& sizes) {
  std::vector<std::string> parts;
  for (const auto& [symbol, value] : sizes)
    parts.push_back(std::string(symbol.str()) + "=" + std::to_string(value.as_float()));
  std::sort(parts.begin(), parts.end());
  return ::testing::PrintToString(parts);
}

TEST(ShapeCorpus, EveryRecordedCallHasItsType) {
  Context context;
  const auto report = check_cases(context, gunzip(fx::testing::corpus_dir() / "cases.jsonl.gz"));
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->operators.size(), 300u);
  EXPECT_EQ(report->cases(), 1433u);
  EXPECT_THAT(report->without_type_function, IsEmpty());
  for (const CaseFailure& failure : report->failures) {
    ADD_FAILURE() << "line " << failure.line << ": " << failure.op << "\n  recorded "
                  << failure.expected << "\n  got      " << failure.got;
  }
}

// parity: P1 P5
TEST(ShapeCorpus, EveryGraphHasItsRecordedTypes) {
  size_t files = 0, compared = 0;
  std::vector<std::string> different;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(fx::testing::corpus_dir())) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") || name == "index.json") continue;
    const std::string label = entry.path().parent_path().filename().string() + "/" + name;
    SCOPED_TRACE(label);
    Context context;
    const auto graph = read_json(context, testing::read_file(entry.path()));
    ASSERT_TRUE(graph.ok()) << graph.status();
    const GraphComparison comparison = compare_with_recorded(**graph);
    EXPECT_TRUE(comparison.report.ok()) << comparison.report.str();
    for (const TypeDifference& d : comparison.different) {
      different.push_back(label + " " + d.node->name() + ": " + to_string(d.expected) + ", not " +
                          to_string(d.got));
    }
    ++files;
    compared += comparison.compared;
  }
  EXPECT_EQ(files, 75u);
  EXPECT_GT(compared, 9500u);
  // PyTorch's loader drops the offset of this node in a nested graph. forward.json is created from
  // the same program, and has it.
  EXPECT_THAT(different,
              ::testing::ElementsAre("cond_net/export.json select: f32[6], not f32[6]{offset=6}"));
}

// Symbolic types that are evaluated at sizes other than the example's must equal the types that are
// inferred from these sizes.
TEST(ShapeCorpus, SymbolicTypesHoldAtOtherSizes) {
  size_t files = 0, compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(fx::testing::corpus_dir())) {
    const std::filesystem::path path = entry.path() / "joint_dyn.json";
    if (!std::filesystem::exists(path)) continue;
    SCOPED_TRACE(path);
    Context context;
    const auto graph = read_json(context, testing::read_file(path));
    ASSERT_TRUE(graph.ok()) << graph.status();
    const std::unique_ptr<Graph> symbolic = (*graph)->clone();
    for (Node& node : symbolic->nodes())
      if (node.op() == Opcode::kCallFunction) node.set_type(Type());
    ASSERT_TRUE(propagate_types(*symbolic).ok());
    const auto example = example_sizes(**graph);
    ASSERT_TRUE(example.ok()) << example.status();
    const std::vector<SymBindings> sizes = other_sizes(**graph, 5);
    ASSERT_EQ(sizes.size(), 5u);
    for (const SymBindings& at : sizes) {
      EXPECT_NE(to_string(at), to_string(*example));
      const std::unique_ptr<Graph> concrete = symbolic->clone();
      for (Node& node : concrete->nodes())
        if (node.op() == Opcode::kCallFunction) node.set_type(Type());
      ASSERT_TRUE(set_input_sizes(*concrete, at).ok());
      const ShapeReport report = propagate_types(*concrete);
      EXPECT_TRUE(report.ok()) << report.str();
      const GraphComparison comparison = compare_graph_types(*symbolic, *concrete, at);
      compared += comparison.compared;
      for (const TypeDifference& d : comparison.different) {
        ADD_FAILURE() << d.node->name() << " at " << to_string(at) << ": " << to_string(d.expected)
                      << ", not " << to_string(d.got);
      }
    }
    ++files;
  }
  EXPECT_EQ(files, 7u);
  EXPECT_GT(compared, 5000u);
}

// Shows that the check can fail: an incorrect record must be detected.
TEST(ShapeCorpus, AWrongTypeIsADifference) {
  Context context;
  const auto graph =
      read_json(context, testing::read_file(fx::testing::corpus_dir() / "mlp" / "joint.json"));
  ASSERT_TRUE(graph.ok());
  Node* call = nullptr;
  for (Node& node : (*graph)->nodes())
    if (node.op() == Opcode::kCallFunction && node.type().is_tensor()) call = &node;
  ASSERT_TRUE(call);
  const auto wrong = context.types().parse("f64[7, 7, 7]");
  ASSERT_TRUE(wrong.ok());
  call->set_type(*wrong);
  const GraphComparison comparison = compare_with_recorded(**graph);
  ASSERT_EQ(comparison.different.size(), 1u);
  EXPECT_EQ(comparison.different[0].node, call);
}

}  // namespace
}  // namespace fx
