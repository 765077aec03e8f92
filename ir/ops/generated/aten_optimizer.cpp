// The operators of PyTorch 2.13.0: optimizer.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kOptimizerRows[] = {
    {"aten::_amp_foreach_non_finite_check_and_unscale(Tensor[] self, Tensor found_inf, Tensor "
     "inv_scale) -> (Tensor[] self_out, Tensor found_inf_out)"},
    {"aten::_amp_foreach_non_finite_check_and_unscale.out(Tensor[] self, Tensor(b!) found_inf, "
     "Tensor inv_scale, *, Tensor(a!)[] out) -> ()"},
    {"aten::_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, "
     "Tensor inv_scale) -> ()"},
    {"aten::_amp_update_scale(Tensor self, Tensor growth_tracker, Tensor found_inf, float "
     "scale_growth_factor, float scale_backoff_factor, int growth_interval) -> (Tensor, Tensor "
     "growth_tracker_out)"},
    {"aten::_amp_update_scale.out(Tensor self, Tensor(b!) growth_tracker, Tensor found_inf, float "
     "scale_growth_factor, float scale_backoff_factor, int growth_interval, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, float"
     " scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)"},
    {"aten::_fused_adagrad(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] "
     "state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, "
     "Tensor[] state_sums_out, Tensor[] state_steps_out)"},
    {"aten::_fused_adagrad.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, "
     "Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool "
     "maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()"},
    {"aten::_fused_adagrad.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] state_sums, Tensor[] "
     "state_steps, *, Tensor lr, float lr_decay, float weight_decay, float eps, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, "
     "Tensor[] state_sums_out)"},
    {"aten::_fused_adagrad.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] "
     "state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float "
     "eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()"
    },
    {"aten::_fused_adagrad_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, "
     "Tensor(d!)[] state_steps, *, float lr, float lr_decay, float weight_decay, float eps, bool "
     "maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_adagrad_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] "
     "state_sums, Tensor[] state_steps, *, Tensor lr, float lr_decay, float weight_decay, float "
     "eps, bool maximize, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_adam(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, "
     "Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float"
     " weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? "
     "found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] "
     "exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)"},
    {"aten::_fused_adam.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[]"
     " exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, "
     "float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
     "grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()"},
    {"aten::_fused_adam.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] "
     "exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, "
     "float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
     "grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[]"
     " exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)"},
    {"aten::_fused_adam.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()"},
    {"aten::_fused_adam_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_adam_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_adamw(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, "
     "Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, float beta1, float beta2, float"
     " weight_decay, float eps, bool amsgrad, bool maximize, Tensor? grad_scale=None, Tensor? "
     "found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[] exp_avgs_out, Tensor[] "
     "exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)"},
    {"aten::_fused_adamw.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()"},
    {"aten::_fused_adamw.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] exp_avgs, Tensor[] "
     "exp_avg_sqs, Tensor[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, float beta1, "
     "float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, Tensor? "
     "grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, Tensor[] grads_out, Tensor[]"
     " exp_avgs_out, Tensor[] exp_avg_sqs_out, Tensor[] max_exp_avg_sqs_out)"},
    {"aten::_fused_adamw.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] out) -> ()"},
    {"aten::_fused_adamw_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, float lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_adamw_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, "
     "Tensor(d!)[] exp_avg_sqs, Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, Tensor lr, "
     "float beta1, float beta2, float weight_decay, float eps, bool amsgrad, bool maximize, "
     "Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_sgd(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, float "
     "weight_decay, float momentum, float lr, float dampening, bool nesterov, bool maximize, bool "
     "is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] self_out, "
     "Tensor[] grads_out, Tensor[] momentum_buffer_list_out)"},
    {"aten::_fused_sgd.out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, "
     "*, float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool "
     "maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None, Tensor(a!)[] "
     "out) -> ()"},
    {"aten::_fused_sgd.tensor_lr(Tensor[] self, Tensor[] grads, Tensor[] momentum_buffer_list, *, "
     "float weight_decay, float momentum, Tensor lr, float dampening, bool nesterov, bool "
     "maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> (Tensor[] "
     "self_out, Tensor[] grads_out, Tensor[] momentum_buffer_list_out)"},
    {"aten::_fused_sgd.tensor_lr_out(Tensor[] self, Tensor(b!)[] grads, Tensor(c!)[] "
     "momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, "
     "bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? "
     "found_inf=None, Tensor(a!)[] out) -> ()"},
    {"aten::_fused_sgd_(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, "
     "*, float weight_decay, float momentum, float lr, float dampening, bool nesterov, bool "
     "maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? found_inf=None) -> ()"},
    {"aten::_fused_sgd_.tensor_lr(Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] "
     "momentum_buffer_list, *, float weight_decay, float momentum, Tensor lr, float dampening, "
     "bool nesterov, bool maximize, bool is_first_step, Tensor? grad_scale=None, Tensor? "
     "found_inf=None) -> ()"},
};

extern const std::span<const OpInfo> kOptimizerOps;
constinit const std::span<const OpInfo> kOptimizerOps(kOptimizerRows);

}  // namespace fx::ops
