// The operators of PyTorch 2.13.0: shape.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kShapeRows[] = {
    {"aten::_add_batch_dim(Tensor self, int batch_dim, int level) -> Tensor", kComposite},
    {"aten::_autocast_to_full_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled) -> "
     "Tensor(a)", kComposite},
    {"aten::_autocast_to_reduced_precision(Tensor(a) self, bool cuda_enabled, bool cpu_enabled, "
     "ScalarType cuda_dtype, ScalarType cpu_dtype) -> Tensor(a)", kComposite},
    {"aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor", kComposite},
    {"aten::_copy_from.out(Tensor self, Tensor dst, bool non_blocking=False, *, Tensor(a!) out) ->"
     " Tensor(a!)"},
    {"aten::_copy_from(Tensor self, Tensor dst, bool non_blocking=False) -> Tensor"},
    {"aten::_copy_from_and_resize.out(Tensor self, Tensor dst, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_copy_from_and_resize(Tensor self, Tensor dst) -> Tensor"},
    {"aten::_has_compatible_shallow_copy_type(Tensor self, Tensor from) -> bool", kComposite},
    {"aten::_lazy_clone(Tensor self) -> Tensor"},
    {"aten::_pin_memory(Tensor self, Device? device=None) -> Tensor"},
    {"aten::_pin_memory.out(Tensor self, Device? device=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_remove_batch_dim(Tensor self, int level, SymInt batch_size, int out_dim) -> Tensor",
     kComposite},
    {"aten::_resize_output(Tensor self, SymInt[] size, Device device) -> Tensor"},
    {"aten::_resize_output.out(Tensor self, SymInt[] size, Device device, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_resize_output_(Tensor(a!) self, SymInt[] size, Device device) -> Tensor(a!)"},
    {"aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? "
     "device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? "
     "memory_format=None) -> Tensor", kCore},
    {"aten::_to_copy.out(Tensor self, *, bool non_blocking=False, MemoryFormat? "
     "memory_format=None, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_to_cpu(Tensor[] tensors) -> Tensor[]", kComposite},
    {"aten::chalf(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", kComposite},
    {"aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", kCore | kPointwise},
    {"aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", kComposite},
    {"aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", kCore},
    {"aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::copy.t(t[](a) self) -> t[]", kTorchScript},
    {"aten::copy.Dict_str(Dict(str, t)(a) self) -> Dict(str, t)", kTorchScript},
    {"aten::copy.Dict_int(Dict(int, t)(a) self) -> Dict(int, t)", kTorchScript},
    {"aten::copy.Dict_bool(Dict(bool, t)(a) self) -> Dict(bool, t)", kTorchScript},
    {"aten::copy.Dict_float(Dict(float, t)(a) self) -> Dict(float, t)", kTorchScript},
    {"aten::copy.Dict_complex(Dict(complex, t)(a) self) -> Dict(complex, t)", kTorchScript},
    {"aten::copy.Dict_Tensor(Dict(Tensor, t)(a) self) -> Dict(Tensor, t)", kTorchScript},
    {"aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"},
    {"aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", kTorchScript},
    {"aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)", kTorchScript},
    {"aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)", kTorchScript},
    {"aten::fill.Scalar(Tensor self, Scalar value) -> Tensor", kCore},
    {"aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fill.Tensor(Tensor self, Tensor value) -> Tensor"},
    {"aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)"},
    {"aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)"},
    {"aten::flip(Tensor self, int[] dims) -> Tensor", kCore},
    {"aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::fliplr(Tensor self) -> Tensor", kComposite},
    {"aten::flipud(Tensor self) -> Tensor", kComposite},
    {"aten::pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)", kComposite},
    {"aten::repeat(Tensor self, SymInt[] repeats) -> Tensor", kCore},
    {"aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
     kDynamicShape},
    {"aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? "
     "output_size=None) -> Tensor", kComposite},
    {"aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? "
     "output_size=None) -> Tensor", kComposite},
    {"aten::repeat_interleave.Tensor_out(Tensor repeats, *, SymInt? output_size=None, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::resize(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor"},
    {"aten::resize.out(Tensor self, SymInt[] size, *, MemoryFormat? memory_format=None, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> "
     "Tensor(a!)", kCore | kWritesMetadata},
    {"aten::resize_as(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None) -> "
     "Tensor"},
    {"aten::resize_as.out(Tensor self, Tensor the_template, *, MemoryFormat? memory_format=None, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::resize_as_(Tensor(a!) self, Tensor the_template, *, MemoryFormat? memory_format=None) "
     "-> Tensor(a!)", kWritesMetadata},
    {"aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor"},
    {"aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor"},
    {"aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::set.source_Storage(Tensor self, Storage source) -> Tensor"},
    {"aten::set.source_Storage_out(Tensor self, Storage source, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::set.source_Storage_storage_offset(Tensor self, Storage source, SymInt storage_offset, "
     "SymInt[] size, SymInt[] stride=[]) -> Tensor"},
    {"aten::set.source_Storage_storage_offset_out(Tensor self, Storage source, SymInt "
     "storage_offset, SymInt[] size, SymInt[] stride=[], *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::set.source_Tensor(Tensor self, Tensor source) -> Tensor"},
    {"aten::set.source_Tensor_out(Tensor self, Tensor source, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::set(Tensor self) -> Tensor"},
    {"aten::set.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::set_.source_Storage_storage_offset(Tensor(a!) self, Storage source, SymInt "
     "storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)", kWritesMetadata},
    {"aten::set_.source_Tensor(Tensor(a!) self, Tensor source) -> Tensor(a!)", kWritesMetadata},
    {"aten::set_(Tensor(a!) self) -> Tensor(a!)", kWritesMetadata},
    {"aten::set_.source_Storage(Tensor(a!) self, Storage source) -> Tensor(a!)", kWritesMetadata},
    {"aten::set_.source_Tensor_storage_offset(Tensor(a!) self, Tensor source, SymInt "
     "storage_offset, SymInt[] size, SymInt[] stride=[]) -> Tensor(a!)",
     kComposite | kWritesMetadata},
    {"aten::set_data(Tensor(a!) self, Tensor new_data) -> ()", kComposite},
    {"aten::tile(Tensor self, SymInt[] dims) -> Tensor", kComposite},
    {"aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, "
     "bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)", kComposite},
    {"aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, "
     "MemoryFormat? memory_format=None) -> Tensor(a)", kComposite},
    {"aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, "
     "MemoryFormat? memory_format=None) -> Tensor(a)", kComposite},
    {"aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, "
     "Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, "
     "MemoryFormat? memory_format=None) -> Tensor(a)", kComposite},
    {"aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool "
     "non_blocking=False, bool copy=False) -> Tensor(b|a)", kTorchScript},
    {"aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool "
     "copy=False) -> Tensor(b|a)", kTorchScript},
    {"aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)",
     kTorchScript},
    {"aten::to_mkldnn(Tensor self, ScalarType? dtype=None) -> Tensor"},
    {"aten::to_mkldnn.out(Tensor self, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::to_mkldnn_backward(Tensor grad, Tensor input) -> Tensor", kComposite},
    {"aten::tril(Tensor self, SymInt diagonal=0) -> Tensor"},
    {"aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)"},
    {"aten::triu(Tensor self, SymInt diagonal=0) -> Tensor"},
    {"aten::triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)"},
    {"aten::type_as(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::zero(Tensor self) -> Tensor"},
    {"aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::zero_(Tensor(a!) self) -> Tensor(a!)"},
};

extern const std::span<const OpInfo> kShapeOps;
constinit const std::span<const OpInfo> kShapeOps(kShapeRows);

}  // namespace fx::ops
