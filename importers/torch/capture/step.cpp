// Runs a training step several times, and merges the runs into one graph.
#include "fx/importers/torch/capture/step.h"

#include "fx/importers/torch/capture/capture_internal.h"
#include "fx/importers/torch/capture/dynamic_internal.h"
#include "fx/importers/torch/capture/fake_tensor.h"
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/importers/torch/capture/run_merger_internal.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/support/status.h"

#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/optim.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx {
namespace {

// ---- optimizers

template <class State>
const State* state_as(const torch::optim::OptimizerParamState& state) {
  return dynamic_cast<const State*>(&state);
}

std::vector<NamedTensor> tensors_of(const torch::optim::OptimizerParamState& state) {
  if (const auto* s = state_as<torch::optim::SGDParamState>(state)) {
    return {{"momentum_buffer", s->momentum_buffer()}};
  }
  if (const auto* s = state_as<torch::optim::AdamParamState>(state)) {
    return {{"exp_avg", s->exp_avg()},
            {"exp_avg_sq", s->exp_avg_sq()},
            {"max_exp_avg_sq", s->max_exp_avg_sq()}};
  }
  if (const auto* s = state_as<torch::optim::AdamWParamState>(state)) {
    return {{"exp_avg", s->exp_avg()},
            {"exp_avg_sq", s->exp_avg_sq()},
            {"max_exp_avg_sq", s->max_exp_avg_sq()}};
  }
  if (const auto* s = state_as<torch::optim::RMSpropParamState>(state)) {
    return {{"square_avg", s->square_avg()},
            {"momentum_buffer", s->momentum_buffer()},
            {"grad_avg", s->grad_avg()}};
  }
  if (const auto* s = state_as<torch::optim::AdagradParamState>(state)) return {{"sum", s->sum()}};
  return {};
}

}  // namespace

std::vector<NamedTensor> optimizer_state(const torch::optim::Optimizer& optimizer,
                                         const ModuleState& state) {
  std::vector<NamedTensor> tensors;
  for (const NamedTensor& parameter : state.parameters) {
    const auto found = optimizer.state().find(parameter.tensor.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;
    for (NamedTensor& tensor : tensors_of(*found->second)) {
      if (!tensor.tensor.defined()) continue;
      tensors.push_back({parameter.name + "." + tensor.name, std::move(tensor.tensor)});
    }
  }
  return tensors;
}

namespace {

/// Saves and restores the learning rates of an optimizer and its state, including the step counts,
/// which are not tensors.
class SavedOptimizer {
 public:
  explicit SavedOptimizer(torch::optim::Optimizer* optimizer) : optimizer_(optimizer) {
    if (optimizer == nullptr) return;
    try {
      for (torch::optim::OptimizerParamGroup& group : optimizer->param_groups())
        rates_.push_back(group.options().get_lr());
    } catch (const std::exception&) {  // an optimizer without learning rates
      rates_.clear();
    }
    for (const auto& [key, state] : optimizer->state()) states_.emplace_back(key, state->clone());
  }
  SavedOptimizer(const SavedOptimizer&) = delete;
  SavedOptimizer& operator=(const SavedOptimizer&) = delete;
  ~SavedOptimizer() {
    if (optimizer_ == nullptr) return;
    for (size_t i = 0; i < rates_.size(); ++i)
      optimizer_->param_groups()[i].options().set_lr(rates_[i]);
    optimizer_->state().clear();
    for (auto& [key, state] : states_) optimizer_->state()[key] = std::move(state);
  }

  /// Changes the learning rates, by a different factor for each group.
  void change_rates() {
    for (size_t i = 0; i < rates_.size(); ++i) {
      const double factor = 1 + 0.0625 * static_cast<double>(i + 1);
      optimizer_->param_groups()[i].options().set_lr(rates_[i] == 0 ? factor : rates_[i] * factor);
    }
  }

 private:
  torch::optim::Optimizer* optimizer_;
  std::vector<double> rates_;
  std::vector<std::pair<void*, std::unique_ptr<torch::optim::OptimizerParamState>>> states_;
};

/// Restores `.grad` of parameters after a run with fake tensors.
class SavedGradients {
 public:
  SavedGradients(const ModuleState& state, torch::optim::Optimizer* optimizer) {
    for (const NamedTensor& parameter : state.parameters) save(parameter.tensor);
    if (optimizer == nullptr) return;
    for (torch::optim::OptimizerParamGroup& group : optimizer->param_groups())
      for (const at::Tensor& parameter : group.params()) save(parameter);
  }
  SavedGradients(const SavedGradients&) = delete;
  SavedGradients& operator=(const SavedGradients&) = delete;
  ~SavedGradients() {
    for (auto& [tensor, gradient] : saved_) tensor.mutable_grad() = gradient;
  }

 private:
  void save(const at::Tensor& parameter) {
    if (parameter.defined() && parameter.is_leaf())
      saved_.emplace_back(parameter, parameter.mutable_grad());
  }
  std::vector<std::pair<at::Tensor, at::Tensor>> saved_;
};

/// Captures a run with fake tensors and different learning rates, to find the numbers that depend
/// on them. Returns nullopt if the capture fails, for example because the program requires data,
/// which fake tensors do not have.
std::optional<CapturedRun> probe_rates(Context& context, const ModuleState& state, Tensors inputs,
                                       const Program& step, const StepOptions& options,
                                       const Graph& first) {
  const SavedGradients gradients(state, options.optimizer.get());
  SavedOptimizer saved(options.optimizer.get());
  saved.change_rates();
  const std::vector<ReturnedNumber> numbers = returned_numbers(first);
  absl::StatusOr<CapturedRun> run = capture_and_promote(context, state, inputs, step,
                                                        {.hook = options.hook,
                                                         .execution = Execution::kFake,
                                                         .keep = options.keep,
                                                         .numbers = &numbers});
  if (!run.ok()) return std::nullopt;
  return *std::move(run);
}

absl::StatusOr<CapturedGraph> capture_runs(Context& context, const ModuleState& state,
                                           Tensors inputs, const Program& step,
                                           const StepOptions& options) {
  std::vector<CapturedRun> runs;
  for (int i = 0; i < options.runs; ++i) {
    FX_ASSIGN_OR_RETURN(CapturedRun run,
                        capture_and_promote(context, state, inputs, step,
                                            {.hook = options.hook,
                                             .execution = options.execution,
                                             .keep = options.keep,
                                             .keep_backward = options.keep_backward}));
    runs.push_back(std::move(run));
  }
  std::optional<CapturedRun> probe;
  if (options.optimizer != nullptr) {
    probe = probe_rates(context, state, inputs, step, options, *runs[0].captured.graph);
  }
  return merge_runs(std::move(runs), std::move(probe));
}

/// Captures a step with the sizes that the options request.
absl::StatusOr<CapturedGraph> capture_step_sizes(Context& context, const ModuleState& state,
                                                 Tensors inputs, const Program& step,
                                                 const StepOptions& options) {
  if (options.dynamic.empty()) return capture_runs(context, state, inputs, step, options);
  std::optional<SavedGradients> gradients;
  std::optional<SavedOptimizer> saved;
  return capture_sizes(
      context, inputs,
      {.hook = options.hook,
       .execution = options.execution,
       .dynamic = options.dynamic,
       .keep = options.keep,
       .keep_backward = options.keep_backward},
      [&](Tensors in, const CaptureOptions& plain) -> absl::StatusOr<CapturedGraph> {
        if (!gradients) {
          FX_ASSIGN_OR_RETURN(CapturedGraph first, capture_runs(context, state, in, step, options));
          gradients.emplace(state, options.optimizer.get());
          saved.emplace(options.optimizer.get());
          return first;
        }
        FX_ASSIGN_OR_RETURN(CapturedRun run, capture_and_promote(context, state, in, step, plain));
        erase_unused_items(*run.captured.graph);
        return std::move(run.captured);
      });
}

}  // namespace

absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           Tensors inputs, const Program& step,
                                           const StepOptions& options) {
  if (options.runs < 1) return absl::InvalidArgumentError("StepOptions::runs must be at least 1");
  FX_RETURN_IF_ERROR(check_keep_backward(options.keep, options.keep_backward));
  const at::AutoGradMode with_grad(true);
  FX_ASSIGN_OR_RETURN(CapturedGraph captured,
                      capture_step_sizes(context, state, inputs, step, options));
  if (options.keep_backward) keep_backward_calls(captured);
  return captured;
}

