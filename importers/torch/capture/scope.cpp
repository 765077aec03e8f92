#include "fx/importers/torch/capture/scope.h"

#include "fx/importers/torch/capture/scope_internal.h"

#include <string>
#include <utility>

namespace fx {
namespace {

struct Path {
  std::string text;  // the names of the open scopes; the path starts at `start`
  size_t start = 0;
  size_t version = 0;
  std::string (*source)() = nullptr;
  std::string from_source;  // the last result of the source
  const ModuleNames* names = nullptr;

  std::string_view current() const { return std::string_view(text).substr(start); }
};

Path& path() {
  thread_local Path path;
  return path;
}

}  // namespace

ModuleScope::ModuleScope(std::string_view name)
    : length_before_(path().text.size()), start_before_(path().start) {
  Path& p = path();
  if (!p.current().empty() && !name.empty()) p.text += '.';
  p.text += name;
  ++p.version;
}

ModuleScope::ModuleScope(const torch::nn::Module& module)
    : length_before_(path().text.size()), start_before_(path().start) {
  Path& p = path();
  const std::string_view* name = p.names == nullptr ? nullptr : p.names->find(module);
  if (name == nullptr) return;
  p.start = length_before_;
  p.text += *name;
  ++p.version;
}

ModuleScope::~ModuleScope() {
  Path& p = path();
  p.text.resize(length_before_);
  p.start = start_before_;
  ++p.version;
}

ModuleNames::ModuleNames(const std::vector<ModulePath>& modules)
    : before_(std::exchange(path().names, this)) {
  for (const ModulePath& m : modules) paths_.try_emplace(m.module, m.path);
}

ModuleNames::~ModuleNames() { path().names = before_; }

const std::string_view* ModuleNames::find(const torch::nn::Module& module) const {
  const auto found = paths_.find(&module);
  return found == paths_.end() ? nullptr : &found->second;
}

ModulePathSource::ModulePathSource(std::string (*path_of)())
    : before_(std::exchange(path().source, path_of)) {}

ModulePathSource::~ModulePathSource() {
  path().source = before_;
  path().from_source.clear();
  ++path().version;
}

std::string_view current_module_path() {
  const Path& p = path();
  return p.source == nullptr ? p.current() : std::string_view(p.from_source);
}

size_t module_path_version() {
  Path& p = path();
  if (p.source != nullptr) {
    std::string now(p.current());
    if (const std::string below = p.source(); !below.empty()) {
      if (!now.empty()) now += '.';
      now += below;
    }
    if (now != p.from_source) {
      p.from_source = std::move(now);
      ++p.version;
    }
  }
  return p.version;
}

}  // namespace fx
