// Requirements for normalizations, activations and losses.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

/// Requires that the parameters that are not None have the sizes in argument `shape`.
bool have_normalized_shape(TypeCall& c, int shape, std::initializer_list<int> parameters) {
  const DimVector sizes = c.dims(shape);
  return std::ranges::all_of(parameters, [&](int i) { return has_sizes(c, i, sizes); });
}

bool layer_norm(TypeCall& c) { return have_normalized_shape(c, 1, {2, 3}); }
bool rms_norm(TypeCall& c) { return have_normalized_shape(c, 1, {2}); }
/// native_layer_norm_backward(grad, input, normalized_shape, mean, rstd, weight, bias, mask)
bool layer_norm_backward(TypeCall& c) {
  return have_normalized_shape(c, 2, {5, 6}) && has_count(c, 7, 3);
}
bool group_norm(TypeCall& c) { return is_at_least(c, 1, 1); }

bool prelu(TypeCall& c) {
  const Type weight = c.tensor(1);
  if (!has_rank(c, 1, 0, 1)) return false;
  return numel(weight.sizes()) == Dim(1) || has_rank(c, 0, 1, kAnyRank);
}
bool gelu(TypeCall& c) { return is_one_of(c, 1, {"none", "tanh"}); }
bool gelu_backward(TypeCall& c) { return is_one_of(c, 2, {"none", "tanh"}); }
/// glu_backward(grad, self, dim): the gradient has half the size of the dimension.
bool glu_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const auto dim = c.argument(2).as_dim();
  if (!dim || !dim->is_int() || !has_rank(c, 1, 1, kAnyRank) || !are_dims_of(c, 2, x.rank()))
    return !c.failed();
  DimVector sizes(x.sizes().begin(), x.sizes().end());
  Dim& half = sizes[static_cast<size_t>(dim->value() < 0 ? dim->value() + x.rank() : dim->value())];
  if (!c.guard_equal(mod(half, 2), 0)) {
    c.fail_argument(1, fmt::format("a tensor with an even size in dimension {}", dim->value()));
    return false;
  }
  half = floor_div(half, 2);
  return broadcasts_to(c, 0, sizes);
}

/// Requires a non-empty input in training, since the kernel computes its statistics.
/// Running statistics (argument `running` and the next argument) must be vectors or None.
template <int training, int running = -1>
bool batch_norm(TypeCall& c) {
  if (running > 0 && (!has_rank(c, running, 1) || !has_rank(c, running + 1, 1))) return false;
  const auto is_training = c.argument(training).as_bool();
  return !is_training || !*is_training || is_not_empty_from(c, 0, 0);
}
/// Requires both running statistics (arguments 3 and 4) or neither; with `both`, both.
bool has_running_statistics(TypeCall& c, bool both) {
  if (c.is_none(3) == c.is_none(4) && (!both || !c.is_none(3))) return true;
  c.fail(both ? "running_mean and running_var must not be None in evaluation"
              : "running_mean and running_var must both be tensors, or both be None");
  return false;
}
/// batch_norm(input, weight, bias, running_mean, running_var, training): eager mode does not check
/// the statistics of an empty input.
bool batch_norm_layer(TypeCall& c) {
  return numel(c.tensor(0).sizes()) == Dim(0) ||
         has_running_statistics(c, c.argument(5).as_bool() == false);
}
/// native_batch_norm has the same arguments.
bool native_batch_norm(TypeCall& c) {
  return has_running_statistics(c, false) && batch_norm_layer(c) && batch_norm<5, 3>(c);
}
/// instance_norm(input, weight, bias, running_mean, running_var, use_input_stats)
bool instance_norm(TypeCall& c) {
  const Type x = c.tensor(0);
  if (c.argument(5).as_bool() == false && !has_running_statistics(c, true)) return false;
  if (x.rank() > 0 && x.sizes()[0] == Dim(0) && (!c.is_none(1) || !c.is_none(2))) {
    c.fail("a batch without samples requires a weight and bias of None");
    return false;
  }
  return numel(x.sizes()) == Dim(0) || has_running_statistics(c, false);
}

bool batch_norm_no_training(TypeCall& c) { return has_rank(c, 3, 1) && has_rank(c, 4, 1); }
bool batch_norm_in_training(TypeCall& c) {
  return has_rank(c, 3, 1) && has_rank(c, 4, 1) && is_not_empty_from(c, 0, 0);
}

