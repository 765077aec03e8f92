// The operators of PyTorch 2.13.0: nested.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kNestedRows[] = {
    {"aten::_jagged_to_padded_dense_forward(Tensor values, Tensor[] offsets, SymInt[] max_lengths,"
     " float padding_value=0.) -> Tensor"},
    {"aten::_nested_compute_contiguous_strides_offsets(Tensor nested_size) -> (Tensor, Tensor)"},
    {"aten::_nested_from_padded(Tensor padded, Tensor cpu_nested_shape_example, bool "
     "fuse_transform_0213=False) -> Tensor"},
    {"aten::_nested_from_padded.out(Tensor padded, Tensor cpu_nested_shape_example, bool "
     "fuse_transform_0213=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_from_padded_and_nested_example.out(Tensor padded, Tensor nt_example, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_from_padded_and_nested_example(Tensor padded, Tensor nt_example) -> Tensor"},
    {"aten::_nested_from_padded_tensor(Tensor padded, Tensor offsets, Tensor dummy, int "
     "ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None, SymInt? sum_S=None) -> "
     "Tensor"},
    {"aten::_nested_get_jagged_dummy(Tensor any) -> Tensor"},
    {"aten::_nested_get_lengths(Tensor self) -> Tensor"},
    {"aten::_nested_get_max_seqlen(Tensor self) -> Tensor"},
    {"aten::_nested_get_min_seqlen(Tensor self) -> Tensor"},
    {"aten::_nested_get_offsets(Tensor self) -> Tensor"},
    {"aten::_nested_get_ragged_idx(Tensor self) -> int"},
    {"aten::_nested_get_values(Tensor(a) self) -> Tensor(a)"},
    {"aten::_nested_get_values_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::_nested_get_values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::_nested_select_backward(Tensor grad_output, Tensor self, int dim, SymInt index) -> "
     "Tensor"},
    {"aten::_nested_sum_backward(Tensor grad, Tensor self, int[1]? dim, bool keepdim=False) -> "
     "Tensor"},
    {"aten::_nested_tensor_from_mask(Tensor t, Tensor mask, bool mask_check=True) -> Tensor"},
    {"aten::_nested_tensor_from_mask.out(Tensor t, Tensor mask, bool mask_check=True, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_tensor_from_mask_left_aligned(Tensor t, Tensor mask) -> bool"},
    {"aten::_nested_tensor_from_tensor_list(Tensor[] list, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"},
    {"aten::_nested_tensor_from_tensor_list.out(Tensor[] list, ScalarType? dtype=None, Layout? "
     "layout=None, Device? device=None, bool? pin_memory=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_tensor_size.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_tensor_size(Tensor self) -> Tensor"},
    {"aten::_nested_tensor_softmax_with_shape(Tensor self, Tensor query) -> Tensor", kRandom},
    {"aten::_nested_tensor_storage_offsets.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_tensor_storage_offsets(Tensor self) -> Tensor"},
    {"aten::_nested_tensor_strides.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_nested_tensor_strides(Tensor self) -> Tensor"},
    {"aten::_nested_view_from_buffer(Tensor(a) self, Tensor nested_size, Tensor nested_strides, "
     "Tensor offsets) -> Tensor(a)"},
    {"aten::_nested_view_from_buffer_copy(Tensor self, Tensor nested_size, Tensor nested_strides, "
     "Tensor offsets) -> Tensor", kViewCopy},
    {"aten::_nested_view_from_buffer_copy.out(Tensor self, Tensor nested_size, Tensor "
     "nested_strides, Tensor offsets, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::_nested_view_from_jagged(Tensor(a) self, Tensor offsets, Tensor dummy, Tensor? "
     "lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> "
     "Tensor(a)"},
    {"aten::_nested_view_from_jagged_copy(Tensor self, Tensor offsets, Tensor dummy, Tensor? "
     "lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None) -> Tensor",
     kViewCopy},
    {"aten::_nested_view_from_jagged_copy.out(Tensor self, Tensor offsets, Tensor dummy, Tensor? "
     "lengths=None, int ragged_idx=1, Tensor? min_seqlen=None, Tensor? max_seqlen=None, *, "
     "Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::_padded_dense_to_jagged_forward(Tensor dense, Tensor[] offsets, SymInt? total_L=None) "
     "-> Tensor"},
    {"aten::nested_to_padded_tensor(Tensor self, float padding, int[]? output_size=None) -> Tensor",
     kComposite},
    {"aten::to_padded_tensor.out(Tensor self, float padding, SymInt[]? output_size=None, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::to_padded_tensor(Tensor self, float padding, SymInt[]? output_size=None) -> Tensor"},
};

extern const std::span<const OpInfo> kNestedOps;
constinit const std::span<const OpInfo> kNestedOps(kNestedRows);

}  // namespace fx::ops
