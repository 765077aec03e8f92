// The operators of PyTorch 2.13.0: sort.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kSortRows[] = {
    {"aten::_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, Tensor? "
     "weight=None, bool density=False) -> Tensor[]"},
    {"aten::_histogramdd_bin_edges.out(Tensor self, int[] bins, *, float[]? range=None, Tensor? "
     "weight=None, bool density=False, Tensor(a!)[] out) -> ()"},
    {"aten::_histogramdd_from_bin_cts(Tensor self, int[] bins, *, float[]? range=None, Tensor? "
     "weight=None, bool density=False) -> Tensor"},
    {"aten::_histogramdd_from_bin_cts.out(Tensor self, int[] bins, *, float[]? range=None, Tensor?"
     " weight=None, bool density=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool"
     " density=False) -> Tensor"},
    {"aten::_histogramdd_from_bin_tensors.out(Tensor self, Tensor[] bins, *, Tensor? weight=None, "
     "bool density=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_segment_reduce_backward(Tensor grad, Tensor output, Tensor data, str reduce, *, "
     "Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None) -> Tensor"},
    {"aten::_segment_reduce_backward.out(Tensor grad, Tensor output, Tensor data, str reduce, *, "
     "Tensor? lengths=None, Tensor? offsets=None, int axis=0, Scalar? initial=None, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
     kDynamicShape},
    {"aten::_unique.out(Tensor self, bool sorted=True, bool return_inverse=False, *, Tensor(a!) "
     "out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool "
     "return_counts=False) -> (Tensor, Tensor, Tensor)", kDynamicShape},
    {"aten::_unique2.out(Tensor self, bool sorted=True, bool return_inverse=False, bool "
     "return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor", kComposite},
    {"aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> "
     "Tensor", kComposite},
    {"aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
     kDynamicShape},
    {"aten::bincount.out(Tensor self, Tensor? weights=None, SymInt minlength=0, *, Tensor(a!) out)"
     " -> Tensor(a!)"},
    {"aten::bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool "
     "right=False) -> Tensor"},
    {"aten::bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool "
     "right=False) -> Tensor"},
    {"aten::bucketize.Tensor_out(Tensor self, Tensor boundaries, *, bool out_int32=False, bool "
     "right=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::bucketize.Scalar_out(Scalar self, Tensor boundaries, *, bool out_int32=False, bool "
     "right=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor"},
    {"aten::histc.out(Tensor self, int bins=100, Scalar min=0, Scalar max=0, *, Tensor(a!) out) ->"
     " Tensor(a!)"},
    {"aten::histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool "
     "density=False) -> (Tensor hist, Tensor bin_edges)"},
    {"aten::histogram.bins_tensor_out(Tensor self, Tensor bins, *, Tensor? weight=None, bool "
     "density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist, Tensor(b!) "
     "bin_edges)"},
    {"aten::histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? "
     "weight=None, bool density=False) -> (Tensor hist, Tensor bin_edges)"},
    {"aten::histogram.bin_ct_out(Tensor self, int bins=100, *, float[]? range=None, Tensor? "
     "weight=None, bool density=False, Tensor(a!) hist, Tensor(b!) bin_edges) -> (Tensor(a!) hist,"
     " Tensor(b!) bin_edges)"},
    {"aten::histogramdd(Tensor self, int[] bins, float[]? range=None, Tensor? weight=None, bool "
     "density=False) -> (Tensor hist, Tensor[] bin_edges)", kComposite},
    {"aten::histogramdd.int_bins(Tensor self, int bins, float[]? range=None, Tensor? weight=None, "
     "bool density=False) -> (Tensor hist, Tensor[] bin_edges)", kComposite},
    {"aten::histogramdd.TensorList_bins(Tensor self, Tensor[] bins, float[]? range=None, Tensor? "
     "weight=None, bool density=False) -> (Tensor hist, Tensor[] bin_edges)", kComposite},
    {"aten::kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, "
     "Tensor indices)"},
    {"aten::kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) "
     "values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)"},
    {"aten::mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
     "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::msort(Tensor self) -> Tensor", kComposite},
    {"aten::msort.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool"
     " right=False, str? side=None, Tensor? sorter=None) -> Tensor"},
    {"aten::searchsorted.Tensor_out(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, "
     "bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool"
     " right=False, str? side=None, Tensor? sorter=None) -> Tensor"},
    {"aten::searchsorted.Scalar_out(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, "
     "bool right=False, str? side=None, Tensor? sorter=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::segment_reduce(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? indices=None,"
     " Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None) -> Tensor"},
    {"aten::segment_reduce.out(Tensor data, str reduce, *, Tensor? lengths=None, Tensor? "
     "indices=None, Tensor? offsets=None, int axis=0, bool unsafe=False, Scalar? initial=None, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor "
     "indices)", kCore},
    {"aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> "
     "(Tensor values, Tensor indices)"},
    {"aten::sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, "
     "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, "
     "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::sort.int(int[](a!) self, bool reverse=False) -> ()", kTorchScript},
    {"aten::sort.float(float[](a!) self, bool reverse=False) -> ()", kTorchScript},
    {"aten::sort.Tensor(Tensor[](a!) self, bool reverse=False) -> ()", kTorchScript},
    {"aten::sort.bool(bool[](a!) self, bool reverse=False) -> ()", kTorchScript},
    {"aten::sort.str(str[](a!) self, bool reverse=False) -> ()", kTorchScript},
    {"aten::sort.any(t[](a!) self, bool reverse=False) -> ()", kTorchScript},
    {"aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> "
     "(Tensor values, Tensor indices)", kCore},
    {"aten::topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *,"
     " Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)"},
    {"aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, "
     "int? dim=None) -> (Tensor, Tensor, Tensor)", kDynamicShape},
    {"aten::unique_consecutive.out(Tensor self, bool return_inverse=False, bool "
     "return_counts=False, int? dim=None, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) ->"
     " (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
     "return_counts=False) -> (Tensor, Tensor, Tensor)", kDynamicShape},
    {"aten::unique_dim.out(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool"
     " return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool "
     "return_counts=False) -> (Tensor, Tensor, Tensor)", kDynamicShape},
    {"aten::unique_dim_consecutive.out(Tensor self, int dim, bool return_inverse=False, bool "
     "return_counts=False, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
};

extern const std::span<const OpInfo> kSortOps;
constinit const std::span<const OpInfo> kSortOps(kSortRows);

}  // namespace fx::ops
