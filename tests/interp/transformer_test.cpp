// Transformers: the properties that they preserve, and the changes that overrides make.
#include "fx/interp/transformer.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class TransformerTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? *std::move(graph) : nullptr;
  }
  std::string result(absl::StatusOr<std::unique_ptr<Graph>> graph,
                     const PrintOptions& options = {}) {
    EXPECT_THAT(graph, IsOk());
    if (!graph.ok()) return {};
    EXPECT_EQ(verify(**graph).str(), "");
    return print(**graph, options);
  }
  Context context_;
};

constexpr std::string_view kEverything = R"(graph @net(
    %weight : f32[4, 8]{grad} !{input={"kind": "parameter", "target": "fc.weight"}},
    %x : f32[2, 8],
    %input_1[input] : f32[] = 1.0,
) {
  graph @body(%y) {
    return %y
  }
  %fc : f32[2, 4] = call_module fc(%x) !{module="fc", my_key=[1, 2]}
  %bias = get_attr fc.bias
  %unread : f32[4] = call_method neg(%bias)
  %body = get_attr body
  %loop = higher_order.f(%body, @body, [%fc, (%x, None)], {"k": slice(%x, None, 2)}, dim=-1)
  %out : (f32[2, 4], ?) = output((%fc, %loop)) !{outputs="here"}
}
)";

// parity: X1 X2 X3 X4 X5 X8
TEST_F(TransformerTest, CopiesEverythingByDefault) {
  const auto graph = parse(kEverything);
  FX_ASSERT_OK_AND_ASSIGN(const auto copy, Transformer(*graph).transform());
  EXPECT_EQ(print(*copy), kEverything);
  EXPECT_FALSE(first_difference(*graph, *copy).has_value());
  EXPECT_EQ(print(*graph), kEverything);
}

TEST_F(TransformerTest, RandomGraphsAreCopied) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Context context;
    const std::unique_ptr<Graph> graph = testing::random_graph(context, seed);
    FX_ASSERT_OK_AND_ASSIGN(const auto copy, Transformer(*graph).transform());
    EXPECT_EQ(print(*copy), print(*graph)) << seed;
  }
}

// parity: X8
TEST_F(TransformerTest, NamesFromTargets) {
  const auto graph = parse("graph(%a[x]) {\n  %b = torch.relu(%a)\n  return %b\n}");
  EXPECT_EQ(result(Transformer(*graph, {.keep_names = false}).transform()),
            "graph(%x) {\n  %relu = torch.relu(%x)\n  return %relu\n}\n");
}

class Swap : public Transformer {
 public:
  using Transformer::Transformer;
  absl::StatusOr<Argument> call_function(Call& call) override {
    if (call.function.name() == "torch.sigmoid") {
      call.function = new_graph().context().function("torch.neg");
    } else if (call.function.name() == "torch.twice") {
      Node* node = new_graph().call_function(new_graph().context().function("torch.add"),
                                             {call.args[0], call.args[0]});
      return Argument(node);
    } else if (call.function.name() == "torch.none") {
      return Argument(3);
    }
    return Transformer::call_function(call);
  }
};

// parity: X6
TEST_F(TransformerTest, OverridesOneHook) {
  const auto graph = parse(R"(graph(%x : f32[2]) {
    %a : f32[2] = torch.relu(%x)
    %b : f32[2] = torch.sigmoid(%a) !{seq=1}
    %c : f32[2] = torch.relu(%b)
    %d : f32[2] = torch.relu(%x)
    %e = torch.none(%c)
    %g = torch.sum([%e, %d], dim=%e)
    return %g
  })");
  // The types of b and of its users are unknown; users of b use literals instead.
  EXPECT_EQ(result(Swap(*graph).transform()), R"(graph(%x : f32[2]) {
  %a : f32[2] = torch.relu(%x)
  %b = torch.neg(%a) !{seq=1}
  %c = torch.relu(%b)
  %d : f32[2] = torch.relu(%x)
  %g = torch.sum([3, %d], dim=3)
  return %g
}
)");
}

// parity: I11
TEST_F(TransformerTest, NodesOfHooksHaveProvenance) {
  const auto graph = parse(R"(graph(%x) {
    %twice = torch.twice(%x) !{module="layer", seq=4, my_key=1}
    return %twice
  })");
  FX_ASSERT_OK_AND_ASSIGN(const auto changed, Swap(*graph, {.pass_name = "swap"}).transform());
  const Node& add = *changed->find_node("add");
  EXPECT_EQ(add.meta().get(meta::kModule), "layer");
  EXPECT_EQ(add.meta().find("my_key"), nullptr);
  ASSERT_EQ(node_sources(add).size(), 1u);
  EXPECT_EQ(node_sources(add)[0].str(),
            "(name=twice, pass_name=swap, action=create, graph_id=0)\n");
  EXPECT_EQ(changed->output_node()->meta().find("from_node"), nullptr);
}

// parity: X9
TEST_F(TransformerTest, WithoutAnOutput) {
  Graph graph(context_);
  graph.placeholder("x");
  EXPECT_THAT(Transformer(graph).transform(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("must have an output")));
}

