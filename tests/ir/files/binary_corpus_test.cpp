// Round trips of every corpus graph through `.fxb`.
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include <filesystem>
#include <memory>
#include <string>

namespace fx {
namespace {

TEST(BinaryCorpus, EveryGraphRoundTrips) {
  size_t graphs = 0, text_bytes = 0, binary_bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "index.json") continue;
    SCOPED_TRACE(entry.path().string());
    Context context, other;
    FX_ASSERT_OK_AND_ASSIGN(const std::string document, read_file(entry.path().string()));
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph, read_json(context, document));
    FX_ASSERT_OK_AND_ASSIGN(const std::string bytes, write_binary(*graph));
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> back, read_binary(other, bytes));
    const std::optional<GraphDifference> difference = first_difference(*graph, *back);
    EXPECT_FALSE(difference.has_value()) << difference->message;
    const std::string text = print(*graph);
    EXPECT_EQ(print(*back) == text, true);
    text_bytes += text.size();
    binary_bytes += bytes.size();
    ++graphs;
  }
  EXPECT_GE(graphs, 75u);
  EXPECT_LT(binary_bytes * 3, text_bytes);
}

}  // namespace
}  // namespace fx
