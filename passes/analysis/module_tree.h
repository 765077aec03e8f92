// ModuleTree: the modules that paths name, "layer1.0.conv" below "layer1.0" below "layer1".
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// Numbers modules from 0, the root "", each after the one that holds it.
class ModuleTree {
 public:
  /// Modules nested more deeply count as the one at this depth.
  static constexpr int kMaxDepth = 64;

  ModuleTree();

  /// The number of a module; made, with those that hold it, when it is new.
  uint32_t add(std::string_view path);
  size_t size() const { return modules_.size(); }
  const std::string& path(uint32_t module) const { return modules_[module].path; }
  /// The last name of the path.
  std::string_view name(uint32_t module) const;
  /// Of the root: itself.
  uint32_t parent(uint32_t module) const { return modules_[module].parent; }
  int depth(uint32_t module) const { return modules_[module].depth; }
  /// All modules, each before those in it, siblings by number.
  std::vector<uint32_t> preorder() const;

 private:
  struct Entry {
    std::string path;
    uint32_t parent;
    int depth;
  };
  uint32_t find_or_make(std::string_view path, uint32_t parent, int depth);
  std::vector<Entry> modules_;
  std::map<std::string, uint32_t, std::less<>> index_;
  std::string last_path_;
  uint32_t last_ = 0;
};

/// The module that a node belongs to: meta data `module`; of a parameter or buffer (meta data
/// `input`) and of a get_attr the module that holds it; "" when nothing is known.
std::string_view module_path(const Node& node);
/// What the meta data `input` of a placeholder says by this key: "kind", "target"; "" when nothing.
std::string_view input_fact(const Node& placeholder, std::string_view key);
/// "layer1.conv" of "layer1.conv.weight".
std::string_view parent_path(std::string_view path);

}  // namespace fx
