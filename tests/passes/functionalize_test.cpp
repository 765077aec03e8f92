#include "fx/passes/functionalize/functionalize.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::StatusIs;

class FunctionalizeTest : public ::testing::Test {
 protected:
  /// Parses a graph and infers the type of every call.
  std::unique_ptr<Graph> parse(std::string_view body) {
    auto graph = parse_graph(context_, body);
    EXPECT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(propagate_types(**graph).ok());
    return *std::move(graph);
  }
  static std::string text(const Graph& graph) {
    return print(graph, {.types = false, .meta = false});
  }
  /// The functionalized graph of a text.
  std::string run(std::string_view body, const FunctionalizeOptions& options = {}) {
    const std::unique_ptr<Graph> graph = parse(body);
    const absl::StatusOr<bool> changed = functionalize(*graph, options);
    EXPECT_TRUE(changed.ok()) << changed.status();
    EXPECT_EQ(verify(*graph, {.warnings = false}).str(), "");
    // A second run finds only the writes that were requested.
    EXPECT_FALSE(functionalize(*graph, options).value_or(true));
    return text(*graph);
  }
  /// The error of functionalize for a text whose calls have no types.
  absl::Status error(std::string_view body) {
    auto graph = parse_graph(context_, body);
    EXPECT_TRUE(graph.ok()) << graph.status();
    if (!graph.ok()) return graph.status();
    const std::string before = print(**graph);
    const absl::Status status = functionalize(**graph).status();
    EXPECT_EQ(print(**graph), before) << "nothing may change";
    return status;
  }

  Context context_;
};

TEST_F(FunctionalizeTest, PureGraphsStay) {
  const std::string pure = R"(graph(%x) {
  %relu = aten.relu.default(%x)
  %t = aten.t.default(%relu)
  return %t
}
)";
  const std::unique_ptr<Graph> graph = parse(pure);
  EXPECT_FALSE(functionalize(*graph).value_or(true));
  EXPECT_EQ(text(*graph), pure);
}

TEST_F(FunctionalizeTest, InputsGetTheirFinalValueOnce) {
  const std::string_view body = R"(graph(%x : f32[2]) {
  %a = aten.add_.Tensor(%x, 1)
  %b = aten.mul_.Tensor(%a, 2)
  %c = aten.sum.default(%x)
  return %c
})";
  EXPECT_EQ(run(body), R"(graph(%x) {
  %add = aten.add.Tensor(%x, 1)
  %mul = aten.mul.Tensor(%add, 2)
  %c = aten.sum.default(%mul)
  %copy_ = aten.copy_.default(%x, %mul)
  return %c
}
)");
  EXPECT_EQ(run(body, {.copy_back = false}), R"(graph(%x) {
  %add = aten.add.Tensor(%x, 1)
  %mul = aten.mul.Tensor(%add, 2)
  %c = aten.sum.default(%mul)
  return %c
}
)");
}

// The result is memory of %z, which is not written: the copy to %x is the last write (run()
// requests a second one).
TEST_F(FunctionalizeTest, OtherInputsMayBeReturned) {
  EXPECT_EQ(run(R"(graph(%x : f64[4], %z : f64[4]) {
  %a = aten.add_.Tensor(%x, 1)
  %r = aten.reshape.default(%z, [1, -1])
  return (%r, %z)
})"),
            R"(graph(%x, %z) {
  %add = aten.add.Tensor(%x, 1)
  %r = aten.reshape.default(%z, [1, -1])
  %copy_ = aten.copy_.default(%x, %add)
  return (%r, %z)
}
)");
}

TEST_F(FunctionalizeTest, InputsThatAreReturnedAsChangedAreNotWritten) {
  const std::unique_ptr<Graph> graph = parse(R"(graph(%x : f32[2]) {
  %a = aten.add_.Tensor(%x, 1)
  return [%x, %a]
})");
  const Argument mutation =
      Argument::dict(std::vector<std::pair<Argument, Argument>>{{"kind", "mutation"}});
  const Argument result =
      Argument::dict(std::vector<std::pair<Argument, Argument>>{{"kind", "output"}});
  graph->output_node()->meta().set(meta::kOutputs, Argument::list({mutation, result}));
  ASSERT_TRUE(functionalize(*graph).value_or(false));
  EXPECT_EQ(text(*graph), R"(graph(%x) {
  %add = aten.add.Tensor(%x, 1)
  return [%add, %add]
}
)");
}

TEST_F(FunctionalizeTest, WritesThroughViewsReachTheMemory) {
  EXPECT_EQ(run(R"(graph(%x : f32[4, 3]) {
  %c = aten.clone.default(%x)
  %s = aten.slice.Tensor(%c, 0, 1, 3)
  %t = aten.t.default(%s)
  %a = aten.add_.Tensor(%t, 1)
  return [%c, %s]
})"),
            R"(graph(%x) {
  %c = aten.clone.default(%x)
  %s = aten.slice.Tensor(%c, 0, 1, 3)
  %t = aten.t.default(%s)
  %add = aten.add.Tensor(%t, 1)
  %t_1 = aten.t.default(%add)
  %slice_scatter = aten.slice_scatter.default(%c, %t_1, 0, 1, 3, 1)
  return [%slice_scatter, %t_1]
}
)");
}

