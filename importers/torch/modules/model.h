// Models for `fxcpp capture`, the demo and the tests. A model is built from a few numeric settings.
//
//   fx::ModelEntry entry{"net", "my network", {{"batch", 8, "rows of the input"}},
//                        [](const fx::ModelSettings& s) {
//                          return fx::make_model(std::make_shared<Net>(),
//                                                {torch::randn({s["batch"], 16})},
//                                                {torch::randint(4, {s["batch"]})},
//                                                [](at::Tensor y, fx::Tensors t) {
//                                                  return torch::cross_entropy_loss(y, t[0]);
//                                                });
//                        }};
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// A model: its state, example inputs and programs.
struct ModelInstance {
  ModuleState state;
  std::vector<at::Tensor> inputs;  ///< the inputs of `loss`
  size_t num_forward_inputs =
      0;  ///< the number of inputs of `forward`, which come first; the others are targets
  Program forward;
  Program loss;  ///< `forward`, followed by the loss function

  Tensors forward_inputs() const { return Tensors(inputs).subspan(0, num_forward_inputs); }
};

/// One numeric setting of a model.
struct ModelSetting {
  std::string name;
  int64_t value;  ///< the default
  std::string description;
  int64_t minimum = 1;
};

/// The values of a model's settings.
class ModelSettings {
 public:
  explicit ModelSettings(std::vector<ModelSetting> settings) : settings_(std::move(settings)) {}

  /// Sets a value. Returns false if there is no such setting.
  bool set(std::string_view name, int64_t value);
  /// Returns the value of a setting. Checks that it exists.
  int64_t operator[](std::string_view name) const;

 private:
  std::vector<ModelSetting> settings_;
};

struct ModelEntry {
  std::string name;
  std::string description;
  std::vector<ModelSetting> settings;
  std::function<ModelInstance(const ModelSettings& settings)> build;
};

using SettingValues = absl::Span<const std::pair<std::string_view, int64_t>>;

/// Seeds torch's CPU generator and builds a model in training mode. Returns InvalidArgument for an
/// unknown setting, or a value for which the model cannot be built.
absl::StatusOr<ModelInstance> build_model(const ModelEntry& entry, SettingValues settings = {},
                                          uint64_t seed = 0);
/// Builds a model with fake tensors, which can be captured with Execution::kFake.
absl::StatusOr<ModelInstance> build_fake_model(Context& context, const ModelEntry& entry,
                                               SettingValues settings = {});

/// Returns the entry with this name, or NotFound, listing all entries, if there is none.
absl::StatusOr<const ModelEntry*> find_model(absl::Span<const ModelEntry> entries,
                                             std::string_view name);

/// Creates a model from a torch::nn::Module with example inputs. `forward` is
/// `module->forward(inputs...)`, and the loss is `loss(result, targets)`. `module` is a
/// std::shared_ptr or a ModuleHolder. For modules with inputs or results that are not tensors,
/// create the ModelInstance directly.
template <class ModulePtr, class Loss>
ModelInstance make_model(ModulePtr module, std::vector<at::Tensor> inputs,
                         std::vector<at::Tensor> targets, Loss loss);

// ---------------------------------------------------------------- inline definitions

namespace internal {

/// Calls `module->forward(in[0], in[1], ...)` with up to three tensors.
template <class ModulePtr>
at::Tensor call_forward(ModulePtr& module, Tensors in) {
  if constexpr (requires { module->forward(in[0]); }) {
    if (in.size() == 1) return module->forward(in[0]);
  }
  if constexpr (requires { module->forward(in[0], in[1]); }) {
    if (in.size() == 2) return module->forward(in[0], in[1]);
  }
  if constexpr (requires { module->forward(in[0], in[1], in[2]); }) {
    if (in.size() == 3) return module->forward(in[0], in[1], in[2]);
  }
  TORCH_CHECK(false, "the module's forward does not accept ", in.size(), " tensors");
}

}  // namespace internal

template <class ModulePtr, class Loss>
ModelInstance make_model(ModulePtr module, std::vector<at::Tensor> inputs,
                         std::vector<at::Tensor> targets, Loss loss) {
  ModelInstance model;
  model.state = module_state(module);
  model.num_forward_inputs = inputs.size();
  model.inputs = std::move(inputs);
  model.inputs.insert(model.inputs.end(), targets.begin(), targets.end());
  model.forward = [module](Tensors in) mutable -> std::vector<at::Tensor> {
    return {internal::call_forward(module, in)};
  };
  const size_t split = model.num_forward_inputs;
  model.loss = [module, loss, split](Tensors in) mutable -> std::vector<at::Tensor> {
    return {loss(internal::call_forward(module, in.subspan(0, split)), in.subspan(split))};
  };
  return model;
}

}  // namespace fx
