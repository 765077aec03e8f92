// Tests decompose with custom tables, and errors of decompositions. test_decompose.py tests the
// results of fxcpp's entries; tests/filecheck/passes/decompose.fx has text tests.
#include "fx/passes/decompose/decompose.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include "fmt/format.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::decompose_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
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
TEST(Decompose, AcceptsCustomEntries) {
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

TEST(Decompose, KeepsRejectedCalls) {
  Context context;
  const auto graph = parse(context, kTanh);
  const std::string before = print(*graph);
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.tanh.default",
                        [](Decomposer& d) -> AnyArg {
                          const Proxy x = d.tensor("self");
                          exp(x);  // has no users, so it is removed
                          return d.reject("not on a Saturday");
                        }),
              testing::IsOk());
  const auto report = decompose(*graph, {.table = &table, .ops = {"aten.tanh.default"}});
  ASSERT_THAT(report.status(), testing::IsOk());
  EXPECT_FALSE(report->changed);
  EXPECT_EQ(report->str(), "y (aten.tanh.default): not on a Saturday\n");
  EXPECT_EQ(print(*graph), before);
}

TEST(Decompose, KeepsCallsWithInvalidReplacements) {
  Context context;
  const auto graph = parse(context, kTanh);
  const std::string before = print(*graph);
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.tanh.default",
                        [](Decomposer& d) -> AnyArg {
                          return d.tensor("self").view({3});  // the tensor has two elements
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
  EXPECT_THAT(report->str(), HasSubstr("size f32[1, 2] instead of f32[2]"));
  EXPECT_EQ(print(*graph), before);
}

// A complex input may be a lazy view, so that the inferred type of the call does not state strides.
// The replacement must have the strides of the recorded type (1000987851).
TEST(Decompose, ReplacementsHaveRecordedStrides) {
  Context context;
  const auto graph =
      parse(context, R"(graph(%x : f32[1, 2], %y : c64[1, 2, 1][2, 0, 4]{offset=2}, %g : i64[2]) {
    %a : c64[1, 2, 2] = aten.addcmul.default(%g, %y, %x, value=-1.0)
    return %a
  })");
  DecompositionTable table;
  ASSERT_THAT(table.add("aten.addcmul.default",
                        [](Decomposer& d) -> AnyArg {
                          return d.tensor("self") + d.tensor("tensor1") * -1 * d.tensor("tensor2");
                        }),
              testing::IsOk());
  ASSERT_THAT(decompose(*graph, {.table = &table, .ops = {"aten.addcmul"}}).status(),
              testing::IsOk());
  const Node* a = graph->find_node("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(to_string(a->type()), "c64[1, 2, 2]");
  EXPECT_THAT(print(*graph), HasSubstr("%a : c64[1, 2, 2] = aten.clone.default("));
}

// As in avg_pool2d(x, 2), a number for a list argument is a list of one item.
TEST(Decompose, ANumberIsAListOfOne) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[2, 3, 8, 8], %n : int(2), %l) {
    %a : f32[2, 3, 4, 4] = aten.avg_pool2d.default(%x, 2, 2)
    %b : f32[2, 3, 4, 4] = aten.avg_pool2d.default(%x, [2, 2], %n)
    %c : f32[2, 3, 4, 4] = aten.avg_pool2d.default(%x, [2, 2], %l)
    return (%a, %b, %c)
  })");
  DecompositionTable table;
  std::vector<size_t> counts;
  ASSERT_THAT(table.add("aten.avg_pool2d.default",
                        [&](Decomposer& d) -> AnyArg {
                          if (counts.empty())
                            counts = {d.integers("kernel_size").size(), d.dims("stride").size(),
                                      d.dims("padding").size()};
                          return d.emit("aten.max_pool2d.default",
                                        {d.tensor("self"), IntList(d.dims("kernel_size")),
                                         IntList(d.dims("stride")), IntList(d.dims("padding"))});
                        }),
              testing::IsOk());
  const auto report = decompose(*graph, {.table = &table, .ops = {"aten.avg_pool2d"}});
  ASSERT_THAT(report.status(), testing::IsOk());
  EXPECT_EQ(report->decomposed, 2);
  EXPECT_THAT(counts, ElementsAre(1, 1, 2));
  EXPECT_EQ(report->str(),
            "c (aten.avg_pool2d.default): its argument stride is not a list of sizes\n");
  EXPECT_THAT(print(*graph), AllOf(HasSubstr("aten.max_pool2d.default(%x, [2], [2], [0, 0])"),
                                   HasSubstr("aten.max_pool2d.default(%x, [2, 2], [%n], [0, 0])")));
}

