// Models that are written once. L is a set of layers: libtorch's or fx::nn's. C++ does not specify
// the evaluation order of arguments, so calls that draw random numbers are separate statements.
#pragma once

#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"

#include <torch/nn.h>
#include <torch/types.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace fx::testing {

/// libtorch's layers, with which the models run.
struct EagerLayers {
  using Tensor = at::Tensor;
  using Weight = at::Tensor;
  using Module = torch::nn::Module;
  template <class M>
  using Holder = torch::nn::ModuleHolder<M>;
  using Linear = torch::nn::Linear;
  using Conv2d = torch::nn::Conv2d;
  using Conv2dOptions = torch::nn::Conv2dOptions;
  using ConvTranspose2d = torch::nn::ConvTranspose2d;
  using ConvTranspose2dOptions = torch::nn::ConvTranspose2dOptions;
  using BatchNorm2d = torch::nn::BatchNorm2d;
  using LayerNorm = torch::nn::LayerNorm;
  using LayerNormOptions = torch::nn::LayerNormOptions;
  using MaxPool2d = torch::nn::MaxPool2d;
  using MaxPool2dOptions = torch::nn::MaxPool2dOptions;
  using AdaptiveAvgPool2d = torch::nn::AdaptiveAvgPool2d;
  using Sequential = torch::nn::Sequential;
  using ReLU = torch::nn::ReLU;
  using GELU = torch::nn::GELU;
  using Dropout = torch::nn::Dropout;
  using Embedding = torch::nn::Embedding;
};

/// fxcpp's layers, with which the models are traced.
struct TracedLayers {
  using Tensor = Proxy;
  using Weight = Parameter;
  using Module = nn::Module;
  template <class M>
  using Holder = nn::ModuleHolder<M>;
  using Linear = nn::Linear;
  using Conv2d = nn::Conv2d;
  using Conv2dOptions = nn::Conv2dOptions;
  using ConvTranspose2d = nn::ConvTranspose2d;
  using ConvTranspose2dOptions = nn::ConvTranspose2dOptions;
  using BatchNorm2d = nn::BatchNorm2d;
  using LayerNorm = nn::LayerNorm;
  using LayerNormOptions = nn::LayerNormOptions;
  using MaxPool2d = nn::MaxPool2d;
  using MaxPool2dOptions = nn::MaxPool2dOptions;
  using AdaptiveAvgPool2d = nn::AdaptiveAvgPool2d;
  using Sequential = nn::Sequential;
  using ReLU = nn::ReLU;
  using GELU = nn::GELU;
  using Dropout = nn::Dropout;
  using Embedding = nn::Embedding;
};

template <class L>
struct ResidualBlock : L::Module {
  using Tensor = typename L::Tensor;
  typename L::Conv2d conv1{nullptr}, conv2{nullptr}, shortcut{nullptr};
  typename L::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  ResidualBlock(int64_t in, int64_t out, int64_t stride) {
    using Conv2d = typename L::Conv2d;
    using Options = typename L::Conv2dOptions;
    using BatchNorm2d = typename L::BatchNorm2d;
    conv1 = this->register_module(
        "conv1", Conv2d(Options(in, out, 3).stride(stride).padding(1).bias(false)));
    bn1 = this->register_module("bn1", BatchNorm2d(out));
    conv2 = this->register_module("conv2", Conv2d(Options(out, out, 3).padding(1).bias(false)));
    bn2 = this->register_module("bn2", BatchNorm2d(out));
    if (stride != 1 || in != out) {
      shortcut =
          this->register_module("shortcut", Conv2d(Options(in, out, 1).stride(stride).bias(false)));
    }
  }
  Tensor forward(Tensor x) {
    Tensor y = bn2(conv2(relu(bn1(conv1(x)))));
    y = y + (shortcut ? shortcut(x) : x);
    return relu(y);
  }
};

template <class L>
struct ResNet18 : L::Module {
  using Tensor = typename L::Tensor;
  using Block = typename L::template Holder<ResidualBlock<L>>;
  typename L::Conv2d stem{nullptr};
  typename L::BatchNorm2d bn{nullptr};
  typename L::MaxPool2d pool{nullptr};
  typename L::Linear fc{nullptr};
  std::vector<Block> blocks;
  explicit ResNet18(int64_t width = 8) {
    using Options = typename L::Conv2dOptions;
    stem = this->register_module(
        "stem", typename L::Conv2d(Options(3, width, 7).stride(2).padding(3).bias(false)));
    bn = this->register_module("bn", typename L::BatchNorm2d(width));
    pool = this->register_module(
        "pool", typename L::MaxPool2d(typename L::MaxPool2dOptions(3).stride(2).padding(1)));
    int64_t in = width;
    for (int64_t stage = 0; stage < 4; ++stage) {
      const int64_t out = width << stage;
      for (int64_t i = 0; i < 2; ++i) {
        const int64_t stride = stage > 0 && i == 0 ? 2 : 1;
        blocks.push_back(
            this->register_module("block" + std::to_string(blocks.size()), Block(in, out, stride)));
        in = out;
      }
    }
    fc = this->register_module("fc", typename L::Linear(in, 10));
  }
  Tensor forward(Tensor x) {
    x = pool(relu(bn(stem(x))));
    for (auto& block : blocks) x = block(x);
    return fc(flatten(adaptive_avg_pool2d(x, {1, 1}), 1));
  }
};

