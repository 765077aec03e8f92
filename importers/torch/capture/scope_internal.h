// importers/torch/capture/scope_internal.h - programs that know the module of an operator by themselves.
#pragma once

#include <string>

namespace fx {

/// While it lives, `path` tells the module path that operators of this thread belong to, below the
/// open scopes. Called once per operator.
class ModulePathSource {
 public:
  explicit ModulePathSource(std::string (*path)());
  ModulePathSource(const ModulePathSource&) = delete;
  ModulePathSource& operator=(const ModulePathSource&) = delete;
  ~ModulePathSource();

 private:
  std::string (*before_)();
};

}  // namespace fx
