// Tests transformations as in torch.fx's overview: functions from a model and a tracer class to a
// module, and edits of the targets of calls. docs/writing_a_pass.md shows the template.
#include "fx/interp/transformer.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/cleanup/normalize.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

namespace fx {
namespace {

using testing::IsOk;

struct Net : nn::Module {
  nn::Linear fc{nullptr};
  Net() { fc = register_module("fc", nn::Linear(4, 4)); }
  Proxy forward(Proxy x, Proxy y) { return relu(add(fc(x), y)); }
};

struct NoLeaves : Tracer {
  using Tracer::Tracer;
  bool is_leaf_module(const Module&, std::string_view) const override { return false; }
};

/// A transformation that traces the model and replaces the function of some calls.
template <class TracerClass = Tracer, class Model>
absl::StatusOr<std::unique_ptr<GraphModule>> retarget(Context& context, const Model& model,
                                                      std::string_view from, std::string_view to) {
  TracerClass tracer(context);
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, tracer.trace(model, {"x", "y"}));
  for (Node* node : graph->find_nodes(context.function(from)))
    node->set_function(context.function(to));
  return GraphModule::create(tracer.root(), std::move(graph));
}

/// A transformation of the result of a transformation.
absl::StatusOr<std::unique_ptr<GraphModule>> negated(const GraphModule& module) {
  struct Negate : Transformer {
    using Transformer::Transformer;
    absl::StatusOr<Argument> output(Call& call) override {
      call.args[0] = Argument(new_graph().call_method("neg", {call.args[0]}));
      return Transformer::output(call);
    }
  };
  return Negate(module).transform_module();
}

// parity: D1b
TEST(Transformation, TransformsAModelWithATracerClass) {
  Context context;
  const nn::ModuleHolder<Net> net;
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> leaves,
                          retarget(context, net, "torch.relu", "torch.tanh"));
  EXPECT_EQ(print(leaves->graph(), {.meta = false}), R"(graph(%x, %y) {
  %fc = call_module fc(%x)
  %add = torch.add(%fc, %y)
  %relu = torch.tanh(%add)
  return %relu
}
)");
  EXPECT_NE(leaves->find_module("fc"), nullptr);
  // Uses a different tracer, and applies a second transformation to the result of the first.
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> inlined,
                          retarget<NoLeaves>(context, net, "torch.relu", "torch.tanh"));
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> both, negated(*inlined));
  EXPECT_EQ(print(both->graph(), {.meta = false}), R"(graph(%x, %y) {
  %fc_weight = get_attr fc.weight
  %fc_bias = get_attr fc.bias
  %linear = torch._C._nn.linear(%x, %fc_weight, %fc_bias)
  %add = torch.add(%linear, %y)
  %relu = torch.tanh(%add)
  %neg = call_method neg(%relu)
  return %neg
}
)");
  EXPECT_TRUE(verify(both->graph()).ok());
  EXPECT_TRUE(both->find_tensor("fc.weight").defined());
}

// parity: D1d
TEST(Transformation, ReplacesAnOperatorByEditingTheTarget) {
  Context context;
  const nn::ModuleHolder<Net> net;
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> edited,
                          retarget(context, net, "torch.add", "torch.mul"));
  EXPECT_EQ(print(edited->graph(), {.meta = false}), R"(graph(%x, %y) {
  %fc = call_module fc(%x)
  %add = torch.mul(%fc, %y)
  %relu = torch.relu(%add)
  return %relu
}
)");
  // Replaces targets by name in an existing graph.
  EXPECT_EQ(replace_targets(edited->graph(), context.function("torch.mul"),
                            context.function("torch.add")),
            1U);
  EXPECT_TRUE(edited->graph().find_node("add")->is(context.function("torch.add")));
}

}  // namespace
}  // namespace fx
