// Tests vmap: the graphs that it creates, custom rules, and its errors. tests/torch/test_vmap.py
// compares values with loops over examples.
#include "fx/passes/vmap/vmap.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/autodiff/autodiff.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace fx::vmap_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::StatusIs;

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? std::move(*graph) : std::make_unique<Graph>(context);
}

std::string text_of(const absl::StatusOr<std::unique_ptr<Graph>>& graph) {
  if (!graph.ok()) return graph.status().ToString();
  EXPECT_EQ(verify(**graph).str(), "");
  return print(**graph, {.meta = false});
}

constexpr std::string_view kRows =
    "graph(%x : f32[3], %w : f32[4, 3]) {\n"
    "  %mv : f32[4] = aten.mv.default(%w, %x)\n"
    "  %tanh : f32[4] = aten.tanh.default(%mv)\n"
    "  return %tanh\n"
    "}";

TEST(Vmap, AMatrixTimesAVectorIsAProductOfMatrices) {
  Context context;
  EXPECT_EQ(text_of(vmap(*parse(context, kRows), {.in_dims = {{"x", 0}, {"w", std::nullopt}}})),
            "graph(%x : f32[batch, 3], %w : f32[4, 3]) {\n"
            "  %t : f32[3, 4][1, 3] = aten.t.default(%w)\n"
            "  %mm : f32[batch, 4] = aten.mm.default(%x, %t)\n"
            "  %tanh_1 : f32[batch, 4] = aten.tanh.default(%mm)\n"
            "  return %tanh_1\n"
            "}\n");
}

TEST(Vmap, DimensionsAreCountedWithTheBatch) {
  Context context;
  const auto graph = parse(context,
                           "graph(%x : f32[3, 4]) {\n"
                           "  %sum : f32[3] = aten.sum.dim_IntList(%x, [-1])\n"
                           "  %amax : f32[4] = aten.amax.default(%x, [0])\n"
                           "  return (%sum, %amax)\n"
                           "}");
  const std::string text = text_of(vmap(*graph, {.size = Dim(8)}));
  EXPECT_THAT(text, AllOf(HasSubstr("aten.sum.dim_IntList(%x, [2])"),
                          HasSubstr("aten.amax.default(%x, [1])"), HasSubstr("f32[8, 3, 4]")));
}

TEST(Vmap, VmapOfVmapHasTwoBatchSymbols) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(
      const auto inner, vmap(*parse(context, kRows), {.in_dims = {{"x", 0}, {"w", std::nullopt}}}));
  EXPECT_THAT(text_of(vmap(*inner, {.in_dims = {{"x", std::nullopt}, {"w", 0}}})),
              AllOf(HasSubstr("%x : f32[batch, 3]"), HasSubstr("%w : f32[batch_1, 4, 3]")));
}

TEST(Vmap, VmapOfGradReturnsAGradientForEachExample) {
  Context context;
  const auto graph = parse(context,
                           "graph(%x : f32[3], %w : f32[3]) {\n"
                           "  %dot : f32[] = aten.dot.default(%x, %w)\n"
                           "  %sin : f32[] = aten.sin.default(%dot)\n"
                           "  return %sin\n"
                           "}");
  FX_ASSERT_OK_AND_ASSIGN(const auto gradient, grad(*graph, {.wrt = {"w"}}));
  FX_ASSERT_OK_AND_ASSIGN(
      const auto each,
      vmap(*gradient, {.in_dims = {{"x", 0}, {"w", std::nullopt}}, .size = Dim(5)}));
  const ArgumentRef result = each->output_node()->arg(0);
  EXPECT_EQ(to_string(result[0].as_node()->type()), "f32[5, 3]");
}

TEST(Vmap, SharedResultsAreExpandedOrKept) {
  Context context;
  const auto graph = parse(context,
                           "graph(%x : f32[3], %w : f32[2]) {\n"
                           "  %sin : f32[2] = aten.sin.default(%w)\n"
                           "  return (%x, %sin)\n"
                           "}");
  EXPECT_THAT(text_of(vmap(*graph, {.in_dims = {{"x", 0}}, .size = Dim(5)})),
              HasSubstr("aten.expand.default(%sin, [5, 2])"));
  EXPECT_THAT(text_of(vmap(*graph, {.in_dims = {{"x", 0}}, .out_dims = {0, std::nullopt}})),
              AllOf(HasSubstr("return (%x, %sin)"), Not(HasSubstr("expand"))));
  EXPECT_THAT(vmap(*graph, {.in_dims = {{"x", 0}}, .out_dims = {std::nullopt}}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("depends on the batch")));
}

