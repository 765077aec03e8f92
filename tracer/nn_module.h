// nn::Module: a module with code, the counterpart of torch.nn.Module. It has members by name
// (ir/module/module.h) and a forward that is traced.
//
//   struct Net : fx::nn::Module {
//     fx::nn::Linear fc1{nullptr}, fc2{nullptr};
//     Net() {
//       fc1 = register_module("fc1", fx::nn::Linear(784, 64));
//       fc2 = register_module("fc2", fx::nn::Linear(64, 10));
//     }
//     fx::Proxy forward(fx::Proxy x) { return fc2(relu(fc1(x))); }
//   };
//   auto traced = fx::symbolic_trace(context, fx::nn::ModuleHolder<Net>(), {"x"});
//
// Names match libtorch's torch::nn, so that a template whose parameter provides these types works
// with both.
#pragma once

#include "fx/ir/module/module.h"
#include "fx/tracer/proxy.h"
#include "fx/tracer/tracer_base.h"

#include <array>
#include <concepts>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fx {

namespace nn {
class Module;
}

/// A parameter, buffer or constant of a module. In the module's forward, it converts to a Proxy for
/// a get_attr node: `linear(x, weight, bias)`, `weight().t()`. There is one such node per path.
class Parameter {
 public:
  Parameter() = default;
  Parameter(const nn::Module& owner, std::string_view name) : owner_(&owner), name_(name) {}
  /// The module's forward must be running; checked. A Parameter without a value (a missing bias)
  /// converts to a Proxy without one.
  operator Proxy() const;  // NOLINT(google-explicit-constructor)
  Proxy operator()() const { return *this; }
  /// Returns the tensor of the module, whose shape is known while tracing. Undefined if there is no
  /// tensor.
  Tensor tensor() const;
  operator OptionalTensor() const;  // NOLINT(google-explicit-constructor)

 private:
  const nn::Module* owner_ = nullptr;
  std::string name_;
};

namespace internal {

/// Returns the class name "Net" for Net; with namespaces: "models.Net".
std::string class_name_of(std::string_view function_name);
template <class T>
std::string class_name() {
  return class_name_of(std::source_location::current().function_name());
}

}  // namespace internal

namespace nn {

template <class M>
class ModuleHolder;

/// See the top of this file. Modules are created by ModuleHolder and are not copied.
class Module : public fx::Module {
 public:
  using fx::Module::Module;
  Module() = default;

  /// Adds a submodule. The name must not be in use; checked.
  template <class M>
  ModuleHolder<M> register_module(std::string_view name, ModuleHolder<M> module) {
    put_module(name, module.ptr());
    return module;
  }
  /// Registers None for an undefined tensor, such as a missing bias.
  Parameter register_parameter(std::string_view name, fx::Tensor tensor, bool requires_grad = true);
  Parameter register_buffer(std::string_view name, fx::Tensor tensor, bool persistent = true);

  /// Returns the tracer that is running this module's forward; null otherwise. For factories:
  /// `arange(*tracer(), 10)`.
  TracerBase* tracer() const { return tracer_; }

