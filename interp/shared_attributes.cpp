#include "fx/interp/shared_attributes.h"

#include "fx/ir/module/memory_parts.h"

#include <utility>

namespace fx {

SharedAttributes::SharedAttributes(const Module* root) {
  if (root == nullptr) return;
  auto all = root->state_dict({.non_persistent_buffers = true, .constants = true});
  if (!all.ok()) return;
  std::vector<Tensor> tensors;
  tensors.reserve(all->size());
  for (const NamedAttribute& named : *all) tensors.push_back(named.attribute->tensor);
  for (const MemoryPart& part : memory_parts(tensors)) {
    if (part.tensors.size() < 2) continue;
    std::vector<std::string>& paths = groups_.emplace_back();
    for (const size_t i : part.tensors) {
      group_of_.emplace((*all)[i].path, groups_.size() - 1);
      paths.push_back(std::move((*all)[i].path));
    }
  }
}

}  // namespace fx
