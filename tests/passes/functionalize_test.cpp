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
#include <tuple>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::StatusIs;

class FunctionalizeTest : public ::testing::Test {
 protected:
  /// Parses a graph, and infers the type of each call.
  std::unique_ptr<Graph> parse(std::string_view body) {
    auto graph = parse_graph(context_, body);
    EXPECT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(propagate_types(**graph).ok());
    return *std::move(graph);
  }
  static std::string text(const Graph& graph) {
    return print(graph, {.types = false, .meta = false});
  }
  /// Returns the functionalized graph of `body`.
  std::string run(std::string_view body, const FunctionalizeOptions& options = {}) {
    const std::unique_ptr<Graph> graph = parse(body);
    const absl::StatusOr<bool> changed = functionalize(*graph, options);
    EXPECT_TRUE(changed.ok()) << changed.status();
    EXPECT_EQ(verify(*graph, {.warnings = false}).str(), "");
    // A second run changes nothing: it keeps the copies to inputs at the end.
    EXPECT_FALSE(functionalize(*graph, options).value_or(true));
    return text(*graph);
  }
  /// Returns the error of functionalize for a graph whose calls have no types.
  absl::Status error(std::string_view body) {
    auto graph = parse_graph(context_, body);
    EXPECT_TRUE(graph.ok()) << graph.status();
    if (!graph.ok()) return graph.status();
    const std::string before = print(**graph);
    const absl::Status status = functionalize(**graph).status();
    EXPECT_EQ(print(**graph), before) << "the graph must not change";
    return status;
  }

  static std::string joined(std::string_view a, std::string_view b, std::string_view c) {
    return std::string(a).append(b).append(c);
  }

  Context context_;
};

