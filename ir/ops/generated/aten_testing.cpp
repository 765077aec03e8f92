// The operators of PyTorch 2.13.0: testing.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kTestingRows[] = {
    {"aten::_foobar(Tensor self, bool arg1=True, bool arg2=True, *, bool arg3=True) -> Tensor"},
    {"aten::_foobar.out(Tensor self, bool arg1=True, bool arg2=True, *, bool arg3=True, Tensor(a!)"
     " out) -> Tensor(a!)"},
    {"aten::_test_ambiguous_defaults.a(Tensor dummy, int a=1, int b=1) -> Tensor", kComposite},
    {"aten::_test_ambiguous_defaults.b(Tensor dummy, int a=2, str b=\"2\") -> Tensor", kComposite},
    {"aten::_test_autograd_multiple_dispatch.fullcoverage(Tensor self) -> Tensor"},
    {"aten::_test_autograd_multiple_dispatch.fullcoverage_out(Tensor self, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_test_autograd_multiple_dispatch.ntonly(Tensor self, bool b) -> Tensor", kComposite},
    {"aten::_test_autograd_multiple_dispatch_view(Tensor(a) self) -> Tensor(a)"},
    {"aten::_test_autograd_multiple_dispatch_view_copy(Tensor self) -> Tensor", kViewCopy},
    {"aten::_test_autograd_multiple_dispatch_view_copy.out(Tensor self, *, Tensor(a!) out) -> "
     "Tensor(a!)", kViewCopy},
    {"aten::_test_check_tensor(Tensor self) -> Tensor", kComposite},
    {"aten::_test_functorch_fallback(Tensor self, Tensor other) -> Tensor"},
    {"aten::_test_functorch_fallback.out(Tensor self, Tensor other, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_test_optional_filled_intlist(Tensor values, int[2]? addends) -> Tensor"},
    {"aten::_test_optional_filled_intlist.out(Tensor values, int[2]? addends, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::_test_optional_floatlist(Tensor values, float[]? addends) -> Tensor"},
    {"aten::_test_optional_floatlist.out(Tensor values, float[]? addends, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_test_optional_intlist(Tensor values, int[]? addends) -> Tensor"},
    {"aten::_test_optional_intlist.out(Tensor values, int[]? addends, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_test_parallel_materialize(Tensor self, int num_parallel, bool skip_first=False) -> "
     "Tensor"},
    {"aten::_test_serialization_subcmul(Tensor self, Tensor other, Scalar alpha=1) -> Tensor",
     kComposite},
    {"aten::_test_string_default(Tensor dummy, str a=\"\\\"\\'\\\\\", str b=\"\\\"\\'\\\\\") -> "
     "Tensor", kComposite},
    {"aten::_test_warn_in_autograd(Tensor self) -> Tensor"},
    {"aten::_test_warn_in_autograd.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
};

extern const std::span<const OpInfo> kTestingOps;
constinit const std::span<const OpInfo> kTestingOps(kTestingRows);

}  // namespace fx::ops
