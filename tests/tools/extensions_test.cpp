// Extensions that a program adds: operators of a Context, with stateful callables and with nested
// graphs; names and errors.
#include "fx/tools/driver/extensions.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/vmap/vmap.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <stdexcept>
#include <string>

namespace fx::extensions_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  auto graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return *std::move(graph);
}

/// Returns the operator y = x * scale, whose type function counts its calls.
OperatorExtension scaled(int& calls) {
  return {.schema = "my::scaled(Tensor x, float scale=2.0) -> Tensor",
          .type =
              [&calls](TypeCall& c) {
                ++calls;
                return c.result(c.tensor(0).dtype(), c.tensor(0).sizes());
              },
          .derivative = DerivativeRule{.arguments = {{"x",
                                                      [](Derivative& d) -> AnyArg {
                                                        return d.grad() * d.scalar("scale");
                                                      }}}},
          .decomposition = Decomposition{.function = [](Decomposer& d) -> AnyArg {
            return d.tensor("x") * d.scalar("scale");
          }},
          .batching = BatchingRule{.kind = BatchKind::kPointwise}};
}

TEST(Extensions, EveryPassUsesTheOperatorsOfItsContext) {
  int calls = 0;
  Extensions extensions;
  ASSERT_TRUE(extensions.add(scaled(calls)).ok());
  Context context;
  ASSERT_TRUE(extensions.set_up(context).ok());
  auto graph = parse(context,
                     "graph(%x : f32[s0, 3]) {\n"
                     "  %y = my.scaled.default(%x)\n"
                     "  %z = aten.relu.default(%y)\n"
                     "  return %z\n"
                     "}\n");
  // The pass without a set of rules.
  auto pipeline = parse_pipeline(standard_passes(), "propagate_types");
  ASSERT_TRUE(pipeline.ok());
  ASSERT_TRUE(PassManager(*pipeline).run(*graph).ok());
  EXPECT_EQ(to_string(graph->find_node("z")->type()), "f32[s0, 3]");
  EXPECT_GE(calls, 1);
  // A single call.
  const auto type = infer_type(*graph->find_node("y"));
  ASSERT_TRUE(type.ok()) << type.status();
  EXPECT_EQ(to_string(*type), "f32[s0, 3]");
  // Derivatives, batches and decompositions.
  const auto gradients = vjp(*graph);
  ASSERT_TRUE(gradients.ok()) << gradients.status();
  EXPECT_THAT(print(**gradients), HasSubstr("2.0"));
  const auto batched = vmap(*graph);
  ASSERT_TRUE(batched.ok()) << batched.status();
  EXPECT_THAT(print(**batched), HasSubstr("my.scaled.default"));
  const auto report = decompose(*graph, {.core = false, .ops = {"my.scaled"}});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->decomposed, 1U);
  EXPECT_THAT(print(*graph), Not(HasSubstr("my.scaled")));
  // Other Contexts do not have the operator.
  Context other;
  auto other_graph = parse(other, "graph(%x : f32[2]) { %y = my.scaled.default(%x)  return %y }");
  EXPECT_FALSE(propagate_types(*other_graph).ok());
}

TEST(Extensions, OperatorsMayBeAddedAfterAGraphWasRead) {
  Context context;
  auto graph = parse(context, "graph(%x : f32[2]) { %y = my.scaled.default(%x)  return %y }");
  EXPECT_FALSE(propagate_types(*graph).ok());
  int calls = 0;
  Extensions extensions;
  ASSERT_TRUE(extensions.add(scaled(calls)).ok());
  ASSERT_TRUE(extensions.set_up(context).ok());
  EXPECT_TRUE(propagate_types(*graph).ok());
  EXPECT_EQ(to_string(graph->find_node("y")->type()), "f32[2]");
}

TEST(Extensions, TablesAreDestroyedWithTheirContext) {
  const auto alive = std::make_shared<int>(0);
  {
    Context context;
    ASSERT_TRUE(context.add_operator("my::one(Tensor x) -> Tensor").ok());
    ASSERT_TRUE(TypeRules::of(context)
                    .add(context, "my.one.default",
                         [alive](TypeCall& c) { return c.result(DType::kFloat32, {}); })
                    .ok());
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
  Context next;
  EXPECT_EQ(TypeRules::find_in(next), nullptr);
}

/// Adds the higher-order operator apply_twice(body, x), which is body(body(x)).
absl::Status add_apply_twice(Context& context) {
  if (const auto added = context.add_operator("my::apply_twice(Any body, Tensor x) -> Tensor");
      !added.ok())
    return added.status();
  return TypeRules::of(context).add(context, "my.apply_twice.default", [](TypeCall& c) -> Type {
    if (c.graph(0) == nullptr) return c.fail("body must be a graph");
    const Type x = c.tensor(1);
    const std::vector<Type> once = c.graph_results(0, {x});
    if (once.size() != 1) return c.failed() ? Type() : c.fail("the body must return one value");
    if (once[0] != x) {
      return c.fail("the body must not change the type: returns " + to_string(once[0]) + " for " +
                    to_string(x));
    }
    return once[0];
  });
}

constexpr std::string_view kApply = R"(
graph(%x : f32[s0, 3]) {
  graph @body(%a) {
    %b = aten.relu.default(%a)
    %c = torch.sin(%b)
    return %c
  }
  %y = my.apply_twice.default(@body, %x)
  %z = aten.neg.default(%y)
  return %z
}
)";

