// Round trips of every corpus graph through `.fx` text, with the same bytes.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include <filesystem>
#include <memory>
#include <string>

namespace fx {
namespace {

TEST(TextCorpus, EveryGraphRoundTrips) {
  size_t graphs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "index.json") continue;
    SCOPED_TRACE(entry.path().string());
    Context context;
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph,
                            read_json(context, testing::read_file(entry.path())));
    const std::string text = print(*graph);
    Context other;
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> back, parse_graph(other, text));
    const std::optional<GraphDifference> difference = first_difference(*graph, *back);
    EXPECT_FALSE(difference.has_value()) << difference->message;
    EXPECT_EQ(print(*back) == text, true);
    ++graphs;
  }
  EXPECT_GE(graphs, 75u);
}

}  // namespace
}  // namespace fx
