// Module paths from programs that have them, such as TorchScript.
#pragma once

#include <string>

namespace fx {

/// During its lifetime, `path` returns the path of the module of this thread's operators, below the
/// open scopes. It is called once per operator.
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
