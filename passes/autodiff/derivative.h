// Derivative: the argument of a derivative rule: one call, its operands and result, and the
// gradients of its results. A rule is written over Proxies, like a formula:
//
//   sin:  self   d.grad() * d.conj(cos(d("self")))
//   mul:  self   d.grad() * d.conj(d("other"))
//         other  d.grad() * d.conj(d("self"))
//
// A rule does not sum a gradient over broadcast dimensions, convert it to the dtype of the operand,
// or drop its imaginary part; the caller does this.
//
// Derivative is a Decomposer, that is, a tracer that records typed ATen overloads. It also has
// accessors for the arguments of the call, and keeps the first error (status()).
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

/// The operators from which a derivative is built.
enum class GradStyle : uint8_t {
  kAten,      ///< those of libtorch's autograd, in its order: gradients are bit-equal
  kReadable,  ///< plain operators, simplified
};

/// The argument of a derivative rule. See the top of this file.
class Derivative : public Decomposer {
 public:
  /// Returns whether a value is differentiated.
  using IsActive = std::function<bool(const Node&)>;

  Derivative(Graph& graph, GradStyle style, IsActive is_active);

  GradStyle style() const { return style_; }
  bool is_readable() const { return style_ == GradStyle::kReadable; }

  // ---- The call
  /// Returns a tensor operand. Rejects the call if the argument is not a tensor.
  Proxy operator()(std::string_view name) { return tensor(name); }
  /// Returns the call's result, or one of its results.
  Proxy value(size_t i = 0);
  /// True if the operand, or an item of the list, is differentiated. A rule for multiple arguments
  /// need not compute gradients for which this is false.
  bool needs_grad(std::string_view name) const;
  /// True if this item of a list argument is differentiated.
  bool needs_grad_of_item(const Argument& item) const {
    return item.is_node() && is_active_(*item.as_node());
  }
  /// Returns `needs_grad` for each of these names, for operators with an output_mask.
  AnyArg mask(std::initializer_list<std::string_view> names) const;

  // ---- Reverse mode
  /// Returns the gradient of a result; a Proxy without a value if no differentiated value depends
  /// on the result. If there is only one result, its gradient always has a value.
  Proxy grad(size_t i = 0) const { return i < grads_.size() ? grads_[i] : Proxy(); }
  size_t num_grads() const { return grads_.size(); }
  /// Returns the gradient of a result, or zeros.
  Proxy grad_or_zeros(size_t i);
  /// Returns a gradient that is zero everywhere. Readable graphs omit it.
  Proxy zero_grad(std::string_view name);

  // ---- Forward mode
  /// Returns the tangent of an operand; a Proxy without a value if it has none.
  Proxy tangent(std::string_view name) const;
  Proxy tangent_or_zeros(std::string_view name);
  /// Sets grad() to ones like `y`, so that a tangent function can call a gradient function to
  /// compute the slope.
  void set_unit_grad(const Proxy& y) { set_grads({ones_like(y)}); }
  /// Returns the sum of the terms that have a value.
  Proxy sum_of(std::initializer_list<Proxy> terms);

  // ---- Formulas that rules share
  bool is_complex(const Proxy& x) const { return fx::is_complex(dtype(x)); }
  /// Returns the complex conjugate; `x` itself if it is real.
  Proxy conj(const Proxy& x);
  /// Returns the real part; `x` itself if it is real.
  Proxy real(const Proxy& x);
  /// Returns `x` times the conjugate of the number argument `name`; `x` itself if the number is 1.
  Proxy scaled(const Proxy& x, std::string_view name);
  /// Returns the conjugate of the number argument `name`.
  ScalarArg conj_scalar(std::string_view name);
  /// Transposes and conjugates matrices.
  Proxy adjoint(const Proxy& x) { return conj(transpose(x, -2, -1)); }
  /// Inserts the dimensions that a reduction removed, with size 1, unless `keepdim`. Empty `dims`
  /// means all dimensions of a tensor of this rank.
  Proxy restore_dims(const Proxy& x, std::vector<int64_t> dims, bool keepdim, int64_t rank);
  /// Returns the dimensions that an optional list argument names, wrapped and sorted; all
  /// dimensions if it is None or empty.
  std::vector<int64_t> reduced_dims(std::string_view name, int64_t rank);
  Proxy expand_like(const Proxy& x, const Proxy& like) { return x.expand(sizes(like)); }
  Proxy sum_all(const Proxy& x) { return emit("aten.sum.default", {x}); }
  /// Sums `x` to the sizes of `like`, which must broadcast to the sizes of `x`.
  Proxy sum_to(const Proxy& x, const Proxy& like);
  /// Converts the gradient `x` to a gradient of `like`: real if `like` is real, with the sizes and
  /// dtype of `like`.
  Proxy conform(const Proxy& x, const Proxy& like);
  /// Converts the tangent `x` to a tangent of `like`: broadcast to the sizes of `like`, with its
  /// dtype.
  Proxy conform_tangent(const Proxy& x, const Proxy& like);

 private:
  friend class ReverseMode;
  friend class ForwardMode;
  /// Starts a call in reverse mode. `grads` has a gradient for each result.
  void start_reverse(const Node& call, std::vector<Proxy> grads);
  /// Starts a call in forward mode. `tangent_of` returns the tangent of a value, or null.
  void start_forward(const Node& call, const std::function<Node*(const Node&)>* tangent_of);
  /// Sets the results of grad(), for gradient functions that serve as forward rules.
  void set_grads(std::vector<Proxy> grads) { grads_ = std::move(grads); }
  bool same_sizes(const Proxy& a, const Proxy& b) const;
  /// Gives a gradient or tangent the sizes of `like` that depend on data. The call that computes it
  /// has new symbols for these sizes (`u1` for `u0`), but selects the same elements.
  void share_sizes(const Proxy& x, const Proxy& like) const;

  GradStyle style_;
  IsActive is_active_;
  std::vector<Proxy> grads_;
  const std::function<Node*(const Node&)>* tangent_of_ = nullptr;
};

}  // namespace fx