TEST_F(FunctionalizeTest, PureGraphsDoNotChange) {
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

// The result is in the memory of %z, which is not written to, so the copy to %x is the last write.
// (run() checks that a second run changes nothing.)
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

TEST_F(FunctionalizeTest, InputsWithReturnedNewValuesAreNotWritten) {
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

TEST_F(FunctionalizeTest, WritesThroughViewsChangeTheSource) {
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

TEST_F(FunctionalizeTest, StaleViewsAreRecomputed) {
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
  // Evaluation mode does not write statistics.
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

TEST_F(FunctionalizeTest, WrittenValuesGetTheStridesOfTheMemory) {
  // The product is row-major, but the destination view is not. %v can be a view of the written
  // value only if that value has the strides of the destination.
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

TEST_F(FunctionalizeTest, InPlaceMetadataChangesBecomeViews) {
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

TEST_F(FunctionalizeTest, AttributesWithOnePathAreOneTensor) {
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

TEST_F(FunctionalizeTest, TypesDetermineViews) {
  // For a contiguous tensor, the result is the tensor itself; otherwise, it is a copy.
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

TEST_F(FunctionalizeTest, ErrorsNameTheNodeAndARemedy) {
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

// ---- Memory that overlaps or is shared

TEST_F(FunctionalizeTest, WritesThroughPartsOfExpandedTensorsChangeTheSource) {
  EXPECT_EQ(run(R"(graph(%q : f32[3]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [2, 3])
  %r = aten.select.int(%y, 0, 1)
  %w = aten.mul_.Tensor(%r, 2)
  return (%c, %y)
})"),
            R"(graph(%q) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [2, 3])
  %r = aten.select.int(%y, 0, 1)
  %mul = aten.mul.Tensor(%r, 2)
  %y_1 = aten.expand.default(%mul, [2, 3])
  return (%mul, %y_1)
}
)");
  // Slices of a slice, and a slice of overlapping windows.
  EXPECT_THAT(run(R"(graph(%q : f32[3]) {
  %c = aten.clone.default(%q)
  %y = aten.expand.default(%c, [2, 3])
  %r = aten.select.int(%y, 0, 1)
  %p = aten.slice.Tensor(%r, 0, 1, 3)
  %w = aten.neg_.default(%p)
  return %c
})"),
              AllOf(HasSubstr("slice_scatter.default(%r, %neg, 0, 1, 3, 1)"),
                    HasSubstr("return %slice_scatter")));
  EXPECT_THAT(run(R"(graph(%q : f32[4]) {
  %c = aten.clone.default(%q)
  %y = aten.unfold.default(%c, 0, 2, 1)
  %r = aten.select.int(%y, 0, 1)
  %w = aten.neg_.default(%r)
  return %y
})"),
              HasSubstr("slice_scatter.default(%c, %neg, 0, 1, 3, 1)"));
  EXPECT_THAT(run(R"(graph(%q : f32[6]) {
  %c = aten.clone.default(%q)
  %y = aten.as_strided.default(%c, [2, 3], [0, 2], 1)
  %r = aten.select.int(%y, 0, 0)
  %w = aten.neg_.default(%r)
  return %c
})"),
              HasSubstr("slice_scatter.default(%c, %neg, 0, 1, 6, 2)"));
}

TEST_F(FunctionalizeTest, OverlappingWritesAreRejected) {
  EXPECT_THAT(error(R"(graph(%q : f32[5]) {
  %y = aten.unfold.default(%q, 0, 2, 1)
  %w = aten.add_.Tensor(%y, 1)
  return %q
})"),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("node w (aten.add_.Tensor)"), HasSubstr("node y"))));
  // Eager mode rejects this call.
  EXPECT_THAT(error(R"(graph(%q : f32[3]) {
  %y = aten.expand.default(%q, [2, 3])
  %w = aten.add_.Tensor(%y, 1)
  return %q
})"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("node w (aten.add_.Tensor)"), HasSubstr("clone()"))));
  EXPECT_THAT(error(R"(graph(%q : f32[5]) {
  %a = aten.slice.Tensor(%q, 0, 1, 5)
  %b = aten.slice.Tensor(%q, 0, 0, 4)
  %w = aten.add_.Tensor(%a, %b)
  return %q
})"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("node w (aten.add_.Tensor)")));
  EXPECT_THAT(error(R"(graph(%q : f32[3, 3]) {
  %t = aten.t.default(%q)
  %w = aten.copy_.default(%q, %t)
  return %q
})"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("node w (aten.copy_.default)")));
  // Parts with no elements in common, with the same elements, and with one element at all
  // positions.
  EXPECT_THAT(run(R"(graph(%q : f32[4, 4]) {
  %a = aten.select.int(%q, 1, 0)
  %b = aten.select.int(%q, 1, 2)
  %w = aten.add_.Tensor(%a, %b)
  %v = aten.mul_.Tensor(%q, %q)
  %y = aten.expand.default(%b, [2, 4])
  %z = aten.fill_.Scalar(%y, 3)
  return %q
})"),
              HasSubstr("aten.mul.Tensor(%select_scatter, %select_scatter)"));
}

TEST_F(FunctionalizeTest, ItemsThatShareMemoryAreWrittenInOrder) {
  EXPECT_EQ(run(R"(graph(%z : f32[6, 4]) {
  %d = aten.detach.default(%z)
  %w = aten._foreach_add_.Scalar([%z, %d], 2.0)
  return %d
})",
                {.copy_back = false}),
            R"(graph(%z) {
  %_foreach_add = aten._foreach_add.Scalar([%z], 2.0)
  %getitem = operator.getitem(%_foreach_add, 0)
  %d_1 = aten.detach.default(%getitem)
  %_foreach_add_1 = aten._foreach_add.Scalar([%d_1], 2.0)
  %getitem_1 = operator.getitem(%_foreach_add_1, 0)
  return %getitem_1
}
)");
  // The second item reads the value that the first call wrote.
  EXPECT_THAT(run(R"(graph(%a : f32[2], %b : f32[2]) {
  %w = aten._foreach_add_.List([%a, %b], [%b, %a])
  return (%a, %b)
})"),
              HasSubstr("aten._foreach_add.List([%b], [%getitem])"));
  EXPECT_THAT(run(R"(graph(%a : f32[4]) {
  %s = aten.slice.Tensor(%a, 0, 0, 2)
  %w = aten._foreach_mul_.ScalarList([%a, %s], [2.0, 3.0])
  return %a
})"),
              HasSubstr("aten._foreach_mul.ScalarList([%s_1], [3.0])"));
  EXPECT_THAT(run(R"(graph(%a : f32[4], %b : f32[4]) {
  %w = aten._foreach_copy_.default([%a, %b], [%b, %a])
  return (%a, %b)
})"),
              HasSubstr("aten._foreach_copy.default([%b], [%getitem])"));
  // Items that do not overlap remain one call.
  EXPECT_THAT(run(R"(graph(%a : f32[4]) {
  %s = aten.split.Tensor(%a, 2)
  %x = operator.getitem(%s, 0)
  %y = operator.getitem(%s, 1)
  %w = aten._foreach_mul_.Scalar([%x, %y], 2.0)
  return %a
})"),
              HasSubstr("aten._foreach_mul.Scalar([%x, %y], 2.0)"));
}