constexpr std::string_view kHistogram =
    "graph(%x : f32[6]) {\n"
    "  %histc : f32[4] = aten.histc.default(%x, 4)\n"
    "  return %histc\n"
    "}";

TEST(Vmap, LoopsAreReported) {
  Context context;
  const auto graph = parse(context, kHistogram);
  VmapReport report;
  const std::string text = text_of(vmap(*graph, {.size = Dim(3)}, &report));
  EXPECT_THAT(report.looped, ElementsAre("aten.histc.default (%histc)"));
  EXPECT_THAT(text, AllOf(HasSubstr("aten.unbind.int(%x"), HasSubstr("aten.stack.default")));
  EXPECT_THAT(vmap(*graph, {.size = Dim(3), .loop = false}),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("aten.histc.default (%histc): it has no batching rule")));
  EXPECT_THAT(vmap(*graph),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("a known number of examples")));
}

TEST(Vmap, AcceptsCustomRules) {
  Context context;
  ASSERT_THAT(context.add_operator("user::first(Tensor x, int dim) -> Tensor").status(),
              testing::IsOk());
  BatchingTable table = BatchingTable::standard();
  ASSERT_THAT(table.add({.op = "user.first.default",
                         .kind = BatchKind::kByFunction,
                         .function = [](Batch& b) -> AnyArg {
                           const int64_t dim = b.shifted(b.integer("dim"), b.rank_of("x"));
                           return b.emit("aten.select.int", {b("x"), dim, 0});
                         }}),
              testing::IsOk());
  EXPECT_THAT(table.add({.op = "user.first.default"}),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("user.first.default")));
  EXPECT_THAT(table.add({.op = "user.second.default", .kind = BatchKind::kDims}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("dims")));
  const auto graph = parse(context,
                           "graph(%x : f32[3, 4]) {\n"
                           "  %y : f32[3] = user.first.default(%x, -1)\n"
                           "  return %y\n"
                           "}");
  VmapReport report;
  EXPECT_THAT(text_of(vmap(*graph, {.size = Dim(2), .table = &table}, &report)),
              HasSubstr("aten.select.int(%x, 2, 0)"));
  EXPECT_THAT(report.looped, IsEmpty());
}

TEST(Vmap, RulesThatReturnAWrongTypeAreErrors) {
  Context context;
  BatchingTable table = BatchingTable::standard();
  ASSERT_THAT(table.replace({.op = "aten.mv.default",
                             .kind = BatchKind::kByFunction,
                             .function = [](Batch& b) -> AnyArg { return b("vec"); }}),
              testing::IsOk());
  EXPECT_THAT(
      vmap(*parse(context, kRows), {.in_dims = {{"x", 0}, {"w", std::nullopt}}, .table = &table}),
      StatusIs(absl::StatusCode::kUnimplemented,
               HasSubstr("returns f32[batch, 3] for a batch of f32[4]")));
}

TEST(Vmap, Errors) {
  Context context;
  const auto graph = parse(context, kRows);
  const auto with = [&](std::string_view name, std::optional<int64_t> dim) {
    VmapOptions options;
    options.in_dims = {{std::string(name), dim}};
    return vmap(*graph, options).status();
  };
  EXPECT_THAT(with("y", 0), StatusIs(absl::StatusCode::kNotFound, HasSubstr("unknown input y")));
  EXPECT_THAT(with("x", 2), StatusIs(absl::StatusCode::kInvalidArgument,
                                     HasSubstr("2 dimensions including the batch")));
  EXPECT_THAT(with("x", std::nullopt), StatusIs(absl::StatusCode::kInvalidArgument,
                                                HasSubstr("at least one input must be batched")));
  const auto random = parse(context,
                            "graph(%x : f32[3]) {\n"
                            "  %r : f32[3] = aten.rand_like.default(%x)\n"
                            "  %n : i64[u0, 1] = aten.nonzero.default(%x)\n"
                            "  return (%r, %n)\n"
                            "}");
  EXPECT_THAT(vmap(*random),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("random"), HasSubstr("aten.nonzero.default"))));
  const auto write = parse(context,
                           "graph(%x : f32[3], %total : f32[3]) {\n"
                           "  %add_ : f32[3] = aten.add_.Tensor(%total, %x)\n"
                           "  return %x\n"
                           "}");
  EXPECT_THAT(vmap(*write, {.in_dims = {{"x", 0}}}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("also batch that input")));
  EXPECT_THAT(text_of(vmap(*write, {.size = Dim(2)})), HasSubstr("aten.copy_.default(%total"));
}

}  // namespace
}  // namespace fx::vmap_test
