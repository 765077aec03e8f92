// Type functions for activations, forward and backward.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

DType gradient_dtype(TypeCall& c, int i, int j) {
  Promotion promotion;
  promotion.add(c, i);
  promotion.add(c, j);
  return promotion.result();
}

/// Returns the type of f(x), which has the dtype of x.
Type activation(TypeCall& c) { return elementwise(c, c.tensor(0).dtype(), {c.tensor(0)}); }

/// A clamp with scalar bounds, which the kernel treats as 0-dimensional tensors.
Type clamped(TypeCall& c) { return like(c, c.tensor(0), c.tensor(0).dtype()); }

/// Returns `result` with the strides of empty_like(argument 0) if it has the sizes of argument 0.
Type like_first(TypeCall& c, Type result) {
  const Type first = c.tensor(0);
  return result && same_sizes(c, first.sizes(), result.sizes()) ? like(c, first, result.dtype())
                                                                : result;
}

/// f'(x) * grad. The operands are in the order of the kernel, since the order affects the strides.
Type grad_first(TypeCall& c) {
  return promoted_elementwise(c, gradient_dtype(c, 0, 1), {{c.tensor(0), c.tensor(1)}});
}
/// mish_backward(grad, self): the kernel allocates the result with the dtype of self.
Type mish_backward(TypeCall& c) {
  return promoted_elementwise(c, c.tensor(1).dtype(), gradient_dtype(c, 0, 1),
                              {{c.tensor(0), c.tensor(1)}});
}
/// log_sigmoid_backward(grad, self, buffer)
Type log_sigmoid_backward(TypeCall& c) {
  return like_first(c, promoted_elementwise(c, gradient_dtype(c, 0, 1),
                                            {{c.tensor(0), c.tensor(1), c.tensor(2)}}));
}
/// _prelu_kernel(self, weight)
Type prelu_kernel(TypeCall& c) { return like_first(c, grad_first(c)); }
/// rrelu(self, lower, upper, training)
Type rrelu(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }
/// rrelu_with_noise_backward(grad, self, noise, lower, upper, training): in training, the kernel
/// multiplies the gradient by the noise; otherwise it computes leaky_relu_backward.
Type rrelu_backward(TypeCall& c) {
  const double lower = c.number(3), upper = c.number(4);
  const int other = c.boolean(5) && upper - lower > 1e-6 ? 2 : 1;
  return promoted_elementwise(c, gradient_dtype(c, 0, other), {{c.tensor(0), c.tensor(other)}});
}
Type grad_second(TypeCall& c) {
  return promoted_elementwise(c, gradient_dtype(c, 0, 1), {{c.tensor(1), c.tensor(0)}});
}
Type elu_backward(TypeCall& c) {
  return promoted_elementwise(c, gradient_dtype(c, 0, 5), {{c.tensor(0), c.tensor(5)}});
}

/// glu(self, dim): the operands of the kernel are views of the two halves of dimension `dim`.
Type glu(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return c.fail("glu does not support 0-dimensional tensors");
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0) return Type();
  const Dim size = x.sizes()[index(dim)];
  if (!c.guard_equal(mod(size, 2), 0))
    return c.fail(fmt::format("the size of dimension {} must be even for glu, but is {}", dim,
                              to_string(size)));
  DimVector sizes = to_vector(x.sizes());
  sizes[index(dim)] = floor_div(size, 2);
  const Type half = view_of(c, x, sizes, to_vector(x.strides()), 0);
  return elementwise(c, x.dtype(), {half, half});
}

Type glu_backward(TypeCall& c) { return contiguous_like(c, c.tensor(1)); }

Type log_sigmoid(TypeCall& c) { return contiguous_like(c, c.tensor(0)); }

Type log_sigmoid_forward(TypeCall& c) {
  const Type x = contiguous_like(c, c.tensor(0));
  return c.tuple({x, x});
}

Type prelu(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.tensor(1);
  // If each channel has its own weight, the weights are viewed along dimension 1.
  if (weight.rank() == 1 && x.rank() >= 1 && weight.sizes()[0] != Dim(1)) {
    const Dim channels = x.rank() == 1 ? Dim(1) : x.sizes()[1];
    if (!c.guard_equal(channels, weight.sizes()[0])) {
      return c.fail(
          fmt::format("weight must have one element or one per channel: {} elements, {} channels",
                      to_string(weight.sizes()[0]), to_string(channels)));
    }
    DimVector sizes(index(x.rank()), Dim(1));
    sizes[x.rank() == 1 ? 0 : 1] = weight.sizes()[0];
    const Type viewed = c.result(weight.dtype(), sizes);
    return viewed ? elementwise(c, x.dtype(), {x, viewed}) : Type();
  }
  return elementwise(c, x.dtype(), {x, c.result(weight.dtype(), absl::Span<const Dim>())});
}

Type prelu_kernel_backward(TypeCall& c) {
  const Type both = elementwise(c, c.tensor(1).dtype(), {c.tensor(1), c.tensor(2), c.tensor(0)});
  return c.tuple({both, both});
}

constexpr TypeRule kActivationRules[] = {
    {"aten.relu.default", activation},
    {"aten.relu6.default", clamped},
    {"aten.hardtanh.default", clamped},
    {"aten.elu.default", activation},
    {"aten.celu.default", activation},
    {"aten.selu.default", activation},
    {"aten.gelu.default", activation},
    {"aten.hardshrink.default", activation},
    {"aten.softshrink.default", activation},
    {"aten.hardsigmoid.default", activation},
    {"aten.hardswish.default", activation},
    {"aten.leaky_relu.default", activation},
    {"aten.rrelu.default", rrelu},
    {"aten.silu.default", activation},
    {"aten.mish.default", activation},
    {"aten.softplus.default", activation},
    {"aten.threshold.default", activation},
    {"aten.log_sigmoid.default", log_sigmoid},
    {"aten.log_sigmoid_forward.default", log_sigmoid_forward},
    {"aten.glu.default", glu},
    {"aten.glu_backward.default", glu_backward},
    {"aten.prelu.default", prelu},
    {"aten._prelu_kernel.default", prelu_kernel},
    {"aten._prelu_kernel_backward.default", prelu_kernel_backward},
    {"aten.sigmoid_backward.default", grad_first},
    {"aten.tanh_backward.default", grad_first},
    {"aten.logit_backward.default", grad_first},
    {"aten.gelu_backward.default", grad_first},
    {"aten.silu_backward.default", grad_first},
    {"aten.mish_backward.default", mish_backward},
    {"aten.hardsigmoid_backward.default", grad_first},
    {"aten.hardswish_backward.default", grad_first},
    {"aten.hardtanh_backward.default", grad_first},
    {"aten.hardshrink_backward.default", grad_first},
    {"aten.softshrink_backward.default", grad_first},
    {"aten.softplus_backward.default", grad_first},
    {"aten.log_sigmoid_backward.default", log_sigmoid_backward},
    {"aten.rrelu_with_noise_backward.default", rrelu_backward},
    {"aten.threshold_backward.default", grad_second},
    {"aten.leaky_relu_backward.default", grad_second},
    {"aten.elu_backward.default", elu_backward},
};

}  // namespace

absl::Span<const TypeRule> activation_rules() { return kActivationRules; }

}  // namespace fx::shape
