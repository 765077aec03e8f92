// Tests summaries in cases that the text tests and the comparisons with torch
// (test_summary_corpus.py) do not cover.
#include "fx/passes/summary/summary.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/graph_view.h"
#include "fx/passes/analysis/training_step.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ::fx::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context);
}

TEST(Flops, EveryRowNamesAnOperator) {
  for (const FlopRow& row : flop_rows()) {
    ASSERT_FALSE(ops::find_overloads(row.packet).empty()) << row.packet;
    EXPECT_FALSE(row.source.empty()) << row.packet;
    for (const ops::OpInfo& op : ops::find_overloads(row.packet))
      EXPECT_EQ(find_flop_row(op), &row) << op.name();
  }
}

TEST(Flops, CustomFormulasTakePrecedence) {
  Context context;
  ASSERT_TRUE(context.add_operator("mylib::mix(Tensor x) -> Tensor").ok());
  FlopFormulas formulas;
  ASSERT_TRUE(formulas
                  .add(context, "mylib.mix.default",
                       [](const FlopCall& call) { return 3 * numel(call.sizes("x")); })
                  .ok());
  ASSERT_TRUE(formulas.add(context, "aten.mm", [](const FlopCall&) { return Dim(7); }).ok());
  EXPECT_THAT(formulas.add(context, "mylib.other", {}), StatusIs(absl::StatusCode::kNotFound));
  const auto graph = parse(context, R"(graph(%x : f32[2, 2]) {
    %a : f32[2, 2] = mylib.mix.default(%x)
    %b : f32[2, 2] = aten.mm.default(%a, %x)
    return %b
  })");
  FX_ASSERT_OK_AND_ASSIGN(const GraphSummary summary, summarize(*graph, {.formulas = &formulas}));
  EXPECT_EQ(summary.flops.forward, 12 + 7);
}

TEST(Flops, AreSymbolicForSymbolicSizes) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[s0, 4], %w : f32[4, s1]) {
    %mm : f32[s0, s1] = aten.mm.default(%x, %w)
    return %mm
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Dim flops, count_flops(*graph->find_node("mm")));
  EXPECT_EQ(to_string(flops), "8*s0*s1");
  SymBindings bindings;
  bindings.insert_or_assign(context.symbol("s0"), SymValue(3));
  EXPECT_THAT(summarize(*graph, {.bindings = bindings}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("s1")));
  bindings.insert_or_assign(context.symbol("s1"), SymValue(5));
  FX_ASSERT_OK_AND_ASSIGN(const GraphSummary summary, summarize(*graph, {.bindings = bindings}));
  EXPECT_EQ(summary.flops.forward, 120);
  EXPECT_EQ(summary.peak_forward.bytes, 4 * (3 * 4 + 4 * 5 + 3 * 5));
}

TEST(Flops, OverflowIsAnError) {
  Context context;
  const auto graph =
      parse(context, R"(graph(%x : f32[2000000000, 1][0, 0], %w : f32[1, 3000000000][0, 0]) {
    %mm : f32[2000000000, 3000000000] = aten.mm.default(%x, %w)
    return %mm
  })");
  EXPECT_FALSE(summarize(*graph).ok());
}

TEST(Flops, NestedGraphsAreCounted) {
  Context context;
  const auto graph = parse(context, R"(graph(%p : b8[], %x : f32[4, 4], %xs : f32[10, 4, 4]) {
    graph @yes(%x : f32[4, 4]) {
      %a : f32[4, 4] = aten.mm.default(%x, %x)
      %b : f32[4, 4] = aten.mm.default(%a, %x)
      return (%b,)
    }
    graph @no(%x : f32[4, 4]) {
      %a : f32[4, 4] = aten.mm.default(%x, %x)
      return (%a,)
    }
    graph @step(%carry : f32[4, 4], %x : f32[4, 4]) {
      %a : f32[4, 4] = aten.mm.default(%carry, %x)
      return (%a, %a)
    }
    %cond : (f32[4, 4],) = higher_order.cond(%p, @yes, @no, [%x])
    %scan : (f32[4, 4], f32[10, 4, 4]) = higher_order.scan(@step, [%x], [%xs], [])
    %keys : (f32[4, 4],) = higher_order.cond(%p, true_fn=@yes, false_fn=@no, operands=[%x])
    return (%cond, %scan, %keys)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const GraphSummary summary, summarize(*graph));
  EXPECT_EQ(summary.flops.forward, 128 * 2 + 128 * 10 + 128 * 2);
}

