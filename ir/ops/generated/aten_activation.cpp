// The operators of PyTorch 2.13.0: activation.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kActivationRows[] = {
    {"aten::_add_relu.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"},
    {"aten::_add_relu.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_add_relu.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor"},
    {"aten::_add_relu.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_add_relu_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)"},
    {"aten::_add_relu_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)"},
    {"aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", kCore},
    {"aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
     "input_dtype) -> Tensor"},
    {"aten::_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType "
     "input_dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_masked_softmax(Tensor self, Tensor mask, int? dim=None, int? mask_type=None) -> "
     "Tensor"},
    {"aten::_masked_softmax.out(Tensor self, Tensor mask, int? dim=None, int? mask_type=None, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_masked_softmax_backward(Tensor grad_output, Tensor output, Tensor mask, int? "
     "dim=None) -> Tensor"},
    {"aten::_masked_softmax_backward.out(Tensor grad_output, Tensor output, Tensor mask, int? "
     "dim=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor"},
    {"aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, "
     "Tensor)"},
    {"aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor"},
    {"aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", kCore},
    {"aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
     "input_dtype) -> Tensor"},
    {"aten::_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType "
     "input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::celu(Tensor self, Scalar alpha=1.) -> Tensor", kPointwise},
    {"aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)", kPointwise},
    {"aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
     kCore | kPointwise},
    {"aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> "
     "Tensor(a!)", kPointwise},
    {"aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool "
     "is_result, Tensor self_or_result) -> Tensor"},
    {"aten::elu_backward.grad_input(Tensor grad_output, Scalar alpha, Scalar scale, Scalar "
     "input_scale, bool is_result, Tensor self_or_result, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::gelu(Tensor self, *, str approximate=\"none\") -> Tensor", kCore | kPointwise},
    {"aten::gelu.out(Tensor self, *, str approximate=\"none\", Tensor(a!) out) -> Tensor(a!)"},
    {"aten::gelu_(Tensor(a!) self, *, str approximate=\"none\") -> Tensor(a!)"},
    {"aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor",
     kPointwise},
    {"aten::gelu_backward.grad_input(Tensor grad_output, Tensor self, *, str approximate=\"none\","
     " Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::glu(Tensor self, int dim=-1) -> Tensor"},
    {"aten::glu.out(Tensor self, int dim=-1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor"},
    {"aten::glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, Tensor(a!) "
     "grad_input) -> Tensor(a!)"},
    {"aten::glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor "
     "dx, int dim) -> Tensor"},
    {"aten::glu_backward_jvp.out(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, "
     "Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor"},
    {"aten::glu_jvp.out(Tensor glu, Tensor x, Tensor dx, int dim, *, Tensor(a!) out) -> Tensor(a!)"
    },
    {"aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", kPointwise},
    {"aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor"},
    {"aten::hardshrink_backward.grad_input(Tensor grad_out, Tensor self, Scalar lambd, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::hardsigmoid(Tensor self) -> Tensor", kPointwise},
    {"aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)", kPointwise},
    {"aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor"},
    {"aten::hardsigmoid_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) "
     "grad_input) -> Tensor(a!)"},
    {"aten::hardswish(Tensor self) -> Tensor"},
    {"aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hardswish_(Tensor(a!) self) -> Tensor(a!)"},
    {"aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor"},
    {"aten::hardswish_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
     kCore | kPointwise},
    {"aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)",
     kPointwise},
    {"aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> "
     "Tensor"},
    {"aten::hardtanh_backward.grad_input(Tensor grad_output, Tensor self, Scalar min_val, Scalar "
     "max_val, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::infinitely_differentiable_gelu_backward(Tensor grad, Tensor self) -> Tensor",
     kComposite},
    {"aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", kCore | kPointwise},
    {"aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)", kPointwise},
    {"aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool "
     "self_is_result) -> Tensor"},
    {"aten::leaky_relu_backward.grad_input(Tensor grad_output, Tensor self, Scalar negative_slope,"
     " bool self_is_result, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::log_sigmoid(Tensor self) -> Tensor", kComposite},
    {"aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor"},
    {"aten::log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)"},
    {"aten::log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::logit(Tensor self, float? eps=None) -> Tensor", kPointwise},
    {"aten::logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)", kPointwise},
    {"aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor",
     kPointwise},
    {"aten::logit_backward.grad_input(Tensor grad_output, Tensor self, float? eps=None, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)", kPointwise},
    {"aten::mish(Tensor self) -> Tensor", kPointwise},
    {"aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mish_(Tensor(a!) self) -> Tensor(a!)"},
    {"aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor", kComposite},
    {"aten::prelu(Tensor self, Tensor weight) -> Tensor", kComposite},
    {"aten::relu(Tensor self) -> Tensor", kCore | kPointwise},
    {"aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::relu6(Tensor self) -> Tensor", kPointwise | kComposite},
    {"aten::relu6_(Tensor(a!) self) -> Tensor(a!)", kComposite},
    {"aten::relu_(Tensor(a!) self) -> Tensor(a!)", kPointwise},
    {"aten::rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
     "training=False, Generator? generator=None) -> Tensor", kPointwise | kComposite | kRandom},
    {"aten::rrelu_(Tensor(a!) self, Scalar lower=0.125, Scalar upper=0.33333333333333331, bool "
     "training=False, Generator? generator=None) -> Tensor(a!)", kComposite | kRandom},
    {"aten::rrelu_with_noise(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar "
     "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor",
     kRandom},
    {"aten::rrelu_with_noise.out(Tensor self, Tensor(b!) noise, Scalar lower=0.125, Scalar "
     "upper=0.33333333333333331, bool training=False, Generator? generator=None, *, Tensor(a!) "
     "out) -> Tensor(a!)", kRandom},
    {"aten::rrelu_with_noise_(Tensor(a!) self, Tensor(b!) noise, Scalar lower=0.125, Scalar "
     "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> Tensor(a!)",
     kRandom},
    {"aten::rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower,"
     " Scalar upper, bool training, bool self_is_result) -> Tensor"},
    {"aten::rrelu_with_noise_backward.out(Tensor grad_output, Tensor self, Tensor noise, Scalar "
     "lower, Scalar upper, bool training, bool self_is_result, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::rrelu_with_noise_functional(Tensor self, Tensor noise, Scalar lower=0.125, Scalar "
     "upper=0.33333333333333331, bool training=False, Generator? generator=None) -> (Tensor, "
     "Tensor noise_out)", kRandom},
    {"aten::selu(Tensor self) -> Tensor", kPointwise | kComposite},
    {"aten::selu_(Tensor(a!) self) -> Tensor(a!)", kPointwise | kComposite},
    {"aten::sigmoid(Tensor self) -> Tensor", kCore | kPointwise},
    {"aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)", kPointwise},
    {"aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", kPointwise},
    {"aten::sigmoid_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) "
     "grad_input) -> Tensor(a!)", kPointwise},
    {"aten::silu(Tensor self) -> Tensor", kPointwise},
    {"aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::silu_(Tensor(a!) self) -> Tensor(a!)", kPointwise},
    {"aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor", kPointwise | kComposite},
    {"aten::silu_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!) grad_input) ->"
     " Tensor(a!)", kPointwise},
    {"aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", kPointwise},
    {"aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> "
     "Tensor"},
    {"aten::softplus_backward.grad_input(Tensor grad_output, Tensor self, Scalar beta, Scalar "
     "threshold, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", kPointwise},
    {"aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor"},
    {"aten::softshrink_backward.grad_input(Tensor grad_output, Tensor self, Scalar lambd, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor", kPointwise},
    {"aten::tanh_backward.grad_input(Tensor grad_output, Tensor output, *, Tensor(a!) grad_input) "
     "-> Tensor(a!)", kPointwise},
    {"aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", kPointwise},
    {"aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)"},
    {"aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
     kPointwise},
    {"aten::threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, "
     "Tensor(a!) grad_input) -> Tensor(a!)"},
};

extern const std::span<const OpInfo> kActivationOps;
constinit const std::span<const OpInfo> kActivationOps(kActivationRows);

}  // namespace fx::ops
