// Module paths from programs that provide them, such as TorchScript, and from the captured module.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/container/flat_hash_map.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// During its lifetime, ModuleScope accepts these modules on this thread. `modules` must outlive
/// this object.
class ModuleNames {
 public:
  explicit ModuleNames(const std::vector<ModulePath>& modules);
  ModuleNames(const ModuleNames&) = delete;
  ModuleNames& operator=(const ModuleNames&) = delete;
  ~ModuleNames();

  /// Returns the path of a module, or null if it is not in `modules`.
  const std::string_view* find(const torch::nn::Module& module) const;

 private:
  absl::flat_hash_map<const torch::nn::Module*, std::string_view> paths_;
  const ModuleNames* before_;
};

/// During its lifetime, `path` must return the module path of this thread's operators, relative to
/// the open scopes. It is called once for each operator.
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
