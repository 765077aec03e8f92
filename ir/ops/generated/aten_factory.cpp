// The operators of PyTorch 2.13.0: factory.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kFactoryRows[] = {
    {"aten::_efficientzerotensor(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::_efficientzerotensor.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_new_zeros_with_same_feature_meta(Tensor self, Tensor other, *, int "
     "self_num_batch_dims=0) -> Tensor"},
    {"aten::_new_zeros_with_same_feature_meta.out(Tensor self, Tensor other, *, int "
     "self_num_batch_dims=0, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None,"
     " Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kCore},
    {"aten::arange.start_out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::arange.out(Scalar end, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cartesian_prod(Tensor[] tensors) -> Tensor", kComposite | kMayAlias},
    {"aten::combinations(Tensor self, int r=2, bool with_replacement=False) -> Tensor", kComposite},
    {"aten::complex(Tensor real, Tensor imag) -> Tensor"},
    {"aten::complex.out(Tensor real, Tensor imag, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor",
     kCore},
    {"aten::empty.out(SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"},
    {"aten::empty_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::empty_permuted(SymInt[] size, int[] physical_layout, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::empty_permuted.out(SymInt[] size, int[] physical_layout, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor", kCore},
    {"aten::empty_strided.out(SymInt[] size, SymInt[] stride, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None) -> Tensor"},
    {"aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::eye.out(SymInt n, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::eye.m_out(SymInt n, SymInt m, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::from_file(str filename, bool? shared=None, int? size=0, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::from_file.out(str filename, bool? shared=None, int? size=0, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None,"
     " Device? device=None, bool? pin_memory=None) -> Tensor", kCore},
    {"aten::full.out(SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) "
     "-> Tensor", kCore},
    {"aten::full_like.out(Tensor self, Scalar fill_value, *, MemoryFormat? memory_format=None, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::lift(Tensor self) -> Tensor"},
    {"aten::lift.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::lift_fresh(Tensor(a) self) -> Tensor(a)"},
    {"aten::lift_fresh_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::lift_fresh_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::linspace.Tensor_Tensor(Tensor start, Tensor end, int steps, *, ScalarType? dtype=None,"
     " Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::linspace.Tensor_Scalar(Tensor start, Scalar end, int steps, *, ScalarType? dtype=None,"
     " Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::linspace.Scalar_Tensor(Scalar start, Tensor end, int steps, *, ScalarType? dtype=None,"
     " Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::linspace.out(Scalar start, Scalar end, int steps, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::linspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::linspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::logspace.Tensor_Tensor(Tensor start, Tensor end, int steps, float base=10., *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor"},
    {"aten::logspace.Tensor_Scalar(Tensor start, Scalar end, int steps, float base=10., *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor"},
    {"aten::logspace.Scalar_Tensor(Scalar start, Tensor end, int steps, float base=10., *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> "
     "Tensor"},
    {"aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::logspace.out(Scalar start, Scalar end, int steps, float base=10., *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::logspace.Tensor_Tensor_out(Tensor start, Tensor end, int steps, float base=10., *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::logspace.Tensor_Scalar_out(Tensor start, Scalar end, int steps, float base=10., *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::logspace.Scalar_Tensor_out(Scalar start, Tensor end, int steps, float base=10., *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::meshgrid(Tensor[] tensors) -> Tensor[]", kComposite},
    {"aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]", kComposite},
    {"aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::new_empty.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, ScalarType? "
     "dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::new_empty_strided.out(Tensor self, SymInt[] size, SymInt[] stride, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::new_full.out(Tensor self, SymInt[] size, Scalar fill_value, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::new_ones.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::new_zeros.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"},
    {"aten::ones_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::polar(Tensor abs, Tensor angle) -> Tensor"},
    {"aten::polar.out(Tensor abs, Tensor angle, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::polar.int(int a, int b) -> complex", kTorchScript},
    {"aten::polar.float(float a, float b) -> complex", kTorchScript},
    {"aten::polar.int_float(int a, float b) -> complex", kTorchScript},
    {"aten::polar.float_int(float a, int b) -> complex", kTorchScript},
    {"aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar", kTorchScript},
    {"aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout?"
     " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::range.out(Scalar start, Scalar end, Scalar step=1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::range.out_(Scalar start, Scalar end, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor", kCore},
    {"aten::scalar_tensor.out(Scalar s, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::tril_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::triu_indices.out(int row, int col, int offset=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::zeros.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"},
    {"aten::zeros_like.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
};

extern const std::span<const OpInfo> kFactoryOps;
constinit const std::span<const OpInfo> kFactoryOps(kFactoryRows);

}  // namespace fx::ops
