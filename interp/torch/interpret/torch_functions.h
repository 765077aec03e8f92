// The code of functions that a graph calls by name, for TorchInterpreter.
//
//   auto functions = std::make_shared<fx::TorchFunctions>();
//   functions->add("my_lib.scale", [](at::Tensor x, double s) { return x * s; });
//   fx::TorchInterpreter interpreter(*gm);
//   interpreter.set_functions(functions);     // runs %y = my_lib.scale(%x, 2.0)
//
// A graph contains only the name of a function, in memory and in files, so the caller of a run must
// pass the code. Functions that fx::wrap (tracer/wrap.h) records have the name that was passed to
// fx::wrap.
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

/// See the top of this file. Functions may throw; TorchInterpreter converts exceptions to errors.
class TorchFunctions {
 public:
  using Function = std::function<absl::StatusOr<c10::IValue>(Call<c10::IValue>& call)>;

  /// Adds a function that receives the whole call, including keyword arguments. Replaces an
  /// existing function with this name.
  void add_call(std::string_view name, Function function) {
    functions_.insert_or_assign(std::string(name), std::move(function));
  }
  /// Adds a function, lambda or fx::Wrapped with positional parameters: tensors, numbers, bools,
  /// strings, and optionals and vectors of these. Ints are converted to floats. A call with a
  /// different number of arguments or with keyword arguments returns InvalidArgument.
  template <class F>
  void add(std::string_view name, F function);

  /// Returns the function with this name, or null.
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