TEST(Decompose, CopiesAnInputReturnedAsAResult) {
  Context context;
  const auto graph = parse(context, kTanh);
  DecompositionTable table;
  ASSERT_THAT(
      table.add("aten.tanh.default", [](Decomposer& d) -> AnyArg { return d.tensor("self"); }),
      testing::IsOk());
  ASSERT_THAT(decompose(*graph, {.table = &table, .ops = {"aten.tanh"}}).status(), testing::IsOk());
  EXPECT_EQ(graph->find_node("y")->target(), "aten.clone.default");
}

TEST(Decompose, DetectsCycles) {
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
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("cycle"));
  EXPECT_TRUE(verify(*graph).ok());
}

constexpr std::string_view kRepeated = R"(
graph(%x : f32[4, 4], %y : f32[4, 4], %h : f16[4], %w : f32[4, 4], %b : f32[4], %s : f32[s0, 4]) {
  %fc0 : f32[4, 4] = aten.linear.default(%x, %w, %b)
  %fc1 : f32[4, 4] = aten.linear.default(%fc0, %w, %b)
  %fc2 : f32[4, 4] = aten.linear.default(%fc1, %w, bias=%b)
  %fc3 : f32[4, 4] = aten.linear.default(%fc2, %w, %b)
  %fc4 : f32[4, 4] = aten.linear.default(%fc3, %w)
  %same0 : f32[4, 4] = aten.linear.default(%x, %x)
  %same1 : f32[4, 4] = aten.linear.default(%y, %y)
  %same2 : f32[4, 4] = aten.linear.default(%x, %y)
  %same3 : f32[4, 4] = aten.linear.default(%w, %w)
  %h0 : f16[4] = aten.silu.default(%h)
  %h1 : f16[4] = aten.silu.default(%h0)
  %h2 : f16[4] = aten.silu.default(%h1)
  %n0 : (f32[4, 4], f32[4, 1], f32[4, 1]) = aten.native_layer_norm.default(%fc0, [4], %b, %b, 1e-05)
  %a0 : f32[4, 4] = operator.getitem(%n0, 0)
  %n1 : (f32[4, 4], f32[4, 1], f32[4, 1]) = aten.native_layer_norm.default(%fc1, [4], %b, None, 1e-05)
  %a1 : f32[4, 4] = operator.getitem(%n1, 0)
  %n2 : (f32[4, 4], f32[4, 1], f32[4, 1]) = aten.native_layer_norm.default(%fc2, [4], %b, None, 1e-05)
  %a2 : f32[4, 4] = operator.getitem(%n2, 0)
  %m2 : f32[4, 1] = operator.getitem(%n2, 1)
  %n3 : (f32[4, 4], f32[4, 1], f32[4, 1]) = aten.native_layer_norm.default(%fc3, [4], %b, None, 1e-05)
  %a3 : f32[4, 4] = operator.getitem(%n3, 0)
  %n4 : (f32[4, 4], f32[4, 1], f32[4, 1]) = aten.native_layer_norm.default(%fc4, [4], %b, None, 1e-05)
  %a4 : f32[4, 4] = operator.getitem(%n4, 0)
  %m4 : f32[4, 1] = operator.getitem(%n4, 1)
  %e0 : f32[4, 4] = aten.elu.default(%a0, 0.5)
  %e1 : f32[4, 4] = aten.elu.default(%a1, 0.25)
  %e2 : f32[4, 4] = aten.elu.default(%a2, 0.5)
  %e3 : f32[4, 4] = aten.elu.default(%a3, 0.5)
  %e4 : f32[4, 4][1, 4] = aten.elu.default(%a4, 0.5)
  %e5 : f32[4, 4] = aten.elu.default(%e3, 0.5)
  %s0_ : f32[s0, 4] = aten.silu.default(%s)
  %s1_ : f32[s0, 4] = aten.silu.default(%s0_)
  %s2_ : f32[s0, 4] = aten.silu.default(%s1_)
  return (%fc4, %same0, %same1, %same2, %same3, %h2, %e0, %e1, %e2, %e4, %e5, %m2, %m4, %s2_)
})";

