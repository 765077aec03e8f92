#include "fx/passes/analysis/selection.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/cleanup/normalize.h"
#include "fx/passes/inference/set_training.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::selection_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? std::move(*graph) : std::make_unique<Graph>(context);
}

std::string selected_module(std::string_view pattern, std::string_view path) {
  const auto parsed = ModulePattern::parse(pattern);
  return parsed.ok() ? std::string(parsed->selected_module(path))
                     : std::string(parsed.status().message());
}

TEST(ModulePatternTest, APathSelectsTheModuleAndTheModulesInside) {
  EXPECT_EQ(selected_module("layer1", "layer1"), "layer1");
  EXPECT_EQ(selected_module("layer1", "layer1.0.conv1"), "layer1");
  EXPECT_EQ(selected_module("layer1.0", "layer1.0.conv1"), "layer1.0");
  EXPECT_EQ(selected_module("layer1", "layer10"), "");
  EXPECT_EQ(selected_module("layer1.0", "layer1"), "");
  EXPECT_EQ(selected_module("conv1", "layer1.0.conv1"), "");
  EXPECT_EQ(selected_module("layer1.0", "layer1x0"), "");
}

TEST(ModulePatternTest, StarsMatchDots) {
  EXPECT_EQ(selected_module("layer*.conv?", "layer1.0.conv1"), "layer1.0.conv1");
  EXPECT_EQ(selected_module("layer*.conv?", "layer1.0.conv1.inner"), "layer1.0.conv1");
  EXPECT_EQ(selected_module("layer*.conv?", "layer1.0.conv"), "");
  EXPECT_EQ(selected_module("layer*.conv?", "layer1.0.conv12"), "");
  EXPECT_EQ(selected_module("*.conv1", "layer1.0.conv1"), "layer1.0.conv1");
  EXPECT_EQ(selected_module("layer[12]", "layer2.0"), "layer2");
  EXPECT_EQ(selected_module("layer[12]", "layer3.0"), "");
  EXPECT_EQ(selected_module("{layer1,fc}", "fc"), "fc");
}

TEST(ModulePatternTest, SelectsTheOutermostModule) {
  EXPECT_EQ(selected_module("*", "layer1.0.conv1"), "layer1");
  EXPECT_EQ(selected_module("layer*", "layer1.0"), "layer1");
}

TEST(ModulePatternTest, AnUnknownModuleIsInNoModule) { EXPECT_EQ(selected_module("*", ""), ""); }

TEST(ModulePatternTest, RejectsMalformedPatterns) {
  EXPECT_EQ(selected_module("", "a"), "a module pattern must not be empty");
  EXPECT_THAT(selected_module("layer[1", "layer1"), HasSubstr("module pattern layer[1: "));
  EXPECT_THAT(selected_module("{a", "a"), HasSubstr("module pattern {a: "));
  const auto parsed = ModulePattern::parse("layer[1");
  EXPECT_EQ(parsed.status().code(), absl::StatusCode::kInvalidArgument);
}

constexpr std::string_view kGraph = R"(
graph(%w : f32[2] !{input={"kind": "parameter", "target": "layer1.conv.weight"}}, %x : f32[2]) {
  graph @body(%y : f32[2]) {
    %r : f32[2] = aten.relu.default(%y) !{module="gate.act"}
    return (%r,)
  }
  %a : f32[2] = aten.mul.Tensor(%x, %w) !{module="layer1.conv"}
  %b : f32[2] = aten.relu.default(%a) !{module="layer1"}
  %c : f32[2] = aten.relu.default(%b) !{module="layer10"}
  %d = higher_order.invoke_subgraph(@body, "body", %c) !{module="gate"}
  %e : f32[2] = operator.getitem(%d, 0)
  return %e
})";

std::vector<std::string> names(const Graph& graph, const NodeFilter& only) {
  std::vector<std::string> result;
  for (const Node& node : graph.nodes())
    if (only(node)) result.push_back(node.name());
  return result;
}

TEST(InModulesTest, SelectsCallsAndParameters) {
  Context context;
  const auto graph = parse(context, kGraph);
  const auto only = in_modules(*graph, {"layer1"});
  ASSERT_TRUE(only.ok()) << only.status();
  EXPECT_THAT(names(*graph, *only), ElementsAre("w", "a", "b"));
  EXPECT_THAT(names(*graph, *in_modules(*graph, {"layer10", "*.conv"})),
              ElementsAre("w", "a", "c"));
  // A node without a module is not in `*`.
  EXPECT_THAT(names(*graph, *in_modules(*graph, {"*"})), ElementsAre("w", "a", "b", "c", "d"));
}

TEST(InModulesTest, ACallOfAModuleBelongsToThatModule) {
  Context context;
  const std::unique_ptr<Graph> graph = parse(context, R"(graph(%x) {
    %conv = call_module layer1.0.conv1(%x)
    %w = get_attr layer1.0.scale
    %mul = aten.mul.Tensor(%conv, %w)
    %fc = call_module fc(%mul) !{module="head"}
    return %fc
  })");
  const auto names = [&](const std::string& pattern) {
    const absl::StatusOr<NodeFilter> filter = in_modules(*graph, {pattern});
    EXPECT_TRUE(filter.ok()) << filter.status();
    std::vector<std::string> found;
    for (const Node& node : graph->nodes())
      if (filter.ok() && (*filter)(node)) found.push_back(node.name());
    return found;
  };
  EXPECT_THAT(names("layer*.conv?"), ElementsAre("conv"));
  EXPECT_THAT(names("layer1"), ElementsAre("conv", "w"));
  EXPECT_THAT(names("fc"), ElementsAre("fc"));
}

