// A GraphModule as a torch::nn::Module, with parameters that an optimizer can train.
//
//   auto traced = fx::symbolic_trace(context, net, {"x"});
//   FX_ASSIGN_OR_RETURN(fx::LiveModule live, fx::LiveModule::create(**traced));
//   torch::nn::Sequential model(live, torch::nn::Softmax(1));
//   torch::optim::SGD optimizer(model->parameters(), 0.1);
//   model->to(torch::kDouble);
//   torch::save(model, "model.pt");
#pragma once

#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/module/graph_module.h"

#include "absl/status/statusor.h"
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

namespace fx {

/// See the comment at the top of this file. Parameters, buffers and submodules are registered under
/// their paths. torch.nn layers that the graph calls run in the mode that train() or eval() sets;
/// layers that were inlined by tracing keep the mode of the trace. Autograd records the run. Not
/// thread-safe.
class LiveModuleImpl : public torch::nn::Module {
 public:
  /// Takes ownership of `module` and shares its tensors, so that an optimizer step changes both.
  /// Tensors in read-only memory, such as a mapped file, are copied.
  explicit LiveModuleImpl(std::unique_ptr<GraphModule> module);
  ~LiveModuleImpl() override;

  /// Returns the module that runs. Changes to its graph take effect in the next run.
  GraphModule& graph_module() { return *module_; }

  /// Sets the code of functions that the graph calls by name (fx::wrap).
  void set_functions(std::shared_ptr<const TorchFunctions> functions);

  /// Runs the graph on one input. Throws c10::Error, as libtorch's modules do, if run() fails.
  at::Tensor forward(at::Tensor input);
  /// Runs the graph on one value for each placeholder. Returns the errors of inline_layers and
  /// TorchInterpreter.
  absl::StatusOr<c10::IValue> run(std::vector<c10::IValue> inputs);

  /// Returns a copy with separate tensors, on `device` if it is not std::nullopt.
  std::shared_ptr<torch::nn::Module> clone(
      const std::optional<torch::Device>& device = std::nullopt) const override;
  void pretty_print(std::ostream& stream) const override;

 private:
  struct Members;
  void register_members(fx::Module& from, torch::nn::Module& to);
  absl::Status prepare();

  std::unique_ptr<GraphModule> module_;
  std::unique_ptr<Members> members_;
  // The module to run: a copy of module_ at version_ with inlined layers.
  std::unique_ptr<GraphModule> inlined_;
  std::unique_ptr<TorchInterpreter> interpreter_;
  std::shared_ptr<const TorchFunctions> functions_;
  uint64_t version_ = 0;
};

class LiveModule : public torch::nn::ModuleHolder<LiveModuleImpl> {
 public:
  using torch::nn::ModuleHolder<LiveModuleImpl>::ModuleHolder;
  using Impl = LiveModuleImpl;
  /// Creates a module from a copy of `module` that shares its tensors, except those in read-only
  /// memory. Returns FailedPrecondition for a tensor without data on the CPU, InvalidArgument for a
  /// name that libtorch does not accept, and the errors of GraphModule::clone.
  static absl::StatusOr<LiveModule> create(const GraphModule& module);
};

}  // namespace fx
