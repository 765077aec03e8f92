// wrap: marks a function that is not traced into, like torch.fx.wrap.
//
//   const auto scale = fx::wrap("my_lib.scale", [](double x) { return 2 * x; });
//   scale(1.5);      // 3.0: called with values, it runs
//   scale(proxy);    // called with a Proxy, it becomes a node: my_lib.scale(%x)
//
// The graph refers to the function by its name. Register its schema with Context::add_operator to
// state its effects (without a schema, it is assumed to have every effect), and its code with the
// interpreter.
//
//   const auto gelu = fx::named_function("my_lib.gelu",
//                                        [](auto x) { return x * (x * 1.7).sigmoid(); });
//
// is traced into like other code, except by tracers whose RecordOptions::autowrap_functions
// contains its name.
#pragma once

#include "fx/tracer/tracer_base.h"

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

/// The key of the node metadata of calls recorded by wrap, as in torch.fx. The value is true.
inline constexpr std::string_view kIsWrappedKey = "is_wrapped";

template <class F>
class Wrapped {
 public:
  Wrapped(std::string_view name, F function) : name_(name), function_(std::move(function)) {}

  std::string_view name() const { return name_; }
  /// Returns the code, for interpreters (TorchFunctions::add).
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

/// Wraps a function. `name` is dotted: `my_module.my_function`.
template <class F>
Wrapped<F> wrap(std::string_view name, F function) {
  return Wrapped<F>(name, std::move(function));
}

/// See the top of this file.
template <class F>
class NamedFunction {
 public:
  NamedFunction(std::string_view name, F function) : wrapped_(name, std::move(function)) {}

  std::string_view name() const { return wrapped_.name(); }
  const F& function() const { return wrapped_.function(); }

  /// The result is a Proxy if the call is recorded as one node. The result type of the function
  /// must then be constructible from a Proxy.
  template <class... Args>
  auto operator()(Args&&... args) const -> std::invoke_result_t<const F&, Args...> {
    if constexpr ((std::convertible_to<Args, Proxy> || ...)) {
      if ((is_kept_whole(args) || ...)) return wrapped_(std::forward<Args>(args)...);
    }
    return function()(std::forward<Args>(args)...);
  }

 private:
  template <class T>
  bool is_kept_whole(const T& arg) const {
    if constexpr (std::convertible_to<const T&, const Proxy&>) {
      const TracerBase* tracer = static_cast<const Proxy&>(arg).tracer();
      if (!tracer) return false;
      const std::vector<std::string>& names = tracer->record_options().autowrap_functions;
      return std::find(names.begin(), names.end(), name()) != names.end();
    } else {
      return false;
    }
  }

  Wrapped<F> wrapped_;
};

/// Names a function. `name` is dotted: `my_module.my_function`. `function` must accept both Proxies
/// and values.
template <class F>
NamedFunction<F> named_function(std::string_view name, F function) {
  return NamedFunction<F>(name, std::move(function));
}

}  // namespace fx