 private:
  friend class fx::TracerBase;
  friend class ModuleScope;
  void put_module(std::string_view name, std::shared_ptr<fx::Module> module);
  mutable TracerBase* tracer_ = nullptr;
};

/// A callable shared pointer to a module, like libtorch's ModuleHolder.
template <class M>
class ModuleHolder {
 public:
  using ContainedType = M;
  ModuleHolder() : ModuleHolder(std::make_shared<M>()) {}
  ModuleHolder(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  ModuleHolder(std::shared_ptr<M> module) : module_(std::move(module)) { name_class(); }
  template <class First, class... Rest>
    requires std::constructible_from<M, First, Rest...> &&
             (!std::derived_from<std::remove_cvref_t<First>, ModuleHolder>)
  explicit ModuleHolder(First&& first, Rest&&... rest)
      : ModuleHolder(std::make_shared<M>(std::forward<First>(first), std::forward<Rest>(rest)...)) {
  }

  const std::shared_ptr<M>& ptr() const { return module_; }
  M* get() const { return module_.get(); }
  M* operator->() const { return module_.get(); }
  M& operator*() const { return *module_; }
  explicit operator bool() const { return module_ != nullptr; }
  bool is_empty() const { return module_ == nullptr; }

  /// Calls the module: records a call_module if it is a leaf for the tracer, otherwise runs its
  /// forward. Only modules whose arguments can be arguments of a node, and that return one Proxy,
  /// can be leaves. With up to four arguments, the node has the location of the call.
  template <class A>
  auto operator()(const A& a, Where where = Where::current()) const {
    return call(where, a);
  }
  template <class A, class B>
  auto operator()(const A& a, const B& b, Where where = Where::current()) const {
    return call(where, a, b);
  }
  template <class A, class B, class C>
  auto operator()(const A& a, const B& b, const C& c, Where where = Where::current()) const {
    return call(where, a, b, c);
  }
  template <class A, class B, class C, class D>
  auto operator()(const A& a, const B& b, const C& c, const D& d,
                  Where where = Where::current()) const {
    return call(where, a, b, c, d);
  }
  template <class A, class B, class C, class D, class E, class... Rest>
  auto operator()(const A& a, const B& b, const C& c, const D& d, const E& e,
                  const Rest&... rest) const {
    return call(Where::current(), a, b, c, d, e, rest...);
  }

 private:
  template <class... Args>
  auto call(Where where, const Args&... args) const;
  void name_class() {
    if (module_ && module_->class_name() == kPlainModuleClass)
      module_->set_class_name(internal::class_name<M>());
  }
  std::shared_ptr<M> module_;
};

/// Sets a module's tracer for the lifetime of this object.
class ModuleScope {
 public:
  ModuleScope(TracerBase& tracer, const Module& module, Where where, bool is_call = true)
      : tracer_(tracer), module_(module), outer_(module.tracer_), is_call_(is_call) {
    module.tracer_ = &tracer;
    if (is_call) tracer.enter_module(module, where);
  }
  ~ModuleScope() {
    if (is_call_) tracer_.leave_module();
    module_.tracer_ = outer_;
  }
  ModuleScope(const ModuleScope&) = delete;
  ModuleScope& operator=(const ModuleScope&) = delete;

 private:
  TracerBase& tracer_;
  const Module& module_;
  TracerBase* outer_;
  bool is_call_;
};

// ---------------------------------------------------------------- inline definitions

namespace internal {

template <class T>
TracerBase* tracer_in(const T& value) {
  if constexpr (std::derived_from<T, Proxy>) {
    return value.tracer();
  } else if constexpr (std::convertible_to<T, AnyArg>) {
    return AnyArg(value).tracer();
  } else if constexpr (requires {
                         value.begin();
                         value.end();
                       }) {
    for (const auto& item : value)
      if (TracerBase* tracer = tracer_in(item)) return tracer;
    return nullptr;
  } else {
    return nullptr;
  }
}

[[noreturn]] void no_tracer(std::string_view class_name);

}  // namespace internal

template <class M>
template <class... Args>
auto ModuleHolder<M>::call(Where where, const Args&... args) const {
  using Result = decltype(module_->forward(args...));
  TracerBase* tracer = nullptr;
  ((tracer = tracer ? tracer : internal::tracer_in(args)), ...);
  if (tracer == nullptr) internal::no_tracer(module_->class_name());
  const auto forward = [&] {
    const ModuleScope scope(*tracer, *module_, where);
    return module_->forward(args...);
  };
  if constexpr (std::same_as<Result, Proxy> && (std::convertible_to<Args, AnyArg> && ...)) {
    const std::array<AnyArg, sizeof...(Args)> operands{AnyArg(args)...};
    return tracer->call_module(*module_, forward, operands, where);
  } else {
    return forward();
  }
}

}  // namespace nn
}  // namespace fx