TEST_F(FunctionalizeTest, StaleViewsAreTakenAnew) {
  EXPECT_EQ(run(R"(graph(%x : f32[4, 3]) {
  %c = aten.clone.default(%x)
  %row = aten.select.int(%c, 0, 0)
  %column = aten.select.int(%c, 1, 0)
  %z = aten.zero_.default(%row)
  %sum = aten.sum.default(%column)
  %mean = aten.mean.default(%column)
  return [%sum, %mean]
})"),
            R"(graph(%x) {
  %c = aten.clone.default(%x)
  %row = aten.select.int(%c, 0, 0)
  %zero = aten.zero.default(%row)
  %select_scatter = aten.select_scatter.default(%c, %zero, 0, 0)
  %column_1 = aten.select.int(%select_scatter, 1, 0)
  %sum = aten.sum.default(%column_1)
  %mean = aten.mean.default(%column_1)
  return [%sum, %mean]
}
)");
}

TEST_F(FunctionalizeTest, ItemsOfListsOfViews) {
  EXPECT_EQ(run(R"(graph(%x : f32[5, 3]) {
  %c = aten.clone.default(%x)
  %s = aten.split.Tensor(%c, 2)
  %last = operator.getitem(%s, 2)
  %m = aten.mul_.Tensor(%last, 2)
  %first = operator.getitem(%s, 0)
  %n = aten.neg_.default(%first)
  %cat = aten.cat.default(%s)
  return [%c, %cat]
})",
                {.copy_back = false}),
            R"(graph(%x) {
  %c = aten.clone.default(%x)
  %s = aten.split.Tensor(%c, 2)
  %last = operator.getitem(%s, 2)
  %mul = aten.mul.Tensor(%last, 2)
  %slice_scatter = aten.slice_scatter.default(%c, %mul, 0, 4, 5)
  %slice_1 = aten.slice.Tensor(%slice_scatter, 0, 0, 2)
  %neg = aten.neg.default(%slice_1)
  %slice_scatter_1 = aten.slice_scatter.default(%slice_scatter, %neg, 0, 0, 2)
  %slice_2 = aten.slice.Tensor(%slice_scatter_1, 0, 2, 4)
  %slice_3 = aten.slice.Tensor(%slice_scatter_1, 0, 4, 5)
  %cat = aten.cat.default([%neg, %slice_2, %slice_3])
  return [%slice_scatter_1, %cat]
}
)");
}

TEST_F(FunctionalizeTest, ListsAreWrittenItemByItem) {
  EXPECT_EQ(run(R"(graph(%p : f32[2], %q : f32[3], %g : f32[2], %h : f32[3]) {
  %a = aten._foreach_add_.List([%p, %q], [%g, %h], alpha=-1)
  return [%p, %q]
})",
                {.copy_back = false}),
            R"(graph(%p, %q, %g, %h) {
  %_foreach_add = aten._foreach_add.List([%p, %q], [%g, %h], alpha=-1)
  %getitem = operator.getitem(%_foreach_add, 0)
  %getitem_1 = operator.getitem(%_foreach_add, 1)
  return [%getitem, %getitem_1]
}
)");
}

TEST_F(FunctionalizeTest, RunningStatisticsAreResults) {
  EXPECT_EQ(run(R"(graph(%x : f32[2, 3, 4, 4], %mean : f32[3], %var : f32[3]) {
  %bn = aten.native_batch_norm.default(%x, None, None, %mean, %var, True, 0.1, 1e-05)
  %out = operator.getitem(%bn, 0)
  return %out
})"),
            R"(graph(%x, %mean, %var) {
  %_native_batch_norm_legit_functional = aten._native_batch_norm_legit_functional.default(%x, None, None, %mean, %var, True, 0.1, 1e-05)
  %getitem = operator.getitem(%_native_batch_norm_legit_functional, 3)
  %getitem_1 = operator.getitem(%_native_batch_norm_legit_functional, 4)
  %out = operator.getitem(%_native_batch_norm_legit_functional, 0)
  %copy_ = aten.copy_.default(%mean, %getitem)
  %copy__1 = aten.copy_.default(%var, %getitem_1)
  return %out
}
)");
  // Evaluation writes nothing.
  const std::unique_ptr<Graph> graph =
      parse(R"(graph(%x : f32[2, 3, 4, 4], %mean : f32[3], %var : f32[3]) {
  %bn = aten.native_batch_norm.default(%x, None, None, %mean, %var, False, 0.1, 1e-05)
  return %bn
})");
  EXPECT_FALSE(functionalize(*graph).value_or(true));
}

TEST_F(FunctionalizeTest, OutArgumentsAndOtherDTypes) {
  EXPECT_EQ(run(R"(graph(%x : f32[2], %y : f32[2]) {
  %o = aten.empty.memory_format([2], dtype=torch.float16)
  %a = aten.add.out(%x, %y, out=%o)
  return %o
})"),
            R"(graph(%x, %y) {
  %add = aten.add.Tensor(%x, %y)
  %_to_copy = aten._to_copy.default(%add, dtype=torch.float16)
  return %_to_copy
}
)");
}

