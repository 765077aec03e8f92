// Names the module that a part of a program belongs to.
//
// C++ torch::nn modules do not report that they run. Capture infers the module of an operator
// from its parameters; open a scope to name the module of other operators:
//
//   at::Tensor forward(at::Tensor x) {
//     fx::ModuleScope scope("layer1");   // nested scopes join with dots: layer1.0.relu
//     ...
//
// A scope outside of a capture costs a few nanoseconds.
#pragma once

#include <cstddef>
#include <string_view>

namespace fx {

/// During its lifetime, operators of this thread belong to the module `name` below the open scopes.
/// Scopes must be destroyed in reverse order.
class ModuleScope {
 public:
  explicit ModuleScope(std::string_view name);
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;
  ~ModuleScope();

 private:
  size_t length_before_;
};

/// The path of the open scopes of this thread, "" if there are none, at the last call of
/// module_path_version(). Invalidated when a scope opens or ends.
std::string_view current_module_path();
/// A number that changes whenever the path does, for caching.
size_t module_path_version();

}  // namespace fx
