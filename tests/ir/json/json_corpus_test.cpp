// Reads, verifies, prints and parses every graph file of the corpus, and writes it back with the
// same bytes.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include "nlohmann/json.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace fx {
namespace {

using testing::IsOk;

/// Returns the graph files, <model>/<kind>.json.
std::vector<std::filesystem::path> graph_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir()))
    if (entry.path().extension() == ".json" && entry.path().filename() != "index.json")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(JsonCorpus, ReadsVerifiesPrintsAndWritesBack) {
  size_t count = 0;
  for (const std::filesystem::path& path : graph_files()) {
    SCOPED_TRACE(path.string());
    const std::string text = testing::read_file(path);
    Context context;
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph, read_json(context, text));
    EXPECT_GT(graph->size(), 0u);

    const VerifierReport report = verify(*graph, {.check_index = true});
    EXPECT_TRUE(report.findings.empty()) << report.str();

    FX_ASSERT_OK_AND_ASSIGN(const std::string written, write_json(*graph));
    EXPECT_EQ(written == text, true);
    EXPECT_EQ(nlohmann::ordered_json::parse(written), nlohmann::ordered_json::parse(text));

    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> parsed, parse_graph(context, print(*graph)));
    const std::optional<GraphDifference> difference = first_difference(*graph, *parsed);
    EXPECT_FALSE(difference.has_value()) << difference->message;
    EXPECT_EQ(structural_hash(*graph), structural_hash(*parsed));
    FX_ASSERT_OK_AND_ASSIGN(const std::string again, write_json(*parsed));
    EXPECT_EQ(again == text, true);
    ++count;
  }
  EXPECT_GE(count, 75u);
}

// In a graph module, constants that the graph refers to are declared, so that the module is valid
// too.
TEST(JsonCorpus, AsGraphModules) {
  for (const std::filesystem::path& path : graph_files()) {
    SCOPED_TRACE(path.string());
    const std::string text = testing::read_file(path);
    Context context;
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> module, read_json_module(context, text));
    EXPECT_EQ(module->class_name(), path.parent_path().filename());
    EXPECT_THAT(verify_status(module->graph()), IsOk());
    FX_ASSERT_OK_AND_ASSIGN(const std::string written, write_json(*module));
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> back, read_json_module(context, written));
    const std::optional<GraphDifference> difference =
        first_difference(module->graph(), back->graph());
    EXPECT_FALSE(difference.has_value()) << difference->message;
    FX_ASSERT_OK_AND_ASSIGN(const std::string again, write_json(*back));
    EXPECT_EQ(again == written, true);
  }
}

// Truncated and corrupted files are rejected or read, in bounded time.
TEST(JsonCorpus, DamagedFiles) {
  const std::string text = testing::read_file(testing::corpus_dir() / "cond_net" / "export.json");
  ASSERT_FALSE(text.empty());
  Context context;
  for (size_t length = 0; length + 2 < text.size(); length += 97)
    EXPECT_FALSE(read_json(context, text.substr(0, length)).ok());
  uint64_t state = 1;
  for (int i = 0; i < 1000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::string damaged = text;
    damaged[(state >> 33) % text.size()] ^= static_cast<char>(1 << (state >> 60) % 8);
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_json(context, damaged);
    if (graph.ok()) verify(**graph);
  }
}

}  // namespace
}  // namespace fx
