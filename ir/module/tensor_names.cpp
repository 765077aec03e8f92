#include "fx/ir/module/tensor_names.h"

#include "absl/functional/function_ref.h"

#include <string_view>

namespace fx {
namespace {

/// Calls `f` with each path of each tensor, or with only its first path if shared modules result in
/// too many paths for a state dict.
void for_each_tensor(const Module& root,
                     absl::FunctionRef<void(std::string_view path, const Tensor& tensor)> f) {
  const auto all = root.state_dict({.non_persistent_buffers = true, .constants = true});
  if (all.ok()) {
    for (const NamedAttribute& member : *all)
      if (member.attribute->tensor.defined()) f(member.path, member.attribute->tensor);
    return;
  }
  root.for_each_module([&](std::string_view module, Module& part) {
    for (const auto& [name, member] : part.attributes()) {
      if (member.kind == AttributeKind::kModule || !member.tensor.defined()) continue;
      const std::string path =
          module.empty() ? std::string(name) : std::string(module) + "." + std::string(name);
      f(path, member.tensor);
    }
  });
}

}  // namespace

TensorNames::TensorNames(const Module& root) {
  for_each_tensor(root, [&](std::string_view path, const Tensor& tensor) {
    tensors_.emplace(std::string(path), tensor);
    paths_.emplace(tensor.identity(), std::string(path));
  });
}

std::vector<std::pair<std::string, std::string>> TensorNames::renamed_in(const Module& root) const {
  std::vector<std::pair<std::string, std::string>> names;
  for_each_tensor(root, [&](std::string_view path, const Tensor& tensor) {
    const auto same = tensors_.find(std::string(path));
    if (same != tensors_.end() && same->second.is_same(tensor)) {
      names.emplace_back(path, path);
    } else if (const auto known = paths_.find(tensor.identity()); known != paths_.end()) {
      names.emplace_back(path, known->second);
    }
  });
  return names;
}

}  // namespace fx