/// (grad, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps, mask)
bool batch_norm_backward(TypeCall& c) {
  return has_rank(c, 5, 1) && has_rank(c, 6, 1) && has_count(c, 9, 3);
}
/// Requires that argument `i`, if it is a tensor, has `count` elements.
bool has_elements(TypeCall& c, int i, const Dim& count) {
  if (!c.tensor(i).is_tensor() || c.guard_equal(numel(c.tensor(i).sizes()), count)) return true;
  c.fail_argument(i, fmt::format("a tensor with {} elements", to_string(count)));
  return false;
}
/// native_group_norm_backward(grad, input, mean, rstd, weight, N, C, HxW, group, mask)
bool native_group_norm_backward(TypeCall& c) {
  const auto batch = c.argument(5).as_dim(), channels = c.argument(6).as_dim(),
             spatial_size = c.argument(7).as_dim(), groups = c.argument(8).as_dim();
  if (!is_at_least(c, 8, 1) || !has_count(c, 9, 3)) return false;
  if (!batch || !channels || !spatial_size || !groups) return true;
  const Dim all = *batch * *channels * *spatial_size, statistics = *batch * *groups;
  return has_elements(c, 0, all) && has_elements(c, 1, all) && has_elements(c, 2, statistics) &&
         has_elements(c, 3, statistics) && has_elements(c, 4, *channels);
}
/// native_group_norm(input, weight, bias, N, C, HxW, group)
bool native_group_norm(TypeCall& c) {
  const auto batch = c.argument(3).as_dim(), channels = c.argument(4).as_dim(),
             spatial_size = c.argument(5).as_dim(), groups = c.argument(6).as_dim();
  if (!is_at_least(c, 6, 1) || !batch || !channels || !spatial_size || !groups) return !c.failed();
  if (!c.guard_equal(mod(*channels, *groups), 0)) {
    c.fail_argument(6, fmt::format("a divisor of the {} channels", to_string(*channels)));
    return false;
  }
  if (!has_sizes(c, 1, {*channels}) || !has_sizes(c, 2, {*channels})) return false;
  return has_elements(c, 0, *batch * *channels * *spatial_size);
}

bool softshrink(TypeCall& c) { return is_at_least(c, 1, 0); }

// ---------------------------------------------------------------- losses

/// huber_loss(self, target, reduction, delta)
bool huber_loss(TypeCall& c) { return is_greater_than(c, 3, 0); }
bool smooth_l1_loss(TypeCall& c) { return is_in_range(c, 2, 0, 2) && is_at_least(c, 3, 0); }

/// binary_cross_entropy_backward(grad, self, target, weight): the kernel drops dimensions of size 1
/// and broadcasts the others.
bool binary_cross_entropy_backward(TypeCall& c) {
  DimVector common;  // the common sizes, last dimension first
  for (int i = 0; i < 3; ++i) {
    size_t d = 0;
    const auto sizes = c.tensor(i).sizes();
    for (size_t k = sizes.size(); k-- > 0;) {
      if (sizes[k] == Dim(1)) continue;
      if (d == common.size()) {
        common.push_back(sizes[k]);
      } else if (!c.guard_equal(common[d], sizes[k])) {
        c.fail_argument(i, "a tensor that broadcasts with the other tensors");
        return false;
      }
      ++d;
    }
  }
  return true;
}

/// poisson_nll_loss(input, target, log_input): the operands of its subtractions must not be bool.
/// With log_input, one is the product of input and target; otherwise, one is the input.
bool poisson_nll_loss(TypeCall& c) {
  const auto log_input = c.argument(2).as_bool();
  if (c.tensor(0).dtype() != DType::kBool || !log_input) return true;
  if (*log_input && c.tensor(1).dtype() != DType::kBool) return true;
  c.fail_argument(0, "of a dtype other than bool");
  return false;
}

/// triplet_margin_loss(anchor, positive, negative)
bool triplet_margin_loss(TypeCall& c) {
  const int rank = c.tensor(0).rank();
  return has_rank(c, 1, rank) && has_rank(c, 2, rank);
}

/// multi_margin_loss(self, target, p, margin, weight) and its gradient, which has an additional
/// first argument.
template <int first>
bool multi_margin_loss(TypeCall& c) {
  const Type x = c.tensor(first);
  if (!is_in_range(c, first + 2, 1, 2) || !has_rank(c, first, 0, 2)) return false;
  if (!is_not_empty_from(c, first, x.rank() == 2 ? 1 : 0)) return false;
  if (c.optional_tensor(first + 4)) {
    const Dim classes = x.rank() == 0 ? Dim(1) : x.sizes().back();
    if (!has_rank(c, first + 4, 0, 1) || !has_elements(c, first + 4, classes)) return false;
  }
  return has_rank(c, first + 1, 0, 1) &&
         has_elements(c, first + 1, x.rank() == 2 ? x.sizes()[0] : Dim(1));
}