/// Renames nodes by position, because names of dropped nodes remain reserved.
std::string numbered(Graph& graph) {
  int i = 0;
  for (Node& node : graph.nodes()) node.rename(fmt::format("node{}", i++));
  return print(graph);
}

// A cached replacement must equal the replacement that the decomposition records for each call.
TEST(Decompose, CachedReplacementsEqualRecordedOnes) {
  DecompositionTable each;
  for (Decomposition entry : DecompositionTable::standard().entries()) {
    EXPECT_TRUE(entry.by_types) << entry.op;
    entry.by_types = false;
    ASSERT_THAT(each.add(entry), testing::IsOk());
  }
  for (const bool all : {false, true}) {
    Context context;
    const auto graph = parse(context, kRepeated), expected = parse(context, kRepeated);
    for (Node& node : graph->nodes())
      if (node.is_call()) node.meta().set("module", Argument(node.name()));
    for (Node& node : expected->nodes())
      if (node.is_call()) node.meta().set("module", Argument(node.name()));
    const auto report = decompose(*graph, {.all = all});
    ASSERT_THAT(report.status(), testing::IsOk());
    const auto expected_report = decompose(*expected, {.table = &each, .all = all});
    ASSERT_THAT(expected_report.status(), testing::IsOk());
    EXPECT_EQ(report->decomposed, expected_report->decomposed);
    EXPECT_EQ(report->str(), expected_report->str());
    EXPECT_EQ(numbered(*graph), numbered(*expected));
    EXPECT_TRUE(verify(*graph).ok()) << verify(*graph).str();
  }
}

TEST(Decompose, RunsADecompositionByTypesOnceForSimilarCalls) {
  Context context;
  std::string text = "graph(%x : f32[2], %d : f64[2], %s : f32[s0]) {";
  for (int i = 0; i < 5; ++i) {
    text += fmt::format(" %x{} : f32[2] = aten.tanh.default(%x)", i);
    text += fmt::format(" %d{} : f64[2] = aten.tanh.default(%d)", i);
    text += fmt::format(" %s{} : f32[s0] = aten.tanh.default(%s)", i);
  }
  text += " return (%x4, %d4, %s4) }";
  for (const bool by_types : {false, true}) {
    const auto graph = parse(context, text);
    int runs = 0;
    DecompositionTable table;
    ASSERT_THAT(table.add({.op = "aten.tanh.default",
                           .function =
                               [&runs](Decomposer& d) {
                                 ++runs;
                                 return tanh_by_sigmoid(d);
                               },
                           .by_types = by_types}),
                testing::IsOk());
    const auto report = decompose(*graph, {.table = &table, .ops = {"aten.tanh"}});
    ASSERT_THAT(report.status(), testing::IsOk());
    EXPECT_EQ(report->decomposed, 15);
    // The second replacement of a kind is cached, but not with symbolic sizes.
    EXPECT_EQ(runs, by_types ? 2 + 2 + 5 : 15);
    EXPECT_TRUE(verify(*graph).ok());
  }
}

// Such a graph is invalid, but must not cause a crash.
TEST(Decompose, CallsThatUseThemselvesAreNotCopied) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[2]) {
    %a : f32[2] = aten.silu.default(%x)
    %b : f32[2] = aten.silu.default(%a)
    %c : f32[2] = aten.silu.default(%b)
    return %c
  })");
  Node* c = graph->find_node("c");
  ASSERT_THAT(c->update_arg(0, c), testing::IsOk());
  (void)decompose(*graph);
  EXPECT_FALSE(verify(*graph).ok());
}

TEST(Decompose, ListsItsOperators) {
  Context context;
  const auto graph = parse(context, kTanh);
  const auto report = decompose(*graph, {.ops = {"aten.tanh"}});
  EXPECT_EQ(report.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(report.status().message()), HasSubstr("--decompositions"));
}

}  // namespace
}  // namespace fx::decompose_test
