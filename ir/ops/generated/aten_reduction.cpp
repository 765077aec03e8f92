// The operators of PyTorch 2.13.0: reduction.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kReductionRows[] = {
    {"aten::_aminmax(Tensor self) -> (Tensor, Tensor)"},
    {"aten::_aminmax.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor, Tensor)"},
    {"aten::_aminmax.out(Tensor self, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), "
     "Tensor(b!))"},
    {"aten::_aminmax.dim_out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out0, "
     "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::all(Tensor self) -> Tensor", kReduction},
    {"aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", kReduction},
    {"aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", kReduction},
    {"aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
     kReduction},
    {"aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::all.int(int[] self) -> bool", kTorchScript},
    {"aten::all.float(float[] self) -> bool", kTorchScript},
    {"aten::all.bool(bool[] self) -> bool", kTorchScript},
    {"aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", kCore | kReduction},
    {"aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", kCore | kReduction},
    {"aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
     kReduction},
    {"aten::aminmax.out(Tensor self, *, int? dim=None, bool keepdim=False, Tensor(a!) min, "
     "Tensor(b!) max) -> (Tensor(a!) min, Tensor(b!) max)", kReduction},
    {"aten::any(Tensor self) -> Tensor", kCore | kReduction},
    {"aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", kCore | kReduction},
    {"aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
     kCore | kReduction},
    {"aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
     kReduction},
    {"aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::any.str(str[] self) -> bool", kTorchScript},
    {"aten::any.int(int[] self) -> bool", kTorchScript},
    {"aten::any.float(float[] self) -> bool", kTorchScript},
    {"aten::any.bool(bool[] self) -> bool", kTorchScript},
    {"aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", kCore | kReduction},
    {"aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor", kCore | kReduction},
    {"aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", kReduction},
    {"aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", kReduction},
    {"aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)"
    },
    {"aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor"},
    {"aten::hash_tensor.out(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", kReduction},
    {"aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kReduction},
    {"aten::max.other(Tensor self, Tensor other) -> Tensor", kPointwise | kComposite},
    {"aten::max(Tensor self) -> Tensor", kReduction},
    {"aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
     kCore | kReduction},
    {"aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) "
     "max_values) -> (Tensor(a!) values, Tensor(b!) indices)", kReduction},
    {"aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise | kComposite},
    {"aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", kCore | kReduction},
    {"aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
     "Tensor", kCore | kReduction},
    {"aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, "
     "Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)",
     kReduction},
    {"aten::median(Tensor self) -> Tensor"},
    {"aten::median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
     "indices)"},
    {"aten::median.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
     "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::min.other(Tensor self, Tensor other) -> Tensor", kPointwise | kComposite},
    {"aten::min(Tensor self) -> Tensor", kReduction},
    {"aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
     kCore | kReduction},
    {"aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) "
     "min_indices) -> (Tensor(a!) values, Tensor(b!) indices)", kReduction},
    {"aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise | kComposite},
    {"aten::nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
     "-> Tensor", kComposite},
    {"aten::nanmean.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
     "dtype=None, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::nanmedian(Tensor self) -> Tensor"},
    {"aten::nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
     "indices)"},
    {"aten::nanmedian.dim_values(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) values, "
     "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::nanmedian.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\") -> Tensor", kComposite},
    {"aten::nanquantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\") -> Tensor", kComposite},
    {"aten::nanquantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::nanquantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, "
     "str interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) "
     "-> Tensor", kReduction},
    {"aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? "
     "dtype=None, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", kCore | kReduction},
    {"aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> "
     "Tensor", kCore | kReduction},
    {"aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, "
     "Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\") -> Tensor", kComposite},
    {"aten::quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\") -> Tensor", kComposite},
    {"aten::quantile.out(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::quantile.scalar_out(Tensor self, float q, int? dim=None, bool keepdim=False, *, str "
     "interpolation=\"linear\", Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::std(Tensor self, bool unbiased=True) -> Tensor", kReduction | kComposite},
    {"aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
     kReduction | kComposite},
    {"aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False) -> Tensor", kReduction},
    {"aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, "
     "Tensor(a!) out) -> Tensor(a!)", kReduction | kComposite},
    {"aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
     kReduction | kComposite},
    {"aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
     "(Tensor, Tensor)", kReduction | kComposite},
    {"aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False) -> (Tensor, Tensor)", kReduction},
    {"aten::std_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
     "bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor", kCore | kReduction},
    {"aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", kReduction},
    {"aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? "
     "dtype=None, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sum.int(int[] self) -> int", kTorchScript},
    {"aten::sum.float(float[] self) -> float", kTorchScript},
    {"aten::sum.complex(complex[] self) -> complex", kTorchScript},
    {"aten::sum.bool(bool[] self) -> int", kTorchScript},
    {"aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor", kComposite},
    {"aten::value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] "
     "sizes, bool keepdim) -> Tensor", kComposite},
    {"aten::var(Tensor self, bool unbiased=True) -> Tensor", kReduction | kComposite},
    {"aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
     kCore | kReduction | kComposite},
    {"aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False) -> Tensor", kCore | kReduction},
    {"aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, "
     "Tensor(a!) out) -> Tensor(a!)", kReduction | kComposite},
    {"aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)",
     kReduction | kComposite},
    {"aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> "
     "(Tensor, Tensor)", kReduction | kComposite},
    {"aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool "
     "keepdim=False) -> (Tensor, Tensor)", kReduction},
    {"aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, "
     "bool keepdim=False, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
};

extern const std::span<const OpInfo> kReductionOps;
constinit const std::span<const OpInfo> kReductionOps(kReductionRows);

}  // namespace fx::ops
