// Operations on whole module trees: lists in torch's order, modes, text, copies. See module.h.
#include "fx/ir/module/module.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

std::string join_path(std::string_view prefix, std::string_view name) {
  return prefix.empty() ? std::string(name) : fmt::format("{}.{}", prefix, name);
}

/// Walks a tree in pre-order without recursion, and keeps the path in one buffer.
class TreeWalk {
 public:
  explicit TreeWalk(const Module& root) : root_(root) {}

  /// The next module, or null. The traversal continues below it only when `enter` is called.
  Module* next() {
    if (!started_) {
      started_ = true;
      return const_cast<Module*>(&root_);
    }
    while (!levels_.empty()) {
      Level& level = levels_.back();
      path_.resize(level.path_length);
      while (level.at != level.end && !level.at->value.module) ++level.at;
      if (level.at == level.end) {
        levels_.pop_back();
        continue;
      }
      if (!path_.empty()) path_ += '.';
      path_ += level.at->key;
      return (level.at++)->value.module.get();
    }
    return nullptr;
  }
  /// Visits the children of the module that next() returned.
  void enter(const Module& module) {
    levels_.push_back({module.attributes().begin(), module.attributes().end(), path_.size()});
  }
  std::string_view path() const { return path_; }
  /// The number of modules above the one that next() returned.
  size_t depth() const { return levels_.size(); }

 private:
  struct Level {
    OrderedMap<Attribute>::const_iterator at, end;
    size_t path_length;
  };
  const Module& root_;
  bool started_ = false;
  std::vector<Level> levels_;
  std::string path_;
};

}  // namespace

void Module::for_each_module(
    absl::FunctionRef<void(std::string_view path, Module& module)> f) const {
  absl::flat_hash_set<const Module*> seen;
  TreeWalk walk(*this);
  while (Module* module = walk.next()) {
    // A module with one parent is visited once, because its parent is visited once.
    if (module->num_parents_ > 1 && !seen.insert(module).second) continue;
    f(walk.path(), *module);
    walk.enter(*module);
  }
}

std::vector<NamedModule> Module::named_modules() const {
  std::vector<NamedModule> result;
  for_each_module([&](std::string_view path, Module& module) {
    result.push_back({std::string(path), &module});
  });
  return result;
}

std::vector<NamedAttribute> Module::named_tensors(AttributeKind kind) const {
  std::vector<NamedAttribute> result;
  absl::flat_hash_set<const void*> seen;
  for_each_module([&](std::string_view path, Module& module) {
    for (auto& [name, attribute] : module.attributes_) {
      if (attribute.kind != kind || !attribute.tensor ||
          !seen.insert(attribute.tensor.identity()).second)
        continue;
      result.push_back({join_path(path, name), &attribute});
    }
  });
  return result;
}

std::vector<NamedAttribute> Module::named_parameters() const {
  return named_tensors(AttributeKind::kParameter);
}
std::vector<NamedAttribute> Module::named_buffers() const {
  return named_tensors(AttributeKind::kBuffer);
}
std::vector<NamedAttribute> Module::named_constants() const {
  std::vector<NamedAttribute> result;
  for_each_module([&](std::string_view path, Module& module) {
    for (auto& [name, attribute] : module.attributes_)
      if (attribute.kind == AttributeKind::kConstant)
        result.push_back({join_path(path, name), &attribute});
  });
  return result;
}

absl::StatusOr<std::vector<NamedAttribute>> Module::state_dict(StateDictOptions options) const {
  constexpr size_t kMaxPaths = size_t{1} << 20;
  auto is_selected = [&](const Attribute& attribute) {
    switch (attribute.kind) {
      case AttributeKind::kParameter:
        return true;
      case AttributeKind::kBuffer:
        return attribute.persistent || options.non_persistent_buffers;
      case AttributeKind::kConstant:
        return options.constants;
      case AttributeKind::kModule:
        return false;
    }
    FX_UNREACHABLE("attribute kind");
  };
  std::vector<NamedAttribute> result;
  size_t visited = 0;
  TreeWalk walk(*this);
  while (Module* module = walk.next()) {
    for (const AttributeKind kind :
         {AttributeKind::kParameter, AttributeKind::kBuffer, AttributeKind::kConstant}) {
      for (auto& [name, attribute] : module->attributes_)
        if (attribute.kind == kind && attribute.tensor && is_selected(attribute))
          result.push_back({join_path(walk.path(), name), &attribute});
    }
    if (++visited > kMaxPaths || result.size() > kMaxPaths) {
      return absl::ResourceExhaustedError(fmt::format(
          "shared modules have more than {} paths, the limit of a state dict", kMaxPaths));
    }
    walk.enter(*module);
  }
  return result;
}

