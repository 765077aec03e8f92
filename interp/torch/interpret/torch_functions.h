// torch_functions: the code of functions that a graph calls by name, for TorchInterpreter.
//
//   auto functions = std::make_shared<fx::TorchFunctions>();
//   functions->add("my_lib.scale", [](at::Tensor x, double s) { return x * s; });
//   fx::TorchInterpreter interpreter(*gm);
//   interpreter.set_functions(functions);     // runs %y = my_lib.scale(%x, 2.0)
//
// A graph holds a function by its name alone, in memory as in files: whoever runs it brings the
// code. What fx::wrap (tracer/wrap.h) recorded is found by the name that it was given.
#pragma once

#include "fx/interp/call.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fx {

/// See the head of this file. What runs may throw: TorchInterpreter makes an error of it.
class TorchFunctions {
 public:
  using Function = std::function<absl::StatusOr<c10::IValue>(Call<c10::IValue>& call)>;

  /// A function of the call as it is, keyword arguments too. A second one of a name replaces it.
  void add_call(std::string_view name, Function function) {
    functions_.insert_or_assign(std::string(name), std::move(function));
  }
  /// A function, lambda or fx::Wrapped of tensors, numbers, bools, strings, optionals and vectors
  /// of these, which takes its arguments by position. An int is taken for a float. The call is
  /// refused, InvalidArgument, when it has more or fewer arguments, or one by name.
  template <class F>
  void add(std::string_view name, F function);

  /// Null when there is none.
  const Function* find(std::string_view name) const {
    const auto found = functions_.find(name);
    return found == functions_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::string, Function, std::less<>> functions_;
};

// ---------------------------------------------------------------- inline definitions

namespace internal {

template <class F>
struct FunctionParameters : FunctionParameters<decltype(&F::operator())> {};
template <class R, class... A>
struct FunctionParameters<R (*)(A...)> {
  using Tuple = std::tuple<std::remove_cvref_t<A>...>;
};
template <class R, class C, class... A>
struct FunctionParameters<R (C::*)(A...)> : FunctionParameters<R (*)(A...)> {};
template <class R, class C, class... A>
struct FunctionParameters<R (C::*)(A...) const> : FunctionParameters<R (*)(A...)> {};

template <class T>
T value_of(const c10::IValue& value) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.toScalar().toDouble());
  } else {
    return value.to<T>();
  }
}

absl::Status check_function_call(const Call<c10::IValue>& call, size_t num_parameters);

}  // namespace internal

template <class F>
void TorchFunctions::add(std::string_view name, F function) {
  using Parameters = typename internal::FunctionParameters<F>::Tuple;
  add_call(
      name,
      [function = std::move(function)](Call<c10::IValue>& call) -> absl::StatusOr<c10::IValue> {
        constexpr size_t kCount = std::tuple_size_v<Parameters>;
        if (absl::Status status = internal::check_function_call(call, kCount); !status.ok())
          return status;
        const auto run = [&]<size_t... i>(std::index_sequence<i...>) {
          return function(internal::value_of<std::tuple_element_t<i, Parameters>>(call.args[i])...);
        };
        if constexpr (std::is_void_v<decltype(run(std::make_index_sequence<kCount>()))>) {
          run(std::make_index_sequence<kCount>());
          return c10::IValue();
        } else {
          return c10::IValue(run(std::make_index_sequence<kCount>()));
        }
      });
}

}  // namespace fx
