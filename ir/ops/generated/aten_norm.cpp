// The operators of PyTorch 2.13.0: norm.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kNormRows[] = {
    {"aten::_batch_norm_impl_index(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, bool training, float momentum, float eps, bool "
     "cudnn_enabled) -> (Tensor, Tensor, Tensor, Tensor, int)", kComposite},
    {"aten::_batch_norm_impl_index_backward(int impl_index, Tensor input, Tensor grad_output, "
     "Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? "
     "save_var_transform, bool train, float eps, bool[3] output_mask, Tensor reservedSpace) -> "
     "(Tensor, Tensor, Tensor)", kComposite},
    {"aten::_batch_norm_no_update(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, "
     "Tensor)"},
    {"aten::_batch_norm_no_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, float momentum, float eps, *, Tensor(a!) out0, Tensor(b!)"
     " out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), Tensor(d!))"
    },
    {"aten::_batch_norm_with_update.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
     "running_mean, Tensor(b!) running_var, float momentum, float eps, *, Tensor(d!) out, "
     "Tensor(e!) save_mean, Tensor(f!) save_invstd, Tensor(g!) reserve) -> (Tensor(d!), "
     "Tensor(e!), Tensor(f!), Tensor(g!))"},
    {"aten::_batch_norm_with_update(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
     "running_mean, Tensor(b!) running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor,"
     " Tensor)"},
    {"aten::_batch_norm_with_update_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor "
     "running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor, "
     "Tensor, Tensor running_mean_out, Tensor running_var_out)"},
    {"aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> "
     "(Tensor, Tensor)", kComposite},
    {"aten::_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor"
     " rstd, Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor)"},
    {"aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
     "running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, "
     "Tensor, Tensor)", kCore},
    {"aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool "
     "training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", kCore},
    {"aten::_native_batch_norm_legit.out(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) "
     "running_mean, Tensor(b!) running_var, bool training, float momentum, float eps, *, "
     "Tensor(d!) out, Tensor(e!) save_mean, Tensor(f!) save_invstd) -> (Tensor(d!), Tensor(e!), "
     "Tensor(f!))"},
    {"aten::_native_batch_norm_legit.no_stats_out(Tensor input, Tensor? weight, Tensor? bias, bool"
     " training, float momentum, float eps, *, Tensor(a!) out, Tensor(b!) save_mean, Tensor(c!) "
     "save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor"
     " running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, "
     "Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)"},
    {"aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, "
     "Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, "
     "Tensor)", kCore},
    {"aten::_native_batch_norm_legit_no_training.out(Tensor input, Tensor? weight, Tensor? bias, "
     "Tensor running_mean, Tensor running_var, float momentum, float eps, *, Tensor(a!) out0, "
     "Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", kComposite},
    {"aten::_weight_norm_differentiable_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, "
     "Tensor saved_norms, int dim) -> (Tensor, Tensor)", kComposite},
    {"aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)"},
    {"aten::_weight_norm_interface.out(Tensor v, Tensor g, int dim=0, *, Tensor(a!) out0, "
     "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::_weight_norm_interface_backward(Tensor grad_w, Tensor saved_v, Tensor saved_g, Tensor "
     "saved_norms, int dim) -> (Tensor, Tensor)"},
    {"aten::_weight_norm_interface_backward.out(Tensor grad_w, Tensor saved_v, Tensor saved_g, "
     "Tensor saved_norms, int dim, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), "
     "Tensor(b!))"},
    {"aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? "
     "running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
     kComposite},
    {"aten::batch_norm_backward(Tensor grad_out, Tensor input, Tensor weight, Tensor? "
     "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, bool update, float "
     "eps, bool[3] output_mask, Tensor reserve) -> (Tensor, Tensor, Tensor)"},
    {"aten::batch_norm_backward_elemt.out(Tensor grad_out, Tensor input, Tensor mean, Tensor "
     "invstd, Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::batch_norm_backward_elemt(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, "
     "Tensor? weight, Tensor sum_dy, Tensor sum_dy_xmu, Tensor count) -> Tensor"},
    {"aten::batch_norm_backward_reduce.out(Tensor grad_out, Tensor input, Tensor mean, Tensor "
     "invstd, Tensor? weight, bool input_g, bool weight_g, bool bias_g, *, Tensor(a!) out0, "
     "Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), Tensor(b!), Tensor(c!), "
     "Tensor(d!))"},
    {"aten::batch_norm_backward_reduce(Tensor grad_out, Tensor input, Tensor mean, Tensor invstd, "
     "Tensor? weight, bool input_g, bool weight_g, bool bias_g) -> (Tensor, Tensor, Tensor, "
     "Tensor)"},
    {"aten::batch_norm_elemt.out(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor "
     "invstd, float eps, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::batch_norm_elemt(Tensor input, Tensor? weight, Tensor? bias, Tensor mean, Tensor "
     "invstd, float eps) -> Tensor"},
    {"aten::batch_norm_gather_stats.out(Tensor input, Tensor mean, Tensor invstd, Tensor? "
     "running_mean, Tensor? running_var, float momentum, float eps, int count, *, Tensor(a!) out0,"
     " Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::batch_norm_gather_stats(Tensor input, Tensor mean, Tensor invstd, Tensor? "
     "running_mean, Tensor? running_var, float momentum, float eps, int count) -> (Tensor, Tensor)"
    },
    {"aten::batch_norm_gather_stats_with_counts.out(Tensor input, Tensor mean, Tensor invstd, "
     "Tensor? running_mean, Tensor? running_var, float momentum, float eps, Tensor counts, *, "
     "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::batch_norm_gather_stats_with_counts(Tensor input, Tensor mean, Tensor invstd, Tensor? "
     "running_mean, Tensor? running_var, float momentum, float eps, Tensor counts) -> (Tensor, "
     "Tensor)"},
    {"aten::batch_norm_stats.out(Tensor input, float eps, *, Tensor(a!) out0, Tensor(b!) out1) -> "
     "(Tensor(a!), Tensor(b!))"},
    {"aten::batch_norm_stats(Tensor input, float eps) -> (Tensor, Tensor)"},
    {"aten::batch_norm_update_stats(Tensor input, Tensor? running_mean, Tensor? running_var, float"
     " momentum) -> (Tensor, Tensor)"},
    {"aten::batch_norm_update_stats.out(Tensor input, Tensor? running_mean, Tensor? running_var, "
     "float momentum, *, Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::cudnn_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, "
     "Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> "
     "(Tensor, Tensor, Tensor, Tensor)"},
    {"aten::cudnn_batch_norm.out(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, "
     "Tensor? running_var, bool training, float exponential_average_factor, float epsilon, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2, Tensor(d!) out3) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!), Tensor(d!))"},
    {"aten::cudnn_batch_norm_backward(Tensor input, Tensor grad_output, Tensor weight, Tensor? "
     "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon, "
     "Tensor reserveSpace) -> (Tensor, Tensor, Tensor)"},
    {"aten::cudnn_batch_norm_backward.out(Tensor input, Tensor grad_output, Tensor weight, Tensor?"
     " running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon, "
     "Tensor reserveSpace, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float"
     " eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor", kComposite},
    {"aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
     "Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) ->"
     " Tensor", kComposite},
    {"aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? "
     "bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor", kComposite},
    {"aten::miopen_batch_norm(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean, "
     "Tensor? running_var, bool training, float exponential_average_factor, float epsilon) -> "
     "(Tensor, Tensor, Tensor)"},
    {"aten::miopen_batch_norm.out(Tensor input, Tensor weight, Tensor? bias, Tensor? running_mean,"
     " Tensor? running_var, bool training, float exponential_average_factor, float epsilon, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::miopen_batch_norm_backward(Tensor input, Tensor grad_output, Tensor weight, Tensor? "
     "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float epsilon) -> "
     "(Tensor, Tensor, Tensor)"},
    {"aten::miopen_batch_norm_backward.out(Tensor input, Tensor grad_output, Tensor weight, "
     "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_var, float "
     "epsilon, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), "
     "Tensor(c!))"},
    {"aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, "
     "Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)"},
    {"aten::native_batch_norm.out(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
     "running_mean, Tensor? running_var, bool training, float momentum, float eps, *, Tensor(a!) "
     "out, Tensor(b!) save_mean, Tensor(c!) save_invstd) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? "
     "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float"
     " eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)"},
    {"aten::native_batch_norm_backward.out(Tensor grad_out, Tensor input, Tensor? weight, Tensor? "
     "running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float"
     " eps, bool[3] output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
     "(Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
     "SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)", kCore},
    {"aten::native_group_norm.out(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, "
     "SymInt HxW, int group, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> "
     "(Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, "
     "Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, "
     "Tensor, Tensor)", kCore},
    {"aten::native_group_norm_backward.out(Tensor grad_out, Tensor input, Tensor mean, Tensor "
     "rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask, *, "
     "Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), Tensor(b!), Tensor(c!))"},
    {"aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? "
     "bias, float eps) -> (Tensor, Tensor, Tensor)", kCore},
    {"aten::native_layer_norm.out(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor?"
     " bias, float eps, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, "
     "Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, "
     "Tensor, Tensor)", kCore},
    {"aten::native_layer_norm_backward.out(Tensor grad_out, Tensor input, SymInt[] "
     "normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] "
     "output_mask, *, Tensor(a!) out0, Tensor(b!) out1, Tensor(c!) out2) -> (Tensor(a!), "
     "Tensor(b!), Tensor(c!))"},
    {"aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? "
     "eps=None) -> Tensor", kComposite},
};

extern const std::span<const OpInfo> kNormOps;
constinit const std::span<const OpInfo> kNormOps(kNormRows);

}  // namespace fx::ops