// ---- Calls that eager mode rejects

TEST_F(FunctionalizeTest, ResultsThatCannotBeCastAreRejected) {
  for (const std::string_view body : {
           R"(graph(%x : i64[3]) {
  %a = aten.add_.Tensor(%x, 1.5)
  return %x
})",
           R"(graph(%x : b8[3], %y : i64[3]) {
  %a = aten.add_.Tensor(%x, %y)
  return %x
})",
           R"(graph(%x : i32[3]) {
  %a = aten.exp_.default(%x)
  return %x
})",
           R"(graph(%x : f32[3], %y : c64[3]) {
  %a = aten.mul_.Tensor(%x, %y)
  return %x
})",
           R"(graph(%x : f32[3], %o : i64[3]) {
  %a = aten.div.out(%x, %x, out=%o)
  return %o
})"}) {
    EXPECT_THAT(error(body),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("node a (aten.")));
  }
  // If types are missing, the dtype of the result is unknown.
  EXPECT_THAT(error(R"(graph(%x, %y) {
  %a = aten.add_.Tensor(%x, %y)
  return %x
})"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("propagate_types")));
}

TEST_F(FunctionalizeTest, MissingStatisticsRemainNone) {
  const std::unique_ptr<Graph> graph = parse(R"(graph(%x : f32[1, 4, 3, 3]) {
  %bn = aten.native_batch_norm.default(%x, None, None, None, None, True, 0.1, 1e-05)
  return %bn
})");
  EXPECT_FALSE(functionalize(*graph).value_or(true));
  EXPECT_THAT(error(R"(graph(%x : f32[2, 4, 3, 3], %m : f32[4]) {
  %bn = aten.native_batch_norm.default(%x, None, None, %m, None, True, 0.1, 1e-05)
  return %bn
})"),
              ::testing::Not(StatusIs(absl::StatusCode::kOk, HasSubstr(""))));
}

TEST_F(FunctionalizeTest, BatchNormFromTorchExport) {
  EXPECT_EQ(run(R"(graph(%x : f32[2, 4, 3, 3], %m : f32[4], %v : f32[4]) {
  %y = aten.batch_norm.default(%x, None, None, %m, %v, True, 0.1, 1e-05, True)
  %z = aten.relu_.default(%y)
  return %z
})",
                {.copy_back = false}),
            R"(graph(%x, %m, %v) {
  %_native_batch_norm_legit_functional = aten._native_batch_norm_legit_functional.default(%x, None, None, %m, %v, True, 0.1, 1e-05)
  %getitem = operator.getitem(%_native_batch_norm_legit_functional, 0)
  %relu = aten.relu.default(%getitem)
  return %relu
}
)");
}

// ---- Unknown values