TEST(Liveness, ViewsKeepTheirStorageAlive) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[8]) {
    %a : f32[8] = aten.neg.default(%x)
    %v : f32[4] = aten.slice.Tensor(%a, 0, 0, 4)
    %b : f32[8] = aten.neg.default(%x)
    %w : f32[4] = aten.add_.Tensor(%v, 1)
    %c : f32[8] = aten.neg.default(%b)
    return %c
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Liveness liveness, analyze_liveness(*graph));
  // Live values at each node: x; a; a; a and b; a and b; b and c; c.
  EXPECT_THAT(liveness.live_bytes, ElementsAre(32, 64, 64, 96, 96, 96, 64));
  EXPECT_EQ(liveness.allocated_bytes(*graph->find_node("v")), 0);
  EXPECT_EQ(liveness.allocated_bytes(*graph->find_node("w")), 0);
}

TEST(Liveness, InputsThatShareMemoryAreOneStorage) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(
      const auto graph,
      parse_graph(context,
                  "graph(%part : f32[2] !{shared_memory=0}, %x : f32[6] !{shared_memory=0},\n"
                  "      %other : f32[4]) {\n"
                  "  %sum : f32[] = aten.sum.default(%part)\n"
                  "  return %sum\n"
                  "}\n"));
  FX_ASSERT_OK_AND_ASSIGN(const Liveness liveness, analyze_liveness(*graph));
  ASSERT_EQ(liveness.storages.size(), 3U);
  EXPECT_EQ(liveness.storages[0].bytes, 24);
  EXPECT_EQ(liveness.storages[1].bytes, 16);
  EXPECT_EQ(liveness.storages[2].bytes, 4);
}

TEST(Liveness, ItemsOfATupleAreReleasedSeparately) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[4, 4]) {
    %m : (f32[4], i64[4]) = aten.max.dim(%x, 1)
    %values : f32[4] = operator.getitem(%m, 0)
    %indices : i64[4] = operator.getitem(%m, 1)
    %a : f32[4] = aten.neg.default(%values)
    %b : f32[4] = aten.neg.default(%a)
    return (%b, %indices)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Liveness liveness, analyze_liveness(*graph));
  EXPECT_THAT(liveness.live_bytes, ElementsAre(64, 112, 112, 112, 128, 128, 112));
}

constexpr std::string_view kStep = R"(graph(
    %w : f32[4, 4] !{input={"kind": "parameter", "target": "fc.weight"}},
    %m : f32[4, 4] !{input={"kind": "optimizer", "target": "fc.weight.momentum_buffer"}},
    %x : f32[2, 4] !{input={"kind": "user_input", "index": 0}},
    %lr : float !{input={"kind": "number", "index": 0}},
) {
  %t : f32[4, 4][1, 4] = aten.t.default(%w) !{region="fw", module="fc"}
  %mm : f32[2, 4] = aten.mm.default(%x, %t) !{region="fw", module="fc"}
  %sum : f32[] = aten.sum.default(%mm) !{region="fw"}
  %one : f32[] = aten.ones_like.default(%sum) !{region="fw"}
  %g : f32[2, 4][0, 0] = aten.expand.default(%one, [2, 4]) !{region="bw"}
  %gt : f32[4, 2][0, 0] = aten.t.default(%g) !{region="bw", module="fc"}
  %dw : f32[4, 4] = aten.mm.default(%gt, %x) !{region="bw", module="fc"}
  %decay : f32[4, 4] = aten.mul.Scalar(%w, 0.01) !{region="fw", module="fc"}
  %all : f32[4, 4] = aten.add.Tensor(%dw, %decay) !{region="fw"}
  %m2 : f32[4, 4] = aten.mul_.Scalar(%m, 0.9) !{region="fw", module="fc"}
  %m3 : f32[4, 4] = aten.add_.Tensor(%m2, %all) !{region="fw"}
  %step : f32[4, 4] = aten.mul.Scalar(%m3, %lr) !{region="fw"}
  %w2 : f32[4, 4] = aten.sub_.Tensor(%w, %step) !{region="fw", module="fc"}
  %log : f32[] = aten.detach.default(%sum) !{region="fw"}
  return [%w2, %m3, %log] !{outputs=[
    {"kind": "mutation", "of": {"kind": "parameter", "target": "fc.weight"}},
    {"kind": "mutation", "of": {"kind": "optimizer", "target": "fc.weight.momentum_buffer"}},
    {"kind": "output", "index": 0}]}
})";

