// Derivative: what a derivative rule is given: one call, its operands and result, and the gradients
// of its results. A rule is written over Proxies, as mathematics:
//
//   sin:  self   d.grad() * d.conj(cos(d("self")))
//   mul:  self   d.grad() * d.conj(d("other"))
//         other  d.grad() * d.conj(d("self"))
//
// A rule does not sum a gradient over broadcast dimensions, convert it to the dtype of the operand,
// or drop its imaginary part: the caller does.
//
// It is a Decomposer, and so a tracer that records typed ATen overloads, with accessors for the
// arguments of the call. The first error is kept (status()).
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/decompose/decomposer.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Which operators a derivative is made of.
enum class GradStyle : uint8_t {
  kAten,      ///< those that libtorch's autograd calls, in its order: gradients are bit-equal
  kReadable,  ///< plain operators, simplified
};

/// See the head of this file.
class Derivative : public Decomposer {
 public:
  /// Returns whether a value is differentiated.
  using IsActive = std::function<bool(const Node&)>;

  Derivative(Graph& graph, GradStyle style, IsActive is_active);

  GradStyle style() const { return style_; }
  bool is_readable() const { return style_ == GradStyle::kReadable; }

  // ---- The call
  /// A tensor operand. Refuses the call when it is not a tensor.
  Proxy operator()(std::string_view name) { return tensor(name); }
  /// The call's result, or one of its results.
  Proxy value(size_t i = 0);
  /// True when the operand, or an item of the list, is differentiated. A rule for several
  /// arguments need not compute what is not wanted.
  bool wants(std::string_view name) const;
  /// The same of an item of a list argument.
  bool wants_item(const Argument& item) const {
    return item.is_node() && is_active_(*item.as_node());
  }
  /// `wants` of each of these, for operators with an output_mask.
  AnyArg mask(std::initializer_list<std::string_view> names) const;

  // ---- Reverse mode
  /// The gradient of a result. A Proxy without a value when nothing depends on that result; the
  /// gradient of the only result always has a value.
  Proxy grad(size_t i = 0) const { return i < grads_.size() ? grads_[i] : Proxy(); }
  size_t num_grads() const { return grads_.size(); }
  /// The gradient of a result, or zeros.
  Proxy grad_or_zeros(size_t i);
  /// A gradient that is zero everywhere. In readable graphs it is left out.
  Proxy zero_grad(std::string_view name);

  // ---- Forward mode
  /// The tangent of an operand; a Proxy without a value when it has none.
  Proxy tangent(std::string_view name) const;
  Proxy tangent_or_zeros(std::string_view name);
  /// Makes grad() a tensor of ones like `y`, so that a tangent function can call a gradient
  /// function for its slope.
  void set_unit_grad(const Proxy& y) { set_grads({ones_like(y)}); }
  /// The sum of the terms that have a value.
  Proxy sum_of(std::initializer_list<Proxy> terms);
  /// The call with operands replaced: `{{"self", tangent}}`. An item replaces a whole argument.
  Proxy call_with(std::initializer_list<std::pair<std::string_view, AnyArg>> replaced);
  Proxy call_with(absl::Span<const std::pair<std::string_view, AnyArg>> replaced);

  // ---- Mathematics that rules share
  bool is_complex(const Proxy& x) const { return fx::is_complex(dtype(x)); }
  /// The complex conjugate; `x` itself when it is real.
  Proxy conj(const Proxy& x);
  /// The real part; `x` itself when it is real.
  Proxy real(const Proxy& x);
  /// x * a number among the arguments; `x` itself when that is 1.
  Proxy scaled(const Proxy& x, std::string_view name);
  /// The number, conjugated.
  ScalarArg conj_scalar(std::string_view name);
  /// Matrices transposed and conjugated.
  Proxy adjoint(const Proxy& x) { return conj(transpose(x, -2, -1)); }
  /// Undoes a reduction: inserts the reduced dimensions with size 1 unless `keepdim`. `dims` empty:
  /// all dimensions of a tensor of this rank.
  Proxy restore_dims(const Proxy& x, std::vector<int64_t> dims, bool keepdim, int64_t rank);
  /// The dimensions that an optional list argument names, wrapped and sorted; all when it is None
  /// or empty.
  std::vector<int64_t> reduced_dims(std::string_view name, int64_t rank);
  Proxy expand_like(const Proxy& x, const Proxy& like) { return x.expand(sizes(like)); }
  Proxy sum_all(const Proxy& x) { return emit("aten.sum.default", {x}); }
  /// Sums `x` to sizes that broadcast to its own.
  Proxy sum_to(const Proxy& x, const Proxy& like);
  /// The gradient `x` as one of a value of this type: real, of its sizes, of its dtype.
  Proxy conform(const Proxy& x, const Proxy& like);
  /// The tangent `x` as one of a value of this type: broadcast, of its dtype.
  Proxy conform_tangent(const Proxy& x, const Proxy& like);

 private:
  friend class ReverseMode;
  friend class ForwardMode;
  /// Begins with a call. `grads`: of each result.
  void start_reverse(const Node& call, std::vector<Proxy> grads);
  /// `tangent_of`: the tangent of a value, or null.
  void start_forward(const Node& call, const std::function<Node*(const Node&)>* tangent_of);
  /// Sets what grad() returns, when a gradient serves as the forward rule.
  void set_grads(std::vector<Proxy> grads) { grads_ = std::move(grads); }
  bool same_sizes(const Proxy& a, const Proxy& b) const;

  GradStyle style_;
  IsActive is_active_;
  std::vector<Proxy> grads_;
  const std::function<Node*(const Node&)>* tangent_of_ = nullptr;
};

}  // namespace fx
