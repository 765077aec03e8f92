#include "fx/ir/module/module.h"

#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <utility>

namespace fx {
namespace {

/// Removes the first component from a dotted path and returns it.
std::string_view take_component(std::string_view& path) {
  const size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  return first;
}

/// "a.b.c" as ("a.b", "c"); "c" as ("", "c").
std::pair<std::string_view, std::string_view> split_last(std::string_view path) {
  const size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {std::string_view(), path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace

std::string_view attribute_kind_name(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kParameter:
      return "parameter";
    case AttributeKind::kBuffer:
      return "buffer";
    case AttributeKind::kConstant:
      return "constant";
    case AttributeKind::kModule:
      return "module";
  }
  FX_UNREACHABLE("attribute kind");
}

Attribute Attribute::parameter(Tensor tensor, bool requires_grad) {
  Attribute attribute;
  attribute.kind = AttributeKind::kParameter;
  attribute.tensor = std::move(tensor);
  attribute.requires_grad = requires_grad;
  return attribute;
}

Attribute Attribute::buffer(Tensor tensor, bool persistent) {
  Attribute attribute;
  attribute.kind = AttributeKind::kBuffer;
  attribute.tensor = std::move(tensor);
  attribute.persistent = persistent;
  return attribute;
}

Attribute Attribute::constant(Tensor tensor) {
  Attribute attribute;
  attribute.tensor = std::move(tensor);
  return attribute;
}

Attribute Attribute::constant(Argument value) {
  FX_CHECK(!value.contains_node(), "a constant must not contain nodes");
  Attribute attribute;
  attribute.value = std::move(value);
  return attribute;
}

Attribute Attribute::submodule(std::shared_ptr<Module> module) {
  FX_CHECK(module, "a child module must not be null");
  Attribute attribute;
  attribute.kind = AttributeKind::kModule;
  attribute.module = std::move(module);
  return attribute;
}

// ---------------------------------------------------------------- lifetime

Module::~Module() {
  // Children are destroyed from a list, without recursion: trees may be deep.
  std::vector<std::shared_ptr<Module>> released;
  auto release_children = [&](Module& module) {
    for (auto& [name, attribute] : module.attributes_) {
      if (!attribute.module) continue;
      --attribute.module->num_parents_;
      released.push_back(std::move(attribute.module));
    }
  };
  release_children(*this);
  while (!released.empty()) {
    const std::shared_ptr<Module> module = std::move(released.back());
    released.pop_back();
    if (module.use_count() == 1) release_children(*module);
  }
}

std::unique_ptr<Module> Module::clone_shell() const {
  return std::make_unique<Module>(class_name_);
}

void Module::set_hyperparameter(std::string_view name, Argument value) {
  FX_CHECK(!value.contains_node(), "a hyperparameter must not contain nodes");
  hyperparameters_.set(name, std::move(value));
}

// ---------------------------------------------------------------- direct members

bool Module::contains(const Module* other) const {
  if (this == other) return true;
  if (other->num_parents_ == 0) return false;  // not a child
  std::vector<const Module*> todo = {this};
  absl::flat_hash_set<const Module*> seen = {this};
  while (!todo.empty()) {
    const Module* module = todo.back();
    todo.pop_back();
    for (const auto& [name, attribute] : module->attributes_) {
      const Module* child = attribute.module.get();
      if (!child || !seen.insert(child).second) continue;
      if (child == other) return true;
      todo.push_back(child);
    }
  }
  return false;
}

void Module::put(std::string_view name, Attribute&& attribute, Attribute* old) {
  if (attribute.module) {
    ++attribute.module->num_parents_;
    if (old && old->module) --old->module->num_parents_;
  }
  if (old)
    *old = std::move(attribute);
  else
    attributes_.set(name, std::move(attribute));
}

absl::Status Module::set_member(std::string_view name, Attribute&& attribute) {
  const AttributeKind kind = attribute.kind;
  if (name.empty() || name.find('.') != std::string_view::npos) {
    return absl::InvalidArgumentError(fmt::format(
        "\"{}\" cannot be the name of a {}: a name must not be empty or contain dots (assign "
        "accepts paths)",
        name, attribute_kind_name(kind)));
  }
  FX_CHECK((kind == AttributeKind::kModule) == (attribute.module != nullptr),
           "an attribute must have a module if and only if it is a child module");
  FX_CHECK(!attribute.value.contains_node(), "a constant must not contain nodes");
  const bool is_circular = attribute.module && attribute.module->contains(this);
  Attribute* old;
  if (is_circular) {
    old = attributes_.find(name);
  } else {
    // The name is almost always new: one lookup checks and adds it.
    const auto [member, is_new] = attributes_.find_or_append(name);
    if (is_new) {
      *member = std::move(attribute);
      if (member->module) ++member->module->num_parents_;
      return absl::OkStatus();
    }
    old = member;
  }
  if (old && old->kind != kind) {
    return absl::AlreadyExistsError(
        fmt::format("\"{}\" is already a {} of the module and cannot become a {}; delete it first",
                    name, attribute_kind_name(old->kind), attribute_kind_name(kind)));
  }
  if (is_circular) {
    return absl::InvalidArgumentError(fmt::format(
        "the module for \"{}\" must not contain the module to which it is added", name));
  }
  put(name, std::move(attribute), old);
  return absl::OkStatus();
}

absl::Status Module::set_attribute(std::string_view name, Attribute attribute) {
  return set_member(name, std::move(attribute));
}

absl::Status Module::register_parameter(std::string_view name, Tensor tensor,
                                        ParameterOptions options) {
  return set_attribute(name, Attribute::parameter(std::move(tensor), options.requires_grad));
}
absl::Status Module::register_buffer(std::string_view name, Tensor tensor, BufferOptions options) {
  return set_attribute(name, Attribute::buffer(std::move(tensor), options.persistent));
}
absl::Status Module::register_constant(std::string_view name, Tensor tensor) {
  return set_attribute(name, Attribute::constant(std::move(tensor)));
}
absl::Status Module::register_constant(std::string_view name, Argument value) {
  return set_attribute(name, Attribute::constant(std::move(value)));
}

Module* Module::child(std::string_view name) const {
  const Attribute* attribute = attributes_.find(name);
  return attribute ? attribute->module.get() : nullptr;
}

std::vector<NamedModule> Module::children() const {
  std::vector<NamedModule> result;
  for (const auto& [name, attribute] : attributes_)
    if (attribute.module) result.push_back({name, attribute.module.get()});
  return result;
}

// ---------------------------------------------------------------- by path

Module* Module::find_module(std::string_view path) {
  if (path.empty()) return this;
  if (path.back() == '.') return nullptr;  // its last component is empty
  Module* module = this;
  while (module && !path.empty()) module = module->child(take_component(path));
  return module;
}

Attribute* Module::find_attribute(std::string_view path) {
  if (path.find('.') == std::string_view::npos) return attributes_.find(path);
  const auto [owner, name] = split_last(path);
  if (owner.empty() && name.size() != path.size()) return nullptr;  // ".name"
  Module* module = find_module(owner);
  return module ? module->attributes_.find(name) : nullptr;
}

Tensor Module::find_tensor(std::string_view path) const {
  const Attribute* attribute = find_attribute(path);
  return attribute ? attribute->tensor : Tensor();
}

std::shared_ptr<Module> Module::find_shared_module(std::string_view path) const {
  const Attribute* attribute = find_attribute(path);
  return attribute ? attribute->module : nullptr;
}

absl::Status Module::assign(std::string_view path, Attribute attribute) {
  const auto set = [&](Module& module, std::string_view name) {
    const absl::Status status = module.set_member(name, std::move(attribute));
    return status.ok() ? status : with_context(status, fmt::format("at \"{}\"", path));
  };
  if (path.find('.') == std::string_view::npos) return set(*this, path);
  size_t depth = 1;
  for (const char c : path) depth += c == '.';
  if (depth > kMaxModuleDepth) {
    return absl::InvalidArgumentError(
        fmt::format("the path has {} components, but modules are nested at most {} levels deep",
                    depth, kMaxModuleDepth));
  }
  // Descend until the path ends or modules are missing.
  Module* module = this;
  std::string_view rest = path;
  while (rest.find('.') != std::string_view::npos) {
    std::string_view tail = rest;
    const std::string_view name = take_component(tail);
    const Attribute* member = module->attributes_.find(name);
    if (!member) break;
    if (!member->module) {
      return absl::InvalidArgumentError(fmt::format(
          "path \"{}\" leads through \"{}\", which is a {}, not a module", path,
          path.substr(0, path.size() - tail.size() - 1), attribute_kind_name(member->kind)));
    }
    module = member->module.get();
    rest = tail;
  }
  if (rest.find('.') == std::string_view::npos) return set(*module, rest);
  // The missing modules are created separately and added last, so that an error changes nothing.
  if (attribute.module && attribute.module->contains(module)) {
    return absl::InvalidArgumentError(
        fmt::format("the module for \"{}\" must not contain a module on that path", path));
  }
  const std::string_view first = take_component(rest);
  auto top = std::make_shared<Module>();
  top->training_ = module->training_;
  Module* last = top.get();
  bool ok = !first.empty();
  while (ok && rest.find('.') != std::string_view::npos) {
    const std::string_view name = take_component(rest);
    ok = !name.empty();
    if (!ok) break;
    auto next = std::make_shared<Module>();
    next->training_ = module->training_;
    last->put(name, Attribute::submodule(next), nullptr);
    last = next.get();
  }
  if (!ok || rest.empty()) {
    return absl::InvalidArgumentError(
        fmt::format("path \"{}\" must not have an empty component", path));
  }
  last->put(rest, std::move(attribute), nullptr);
  module->put(first, Attribute::submodule(std::move(top)), nullptr);
  return absl::OkStatus();
}

absl::Status Module::delete_submodule(std::string_view path) {
  const Attribute* attribute = find_attribute(path);
  if (path.empty())
    return absl::InvalidArgumentError("the path must not be empty: a module cannot delete itself");
  if (!attribute)
    return absl::NotFoundError(fmt::format("the module does not have a submodule \"{}\"", path));
  if (!attribute->module) {
    return absl::NotFoundError(fmt::format("\"{}\" is a {}, not a module; use delete_attribute",
                                           path, attribute_kind_name(attribute->kind)));
  }
  return delete_attribute(path);
}

absl::Status Module::delete_attribute(std::string_view path) {
  if (path.empty())
    return absl::InvalidArgumentError("the path must not be empty: a module cannot delete itself");
  const Attribute* attribute = find_attribute(path);
  if (!attribute)
    return absl::NotFoundError(fmt::format(
        "the module does not have a parameter, buffer, constant or module \"{}\"", path));
  if (attribute->module) --attribute->module->num_parents_;
  const auto [owner, name] = split_last(path);
  find_module(owner)->attributes_.erase(name);
  return absl::OkStatus();
}

std::string UniqueAttributeNames::next(std::string_view prefix) {
  std::string first = fmt::format("{}0", prefix);
  uint64_t& counter = counters_[std::string(prefix)];
  if (!root_.has_attribute(first)) {
    counter = 0;
    return first;
  }
  std::string name;
  do {
    name = fmt::format("{}{}", prefix, counter++);
  } while (root_.has_attribute(name));
  return name;
}

}  // namespace fx
