// The operators of PyTorch 2.13.0: conv.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kConvRows[] = {
    {"aten::_conv_depthwise2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias,"
     " SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_conv_depthwise2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, "
     "SymInt[2] stride, SymInt[2] padding, SymInt[2] dilation) -> Tensor"},
    {"aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
     "SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, "
     "bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor", kComposite},
    {"aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
     "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool "
     "benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor"},
    {"aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
     "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool "
     "benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_convolution_double_backward(Tensor? ggI, Tensor? ggW, Tensor? ggb, Tensor gO, Tensor "
     "weight, Tensor self, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, "
     "SymInt[] output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
     kComposite},
    {"aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str "
     "padding, SymInt[] dilation, SymInt groups) -> Tensor", kComposite},
    {"aten::_mps_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, SymInt[] "
     "stride, SymInt[] dilation, SymInt groups) -> Tensor"},
    {"aten::_mps_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, "
     "SymInt[] stride, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_mps_convolution_transpose.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[] "
     "output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_mps_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] "
     "output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor"},
    {"aten::_nnpack_spatial_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[2] "
     "padding, SymInt[2] stride=[1, 1]) -> Tensor"},
    {"aten::_nnpack_spatial_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[2] "
     "padding, SymInt[2] stride=[1, 1], *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_slow_conv2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor weight, "
     "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) grad_input, "
     "Tensor(b!) grad_weight, Tensor(c!) grad_bias) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_slow_conv2d_backward.output_mask(Tensor grad_output, Tensor self, Tensor weight, "
     "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask) -> (Tensor "
     "grad_input, Tensor grad_weight, Tensor grad_bias)"},
    {"aten::_slow_conv2d_backward.output_mask_out(Tensor grad_output, Tensor self, Tensor weight, "
     "SymInt[2] kernel_size, SymInt[2] stride, SymInt[2] padding, bool[3] output_mask, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_slow_conv2d_forward(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias, "
     "SymInt[2] stride, SymInt[2] padding) -> Tensor"},
    {"aten::_slow_conv2d_forward.output(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor?"
     " bias, SymInt[2] stride, SymInt[2] padding, *, Tensor(a!) output) -> Tensor(a!)"},
    {"aten::col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2]"
     " padding, int[2] stride) -> Tensor", kCore},
    {"aten::col2im.out(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, "
     "int[2] padding, int[2] stride, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1]"
     " padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor", kComposite},
    {"aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1],"
     " str padding=\"valid\", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor", kComposite},
    {"aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], "
     "SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor", kComposite},
    {"aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, "
     "1], str padding=\"valid\", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor",
     kComposite},
    {"aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], "
     "SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor",
     kComposite},
    {"aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, "
     "1, 1], str padding=\"valid\", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor",
     kComposite},
    {"aten::conv_depthwise3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
     "SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::conv_depthwise3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
     "SymInt[3] stride, SymInt[3] padding, SymInt[3] dilation) -> Tensor"},
    {"aten::conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor"},
    {"aten::conv_tbc.out(Tensor self, Tensor weight, Tensor bias, int pad=0, *, Tensor(a!) out) ->"
     " Tensor(a!)"},
    {"aten::conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad) -> "
     "(Tensor, Tensor, Tensor)", kComposite},
    {"aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1],"
     " SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, SymInt[1] "
     "dilation=[1]) -> Tensor", kComposite},
    {"aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] "
     "stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt groups=1, "
     "SymInt[2] dilation=[1, 1]) -> Tensor", kComposite},
    {"aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] "
     "stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt "
     "groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor", kComposite},
    {"aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
     "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> "
     "Tensor", kCore},
    {"aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] "
     "padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::convolution_backward(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? "
     "bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
     "output_padding, SymInt groups, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", kCore},
    {"aten::convolution_backward.out(Tensor grad_output, Tensor input, Tensor weight, SymInt[]? "
     "bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
     "output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::convolution_backward_overrideable(Tensor grad_output, Tensor input, Tensor weight, "
     "SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
     "output_padding, SymInt groups, bool[3] output_mask) -> (Tensor grad_input, Tensor "
     "grad_weight, Tensor grad_bias)"},
    {"aten::convolution_backward_overrideable.out(Tensor grad_output, Tensor input, Tensor weight,"
     " SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
     "output_padding, SymInt groups, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::convolution_overrideable(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
     "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt "
     "groups) -> Tensor"},
    {"aten::convolution_overrideable.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] "
     "stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, "
     "SymInt groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_convolution(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, "
     "SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32) -> "
     "Tensor"},
    {"aten::cudnn_convolution.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[] stride, "
     "SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, bool allow_tf32, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_convolution_add_relu.out(Tensor self, Tensor weight, Tensor z, Scalar? alpha, "
     "Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, "
     "Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor"
    },
    {"aten::cudnn_convolution_relu.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, "
     "SymInt[] padding, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cudnn_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, "
     "SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor"},
    {"aten::cudnn_convolution_transpose(Tensor self, Tensor weight, SymInt[] padding, SymInt[] "
     "output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool "
     "deterministic, bool allow_tf32) -> Tensor"},
    {"aten::cudnn_convolution_transpose.out(Tensor self, Tensor weight, SymInt[] padding, SymInt[]"
     " output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool "
     "deterministic, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
     "stride) -> Tensor"},
    {"aten::im2col.out(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] "
     "stride, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::miopen_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, "
     "SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::miopen_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, "
     "SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool deterministic) -> "
     "Tensor"},
    {"aten::miopen_convolution_add_relu(Tensor self, Tensor weight, Tensor z, Scalar? alpha, "
     "Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor"
    },
    {"aten::miopen_convolution_relu(Tensor self, Tensor weight, Tensor? bias, SymInt[] stride, "
     "SymInt[] padding, SymInt[] dilation, SymInt groups) -> Tensor"},
    {"aten::miopen_convolution_transpose.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] "
     "padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool "
     "benchmark, bool deterministic, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::miopen_convolution_transpose(Tensor self, Tensor weight, Tensor? bias, SymInt[] "
     "padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool "
     "benchmark, bool deterministic) -> Tensor"},
    {"aten::miopen_depthwise_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] "
     "padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool "
     "deterministic, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::miopen_depthwise_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] "
     "padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool benchmark, bool "
     "deterministic) -> Tensor"},
    {"aten::mkldnn_convolution(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, "
     "SymInt[] stride, SymInt[] dilation, SymInt groups) -> Tensor"},
    {"aten::mkldnn_convolution.out(Tensor self, Tensor weight, Tensor? bias, SymInt[] padding, "
     "SymInt[] stride, SymInt[] dilation, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_reorder_conv2d_weight.out(Tensor self, SymInt[2] padding=[0, 0], SymInt[2] "
     "stride=[1, 1], SymInt[2] dilation=[1, 1], SymInt groups=1, SymInt[]? input_size=None, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_reorder_conv2d_weight(Tensor self, SymInt[2] padding=[0, 0], SymInt[2] "
     "stride=[1, 1], SymInt[2] dilation=[1, 1], SymInt groups=1, SymInt[]? input_size=None) -> "
     "Tensor"},
    {"aten::mkldnn_reorder_conv3d_weight.out(Tensor self, SymInt[3] padding=[0, 0, 0], SymInt[3] "
     "stride=[1, 1, 1], SymInt[3] dilation=[1, 1, 1], SymInt groups=1, SymInt[]? input_size=None, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_reorder_conv3d_weight(Tensor self, SymInt[3] padding=[0, 0, 0], SymInt[3] "
     "stride=[1, 1, 1], SymInt[3] dilation=[1, 1, 1], SymInt groups=1, SymInt[]? input_size=None) "
     "-> Tensor"},
    {"aten::mps_convolution_backward.out(Tensor self, Tensor grad_output, Tensor weight, SymInt[] "
     "padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[3] output_mask, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::mps_convolution_backward(Tensor self, Tensor grad_output, Tensor weight, SymInt[] "
     "padding, SymInt[] stride, SymInt[] dilation, SymInt groups, bool[3] output_mask) -> (Tensor,"
     " Tensor, Tensor)"},
    {"aten::mps_convolution_transpose_backward.out(Tensor self, Tensor grad_output, Tensor weight,"
     " SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt "
     "groups, bool[2] output_mask, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), "
     "Tensor(b!))"},
    {"aten::mps_convolution_transpose_backward(Tensor self, Tensor grad_output, Tensor weight, "
     "SymInt[] padding, SymInt[] output_padding, SymInt[] stride, SymInt[] dilation, SymInt "
     "groups, bool[2] output_mask) -> (Tensor, Tensor)"},
    {"aten::slow_conv3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, "
     "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0]) -> Tensor", kComposite},
    {"aten::slow_conv3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias=None, "
     "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::slow_conv3d_forward(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? bias, "
     "SymInt[3] stride, SymInt[3] padding) -> Tensor"},
    {"aten::slow_conv3d_forward.output(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
     "bias, SymInt[3] stride, SymInt[3] padding, *, Tensor(a!) output) -> Tensor(a!)"},
    {"aten::slow_conv_dilated2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
     "bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1]) -> "
     "Tensor"},
    {"aten::slow_conv_dilated2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
     "bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::slow_conv_dilated3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
     "bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, "
     "1, 1]) -> Tensor"},
    {"aten::slow_conv_dilated3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
     "bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, "
     "1, 1], *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::slow_conv_transpose2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
     "bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, "
     "0], SymInt[2] dilation=[1, 1]) -> Tensor"},
    {"aten::slow_conv_transpose2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? "
     "bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, "
     "0], SymInt[2] dilation=[1, 1], *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::slow_conv_transpose3d(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
     "bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] "
     "output_padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1]) -> Tensor"},
    {"aten::slow_conv_transpose3d.out(Tensor self, Tensor weight, SymInt[3] kernel_size, Tensor? "
     "bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] "
     "output_padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::thnn_conv2d(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, "
     "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0]) -> Tensor", kComposite},
    {"aten::thnn_conv2d.out(Tensor self, Tensor weight, SymInt[2] kernel_size, Tensor? bias=None, "
     "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
};

extern const std::span<const OpInfo> kConvOps;
constinit const std::span<const OpInfo> kConvOps(kConvRows);

}  // namespace fx::ops
