#include "fx/ir/module/tied_paths.h"

#include "fx/ir/module/module.h"

#include <utility>

namespace fx {

TiedPaths::TiedPaths(const Module* root) {
  if (root == nullptr) return;
  const auto all = root->state_dict({.non_persistent_buffers = true, .constants = true});
  if (!all.ok()) return;
  absl::flat_hash_map<const void*, std::vector<std::string>> by_tensor;
  for (const NamedAttribute& named : *all)
    if (named.attribute->tensor.defined())
      by_tensor[named.attribute->tensor.identity()].push_back(named.path);
  for (const NamedAttribute& named : *all) {
    const auto found = by_tensor.find(named.attribute->tensor.identity());
    if (found == by_tensor.end() || found->second.size() < 2) continue;
    for (const std::string& path : found->second) group_of_.emplace(path, groups_.size());
    groups_.push_back(std::move(found->second));
    by_tensor.erase(found);
  }
}

}  // namespace fx