TEST(CustomHigherOrderOperators, AreTypedThroughTheirGraphs) {
  Context context;
  ASSERT_TRUE(add_apply_twice(context).ok());
  auto graph = parse(context, kApply);
  const ShapeReport report = propagate_types(*graph, {.other_call = type_by_lowering});
  EXPECT_TRUE(report.ok()) << report.str();
  EXPECT_EQ(to_string(graph->find_node("z")->type()), "f32[s0, 3]");
  const Graph& body = graph->subgraph(0);
  EXPECT_EQ(to_string(body.find_node("a")->type()), "f32[s0, 3]");
  EXPECT_EQ(to_string(body.find_node("c")->type()), "f32[s0, 3]");
  // A single call uses the types in the graph, which match.
  const auto type = infer_type(*graph->find_node("y"));
  ASSERT_TRUE(type.ok()) << type.status();
  EXPECT_EQ(to_string(*type), "f32[s0, 3]");
}

TEST(CustomHigherOrderOperators, ReportInvalidBodies) {
  Context context;
  ASSERT_TRUE(add_apply_twice(context).ok());
  auto graph = parse(context,
                     "graph(%x : f32[2, 3]) {\n"
                     "  graph @body(%a) { %b = aten.sum.default(%a)  return %b }\n"
                     "  graph @two(%a, %c) { return %a }\n"
                     "  %y = my.apply_twice.default(@body, %x)\n"
                     "  %z = my.apply_twice.default(@two, %x)\n"
                     "  %w = my.apply_twice.default(%x, %x)\n"
                     "  return (%y, %z, %w)\n"
                     "}\n");
  const std::string text = propagate_types(*graph).str();
  EXPECT_THAT(text, HasSubstr("the body must not change the type: returns f32[] for f32[2, 3]"));
  EXPECT_THAT(text, HasSubstr("a graph with 2 inputs receives 1 value"));
  EXPECT_THAT(text, HasSubstr("body must be a graph"));
}

TEST(CustomFunctions, AreTypedByTheirRulesAndNotLowered) {
  Context context;
  ASSERT_TRUE(context.add_operator("my_module.half(Any x) -> Any").ok());
  ASSERT_TRUE(TypeRules::of(context)
                  .add(context, "my_module.half", [](TypeCall& c) { return c.argument(0).type(); })
                  .ok());
  auto graph = parse(context, "graph(%x : f32[2]) { %y = my_module.half(%x)  return %y }");
  const ShapeReport report = propagate_types(*graph, {.other_call = type_by_lowering});
  EXPECT_TRUE(report.ok()) << report.str();
  EXPECT_EQ(to_string(graph->find_node("y")->type()), "f32[2]");
}

TEST(Extensions, NamesAreUnique) {
  Extensions extensions;
  const PassFunction nothing = [](PassRun&) -> absl::StatusOr<bool> { return false; };
  EXPECT_THAT(extensions.add(Pass{"simplify", "does nothing", nothing}).ToString(),
              HasSubstr("fxcpp already has a pass named simplify"));
  ASSERT_TRUE(extensions.add(Pass{"mine", "does nothing", nothing}).ok());
  EXPECT_THAT(extensions.add(Pass{"mine", "does nothing", nothing}).ToString(),
              HasSubstr("this program already has"));
  const auto emit = [](const EmitSource&) -> absl::StatusOr<std::string> { return ""; };
  EXPECT_FALSE(extensions.add(Emitter{"onnx", "", emit}).ok());
  EXPECT_FALSE(extensions.add(Emitter{"mine", "", nullptr}).ok());
  EXPECT_TRUE(extensions.add(Emitter{"mine", "", emit}).ok());
  EXPECT_FALSE(extensions.add(Emitter{"mine", "", emit}).ok());
  const auto read = [](Context&, const std::string&) -> absl::StatusOr<GraphDocument> {
    return absl::UnimplementedError("");
  };
  EXPECT_FALSE(extensions.add(ImportFormat{"toy", "", read}).ok());
  EXPECT_FALSE(extensions.add(ImportFormat{".fx", "", read}).ok());
  EXPECT_TRUE(extensions.add(ImportFormat{".toy", "", read}).ok());
  EXPECT_EQ(extensions.find_format("a.toy"), &extensions.formats()[0]);
  EXPECT_EQ(extensions.find_format("a.toys"), nullptr);
}

TEST(Exceptions, InPassesAndTypeFunctionsAreErrors) {
  Context context;
  auto graph = parse(context, "graph(%x : f32[2]) { return %x }");
  PassManager manager;
  manager.add(Pass{"throwing", "throws",
                   [](PassRun&) -> absl::StatusOr<bool> { throw std::runtime_error("no luck"); }});
  EXPECT_THAT(manager.run(*graph).status().ToString(),
              HasSubstr("pass 1, throwing: the pass threw no luck"));
}

}  // namespace
}  // namespace fx::extensions_test