std::shared_ptr<torch::optim::Optimizer> make_optimizer(std::string_view name,
                                                        const ModuleState& state) {
  using namespace torch::optim;
  std::vector<at::Tensor> parameters;
  for (const NamedTensor& parameter : state.parameters) parameters.push_back(parameter.tensor);
  if (name == "sgd") return std::make_shared<SGD>(parameters, SGDOptions(1e-3).momentum(0.9));
  if (name == "adam") return std::make_shared<Adam>(parameters);
  if (name == "adamw") return std::make_shared<AdamW>(parameters);
  return nullptr;
}

Program make_step(std::shared_ptr<torch::optim::Optimizer> optimizer, Program loss) {
  return [optimizer = std::move(optimizer), loss = std::move(loss)](Tensors in) {
    optimizer->zero_grad();
    std::vector<at::Tensor> results = loss(in);
    TORCH_CHECK(results.size() == 1, "a step must have one loss, not ", results.size());
    results[0].backward();
    optimizer->step();
    return std::vector<at::Tensor>{results[0].detach()};
  };
}

absl::Status run_step(Context& context, const Program& step, Tensors inputs,
                      const StepOptions& options) {
  try {
    const at::AutoGradMode with_grad(true);
    std::optional<FakeTensorScope> scope;
    if (options.execution == Execution::kFake) {
      FX_ASSIGN_OR_RETURN(FakeTensorScope created, FakeTensorScope::create(context, options.hook));
      scope.emplace(std::move(created));
    }
    step(inputs);
    return absl::OkStatus();
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(
        fmt::format("the step failed before it was captured: {}", torch_message(e)));
  }
}

absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           std::shared_ptr<torch::optim::Optimizer> optimizer,
                                           Tensors inputs, const Program& loss,
                                           const StepOptions& options) {
  const Program step = make_step(optimizer, loss);
  FX_RETURN_IF_ERROR(run_step(context, step, inputs, options));
  ModuleState whole = state;
  for (NamedTensor& tensor : optimizer_state(*optimizer, state)) {
    whole.optimizer.push_back(std::move(tensor));
  }
  StepOptions with_optimizer = options;
  with_optimizer.optimizer = optimizer;
  return capture_step(context, whole, inputs, step, with_optimizer);
}

}  // namespace fx
