// Round trips of `.fx` text: random graphs with every kind of argument, type and metadata; very
// long, truncated and corrupted text.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/hash.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/graph_variants.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "absl/base/config.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;

/// Expects that parsing the text of the graph yields an equal graph that prints the same text.
void expect_round_trip(Context& context, const Graph& graph) {
  const std::string text = print(graph);
  absl::StatusOr<std::unique_ptr<Graph>> back = parse_graph(context, text);
  ASSERT_THAT(back, IsOk()) << text;
  const std::optional<GraphDifference> difference = first_difference(graph, **back);
  ASSERT_FALSE(difference.has_value()) << difference->message << "\n" << text;
  ASSERT_EQ(print(**back), text);
}

// random_graph_test.cpp tests that every kind of argument, type and metadata occurs.
// parity: G22 C17
TEST(TextRoundTrip, TenThousandRandomGraphs) {
  Context context;
  for (uint64_t seed = 0; seed < 10'000; ++seed) {
    std::unique_ptr<Graph> graph =
        testing::random_graph(context, seed, {.invalid_utf8 = seed % 2 == 1});
    expect_round_trip(context, *graph);
    if (::testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

// The order of a node's metadata depends only on the graph's nodes, not on when keys were set and
// removed.
TEST(TextRoundTrip, MetadataThatWasSetAndRemoved) {
  Context context;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::unique_ptr<Graph> graph = testing::random_graph(context, seed);
    testing::Random random(seed);
    testing::change_meta(*graph, random);
    expect_round_trip(context, *graph);
    if (::testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(TextRoundTrip, OtherContextsReadTheSameGraph) {
  Context context;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = print(*testing::random_graph(context, seed));
    Context other;
    FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> back, parse_graph(other, text));
    ASSERT_EQ(print(*back), text) << "seed " << seed;
  }
}

TEST(TextRoundTrip, CanonicalTextParsesToAGraphWithTheSameHash) {
  Context context;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    std::unique_ptr<Graph> graph = testing::random_graph(context, seed);
    const std::string text = print(*graph, {.preset = PrintPreset::kCanonical});
    absl::StatusOr<std::unique_ptr<Graph>> back = parse_graph(context, text);
    ASSERT_THAT(back, IsOk()) << text;
    EXPECT_EQ(structural_hash(**back), structural_hash(*graph)) << "seed " << seed;
    EXPECT_EQ(print(**back, {.preset = PrintPreset::kCanonical}), text);
  }
}

// ---------------------------------------------------------------- size

/// Measures how much the peak memory of the process exceeds its memory at construction.
class PeakMemory {
 public:
  PeakMemory() {
    std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak to the current memory
    start_ = peak_mib();
  }
  /// True if the growth is less than a limit. AddressSanitizer delays frees and adds red zones.
  ::testing::AssertionResult grew_less_than(int64_t mib) const {
#ifdef ABSL_HAVE_ADDRESS_SANITIZER
    mib = 3 * mib + 512;
#endif
    const int64_t grown = peak_mib() - start_;
    if (grown < mib) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << grown << " MiB; the limit is " << mib;
  }

 private:
  static int64_t peak_mib() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
      if (word != "VmHWM:") continue;
      int64_t kib = 0;
      status >> kib;
      return kib / 1024;
    }
    return 0;
  }
  int64_t start_ = 0;
};

TEST(TextRoundTrip, AChainOfAMillionNodes) {
  Context context;
  Graph graph(context);
  Node* value = graph.placeholder("x");
  const Target relu = context.function("torch.relu");
  for (int i = 0; i < 1'000'000; ++i) value = graph.call_function(relu, {value});
  graph.output(value);
  const PeakMemory memory;
  expect_round_trip(context, graph);
  EXPECT_TRUE(memory.grew_less_than(1000));
}

