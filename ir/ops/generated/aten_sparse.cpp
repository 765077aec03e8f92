// The operators of PyTorch 2.13.0: sparse.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kSparseRows[] = {
    {"aten::_coalesce.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_coalesce(Tensor self) -> Tensor"},
    {"aten::_coalesced(Tensor self, bool coalesced) -> Tensor"},
    {"aten::_coalesced.out(Tensor self, bool coalesced, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_coalesced_(Tensor(a!) self, bool coalesced) -> Tensor(a!)"},
    {"aten::_convert_indices_from_coo_to_csr(Tensor self, int size, *, bool out_int32=False) -> "
     "Tensor"},
    {"aten::_convert_indices_from_coo_to_csr.out(Tensor self, int size, *, bool out_int32=False, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_convert_indices_from_csr_to_coo(Tensor crow_indices, Tensor col_indices, *, bool "
     "out_int32=False, bool transpose=False) -> Tensor"},
    {"aten::_convert_indices_from_csr_to_coo.out(Tensor crow_indices, Tensor col_indices, *, bool "
     "out_int32=False, bool transpose=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_cslt_compress(Tensor input) -> Tensor"},
    {"aten::_cslt_sparse_mm(Tensor compressed_A, Tensor dense_B, Tensor? bias=None, Tensor? "
     "alpha=None, ScalarType? out_dtype=None, bool transpose_result=False, int alg_id=0, int "
     "split_k=1, int split_k_mode=-1) -> Tensor", kExactStrides},
    {"aten::_cslt_sparse_mm_search(Tensor compressed_A, Tensor dense_B, Tensor? bias=None, Tensor?"
     " alpha=None, ScalarType? out_dtype=None, bool transpose_result=False) -> int"},
    {"aten::_dimI(Tensor self) -> int"},
    {"aten::_dimV(Tensor self) -> int"},
    {"aten::_embedding_bag_sparse_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor "
     "offset2bag, Tensor bag_size, SymInt num_weights, bool scale_grad_by_freq, int mode, Tensor? "
     "per_sample_weights, int padding_idx=-1) -> Tensor", kComposite},
    {"aten::_gather_sparse_backward(Tensor self, int dim, Tensor index, Tensor grad) -> Tensor",
     kComposite},
    {"aten::_indices(Tensor(a) self) -> Tensor(a)"},
    {"aten::_indices_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::_nnz(Tensor self) -> int"},
    {"aten::_rowwise_prune(Tensor weight, Tensor mask, ScalarType compressed_indices_dtype) -> "
     "(Tensor, Tensor)", kComposite},
    {"aten::_sparse_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)"
     " -> Tensor"},
    {"aten::_sparse_addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar "
     "alpha=1, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_broadcast_to(Tensor(a) self, int[] size) -> Tensor(a)"},
    {"aten::_sparse_broadcast_to_copy(Tensor self, int[] size) -> Tensor", kViewCopy},
    {"aten::_sparse_broadcast_to_copy.out(Tensor self, int[] size, *, Tensor(a!) out) -> "
     "Tensor(a!)", kViewCopy},
    {"aten::_sparse_bsc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, "
     "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None) -> Tensor", kComposite},
    {"aten::_sparse_bsr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, "
     "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None) -> Tensor", kComposite},
    {"aten::_sparse_compressed_tensor_unsafe(Tensor compressed_indices, Tensor plain_indices, "
     "Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None) -> Tensor", kComposite},
    {"aten::_sparse_compressed_tensor_with_dims(int nnz, int dense_dim, int[] size, int[] "
     "blocksize, ScalarType index_dtype, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=False) -> Tensor"},
    {"aten::_sparse_coo_tensor_unsafe(Tensor indices, Tensor values, SymInt[] size, *, ScalarType?"
     " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? "
     "is_coalesced=None) -> Tensor", kComposite},
    {"aten::_sparse_coo_tensor_with_dims(int sparse_dim, int dense_dim, int[] size, *, ScalarType?"
     " dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor"},
    {"aten::_sparse_coo_tensor_with_dims.out(int sparse_dim, int dense_dim, int[] size, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_coo_tensor_with_dims_and_tensors(int sparse_dim, int dense_dim, SymInt[] size,"
     " Tensor indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=False, bool? is_coalesced=None) -> Tensor"},
    {"aten::_sparse_coo_tensor_with_dims_and_tensors.out(int sparse_dim, int dense_dim, SymInt[] "
     "size, Tensor indices, Tensor values, *, bool? is_coalesced=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_sparse_csc_tensor_unsafe(Tensor ccol_indices, Tensor row_indices, Tensor values, "
     "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None) -> Tensor", kComposite},
    {"aten::_sparse_csr_prod.dim_dtype_out(Tensor self, int[1] dim, bool keepdim=False, *, "
     "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_csr_prod.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType?"
     " dtype=None) -> Tensor"},
    {"aten::_sparse_csr_sum.dim_dtype_out(Tensor self, int[1] dim, bool keepdim=False, *, "
     "ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_csr_sum.dim_dtype(Tensor self, int[1] dim, bool keepdim=False, *, ScalarType? "
     "dtype=None) -> Tensor"},
    {"aten::_sparse_csr_tensor_unsafe(Tensor crow_indices, Tensor col_indices, Tensor values, "
     "int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=None) -> Tensor", kComposite},
    {"aten::_sparse_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::_sparse_log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
     kComposite},
    {"aten::_sparse_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"},
    {"aten::_sparse_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, "
     "Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, Tensor "
     "self) -> Tensor"},
    {"aten::_sparse_mask_projection.out(Tensor self, Tensor mask, bool accumulate_matches=False, "
     "*, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_mask_projection(Tensor self, Tensor mask, bool accumulate_matches=False) -> "
     "Tensor"},
    {"aten::_sparse_mm(Tensor sparse, Tensor dense) -> Tensor", kComposite},
    {"aten::_sparse_mm.reduce(Tensor sparse, Tensor dense, str reduce) -> Tensor", kComposite},
    {"aten::_sparse_mm_reduce_impl(Tensor self, Tensor other, str reduce) -> (Tensor, Tensor)"},
    {"aten::_sparse_mm_reduce_impl_backward(Tensor self, Tensor grad_out, Tensor weight, str "
     "reduce, Tensor arg_out, bool[2] output_mask) -> (Tensor, Tensor)"},
    {"aten::_sparse_semi_structured_addmm(Tensor input, Tensor mat1, Tensor mat1_meta, Tensor "
     "mat2, *, Scalar alpha=1, Scalar beta=1, ScalarType? out_dtype=None) -> Tensor"},
    {"aten::_sparse_semi_structured_apply(Tensor input, Tensor thread_masks) -> (Tensor, Tensor)"},
    {"aten::_sparse_semi_structured_apply_dense(Tensor input, Tensor thread_masks) -> Tensor"},
    {"aten::_sparse_semi_structured_linear(Tensor input, Tensor weight, Tensor meta, *, Tensor? "
     "bias=None, str? activation=None, ScalarType? out_dtype=None) -> Tensor"},
    {"aten::_sparse_semi_structured_mm(Tensor mat1, Tensor mat1_meta, Tensor mat2, *, ScalarType? "
     "out_dtype=None) -> Tensor"},
    {"aten::_sparse_semi_structured_tile(Tensor input, str algorithm=\"\", bool use_cutlass=True) "
     "-> (Tensor, Tensor, Tensor, Tensor, Tensor)"},
    {"aten::_sparse_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_sparse_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
     kComposite},
    {"aten::_sparse_softmax(Tensor self, int dim, bool half_to_float) -> Tensor"},
    {"aten::_sparse_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, Tensor "
     "self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_softmax_backward_data(Tensor grad_output, Tensor output, int dim, Tensor self)"
     " -> Tensor"},
    {"aten::_sparse_sparse_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_sparse_matmul(Tensor self, Tensor other) -> Tensor"},
    {"aten::_sparse_sum.dim(Tensor self, int[1] dim) -> Tensor"},
    {"aten::_sparse_sum.dim_out(Tensor self, int[1] dim, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_sparse_sum(Tensor self) -> Tensor", kComposite},
    {"aten::_sparse_sum.dtype(Tensor self, *, ScalarType dtype) -> Tensor", kComposite},
    {"aten::_sparse_sum.dim_dtype(Tensor self, int[1] dim, *, ScalarType dtype) -> Tensor",
     kComposite},
    {"aten::_sparse_sum_backward.out(Tensor grad, Tensor self, int[] dim, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_sparse_sum_backward(Tensor grad, Tensor self, int[] dim) -> Tensor"},
    {"aten::_spdiags(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None) -> Tensor"
    },
    {"aten::_spdiags.out(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_spsolve(Tensor A, Tensor B, *, bool left=True) -> Tensor"},
    {"aten::_to_dense.out(Tensor self, ScalarType? dtype=None, bool? masked_grad=None, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_to_dense(Tensor self, ScalarType? dtype=None, bool? masked_grad=None) -> Tensor"},
    {"aten::_to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor"},
    {"aten::_to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? "
     "dense_dim=None) -> Tensor"},
    {"aten::_to_sparse.sparse_dim_out(Tensor self, int sparse_dim, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_to_sparse.out(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? "
     "dense_dim=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor"},
    {"aten::_to_sparse_bsc.out(Tensor self, int[2] blocksize, int? dense_dim=None, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::_to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor"},
    {"aten::_to_sparse_bsr.out(Tensor self, int[2] blocksize, int? dense_dim=None, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::_to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor"},
    {"aten::_to_sparse_csc.out(Tensor self, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor"},
    {"aten::_to_sparse_csr.out(Tensor self, int? dense_dim=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_to_sparse_semi_structured(Tensor dense) -> (Tensor, Tensor)"},
    {"aten::_validate_compressed_sparse_indices(bool is_crow, Tensor compressed_idx, Tensor "
     "plain_idx, int cdim, int dim, int nnz) -> ()"},
    {"aten::_validate_sparse_bsc_tensor_args(Tensor ccol_indices, Tensor row_indices, Tensor "
     "values, int[] size, bool? check_pinning=None) -> ()", kComposite},
    {"aten::_validate_sparse_bsr_tensor_args(Tensor crow_indices, Tensor col_indices, Tensor "
     "values, int[] size, bool? check_pinning=None) -> ()", kComposite},
    {"aten::_validate_sparse_compressed_tensor_args(Tensor compressed_indices, Tensor "
     "plain_indices, Tensor values, int[] size, Layout layout, bool? check_pinning=None) -> ()",
     kComposite},
    {"aten::_validate_sparse_coo_tensor_args(Tensor indices, Tensor values, int[] size, bool? "
     "is_coalesced=None, bool? check_pinning=None) -> ()", kComposite},
    {"aten::_validate_sparse_csc_tensor_args(Tensor ccol_indices, Tensor row_indices, Tensor "
     "values, int[] size, bool? check_pinning=None) -> ()", kComposite},
    {"aten::_validate_sparse_csr_tensor_args(Tensor crow_indices, Tensor col_indices, Tensor "
     "values, int[] size, bool? check_pinning=None) -> ()", kComposite},
    {"aten::_values(Tensor(a) self) -> Tensor(a)"},
    {"aten::_values_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::_values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::ccol_indices(Tensor(a) self) -> Tensor(a)"},
    {"aten::ccol_indices_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::ccol_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::coalesce(Tensor(a) self) -> Tensor(a)", kComposite},
    {"aten::col_indices(Tensor(a) self) -> Tensor(a)"},
    {"aten::col_indices_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::col_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::copy_sparse_to_sparse(Tensor self, Tensor src, bool non_blocking=False) -> Tensor"},
    {"aten::copy_sparse_to_sparse.out(Tensor self, Tensor src, bool non_blocking=False, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> "
     "Tensor(a!)"},
    {"aten::crow_indices(Tensor(a) self) -> Tensor(a)"},
    {"aten::crow_indices_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::crow_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::dense_dim(Tensor self) -> int"},
    {"aten::embedding_sparse_backward(Tensor grad, Tensor indices, int num_weights, int "
     "padding_idx, bool scale_grad_by_freq) -> Tensor", kComposite},
    {"aten::hspmm.out(Tensor mat1, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::hspmm(Tensor mat1, Tensor mat2) -> Tensor"},
    {"aten::indices(Tensor(a) self) -> Tensor(a)"},
    {"aten::indices_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::resize_as_sparse(Tensor self, Tensor the_template) -> Tensor"},
    {"aten::resize_as_sparse.out(Tensor self, Tensor the_template, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::resize_as_sparse_(Tensor(a!) self, Tensor the_template) -> Tensor(a!)"},
    {"aten::row_indices(Tensor(a) self) -> Tensor(a)"},
    {"aten::row_indices_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::row_indices_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
    {"aten::smm(Tensor self, Tensor mat2) -> Tensor", kComposite},
    {"aten::sparse_bsc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, Tensor "
     "values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_bsc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, Tensor "
     "values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_bsr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor "
     "values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_bsr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor "
     "values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_compressed_tensor.comp_plain_value_size(Tensor compressed_indices, Tensor "
     "plain_indices, Tensor values, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None,"
     " Device? device=None, bool? pin_memory=False) -> Tensor"},
    {"aten::sparse_compressed_tensor.comp_plain_value(Tensor compressed_indices, Tensor "
     "plain_indices, Tensor values, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=False) -> Tensor"},
    {"aten::sparse_coo_tensor.size(int[] size, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=False) -> Tensor"},
    {"aten::sparse_coo_tensor.indices(Tensor indices, Tensor values, *, ScalarType? dtype=None, "
     "Layout? layout=None, Device? device=None, bool? pin_memory=None, bool? is_coalesced=None) ->"
     " Tensor", kComposite},
    {"aten::sparse_coo_tensor.indices_size(Tensor indices, Tensor values, int[] size, *, "
     "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, "
     "bool? is_coalesced=None) -> Tensor", kComposite},
    {"aten::sparse_coo_tensor.size_out(int[] size, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sparse_csc_tensor.ccol_row_value_size(Tensor ccol_indices, Tensor row_indices, Tensor "
     "values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_csc_tensor.ccol_row_value(Tensor ccol_indices, Tensor row_indices, Tensor "
     "values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_csr_tensor.crow_col_value_size(Tensor crow_indices, Tensor col_indices, Tensor "
     "values, int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_csr_tensor.crow_col_value(Tensor crow_indices, Tensor col_indices, Tensor "
     "values, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
     "pin_memory=False) -> Tensor", kComposite},
    {"aten::sparse_dim(Tensor self) -> int"},
    {"aten::sparse_mask.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sparse_mask(Tensor self, Tensor mask) -> Tensor"},
    {"aten::sparse_resize(Tensor self, int[] size, int sparse_dim, int dense_dim) -> Tensor"},
    {"aten::sparse_resize.out(Tensor self, int[] size, int sparse_dim, int dense_dim, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sparse_resize_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) -> "
     "Tensor(a!)"},
    {"aten::sparse_resize_and_clear(Tensor self, int[] size, int sparse_dim, int dense_dim) -> "
     "Tensor"},
    {"aten::sparse_resize_and_clear.out(Tensor self, int[] size, int sparse_dim, int dense_dim, *,"
     " Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sparse_resize_and_clear_(Tensor(a!) self, int[] size, int sparse_dim, int dense_dim) "
     "-> Tensor(a!)"},
    {"aten::sparse_sampled_addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, "
     "Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sparse_sampled_addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar "
     "alpha=1) -> Tensor"},
    {"aten::sspaddmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> "
     "Tensor", kComposite},
    {"aten::to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
     kComposite},
    {"aten::to_dense_backward(Tensor grad, Tensor input, bool? masked_grad=None) -> Tensor",
     kComposite},
    {"aten::to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor", kComposite},
    {"aten::to_sparse(Tensor self, *, Layout? layout=None, int[2]? blocksize=None, int? "
     "dense_dim=None) -> Tensor", kComposite},
    {"aten::to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor",
     kComposite},
    {"aten::to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor",
     kComposite},
    {"aten::to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor", kComposite},
    {"aten::to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor", kComposite},
    {"aten::values(Tensor(a) self) -> Tensor(a)"},
    {"aten::values.str(Dict(str, t) self) -> t[](*)", kTorchScript},
    {"aten::values.int(Dict(int, t) self) -> t[](*)", kTorchScript},
    {"aten::values.bool(Dict(bool, t) self) -> t[](*)", kTorchScript},
    {"aten::values.float(Dict(float, t) self) -> t[](*)", kTorchScript},
    {"aten::values.complex(Dict(complex, t) self) -> t[](*)", kTorchScript},
    {"aten::values.Tensor(Dict(Tensor, t) self) -> t[](*)", kTorchScript},
    {"aten::values_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::values_copy.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kViewCopy},
};

extern const std::span<const OpInfo> kSparseOps;
constinit const std::span<const OpInfo> kSparseOps(kSparseRows);

}  // namespace fx::ops
