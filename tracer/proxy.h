// Proxy: a value that is computed when the graph runs. Operations on it are recorded as nodes while
// tracing.
//
//   fx::Proxy f(fx::Proxy x, fx::Proxy y) {
//     auto [values, indices] = topk(relu(x + y), 3);   // torch functions, by ADL
//     return values.view({-1, 3})[0] * 2;              // methods, indexing, operators
//   }
//
// The same code runs on at::Tensor: `template <class T> T f(T x, T y)`. Operations that need the
// value (a branch on it, its length, its items) do not compile, and the error suggests an
// alternative.
//
// A Proxy consists of two pointers and is cheap to copy. It is valid as long as its tracer and node
// exist. A default-constructed Proxy has no value, like at::Tensor().
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/tracer/generated/tensor_methods.h"
#include "fx/tracer/operand.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

class Node;
class IndexArg;
class OperandAt;
class ProxyAttribute;
class TracerBase;

namespace internal {
template <class T>
inline constexpr bool never_v = false;
}  // namespace internal

/// See the top of this file.
class Proxy : public TensorMethods {
 public:
  Proxy() = default;
  /// The value of a node; `tracer` records its uses.
  Proxy(Node& node, TracerBase& tracer) : node_(&node), tracer_(&tracer) {}
  /// Returns the result of a call that could not be recorded: TracerBase::status() has the reason.
  static Proxy failed(TracerBase& tracer);

  Proxy(const Proxy&) = default;
  // Only for lvalues: `x[0] = y` would have no effect, and does not compile (a TypeError in
  // torch.fx).
  Proxy& operator=(const Proxy&) & = default;
  ~Proxy() = default;

  /// Returns null if there is no value.
  Node* node() const { return node_; }
  TracerBase* tracer() const { return tracer_; }
  bool defined() const { return node_ != nullptr; }

  // ---- Parts
  /// `x[0]`, `x[mask]`, `x[fx::Slice(1)]`, `x["key"]`
  Proxy operator[](const IndexArg& index) const;
  /// Records `x.index({fx::Slice(), 0, "...", mask})`, Python's `x[:, 0, ..., mask]`.
  Proxy index(std::initializer_list<IndexArg> indices, Where where = Where::current()) const;
  /// Returns Python's `x.name`, which becomes a node if it is used as a value, and a call_method if
  /// it is called.
  ProxyAttribute attr(std::string_view name, Where where = Where::current()) const;
  /// Returns the first `count` items, for `auto [a, b] = x.unpack<2>()`.
  template <size_t count>
  std::array<Proxy, count> unpack(Where where = Where::current()) const;
  Proxy item_at(int64_t i, Where where) const;
  /// Records Python's `x.shape`, which is libtorch's x.sizes().
  Proxy sizes(Where where = Where::current()) const;
  Proxy size(Where where = Where::current()) const;
  Proxy size(const IntArg& dim, Where where = Where::current()) const;
  /// Calls the method of this name, of Tensor or of any other class.
  Proxy call_method(std::string_view name, std::initializer_list<AnyArg> args = {},
                    std::initializer_list<NamedArg> kwargs = {},
                    Where where = Where::current()) const;

  // ---- Values while tracing
  // The tracer determines them (TracerBase::to_bool, to_int, to_float). Most tracers cannot, and
  // the trace fails; ShapedTracer can determine sizes. After a failure the result is false or 1, a
  // valid divisor.
  bool to_bool(Where where = Where::current()) const;
  int64_t to_int(Where where = Where::current()) const;
  double to_float(Where where = Where::current()) const;
  /// `int64_t(x.size(0))` works for at::Tensor and Proxy.
  explicit operator int64_t() const { return to_int(); }
  explicit operator int() const { return static_cast<int>(to_int()); }
  explicit operator double() const { return to_float(); }

