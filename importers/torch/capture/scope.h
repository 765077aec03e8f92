// ModuleScope: names the module to which a part of a program belongs.
//
// libtorch does not report which C++ torch::nn module runs. Capture infers the module of an
// operator from its parameters. To name the module of other operators, open a scope in the forward
// function of the module:
//
//   at::Tensor forward(at::Tensor x) {
//     fx::ModuleScope scope(*this);
//     ...
//
// A program without modules can name its parts: `fx::ModuleScope scope("layer1")`. Nested names are
// joined with dots: layer1.0.relu.
//
// Without a capture, a scope takes a few nanoseconds.
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
  /// Opens a scope for the module `name` within the open scopes.
  explicit ModuleScope(std::string_view name);
  /// Opens a scope for a module of the captured ModuleState, with its path in the state. Has no
  /// effect for other modules or without a capture.
  explicit ModuleScope(const torch::nn::Module& module);
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;
  ~ModuleScope();

 private:
  size_t length_before_, start_before_;
};

/// Returns the path of the open scopes of this thread at the last call to module_path_version(), or
/// "" if there are none. The result is invalidated when a scope begins or ends.
std::string_view current_module_path();
/// Returns a number that changes whenever the path changes, for caches.
size_t module_path_version();

}  // namespace fx
