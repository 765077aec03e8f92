#include "fx/passes/analysis/module_tree.h"

#include "fx/ir/graph/meta.h"

#include <algorithm>

namespace fx {

ModuleTree::ModuleTree() {
  modules_.push_back({"", 0, 0});
  index_.emplace("", 0);
}

uint32_t ModuleTree::add(std::string_view path) {
  if (path == last_path_) return last_;
  uint32_t module = 0;
  size_t end = 0;
  for (int depth = 1; depth <= kMaxDepth && end < path.size(); ++depth) {
    end = std::min(path.find('.', end + 1), path.size());
    module = find_or_create(path.substr(0, end), module, depth);
  }
  last_path_ = path;
  return last_ = module;
}

uint32_t ModuleTree::find_or_create(std::string_view path, uint32_t parent, int depth) {
  if (const auto found = index_.find(path); found != index_.end()) return found->second;
  const auto module = static_cast<uint32_t>(modules_.size());
  modules_.push_back({std::string(path), parent, depth});
  index_.emplace(std::string(path), module);
  return module;
}

std::string_view ModuleTree::name(uint32_t module) const {
  const std::string_view path = modules_[module].path;
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

uint32_t ModuleTree::common(absl::Span<const uint32_t> modules) const {
  uint32_t common = modules.empty() ? 0 : modules.front();
  for (uint32_t module : modules) {
    while (module != common) {
      uint32_t& inner = depth(module) > depth(common) ? module : common;
      inner = parent(inner);
    }
  }
  return common;
}

std::vector<uint32_t> ModuleTree::preorder() const {
  std::vector<std::vector<uint32_t>> children(modules_.size());
  for (size_t i = modules_.size(); i-- > 1;)
    children[modules_[i].parent].push_back(static_cast<uint32_t>(i));
  std::vector<uint32_t> order, open = {0};
  while (!open.empty()) {
    const uint32_t module = open.back();
    open.pop_back();
    order.push_back(module);
    open.insert(open.end(), children[module].begin(), children[module].end());
  }
  return order;
}

std::string_view module_path(const Node& node) {
  if (node.is_placeholder()) {
    const std::string_view kind = input_fact(node, "kind");
    return kind == "parameter" || kind == "buffer" ? parent_path(input_fact(node, "target"))
                                                   : std::string_view();
  }
  if (const auto module = node.meta().get(meta::kModule)) return *module;
  return node.op() == Opcode::kGetAttr ? parent_path(node.target()) : std::string_view();
}

std::string_view input_fact(const Node& placeholder, std::string_view key) {
  const Argument* const facts = placeholder.meta().find(meta::kInput.name);
  return facts != nullptr ? facts->find_text(key) : std::string_view();
}

std::string_view parent_path(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
}

bool is_in_module(std::string_view path, std::string_view module) {
  return module.empty() ||
         (path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.'));
}

}  // namespace fx
