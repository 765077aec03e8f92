// decompose with tables of a user's own, and what it does when a decomposition goes wrong. What
// fxcpp's entries compute: test_decompose.py; text tests: tests/filecheck/passes/decompose.fx.
#include "fx/passes/decompose/decompose.h"

#include "fx/ir/context.h"
#include "fx/ir/meta.h"
#include "fx/ir/text.h"
#include "fx/ir/verifier.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ::testing::HasSubstr;

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? std::move(*graph) : std::make_unique<Graph>(context);
}

constexpr std::string_view kTanh =
    "graph(%x : f32[2]) { %y : f32[2] = aten.tanh.default(%x) return %y }";

AnyArg tanh_by_sigmoid(Decomposer& d) {
  const Proxy x = d.tensor("self");
  return 2 * sigmoid(2 * x) - 1;
}

// parity: E18
TEST(Decompose, TakesEntriesOfTheUsers) {
  Context context;
  const auto graph = parse(context, kTanh);
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.tanh.default", tanh_by_sigmoid), testing::IsOk());
  EXPECT_EQ(table.add("aten.tanh.default", tanh_by_sigmoid).code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(table.add("", tanh_by_sigmoid).code(), absl::StatusCode::kInvalidArgument);
  graph->find_node("y")->meta().set("module", Argument("head"));
  const auto report = decompose(*graph, {.table = &table, .ops = {"aten.tanh"}});
  ASSERT_THAT(report.status(), testing::IsOk());
  EXPECT_TRUE(report->changed);
  EXPECT_EQ(report->decomposed, 1);
  const Node* y = graph->find_node("y");
  ASSERT_NE(y, nullptr);
  EXPECT_EQ(y->target(), "aten.sub.Tensor");
  for (const Node& node : graph->nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    EXPECT_EQ(to_string(node.type()), "f32[2]");
    ASSERT_NE(node.meta().find("module"), nullptr) << node.name();
    EXPECT_EQ(*node.meta().find("module"), Argument("head"));
  }
  EXPECT_TRUE(verify(*graph).ok());
}

TEST(Decompose, LeavesACallThatIsRefused) {
  Context context;
  const auto graph = parse(context, kTanh);
  const std::string before = print(*graph);
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.tanh.default",
                        [](Decomposer& d) -> AnyArg {
                          const Proxy x = d.tensor("self");
                          exp(x);  // read by nobody, and gone again
                          return d.refuse("not on a Saturday");
                        }),
              testing::IsOk());
  const auto report = decompose(*graph, {.table = &table, .ops = {"aten.tanh.default"}});
  ASSERT_THAT(report.status(), testing::IsOk());
  EXPECT_FALSE(report->changed);
  EXPECT_EQ(report->str(), "y (aten.tanh.default): not on a Saturday\n");
  EXPECT_EQ(print(*graph), before);
}

TEST(Decompose, LeavesACallWhoseReplacementCannotBe) {
  Context context;
  const auto graph = parse(context, kTanh);
  const std::string before = print(*graph);
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.tanh.default",
                        [](Decomposer& d) -> AnyArg {
                          return d.tensor("self").view({3});  // of two elements
                        }),
              testing::IsOk());
  auto report = decompose(*graph, {.table = &table, .ops = {"aten.tanh"}});
  ASSERT_THAT(report.status(), testing::IsOk());
  EXPECT_THAT(report->str(), HasSubstr("3"));
  EXPECT_EQ(print(*graph), before);
  ASSERT_THAT(table.replace("aten.tanh.default",
                            [](Decomposer& d) -> AnyArg { return unsqueeze(d.tensor("self"), 0); }),
              testing::IsOk());
  report = decompose(*graph, {.table = &table, .ops = {"aten.tanh"}});
  ASSERT_THAT(report.status(), testing::IsOk());
  EXPECT_THAT(report->str(), HasSubstr("another size, f32[1, 2] in place of f32[2]"));
  EXPECT_EQ(print(*graph), before);
}

TEST(Decompose, CopiesAnInputThatStandsForAResult) {
  Context context;
  const auto graph = parse(context, kTanh);
  DecompositionTable table;
  ASSERT_THAT(
      table.add("aten.tanh.default", [](Decomposer& d) -> AnyArg { return d.tensor("self"); }),
      testing::IsOk());
  ASSERT_THAT(decompose(*graph, {.table = &table, .ops = {"aten.tanh"}}).status(), testing::IsOk());
  EXPECT_EQ(graph->find_node("y")->target(), "aten.clone.default");
}

TEST(Decompose, FindsCircles) {
  Context context;
  const auto graph = parse(context, kTanh);
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.tanh.default",
                        [](Decomposer& d) -> AnyArg { return sinh(d.tensor("self")); }),
              testing::IsOk());
  ASSERT_THAT(table.add("aten.sinh.default",
                        [](Decomposer& d) -> AnyArg { return tanh(d.tensor("self")); }),
              testing::IsOk());
  const auto report = decompose(*graph, {.table = &table, .all = true});
  EXPECT_EQ(report.status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("circle"));
  EXPECT_TRUE(verify(*graph).ok());
}

TEST(Decompose, SaysWhichOperatorsThereAre) {
  Context context;
  const auto graph = parse(context, kTanh);
  const auto report = decompose(*graph, {.ops = {"aten.tanh"}});
  EXPECT_EQ(report.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("--decompositions"));
}

}  // namespace
}  // namespace fx