  // ---- Operations that need a value
  template <std::same_as<bool> T>
  explicit operator T() const {
    static_assert(
        internal::never_v<T>,
        "fxcpp: a Proxy has no value while tracing and cannot control a branch or a "
        "loop; use where(condition, a, b), fx::cond or fx::while_loop, a concrete argument "
        "of the traced function, or x.to_bool() with a tracer that determines the value");
    return false;
  }
  template <class T = void>
  Proxy* begin() const {
    static_assert(
        internal::never_v<T>,
        "fxcpp: a Proxy cannot be iterated, since its length is unknown while tracing; use "
        "auto [a, b] = x.unpack<2>(), or x[i] in a loop of known length");
    return nullptr;
  }
  template <class T = void>
  Proxy* end() const {
    return begin<T>();
  }

  // Like Python's `x += y` on a proxy: x becomes the result of `x + y`; the original tensor does
  // not change. Methods (`x.add_(y)`) change tensors in place.
  Proxy& operator+=(const OperandAt& other) &;
  Proxy& operator-=(const OperandAt& other) &;
  Proxy& operator*=(const OperandAt& other) &;
  Proxy& operator/=(const OperandAt& other) &;
  Proxy& operator%=(const OperandAt& other) &;
  Proxy& operator&=(const OperandAt& other) &;
  Proxy& operator|=(const OperandAt& other) &;
  Proxy& operator^=(const OperandAt& other) &;
  Proxy& operator<<=(const OperandAt& other) &;
  Proxy& operator>>=(const OperandAt& other) &;

 private:
  Node* node_ = nullptr;
  TracerBase* tracer_ = nullptr;
};

inline const Proxy& TensorMethods::self() const { return static_cast<const Proxy&>(*this); }

/// Multiple results. `auto [values, indices] = topk(x, 3)` records two getitem nodes, `get<1>(r)`
/// one.
template <size_t count>
class Results : public Proxy {
 public:
  Results(const Proxy& value, Where where) : Proxy(value), where_(where) {}
  template <size_t i>
  Proxy get() const {
    static_assert(i < count);
    return item_at(i, where_);
  }
  template <size_t i>
  friend Proxy get(const Results& results) {
    return results.template get<i>();
  }

 private:
  Where where_;
};

/// An attribute of a Proxy, Python's `x.name`.
class ProxyAttribute {
 public:
  ProxyAttribute(const Proxy& root, std::string_view name, Where where)
      : root_(root), name_(name), where_(where) {}
  /// Records `getattr(x, "name")`, at each use.
  operator Proxy() const;  // NOLINT(google-explicit-constructor)
  Proxy operator[](const IndexArg& index) const { return Proxy(*this)[index]; }
  /// Records a call to the method.
  Proxy operator()(std::initializer_list<AnyArg> args = {}) const;

 private:
  Proxy root_;
  std::string name_;
  Where where_;
};

// ---- Operands with the location in the program, which operators record.

/// The right side of an operator.
class OperandAt : public Operand {
 public:
  OperandAt(const Proxy& value, Where where = Where::current());
  template <class T>
    requires(std::convertible_to<T, ScalarArg> && !std::convertible_to<T, Proxy>)
  OperandAt(const T& value, Where where = Where::current())
      : Operand(ScalarArg(value)), where_(where) {}
  template <class T>
    requires(std::convertible_to<T, Proxy> && !std::derived_from<T, Proxy>)
  OperandAt(const T& value, Where where = Where::current())
      : OperandAt(static_cast<Proxy>(value), where) {}
  Where where() const { return where_; }

 private:
  Where where_;
};

/// A number on the left side.
class NumberAt : public Operand {
 public:
  template <class T>
    requires(internal::Number<T> || std::same_as<T, bool> || std::same_as<T, std::complex<double>>)
  NumberAt(T value, Where where = Where::current()) : Operand(ScalarArg(value)), where_(where) {}
  Where where() const { return where_; }

 private:
  Where where_;
};

class ProxyAt {
 public:
  ProxyAt(const Proxy& value, Where where = Where::current()) : value_(value), where_(where) {}
  const Proxy& value() const { return value_; }
  Where where() const { return where_; }

