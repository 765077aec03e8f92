// A model that does not depend on fxcpp, and the lines that add a `capture` command for it.
#include <torch/torch.h>

struct Regressor : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return out(torch::tanh(in(x))).squeeze(-1); }
  torch::nn::Linear in = register_module("in", torch::nn::Linear(6, 8));
  torch::nn::Linear out = register_module("out", torch::nn::Linear(8, 1));
};

#include "fx/tools/driver/torch/capture_main.h"
int main(int argc, char** argv) {
  const auto loss = [](at::Tensor y, fx::Tensors targets) { return at::mse_loss(y, targets[0]); };
  return fx::capture_main<Regressor>(
      argc, argv, [] { return torch::randn({4, 6}); }, [] { return torch::randn({4}); }, loss);
}
