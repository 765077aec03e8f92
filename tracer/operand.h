// Operand: an argument of a recorded call, and the parameter types of traced functions. Each
// accepts the arguments of libtorch's parameter of that kind, or a Proxy:
//
//   sum(x, {1, 2}, true)      IntList, BoolArg
//   x.view({x.size(0), -1})   IntList with a Proxy in it
//   conv2d(x, w, {}, 2)       {}: the operator's default
//
// std::nullopt is Python's None.
#pragma once

#include "fx/ir/graph/argument.h"

#include <complex>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fx {

class Proxy;
class TracerBase;
template <size_t count>
class Results;

/// The location of a call in the user's program.
using Where = std::source_location;

/// Converts values of other libraries to arguments (fx/interp/torch/ has the specialization for
/// at::ScalarType): `static Argument to_argument(const T&)`.
template <class T>
struct ArgumentConverter;

namespace internal {

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;
template <class T>
concept Number = Integer<T> || std::floating_point<T>;
template <class T>
concept HasArgumentConverter = requires(const T& value) {
  { ArgumentConverter<T>::to_argument(value) } -> std::convertible_to<Argument>;
};

template <Number T>
Argument number_argument(T value) {
  if constexpr (Integer<T>)
    return Argument(value);
  else
    return Argument(static_cast<double>(value));
}

}  // namespace internal

/// An argument of a call: constants and proxies, nested like arguments. An empty Operand means the
/// default.
class Operand {
 public:
  Operand() = default;
  /// `tracer` is the tracer of the proxies in `value`; null if it contains no proxies.
  explicit Operand(Argument value, TracerBase* tracer = nullptr)
      : value_(std::move(value)), tracer_(tracer), has_value_(true) {}

  /// False if the Operand means the default.
  bool has_value() const { return has_value_; }
  const Argument& value() const { return value_; }
  TracerBase* tracer() const { return tracer_; }

 protected:
  Operand(const Proxy& value, bool optional);  // NOLINT(google-explicit-constructor)
  /// Returns a list. Uses the first tracer among the items.
  template <class Items>
  static Operand list_of(const Items& items);

 private:
  Argument value_;
  TracerBase* tracer_ = nullptr;
  bool has_value_ = false;
};

// The constructors are implicit conversions; `Base` is the type of the parameter.

class IntArg : public Operand {
 public:
  IntArg() = default;
  template <internal::Integer T>
  IntArg(T value) : Operand(Argument(value)) {}
  IntArg(const Dim& value) : Operand(Argument(value)) {}
  IntArg(std::nullopt_t) : Operand(Argument()) {}
  IntArg(std::optional<int64_t> value) : Operand(value ? Argument(*value) : Argument()) {}
  IntArg(const Proxy& value);
};

class BoolArg : public Operand {
 public:
  BoolArg() = default;
  template <std::same_as<bool> T>
  BoolArg(T value) : Operand(Argument(value)) {}
  BoolArg(std::nullopt_t) : Operand(Argument()) {}
};

class FloatArg : public Operand {
 public:
  FloatArg() = default;
  template <internal::Number T>
  FloatArg(T value) : Operand(internal::number_argument(value)) {}
  FloatArg(std::nullopt_t) : Operand(Argument()) {}
  FloatArg(std::optional<double> value) : Operand(value ? Argument(*value) : Argument()) {}
  FloatArg(const Proxy& value);
};

/// Any number.
class ScalarArg : public Operand {
 public:
  ScalarArg() = default;
  template <internal::Number T>
  ScalarArg(T value) : Operand(internal::number_argument(value)) {}
  template <std::same_as<bool> T>
  ScalarArg(T value) : Operand(Argument(value)) {}
  ScalarArg(std::complex<double> value) : Operand(Argument(value)) {}
  ScalarArg(std::nullopt_t) : Operand(Argument()) {}
  ScalarArg(const Proxy& value);
};

class StringArg : public Operand {
 public:
  StringArg() = default;
  StringArg(const char* value) : Operand(Argument(value)) {}
  StringArg(const std::string& value) : Operand(Argument(value)) {}
  StringArg(std::string_view value) : Operand(Argument(value)) {}
  StringArg(std::nullopt_t) : Operand(Argument()) {}
};

