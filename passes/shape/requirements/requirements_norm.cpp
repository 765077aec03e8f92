// Requirements of normalizations, activations and losses.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

/// Arguments `weight` and `bias`, where given, have the sizes that argument `shape` lists.
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
  return numel(weight.sizes()) == Dim(1) || has_rank(c, 0, 1, kAnyRank);
}
bool gelu(TypeCall& c) { return is_one_of(c, 1, {"none", "tanh"}); }
bool gelu_backward(TypeCall& c) { return is_one_of(c, 2, {"none", "tanh"}); }
/// glu_backward(grad, self, dim): the gradient has half of a dimension.
bool glu_backward(TypeCall& c) {
  const Type x = c.tensor(1);
  const auto dim = c.argument(2).as_dim();
  if (!dim || !dim->is_int() || !has_rank(c, 1, 1, kAnyRank) || !are_dims_of(c, 2, x.rank()))
    return !c.failed();
  DimVector sizes(x.sizes().begin(), x.sizes().end());
  Dim& half = sizes[static_cast<size_t>(dim->value() < 0 ? dim->value() + x.rank() : dim->value())];
  if (!c.guard_equal(mod(half, 2), 0)) {
    c.fail_argument(1, "a tensor with an even size in the dimension");
    return false;
  }
  half = floor_div(half, 2);
  return broadcasts_to(c, 0, sizes);
}

/// Statistics of nothing cannot be computed.
template <int training>
bool batch_norm(TypeCall& c) {
  const auto is_training = c.argument(training).as_bool();
  return !is_training || !*is_training || is_not_empty_from(c, 0, 0);
}
bool batch_norm_in_training(TypeCall& c) { return is_not_empty_from(c, 0, 0); }

bool softshrink(TypeCall& c) { return is_at_least(c, 1, 0); }
bool log_sigmoid_backward(TypeCall& c) { return has_sizes_of(c, 2, 1); }

// ---------------------------------------------------------------- losses

/// huber_loss(self, target, reduction, delta)
bool huber_loss(TypeCall& c) { return is_above(c, 3, 0); }
bool smooth_l1_loss(TypeCall& c) { return is_at_least(c, 3, 0); }

/// binary_cross_entropy_backward(grad, self, target, weight): the kernel drops dimensions of size 1
/// and broadcasts the others.
bool binary_cross_entropy_backward(TypeCall& c) {
  DimVector common;  // from the last dimension
  for (int i = 0; i < 3; ++i) {
    size_t d = 0;
    const auto sizes = c.tensor(i).sizes();
    for (size_t k = sizes.size(); k-- > 0;) {
      if (sizes[k] == Dim(1)) continue;
      if (d == common.size()) {
        common.push_back(sizes[k]);
      } else if (!c.guard_equal(common[d], sizes[k])) {
        c.fail_argument(i, "a tensor that broadcasts with the others");
        return false;
      }
      ++d;
    }
  }
  return true;
}

/// triplet_margin_loss(anchor, positive, negative)
bool triplet_margin_loss(TypeCall& c) {
  const int rank = c.tensor(0).rank();
  return has_rank(c, 1, rank) && has_rank(c, 2, rank);
}

/// multi_margin_loss(self, target, p, margin, weight) and its gradient, which has one argument
/// before.
template <int first>
bool multi_margin_loss(TypeCall& c) {
  const Type x = c.tensor(first);
  if (!is_in_range(c, first + 2, 1, 2) || !has_rank(c, first, 0, 2)) return false;
  if (!is_not_empty_from(c, first, x.rank() == 2 ? 1 : 0)) return false;
  if (x.rank() == 2) return has_sizes(c, first + 1, {x.sizes()[0]});
  return has_rank(c, first + 1, 0, 1) &&
         (c.tensor(first + 1).rank() == 0 || has_size(c, first + 1, 0, Dim(1)));
}

/// nll_loss_forward(self, target, weight): of one row, too.
bool nll_loss(TypeCall& c) {
  const Type x = c.tensor(0), target = c.tensor(1);
  if (x.rank() == 1 && target.rank() == 1 && !has_size(c, 1, 0, Dim(1))) return false;
  return !c.optional_tensor(2) || has_sizes(c, 2, {x.sizes().back()});
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
  if (c.guard_equal(numel(c.tensor(0).sizes()), 1)) return true;
  c.fail_argument(0, "a tensor of one element");
  return false;
}

/// _ctc_loss(log_probs, targets, input_lengths, target_lengths, blank)
bool ctc_loss(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto blank = c.argument(4).as_dim();
  if (!has_rank(c, 0, 3) || !is_not_empty_from(c, 0, 0) || !is_at_least(c, 4, 0)) return false;
  if (!blank || c.guard_less_equal(*blank + 1, x.sizes()[2])) return true;
  c.fail(fmt::format("a blank {} of {} labels", to_string(*blank), to_string(x.sizes()[2])));
  return false;
}
/// _ctc_loss_backward(grad, log_probs, targets, lengths, lengths, loss, log_alpha, blank)
bool ctc_loss_backward(TypeCall& c) { return has_rank(c, 1, 3) && has_rank(c, 6, 3); }

constexpr Requirement kNormRequirements[] = {
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
    {"aten.native_batch_norm.default", batch_norm<5>},
    {"aten._native_batch_norm_legit.default", batch_norm<5>},
    {"aten._batch_norm_with_update.default", batch_norm_in_training},
    {"aten.softshrink.default", softshrink},
    {"aten.log_sigmoid_backward.default", log_sigmoid_backward},
    {"aten.huber_loss.default", huber_loss},
    {"aten.smooth_l1_loss.default", smooth_l1_loss},
    {"aten.binary_cross_entropy_backward.default", binary_cross_entropy_backward},
    {"aten.triplet_margin_loss.default", triplet_margin_loss},
    {"aten.multi_margin_loss.default", multi_margin_loss<0>},
    {"aten.multi_margin_loss_backward.default", multi_margin_loss<1>},
    {"aten.nll_loss_forward.default", nll_loss},
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
