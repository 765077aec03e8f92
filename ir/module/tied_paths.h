// Tied tensors: one tensor at multiple paths of a module.
//
//   const fx::TiedPaths ties(root);
//   ties.paths("head.weight");   // {"embedding.weight", "head.weight"}
//   ties.first("head.weight");   // "embedding.weight"
#pragma once

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Module;

class TiedPaths {
 public:
  /// Takes linear time. `root` may be null: a graph without a module. If shared modules result in
  /// too many paths for a state dict, there are no tied paths.
  explicit TiedPaths(const Module* root);

  /// Returns the paths of all tied tensors, in the order of a state dict.
  const std::vector<std::vector<std::string>>& groups() const { return groups_; }
  /// Returns all paths of the tensor at `path`, in this order; nothing if it has only one path.
  /// Equal groups have the same address.
  absl::Span<const std::string> paths(std::string_view path) const {
    const auto found = group_of_.find(std::string(path));
    if (found == group_of_.end()) return {};
    return groups_[found->second];
  }
  /// Returns the first path of the tensor at `path`; `path` itself if it has only one path.
  std::string_view first(std::string_view path) const {
    const absl::Span<const std::string> all = paths(path);
    return all.empty() ? path : std::string_view(all[0]);
  }

 private:
  std::vector<std::vector<std::string>> groups_;
  absl::flat_hash_map<std::string, size_t> group_of_;
};

}  // namespace fx
