// Module paths from programs that have them, such as TorchScript, and from the captured module.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/container/flat_hash_map.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// During its lifetime, the modules that ModuleScope accepts on this thread. `modules` must outlive
/// it.
class ModuleNames {
 public:
  explicit ModuleNames(const std::vector<ModulePath>& modules);
  ModuleNames(const ModuleNames&) = delete;
  ModuleNames& operator=(const ModuleNames&) = delete;
  ~ModuleNames();

  /// The path of a module; null if it is not one of `modules`.
  const std::string_view* find(const torch::nn::Module& module) const;

 private:
  absl::flat_hash_map<const torch::nn::Module*, std::string_view> paths_;
  const ModuleNames* before_;
};

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
