// The operators of PyTorch 2.13.0: embedding.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kEmbeddingRows[] = {
    {"aten::_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)",
     kCore},
    {"aten::_embedding_bag.out(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))"},
    {"aten::_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor "
     "offset2bag, Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool "
     "scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) "
     "-> Tensor"},
    {"aten::_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor "
     "bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, "
     "Tensor? per_sample_weights, int padding_idx=-1) -> Tensor"},
    {"aten::_embedding_bag_dense_backward.out(Tensor grad, Tensor indices, Tensor offset2bag, "
     "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int "
     "mode, Tensor? per_sample_weights, int padding_idx=-1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_embedding_bag_forward_only(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False, int padding_idx=-1) -> (Tensor, Tensor, Tensor, Tensor)"},
    {"aten::_embedding_bag_forward_only.out(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False, int padding_idx=-1, *, Tensor(a!) out0, Tensor(b!) out1, "
     "Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))"},
    {"aten::_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices,"
     " Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor"},
    {"aten::_embedding_bag_per_sample_weights_backward.out(Tensor grad, Tensor weight, Tensor "
     "indices, Tensor offsets, Tensor offset2bag, int mode, int padding_idx=-1, *, Tensor(a!) out)"
     " -> Tensor(a!)"},
    {"aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
     "scale_grad_by_freq=False, bool sparse=False) -> Tensor", kCore},
    {"aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool "
     "scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt "
     "padding_idx, bool scale_grad_by_freq, bool sparse) -> Tensor", kComposite},
    {"aten::embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq=False, int mode=0, bool sparse=False, Tensor? per_sample_weights=None, "
     "bool include_last_offset=False) -> (Tensor, Tensor, Tensor, Tensor)", kComposite},
    {"aten::embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool "
     "scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, bool "
     "include_last_offset, int? padding_idx) -> (Tensor, Tensor, Tensor, Tensor)", kComposite},
    {"aten::embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, "
     "SymInt padding_idx, bool scale_grad_by_freq) -> Tensor", kCore},
    {"aten::embedding_dense_backward.out(Tensor grad_output, Tensor indices, SymInt num_weights, "
     "SymInt padding_idx, bool scale_grad_by_freq, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> "
     "Tensor"},
    {"aten::embedding_renorm.out(Tensor self, Tensor indices, float max_norm, float norm_type, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::embedding_renorm_(Tensor(a!) self, Tensor indices, float max_norm, float norm_type) ->"
     " Tensor(a!)"},
    {"aten::one_hot(Tensor self, int num_classes=-1) -> Tensor", kComposite | kDynamicShape},
};

extern const std::span<const OpInfo> kEmbeddingOps;
constinit const std::span<const OpInfo> kEmbeddingOps(kEmbeddingRows);

}  // namespace fx::ops