/// multilabel_margin_loss(self, target) and its gradient, which has an additional first argument:
/// the target has the sizes of the input, which is a vector or a batch of vectors.
template <int first>
bool multilabel_margin_loss(TypeCall& c) {
  const Type x = c.tensor(first);
  if (!has_rank(c, first, 0, 2) || !is_not_empty_from(c, first, x.rank() - 1)) return false;
  if (x.rank() == 2) return has_sizes_of(c, first + 1, first);
  return has_rank(c, first + 1, 0, 1) && has_numel_of(c, first + 1, first);
}
/// multilabel_margin_loss_backward(grad, self, target, reduction, is_target)
bool multilabel_margin_loss_backward(TypeCall& c) {
  return multilabel_margin_loss<1>(c) && has_sizes_of(c, 4, 2);
}

/// binary_cross_entropy_with_logits(self, target): the kernel writes into a tensor of the target's
/// size.
bool cross_entropy_with_logits(TypeCall& c) { return broadcasts_to(c, 0, 1); }
/// soft_margin_loss(self, target): the kernel writes into a tensor of the input's size.
bool soft_margin_loss(TypeCall& c) { return broadcasts_to(c, 1, 0); }
/// soft_margin_loss_backward(grad, self, target)
bool soft_margin_loss_backward(TypeCall& c) {
  return broadcast_together(c, 2, 1) && broadcasts_to(c, 0, 1);
}

/// Requires that the reduction is none, mean or sum.
template <int reduction>
bool known_reduction(TypeCall& c) {
  return is_in_range(c, reduction, 0, 2);
}

/// Requires that argument `i` is a tensor with one element.
bool has_element(TypeCall& c, int i) {
  if (c.guard_equal(numel(c.tensor(i).sizes()), 1)) return true;
  c.fail_argument(i, "a tensor with one element");
  return false;
}

/// nll_loss_forward(self, target, weight): also accepts a single row.
bool nll_loss(TypeCall& c) {
  const Type x = c.tensor(0), target = c.tensor(1);
  if (!has_rank(c, 0, 1, 2)) return false;
  if (x.rank() == 1 && target.rank() == 1 && !has_size(c, 1, 0, Dim(1))) return false;
  return !c.optional_tensor(2) || has_sizes(c, 2, {x.sizes().back()});
}
/// nll_loss_backward(grad, self, target, weight, reduction, ignore_index, total_weight)
bool nll_loss_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const auto reduction = c.argument(4).as_dim();
  if (!has_rank(c, 1, 1, 2) || !has_rank(c, 2, 0, 1) || !has_element(c, 6)) return false;
  if (c.optional_tensor(3) && !has_sizes(c, 3, {x.sizes().back()})) return false;
  if (x.rank() == 2 && !has_sizes(c, 2, {x.sizes()[0]})) return false;
  if (!reduction || !reduction->is_int()) return true;
  if (reduction->value() == 0 && x.rank() == 2) return has_sizes(c, 0, {x.sizes()[0]});
  return has_rank(c, 0, 0, 1) && has_element(c, 0);
}
/// nll_loss2d_forward(self, target, weight)
bool nll_loss2d(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!has_rank(c, 0, 4)) return false;
  return has_sizes(c, 1, {x.sizes()[0], x.sizes()[2], x.sizes()[3]}) &&
         (!c.optional_tensor(2) || has_sizes(c, 2, {x.sizes()[1]}));
}

/// nll_loss2d_backward(grad, self, target, weight, reduction)
bool nll_loss2d_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  if (!has_rank(c, 1, 4) || !has_sizes(c, 2, {x.sizes()[0], x.sizes()[2], x.sizes()[3]}))
    return false;
  const auto reduction = c.argument(4).as_dim();
  if (!reduction || !reduction->is_int()) return true;
  if (reduction->value() == 0) return has_sizes_of(c, 0, 2);
  return has_element(c, 0);
}

/// _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank)
bool ctc_loss(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto blank = c.argument(4).as_dim();
  if (!has_rank(c, 0, 3) || !is_not_empty_from(c, 0, 0) || !is_at_least(c, 4, 0)) return false;
  if (!blank || c.guard_less_equal(*blank + 1, x.sizes()[2])) return true;
  c.fail(fmt::format("the blank label {} must be less than {}, the number of labels",
                     to_string(*blank), to_string(x.sizes()[2])));
  return false;
}
/// _ctc_loss_backward(grad, log_probs, targets, lengths, lengths, loss, log_alpha, blank)
bool ctc_loss_backward(TypeCall& c) {
  return has_rank(c, 0, 1) && has_rank(c, 1, 3) && has_rank(c, 5, 1) && has_rank(c, 6, 3);
}

