// importers/torch/scope.cpp - the path of the open scopes, one string per thread.
#include "fx/importers/torch/scope.h"

#include <string>

namespace fx {
namespace {

struct Path {
  std::string text;
  size_t version = 0;
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

std::string_view current_module_path() { return path().text; }
size_t module_path_version() { return path().version; }

}  // namespace fx
