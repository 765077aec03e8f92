// Matchers: patterns as C++ expressions, for rules that are C++ functions. A matcher neither
// searches nor allocates: it consists of nested comparisons, which the compiler inlines.
//
//   fx::Argument x, y, c;
//   if (fx::m::match(node, fx::m::call(add, fx::m::one_user(fx::m::call(mul, fx::m::any(x),
//                                                                       fx::m::constant(c))),
//                                      fx::m::any(y)))) ...
//
// A call matches if its function and all its arguments match in the form in which they are passed:
// positional arguments in order, then keyword("alpha", ...) in any order. If a match fails,
// variables keep the last value that was bound. Use a Pattern if a search is required.
#pragma once

#include "fx/ir/graph/graph.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace fx::m {

/// Matches any argument and stores it in `out`.
struct Any {
  Argument* out = nullptr;
  bool operator()(ArgumentRef found) const {
    if (out) *out = Argument(found);
    return true;
  }
};
inline Any any() { return {}; }
inline Any any(Argument& out) { return {&out}; }

/// Matches a node and stores it in `out`.
struct AnyNode {
  Node** out = nullptr;
  bool operator()(ArgumentRef found) const {
    Node* const node = found.node();
    if (node && out) *out = node;
    return node != nullptr;
  }
};
inline AnyNode node() { return {}; }
inline AnyNode node(Node*& out) { return {&out}; }

/// Matches exactly this node.
struct Is {
  const Node* expected;
  bool operator()(ArgumentRef found) const { return found.node() == expected; }
};
inline Is is(const Node& node) { return {&node}; }

/// Matches the current value of a variable. Use it for a value that occurs twice.
struct Same {
  const Argument* expected;
  bool operator()(ArgumentRef found) const { return found == *expected; }
};
inline Same same(const Argument& variable) { return {&variable}; }

/// Matches any constant (not a node, nor a list that contains one) and stores it in `out`.
struct AnyConstant {
  Argument* out = nullptr;
  bool operator()(ArgumentRef found) const {
    if (found.is_node()) return false;
    const Argument value(found);
    if (value.contains_node()) return false;
    if (out) *out = value;
    return true;
  }
};
inline AnyConstant constant() { return {}; }
inline AnyConstant constant(Argument& out) { return {&out}; }

/// Matches this constant, of the same kind: 1 does not match 1.0.
struct Constant {
  Argument expected;
  bool operator()(ArgumentRef found) const { return !found.is_node() && found == expected; }
};
template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, Argument>)
Constant constant(T&& value) {
  return {Argument(std::forward<T>(value))};
}

/// Matches an int or float, and stores it in `out` as double.
struct Number {
  double* out;
  bool operator()(ArgumentRef found) const {
    if (found.is_int())
      *out = static_cast<double>(found.as_int());
    else if (found.is_float())
      *out = found.as_float();
    else
      return false;
    return true;
  }
};
inline Number number(double& out) { return {&out}; }

struct Integer {
  int64_t* out;
  bool operator()(ArgumentRef found) const {
    if (found.is_int()) *out = found.as_int();
    return found.is_int();
  }
};
inline Integer integer(int64_t& out) { return {&out}; }

/// Matches one keyword argument of a call.
template <class M>
struct Keyword {
  std::string_view name;
  M matcher;
};
template <class M>
Keyword<M> keyword(std::string_view name, M matcher) {
  return {name, std::move(matcher)};
}

namespace internal {

template <class T>
inline constexpr bool is_keyword_v = false;
template <class M>
inline constexpr bool is_keyword_v<Keyword<M>> = true;

template <class M>
bool match_argument(const Node& node, size_t& position, const M& matcher) {
  if constexpr (is_keyword_v<M>) {
    const std::optional<ArgumentRef> found = node.kwarg(matcher.name);
    return found && matcher.matcher(*found);
  } else {
    return matcher(node.arg(position++));
  }
}

template <class... Ms>
bool match_arguments(const Node& node, const std::tuple<Ms...>& matchers) {
  constexpr size_t kNumKeywords = (size_t{0} + ... + size_t{is_keyword_v<Ms>});
  if (node.num_args() != sizeof...(Ms) - kNumKeywords || node.num_kwargs() != kNumKeywords)
    return false;
  size_t position = 0;
  return std::apply(
      [&](const auto&... matcher) { return (match_argument(node, position, matcher) && ...); },
      matchers);
}

}  // namespace internal

