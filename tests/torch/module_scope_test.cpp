// ModuleScope in the forward functions of torch::nn modules: captured operators have the module's
// path.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/scope.h"
#include "fx/ir/graph/meta.h"
#include "tests/torch/joint_testing.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <memory>
#include <string>
#include <string_view>

namespace fx::module_scope_test {
namespace {

namespace nn = torch::nn;

struct Block : nn::Module {
  Block() : fc(register_module("fc", nn::Linear(4, 4))) {}
  at::Tensor forward(const at::Tensor& x) {
    const ModuleScope scope(*this);
    const at::Tensor positions = torch::arange(4);  // without an autograd node
    return torch::tanh(fc(x) + positions).mul(2).sub_(x);
  }
  nn::Linear fc;
};

struct Net : nn::Module {
  Net()
      : blocks(register_module("blocks", nn::Sequential(std::make_shared<Block>(), nn::ReLU(),
                                                        std::make_shared<Block>()))) {}
  at::Tensor forward(const at::Tensor& x) {
    const ModuleScope scope(*this);
    const at::Tensor y = blocks->forward(torch::sigmoid(x));
    return torch::sin(y);
  }
  nn::Sequential blocks;
};

/// Returns the modules of the calls to an operator in order, separated by spaces.
std::string modules_of(const Graph& graph, std::string_view op) {
  std::string modules;
  for (const Node& node : graph.nodes()) {
    if (node.target() != op) continue;
    if (!modules.empty()) modules += ' ';
    modules += node.meta().get(meta::kModule).value_or("-");
  }
  return modules;
}

TEST(ModuleScopeTest, NamesTheCallsOfModules) {
  Context context;
  Net net;
  const auto joint = capture_joint(context, net, {torch::randn({2, 4}).requires_grad_()},
                                   [&](Tensors in) { return net.forward(in[0]).sum(); });
  ASSERT_THAT(joint, testing::IsOk());
  const Graph& graph = *joint->graph;
  EXPECT_EQ(modules_of(graph, "aten.tanh.default"), "blocks.0 blocks.2");
  EXPECT_EQ(modules_of(graph, "aten.addmm.default"), "blocks.0.fc blocks.2.fc");
  EXPECT_EQ(modules_of(graph, "aten.tanh_backward.default"), "blocks.2 blocks.0");
  EXPECT_EQ(modules_of(graph, "aten.arange.default"), "blocks.0 blocks.2");
  EXPECT_EQ(modules_of(graph, "aten.sub_.Tensor"), "blocks.0 blocks.2");  // the last calls
  EXPECT_EQ(modules_of(graph, "aten.sigmoid.default"), "-");
  EXPECT_EQ(modules_of(graph, "aten.sigmoid_backward.default"), "-");
  EXPECT_EQ(modules_of(graph, "aten.sin.default"), "-");
  EXPECT_EQ(current_module_path(), "");
}

TEST(ModuleScopeTest, APathReplacesTheOpenScopes) {
  Context context;
  Net net;
  const auto graph = capture(context, net, {torch::randn({2, 4})}, [&](Tensors in) {
    const ModuleScope part("part");
    const at::Tensor y = net.forward(in[0]);
    const ModuleScope end("end");
    return torch::cos(y);
  });
  ASSERT_THAT(graph, testing::IsOk());
  EXPECT_EQ(modules_of(*graph->graph, "aten.tanh.default"), "blocks.0 blocks.2");
  EXPECT_EQ(modules_of(*graph->graph, "aten.cos.default"), "part.end");
}

TEST(ModuleScopeTest, OtherModulesHaveNoNames) {
  Context context;
  Net net;
  Block other;
  const auto graph = capture(context, net, {torch::randn({2, 4})}, [&](Tensors in) {
    const ModuleScope part("part");
    return other.forward(net.forward(in[0]));
  });
  ASSERT_THAT(graph, testing::IsOk());
  EXPECT_EQ(modules_of(*graph->graph, "aten.tanh.default"), "blocks.0 blocks.2 part");
  const ModuleScope scope(net);  // outside a capture
  EXPECT_EQ(current_module_path(), "");
}

}  // namespace
}  // namespace fx::module_scope_test
