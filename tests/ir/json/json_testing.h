// Helpers for tests of the interchange JSON.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/verify/diff.h"
#include "tests/testing/status_matchers.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// Returns a document in the layout of docs/json.md. `nodes` has one node per line, without
/// indentation.
inline std::string document(std::string_view nodes, std::string_view before = "", int format = 2) {
  std::string text = "{\n\"format\":" + std::to_string(format) + std::string(before) +
                     ",\n\"graph\":{\n \"nodes\":[\n";
  for (char c : std::string("  ") + std::string(nodes)) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text + "\n ]\n}\n}\n";
}

inline constexpr std::string_view kX = R"({"name":"x","op":"placeholder","target":"x"})";
inline constexpr std::string_view kOutput = R"({"name":"output","op":"output","target":"output",)";

/// Returns a document with a graph that returns f(x, argument).
inline std::string with_argument(std::string_view argument, int format = 2) {
  const std::string none = format == 1 ? ",\"val\":null}" : "}";
  return document(R"({"name":"x","op":"placeholder","target":"x")" + none + ",\n" +
                      R"({"name":"f","op":"call_function","target":"f","args":[{"n":"x"},)" +
                      std::string(argument) + "]" + none + ",\n" + std::string(kOutput) +
                      R"("args":[{"n":"f"}]})",
                  "", format);
}

class JsonTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> read(std::string_view text, const JsonOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_json(context_, text, options);
    EXPECT_THAT(graph, testing::IsOk()) << text;
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }
  std::string write(const Graph& graph) {
    absl::StatusOr<std::string> text = write_json(graph);
    EXPECT_THAT(text, testing::IsOk());
    return text.ok() ? *text : "";
  }
  /// Expects that reading and writing the text results in the same bytes. Returns the graph.
  std::unique_ptr<Graph> expect_same(std::string_view text) {
    std::unique_ptr<Graph> graph = read(text);
    EXPECT_EQ(write(*graph), text);
    return graph;
  }
  void expect_error(std::string_view text, std::string_view message) {
    EXPECT_THAT(read_json(context_, text),
                testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                  ::testing::HasSubstr(std::string(message))));
  }
  /// Expects that writing and reading the graph results in an equal graph and the same bytes.
  void expect_round_trip(const Graph& graph) {
    const std::string text = write(graph);
    absl::StatusOr<std::unique_ptr<Graph>> back = read_json(context_, text);
    ASSERT_THAT(back, testing::IsOk()) << text;
    const std::optional<GraphDifference> difference = first_difference(graph, **back);
    EXPECT_FALSE(difference.has_value()) << difference->message << "\n" << text;
    EXPECT_EQ(write(**back), text);
  }

  Context context_;
};

}  // namespace fx
