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

absl::Status check_fit(const NamedAttribute& ours, const at::Tensor& theirs) {
  const Tensor& tensor = ours.attribute->tensor;
  if (!theirs.device().is_cpu() || theirs.layout() != at::kStrided) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' must be dense and on the CPU; move the module first", ours.path));
  }
  const std::vector<int64_t> sizes = theirs.sizes().vec();
  if (tensor.dtype() == from_torch(theirs.scalar_type()) &&
      (!tensor.has_shape() || tensor.sizes() == absl::MakeConstSpan(sizes))) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format(
      "'{}' is {} in the module, but {} [{}] in the libtorch module", ours.path, tensor.str(0),
      dtype_name(from_torch(theirs.scalar_type())), fmt::join(sizes, ", ")));
}

}  // namespace

absl::Status load_state(Module& module, const torch::nn::Module& source) {
  std::vector<NamedAttribute> ours = module.named_parameters();
  for (NamedAttribute& buffer : module.named_buffers()) ours.push_back(std::move(buffer));
  const auto parameters = source.named_parameters();
  const auto buffers = source.named_buffers();
  std::vector<std::pair<Attribute*, at::Tensor>> found;
  for (const NamedAttribute& item : ours) {
    const at::Tensor* tensor = parameters.find(item.path);
    if (tensor == nullptr) tensor = buffers.find(item.path);
    if (tensor == nullptr) {
      return absl::NotFoundError(fmt::format("the libtorch module has no '{}'", item.path));
    }
    if (absl::Status fits = check_fit(item, *tensor); !fits.ok()) return fits;
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
    for (const NamedAttribute& item : items)
      constants.emplace(item.path, to_torch(item.attribute->tensor));
  };
  add(root.named_parameters());
  add(root.named_buffers());
  for (const NamedAttribute& item : root.named_constants()) {
    if (item.attribute->tensor.defined())
      constants.emplace(item.path, to_torch(item.attribute->tensor));
  }
  return constants;
}

}  // namespace fx
