// Tests ranges and guards in the metadata of graphs.
#include "fx/ir/graph/edit/guards.h"

#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kGraph = R"fx(graph(%x : f32[n, 3], %y : f32[m, Min(5, n)], %k : SymInt(k)) {
  !guards = ["Eq(m, n)", "n >= 5", "k != ", 3, "Max(0, n - 4) <= k"]
  !symbols = {"n": {"min": 2, "max": 12}, "2*k": {"max": 8}, "q r s": {"min": 1}, "m": None}
  %a : f32[n, 3] = aten.relu.default(%x)
  return %a
})fx";

class GuardsTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(const std::string& text) {
    auto graph = parse_graph(context_, text);
    EXPECT_THAT(graph, testing::IsOk());
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }
  static std::vector<std::string> texts(const Graph& graph) {
    std::vector<std::string> result;
    for (const SymExpr guard : guards_of(graph)) result.push_back(to_string(guard));
    return result;
  }
  SymExpr relation(const char* text) { return *context_.exprs().parse(text); }

  Context context_;
};

TEST_F(GuardsTest, RelationsAreParsedAndOtherTextIsReported) {
  const auto graph = parse(kGraph);
  std::vector<std::string> unread;
  EXPECT_EQ(guards_of(*graph, &unread).size(), 3U);
  EXPECT_THAT(texts(*graph), ElementsAre("Eq(m, n)", "n >= 5", "k >= Max(0, n - 4)"));
  EXPECT_THAT(unread, ElementsAre("k != ", ""));
  const std::vector<SymbolRange> ranges = symbol_ranges(*graph);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(to_string(ranges[0].expr), "n");
  EXPECT_EQ(ranges[0].min, 2);
  EXPECT_EQ(ranges[0].max, 12);
  EXPECT_EQ(to_string(ranges[1].expr), "2*k");
  EXPECT_EQ(ranges[1].min, std::nullopt);
  EXPECT_THAT(guards_of(Graph(context_)), IsEmpty());
}

TEST_F(GuardsTest, GuardsAreAddedOnce) {
  const auto graph = parse("graph(%x : f32[n]) {\n  return %x\n}");
  const SymExpr guards[] = {relation("n >= 5"), relation("Ne(n, 7)"), relation("5 <= n")};
  EXPECT_TRUE(add_guards(*graph, guards));
  EXPECT_THAT(texts(*graph), ElementsAre("n >= 5", "Ne(n, 7)"));
  EXPECT_FALSE(add_guards(*graph, guards));
  EXPECT_FALSE(add_guards(*graph, {}));
  // Entries that cannot be parsed are kept.
  const auto other = parse(kGraph);
  EXPECT_TRUE(add_guards(*other, guards));
  EXPECT_EQ(other->meta("guards")->size(), 6U);
}

TEST_F(GuardsTest, EveryFileFormatPreservesRangesAndGuards) {
  const auto graph = parse(kGraph);
  const std::string text = print(*graph);
  EXPECT_EQ(print(*parse(text)), text);
  const absl::StatusOr<std::string> json = write_json(*graph);
  ASSERT_THAT(json, testing::IsOk());
  const auto from_json = read_json(context_, *json);
  ASSERT_THAT(from_json, testing::IsOk());
  EXPECT_EQ(texts(**from_json), texts(*graph));
  EXPECT_EQ((*from_json)->find_node("y")->type(), graph->find_node("y")->type());
  const auto from_binary = read_binary(context_, *write_binary(*graph));
  ASSERT_THAT(from_binary, testing::IsOk());
  EXPECT_EQ(print(**from_binary), text);
  EXPECT_EQ(print(*graph->clone()), text);
}

TEST_F(GuardsTest, PartsGetTheGuardsOfTheirSymbols) {
  const auto graph = parse(kGraph);
  const auto part =
      parse("graph(%x : f32[n, k]) {\n  !symbols = {\"n\": {\"min\": 3}}\n  return %x\n}");
  copy_guards(*graph, *part);
  EXPECT_THAT(texts(*part), ElementsAre("n >= 5", "k >= Max(0, n - 4)"));
  const std::vector<SymbolRange> ranges = symbol_ranges(*part);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].min, 3);  // the range that the part already had
  EXPECT_EQ(to_string(ranges[1].expr), "2*k");
  // A part without symbols must not change.
  const auto fixed = parse("graph(%x : f32[2]) {\n  return %x\n}");
  copy_guards(*graph, *fixed);
  EXPECT_THAT(fixed->meta(), IsEmpty());
}

TEST_F(GuardsTest, GraphCopyAddsTheGuardsOfTheSource) {
  const auto source = parse(R"fx(graph(%x : f32[n, 3], %y : f32[m]) {
    !guards = ["Eq(m, n)", "n >= 5"]
    !symbols = {"n": {"min": 2, "max": 12}, "m": {"min": 1}}
    %a : f32[n, 3] = aten.relu.default(%x)
    return %a
  })fx");
  const auto to = parse(R"fx(graph(%z : f32[n]) {
    !guards = ["n >= 5"]
    !symbols = {"n": {"min": 3}}
    %b : f32[n] = aten.relu.default(%z)
  })fx");
  NodeMapping map;
  EXPECT_THAT(to->graph_copy(*source, map), testing::IsOk());
  EXPECT_THAT(texts(*to), ElementsAre("n >= 5", "Eq(m, n)"));
  const std::vector<SymbolRange> ranges = symbol_ranges(*to);
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0].min, 3);  // the range of the destination does not change
  EXPECT_EQ(ranges[0].max, std::nullopt);
  EXPECT_EQ(to_string(ranges[1].expr), "m");
}

}  // namespace
}  // namespace fx