 private:
  Proxy value_;
  Where where_;
};

// Python's operators: operator.add, operator.sub, ... in the order of the operands.
#define FX_BINARY_OPERATOR(symbol)                           \
  Proxy operator symbol(const Proxy& a, const OperandAt& b); \
  Proxy operator symbol(const NumberAt& a, const Proxy& b)
FX_BINARY_OPERATOR(+);
FX_BINARY_OPERATOR(-);
FX_BINARY_OPERATOR(*);
FX_BINARY_OPERATOR(/);
FX_BINARY_OPERATOR(%);
FX_BINARY_OPERATOR(&);
FX_BINARY_OPERATOR(|);
FX_BINARY_OPERATOR(^);
FX_BINARY_OPERATOR(<<);
FX_BINARY_OPERATOR(>>);
FX_BINARY_OPERATOR(<);
FX_BINARY_OPERATOR(<=);
FX_BINARY_OPERATOR(>);
FX_BINARY_OPERATOR(>=);
#undef FX_BINARY_OPERATOR
// These are also recorded, as in torch.fx. There is one overload, because C++ also tries `b == a`.
Proxy operator==(const OperandAt& a, const OperandAt& b);
Proxy operator!=(const OperandAt& a, const OperandAt& b);
Proxy operator-(const ProxyAt& a);
Proxy operator+(const ProxyAt& a);
Proxy operator~(const ProxyAt& a);

// Python's operators that C++ does not have.
Proxy floordiv(const OperandAt& a, const OperandAt& b);
/// Records Python's `a ** b`; pow(a, b) is torch.pow.
Proxy power(const OperandAt& a, const OperandAt& b);
/// Records Python's `a @ b`; matmul(a, b) is torch.matmul.
Proxy matmul_operator(const OperandAt& a, const OperandAt& b);

// ---- Indexing

/// Python's `start:stop:step`.
struct Slice {
  Slice(IntArg first = {}, IntArg last = {}, IntArg stride = {})
      : start(std::move(first)), stop(std::move(last)), step(std::move(stride)) {}
  IntArg start, stop, step;
};
/// Python's `...`. Indexes also accept "...".
struct Ellipsis {};

/// One index: a number, a bool, a Slice, an Ellipsis or "...", a key of a dict, std::nullopt for a
/// new dimension, a list of indexes, or a Proxy: a mask, indexes, or a number.
class IndexArg : public Operand {
 public:
  template <class T>
    requires(internal::Integer<T> || std::same_as<T, bool>)
  IndexArg(T value, Where where = Where::current()) : Operand(Argument(value)), where_(where) {}
  IndexArg(const Slice& slice, Where where = Where::current());
  IndexArg(Ellipsis, Where where = Where::current());
  IndexArg(const char* text, Where where = Where::current());
  IndexArg(std::nullopt_t, Where where = Where::current()) : Operand(Argument()), where_(where) {}
  IndexArg(const Proxy& value, Where where = Where::current());
  IndexArg(std::initializer_list<int64_t> values, Where where = Where::current());
  Where where() const { return where_; }

 private:
  Where where_;
};

/// Returns the first `count` items of a Proxy, a vector of tensors, or anything with `[]`.
template <size_t count, class Sequence>
auto unpack(const Sequence& sequence) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return std::array{sequence[i]...};
  }(std::make_index_sequence<count>());
}

template <size_t count>
std::array<Proxy, count> Proxy::unpack(Where where) const {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    return std::array<Proxy, count>{item_at(static_cast<int64_t>(i), where)...};
  }(std::make_index_sequence<count>());
}

}  // namespace fx

template <size_t num>
struct std::tuple_size<fx::Results<num>> : std::integral_constant<size_t, num> {};
template <size_t i, size_t num>
struct std::tuple_element<i, fx::Results<num>> {
  using type = fx::Proxy;
};
