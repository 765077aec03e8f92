// Captures a training step, with the gradients and the optimizer, as one graph.
//
//   auto optimizer = std::make_shared<torch::optim::AdamW>(net->parameters());
//   auto step = fx::capture_step(context, net, optimizer, {x, target}, [&](fx::Tensors in) {
//     return torch::cross_entropy_loss(net->forward(in[0]), in[1]);
//   });
//
// The graph's placeholders are parameters, buffers, the optimizer's state, inputs, and numbers that
// differ between steps (AdamW's bias corrections, learning rates). The graph returns the tensors
// that the step wrote to, then the loss. Running it repeatedly on its own results trains the
// model.
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
  /// The number of times that the step is run and captured. Numbers that differ between the runs
  /// (InputKind::kNumber) and tensors that the step replaces (OutputKind::kState) become inputs.
  int runs = 3;
  /// Numbers that depend on the learning rates of this optimizer are inputs even if they are equal
  /// in all runs. An additional run with fake tensors and different rates finds them. May be null.
  std::shared_ptr<torch::optim::Optimizer> optimizer = nullptr;
  /// The sizes that become symbols in the graph, if any; see dynamic.h.
  DynamicSizes dynamic = {};
  /// Composite operators that are recorded whole; see CaptureOptions::keep.
  std::vector<std::string> keep = {};
  bool keep_backward = false;  ///< see CaptureOptions::keep_backward
};

/// Captures `step`, which may run multiple models, call backward() and use any optimizer. Tensors
/// that the step keeps and writes to are inputs, named `state_1`, ... if `state` does not list
/// them. They must exist before the capture, so run one step first. Other placeholders are
/// named as in capture().
///
/// A tensor that the step keeps and replaces with a new tensor (`ema = 0.9 * ema + loss`, or a
/// hidden state that is carried to the next step) is also an input, and the graph returns its next
/// value as OutputKind::kState. A number that operators return to the program and that differs
/// between the runs, such as a logged loss, does not become a guard.
///
/// Returns InvalidArgument if the runs result in different graphs, or use tensors that were
/// not computed in a run and whose contents differ. The message contains the first difference.
absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           Tensors inputs, const Program& step,
                                           const StepOptions& options = {});

/// Captures a step that consists of zero_grad, `loss`, backward and step of `optimizer`, and
/// returns the loss. Runs the step once before the capture, so that the optimizer creates its
/// state.
absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           std::shared_ptr<torch::optim::Optimizer> optimizer,
                                           Tensors inputs, const Program& loss,
                                           const StepOptions& options = {});

/// Captures a training step of a torch::nn::Module.
template <class Module, class Loss>
  requires(!std::same_as<Module, ModuleState>)
absl::StatusOr<CapturedGraph> capture_step(Context& context, const Module& module,
                                           std::shared_ptr<torch::optim::Optimizer> optimizer,
                                           const std::vector<at::Tensor>& inputs, Loss loss,
                                           const StepOptions& options = {}) {
  return capture_step(context, module_state(module), std::move(optimizer), inputs,
                      make_program(std::move(loss)), options);
}

/// Creates torch.optim's "sgd" (with momentum 0.9), "adam" or "adamw" with default options for the
/// parameters of `state`. Returns null for other names.
std::shared_ptr<torch::optim::Optimizer> make_optimizer(std::string_view name,
                                                        const ModuleState& state);

/// Returns the program that runs zero_grad, `loss`, backward and step, and returns the loss.
Program make_step(std::shared_ptr<torch::optim::Optimizer> optimizer, Program loss);

/// Runs `step` once without capture, so that an optimizer creates its state. Returns
/// InvalidArgument if the step throws; also returns the errors of FakeTensorScope::create.
absl::Status run_step(Context& context, const Program& step, Tensors inputs,
                      const StepOptions& options = {});

/// Returns the state tensors of SGD, Adam, AdamW, RMSprop or Adagrad. They are named after the
/// parameters, for example `fc1.weight.exp_avg`. Returns an empty vector for other optimizers and
/// before the first step.
std::vector<NamedTensor> optimizer_state(const torch::optim::Optimizer& optimizer,
                                         const ModuleState& state);

}  // namespace fx