TEST(InModulesTest, WithoutPatternsTheFilterIsEmpty) {
  Context context;
  const auto graph = parse(context, kGraph);
  const auto only = in_modules(*graph, {});
  ASSERT_TRUE(only.ok());
  EXPECT_FALSE(*only);
}

TEST(InModulesTest, TheFilterFollowsChangesOfTheGraph) {
  Context context;
  const auto graph = parse(context, kGraph);
  const auto only = in_modules(*graph, {"layer1"});
  ASSERT_TRUE(only.ok());
  Node* const b = graph->find_node("b");
  EXPECT_TRUE((*only)(*b));
  b->meta().set("module", Argument("layer2"));
  EXPECT_FALSE((*only)(*b));
  b->meta().set("module", Argument("layer1.act"));
  EXPECT_TRUE((*only)(*b));
}

TEST(InModulesTest, EachPatternMustSelectANode) {
  Context context;
  const auto graph = parse(context, kGraph);
  const absl::Status status = in_modules(*graph, {"layer1", "layer2"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(),
            "unknown module layer2; similar names are layer1, layer1.conv, layer10, gate, "
            "gate.act");
  EXPECT_EQ(in_modules(*graph, {"layer1", "a]["}).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(InModulesTest, NestedGraphsCountOnRequest) {
  Context context;
  const auto graph = parse(context, kGraph);
  const auto only = in_modules(*graph, {"gate.act"});
  ASSERT_TRUE(only.ok()) << only.status();
  EXPECT_THAT(names(graph->subgraph(0), *only), ElementsAre("r"));
  EXPECT_EQ(in_modules(*graph, {"gate.act"}, {.nested = false}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(InModulesTest, AGraphWithoutModulesHasItsOwnMessage) {
  Context context;
  const auto graph = parse(context, "graph(%x) { %a = aten.relu.default(%x) return %a }");
  EXPECT_EQ(in_modules(*graph, {"fc"}).status().message(),
            "unknown module fc; no node of the graph has a module (run the pass infer_modules)");
}

TEST(InModulesTest, RestrictsReplaceTargets) {
  Context context;
  const auto graph = parse(context, kGraph);
  const Target relu = context.function("aten.relu.default");
  const Target neg = context.function("aten.neg.default");
  EXPECT_EQ(replace_targets(*graph, relu, neg, *in_modules(*graph, {"layer1", "gate"})), 2U);
  EXPECT_TRUE(graph->find_node("b")->is(neg));
  EXPECT_TRUE(graph->find_node("c")->is(relu));
  EXPECT_TRUE(graph->subgraph(0).find_node("r")->is(neg));
}

TEST(InModulesTest, RestrictsSetTrainingToTheModulesOfCalls) {
  Context context;
  const auto graph = parse(context, R"(graph(%x) {
    %a = call_module layer1.drop(%x) !{module="layer1.drop"}
    %b = call_module layer2.drop(%a) !{module="layer2.drop"}
    return %b
  })");
  Module root;
  ASSERT_TRUE(root.add_submodule("layer1.drop", std::make_shared<Module>("Dropout")).ok());
  ASSERT_TRUE(root.add_submodule("layer2.drop", std::make_shared<Module>("Dropout")).ok());
  ASSERT_TRUE(set_training(*graph, false, &root, {.only = *in_modules(*graph, {"layer1"})}).ok());
  EXPECT_FALSE(root.find_module("layer1.drop")->training());
  EXPECT_TRUE(root.find_module("layer2.drop")->training());
  EXPECT_TRUE(root.training());
}

TEST(SelectNodesTest, ANodeOutsideTheModulesIsAnError) {
  Context context;
  const auto graph = parse(context, kGraph);
  const auto near = select_nodes(*graph, {.around = "c", .depth = 1, .modules = {"layer*"}});
  ASSERT_TRUE(near.ok()) << near.status();
  EXPECT_EQ(near->size, 2U);
  EXPECT_EQ(
      select_nodes(*graph, {.around = "e", .depth = 1, .modules = {"layer*"}}).status().message(),
      "no node of the selected modules is within 1 edge of e");
}

TEST(ModuleTreeTest, CommonIsTheInnermostModuleAroundAll) {
  ModuleTree tree;
  const uint32_t conv = tree.add("layer1.0.conv"), bn = tree.add("layer1.0.bn"),
                 next = tree.add("layer1.1"), fc = tree.add("fc");
  EXPECT_EQ(tree.common({}), 0U);
  EXPECT_EQ(tree.common({conv}), conv);
  EXPECT_EQ(tree.path(tree.common({conv, bn})), "layer1.0");
  EXPECT_EQ(tree.path(tree.common({conv, tree.add("layer1.0")})), "layer1.0");
  EXPECT_EQ(tree.path(tree.common({conv, bn, next})), "layer1");
  EXPECT_EQ(tree.common({conv, fc}), 0U);
}

}  // namespace
}  // namespace fx::selection_test
