#include "fx/importers/torch/modules/traced.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/module/tensor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

absl::Status check_tensor_matches(const NamedAttribute& member, const at::Tensor& tensor_in_torch) {
  const Tensor& tensor = member.attribute->tensor;
  if (!tensor_in_torch.device().is_cpu() || tensor_in_torch.layout() != at::kStrided) {
    return absl::InvalidArgumentError(fmt::format(
        "'{}' must be dense and on the CPU; move the module to the CPU first", member.path));
  }
  const std::vector<int64_t> sizes = tensor_in_torch.sizes().vec();
  if (tensor.dtype() == from_torch(tensor_in_torch.scalar_type()) &&
      (!tensor.has_shape() || tensor.sizes() == absl::MakeConstSpan(sizes))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format(
      "'{}' is {} in the module, but {} [{}] in the libtorch module", member.path, tensor.str(0),
      dtype_name(from_torch(tensor_in_torch.scalar_type())), fmt::join(sizes, ", ")));
}

}  // namespace

absl::Status load_state(Module& module, const torch::nn::Module& source) {
  std::vector<NamedAttribute> members = module.named_parameters();
  for (NamedAttribute& buffer : module.named_buffers()) members.push_back(std::move(buffer));
  const auto parameters = source.named_parameters();
  const auto buffers = source.named_buffers();
  std::vector<std::pair<Attribute*, at::Tensor>> found;
  for (const NamedAttribute& item : members) {
    const at::Tensor* tensor = parameters.find(item.path);
    if (tensor == nullptr) tensor = buffers.find(item.path);
    if (tensor == nullptr) {
      return absl::NotFoundError(fmt::format("the libtorch module has no '{}'", item.path));
    }
    if (absl::Status fits = check_tensor_matches(item, *tensor); !fits.ok()) return fits;
    found.emplace_back(item.attribute, *tensor);
  }
  for (const auto& [attribute, tensor] : found) attribute->tensor = from_torch(tensor.detach());
  const auto modules = source.named_modules();
  module.for_each_module([&](std::string_view path, Module& child) {
    const auto* other = modules.find(std::string(path));
    if (other != nullptr) child.set_training((*other)->is_training());
  });
  return absl::OkStatus();
}

TorchConstants torch_constants(const Module& root) {
  TorchConstants constants;
  const auto add = [&](const std::vector<NamedAttribute>& items) {
    for (const NamedAttribute& item : items) {
      const Tensor& tensor = item.attribute->tensor;
      if (tensor.defined() && tensor.has_host_data())
        constants.emplace(item.path, to_torch(tensor));
    }
  };
  add(root.named_parameters());
  add(root.named_buffers());
  add(root.named_constants());
  return constants;
}

}  // namespace fx