TEST_F(TransformerTest, ErrorsNameTheSourceNode) {
  class Failing : public Transformer {
   public:
    using Transformer::Transformer;
    absl::StatusOr<Argument> call_function(Call&) override {
      return absl::InvalidArgumentError("no");
    }
  };
  const auto graph = parse("graph(%x) {\n  %b = torch.relu(%x)\n  return %b\n}");
  EXPECT_THAT(Failing(*graph).transform(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("node b (torch.relu): no")));
}

// ---- modules

class ModuleTransformerTest : public TransformerTest {
 protected:
  std::unique_ptr<GraphModule> make(const Module& root, std::string_view text,
                                    std::string_view name = "GraphModule") {
    auto module = GraphModule::create(root, parse(text), name);
    EXPECT_THAT(module, IsOk());
    return module.ok() ? *std::move(module) : nullptr;
  }
};

// parity: X1 X5
TEST_F(ModuleTransformerTest, SharesModulesWithTheSource) {
  Module root;
  const auto conv = std::make_shared<Module>("torch.nn.modules.conv.Conv2d");
  ASSERT_THAT(root.add_submodule("conv", conv), IsOk());
  ASSERT_THAT(root.add_submodule("act", std::make_shared<Module>("Act")), IsOk());
  const auto source = make(root, R"(graph(%x) {
    %conv = call_module conv(%x)
    %act = call_module act(%conv)
    return %act
  })",
                           "Net");
  source->eval();
  class DropAct : public Transformer {
   public:
    using Transformer::Transformer;
    absl::StatusOr<Argument> call_module(Call& call) override {
      if (call.target == "act") return call.args[0];
      return Transformer::call_module(call);
    }
  };
  FX_ASSERT_OK_AND_ASSIGN(const auto changed, DropAct(*source).transform_module());
  EXPECT_EQ(print(changed->graph()),
            "graph(%x) {\n  %conv = call_module conv(%x)\n  return %conv\n}\n");
  EXPECT_EQ(changed->find_module("conv"), conv.get());
  EXPECT_EQ(changed->find_module("act"), nullptr);
  EXPECT_EQ(changed->class_name(), "Net");
  EXPECT_FALSE(changed->training());
  EXPECT_THAT(Transformer(source->graph()).transform_module(),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

class Inline : public Transformer {
 public:
  using Transformer::Transformer;
  absl::StatusOr<Argument> call_module(Call& call) override { return inline_module(call); }
};

// parity: X7
TEST_F(ModuleTransformerTest, InlinesModules) {
  Module leaf_root, middle_root, root;
  ASSERT_THAT(leaf_root.add_submodule("fc", std::make_shared<Module>("Linear")), IsOk());
  ASSERT_THAT(leaf_root.register_constant("scale", Argument(2)), IsOk());
  ASSERT_THAT(middle_root.add_submodule(
                  "leaf", std::shared_ptr<Module>(make(leaf_root, R"(graph(%x, %y = 3) {
    %fc : f32[2] = call_module fc(%x)
    %scale = get_attr scale
    %f = f(%fc, %scale, %y)
    return [%f, %fc]
  })"))),
              IsOk());
  ASSERT_THAT(root.add_submodule("middle", std::shared_ptr<Module>(make(middle_root, R"(graph(%x) {
    %leaf = call_module leaf(%x)
    %leaf_1 = call_module leaf(%x, y=%leaf)
    return %leaf_1
  })"))),
              IsOk());
  const auto source = make(root, R"(graph(%x : f32[2]) {
    %fc = torch.relu(%x)
    %middle = call_module middle(%fc)
    %g = operator.getitem(%middle, 0)
    return %g
  })");
  FX_ASSERT_OK_AND_ASSIGN(const auto changed, Inline(*source).transform_module());
  EXPECT_EQ(verify(changed->graph()).str(), "");
  EXPECT_EQ(print(changed->graph()), R"(graph(%x : f32[2]) {
  %fc = torch.relu(%x)
  %fc_1 = call_module middle.leaf.fc(%fc)
  %scale = get_attr middle.leaf.scale
  %f = f(%fc_1, %scale, 3)
  %fc_2 = call_module middle.leaf.fc(%fc)
  %scale_1 = get_attr middle.leaf.scale
  %f_1 = f(%fc_2, %scale_1, [%f, %fc_1])
  %g = operator.getitem([%f_1, %fc_2], 0)
  return %g
}
)");
}

// ---- decompose

// parity: X10
TEST_F(TransformerTest, DecomposesByRules) {
  const auto graph = parse(R"(graph(%x) {
    %relu = torch.relu(%x) !{seq=2}
    %y = torch.add(%relu, %x)
    %z = torch.relu(%y)
    return %z
  })");
  const Target relu = context_.function("torch.relu");
  const DecompositionRules rules = {
      {relu, [&](Graph& g, Call<Argument>& call) -> absl::StatusOr<Argument> {
         Node* positive = g.call_function(context_.function("operator.gt"), {call.args[0], 0});
         return Argument(
             g.call_function(context_.function("operator.mul"), {positive, call.args[0]}));
       }}};
  EXPECT_EQ(result(decompose(*graph, rules), {.meta = false}), R"(graph(%x) {
  %gt = operator.gt(%x, 0)
  %mul = operator.mul(%gt, %x)
  %y = torch.add(%mul, %x)
  %gt_1 = operator.gt(%y, 0)
  %mul_1 = operator.mul(%gt_1, %y)
  return %mul_1
}
)");
}

}  // namespace
}  // namespace fx
