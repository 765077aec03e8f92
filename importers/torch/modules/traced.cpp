#include "fx/importers/torch/modules/traced.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
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
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> members,
                      module.state_dict({.non_persistent_buffers = true}));
  const auto parameters = source.named_parameters();
  const auto buffers = source.named_buffers();
  std::vector<at::Tensor> found;
  absl::flat_hash_map<const void*, size_t> firsts;  // the first path of each tensor of `module`
  for (size_t i = 0; i < members.size(); ++i) {
    const NamedAttribute& member = members[i];
    const at::Tensor* tensor = parameters.find(member.path);
    if (tensor == nullptr) tensor = buffers.find(member.path);
    if (tensor == nullptr)
      return absl::NotFoundError(fmt::format("the libtorch module has no '{}'", member.path));
    FX_RETURN_IF_ERROR(check_tensor_matches(member, *tensor));
    const size_t first = firsts.try_emplace(member.attribute->tensor.identity(), i).first->second;
    if (first != i && !found[first].is_same(*tensor)) {
      return absl::InvalidArgumentError(
          fmt::format("'{}' and '{}' are one tensor in the module, but two in the libtorch module",
                      members[first].path, member.path));
    }
    found.push_back(*tensor);
  }
  // detach() creates a new tensor for each path.
  absl::flat_hash_map<const c10::TensorImpl*, at::Tensor> detached;
  for (at::Tensor& tensor : found) {
    at::Tensor& without_grad = detached[tensor.unsafeGetTensorImpl()];
    if (!without_grad.defined()) without_grad = tensor.detach();
    tensor = without_grad;
  }
  const std::vector<Tensor> tensors = from_torch(found);
  for (size_t i = 0; i < members.size(); ++i) members[i].attribute->tensor = tensors[i];
  // Without the module itself, which named_modules() requires to be in a shared_ptr.
  const auto modules = source.named_modules("", /*include_self=*/false);
  module.for_each_module([&](std::string_view path, Module& child) {
    if (path.empty()) return child.set_training(source.is_training());
    const auto* other = modules.find(std::string(path));
    if (other != nullptr) child.set_training((*other)->is_training());
  });
  return absl::OkStatus();
}

TorchConstants torch_constants(const Module& root) {
  TorchConstants constants;
  absl::flat_hash_map<const void*, at::Tensor> converted;
  const auto add = [&](const std::vector<NamedAttribute>& items) {
    for (const NamedAttribute& item : items) {
      const Tensor& tensor = item.attribute->tensor;
      if (!tensor.defined() || !tensor.has_host_data()) continue;
      at::Tensor& value = converted[tensor.identity()];
      if (!value.defined()) value = to_torch(tensor);
      constants.emplace(item.path, value);
    }
  };
  if (const auto all = root.state_dict({.non_persistent_buffers = true, .constants = true});
      all.ok()) {
    add(*all);
  } else {  // too many paths
    add(root.named_parameters());
    add(root.named_buffers());
    add(root.named_constants());
  }
  return constants;
}

}  // namespace fx
