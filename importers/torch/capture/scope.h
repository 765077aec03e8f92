// Names the module that a part of a program belongs to.
//
// C++ torch::nn modules do not report that they run. Capture infers the module of an operator
// from its parameters; open a scope to name the module of other operators, in one line of the
// forward of a module:
//
//   at::Tensor forward(at::Tensor x) {
//     fx::ModuleScope scope(*this);
//     ...
//
// A program without modules names its parts: `fx::ModuleScope scope("layer1")`. Nested names join
// with dots: layer1.0.relu.
//
// A scope outside of a capture costs a few nanoseconds.
#pragma once

#include <cstddef>
#include <string_view>

namespace torch::nn {
class Module;
}  // namespace torch::nn

namespace fx {

/// During its lifetime, operators of this thread belong to a module. Scopes must be destroyed in
/// reverse order.
class ModuleScope {
 public:
  /// The module `name` below the open scopes.
  explicit ModuleScope(std::string_view name);
  /// A module of the ModuleState that is captured, by its path there. No effect for other modules,
  /// and without a capture.
  explicit ModuleScope(const torch::nn::Module& module);
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;
  ~ModuleScope();

 private:
  size_t length_before_, start_before_;
};

/// The path of the open scopes of this thread, "" if there are none, at the last call of
/// module_path_version(). Invalidated when a scope opens or ends.
std::string_view current_module_path();
/// A number that changes whenever the path does, for caching.
size_t module_path_version();

}  // namespace fx