void Module::train(bool mode) {
  for_each_module([mode](std::string_view, Module& module) { module.training_ = mode; });
}

std::string Module::str() const {
  std::string out;
  size_t open = 0;  // modules whose closing parenthesis has not been printed
  auto close_to = [&](size_t level) {
    while (open > level) out += std::string(2 * --open, ' ') + ")\n";
  };
  absl::flat_hash_map<const Module*, std::string> printed;
  TreeWalk walk(*this);
  while (const Module* module = walk.next()) {
    const std::string_view path = walk.path();
    const size_t level = walk.depth();
    close_to(level);
    out.append(2 * level, ' ');
    if (level > 0) out += fmt::format("({}): ", path.substr(path.rfind('.') + 1));
    const bool has_children = !module->children().empty();
    const auto [it, is_new] = printed.try_emplace(module, path);
    if (!is_new && has_children) {
      out += fmt::format("the same as {}\n", it->second);
      continue;
    }
    const std::string_view class_name = module->class_name();
    out += fmt::format("{}(", class_name.substr(class_name.rfind('.') + 1));
    std::string extra;
    for (const auto& [key, value] : module->hyperparameters()) {
      extra += fmt::format("{}{}=", extra.empty() ? "" : ", ", key);
      text::append_python_repr(extra, value);
    }
    if (has_children) {
      out += '\n';
      if (!extra.empty()) out += std::string(2 * level + 2, ' ') + extra + '\n';
      open = level + 1;
      walk.enter(*module);
    } else {
      out += extra + ")\n";
    }
  }
  close_to(0);
  out.pop_back();
  return out;
}

// ---------------------------------------------------------------- copies

/// Copies trees of modules without recursion.
class ModuleCloner {
 public:
  explicit ModuleCloner(CopyMode mode) : mode_(mode) {}

  absl::StatusOr<std::unique_ptr<Module>> clone(const Module& root) {
    std::unique_ptr<Module> copy = shell(root);
    todo_.emplace_back(&root, copy.get());
    while (!todo_.empty()) {
      const auto [from, to] = todo_.back();
      todo_.pop_back();
      for (const auto& [name, attribute] : from->attributes_) {
        Attribute member = attribute;
        if (attribute.module) {
          member.module = copied(*attribute.module);
        } else if (mode_ == CopyMode::kDeep) {
          FX_ASSIGN_OR_RETURN(member.tensor, tensors_.copy(attribute.tensor));
        }
        to->put(name, std::move(member), nullptr);
      }
    }
    return copy;
  }

 private:
  static std::unique_ptr<Module> shell(const Module& module) {
    std::unique_ptr<Module> copy = module.clone_shell();
    copy->training_ = module.training_;
    for (const auto& [name, value] : module.hyperparameters_)
      copy->hyperparameters_.set(name, value);
    return copy;
  }

  std::shared_ptr<Module> copied(const Module& module) {
    std::shared_ptr<Module>& copy = modules_[&module];
    if (!copy) {
      copy = shell(module);
      todo_.emplace_back(&module, copy.get());
    }
    return copy;
  }

  CopyMode mode_;
  TensorCopier tensors_;
  absl::flat_hash_map<const Module*, std::shared_ptr<Module>> modules_;
  std::vector<std::pair<const Module*, Module*>> todo_;
};

absl::StatusOr<std::unique_ptr<Module>> Module::clone(CopyMode mode) const {
  return ModuleCloner(mode).clone(*this);
}

}  // namespace fx
