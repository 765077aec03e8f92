// importers/torch/capture/scope.h - names the module that a piece of a program belongs to.
//
// C++ torch::nn modules do not say when they run. Capture infers the module of an operator from the
// parameters that it reads; a program that wants the others named opens a scope:
//
//   at::Tensor forward(at::Tensor x) {
//     fx::ModuleScope scope("layer1");   // nested scopes join with dots: layer1.0.relu
//     ...
//
// Outside of a capture a scope costs a few nanoseconds.
#pragma once

#include <cstddef>
#include <string_view>

namespace fx {

/// Operators of this thread belong to module `name`, below the scopes that are open already, until
/// the scope ends. Scopes end in the reverse order of their opening.
class ModuleScope {
 public:
  explicit ModuleScope(std::string_view name);
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;
  ~ModuleScope();

 private:
  size_t length_before_;
};

/// The path of the open scopes of this thread, "" when there is none, as of the last call of
/// module_path_version. Valid until the next scope opens or ends.
std::string_view current_module_path();
/// Changes whenever the path does: lets a reader keep what it made of it.
size_t module_path_version();

}  // namespace fx
