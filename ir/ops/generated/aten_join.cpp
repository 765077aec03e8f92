// The operators of PyTorch 2.13.0: join.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kJoinRows[] = {
    {"aten::_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor"},
    {"aten::_chunk_cat.out(Tensor[] tensors, int dim, int num_chunks, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_stack(Tensor[] tensors, int dim=0) -> Tensor"},
    {"aten::_stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::atleast_1d(Tensor self) -> Tensor", kComposite | kMayAlias},
    {"aten::atleast_1d.Sequence(Tensor[] tensors) -> Tensor[]", kComposite},
    {"aten::atleast_2d(Tensor self) -> Tensor", kComposite | kMayAlias},
    {"aten::atleast_2d.Sequence(Tensor[] tensors) -> Tensor[]", kComposite},
    {"aten::atleast_3d(Tensor self) -> Tensor", kComposite | kMayAlias},
    {"aten::atleast_3d.Sequence(Tensor[] tensors) -> Tensor[]", kComposite},
    {"aten::cat(Tensor[] tensors, int dim=0) -> Tensor", kCore},
    {"aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]", kComposite},
    {"aten::column_stack(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::column_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::concat(Tensor[] tensors, int dim=0) -> Tensor", kComposite},
    {"aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor", kComposite},
    {"aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::dsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", kComposite},
    {"aten::dsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", kComposite},
    {"aten::dstack(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::flatten_dense_tensors(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::hsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", kComposite},
    {"aten::hsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", kComposite},
    {"aten::hstack(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::row_stack(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]"},
    {"aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
     kComposite},
    {"aten::split.str(str self, str? separator=None, int max=-1) -> str[]", kTorchScript},
    {"aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]", kTorchScript},
    {"aten::split_copy.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]", kViewCopy},
    {"aten::split_copy.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] out) "
     "-> ()"},
    {"aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]",
     kCore},
    {"aten::split_with_sizes_copy(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]",
     kViewCopy},
    {"aten::split_with_sizes_copy.out(Tensor self, SymInt[] split_sizes, int dim=0, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::stack(Tensor[] tensors, int dim=0) -> Tensor"},
    {"aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]",
     kComposite},
    {"aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]",
     kComposite},
    {"aten::tensor_split.tensor_indices_or_sections(Tensor(a -> *) self, Tensor "
     "tensor_indices_or_sections, int dim=0) -> Tensor(a)[]", kComposite},
    {"aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]"},
    {"aten::unbind_copy.int(Tensor self, int dim=0) -> Tensor[]", kViewCopy},
    {"aten::unbind_copy.int_out(Tensor self, int dim=0, *, Tensor(a!)[] out) -> ()"},
    {"aten::unflatten_dense_tensors(Tensor flat, Tensor[] tensors) -> Tensor[]", kComposite},
    {"aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]", kComposite | kMayAlias},
    {"aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]"},
    {"aten::unsafe_split.Tensor_out(Tensor self, SymInt split_size, int dim=0, *, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]"},
    {"aten::unsafe_split_with_sizes.out(Tensor self, SymInt[] split_sizes, int dim=0, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::vsplit.int(Tensor(a -> *) self, int sections) -> Tensor(a)[]", kComposite},
    {"aten::vsplit.array(Tensor(a -> *) self, int[] indices) -> Tensor(a)[]", kComposite},
    {"aten::vstack(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
};

extern const std::span<const OpInfo> kJoinOps;
constinit const std::span<const OpInfo> kJoinOps(kJoinRows);

}  // namespace fx::ops