TEST_F(FunctionalizeTest, UntypedViewsOfTypedTensorsAreWritten) {
  for (const std::string_view view :
       {"aten.view.default(%x, [6])", "aten.t.default(%x)", "aten.select.int(%x, 0, 1)",
        "aten.reshape.default(%x, [-1])", "aten.squeeze.default(%x)",
        "aten.as_strided.default(%x, [2], [2], 1)", "operator.getitem(%x, 0)"}) {
    auto graph = parse_graph(context_, joined("graph(%x : f32[3, 2]) {\n  %v = ", view,
                                              "\n  %u = aten.mul_.Tensor(%v, 3)\n  "
                                              "return %x\n}\n"));
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(functionalize(**graph).value_or(false)) << view;
    EXPECT_EQ(verify(**graph, {.warnings = false}).str(), "");
    EXPECT_THAT(text(**graph), HasSubstr("aten.copy_.default(%x, ")) << view;
  }
}

TEST_F(FunctionalizeTest, MethodsMayReturnTheirOperands) {
  for (const std::string_view method :
       {"view(%x, 6)", "t(%x)", "contiguous(%x)", "chunk(%x, 2)", "transpose(%x, 0, 1)"}) {
    auto graph = parse_graph(
        context_, joined("graph(%x : f32[2, 3], %k : f32[3]) {\n  %r = call_method ", method,
                         "\n  %w : f32[3] = aten.add_.Tensor(%k, 1)\n  return %r\n}\n"));
    ASSERT_TRUE(graph.ok()) << graph.status();
    EXPECT_TRUE(functionalize(**graph).value_or(false)) << method;
    // After a write to the operand, it is unknown whether the result changes.
    EXPECT_THAT(error(joined("graph(%x : f32[2, 3]) {\n  %r = call_method ", method,
                             "\n  %w : f32[2, 3] = aten.add_.Tensor(%x, 1)\n  return %r\n}")),
                StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("node r")))
        << method;
  }
}

TEST_F(FunctionalizeTest, ChangesOfOneItemAreVisibleInItsList) {
  EXPECT_THAT(run(R"(graph(%x : f32[4, 3]) {
  %c = aten.clone.default(%x)
  %s = aten.split.Tensor(%c, 2)
  %i = operator.getitem(%s, 0)
  %t = aten.t_.default(%i)
  return (%s, %t)
})"),
              HasSubstr("return ([%t, %"));
}

// The two results of a branch may be the same tensor, and one may be an operand.
TEST_F(FunctionalizeTest, ResultsOfBranches) {
  const auto with = [](std::string_view results, std::string_view written) {
    return joined(
        "graph(%p : b8[], %x : f32[3], %y : f32[3]) {\n  graph @t(%x : f32[3]) {\n"
        "    %a : f32[3] = aten.neg.default(%x)\n    %b : f32[3] = aten.sin.default(%x)\n"
        "    return ",
        results,
        joined("\n  }\n  %c = higher_order.cond(%p, @t, @t, (%x,))\n"
               "  %i : f32[3] = operator.getitem(%c, 0)\n"
               "  %j : f32[3] = operator.getitem(%c, 1)\n  %w = aten.add_.Tensor(",
               written, ", 1)\n  return (%i, %j)\n}"));
  };
  for (const auto& [results, written, is_done] :
       {std::tuple("(%a, %b)", "%i", true), std::tuple("(%a, %a)", "%i", false),
        std::tuple("(%a, %x)", "%x", false), std::tuple("(%a, %b)", "%x", true),
        std::tuple("(%a, %x)", "%y", true)}) {
    const auto graph = parse(with(results, written));
    EXPECT_EQ(functionalize(*graph).ok(), is_done) << results << written;
  }
}

TEST_F(FunctionalizeTest, RandomCallsAreKept) {
  EXPECT_THAT(run(R"(graph(%x : f32[4]) {
  %c = aten.clone.default(%x)
  %u = aten.uniform_.default(%c)
  %z = aten.zero_.default(%c)
  return %c
})"),
              HasSubstr("aten.uniform.default"));
}

TEST_F(FunctionalizeTest, NewNodesHaveTypesAndMetadata) {
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
