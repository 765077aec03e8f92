// ModuleTree: the tree of the modules that paths refer to: "layer1.0.conv" is below "layer1.0",
// which is below "layer1".
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Numbers modules from 0, the root "". Each module comes after its parent.
class ModuleTree {
 public:
  /// A more deeply nested module counts as its ancestor at this depth.
  static constexpr int kMaxDepth = 64;

  ModuleTree();

  /// Returns the number of a module. Adds the module and its ancestors if they are new.
  uint32_t add(std::string_view path);
  size_t size() const { return modules_.size(); }
  const std::string& path(uint32_t module) const { return modules_[module].path; }
  /// Returns the last component of the path.
  std::string_view name(uint32_t module) const;
  /// Returns the number of the parent module; 0 for the root.
  uint32_t parent(uint32_t module) const { return modules_[module].parent; }
  int depth(uint32_t module) const { return modules_[module].depth; }
  /// Returns the innermost module that contains all of these modules; the root if there are none.
  uint32_t common(absl::Span<const uint32_t> modules) const;
  /// Returns all modules, each before its submodules, siblings by number.
  std::vector<uint32_t> preorder() const;

 private:
  struct Entry {
    std::string path;
    uint32_t parent;
    int depth;
  };
  uint32_t find_or_create(std::string_view path, uint32_t parent, int depth);
  std::vector<Entry> modules_;
  std::map<std::string, uint32_t, std::less<>> index_;
  std::string last_path_;
  uint32_t last_ = 0;
};

/// Returns the module of a node: its metadata `module`; for a parameter or buffer (metadata
/// `input`) and for a get_attr, the module that contains it; "" if it is unknown.
std::string_view module_path(const Node& node);
/// Returns an entry of a placeholder's metadata `input`, such as "kind" or "target"; "" if the
/// entry is missing.
std::string_view input_fact(const Node& placeholder, std::string_view key);
/// Returns "layer1.conv" for "layer1.conv.weight".
std::string_view parent_path(std::string_view path);
/// True if `path` is `module` or a module below it. All modules are below the root "".
bool is_in_module(std::string_view path, std::string_view module);

}  // namespace fx
