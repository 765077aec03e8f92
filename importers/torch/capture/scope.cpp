#include "fx/importers/torch/capture/scope.h"

#include "fx/importers/torch/capture/scope_internal.h"

#include <string>
#include <utility>

namespace fx {
namespace {

struct Path {
  std::string text;
  size_t version = 0;
  std::string (*source)() = nullptr;
  std::string from_source;  // last result of the source
};

Path& path() {
  thread_local Path path;
  return path;
}

}  // namespace

ModuleScope::ModuleScope(std::string_view name) : length_before_(path().text.size()) {
  Path& p = path();
  if (!p.text.empty() && !name.empty()) p.text += '.';
  p.text += name;
  ++p.version;
}

ModuleScope::~ModuleScope() {
  Path& p = path();
  p.text.resize(length_before_);
  ++p.version;
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
  return p.source == nullptr ? std::string_view(p.text) : std::string_view(p.from_source);
}

size_t module_path_version() {
  Path& p = path();
  if (p.source != nullptr) {
    std::string now = p.text;
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