/// A parameter for constants of one type.
template <class T>
class ConstantArg : public Operand {
 public:
  ConstantArg() = default;
  ConstantArg(T value) : Operand(Argument(value)) {}
  ConstantArg(std::nullopt_t) : Operand(Argument()) {}
  template <internal::HasArgumentConverter U>
  ConstantArg(const U& value) : Operand(ArgumentConverter<U>::to_argument(value)) {}
};
using DTypeArg = ConstantArg<DType>;
using DeviceArg = ConstantArg<Device>;
using LayoutArg = ConstantArg<Layout>;
using MemoryFormatArg = ConstantArg<MemoryFormat>;

/// A tensor or no tensor: `{}`, nullopt, or a Proxy without a value.
class OptionalTensor : public Operand {
 public:
  OptionalTensor() = default;
  OptionalTensor(std::nullopt_t) : Operand(Argument()) {}
  OptionalTensor(const Proxy& value);
};

/// Items of one kind, or one Proxy whose value is the list.
template <class Item>
class ListArg : public Operand {
 public:
  ListArg() = default;
  ListArg(std::initializer_list<Item> items) : Operand(list_of(items)) {}
  template <class T>
    requires std::convertible_to<T, Item>
  ListArg(const std::vector<T>& items)
      : Operand(list_of(std::vector<Item>(items.begin(), items.end()))) {}
  ListArg(std::nullopt_t) : Operand(Argument()) {}
  /// One item instead of a list, as in PyTorch.
  template <class T>
    requires std::convertible_to<T, Item> && (!std::same_as<T, ListArg>)
  ListArg(const T& item) : Operand(Item(item)) {}
};
using IntList = ListArg<IntArg>;
using FloatList = ListArg<FloatArg>;
using ScalarList = ListArg<ScalarArg>;
using BoolList = ListArg<BoolArg>;
using OptionalTensorList = ListArg<OptionalTensor>;

/// Tensors, or one Proxy whose value is a list of them.
class TensorList : public Operand {
 public:
  TensorList() = default;
  TensorList(std::initializer_list<Proxy> items);
  TensorList(const std::vector<Proxy>& items);
  TensorList(const Proxy& list);
};

/// Any argument, for calls to other functions.
class AnyArg : public Operand {
 public:
  AnyArg() = default;
  AnyArg(const Operand& operand) : Operand(operand) {}
  AnyArg(const Argument& value) : Operand(value) {}
  template <class T>
    requires std::convertible_to<T, Argument> && (!std::derived_from<T, Operand>)
  AnyArg(const T& value) : Operand(Argument(value)) {}
  AnyArg(std::nullopt_t) : Operand(Argument()) {}
  AnyArg(const Proxy& value);
  /// A value that converts to a Proxy: a Parameter, an attribute.
  template <class T>
    requires(!std::same_as<T, Proxy> && !std::convertible_to<T, Argument> &&
             !std::derived_from<T, Operand> && std::convertible_to<T, Proxy> &&
             !std::derived_from<T, Proxy>)
  AnyArg(const T& value) : AnyArg(static_cast<const Proxy&>(static_cast<Proxy>(value))) {}
  /// A custom type defines its conversion to an argument, as torch.fx's `__fx_create_arg__` does:
  /// `fx::AnyArg fx_create_arg(const T&)`, which is found by ADL.
  template <class T>
    requires requires(const T& value) {
      { fx_create_arg(value) } -> std::same_as<AnyArg>;
    }
  AnyArg(const T& value) : AnyArg(fx_create_arg(value)) {}
  AnyArg(std::initializer_list<AnyArg> items) : Operand(list_of(items)) {}
  AnyArg(const std::vector<AnyArg>& items) : Operand(list_of(items)) {}

  static AnyArg tuple(std::initializer_list<AnyArg> items);
  /// Returns a dict with text keys, in this order.
  static AnyArg dict(const std::vector<std::pair<std::string_view, AnyArg>>& items);
};

/// A keyword argument of a call.
struct NamedArg {
  std::string_view name;
  AnyArg value;
};

template <class Items>
Operand Operand::list_of(const Items& items) {
  std::vector<Argument> values;
  values.reserve(items.size());
  TracerBase* tracer = nullptr;
  for (const auto& item : items) {
    values.push_back(item.value());
    if (tracer == nullptr) tracer = item.tracer();
  }
  return Operand(Argument::list(values), tracer);
}

}  // namespace fx
