// Methods of Python's Tensor without an operator of the same name; other methods are derived from
// operators (derived_functions.cpp). The receiver of a method may be any value, but is usually
// a Tensor.
#include "fx/ir/ops/op_rows_internal.h"

namespace fx::ops {
namespace {

constinit const OpInfo kTensorMethodRows[] = {
    // Conversions; the result is the tensor itself if it already has the type.
    {"torch.Tensor.bfloat16(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.bool(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.byte(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.cdouble(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.cfloat(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.char(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.double(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.float(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.half(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.int(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.long(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.short(Tensor(a) self, *, Any memory_format=None) -> Tensor(a|b)"},
    {"torch.Tensor.ipu(Tensor(a) self, ...) -> Tensor(a|b)"},
    {"torch.Tensor.mtia(Tensor(a) self, ...) -> Tensor(a|b)"},
    {"torch.Tensor.xpu(Tensor(a) self, ...) -> Tensor(a|b)"},
    {"torch.Tensor.type(Tensor(a) self, Any dtype=None, bool non_blocking=False, ...) -> Any(a|b)"},
    {"torch.Tensor.as_subclass(Tensor(a) self, Any cls) -> Tensor(a)"},
    {"torch.Tensor.to_sparse_coo(Tensor(a) self) -> Tensor(a|b)"},
    {"torch.Tensor.numpy(Tensor(a) self, *, bool force=False) -> Any(a|b)"},
    {"torch.Tensor.tolist(Tensor self) -> Any", kDataDependent},
    {"torch.Tensor.new(Tensor self, ...) -> Tensor", 0, Effect::kUninitialized},
    {"torch.Tensor.new_tensor(Tensor self, Any data, ...) -> Tensor"},

    // Queries.
    {"torch.Tensor.data_ptr(Tensor self) -> int", 0, Effect::kReadsState},
    {"torch.Tensor.dim_order(Tensor self, ...) -> int[]"},
    {"torch.Tensor.is_shared(Tensor self) -> bool", 0, Effect::kReadsState},
    {"torch.Tensor.ndimension(Tensor self) -> int"},
    {"torch.Tensor.nelement(Tensor self) -> int"},
    {"torch.Tensor.storage(Tensor(a) self) -> Any(a)"},
    {"torch.Tensor.storage_type(Tensor self) -> Any"},
    {"torch.Tensor.untyped_storage(Tensor(a) self) -> Storage(a)"},

    // Other methods.
    {"torch.Tensor.apply_(Tensor(a!) self, Any callable) -> Tensor(a!)", 0, Effects::all()},
    {"torch.Tensor.map_(Tensor(a!) self, Tensor other, Any callable) -> Tensor(a!)", 0,
     Effects::all()},
    {"torch.Tensor.map2_(Tensor(a!) self, Tensor x, Tensor y, Any callable) -> Tensor(a!)", 0,
     Effects::all()},
    {"torch.Tensor.lu(Tensor self, bool pivot=True, bool get_infos=False) -> Any"},
    {"torch.Tensor.module_load(Tensor(a!) self, Tensor other, bool assign=False) -> Tensor(a|b)"},
    {"torch.Tensor.register_hook(Tensor self, Any hook) -> Any", 0, kState},
    {"torch.Tensor.register_post_accumulate_grad_hook(Tensor self, Any hook) -> Any", 0, kState},
    {"torch.Tensor.share_memory_(Tensor(a!) self) -> Tensor(a!)"},
    {"torch.Tensor.unique(Tensor self, bool sorted=True, bool return_inverse=False, "
     "bool return_counts=False, int? dim=None) -> Any",
     kDynamicShape},

    // Python's protocols.
    {"torch.Tensor.__abs__(Tensor self) -> Tensor", kPointwise},
    {"torch.Tensor.__add__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__bool__(Tensor self) -> bool", kDataDependent},
    {"torch.Tensor.__complex__(Tensor self) -> complex", kDataDependent},
    {"torch.Tensor.__contains__(Tensor self, Any element) -> bool", kDataDependent},
    {"torch.Tensor.__eq__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__float__(Tensor self) -> float", kDataDependent},
    {"torch.Tensor.__floordiv__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__ge__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__getitem__(Tensor self, Any index) -> Tensor(*)"},
    {"torch.Tensor.__gt__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__iadd__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__idiv__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__ifloordiv__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__imod__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__imul__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__index__(Tensor self) -> int", kDataDependent},
    {"torch.Tensor.__int__(Tensor self) -> int", kDataDependent},
    {"torch.Tensor.__invert__(Tensor self) -> Tensor", kPointwise},
    {"torch.Tensor.__ipow__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__isub__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__itruediv__(Tensor(a!) self, Any other) -> Tensor(a!)", kPointwise},
    {"torch.Tensor.__le__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__len__(Tensor self) -> int"},
    {"torch.Tensor.__lt__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__matmul__(Tensor self, Any other) -> Tensor"},
    {"torch.Tensor.__mod__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__mul__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__ne__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__neg__(Tensor self) -> Tensor", kPointwise},
    {"torch.Tensor.__pos__(Tensor(a) self) -> Tensor(a)", kPointwise},
    {"torch.Tensor.__pow__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__radd__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rand__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rdiv__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__reversed__(Tensor self) -> Tensor"},
    {"torch.Tensor.__rfloordiv__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rlshift__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rmatmul__(Tensor self, Any other) -> Tensor"},
    {"torch.Tensor.__rmod__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rmul__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__ror__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rpow__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rrshift__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rsub__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rtruediv__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__rxor__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__setitem__(Tensor(a!) self, Any index, Any value) -> ()"},
    {"torch.Tensor.__sub__(Tensor self, Any other) -> Tensor", kPointwise},
    {"torch.Tensor.__truediv__(Tensor self, Any other) -> Tensor", kPointwise},
};

}  // namespace

constinit const std::span<const OpInfo> kTensorMethodOps(kTensorMethodRows);

}  // namespace fx::ops
