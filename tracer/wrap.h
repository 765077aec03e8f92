// wrap: a function that tracing does not look into. torch.fx.wrap.
//
//   const auto scale = fx::wrap("my_lib.scale", [](double x) { return 2 * x; });
//   scale(1.5);      // 3.0: called with values, it runs
//   scale(proxy);    // called with a Proxy, a node: my_lib.scale(%x)
//
// The name is what the graph holds, prints and finds it by again: give Context::add_operator its
// schema to say what it may do (without one, anything), and the interpreter its code.
#pragma once

#include "fx/tracer/tracer_base.h"

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fx {

/// Node meta data of calls recorded by wrap, as torch.fx's: true.
inline constexpr std::string_view kIsWrappedKey = "is_wrapped";

template <class F>
class Wrapped {
 public:
  Wrapped(std::string_view name, F function) : name_(name), function_(std::move(function)) {}

  std::string_view name() const { return name_; }
  /// What runs: the code for interpreters (TorchFunctions::add).
  const F& function() const { return function_; }

  template <class... Args>
  auto operator()(Args&&... args) const {
    if constexpr ((std::convertible_to<Args, Proxy> || ...)) {
      const Proxy result = call_function(name_, {AnyArg(std::forward<Args>(args))...});
      if (result.defined()) result.node()->meta().set(kIsWrappedKey, true);
      return result;
    } else {
      return function_(std::forward<Args>(args)...);
    }
  }

 private:
  std::string name_;
  F function_;
};

/// `name` is dotted: `my_module.my_function`.
template <class F>
Wrapped<F> wrap(std::string_view name, F function) {
  return Wrapped<F>(name, std::move(function));
}

}  // namespace fx
