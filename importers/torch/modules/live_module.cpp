#include "fx/importers/torch/modules/live_module.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/status.h"
#include "fx/passes/aten/inline_layers.h"

#include "absl/container/flat_hash_map.h"

#include <ostream>
#include <utility>

namespace fx {

/// The variables of the torch::nn::Module, by the identity of the tensors from which they were
/// created. Tied tensors share a variable.
struct LiveModuleImpl::Members {
  absl::flat_hash_map<const void*, at::Tensor> variables;
  absl::flat_hash_map<fx::Module*, std::shared_ptr<torch::nn::Module>> modules;
};

namespace {

/// Uses the current variables of the torch::nn::Module as members.
class LiveInterpreter final : public TorchInterpreter {
 public:
  LiveInterpreter(const GraphModule& module,
                  const absl::flat_hash_map<const void*, at::Tensor>& variables)
      : TorchInterpreter(module, AutogradUse::kRecord), variables_(variables) {}

  absl::StatusOr<c10::IValue> attribute(std::string_view path,
                                        const Attribute& attribute) override {
    if (attribute.tensor.defined()) {
      const auto found = variables_.find(attribute.tensor.identity());
      if (found != variables_.end()) return c10::IValue(found->second);
    }
    return TorchInterpreter::attribute(path, attribute);
  }

 private:
  const absl::flat_hash_map<const void*, at::Tensor>& variables_;
};

absl::Status check_tensors(const GraphModule& module) {
  std::vector<NamedAttribute> all = module.named_parameters();
  for (NamedAttribute& buffer : module.named_buffers()) all.push_back(std::move(buffer));
  for (const NamedAttribute& item : all)
    FX_RETURN_IF_ERROR(to_torch(item.path, item.attribute->tensor).status());
  return absl::OkStatus();
}

}  // namespace

LiveModuleImpl::LiveModuleImpl(std::unique_ptr<GraphModule> module)
    : torch::nn::Module(module->class_name()),
      module_(std::move(module)),
      members_(std::make_unique<Members>()) {
  register_members(*module_, *this);
}

LiveModuleImpl::~LiveModuleImpl() = default;

void LiveModuleImpl::register_members(fx::Module& from, torch::nn::Module& to) {
  for (const auto& [key, member] : from.attributes()) {
    const std::string name(key);
    if (member.kind == AttributeKind::kModule) {
      std::shared_ptr<torch::nn::Module>& child = members_->modules[member.module.get()];
      if (child != nullptr) {
        to.register_module(name, child);
        continue;
      }
      child = std::make_shared<torch::nn::Module>(member.module->class_name());
      child->train(member.module->training());
      const auto submodule = to.register_module(name, child);
      register_members(*member.module, *submodule);
      continue;
    }
    if (member.kind == AttributeKind::kConstant) continue;
    at::Tensor variable;
    if (member.tensor.defined()) {
      at::Tensor& shared = members_->variables[member.tensor.identity()];
      if (!shared.defined()) {
        shared = to_torch(member.tensor);
        if (!member.tensor.storage()->writable())
          shared = shared.clone();  // for example in a mapped file
      }
      variable = shared;
    }
    if (member.kind == AttributeKind::kParameter) {
      to.register_parameter(name, variable, variable.defined() && member.requires_grad);
    } else {
      to.register_buffer(name, variable);
    }
  }
}

absl::Status LiveModuleImpl::prepare() {
  bool is_current = inlined_ != nullptr && version_ == module_->version();
  for (const auto& [module, live] : members_->modules) {
    is_current = is_current && module->training() == live->is_training();
    module->set_training(live->is_training());
  }
  if (is_current) return absl::OkStatus();
  interpreter_.reset();  // it refers to inlined_
  inlined_.reset();
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> copy, module_->clone(CopyMode::kShareTensors));
  FX_RETURN_IF_ERROR(inline_layers(copy->graph()).status());
  inlined_ = std::move(copy);
  version_ = module_->version();
  interpreter_ = std::make_unique<LiveInterpreter>(*inlined_, members_->variables);
  interpreter_->set_functions(functions_);
  return absl::OkStatus();
}

void LiveModuleImpl::set_functions(std::shared_ptr<const TorchFunctions> functions) {
  functions_ = std::move(functions);
  if (interpreter_) interpreter_->set_functions(functions_);
}

absl::StatusOr<c10::IValue> LiveModuleImpl::run(std::vector<c10::IValue> inputs) {
  FX_RETURN_IF_ERROR(prepare());
  return interpreter_->run(std::move(inputs));
}

at::Tensor LiveModuleImpl::forward(at::Tensor input) {
  std::vector<c10::IValue> inputs;
  inputs.emplace_back(std::move(input));
  absl::StatusOr<c10::IValue> result = run(std::move(inputs));
  TORCH_CHECK(result.ok(), std::string(result.status().message()));
  TORCH_CHECK(result->isTensor(), "the graph of ", module_->class_name(), " returns a ",
              result->tagKind(), ", not a tensor; call run()");
  return result->toTensor();
}

std::shared_ptr<torch::nn::Module> LiveModuleImpl::clone(
    const std::optional<torch::Device>& device) const {
  absl::StatusOr<std::unique_ptr<GraphModule>> copy = module_->clone();
  TORCH_CHECK(copy.ok(), std::string(copy.status().message()));
  auto result = std::make_shared<LiveModuleImpl>(*std::move(copy));
  result->functions_ = functions_;
  // The variables may differ in dtype or device from the tensors of the graph module.
  const auto copy_tensors = [&](const auto& from, auto to) {
    for (const auto& item : from)
      to[item.key()].set_data(device ? item.value().detach().to(*device, false, true)
                                     : item.value().detach().clone());
  };
  copy_tensors(named_parameters(), result->named_parameters());
  copy_tensors(named_buffers(), result->named_buffers());
  for (const auto& item : named_modules("", false)) {
    const auto result_modules = result->named_modules("", false);
    if (auto* other = result_modules.find(item.key())) (*other)->train(item.value()->is_training());
  }
  return result;
}

void LiveModuleImpl::pretty_print(std::ostream& stream) const { stream << module_->str(); }

absl::StatusOr<LiveModule> LiveModule::create(const GraphModule& module) {
  FX_RETURN_IF_ERROR(check_tensors(module));
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> copy, module.clone(CopyMode::kShareTensors));
  try {
    return LiveModule(std::make_shared<LiveModuleImpl>(std::move(copy)));
  } catch (const c10::Error& error) {
    return absl::InvalidArgumentError(error.what_without_backtrace());
  }
}

}  // namespace fx
