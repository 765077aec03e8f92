// The operators of PyTorch 2.13.0: pool.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kPoolRows[] = {
    {"aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", kCore},
    {"aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", kCore},
    {"aten::_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", kCore},
    {"aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor"},
    {"aten::_adaptive_avg_pool3d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", kCore | kComposite},
    {"aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", kComposite},
    {"aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", kComposite},
    {"aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::adaptive_avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, *, Tensor(a!)"
     " grad_input) -> Tensor(a!)"},
    {"aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", kComposite},
    {"aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)"},
    {"aten::adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!)"
     " indices) -> (Tensor(a!), Tensor(b!))"},
    {"aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> "
     "Tensor"},
    {"aten::adaptive_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor "
     "indices, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)"},
    {"aten::adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!)"
     " indices) -> (Tensor(a!), Tensor(b!))"},
    {"aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> "
     "Tensor"},
    {"aten::adaptive_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, Tensor "
     "indices, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool"
     " ceil_mode=False, bool count_include_pad=True) -> Tensor", kCore | kComposite},
    {"aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
     "bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool "
     "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", kCore},
    {"aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
     "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] "
     "stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> "
     "Tensor", kCore},
    {"aten::avg_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] kernel_size, "
     "int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? "
     "divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool "
     "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", kCore},
    {"aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
     "bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] "
     "stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> "
     "Tensor"},
    {"aten::avg_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] kernel_size, "
     "int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? "
     "divisor_override, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor "
     "random_samples) -> (Tensor, Tensor)"},
    {"aten::fractional_max_pool2d.output(Tensor self, int[2] kernel_size, int[2] output_size, "
     "Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"
    },
    {"aten::fractional_max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
     "int[2] output_size, Tensor indices) -> Tensor"},
    {"aten::fractional_max_pool2d_backward.grad_input(Tensor grad_output, Tensor self, int[2] "
     "kernel_size, int[2] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor "
     "random_samples) -> (Tensor, Tensor)"},
    {"aten::fractional_max_pool3d.output(Tensor self, int[3] kernel_size, int[3] output_size, "
     "Tensor random_samples, *, Tensor(a!) output, Tensor(b!) indices) -> (Tensor(a!), Tensor(b!))"
    },
    {"aten::fractional_max_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, "
     "int[3] output_size, Tensor indices) -> Tensor"},
    {"aten::fractional_max_pool3d_backward.grad_input(Tensor grad_output, Tensor self, int[3] "
     "kernel_size, int[3] output_size, Tensor indices, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], "
     "int[1] dilation=[1], bool ceil_mode=False) -> Tensor", kComposite},
    {"aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
     "padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)", kComposite},
    {"aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2]"
     " dilation=1, bool ceil_mode=False) -> Tensor", kComposite},
    {"aten::max_pool2d_backward.out(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] "
     "stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::max_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] "
     "stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor"},
    {"aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", kCore},
    {"aten::max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) "
     "-> (Tensor(a!), Tensor(b!))"},
    {"aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
     "int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor",
     kCore},
    {"aten::max_pool2d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[2] "
     "kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices,"
     " *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3]"
     " dilation=1, bool ceil_mode=False) -> Tensor", kComposite},
    {"aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", kCore},
    {"aten::max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) indices) "
     "-> (Tensor(a!), Tensor(b!))"},
    {"aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, "
     "int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor"},
    {"aten::max_pool3d_with_indices_backward.grad_input(Tensor grad_output, Tensor self, int[3] "
     "kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices,"
     " *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor"},
    {"aten::max_unpool2d.out(Tensor self, Tensor indices, SymInt[2] output_size, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3]"
     " padding) -> Tensor"},
    {"aten::max_unpool3d.out(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, "
     "int[3] padding, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_adaptive_avg_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::mkldnn_adaptive_avg_pool2d(Tensor self, int[2] output_size) -> Tensor"},
    {"aten::mkldnn_adaptive_avg_pool2d_backward.out(Tensor grad_output, Tensor self, *, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::mkldnn_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor"},
    {"aten::mkldnn_max_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
     "padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0,"
     " int[2] dilation=1, bool ceil_mode=False) -> Tensor"},
    {"aten::mkldnn_max_pool2d_backward.out(Tensor grad_output, Tensor output, Tensor input, int[2]"
     " kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_max_pool2d_backward(Tensor grad_output, Tensor output, Tensor input, int[2] "
     "kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) ->"
     " Tensor"},
    {"aten::mkldnn_max_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
     "padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0,"
     " int[3] dilation=1, bool ceil_mode=False) -> Tensor"},
    {"aten::mkldnn_max_pool3d_backward.out(Tensor grad_output, Tensor output, Tensor input, int[3]"
     " kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_max_pool3d_backward(Tensor grad_output, Tensor output, Tensor input, int[3] "
     "kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) ->"
     " Tensor"},
};

extern const std::span<const OpInfo> kPoolOps;
constinit const std::span<const OpInfo> kPoolOps(kPoolRows);

}  // namespace fx::ops
