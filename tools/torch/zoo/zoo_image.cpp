// Models whose results are images: a U-Net and a variational autoencoder.
#include "fx/tools/torch/zoo/zoo_internal.h"

#include <torch/torch.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::zoo {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;

// ---- unet: Ronneberger et al. 2015 with batch norms and padded convolutions, with the layout and
// names of github.com/milesial/Pytorch-UNet

struct DoubleConv : nn::Module {
  DoubleConv(int64_t in, int64_t out) {
    for (const int64_t channels : {in, out}) {
      double_conv->push_back(
          nn::Conv2d(nn::Conv2dOptions(channels, out, 3).padding(1).bias(false)));
      double_conv->push_back(nn::BatchNorm2d(out));
      double_conv->push_back(nn::ReLU(nn::ReLUOptions().inplace(true)));
    }
    register_module("double_conv", double_conv);
  }

  at::Tensor forward(at::Tensor x) { return run_sequential("double_conv", double_conv, x); }

  nn::Sequential double_conv;
};

/// Halves height and width.
struct Down : nn::Module {
  Down(int64_t in, int64_t out)
      : maxpool_conv(register_module(
            "maxpool_conv",
            nn::Sequential(nn::MaxPool2d(2), std::make_shared<DoubleConv>(in, out)))) {}

  at::Tensor forward(at::Tensor x) { return run_sequential("maxpool_conv", maxpool_conv, x); }

  nn::Sequential maxpool_conv;
};

/// Doubles height and width, and concatenates the result with the features before they were
/// halved.
struct Up : nn::Module {
  Up(int64_t in, int64_t out)
      : up(register_module(
            "up", nn::ConvTranspose2d(nn::ConvTranspose2dOptions(in, in / 2, 2).stride(2)))),
        conv(register_module("conv", std::make_shared<DoubleConv>(in, out))) {}

  at::Tensor forward(const at::Tensor& x, const at::Tensor& skip) {
    at::Tensor y = up(x);
    const int64_t rows = skip.size(2) - y.size(2), columns = skip.size(3) - y.size(3);
    if (rows != 0 || columns != 0) {  // an odd size was rounded down
      y = F::pad(
          y, F::PadFuncOptions({columns / 2, columns - columns / 2, rows / 2, rows - rows / 2}));
    }
    return run_module("conv", conv, torch::cat({skip, y}, 1));
  }

  nn::ConvTranspose2d up;
  std::shared_ptr<DoubleConv> conv;
};

struct OutConv : nn::Module {
  OutConv(int64_t in, int64_t out) : conv(register_module("conv", nn::Conv2d(in, out, 1))) {}
  at::Tensor forward(const at::Tensor& x) { return conv(x); }

  nn::Conv2d conv;
};

struct UNet : nn::Module {
  UNet(int64_t channels, int64_t width, int64_t classes)
      : inc(register_module("inc", std::make_shared<DoubleConv>(channels, width))) {
    for (size_t i = 0; i < down.size(); ++i) {
      down[i] =
          register_module(name("down", i), std::make_shared<Down>(width << i, width << (i + 1)));
    }
    for (size_t i = 0; i < up.size(); ++i) {
      const size_t level = up.size() - i;
      up[i] = register_module(name("up", i),
                              std::make_shared<Up>(width << level, width << (level - 1)));
    }
    outc = register_module("outc", std::make_shared<OutConv>(width, classes));
  }

  static std::string name(const char* what, size_t i) { return what + std::to_string(i + 1); }

  at::Tensor forward(at::Tensor x) {
    std::vector<at::Tensor> skips;
    x = run_module("inc", inc, x);
    for (size_t i = 0; i < down.size(); ++i) {
      skips.push_back(x);
      x = run_module(name("down", i), down[i], x);
    }
    for (size_t i = 0; i < up.size(); ++i) {
      const ModuleScope scope(name("up", i));
      x = up[i]->forward(x, skips.back());
      skips.pop_back();
    }
    return run_module("outc", outc, x);
  }

  std::shared_ptr<DoubleConv> inc;
  std::array<std::shared_ptr<Down>, 4> down;
  std::array<std::shared_ptr<Up>, 4> up;
  std::shared_ptr<OutConv> outc;
};

// ---- vae: Kingma and Welling 2013, as in pytorch/examples

struct Vae : nn::Module {
  struct Result {
    at::Tensor image, mean, log_variance;
  };

  Vae(int64_t points, int64_t hidden, int64_t code)
      : fc1(register_module("fc1", nn::Linear(points, hidden))),
        fc21(register_module("fc21", nn::Linear(hidden, code))),
        fc22(register_module("fc22", nn::Linear(hidden, code))),
        fc3(register_module("fc3", nn::Linear(code, hidden))),
        fc4(register_module("fc4", nn::Linear(hidden, points))) {}

  Result forward(const at::Tensor& x) {
    const at::Tensor hidden = torch::relu(fc1(x.flatten(1)));
    const at::Tensor mean = fc21(hidden), log_variance = fc22(hidden);
    const at::Tensor deviation = torch::exp(0.5 * log_variance);
    const at::Tensor code = mean + torch::randn_like(deviation) * deviation;
    return {torch::sigmoid(fc4(torch::relu(fc3(code)))).view_as(x), mean, log_variance};
  }

  nn::Linear fc1, fc21, fc22, fc3, fc4;
};

/// Returns the reconstruction loss plus the divergence of the code from the standard normal
/// distribution.
at::Tensor vae_loss(const Vae::Result& result, const at::Tensor& x) {
  const at::Tensor reconstruction = F::binary_cross_entropy(
      result.image, x, F::BinaryCrossEntropyFuncOptions().reduction(torch::kSum));
  const at::Tensor divergence =
      -0.5 * torch::sum(1 + result.log_variance - result.mean.pow(2) - result.log_variance.exp());
  return reconstruction + divergence;
}

}  // namespace

ModelInstance build_unet(const ModelSettings& s) {
  return make_classifier(std::make_shared<UNet>(3, s["width"], s["classes"]),
                         torch::randn({s["batch"], 3, s["size"], s["size"]}), s["classes"],
                         {s["batch"], s["size"], s["size"]});
}

ModelInstance build_vae(const ModelSettings& s) {
  const int64_t size = s["size"];
  auto module = std::make_shared<Vae>(size * size, s["hidden"], s["code"]);
  ModelInstance model;
  model.state = module_state(*module);
  model.inputs = {torch::rand({s["batch"], 1, size, size})};
  model.num_forward_inputs = 1;
  model.forward = [module](Tensors in) -> std::vector<at::Tensor> {
    Vae::Result result = module->forward(in[0]);
    return {std::move(result.image), std::move(result.mean), std::move(result.log_variance)};
  };
  model.loss = [module](Tensors in) -> std::vector<at::Tensor> {
    return {vae_loss(module->forward(in[0]), in[0])};
  };
  return model;
}

}  // namespace fx::zoo