namespace internal {

/// Applies a node matcher to an argument, which must be a node.
template <class M>
bool match_node(ArgumentRef found, const M& matcher) {
  const Node* const node = found.node();
  return node && matcher.matches(*node);
}

}  // namespace internal

template <class... Ms>
struct Call {
  Target function;
  std::tuple<Ms...> matchers;
  bool matches(const Node& node) const {
    return node.is(function) && internal::match_arguments(node, matchers);
  }
  bool operator()(ArgumentRef found) const { return internal::match_node(found, *this); }
};
/// Matches a call to this function with these arguments.
template <class... Ms>
Call<Ms...> call(Target function, Ms... matchers) {
  return {function, {std::move(matchers)...}};
}

template <class A, class B>
struct CommutativeCall {
  Target function;
  A a;
  B b;
  bool matches(const Node& node) const {
    if (!node.is(function) || node.num_args() != 2 || node.num_kwargs() != 0) return false;
    return (a(node.arg(0)) && b(node.arg(1))) || (a(node.arg(1)) && b(node.arg(0)));
  }
  bool operator()(ArgumentRef found) const { return internal::match_node(found, *this); }
};
/// Matches a call with these two arguments in either order; the order of the call is tried first.
template <class A, class B>
CommutativeCall<A, B> commutative_call(Target function, A a, B b) {
  return {function, std::move(a), std::move(b)};
}

template <class... Ms>
struct Method {
  std::string_view name;
  std::tuple<Ms...> matchers;
  bool matches(const Node& node) const {
    return node.op() == Opcode::kCallMethod && node.target() == name &&
           internal::match_arguments(node, matchers);
  }
  bool operator()(ArgumentRef found) const { return internal::match_node(found, *this); }
};
/// Matches a call to this method; the first argument is the receiver.
template <class... Ms>
Method<Ms...> method(std::string_view name, Ms... matchers) {
  return {name, {std::move(matchers)...}};
}

template <class M>
struct OneUser {
  M matcher;
  bool matches(const Node& node) const { return node.has_one_user() && matcher.matches(node); }
  bool operator()(ArgumentRef found) const { return internal::match_node(found, *this); }
};
/// Matches the values that `matcher` matches if they have a single user.
template <class M>
OneUser<M> one_user(M matcher) {
  return {std::move(matcher)};
}

template <class M>
struct Bind {
  Node** out;
  M matcher;
  bool matches(const Node& node) const {
    if (!matcher.matches(node)) return false;
    *out = const_cast<Node*>(&node);
    return true;
  }
  bool operator()(ArgumentRef found) const { return internal::match_node(found, *this); }
};
/// Stores the node that `matcher` matches.
template <class M>
Bind<M> bind(Node*& out, M matcher) {
  return {&out, std::move(matcher)};
}

template <class A, class B>
struct Either {
  A a;
  B b;
  bool operator()(ArgumentRef found) const { return a(found) || b(found); }
  bool matches(const Node& node) const { return a.matches(node) || b.matches(node); }
};
/// Matches the values that `a` matches, and otherwise those that `b` matches.
template <class A, class B>
Either<A, B> either(A a, B b) {
  return {std::move(a), std::move(b)};
}

template <class... Ms>
struct List {
  std::tuple<Ms...> matchers;
  bool operator()(ArgumentRef found) const {
    if (!(found.is_list() || found.is_tuple()) || found.size() != sizeof...(Ms)) return false;
    size_t position = 0;
    return std::apply([&](const auto&... matcher) { return (matcher(found[position++]) && ...); },
                      matchers);
  }
};
/// Matches a list or tuple of these items.
template <class... Ms>
List<Ms...> list(Ms... matchers) {
  return {{std::move(matchers)...}};
}

/// True if `matcher` matches the node.
template <class M>
bool match(const Node& node, const M& matcher) {
  return matcher.matches(node);
}

}  // namespace fx::m
