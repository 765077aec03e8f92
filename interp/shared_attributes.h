// Attributes of a module that share memory: tied weights, or a buffer that is a view of another.
#pragma once

#include "fx/ir/module/module.h"

#include "absl/types/span.h"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The groups of paths whose tensors overlap in memory. A tensor without data overlaps only with
/// itself: one tensor may be at multiple paths. The module must not change while this object is
/// used.
class SharedAttributes {
 public:
  /// Takes O(n log n) time for n tensors. `root` may be null: a graph without a module. If shared
  /// modules result in more than 2^20 paths, the object is empty.
  explicit SharedAttributes(const Module* root);

  bool empty() const { return groups_.empty(); }
  /// Returns the index of the path's group; nullopt if its tensor shares memory with no other path.
  std::optional<size_t> group_of(std::string_view path) const {
    const auto found = group_of_.find(path);
    return found == group_of_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Returns the paths of a group, at least two.
  absl::Span<const std::string> paths(size_t group) const { return groups_[group]; }

 private:
  std::vector<std::vector<std::string>> groups_;
  std::map<std::string, size_t, std::less<>> group_of_;
};

}  // namespace fx
