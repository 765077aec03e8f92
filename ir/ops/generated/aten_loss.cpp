// The operators of PyTorch 2.13.0: loss.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kLossRows[] = {
    {"aten::_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor"},
    {"aten::_cdist_backward.out(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist, *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor", kCore},
    {"aten::_cdist_forward.out(Tensor x1, Tensor x2, float p, int? compute_mode, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths,"
     " int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)", kDynamicShape},
    {"aten::_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)", kDynamicShape},
    {"aten::_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) out1) "
     "-> (Tensor(a!), Tensor(b!))"},
    {"aten::_ctc_loss.Tensor_out(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank=0, bool zero_infinity=False, *, Tensor(a!) out0, Tensor(b!) out1) "
     "-> (Tensor(a!), Tensor(b!))"},
    {"aten::_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths,"
     " int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool "
     "zero_infinity=False) -> Tensor"},
    {"aten::_ctc_loss_backward.Tensor(Tensor grad, Tensor log_probs, Tensor targets, Tensor "
     "input_lengths, Tensor target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int "
     "blank, bool zero_infinity=False) -> Tensor"},
    {"aten::_ctc_loss_backward.out(Tensor grad, Tensor log_probs, Tensor targets, int[] "
     "input_lengths, int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank,"
     " bool zero_infinity=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_cudnn_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank, bool deterministic, bool zero_infinity, *, Tensor(a!) out0, "
     "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor)"},
    {"aten::_cudnn_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor)"},
    {"aten::_euclidean_dist(Tensor x1, Tensor x2) -> Tensor"},
    {"aten::_euclidean_dist.out(Tensor x1, Tensor x2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor"},
    {"aten::_pdist_backward.out(Tensor grad, Tensor self, float p, Tensor pdist, *, Tensor(a!) "
     "out) -> Tensor(a!)"},
    {"aten::_pdist_forward(Tensor self, float p=2.) -> Tensor", kCore},
    {"aten::_pdist_forward.out(Tensor self, float p=2., *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::_use_cudnn_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank) -> bool"},
    {"aten::_use_cudnn_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
     "Tensor target_lengths, int blank) -> bool"},
    {"aten::_use_miopen_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank) -> bool"},
    {"aten::_use_miopen_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
     "Tensor target_lengths, int blank) -> bool"},
    {"aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1)"
     " -> Tensor"},
    {"aten::binary_cross_entropy.out(Tensor self, Tensor target, Tensor? weight=None, int "
     "reduction=1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? "
     "weight=None, int reduction=1) -> Tensor"},
    {"aten::binary_cross_entropy_backward.grad_input(Tensor grad_output, Tensor self, Tensor "
     "target, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
     "Tensor? pos_weight=None, int reduction=1) -> Tensor"},
    {"aten::binary_cross_entropy_with_logits.out(Tensor self, Tensor target, Tensor? weight=None, "
     "Tensor? pos_weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cdist(Tensor x1, Tensor x2, float p=2., int? compute_mode=None) -> Tensor", kComposite},
    {"aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., "
     "int reduction=1) -> Tensor", kComposite},
    {"aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
     kComposite},
    {"aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
     "SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor", kComposite},
    {"aten::ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
     kComposite},
    {"aten::ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
     kComposite},
    {"aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1., int reduction=1) -> "
     "Tensor", kComposite},
    {"aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor"},
    {"aten::huber_loss.out(Tensor self, Tensor target, int reduction=1, float delta=1., *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::huber_loss_backward.out(Tensor grad_output, Tensor self, Tensor target, int reduction,"
     " float delta, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction, "
     "float delta) -> Tensor"},
    {"aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> "
     "Tensor", kComposite},
    {"aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", kComposite},
    {"aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0., int "
     "reduction=1) -> Tensor", kComposite},
    {"aten::miopen_ctc_loss.out(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank, bool deterministic, bool zero_infinity, *, Tensor(a!) out0, "
     "Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))"},
    {"aten::miopen_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] "
     "target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor)"},
    {"aten::miopen_ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, Tensor "
     "target_lengths, int blank, bool deterministic, bool zero_infinity) -> (Tensor, Tensor)"},
    {"aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"},
    {"aten::mse_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> "
     "Tensor"},
    {"aten::mse_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int "
     "reduction, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::multi_margin_loss(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor? "
     "weight=None, int reduction=1) -> Tensor"},
    {"aten::multi_margin_loss.out(Tensor self, Tensor target, Scalar p=1, Scalar margin=1, Tensor?"
     " weight=None, int reduction=1, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::multi_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, Scalar p, "
     "Scalar margin, Tensor? weight=None, int reduction=1) -> Tensor"},
    {"aten::multi_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
     "Scalar p, Scalar margin, Tensor? weight=None, int reduction=1, *, Tensor(a!) grad_input) -> "
     "Tensor(a!)"},
    {"aten::multilabel_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
     kComposite},
    {"aten::multilabel_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::multilabel_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int "
     "reduction, Tensor is_target) -> Tensor"},
    {"aten::multilabel_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor "
     "target, int reduction, Tensor is_target, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::multilabel_margin_loss_forward(Tensor self, Tensor target, int reduction) -> (Tensor "
     "output, Tensor is_target)"},
    {"aten::multilabel_margin_loss_forward.output(Tensor self, Tensor target, int reduction, *, "
     "Tensor(a!) output, Tensor(b!) is_target) -> (Tensor(a!), Tensor(b!))"},
    {"aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
     "ignore_index=-100) -> Tensor", kComposite},
    {"aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
     "ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
     "ignore_index=-100) -> Tensor", kComposite},
    {"aten::nll_loss2d.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
     "SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
     "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor"},
    {"aten::nll_loss2d_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor?"
     " weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) "
     "-> Tensor(a!)"},
    {"aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
     "ignore_index) -> (Tensor output, Tensor total_weight)"},
    {"aten::nll_loss2d_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
     "SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), "
     "Tensor(b!))"},
    {"aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int "
     "reduction, SymInt ignore_index, Tensor total_weight) -> Tensor"},
    {"aten::nll_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, Tensor? "
     "weight, int reduction, SymInt ignore_index, Tensor total_weight, *, Tensor(a!) grad_input) "
     "-> Tensor(a!)"},
    {"aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt "
     "ignore_index) -> (Tensor output, Tensor total_weight)"},
    {"aten::nll_loss_forward.output(Tensor self, Tensor target, Tensor? weight, int reduction, "
     "SymInt ignore_index, *, Tensor(a!) output, Tensor(b!) total_weight) -> (Tensor(a!), "
     "Tensor(b!))"},
    {"aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt "
     "ignore_index=-100) -> Tensor", kComposite},
    {"aten::pairwise_distance(Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, "
     "bool keepdim=False) -> Tensor", kComposite},
    {"aten::pdist(Tensor self, float p=2.) -> Tensor", kComposite},
    {"aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "
     "int reduction) -> Tensor", kComposite},
    {"aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor"},
    {"aten::smooth_l1_loss.out(Tensor self, Tensor target, int reduction=1, float beta=1., *, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::smooth_l1_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, int"
     " reduction, float beta, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction,"
     " float beta) -> Tensor"},
    {"aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor"},
    {"aten::soft_margin_loss.out(Tensor self, Tensor target, int reduction=1, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::soft_margin_loss_backward(Tensor grad_output, Tensor self, Tensor target, int "
     "reduction) -> Tensor"},
    {"aten::soft_margin_loss_backward.grad_input(Tensor grad_output, Tensor self, Tensor target, "
     "int reduction, *, Tensor(a!) grad_input) -> Tensor(a!)"},
    {"aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1., "
     "float p=2., float eps=9.9999999999999995e-07, bool swap=False, int reduction=1) -> Tensor",
     kComposite},
};

extern const std::span<const OpInfo> kLossOps;
constinit const std::span<const OpInfo> kLossOps(kLossRows);

}  // namespace fx::ops
