// live_module: a GraphModule as a torch::nn::Module, with parameters that an optimizer trains.
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

/// See the head of this file. Parameters, buffers and submodules are registered under their paths.
/// Layers of torch.nn that the graph calls run in the mode that train() and eval() set; what was
/// inlined when the graph was made keeps the mode that it was traced in. Autograd sees what runs.
/// One thread at a time may use it.
class LiveModuleImpl : public torch::nn::Module {
 public:
  /// Holds a copy of `module` that shares its tensors: an optimizer's step is seen by both.
  explicit LiveModuleImpl(std::unique_ptr<GraphModule> module);
  ~LiveModuleImpl() override;

  /// The module that runs. Its graph may be edited: the next run follows it.
  GraphModule& graph_module() { return *module_; }

  /// The code of functions that the graph calls by name (fx::wrap).
  void set_functions(std::shared_ptr<const TorchFunctions> functions);

  /// The value for one input. Throws c10::Error where run() has an error, as libtorch's modules do.
  at::Tensor forward(at::Tensor input);
  /// What the graph returns for one value per placeholder. Errors: those of inline_layers and
  /// TorchInterpreter.
  absl::StatusOr<c10::IValue> run(std::vector<c10::IValue> inputs);

  /// A copy with tensors of its own, on `device` where that is given.
  std::shared_ptr<torch::nn::Module> clone(
      const std::optional<torch::Device>& device = std::nullopt) const override;
  void pretty_print(std::ostream& stream) const override;

 private:
  struct Members;
  void register_members(fx::Module& from, torch::nn::Module& to);
  absl::Status prepare();

  std::unique_ptr<GraphModule> module_;
  std::unique_ptr<Members> members_;
  // What runs: a copy of module_, as it was at version_, whose layers are inlined.
  std::unique_ptr<GraphModule> inlined_;
  std::unique_ptr<TorchInterpreter> interpreter_;
  std::shared_ptr<const TorchFunctions> functions_;
  uint64_t version_ = 0;
};

class LiveModule : public torch::nn::ModuleHolder<LiveModuleImpl> {
 public:
  using torch::nn::ModuleHolder<LiveModuleImpl>::ModuleHolder;
  using Impl = LiveModuleImpl;
  /// InvalidArgument for a tensor that is not dense and on the CPU, or a name that libtorch does
  /// not take; errors of GraphModule::clone.
  static absl::StatusOr<LiveModule> create(const GraphModule& module);
};

}  // namespace fx
