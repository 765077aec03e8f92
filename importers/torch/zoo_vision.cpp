// importers/torch/zoo_vision.cpp - small classifiers: plain libtorch, nothing in them knows of
// fxcpp except the scopes that name modules.
#include "fx/importers/torch/scope.h"
#include "fx/importers/torch/zoo_internal.h"

#include <torch/torch.h>

#include <memory>
#include <string>
#include <utility>

namespace fx::zoo {
namespace {

namespace nn = torch::nn;

/// A classifier with its example batch and cross-entropy.
template <class Module>
ModelInstance classifier(std::shared_ptr<Module> module, at::Tensor x, int64_t classes) {
  at::Tensor target = torch::randint(classes, {x.size(0)});
  return make_model(std::move(module), {std::move(x)}, {std::move(target)},
                    [](const at::Tensor& y, Tensors targets) {
                      return nn::functional::cross_entropy(y, targets[0]);
                    });
}

struct Mlp : nn::Module {
  Mlp(int64_t features, int64_t hidden, int64_t classes)
      : fc1(register_module("fc1", nn::Linear(features, hidden))),
        fc2(register_module("fc2", nn::Linear(hidden, hidden))),
        fc3(register_module("fc3", nn::Linear(hidden, classes))) {}

  at::Tensor forward(at::Tensor x) {
    x = torch::relu(fc1(x));
    x = torch::gelu(fc2(x));
    return fc3(x);
  }

  nn::Linear fc1, fc2, fc3;
};

nn::Conv2d convolution(int64_t in, int64_t out, int64_t kernel, int64_t stride) {
  return nn::Conv2d(
      nn::Conv2dOptions(in, out, kernel).stride(stride).padding(kernel / 2).bias(false));
}

struct BasicBlock : nn::Module {
  BasicBlock(int64_t in, int64_t out, int64_t stride)
      : conv1(register_module("conv1", convolution(in, out, 3, stride))),
        bn1(register_module("bn1", nn::BatchNorm2d(out))),
        conv2(register_module("conv2", convolution(out, out, 3, 1))),
        bn2(register_module("bn2", nn::BatchNorm2d(out))) {
    if (stride != 1 || in != out) {
      downsample = register_module(
          "downsample", nn::Sequential(convolution(in, out, 1, stride), nn::BatchNorm2d(out)));
    }
  }

  at::Tensor forward(at::Tensor x) {
    at::Tensor y = bn1(conv1(x)).relu_();
    y = bn2(conv2(y));
    y += downsample.is_empty() ? x : downsample->forward(x);
    return y.relu_();
  }

  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Sequential downsample{nullptr};
};

struct ResNet18 : nn::Module {
  ResNet18(int64_t width, int64_t classes)
      : conv1(register_module("conv1", convolution(3, width, 7, 2))),
        bn1(register_module("bn1", nn::BatchNorm2d(width))),
        fc(nullptr) {
    int64_t in = width;
    for (size_t i = 0; i < 4; ++i) {
      const int64_t out = width << i;
      layers[i] = register_module(
          "layer" + std::to_string(i + 1),
          nn::Sequential(BasicBlock(in, out, i == 0 ? 1 : 2), BasicBlock(out, out, 1)));
      in = out;
    }
    fc = register_module("fc", nn::Linear(in, classes));
  }

  at::Tensor forward(at::Tensor x) {
    x = bn1(conv1(x)).relu_();
    x = torch::max_pool2d(x, 3, 2, 1);
    for (size_t i = 0; i < 4; ++i) {
      const ModuleScope layer("layer" + std::to_string(i + 1));
      for (size_t j = 0; j < layers[i]->size(); ++j) {
        const ModuleScope block(std::to_string(j));
        x = layers[i]->at<BasicBlock>(j).forward(x);
      }
    }
    return fc(torch::flatten(torch::adaptive_avg_pool2d(x, {1, 1}), 1));
  }

  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Sequential layers[4] = {nullptr, nullptr, nullptr, nullptr};
  nn::Linear fc;
};

}  // namespace

ModelInstance build_mlp(const ModelSettings& s) {
  auto module = std::make_shared<Mlp>(s["features"], s["hidden"], s["classes"]);
  return classifier(std::move(module), torch::randn({s["batch"], s["features"]}), s["classes"]);
}

ModelInstance build_resnet18(const ModelSettings& s) {
  auto module = std::make_shared<ResNet18>(s["width"], s["classes"]);
  return classifier(std::move(module), torch::randn({s["batch"], 3, s["size"], s["size"]}),
                    s["classes"]);
}

}  // namespace fx::zoo
