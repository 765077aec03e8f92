// The operators of PyTorch 2.13.0: query.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kQueryRows[] = {
    {"aten::_assert_async(Tensor self) -> ()"},
    {"aten::_assert_async.msg(Tensor self, str assert_msg) -> ()"},
    {"aten::_assert_scalar(Scalar self, str assert_msg) -> ()"},
    {"aten::_assert_tensor_metadata(Tensor a, SymInt[]? size=None, SymInt[]? stride=None, "
     "ScalarType? dtype=None, *, Device? device=None, Layout? layout=None) -> ()"},
    {"aten::_backward(Tensor self, Tensor[] inputs, Tensor? gradient=None, bool? "
     "retain_graph=None, bool create_graph=False) -> ()", kComposite},
    {"aten::_debug_has_internal_overlap(Tensor self) -> int", kComposite},
    {"aten::_dim_arange(Tensor like, int dim) -> Tensor", kComposite},
    {"aten::_functional_assert_async.msg(Tensor self, str assert_msg, Tensor dep_token) -> Tensor"},
    {"aten::_functional_assert_scalar(Scalar self, str assert_msg, Tensor dep_token) -> Tensor"},
    {"aten::_functional_sym_constrain_range(Scalar size, int? min, int? max, Tensor dep_token) -> "
     "Tensor"},
    {"aten::_functional_sym_constrain_range_for_size(Scalar size, int? min, int? max, Tensor "
     "dep_token) -> Tensor"},
    {"aten::_has_same_storage_numel(Tensor self, Tensor other) -> bool"},
    {"aten::_is_all_true(Tensor self) -> Tensor"},
    {"aten::_is_any_true(Tensor self) -> Tensor"},
    {"aten::_is_zerotensor(Tensor self) -> bool", kComposite},
    {"aten::_local_scalar_dense(Tensor self) -> Scalar", kCore | kDataDependent},
    {"aten::_make_dep_token(*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
     "bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor"},
    {"aten::_nnpack_available() -> bool", kComposite},
    {"aten::_print(str s) -> ()"},
    {"aten::_propagate_xla_data(Tensor input, Tensor output) -> ()", kComposite},
    {"aten::_shape_as_tensor(Tensor self) -> Tensor", kComposite},
    {"aten::_version(Tensor self) -> int", kComposite},
    {"aten::can_cast(ScalarType from_, ScalarType to) -> bool", kComposite},
    {"aten::cudnn_is_acceptable(Tensor self) -> bool", kComposite},
    {"aten::dim(Tensor self) -> int", kComposite},
    {"aten::get_device(Tensor self) -> int", kComposite},
    {"aten::get_gradients(int context_id) -> Dict(Tensor, Tensor)", kComposite},
    {"aten::is_coalesced(Tensor self) -> bool"},
    {"aten::is_complex(Tensor self) -> bool", kComposite},
    {"aten::is_conj(Tensor self) -> bool", kComposite},
    {"aten::is_contiguous(Tensor self) -> bool", kComposite},
    {"aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool",
     kComposite},
    {"aten::is_distributed(Tensor self) -> bool", kComposite},
    {"aten::is_floating_point(Tensor self) -> bool", kComposite},
    {"aten::is_inference(Tensor self) -> bool", kComposite},
    {"aten::is_leaf(Tensor self) -> bool", kComposite},
    {"aten::is_neg(Tensor self) -> bool", kComposite},
    {"aten::is_nonzero(Tensor self) -> bool", kComposite},
    {"aten::is_pinned(Tensor self, Device? device=None) -> bool"},
    {"aten::is_same_size(Tensor self, Tensor other) -> bool"},
    {"aten::is_set_to(Tensor self, Tensor tensor) -> bool"},
    {"aten::is_signed(Tensor self) -> bool", kComposite},
    {"aten::is_vulkan_available() -> bool", kComposite},
    {"aten::item(Tensor self) -> Scalar", kComposite | kDataDependent},
    {"aten::numel(Tensor self) -> int", kComposite},
    {"aten::output_nr(Tensor self) -> int", kComposite},
    {"aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType", kComposite},
    {"aten::record_stream(Tensor(a!) self, Stream s) -> ()"},
    {"aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)", kComposite},
    {"aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType", kComposite},
    {"aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType", kComposite},
    {"aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType", kComposite},
    {"aten::result_type.Scalar_Scalar(Scalar scalar1, Scalar scalar2) -> ScalarType", kComposite},
    {"aten::retain_grad(Tensor(a!) self) -> ()", kComposite},
    {"aten::retains_grad(Tensor self) -> bool", kComposite},
    {"aten::size.int(Tensor self, int dim) -> int", kComposite},
    {"aten::size(Tensor self) -> int[]", kTorchScript},
    {"aten::storage_offset(Tensor self) -> int", kComposite},
    {"aten::stride.int(Tensor self, int dim) -> int", kComposite},
    {"aten::stride(Tensor self) -> int[]", kTorchScript},
    {"aten::sym_constrain_range(Scalar size, *, int? min=None, int? max=None) -> ()"},
    {"aten::sym_constrain_range_for_size(Scalar size, *, int? min=None, int? max=None) -> ()"},
    {"aten::sym_is_contiguous(Tensor self, MemoryFormat memory_format=0) -> SymBool",
     kCore | kComposite},
    {"aten::sym_numel(Tensor self) -> SymInt", kCore | kComposite},
    {"aten::sym_size.int(Tensor self, int dim) -> SymInt", kCore | kComposite},
    {"aten::sym_size(Tensor self) -> SymInt[]", kTorchScript},
    {"aten::sym_storage_offset(Tensor self) -> SymInt", kCore | kComposite},
    {"aten::sym_stride.int(Tensor self, int dim) -> SymInt", kCore | kComposite},
    {"aten::sym_stride(Tensor self) -> SymInt[]", kTorchScript},
};

extern const std::span<const OpInfo> kQueryOps;
constinit const std::span<const OpInfo> kQueryOps(kQueryRows);

}  // namespace fx::ops
