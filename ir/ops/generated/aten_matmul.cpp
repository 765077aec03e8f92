// The operators of PyTorch 2.13.0: matmul.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kMatmulRows[] = {
    {"aten::_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar "
     "alpha=1, bool use_gelu=False) -> Tensor"},
    {"aten::_addmm_activation.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar "
     "alpha=1, bool use_gelu=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, "
     "ScalarType? out_dtype=None) -> Tensor"},
    {"aten::_int_mm(Tensor self, Tensor mat2) -> Tensor"},
    {"aten::_int_mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_mixed_dtypes_linear(Tensor input, Tensor weight, Tensor scale, *, Tensor? bias=None, "
     "str? activation=None) -> Tensor"},
    {"aten::_scaled_grouped_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? "
     "offs=None, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool "
     "use_fast_accum=False) -> Tensor", kExactStrides},
    {"aten::_scaled_grouped_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, "
     "int[] swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? offs=None, "
     "Tensor? bias=None, ScalarType? out_dtype=None, int[] contraction_dim=[], bool "
     "use_fast_accum=False) -> Tensor", kExactStrides},
    {"aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? "
     "bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False)"
     " -> Tensor", kExactStrides},
    {"aten::_scaled_mm.out(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? "
     "bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False,"
     " *, Tensor(a!) out) -> Tensor(a!)", kExactStrides},
    {"aten::_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] "
     "swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? "
     "out_dtype, int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor", kExactStrides},
    {"aten::_scaled_mm_v2.out(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] "
     "swizzle_a, Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? "
     "out_dtype, int[] contraction_dim=[], bool use_fast_accum=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kExactStrides},
    {"aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] "
     "expand3, int[] sumdim, int unroll_dim=1) -> Tensor"},
    {"aten::_trilinear.out(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] "
     "expand3, int[] sumdim, int unroll_dim=1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) ->"
     " Tensor"},
    {"aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar "
     "alpha=1, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar "
     "alpha=1) -> Tensor(a!)"},
    {"aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor", kCore},
    {"aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::addmm.dtype_out(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar"
     " beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar "
     "beta=1, Scalar alpha=1) -> Tensor"},
    {"aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) ->"
     " Tensor(a!)"},
    {"aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor"
    },
    {"aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor(a!)"},
    {"aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor"},
    {"aten::addr.out(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::addr_(Tensor(a!) self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor(a!)"},
    {"aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) "
     "-> Tensor"},
    {"aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar "
     "alpha=1, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::baddbmm.dtype_out(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, "
     "Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, "
     "Scalar beta=1, Scalar alpha=1) -> Tensor"},
    {"aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar "
     "alpha=1) -> Tensor(a!)"},
    {"aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
     kComposite},
    {"aten::bmm(Tensor self, Tensor mat2) -> Tensor", kCore},
    {"aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::bmm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"},
    {"aten::chain_matmul(Tensor[] matrices) -> Tensor", kComposite},
    {"aten::chain_matmul.out(Tensor[] matrices, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::dot(Tensor self, Tensor tensor) -> Tensor"},
    {"aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", kComposite},
    {"aten::einsum.sublist(Tensor a, ...) -> Tensor", kTorchScript},
    {"aten::ger(Tensor self, Tensor vec2) -> Tensor", kComposite},
    {"aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::inner(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", kComposite},
    {"aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::linear_backward.out(Tensor self, Tensor grad_output, Tensor weight, bool[3] "
     "output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] output_mask) "
     "-> (Tensor, Tensor, Tensor)"},
    {"aten::matmul(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::matmul_backward.out(Tensor grad, Tensor self, Tensor other, bool[2] mask, *, "
     "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::matmul_backward(Tensor grad, Tensor self, Tensor other, bool[2] mask) -> (Tensor, "
     "Tensor)"},
    {"aten::mkldnn_linear.out(Tensor self, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) ->"
     " Tensor(a!)"},
    {"aten::mkldnn_linear(Tensor self, Tensor weight, Tensor? bias=None) -> Tensor"},
    {"aten::mkldnn_linear_backward.out(Tensor self, Tensor grad_output, Tensor weight, bool[3] "
     "output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::mkldnn_linear_backward(Tensor self, Tensor grad_output, Tensor weight, bool[3] "
     "output_mask) -> (Tensor, Tensor, Tensor)"},
    {"aten::mkldnn_linear_backward_input.out(int[] input_size, Tensor grad_output, Tensor weight, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mkldnn_linear_backward_input(int[] input_size, Tensor grad_output, Tensor weight) -> "
     "Tensor"},
    {"aten::mkldnn_linear_backward_weights.out(Tensor grad_output, Tensor input, Tensor weight, "
     "bool bias_defined, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::mkldnn_linear_backward_weights(Tensor grad_output, Tensor input, Tensor weight, bool "
     "bias_defined) -> (Tensor, Tensor)"},
    {"aten::mm(Tensor self, Tensor mat2) -> Tensor", kCore},
    {"aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::mm.dtype_out(Tensor self, Tensor mat2, ScalarType out_dtype, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor"},
    {"aten::mv(Tensor self, Tensor vec) -> Tensor"},
    {"aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::outer(Tensor self, Tensor vec2) -> Tensor", kComposite},
    {"aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
     kComposite},
    {"aten::tensordot.out(Tensor self, Tensor other, int[] dims_self, int[] dims_other, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::vdot(Tensor self, Tensor other) -> Tensor"},
    {"aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"},
};

extern const std::span<const OpInfo> kMatmulOps;
constinit const std::span<const OpInfo> kMatmulOps(kMatmulRows);

}  // namespace fx::ops