// A memory plan assigns a view the storage of its source, and each result of a call a separate
// storage.
TEST(Liveness, StoragesOfValues) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[8, 4]) {
    %a : f32[8, 4] = aten.relu.default(%x)
    %t : f32[4, 8][1, 4] = aten.t.default(%a)
    %top : (f32[4, 2], i64[4, 2]) = aten.topk.default(%t, 2)
    %index : i64[4, 2] = operator.getitem(%top, 1)
    %n : int(8) = aten.sym_size.int(%x, 0)
    %check = aten._assert_tensor_metadata.default(%a, dtype=torch.float32)
    %unknown = aten.neg.default(%a)
    return (%index, %unknown)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Liveness live, analyze_liveness(*graph));
  const auto storages = [&](std::string_view name) {
    return live.storages_of(*graph->find_node(name));
  };
  EXPECT_THAT(storages("x"), ElementsAre(0));
  EXPECT_THAT(storages("a"), ElementsAre(1));
  EXPECT_THAT(storages("t"), ElementsAre(1));
  EXPECT_THAT(storages("top"), ElementsAre(2, 3));
  EXPECT_THAT(storages("index"), ElementsAre(3));
  EXPECT_EQ(to_string(live.storages[3].type), "i64[4, 2]");
  EXPECT_THAT(storages("n"), ElementsAre(Liveness::kNoStorage));
  EXPECT_THAT(storages("output"), ElementsAre());
  // A call that returns nothing is not counted as a tensor of unknown size.
  EXPECT_EQ(live.unknown_values, 1);
  EXPECT_THAT(live.unknown_nodes, ElementsAre(graph->find_node("unknown")));
}

TEST(Summary, TrainingStepsHaveAnOptimizer) {
  Context context;
  const auto graph = parse(context, kStep);
  std::string optimizer;
  const NodeMap<StepPart> parts = find_step_parts(*graph);
  for (const Node& node : graph->nodes())
    if (parts[node] == StepPart::kOptimizer) optimizer += node.name() + " ";
  EXPECT_EQ(optimizer, "decay all m2 m3 step w2 ");  // `log` is not part of it
  FX_ASSERT_OK_AND_ASSIGN(const GraphSummary summary, summarize(*graph));
  EXPECT_EQ(summary.nodes, (StepPartCounts{.forward = 5, .backward = 3, .optimizer = 6}));
  EXPECT_EQ(summary.state.tensors, 1);
  EXPECT_EQ(summary.state.bytes, 64);
  EXPECT_EQ(summary.inputs.tensors, 1);  // the state and the number are not counted
  EXPECT_EQ(summary.peak_optimizer.node, graph->find_node("all"));
  // `dw`, `decay`, `all` and the returned loss.
  EXPECT_EQ(summary.peak_optimizer.bytes - summary.liveness.caller_bytes, 3 * 64 + 4);
  const std::string text = summary_text(summary);
  EXPECT_THAT(text, HasSubstr("forward  backward  optimizer\n"));
  EXPECT_THAT(text, HasSubstr("  state       16 in 1 tensor, 64 B\n"));
  EXPECT_THAT(text, HasSubstr("peak memory of the optimizer: "));
  EXPECT_THAT(summary_json(summary), HasSubstr("\"optimizer\": 6"));
}

// A loss may use gradients. Since the backward pass uses these calls, they are not part of the
// optimizer.
TEST(Summary, GradientPenaltiesBelongToTheForwardPass) {
  Context context;
  const auto graph = parse(context, R"(graph(
      %w : f32[4] !{input={"kind": "parameter", "target": "w"}},
      %m : f32[4] !{input={"kind": "optimizer", "target": "w.momentum_buffer"}}) {
    %g : f32[4] = aten.cos.default(%w) !{region="bw"}
    %penalty : f32[4] = aten.mul.Tensor(%g, %g) !{region="fw"}
    %g2 : f32[4] = aten.mul.Tensor(%penalty, %w) !{region="bw"}
    %new : f32[4] = aten.add_.Tensor(%m, %g2) !{region="fw"}
    return (%new,)
  })");
  const NodeMap<StepPart> parts = find_step_parts(*graph);
  EXPECT_EQ(parts[*graph->find_node("penalty")], StepPart::kForward);
  EXPECT_EQ(parts[*graph->find_node("new")], StepPart::kOptimizer);
}

// Like parameters, the state and the numbers of a step are lines in the boxes that use them.
TEST(GraphView, StateIsDrawnAsALineNotABox) {
  Context context;
  const auto graph = parse(context, kStep);
  FX_ASSERT_OK_AND_ASSIGN(const GraphView view, make_view(*graph));
  size_t inputs = 0;
  bool found_state = false, found_number = false;
  for (const ViewBox& box : view.boxes) {
    inputs += box.kind == ViewBoxKind::kInput || box.kind == ViewBoxKind::kParameter ? 1 : 0;
    for (const std::string& note : box.notes) {
      found_state = found_state || note == "weight.momentum_buffer: f32[4, 4]";
      found_number = found_number || note == "lr: float";
    }
  }
  EXPECT_EQ(inputs, 1U);  // x
  EXPECT_TRUE(found_state);
  EXPECT_TRUE(found_number);
}

}  // namespace
}  // namespace fx
