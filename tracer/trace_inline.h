// The templates of tracer/tracer.h.
#pragma once

#include "fx/tracer/tracer.h"  // includes this header at its end

namespace fx {

namespace internal {

/// The parameter types of a function, member function or lambda, without references.
template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Parameters = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class C, class... A>
struct Signature<R (C::*)(A...)> : Signature<R (*)(A...)> {};
template <class R, class C, class... A>
struct Signature<R (C::*)(A...) const> : Signature<R (*)(A...)> {};

template <size_t>
using ProxyFor = Proxy;

/// Returns a tuple with the minimum number of Proxies that a generic lambda accepts.
template <class F, size_t count = 0>
constexpr auto generic_parameters() {
  static_assert(count <= 16, "fxcpp: the traced function cannot be called with Proxies");
  constexpr bool kFits = []<size_t... i>(std::index_sequence<i...>) {
    return std::invocable<F&, ProxyFor<i>...>;
  }(std::make_index_sequence<count>());
  if constexpr (kFits) {
    return []<size_t... i>(std::index_sequence<i...>) {
      return std::tuple<ProxyFor<i>...>();
    }(std::make_index_sequence<count>());
  } else {
    return generic_parameters<F, count + 1>();
  }
}

template <class F>
constexpr auto parameters_of() {
  if constexpr (requires { typename Signature<std::decay_t<F>>::Parameters; }) {
    return typename Signature<std::decay_t<F>>::Parameters();
  } else if constexpr (requires { &std::decay_t<F>::operator(); }) {
    return typename Signature<decltype(&std::decay_t<F>::operator())>::Parameters();
  } else {
    return generic_parameters<std::decay_t<F>>();
  }
}

template <class M>
constexpr auto forward_parameters_of() {
  return typename Signature<decltype(&M::forward)>::Parameters();
}

template <class T>
concept Concrete = std::integral<T> || std::floating_point<T> || std::same_as<T, std::string>;

template <Concrete T>
T from_argument(const Argument& value) {
  if constexpr (std::same_as<T, bool>) {
    return value.as_bool();
  } else if constexpr (std::integral<T>) {
    return static_cast<T>(value.as_int());
  } else if constexpr (std::floating_point<T>) {
    return static_cast<T>(value.is_int() ? static_cast<double>(value.as_int()) : value.as_float());
  } else {
    return std::string(value.as_string());
  }
}

template <Concrete T>
bool is_of_kind(const Argument& value) {
  if constexpr (std::same_as<T, bool>) return value.is_bool();
  if constexpr (std::integral<T>) return value.is_int();
  if constexpr (std::floating_point<T>) return value.is_float() || value.is_int();
  return value.is_string();
}

}  // namespace internal

template <class T, class Examples>
T Tracer::make_input(size_t i, Examples& examples) {
  (void)examples;
  const std::string name = input_name(i);
  if constexpr (internal::Concrete<T>) {
    std::optional<Argument> example;
    examples.template visit<T>(i, [&](const T& value) { example = Argument(value); });
    const std::optional<Argument> value = concrete_input(name, example ? &*example : nullptr);
    if (!value) return T{};
    if (!internal::is_of_kind<T>(*value)) {
      fail(absl::InvalidArgumentError("the concrete value of " + name + " is of kind " +
                                      std::string(argument_kind_name(value->kind())) +
                                      ", which the parameter's type does not accept"));
      return T{};
    }
    return internal::from_argument<T>(*value);
  } else if constexpr (std::same_as<T, Proxy>) {
    return input(name, name);
  } else {
    T value{};
    examples.template visit<T>(i, [&](const T& example) { value = example; });
    structured_input(name, [&](absl::FunctionRef<void(Proxy&)> f) {
      Structure<T>::visit(value, [&](Proxy& leaf) { f(leaf); });
    });
    return value;
  }
}

namespace internal {

/// Example inputs. `visit` calls f with the example at a position if it converts to T.
template <class... E>
class ExampleList {
 public:
  explicit ExampleList(E&... examples) : examples_(examples...) {}
  template <class T, class F>
  void visit(size_t position, F&& f) const {
    [&]<size_t... i>(std::index_sequence<i...>) {
      (
          [&] {
            using Example = std::tuple_element_t<i, std::tuple<E...>>;
            if constexpr (std::convertible_to<Example, T>) {
              if (i == position) f(static_cast<T>(std::get<i>(examples_)));
            }
          }(),
          ...);
    }(std::index_sequence_for<E...>());
  }

 private:
  std::tuple<E&...> examples_;
};

}  // namespace internal

template <class... Parameters, class Call, class... Examples>
absl::StatusOr<std::unique_ptr<Graph>> Tracer::run(std::tuple<Parameters...>*, const Call& call,
                                                   Examples&&... examples) {
  static_assert(
      sizeof...(Examples) <= sizeof...(Parameters),
      "fxcpp: the number of examples exceeds the number of parameters of the traced function");
  check_inputs(sizeof...(Parameters));
  const internal::ExampleList<Examples...> list(examples...);
  // Braces guarantee evaluation from left to right.
  std::tuple<Parameters...> values = [&]<size_t... i>(std::index_sequence<i...>) {
    return std::tuple<Parameters...>{make_input<Parameters>(i, list)...};
  }(std::index_sequence_for<Parameters...>());
  if (!status().ok()) return finish_failed();
  const Where where = Where::current();
  using Result = decltype(std::apply(call, values));
  if constexpr (std::is_void_v<Result>) {
    std::apply(call, values);
    return finish(AnyArg(std::nullopt), where);
  } else {
    return finish(Structure<std::remove_cvref_t<Result>>::to_argument(std::apply(call, values)),
                  where);
  }
}

template <internal::NoModule F, class... Examples>
absl::StatusOr<std::unique_ptr<Graph>> Tracer::trace(F&& f, const TraceInputs& inputs,
                                                     Examples... examples) {
  using Parameters = decltype(internal::parameters_of<F>());
  inputs_ = inputs;
  begin(std::make_shared<Module>());
  return run(static_cast<Parameters*>(nullptr), f, examples...);
}

template <std::derived_from<nn::Module> M, class... Examples>
absl::StatusOr<std::unique_ptr<Graph>> Tracer::trace(const nn::ModuleHolder<M>& module,
                                                     const TraceInputs& inputs,
                                                     Examples... examples) {
  using Parameters = decltype(internal::forward_parameters_of<M>());
  inputs_ = inputs;
  begin(module.ptr());
  const nn::ModuleScope scope(*this, *module, Where::current(), /*is_call=*/false);
  const auto call = [&](const auto&... args) { return module->forward(args...); };
  return run(static_cast<Parameters*>(nullptr), call, examples...);
}

template <class F, class... Examples>
absl::StatusOr<std::unique_ptr<GraphModule>> symbolic_trace(Context& context, F&& f,
                                                            const TraceInputs& inputs,
                                                            Examples... examples) {
  Tracer tracer(context);
  absl::StatusOr<std::unique_ptr<Graph>> graph =
      tracer.trace(std::forward<F>(f), inputs, examples...);
  if (!graph.ok()) return graph.status();
  const std::string& name = tracer.root().class_name();
  return GraphModule::create(tracer.root(), *std::move(graph),
                             name == kPlainModuleClass ? "GraphModule" : name);
}

}  // namespace fx
