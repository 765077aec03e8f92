// The operators of PyTorch 2.13.0: index.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kIndexRows[] = {
    {"aten::_index_put_impl(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, "
     "bool unsafe=False) -> Tensor"},
    {"aten::_index_put_impl.out(Tensor self, Tensor?[] indices, Tensor values, bool "
     "accumulate=False, bool unsafe=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_index_put_impl_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool "
     "accumulate=False, bool unsafe=False) -> Tensor(a!)"},
    {"aten::_index_put_impl_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool "
     "accumulate=False, bool unsafe=False) -> Tensor(a!)", kTorchScript},
    {"aten::_masked_scale.out(Tensor self, Tensor mask, float scale, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_masked_scale(Tensor self, Tensor mask, float scale) -> Tensor"},
    {"aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor"},
    {"aten::_unsafe_index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor",
     kTorchScript},
    {"aten::_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool "
     "accumulate=False) -> Tensor"},
    {"aten::_unsafe_index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool "
     "accumulate=False) -> Tensor", kTorchScript},
    {"aten::_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) -> "
     "Tensor"},
    {"aten::_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices, "
     "Tensor values) -> Tensor"},
    {"aten::argwhere(Tensor self) -> Tensor", kComposite | kDynamicShape},
    {"aten::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt? "
     "storage_offset=None) -> Tensor"},
    {"aten::as_strided_scatter.out(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, "
     "SymInt? storage_offset=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int "
     "dim2) -> Tensor"},
    {"aten::diagonal_backward.out(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, "
     "int dim2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> "
     "Tensor"},
    {"aten::diagonal_scatter.out(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1, *,"
     " Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
     kComposite},
    {"aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
     kCore},
    {"aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> "
     "Tensor", kComposite},
    {"aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", kCore | kDynamicShape},
    {"aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor", kTorchScript},
    {"aten::index.str(str self, str substr, int start=0, int end=-1) -> int", kTorchScript},
    {"aten::index.list_int(int[] self, int el) -> int", kTorchScript},
    {"aten::index.list_float(float[] self, float el) -> int", kTorchScript},
    {"aten::index.list_bool(bool[] self, bool el) -> int", kTorchScript},
    {"aten::index.list_Tensor(Tensor[] self, Tensor el) -> int", kTorchScript},
    {"aten::index.list_str(str[] self, str el) -> int", kTorchScript},
    {"aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> "
     "Tensor"},
    {"aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) "
     "-> Tensor(a!)"},
    {"aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor"},
    {"aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)"},
    {"aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor"},
    {"aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor"},
    {"aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> "
     "Tensor(a!)"},
    {"aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> "
     "Tensor(a!)"},
    {"aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> "
     "Tensor", kCore},
    {"aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *,"
     " Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool "
     "accumulate=False) -> Tensor", kTorchScript},
    {"aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) "
     "-> Tensor(a!)"},
    {"aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool "
     "accumulate=False) -> Tensor(a!)", kTorchScript},
    {"aten::index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool "
     "include_self=True) -> Tensor"},
    {"aten::index_reduce.out(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, "
     "bool include_self=True, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor source, str reduce, *, "
     "bool include_self=True) -> Tensor(a!)"},
    {"aten::index_select(Tensor self, int dim, Tensor index) -> Tensor", kCore},
    {"aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> "
     "Tensor", kComposite},
    {"aten::isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool assume_unique=False,"
     " bool invert=False) -> Tensor"},
    {"aten::isin.Tensor_Tensor_out(Tensor elements, Tensor test_elements, *, bool "
     "assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::isin.Tensor_Scalar(Tensor elements, Scalar test_element, *, bool assume_unique=False, "
     "bool invert=False) -> Tensor"},
    {"aten::isin.Tensor_Scalar_out(Tensor elements, Scalar test_element, *, bool "
     "assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::isin.Scalar_Tensor(Scalar element, Tensor test_elements, *, bool assume_unique=False, "
     "bool invert=False) -> Tensor"},
    {"aten::isin.Scalar_Tensor_out(Scalar element, Tensor test_elements, *, bool "
     "assume_unique=False, bool invert=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", kPointwise},
    {"aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor"},
    {"aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)"},
    {"aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)"},
    {"aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor", kCore},
    {"aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)"},
    {"aten::masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor"},
    {"aten::masked_select(Tensor self, Tensor mask) -> Tensor", kDynamicShape},
    {"aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)",
     kDynamicShape},
    {"aten::masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor", kComposite},
    {"aten::nonzero(Tensor self) -> Tensor", kCore | kDynamicShape},
    {"aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kDynamicShape},
    {"aten::nonzero_numpy(Tensor self) -> Tensor[]", kComposite},
    {"aten::nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor"},
    {"aten::nonzero_static.out(Tensor self, *, SymInt size, int fill_value=-1, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor"},
    {"aten::put.out(Tensor self, Tensor index, Tensor source, bool accumulate=False, *, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::put_(Tensor(a!) self, Tensor index, Tensor source, bool accumulate=False) -> "
     "Tensor(a!)"},
    {"aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor", kCore},
    {"aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", kCore},
    {"aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> "
     "Tensor"},
    {"aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) "
     "-> Tensor"},
    {"aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out)"
     " -> Tensor(a!)"},
    {"aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str "
     "reduce, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)"},
    {"aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)"},
    {"aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> "
     "Tensor(a!)"},
    {"aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str "
     "reduce) -> Tensor(a!)"},
    {"aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor", kCore},
    {"aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)"},
    {"aten::scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool"
     " include_self=True) -> Tensor", kCore},
    {"aten::scatter_reduce.two_out(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
     "bool include_self=True, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::scatter_reduce_.two(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *,"
     " bool include_self=True) -> Tensor(a!)"},
    {"aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> "
     "Tensor"},
    {"aten::select_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor", kCore},
    {"aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt"
     " end, SymInt step) -> Tensor"},
    {"aten::slice_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, "
     "SymInt end, SymInt step, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
     "end=None, SymInt step=1) -> Tensor", kCore | kViewCopy},
    {"aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? "
     "end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::take(Tensor self, Tensor index) -> Tensor"},
    {"aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor", kComposite},
    {"aten::take_along_dim.out(Tensor self, Tensor indices, int? dim=None, *, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", kCore | kPointwise},
    {"aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", kComposite},
    {"aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", kComposite},
    {"aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", kComposite},
    {"aten::where(Tensor condition) -> Tensor[]", kComposite},
    {"aten::where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
};

extern const std::span<const OpInfo> kIndexOps;
constinit const std::span<const OpInfo> kIndexOps(kIndexRows);

}  // namespace fx::ops
