// Lesson 15: one graph for all sizes. A network over sequences is captured with its backward pass,
// with a dynamic batch size and length, and with its linear layers as single calls. The graph
// contains the sizes that it accepts and the module of each call: Block opens a scope in one line,
// and libtorch's layers open theirs, since the program links fxcpp::torch_layer_scopes. Then the
// graph runs at sizes that do not occur in the capture, with results that are bit-equal to
// libtorch's.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/scope.h"
#include "fx/importers/torch/layer_scopes/layer_scopes.h"
#include "fx/interp/graph_guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/passes/cleanup/infer_modules.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace nn = torch::nn;

struct Block : nn::Module {
  at::Tensor forward(const at::Tensor& x) {
    const fx::ModuleScope scope(*this);
    return x + activation(fc(x));
  }
  nn::Linear fc = register_module("fc", nn::Linear(8, 8));
  nn::GELU activation = register_module("activation", nn::GELU());
};

/// Computes scores for 4 classes from sequences of vectors with 6 elements.
struct Net : nn::Module {
  at::Tensor forward(const at::Tensor& x) {
    const fx::ModuleScope scope(*this);
    return head(blocks->forward(embed(x)).mean(1));
  }
  nn::Linear embed = register_module("embed", nn::Linear(6, 8));
  nn::Sequential blocks = register_module(
      "blocks", nn::Sequential(std::make_shared<Block>(), std::make_shared<Block>()));
  nn::Linear head = register_module("head", nn::Linear(8, 4));
};

at::Tensor loss_of(Net& net, const at::Tensor& x, const at::Tensor& target) {
  return nn::functional::cross_entropy(net.forward(x), target);
}

/// The inputs of the graph at a size: the parameters of the capture, a batch, and a gradient of 1.
std::vector<c10::IValue> inputs_at(const fx::CapturedGraph& joint, const at::Tensor& x,
                                   const at::Tensor& target) {
  std::vector<c10::IValue> inputs;
  for (const fx::CapturedInput& input : joint.inputs) {
    switch (input.kind) {
      case fx::InputKind::kInput:
        inputs.emplace_back(input.index == 0 ? x : target);
        break;
      case fx::InputKind::kTangent:
        inputs.emplace_back(at::ones({}));
        break;
      default:
        inputs.emplace_back(input.tensor);
    }
  }
  return inputs;
}

/// Runs the graph and libtorch at a size, and compares the loss and all gradients.
absl::Status compare_at(Net& net, const fx::CapturedGraph& joint, fx::TorchEvaluator& evaluator,
                        int64_t batch, int64_t length) {
  const at::Tensor x = torch::randn({batch, length, 6}), target = torch::randint(4, {batch});
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results,
                      evaluator.run(inputs_at(joint, x, target)));
  net.zero_grad();
  const at::Tensor loss = loss_of(net, x, target);
  loss.backward();
  bool equal = true;
  for (size_t i = 0; i < results.size(); ++i) {
    const fx::CapturedOutput& output = joint.outputs[i];
    if (output.kind == fx::OutputKind::kResult) equal &= results[i].toTensor().equal(loss);
    if (output.kind != fx::OutputKind::kGradient || !output.tensor.defined()) continue;
    equal &= results[i].toTensor().equal(joint.inputs[output.index].tensor.grad());
  }
  fmt::print("batch {}, length {}: bit-equal to libtorch: {}\n", batch, length, equal);
  return absl::OkStatus();
}

absl::Status run() {
  FX_RETURN_IF_ERROR(fx::check_layer_scopes());
  at::set_num_threads(1);
  torch::manual_seed(0);
  fx::Context context;
  Net net;
  FX_ASSIGN_OR_RETURN(
      const fx::CapturedGraph joint,
      fx::capture_joint(context, net, {torch::randn({4, 5, 6}), torch::randint(4, {4})},
                        [&](fx::Tensors in) { return loss_of(net, in[0], in[1]); },
                        {.dynamic = {.inputs = {"f32[batch, length, 6]", "i64[batch]"},
                                     .ranges = {{"length", 2, 64}}},
                         .keep = {"linear"}}));
  fx::infer_modules(*joint.graph);

  for (const fx::GraphGuard& guard : fx::graph_guards(*joint.graph))
    fmt::print("{}: {}\n", fx::guard_kind_name(guard.kind), guard.text);
  std::map<std::string, std::string> calls;  // of the forward pass, by module
  for (const fx::Node& node : joint.graph->nodes()) {
    if (node.meta().get(fx::meta::kRegion) != "fw") continue;
    std::string& list = calls[std::string(node.meta().get(fx::meta::kModule).value_or("-"))];
    list += fmt::format(" {}", node.name());
  }
  for (const auto& [module, list] : calls) fmt::print("{}:{}\n", module, list);

  FX_ASSIGN_OR_RETURN(fx::TorchEvaluator evaluator,
                      fx::TorchEvaluator::create(*joint.graph, joint.constants));
  for (const auto& [batch, length] : {std::pair{2, 2}, {7, 33}, {16, 64}})
    FX_RETURN_IF_ERROR(compare_at(net, joint, evaluator, batch, length));
  const absl::Status rejected = compare_at(net, joint, evaluator, 4, 65);
  fmt::print("length 65: {}\n", rejected.message());
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) fmt::print(stderr, "{}\n", status.message());
  return status.ok() ? 0 : 1;
}
