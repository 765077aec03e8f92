// Classifiers, mostly of images, with torchvision's layouts and names. They are ordinary libtorch
// code, except for the scopes that name modules.
#include "fx/tools/torch/zoo/zoo_internal.h"

#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace fx::zoo {
namespace {

namespace nn = torch::nn;

// ---- mlp, lenet

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

/// LeNet-5 (LeCun et al. 1998), with average pooling for subsampling. An image has 28 x 28 pixels.
struct LeNet : nn::Module {
  explicit LeNet(int64_t classes)
      : conv1(register_module("conv1", nn::Conv2d(nn::Conv2dOptions(1, 6, 5).padding(2)))),
        conv2(register_module("conv2", nn::Conv2d(6, 16, 5))),
        fc1(register_module("fc1", nn::Linear(16 * 5 * 5, 120))),
        fc2(register_module("fc2", nn::Linear(120, 84))),
        fc3(register_module("fc3", nn::Linear(84, classes))) {}

  at::Tensor forward(at::Tensor x) {
    x = torch::avg_pool2d(torch::tanh(conv1(x)), 2);
    x = torch::avg_pool2d(torch::tanh(conv2(x)), 2);
    x = torch::tanh(fc1(x.flatten(1)));
    x = torch::tanh(fc2(x));
    return fc3(x);
  }

  nn::Conv2d conv1, conv2;
  nn::Linear fc1, fc2, fc3;
};

// ---- resnet

nn::Conv2d convolution(int64_t in, int64_t out, int64_t kernel, int64_t stride,
                       int64_t groups = 1) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, kernel)
                        .stride(stride)
                        .padding(kernel / 2)
                        .groups(groups)
                        .bias(false));
}

/// Initializes the weights of convolutions as torchvision does.
void reset_convolutions(const nn::Module& module) {
  for (const auto& child : module.modules(/*include_self=*/false)) {
    if (const auto* conv = child->as<nn::Conv2d>()) {
      nn::init::kaiming_normal_(conv->weight, 0, torch::kFanOut, torch::kReLU);
    }
  }
}

/// Returns the shortcut of a block, which is empty if sizes do not change.
nn::Sequential shortcut(int64_t in, int64_t out, int64_t stride) {
  if (stride == 1 && in == out) return nullptr;
  return nn::Sequential(convolution(in, out, 1, stride), nn::BatchNorm2d(out));
}

struct BasicBlock : nn::Module {
  static constexpr int64_t kExpansion = 1;

  BasicBlock(int64_t in, int64_t width, int64_t stride)
      : conv1(register_module("conv1", convolution(in, width, 3, stride))),
        bn1(register_module("bn1", nn::BatchNorm2d(width))),
        conv2(register_module("conv2", convolution(width, width, 3, 1))),
        bn2(register_module("bn2", nn::BatchNorm2d(width))),
        downsample(shortcut(in, width, stride)) {
    if (!downsample.is_empty()) register_module("downsample", downsample);
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
  nn::Sequential downsample;
};

struct Bottleneck : nn::Module {
  static constexpr int64_t kExpansion = 4;

  Bottleneck(int64_t in, int64_t width, int64_t stride)
      : conv1(register_module("conv1", convolution(in, width, 1, 1))),
        bn1(register_module("bn1", nn::BatchNorm2d(width))),
        conv2(register_module("conv2", convolution(width, width, 3, stride))),
        bn2(register_module("bn2", nn::BatchNorm2d(width))),
        conv3(register_module("conv3", convolution(width, width * kExpansion, 1, 1))),
        bn3(register_module("bn3", nn::BatchNorm2d(width * kExpansion))),
        downsample(shortcut(in, width * kExpansion, stride)) {
    if (!downsample.is_empty()) register_module("downsample", downsample);
  }

  at::Tensor forward(at::Tensor x) {
    at::Tensor y = bn1(conv1(x)).relu_();
    y = bn2(conv2(y)).relu_();
    y = bn3(conv3(y));
    y += downsample.is_empty() ? x : downsample->forward(x);
    return y.relu_();
  }

  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  nn::Conv2d conv2;
  nn::BatchNorm2d bn2;
  nn::Conv2d conv3;
  nn::BatchNorm2d bn3;
  nn::Sequential downsample;
};

/// ResNet (He et al. 2015) with four stages, which have `depths` blocks. As in torchvision, the 3 x
/// 3 convolution of a bottleneck is the strided one.
template <class Block>
struct ResNet : nn::Module {
  ResNet(const std::array<int, 4>& depths, int64_t width, int64_t classes)
      : conv1(register_module("conv1", convolution(3, width, 7, 2))),
        bn1(register_module("bn1", nn::BatchNorm2d(width))),
        fc(nullptr) {
    int64_t in = width;
    for (size_t i = 0; i < layers.size(); ++i) {
      for (int j = 0; j < depths[i]; ++j) {
        layers[i]->push_back(std::make_shared<Block>(in, width << i, j == 0 && i > 0 ? 2 : 1));
        in = (width << i) * Block::kExpansion;
      }
      register_module(layer_name(i), layers[i]);
    }
    fc = register_module("fc", nn::Linear(in, classes));
    reset_convolutions(*this);
  }

  static std::string layer_name(size_t i) { return "layer" + std::to_string(i + 1); }