TEST_F(FunctionalizeTest, OtherStridesAreMadeThoseOfTheMemory) {
  // The product is row-major, but the view that it is written into is not: its memory is one row
  // only if its strides are kept.
  EXPECT_EQ(run(R"(graph(%x : f32[2, 3], %y : f32[3, 3]) {
  %c = aten.new_empty.default(%x, [3, 2])
  %t = aten.t.default(%c)
  %a = aten.mm.out(%x, %y, out=%t)
  %v = aten.view.default(%c, [6])
  return %v
})",
                {.copy_back = false}),
            R"(graph(%x, %y) {
  %c = aten.new_empty.default(%x, [3, 2])
  %t = aten.t.default(%c)
  %mm = aten.mm.default(%x, %y)
  %copy = aten.copy.default(%t, %mm)
  %t_1 = aten.t.default(%copy)
  %v = aten.view.default(%t_1, [6])
  return %v
}
)");
}

TEST_F(FunctionalizeTest, MetadataInPlaceBecomeViews) {
  EXPECT_EQ(run(R"(graph(%x : f32[2, 3]) {
  %c = aten.clone.default(%x)
  %s = aten.select.int(%c, 0, 0)
  %t_ = aten.t_.default(%c)
  %a = aten.add_.Tensor(%t_, 1)
  return [%t_, %s]
})"),
            R"(graph(%x) {
  %c = aten.clone.default(%x)
  %t = aten.t.default(%c)
  %add = aten.add.Tensor(%t, 1)
  %t_1 = aten.t.default(%add)
  %s_1 = aten.select.int(%t_1, 0, 0)
  return [%add, %s_1]
}
)");
}

TEST_F(FunctionalizeTest, AttributesOfOnePathAreOneTensor) {
  EXPECT_EQ(run(R"(graph() {
  %w : f32[2] = get_attr w
  %a = aten.add_.Tensor(%w, 1)
  %v : f32[2] = get_attr w
  %m = aten.mul.Tensor(%v, 2)
  return %m
})"),
            R"(graph() {
  %w = get_attr w
  %add = aten.add.Tensor(%w, 1)
  %v = get_attr w
  %m = aten.mul.Tensor(%add, 2)
  %copy_ = aten.copy_.default(%w, %add)
  return %m
}
)");
}

TEST_F(FunctionalizeTest, TypesTellWhatIsAView) {
  // For a contiguous tensor it is the tensor itself, otherwise a copy.
  EXPECT_EQ(run(R"(graph(%x : f32[2, 3]) {
  %c = aten.clone.default(%x)
  %r = aten.reshape.default(%c, [6])
  %a = aten.add_.Tensor(%r, 1)
  %t = aten.t.default(%c)
  %s = aten.reshape.default(%t, [6])
  %b = aten.neg_.default(%s)
  return [%c, %s]
})"),
            R"(graph(%x) {
  %c = aten.clone.default(%x)
  %r = aten.reshape.default(%c, [6])
  %add = aten.add.Tensor(%r, 1)
  %view = aten.view.default(%add, [2, 3])
  %t = aten.t.default(%view)
  %s = aten.reshape.default(%t, [6])
  %neg = aten.neg.default(%s)
  return [%view, %neg]
}
)");
}

TEST_F(FunctionalizeTest, ErrorsNameNodeAndRemedy) {
  EXPECT_THAT(error(R"(graph(%x : f32[2], %y : f32[2]) {
  %s = aten.set_.source_Tensor(%x, %y)
  return %x
})"),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("node s (aten.set_.source_Tensor)"),
                             HasSubstr("no functional form"))));
  EXPECT_THAT(error(R"(graph(%x) {
  %c = aten.clone.default(%x)
  %r = aten.reshape.default(%c, [6])
  %a = aten.add_.Tensor(%r, 1)
  return %c
})"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("node a (aten.add_.Tensor)"), HasSubstr("node r"),
                             HasSubstr("propagate_types"))));
  EXPECT_THAT(error(R"(graph(%x) {
  %first = aten.neg_.default(%x)
  %a = call_method add_(%x, 1)
  return %a
})"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("node a (call_method add_)"), HasSubstr("capture"))));
}

TEST_F(FunctionalizeTest, NodesMadeAreTypedAndLabelled) {
  const std::unique_ptr<Graph> graph = parse(R"(graph(%x : f32[4, 3]) {
  %c = aten.clone.default(%x)
  %d = aten.diagonal.default(%c)
  %a = aten.add_.Tensor(%d, 1)
  return %c
})");
  for (Node& node : graph->nodes()) node.meta().set(meta::kModule, "block");
  ASSERT_TRUE(functionalize(*graph).value_or(false));
  const Node* scatter = graph->output_node()->arg(0).as_node();
  EXPECT_EQ(scatter->target(), "aten.diagonal_scatter.default");
  EXPECT_EQ(to_string(scatter->type()), "f32[4, 3]");
  EXPECT_EQ(scatter->meta().get(meta::kModule), "block");
}

}  // namespace
}  // namespace fx
