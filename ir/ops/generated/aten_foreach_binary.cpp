// The operators of PyTorch 2.13.0: foreach binary.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kForeachBinaryRows[] = {
    {"aten::_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_add.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]"},
    {"aten::_foreach_add.List_out(Tensor[] self, Tensor[] other, *, Scalar alpha=1, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_add.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> "
     "()"},
    {"aten::_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[]"},
    {"aten::_foreach_add.Tensor_out(Tensor[] self, Tensor other, *, Scalar alpha=1, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::_foreach_add_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_add_.List(Tensor(a!)[] self, Tensor[] other, *, Scalar alpha=1) -> ()"},
    {"aten::_foreach_add_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_add_.Tensor(Tensor(a!)[] self, Tensor other, *, Scalar alpha=1) -> ()"},
    {"aten::_foreach_addcdiv.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar "
     "value=1) -> Tensor[]"},
    {"aten::_foreach_addcdiv.Scalar_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar "
     "value=1, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_addcdiv.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, "
     "Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_addcdiv.ScalarList_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, "
     "Scalar[] scalars, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_addcdiv.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor "
     "scalars) -> Tensor[]"},
    {"aten::_foreach_addcdiv.Tensor_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor "
     "scalars, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_addcdiv_.Scalar(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar"
     " value=1) -> ()"},
    {"aten::_foreach_addcdiv_.ScalarList(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, "
     "Scalar[] scalars) -> ()"},
    {"aten::_foreach_addcdiv_.Tensor(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor"
     " scalars) -> ()"},
    {"aten::_foreach_addcmul.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar "
     "value=1) -> Tensor[]"},
    {"aten::_foreach_addcmul.Scalar_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar "
     "value=1, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_addcmul.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, "
     "Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_addcmul.ScalarList_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, "
     "Scalar[] scalars, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_addcmul.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor "
     "scalars) -> Tensor[]"},
    {"aten::_foreach_addcmul.Tensor_out(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor "
     "scalars, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_addcmul_.Scalar(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar"
     " value=1) -> ()"},
    {"aten::_foreach_addcmul_.ScalarList(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, "
     "Scalar[] scalars) -> ()"},
    {"aten::_foreach_addcmul_.Tensor(Tensor(a!)[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor"
     " scalars) -> ()"},
    {"aten::_foreach_clamp_max.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_clamp_max.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"
    },
    {"aten::_foreach_clamp_max.List(Tensor[] self, Tensor[] other) -> Tensor[]"},
    {"aten::_foreach_clamp_max.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_clamp_max.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_clamp_max.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::_foreach_clamp_max_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_clamp_max_.List(Tensor(a!)[] self, Tensor[] other) -> ()"},
    {"aten::_foreach_clamp_max_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_clamp_min.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_clamp_min.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"
    },
    {"aten::_foreach_clamp_min.List(Tensor[] self, Tensor[] other) -> Tensor[]"},
    {"aten::_foreach_clamp_min.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_clamp_min.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_clamp_min.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::_foreach_clamp_min_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_clamp_min_.List(Tensor(a!)[] self, Tensor[] other) -> ()"},
    {"aten::_foreach_clamp_min_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] "
     "self_out"},
    {"aten::_foreach_copy.out(Tensor[] self, Tensor[] src, bool non_blocking=False, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_copy_(Tensor(a!)[] self, Tensor[] src, bool non_blocking=False) -> ()"},
    {"aten::_foreach_div.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_div.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_div.List(Tensor[] self, Tensor[] other) -> Tensor[]"},
    {"aten::_foreach_div.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_div.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_div.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> "
     "()"},
    {"aten::_foreach_div.Tensor(Tensor[] self, Tensor other) -> Tensor[]"},
    {"aten::_foreach_div.Tensor_out(Tensor[] self, Tensor other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_div_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_div_.List(Tensor(a!)[] self, Tensor[] other) -> ()"},
    {"aten::_foreach_div_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_div_.Tensor(Tensor(a!)[] self, Tensor other) -> ()"},
    {"aten::_foreach_lerp.List(Tensor[] self, Tensor[] tensors1, Tensor[] weights) -> Tensor[]"},
    {"aten::_foreach_lerp.List_out(Tensor[] self, Tensor[] tensors1, Tensor[] weights, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[]"},
    {"aten::_foreach_lerp.Scalar_out(Tensor[] self, Tensor[] tensors1, Scalar weight, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_lerp.ScalarList(Tensor[] self, Tensor[] tensors1, Scalar[] weight) -> "
     "Tensor[]"},
    {"aten::_foreach_lerp.ScalarList_out(Tensor[] self, Tensor[] tensors1, Scalar[] weight, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_lerp_.List(Tensor(a!)[] self, Tensor[] tensors1, Tensor[] weights) -> ()"},
    {"aten::_foreach_lerp_.Scalar(Tensor(a!)[] self, Tensor[] tensors1, Scalar weight) -> ()"},
    {"aten::_foreach_lerp_.ScalarList(Tensor(a!)[] self, Tensor[] tensors1, Scalar[] weight) -> ()"
    },
    {"aten::_foreach_max(Tensor[] self) -> Tensor[]"},
    {"aten::_foreach_max.out(Tensor[] self, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_maximum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_maximum.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_maximum.List(Tensor[] self, Tensor[] other) -> Tensor[]"},
    {"aten::_foreach_maximum.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_maximum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_maximum.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) "
     "-> ()"},
    {"aten::_foreach_maximum_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_maximum_.List(Tensor(a!)[] self, Tensor[] other) -> ()"},
    {"aten::_foreach_maximum_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_minimum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_minimum.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_minimum.List(Tensor[] self, Tensor[] other) -> Tensor[]"},
    {"aten::_foreach_minimum.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_minimum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_minimum.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) "
     "-> ()"},
    {"aten::_foreach_minimum_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_minimum_.List(Tensor(a!)[] self, Tensor[] other) -> ()"},
    {"aten::_foreach_minimum_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]"},
    {"aten::_foreach_mul.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_mul.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[]"},
    {"aten::_foreach_mul.List_out(Tensor[] self, Tensor[] other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_mul.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_mul.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> "
     "()"},
    {"aten::_foreach_mul.Tensor(Tensor[] self, Tensor other) -> Tensor[]"},
    {"aten::_foreach_mul.Tensor_out(Tensor[] self, Tensor other, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_mul_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_mul_.List(Tensor(a!)[] self, Tensor[] other) -> ()"},
    {"aten::_foreach_mul_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
    {"aten::_foreach_mul_.Tensor(Tensor(a!)[] self, Tensor other) -> ()"},
    {"aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"},
    {"aten::_foreach_norm.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_pow.List(Tensor[] self, Tensor[] exponent) -> Tensor[]"},
    {"aten::_foreach_pow.List_out(Tensor[] self, Tensor[] exponent, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[]"},
    {"aten::_foreach_pow.Scalar_out(Tensor[] self, Scalar exponent, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_pow.ScalarList(Tensor[] self, Scalar[] exponent) -> Tensor[]"},
    {"aten::_foreach_pow.ScalarList_out(Tensor[] self, Scalar[] exponent, *, Tensor(a!)[] out) -> "
     "()"},
    {"aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]"},
    {"aten::_foreach_pow_.List(Tensor(a!)[] self, Tensor[] exponent) -> ()"},
    {"aten::_foreach_pow_.Scalar(Tensor(a!)[] self, Scalar exponent) -> ()"},
    {"aten::_foreach_pow_.ScalarList(Tensor(a!)[] self, Scalar[] exponent) -> ()"},
    {"aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> "
     "Tensor[]"},
    {"aten::_foreach_powsum.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, "
     "Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_sub.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]"},
    {"aten::_foreach_sub.Scalar_out(Tensor[] self, Scalar scalar, *, Tensor(a!)[] out) -> ()"},
    {"aten::_foreach_sub.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]"},
    {"aten::_foreach_sub.List_out(Tensor[] self, Tensor[] other, *, Scalar alpha=1, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::_foreach_sub.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]"},
    {"aten::_foreach_sub.ScalarList_out(Tensor[] self, Scalar[] scalars, *, Tensor(a!)[] out) -> "
     "()"},
    {"aten::_foreach_sub_.Scalar(Tensor(a!)[] self, Scalar scalar) -> ()"},
    {"aten::_foreach_sub_.List(Tensor(a!)[] self, Tensor[] other, *, Scalar alpha=1) -> ()"},
    {"aten::_foreach_sub_.ScalarList(Tensor(a!)[] self, Scalar[] scalars) -> ()"},
};

extern const std::span<const OpInfo> kForeachBinaryOps;
constinit const std::span<const OpInfo> kForeachBinaryOps(kForeachBinaryRows);

}  // namespace fx::ops