/// dropout(input, p, train), in every mode
bool dropout(TypeCall& c) { return is_in_range(c, 1, 0, 1); }
/// celu(self, alpha)
bool celu(TypeCall& c) {
  if (c.argument(1).as_float() != 0.0) return true;
  c.fail_argument(1, "other than 0");
  return false;
}
/// clamp(self, min, max)
bool clamp(TypeCall& c) {
  if (!c.is_none(1) || !c.is_none(2)) return fit_promoted_dtype(c, {0, 1, 2});
  c.fail("min or max must not be None");
  return false;
}
/// hardtanh(self, min, max)
bool hardtanh(TypeCall& c) {
  const DType dtype = c.tensor(0).dtype();
  if (dtype == DType::kUInt8 && (!is_greater_than(c, 1, -1) || !is_greater_than(c, 2, -1)))
    return false;
  return fits_dtype(c, 1, dtype, NumberUse::kTruncated) &&
         fits_dtype(c, 2, dtype, NumberUse::kTruncated);
}

constexpr Requirement kNormRequirements[] = {
    {"aten.dropout.default", dropout},
    {"aten.dropout_.default", dropout},
    {"aten.alpha_dropout.default", dropout},
    {"aten.alpha_dropout_.default", dropout},
    {"aten.feature_dropout.default", dropout},
    {"aten.feature_dropout_.default", dropout},
    {"aten.feature_alpha_dropout.default", dropout},
    {"aten.feature_alpha_dropout_.default", dropout},
    {"aten.celu.default", celu},
    {"aten.hardtanh.default", hardtanh},
    {"aten.clamp.default", clamp},
    {"aten.clamp.Tensor", clamp},
    {"aten.clip.default", clamp},
    {"aten.clip.Tensor", clamp},
    {"aten.layer_norm.default", layer_norm},
    {"aten.native_layer_norm.default", layer_norm},
    {"aten.native_layer_norm_backward.default", layer_norm_backward},
    {"aten.rms_norm.default", rms_norm},
    {"aten._fused_rms_norm.default", rms_norm},
    {"aten.group_norm.default", group_norm},
    {"aten.prelu.default", prelu},
    {"aten.gelu.default", gelu},
    {"aten.gelu_backward.default", gelu_backward},
    {"aten.glu_backward.default", glu_backward},
    {"aten.native_group_norm.default", native_group_norm},
    {"aten.native_group_norm_backward.default", native_group_norm_backward},
    {"aten.native_batch_norm_backward.default", batch_norm_backward},
    {"aten.batch_norm_backward.default", batch_norm_backward},
    {"aten.batch_norm.default", batch_norm_layer},
    {"aten.instance_norm.default", instance_norm},
    {"aten.native_batch_norm.default", native_batch_norm},
    {"aten._native_batch_norm_legit.default", batch_norm<5, 3>},
    {"aten._native_batch_norm_legit.no_stats", batch_norm<3>},
    {"aten._native_batch_norm_legit_functional.default", batch_norm<5, 3>},
    {"aten._native_batch_norm_legit_no_training.default", batch_norm_no_training},
    {"aten._batch_norm_with_update.default", batch_norm_in_training},
    {"aten._batch_norm_with_update_functional.default", batch_norm_in_training},
    {"aten.softshrink.default", softshrink},
    {"aten.huber_loss.default", huber_loss},
    {"aten.smooth_l1_loss.default", smooth_l1_loss},
    {"aten.binary_cross_entropy_backward.default", binary_cross_entropy_backward},
    {"aten.poisson_nll_loss.default", poisson_nll_loss},
    {"aten.triplet_margin_loss.default", triplet_margin_loss},
    {"aten.multilabel_margin_loss.default", multilabel_margin_loss<0>},
    {"aten.multilabel_margin_loss_forward.default", multilabel_margin_loss<0>},
    {"aten.multilabel_margin_loss_backward.default", multilabel_margin_loss_backward},
    {"aten.binary_cross_entropy_with_logits.default", cross_entropy_with_logits},
    {"aten.soft_margin_loss.default", soft_margin_loss},
    {"aten.soft_margin_loss_backward.default", soft_margin_loss_backward},
    {"aten.mse_loss.default", known_reduction<2>},
    {"aten.multi_margin_loss.default", multi_margin_loss<0>},
    {"aten.multi_margin_loss_backward.default", multi_margin_loss<1>},
    {"aten.nll_loss_forward.default", nll_loss},
    {"aten.nll_loss_backward.default", nll_loss_backward},
    {"aten.nll_loss2d_forward.default", nll_loss2d},
    {"aten.nll_loss2d_backward.default", nll_loss2d_backward},
    {"aten._ctc_loss.default", ctc_loss},
    {"aten._ctc_loss.Tensor", ctc_loss},
    {"aten._ctc_loss_backward.default", ctc_loss_backward},
    {"aten._ctc_loss_backward.Tensor", ctc_loss_backward},
};

}  // namespace

absl::Span<const Requirement> norm_requirements() { return kNormRequirements; }

}  // namespace fx::shape
