// Type functions against the public corpus: recorded operator calls, and every graph file.
#include "fx/ir/context.h"
#include "fx/ir/json.h"
#include "fx/passes/shape/check_cases.h"
#include "fx/passes/shape/compare_graph.h"
#include "tests/testing/corpus.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::IsEmpty;

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string gunzip(const std::filesystem::path& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(
      popen(("gzip -dc '" + path.string() + "'").c_str(), "r"), pclose);
  std::string text;
  char buffer[65536];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, pipe.get())) text.append(buffer, n);
  return text;
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
    const auto graph = read_json(context, read_file(entry.path()));
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
  // PyTorch's loader gave this node of a nested graph no offset; forward.json, made of the same
  // program, has it.
  EXPECT_THAT(different,
              ::testing::ElementsAre("cond_net/export.json select: f32[6], not f32[6]{offset=6}"));
}

// A wrong record is found: the check can fail.
TEST(ShapeCorpus, AWrongTypeIsADifference) {
  Context context;
  const auto graph =
      read_json(context, read_file(fx::testing::corpus_dir() / "mlp" / "joint.json"));
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
