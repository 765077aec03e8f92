// Lesson 6: captures the joint graph of a custom model and loss, then a training step with
// an optimizer.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/ir/graph/meta.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

// An unmodified libtorch model.
struct Classifier : torch::nn::Module {
  Classifier()
      : conv(register_module("conv", torch::nn::Conv2d(1, 4, 3))),
        norm(register_module("norm", torch::nn::BatchNorm2d(4))),
        fc(register_module("fc", torch::nn::Linear(4 * 6 * 6, 10))) {}
  at::Tensor forward(at::Tensor x) { return fc(torch::flatten(torch::relu(norm(conv(x))), 1)); }
  torch::nn::Conv2d conv;
  torch::nn::BatchNorm2d norm;
  torch::nn::Linear fc;
};

int main() {
  torch::manual_seed(0);
  auto model = std::make_shared<Classifier>();
  const at::Tensor images = torch::randn({2, 1, 8, 8}), classes = torch::tensor({3, 7});
  const auto loss = [&](fx::Tensors in) {
    return torch::nn::functional::cross_entropy(model->forward(in[0]), in[1]);
  };

  fx::Context context;
  auto joint = fx::capture_joint(context, model, {images, classes}, loss);
  auto optimizer = std::make_shared<torch::optim::AdamW>(model->parameters());
  auto step = fx::capture_step(context, model, optimizer, {images, classes}, loss);
  if (!joint.ok() || !step.ok()) {
    fmt::print(stderr, "{}\n{}\n", joint.status().ToString(), step.status().ToString());
    return 1;
  }

  // Every backward node has the module of the forward node that it belongs to.
  std::map<std::string, std::pair<int, int>> calls;
  for (const fx::Node& node : joint->graph->nodes()) {
    const auto region = node.meta().get(fx::meta::kRegion);
    if (!region) continue;
    auto& [forward, backward] =
        calls[std::string(node.meta().get(fx::meta::kModule).value_or("(none)"))];
    ++(*region == "fw" ? forward : backward);
  }
  for (const auto& [module, count] : calls) {
    fmt::print("{:8} {:2} forward, {:2} backward\n", module, count.first, count.second);
  }
  fmt::print("the training step: {} nodes, {} inputs, {} of them numbers that change\n",
             step->graph->size(), step->inputs.size(),
             std::count_if(step->inputs.begin(), step->inputs.end(),
                           [](const auto& input) { return input.kind == fx::InputKind::kNumber; }));
}
