// The models of this lesson, written once: they run with libtorch's layers, and are traced with
// fx::nn's.
#pragma once

#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"

#include <torch/nn.h>
#include <torch/types.h>

struct Eager {
  using Tensor = at::Tensor;
  using Module = torch::nn::Module;
  using Linear = torch::nn::Linear;
  using Conv2d = torch::nn::Conv2d;
  using Conv2dOptions = torch::nn::Conv2dOptions;
  using BatchNorm2d = torch::nn::BatchNorm2d;
};

struct Traced {
  using Tensor = fx::Proxy;
  using Module = fx::nn::Module;
  using Linear = fx::nn::Linear;
  using Conv2d = fx::nn::Conv2d;
  using Conv2dOptions = fx::nn::Conv2dOptions;
  using BatchNorm2d = fx::nn::BatchNorm2d;
};

/// The first module in torch.fx's documentation.
template <class L>
struct MyModule : L::Module {
  using Tensor = typename L::Tensor;
  typename L::Linear linear{nullptr};

  MyModule() { linear = this->register_module("linear", typename L::Linear(4, 5)); }
  Tensor forward(Tensor x) {
    const Tensor y = clamp(relu(linear(x + linear->weight)), 0.0, 1.0);
    auto [values, indices] = topk(sum(y, {-1}), 3);
    return values;
  }
};

template <class L>
struct Residual : L::Module {
  using Tensor = typename L::Tensor;
  typename L::Conv2d conv1{nullptr}, conv2{nullptr};
  typename L::BatchNorm2d bn1{nullptr}, bn2{nullptr};

  Residual() {
    using Options = typename L::Conv2dOptions;
    conv1 =
        this->register_module("conv1", typename L::Conv2d(Options(4, 4, 3).padding(1).bias(false)));
    bn1 = this->register_module("bn1", typename L::BatchNorm2d(4));
    conv2 =
        this->register_module("conv2", typename L::Conv2d(Options(4, 4, 3).padding(1).bias(false)));
    bn2 = this->register_module("bn2", typename L::BatchNorm2d(4));
  }
  Tensor forward(Tensor x) {
    const Tensor y = bn2(conv2(relu(bn1(conv1(x)))));
    return relu(y + x);
  }
};
