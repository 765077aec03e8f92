// importers/torch/modules/model.h - a model as `fxcpp capture`, the demo and the tests take it: something
// that can be built from a few numbers, run forward, and trained.
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

/// A model that can be run: its state, example inputs, and what it computes.
struct ModelInstance {
  ModuleState state;
  std::vector<at::Tensor> inputs;  ///< what `loss` takes
  size_t num_forward_inputs = 0;   ///< `forward` takes the first so many; the others are targets
  Program forward;
  Program loss;  ///< forward and loss

  Tensors forward_inputs() const { return Tensors(inputs).subspan(0, num_forward_inputs); }
};

/// One numeric setting of a model.
struct ModelSetting {
  std::string name;
  int64_t value;  ///< unless said otherwise
  std::string about;
  int64_t minimum = 1;
};

/// The settings that a model is built with.
class ModelSettings {
 public:
  explicit ModelSettings(std::vector<ModelSetting> settings) : settings_(std::move(settings)) {}

  /// False when there is no such setting.
  bool set(std::string_view name, int64_t value);
  /// The setting must exist; checked.
  int64_t operator[](std::string_view name) const;

 private:
  std::vector<ModelSetting> settings_;
};

struct ModelEntry {
  std::string name;
  std::string about;
  std::vector<ModelSetting> settings;
  std::function<ModelInstance(const ModelSettings& settings)> build;
};

using SettingValues = absl::Span<const std::pair<std::string_view, int64_t>>;

/// Builds a model, in training mode, with parameters and inputs drawn after torch's CPU generator
/// was seeded. InvalidArgument for an unknown setting, or one that the model cannot be built with.
absl::StatusOr<ModelInstance> build_model(const ModelEntry& entry, SettingValues settings = {},
                                          uint64_t seed = 0);
/// The same without memory for its tensors, to be captured with Execution::kFake.
absl::StatusOr<ModelInstance> build_fake_model(Context& context, const ModelEntry& entry,
                                               SettingValues settings = {});

/// The entry called `name`; NotFound names those that there are.
absl::StatusOr<const ModelEntry*> find_model(absl::Span<const ModelEntry> entries,
                                             std::string_view name);

/// A torch::nn::Module with its example inputs. `module` (a std::shared_ptr or ModuleHolder) is
/// called as `module->forward(inputs...)`, its result and the targets go to
/// `loss(result, targets)`. For modules that take or give something else than tensors, fill a
/// ModelInstance by hand.
template <class ModulePtr, class Loss>
ModelInstance make_model(ModulePtr module, std::vector<at::Tensor> inputs,
                         std::vector<at::Tensor> targets, Loss loss);

// ---------------------------------------------------------------- inline definitions

namespace internal {

/// `module->forward(in[0], in[1], ...)` with as many tensors as forward takes.
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
  TORCH_CHECK(false, "the module's forward does not take ", in.size(), " tensors");
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
