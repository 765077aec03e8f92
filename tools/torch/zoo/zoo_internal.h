// The functions that build the models of zoo.h, and their shared helpers.
#pragma once

#include "fx/importers/torch/capture/scope.h"
#include "fx/importers/torch/modules/model.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace fx::zoo {

// zoo_vision.cpp: image classifiers, and the smallest model.
ModelInstance build_mlp(const ModelSettings& settings);
ModelInstance build_lenet(const ModelSettings& settings);
ModelInstance build_resnet18(const ModelSettings& settings);
ModelInstance build_resnet50(const ModelSettings& settings);
ModelInstance build_mobilenet_v2(const ModelSettings& settings);
// zoo_image.cpp: models whose results are images.
ModelInstance build_unet(const ModelSettings& settings);
ModelInstance build_vae(const ModelSettings& settings);
// zoo_text.cpp: models of token sequences, with libtorch's layers.
ModelInstance build_lstm_tagger(const ModelSettings& settings);
ModelInstance build_transformer_encoder(const ModelSettings& settings);
// zoo_attention.cpp: transformers on scaled_dot_product_attention.
ModelInstance build_gpt(const ModelSettings& settings);
ModelInstance build_vit(const ModelSettings& settings);

/// Creates a model from a module that returns scores [batch, classes] or [batch, classes, ...]. The
/// loss is the cross-entropy with a random class for each row or position.
template <class Module>
ModelInstance make_classifier(std::shared_ptr<Module> module, at::Tensor x, int64_t classes,
                              at::IntArrayRef target_sizes) {
  at::Tensor target = at::randint(classes, target_sizes, at::kLong);
  return make_model(std::move(module), {std::move(x)}, {std::move(target)},
                    [](const at::Tensor& scores, Tensors targets) {
                      return at::cross_entropy_loss(scores, targets[0]);
                    });
}

/// Creates a model from a module that returns scores [..., classes] for a token sequence. The loss
/// is the cross-entropy with a random class for each token.
template <class Module>
ModelInstance make_token_classifier(std::shared_ptr<Module> module, at::Tensor tokens,
                                    int64_t classes) {
  at::Tensor target = at::randint(classes, tokens.sizes(), at::kLong);
  return make_model(std::move(module), {std::move(tokens)}, {std::move(target)},
                    [](const at::Tensor& scores, Tensors targets) {
                      return at::cross_entropy_loss(scores.flatten(0, -2), targets[0].flatten());
                    });
}

/// Runs a module in a scope with its name, because a C++ module does not have a name.
template <class ModulePtr>
at::Tensor run_module(std::string_view name, ModulePtr& module, const at::Tensor& x) {
  const ModuleScope scope(name);
  return module->forward(x);
}

/// Runs the modules of a torch::nn::Sequential, each in the scope of its number.
template <class Sequential>
at::Tensor run_sequential(std::string_view name, Sequential& modules, at::Tensor x) {
  const ModuleScope scope(name);
  size_t i = 0;
  for (auto& module : *modules) {
    const ModuleScope number(std::to_string(i++));
    x = module.forward(x);
  }
  return x;
}

/// Returns a setting in percent as a fraction.
inline double fraction(int64_t percent) { return static_cast<double>(percent) / 100; }

}  // namespace fx::zoo