  at::Tensor forward(at::Tensor x) {
    x = bn1(conv1(x)).relu_();
    x = torch::max_pool2d(x, 3, 2, 1);
    for (size_t i = 0; i < layers.size(); ++i) x = run_sequential(layer_name(i), layers[i], x);
    return fc(torch::flatten(torch::adaptive_avg_pool2d(x, {1, 1}), 1));
  }

  nn::Conv2d conv1;
  nn::BatchNorm2d bn1;
  std::array<nn::Sequential, 4> layers;
  nn::Linear fc;
};

// ---- mobilenet_v2

/// A convolution, its batch norm, and ReLU6.
struct ConvNormActivation : nn::Module {
  ConvNormActivation(int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t groups = 1)
      : conv(register_module("0", convolution(in, out, kernel, stride, groups))),
        norm(register_module("1", nn::BatchNorm2d(out))) {}

  at::Tensor forward(at::Tensor x) {
    x = norm(conv(x));
    return torch::relu6_(x);
  }

  nn::Conv2d conv;
  nn::BatchNorm2d norm;
};

/// Expands the channels (unless `expand` is 1), applies a depthwise convolution, and projects to
/// `out` channels without an activation.
struct InvertedResidual : nn::Module {
  InvertedResidual(int64_t in, int64_t out, int64_t stride, int64_t expand)
      : keeps_size(stride == 1 && in == out) {
    const int64_t expanded = in * expand;
    if (expand != 1) conv->push_back(std::make_shared<ConvNormActivation>(in, expanded, 1, 1));
    conv->push_back(std::make_shared<ConvNormActivation>(expanded, expanded, 3, stride, expanded));
    conv->push_back(convolution(expanded, out, 1, 1));
    conv->push_back(nn::BatchNorm2d(out));
    register_module("conv", conv);
  }

  at::Tensor forward(at::Tensor x) {
    at::Tensor y = run_sequential("conv", conv, x);
    return keeps_size ? x + y : y;
  }

  bool keeps_size;
  nn::Sequential conv;
};

/// Returns the multiple of 8 nearest to `channels`, or the next multiple if the nearest one is less
/// than 0.9 * `channels`.
int64_t round_channels(double channels) {
  const int64_t rounded = std::max<int64_t>(8, (static_cast<int64_t>(channels) + 4) / 8 * 8);
  return static_cast<double>(rounded) < 0.9 * channels ? rounded + 8 : rounded;
}

/// MobileNetV2 (Sandler et al. 2018).
struct MobileNetV2 : nn::Module {
  MobileNetV2(double width, int64_t classes, double dropout) {
    struct Stage {
      int64_t expand, channels, blocks, stride;
    };
    constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                 {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    int64_t in = round_channels(32 * width);
    features->push_back(std::make_shared<ConvNormActivation>(3, in, 3, 2));
    for (const Stage& stage : kStages) {
      const int64_t out = round_channels(static_cast<double>(stage.channels) * width);
      for (int64_t i = 0; i < stage.blocks; ++i) {
        features->push_back(
            std::make_shared<InvertedResidual>(in, out, i == 0 ? stage.stride : 1, stage.expand));
        in = out;
      }
    }
    const int64_t last = round_channels(1280 * std::max(1.0, width));
    features->push_back(std::make_shared<ConvNormActivation>(in, last, 1, 1));
    classifier->push_back(nn::Dropout(dropout));
    nn::Linear scores(last, classes);
    nn::init::normal_(scores->weight, 0, 0.01);
    nn::init::zeros_(scores->bias);
    classifier->push_back(scores);
    register_module("features", features);
    register_module("classifier", classifier);
    reset_convolutions(*this);
  }

  at::Tensor forward(at::Tensor x) {
    x = run_sequential("features", features, x);
    x = torch::flatten(torch::adaptive_avg_pool2d(x, {1, 1}), 1);
    return run_sequential("classifier", classifier, x);
  }

  nn::Sequential features, classifier;
};

template <class Module>
ModelInstance image_classifier(std::shared_ptr<Module> module, const ModelSettings& s) {
  return make_classifier(std::move(module), torch::randn({s["batch"], 3, s["size"], s["size"]}),
                         s["classes"], {s["batch"]});
}

}  // namespace

ModelInstance build_mlp(const ModelSettings& s) {
  auto module = std::make_shared<Mlp>(s["features"], s["hidden"], s["classes"]);
  return make_classifier(std::move(module), torch::randn({s["batch"], s["features"]}), s["classes"],
                         {s["batch"]});
}

ModelInstance build_lenet(const ModelSettings& s) {
  return make_classifier(std::make_shared<LeNet>(s["classes"]),
                         torch::randn({s["batch"], 1, 28, 28}), s["classes"], {s["batch"]});
}

ModelInstance build_resnet18(const ModelSettings& s) {
  return image_classifier(
      std::make_shared<ResNet<BasicBlock>>(std::array{2, 2, 2, 2}, s["width"], s["classes"]), s);
}

ModelInstance build_resnet50(const ModelSettings& s) {
  return image_classifier(
      std::make_shared<ResNet<Bottleneck>>(std::array{3, 4, 6, 3}, s["width"], s["classes"]), s);
}

ModelInstance build_mobilenet_v2(const ModelSettings& s) {
  return image_classifier(
      std::make_shared<MobileNetV2>(fraction(s["width"]), s["classes"], fraction(s["dropout"])), s);
}

}  // namespace fx::zoo