template <class L>
struct Attention : L::Module {
  using Tensor = typename L::Tensor;
  typename L::Linear qkv{nullptr}, out{nullptr};
  int64_t width, heads;
  Attention(int64_t w, int64_t h) : width(w), heads(h) {
    qkv = this->register_module("qkv", typename L::Linear(w, 3 * w));
    out = this->register_module("out", typename L::Linear(w, w));
  }
  Tensor forward(Tensor x) {
    const auto batch = x.size(0), length = x.size(1);
    auto [q, k, v] = unpack<3>(chunk(qkv(x), 3, -1));
    const auto split_heads = [&](const Tensor& t) {
      return t.view({batch, length, heads, width / heads}).transpose(1, 2);
    };
    const Tensor a = split_heads(q), b = split_heads(k), c = split_heads(v);
    const Tensor scores = matmul(a, b.transpose(-2, -1)) / std::sqrt(double(width / heads));
    const Tensor y = matmul(softmax(scores, -1), c);
    return out(y.transpose(1, 2).reshape({batch, length, width}));
  }
};

template <class L>
struct GptBlock : L::Module {
  using Tensor = typename L::Tensor;
  typename L::LayerNorm ln1{nullptr}, ln2{nullptr};
  typename L::template Holder<Attention<L>> attention{nullptr};
  typename L::Sequential mlp{nullptr};
  explicit GptBlock(int64_t width = 16) {
    using Options = typename L::LayerNormOptions;
    ln1 = this->register_module("ln1", typename L::LayerNorm(Options({width})));
    attention = this->register_module("attention",
                                      typename L::template Holder<Attention<L>>(width, int64_t{4}));
    ln2 = this->register_module("ln2", typename L::LayerNorm(Options({width})));
    mlp = this->register_module(
        "mlp",
        typename L::Sequential(typename L::Linear(width, 4 * width), typename L::GELU(),
                               typename L::Linear(4 * width, width), typename L::Dropout(0.1)));
  }
  Tensor forward(Tensor x) {
    x = x + attention(ln1(x));
    const Tensor normed = ln2(x);
    if constexpr (std::is_same_v<Tensor, Proxy>) {
      return x + mlp(normed);
    } else {
      return x + mlp->forward(normed);
    }
  }
};

template <class L>
struct LstmCells : L::Module {
  using Tensor = typename L::Tensor;
  typename L::Embedding embed{nullptr};
  typename L::Linear ih{nullptr}, hh{nullptr};
  typename L::Weight start;
  LstmCells() {
    embed = this->register_module("embed", typename L::Embedding(20, 8));
    ih = this->register_module("ih", typename L::Linear(8, 64));
    hh = this->register_module("hh", typename L::Linear(16, 64));
    if constexpr (std::is_same_v<Tensor, Proxy>) {
      start = this->register_parameter("start", *fx::Tensor::zeros(DType::kFloat32, {1, 16}));
    } else {
      start = this->register_parameter("start", torch::randn({1, 16}));
    }
  }
  Tensor forward(Tensor tokens) {
    const Tensor x = embed(tokens);
    Tensor h = start;
    Tensor c = zeros_like(h);
    for (int64_t t = 0; t < 5; ++t) {
      auto [i, f, g, o] = unpack<4>(chunk(ih(x.select(1, t)) + hh(h), 4, 1));
      c = sigmoid(f) * c + sigmoid(i) * tanh(g);
      h = sigmoid(o) * tanh(c);
    }
    return h;
  }
};

template <class L>
struct UNet : L::Module {
  using Tensor = typename L::Tensor;
  typename L::Conv2d down1{nullptr}, down2{nullptr}, mid{nullptr}, out{nullptr};
  typename L::ConvTranspose2d up{nullptr};
  typename L::BatchNorm2d bn{nullptr};
  UNet() {
    using Options = typename L::Conv2dOptions;
    down1 = this->register_module("down1", typename L::Conv2d(Options(3, 8, 3).padding(1)));
    bn = this->register_module("bn", typename L::BatchNorm2d(8));
    down2 = this->register_module("down2", typename L::Conv2d(Options(8, 16, 3).padding(1)));
    up = this->register_module(
        "up", typename L::ConvTranspose2d(typename L::ConvTranspose2dOptions(16, 8, 2).stride(2)));
    mid = this->register_module("mid", typename L::Conv2d(Options(16, 8, 3).padding(1)));
    out = this->register_module("out", typename L::Conv2d(Options(8, 1, 1)));
  }
  Tensor forward(Tensor x) {
    const Tensor a = relu(bn(down1(x)));
    const Tensor b = relu(down2(max_pool2d(a, 2)));
    const Tensor c = up(b);
    return out(relu(mid(cat(std::vector{c, a}, 1))));
  }
};

}  // namespace fx::testing
