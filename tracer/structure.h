// Structure: converts values that contain Proxies to inputs and results of a graph. It
// supports Proxy, numbers and text, std::vector, std::array, std::pair, std::tuple, std::optional,
// std::map with text keys, and aggregates with an fx_fields found by ADL:
//
//   struct Batch { fx::Proxy tokens, mask; };
//   auto fx_fields(Batch& b) { return std::tie(b.tokens, b.mask); }
//
// An input of multiple Proxies becomes one placeholder per Proxy, `batch_1`, `batch_2`, as in
// torch.fx. A result becomes a tuple, list or dict of the same form; an aggregate becomes a tuple.
#pragma once

#include "fx/tracer/proxy.h"

#include "absl/functional/function_ref.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

/// Specialize for custom types without fx_fields. `visit` calls `f(Proxy&)` for each Proxy in
/// order; `to_argument` converts the value to the result of a graph.
template <class T>
struct Structure {
  template <class F>
  static void visit(T& value, F&& f) {
    if constexpr (requires { fx_fields(value); }) {
      std::apply(
          [&](auto&... fields) {
            (Structure<std::remove_cvref_t<decltype(fields)>>::visit(fields, f), ...);
          },
          fx_fields(value));
    }
  }
  static AnyArg to_argument(const T& value) {
    if constexpr (requires { fx_fields(const_cast<T&>(value)); }) {
      return std::apply(
          [](auto&... fields) {
            return AnyArg::tuple(
                {Structure<std::remove_cvref_t<decltype(fields)>>::to_argument(fields)...});
          },
          fx_fields(const_cast<T&>(value)));
    } else {
      static_assert(std::convertible_to<T, AnyArg>,
                    "fxcpp: a traced function may return Proxies, numbers, strings, and containers "
                    "of them; give your type an fx_fields function or specialize fx::Structure");
      return AnyArg(value);
    }
  }
};

template <>
struct Structure<Proxy> {
  template <class F>
  static void visit(Proxy& value, F&& f) {
    f(value);
  }
  static AnyArg to_argument(const Proxy& value) { return AnyArg(value); }
};

namespace internal {

template <class Sequence>
struct SequenceStructure {
  using Item = typename Sequence::value_type;
  template <class F>
  static void visit(Sequence& value, F&& f) {
    for (Item& item : value) Structure<Item>::visit(item, f);
  }
  static AnyArg to_argument(const Sequence& value) {
    std::vector<AnyArg> items;
    for (const Item& item : value) items.push_back(Structure<Item>::to_argument(item));
    return AnyArg(items);
  }
};

template <class Tuple>
struct TupleStructure {
  template <class F>
  static void visit(Tuple& value, F&& f) {
    std::apply(
        [&](auto&... items) {
          (Structure<std::remove_cvref_t<decltype(items)>>::visit(items, f), ...);
        },
        value);
  }
  static AnyArg to_argument(const Tuple& value) {
    return std::apply(
        [](const auto&... items) {
          return AnyArg::tuple(
              {Structure<std::remove_cvref_t<decltype(items)>>::to_argument(items)...});
        },
        value);
  }
};

}  // namespace internal

template <class T>
struct Structure<std::vector<T>> : internal::SequenceStructure<std::vector<T>> {};
template <class T, size_t count>
struct Structure<std::array<T, count>> : internal::SequenceStructure<std::array<T, count>> {};
template <class... T>
struct Structure<std::tuple<T...>> : internal::TupleStructure<std::tuple<T...>> {};
template <class A, class B>
struct Structure<std::pair<A, B>> : internal::TupleStructure<std::pair<A, B>> {};

template <class T>
struct Structure<std::optional<T>> {
  template <class F>
  static void visit(std::optional<T>& value, F&& f) {
    if (value) Structure<T>::visit(*value, f);
  }
  static AnyArg to_argument(const std::optional<T>& value) {
    return value ? Structure<T>::to_argument(*value) : AnyArg(std::nullopt);
  }
};

template <class T>
struct Structure<std::map<std::string, T>> {
  template <class F>
  static void visit(std::map<std::string, T>& value, F&& f) {
    for (auto& [key, item] : value) Structure<T>::visit(item, f);
  }
  static AnyArg to_argument(const std::map<std::string, T>& value) {
    std::vector<std::pair<std::string_view, AnyArg>> items;
    for (const auto& [key, item] : value) items.emplace_back(key, Structure<T>::to_argument(item));
    return AnyArg::dict(items);
  }
};

}  // namespace fx
