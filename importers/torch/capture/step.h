// importers/torch/capture/step.h - a whole training step as one graph: gradients, and the optimizer that
// uses them.
//
//   auto optimizer = std::make_shared<torch::optim::AdamW>(net->parameters());
//   auto step = fx::capture_step(context, net, optimizer, {x, target}, [&](fx::Tensors in) {
//     return torch::cross_entropy_loss(net->forward(in[0]), in[1]);
//   });
//
// The graph's placeholders are parameters, buffers, the optimizer's state, inputs, and numbers that
// change from step to step (AdamW's bias corrections); it returns what the step wrote to, then the
// loss. Running it again and again on what it returned trains the model.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <concepts>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace fx {

struct StepOptions {
  HookKind hook = HookKind::kAuto;
  Execution execution = Execution::kReal;
  /// The step is run and captured so many times, one after the other. A number that differs between
  /// runs becomes an input (InputKind::kNumber) with its values; with 1, none does.
  int runs = 2;
};

/// Captures `step`, which may do anything: run several models, call backward(), use any optimizer.
/// Tensors that it keeps and writes to are inputs, those that `state` does not list too, as
/// `state_1`, ...; they must exist before: run one step first. Placeholders are named as in
/// capture(). InvalidArgument when the runs do not give the same graph; the message names the first
/// difference.
absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           Tensors inputs, const Program& step,
                                           const StepOptions& options = {});

/// The step of `optimizer` on the gradients of `loss`: zero_grad, loss, backward, step. It is run
/// once before, so that the optimizer makes its state. The program returns the loss.
absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           std::shared_ptr<torch::optim::Optimizer> optimizer,
                                           Tensors inputs, const Program& loss,
                                           const StepOptions& options = {});

/// The same for a torch::nn::Module.
template <class Module, class Loss>
  requires(!std::same_as<Module, ModuleState>)
absl::StatusOr<CapturedGraph> capture_step(Context& context, const Module& module,
                                           std::shared_ptr<torch::optim::Optimizer> optimizer,
                                           const std::vector<at::Tensor>& inputs, Loss loss,
                                           const StepOptions& options = {}) {
  return capture_step(context, module_state(module), std::move(optimizer), inputs,
                      make_program(std::move(loss)), options);
}

/// torch.optim's "sgd" (momentum 0.9), "adam" or "adamw", else with their default options, on the
/// parameters of `state`; null for another name.
std::shared_ptr<torch::optim::Optimizer> make_optimizer(std::string_view name,
                                                        const ModuleState& state);

/// The program zero_grad, `loss`, backward, step; it returns the loss.
Program make_step(std::shared_ptr<torch::optim::Optimizer> optimizer, Program loss);

/// Runs `step` once without capture, as `options` say, so that an optimizer makes its state.
/// InvalidArgument when it throws.
absl::Status run_step(Context& context, const Program& step, Tensors inputs,
                      const StepOptions& options = {});

/// The tensors in which SGD, Adam, AdamW, RMSprop or Adagrad keep what they know of each parameter:
/// `fc1.weight.exp_avg`. Empty for other optimizers, and before the first step.
std::vector<NamedTensor> optimizer_state(const torch::optim::Optimizer& optimizer,
                                         const ModuleState& state);

}  // namespace fx