TEST(TextRoundTrip, DeepNestingIsRejectedWithAPosition) {
  Context context;
  constexpr size_t kLevels = 1'000'000;
  const auto repeated = [](std::string_view text) {
    std::string all;
    for (size_t i = 0; i < kLevels; ++i) all += text;
    return all;
  };
  const PeakMemory memory;
  const auto expect_error = [&](const std::string& text, std::string_view message) {
    EXPECT_THAT(parse_graph(context, text), testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                                              HasSubstr(std::string(message))));
  };
  for (std::string_view open : {"[", "(1, ", "{1: ", "p.P(", "p.P(a=", "\"p\"(", "slice("})
    expect_error("graph() { %y = f(" + repeated(open), ": error: values are nested more than 256");
  for (std::string_view open : {"[", "(", "{\"a\": "})
    expect_error("graph(%x : " + repeated(open),
                 ": error: types are nested more than 64 levels deep");
  for (std::string_view open : {"(", "-", "f(", "2**"})
    expect_error("graph(%x : f32[" + repeated(open), "is nested more than");
  expect_error(repeated("graph @g(){"),
               ":1:705: error: graphs are nested more than 64 levels deep");
  EXPECT_TRUE(memory.grew_less_than(200));
}

// Each key has a column for the nodes that have it, without cells for other nodes.
TEST(TextRoundTrip, MemoryOfMetadataIsProportionalToEntries) {
  std::string text = "graph() {\n";
  for (int i = 0; i < 30'000; ++i) text += "%a_" + std::to_string(i) + " = f()\n";
  text += "%last = f() !{";
  for (int i = 0; i < 10'000; ++i) text += "k" + std::to_string(i) + "=1, ";
  const PeakMemory memory;
  Context context;
  EXPECT_THAT(parse_graph(context, text + "} }"), IsOk());
  EXPECT_TRUE(memory.grew_less_than(100));
}

// A line of about 12 MB. The parser must not search repeatedly for its end.
TEST(TextRoundTrip, OneLongLineIsParsedInLinearTime) {
  Context context;
  std::string text = "graph() {";
  for (int i = 0; i < 300'000; ++i)
    text += " %a_" + std::to_string(i) + " : f32[" + std::to_string(i) + "] = f(sym(s0 + 1))";
  SourceLocations positions;
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<Graph> graph,
                          parse_graph(context, text + "}", {.locations = &positions}));
  EXPECT_EQ(graph->size(), 300'000u);
  EXPECT_EQ(positions.at(graph->back()).column, text.rfind('%') + 1);
}

// ---------------------------------------------------------------- damage

/// Expects that text is rejected with a position, or results in a graph that can be inspected and
/// round-trips.
void expect_rejected_or_valid(std::string_view text) {
  Context context;
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  if (!graph.ok()) {
    EXPECT_THAT(std::string(graph.status().message()), HasSubstr("<text>:")) << text;
    EXPECT_THAT(std::string(graph.status().message()), HasSubstr("^")) << text;
    return;
  }
  verify(**graph);
  expect_round_trip(context, **graph);
}

TEST(TextRoundTrip, TruncatedText) {
  Context context;
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const std::string text = print(*testing::random_graph(context, seed));
    for (size_t length = 0; length < text.size(); length += 1 + text.size() / 150) {
      Context other;
      const std::string_view cut = std::string_view(text).substr(0, length);
      if (length < text.rfind('}')) {
        EXPECT_FALSE(parse_graph(other, cut).ok()) << cut;
      }
      expect_rejected_or_valid(cut);
    }
  }
}

TEST(TextRoundTrip, TextWithFlippedBits) {
  Context context;
  testing::Random random(7);
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    std::string text = print(*testing::random_graph(context, seed % 300));
    for (size_t i = random.below(3) + 1; i > 0; --i)
      text[random.below(text.size())] ^= static_cast<char>(1 << random.below(8));
    expect_rejected_or_valid(text);
    if (::testing::Test::HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace fx
