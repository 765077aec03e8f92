// Type functions for losses, forward and backward.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

constexpr int64_t kNoReduction = 0;
constexpr int64_t kMean = 1, kSum = 2;

/// True if a composite loss returns one number: it returns all elements for an unknown reduction.
/// Kernels compute one number for each reduction other than kNoReduction.
bool is_reduced(TypeCall& c, int reduction) {
  const int64_t value = c.integer(reduction);
  return value == kMean || value == kSum;
}

Type scalar(TypeCall& c, DType dtype) { return c.result(dtype, absl::Span<const Dim>()); }

/// f(input, target, ..., reduction): elementwise, or 0-dimensional if reduced.
template <int reduction>
Type pointwise_loss(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  const Type each = promoted_elementwise(c, promotion.result(), {{c.tensor(0), c.tensor(1)}});
  return !each || c.integer(reduction) == kNoReduction ? each : scalar(c, promotion.result());
}

/// poisson_nll_loss(input, target, log_input, full, eps, reduction): the logarithm or exponential
/// converts integers to float32.
Type poisson_nll_loss(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  if (!c.boolean(2) && c.tensor(0).dtype() == DType::kBool)
    return c.fail("subtraction with a bool tensor is not supported");
  const DType dtype = float_of(promotion.result());
  const Type each =
      promoted_elementwise(c, dtype, promotion.result(), {{c.tensor(0), c.tensor(1)}});
  return !each || !is_reduced(c, 5) ? each : scalar(c, dtype);
}

/// huber_loss(input, target, reduction): the kernel writes into empty_like(input).
Type huber_loss(TypeCall& c) {
  const Type x = c.tensor(0);
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  const Type each = promoted_elementwise(c, promotion.result(), {{x, c.tensor(1)}});
  if (!each) return each;
  if (is_reduced(c, 2)) return scalar(c, x.dtype());
  return same_sizes(c, each.sizes(), x.sizes()) ? like(c, x, x.dtype())
                                                : c.result(x.dtype(), each.sizes(), each.strides());
}

/// l1_loss(input, target, reduction): the absolute values of complex numbers are real.
Type l1_loss(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  const DType dtype = real_of(promotion.result());
  const Type each =
      promoted_elementwise(c, dtype, promotion.result(), {{c.tensor(0), c.tensor(1)}});
  return !each || !is_reduced(c, 2) ? each : scalar(c, dtype);
}

/// binary_cross_entropy_with_logits(self, target, weight, pos_weight, reduction): writes all products
/// into 1 - target.
Type cross_entropy_with_logits(TypeCall& c) {
  const Type target = c.tensor(1);
  if (is_reduced(c, 4)) return scalar(c, target.dtype());
  return elementwise(c, target.dtype(), {target});
}

/// hinge_embedding_loss(self, target, margin, reduction): the target only selects elements.
Type hinge_embedding_loss(TypeCall& c) {
  const Type x = c.tensor(0);
  const Type each = elementwise(c, x.dtype(), {c.tensor(1), x});
  return !each || !is_reduced(c, 3) ? each : scalar(c, x.dtype());
}

/// kl_div(self, target, reduction, log_target)
Type kl_div(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  const Type each = promoted_elementwise(c, promotion.result(), {{c.tensor(0), c.tensor(1)}});
  return !each || !is_reduced(c, 2) ? each : scalar(c, promotion.result());
}

/// binary_cross_entropy(input, target, weight, reduction): the kernel writes into
/// empty_like(input), and squeezes input and target before it broadcasts the target.
Type binary_cross_entropy(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto squeezed = [&](absl::Span<const Dim> sizes) {
    DimVector kept;
    for (const Dim& size : sizes)
      if (!c.is_one(size)) kept.push_back(size);
    return kept;
  };
  if (!same_sizes(c, x.sizes(), c.tensor(1).sizes())) {
    DimVector sizes = squeezed(x.sizes());
    if (!broadcast(c, sizes, squeezed(c.tensor(1).sizes()))) return Type();
  }
  return is_reduced(c, 3) ? scalar(c, x.dtype()) : like(c, x, x.dtype());
}

/// (grad, self, target, ...): the gradient of self, with the strides of empty_like(self).
Type gradient_like_self(TypeCall& c) { return like(c, c.tensor(1), c.tensor(1).dtype()); }
Type gradient_contiguous(TypeCall& c) { return contiguous_like(c, c.tensor(1)); }
/// soft_margin_loss_backward(grad, self, target, reduction): multiplies target * exp(-target *
/// self) by the gradient in place.
Type soft_margin_gradient(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 1);
  promotion.add(c, 2);
  const DType dtype = promotion.result();
  const Type power = promoted_elementwise(c, dtype, {{c.tensor(2), c.tensor(1)}});
  const Type product = power ? promoted_elementwise(c, dtype, {{c.tensor(2), power}}) : Type();
  if (!product) return Type();
  DimVector sizes = to_vector(product.sizes());
  if (!broadcast(c, sizes, c.tensor(0).sizes())) return Type();
  // The kernel allocates the result with the dtype of self.
  if (same_sizes(c, product.sizes(), sizes))
    return promoted_elementwise(c, c.tensor(1).dtype(), dtype, {{c.tensor(2), power}});
  return c.fail(fmt::format("grad_output must broadcast to the sizes of {}, but is {}",
                            to_string(product), to_string(c.tensor(0))));
}
/// (grad, self, target, ...): the gradient of self, broadcast with the target.
Type gradient_broadcast(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 1);
  promotion.add(c, 2);
  const Type result = promoted_elementwise(c, c.tensor(1).dtype(), promotion.result(),
                                           {{c.tensor(1), c.tensor(2), c.tensor(0)}});
  // The kernel allocates a row-major result with the sizes and the dtype of self.
  return result && same_sizes(c, c.tensor(1).sizes(), result.sizes())
             ? c.result(result.dtype(), result.sizes())
             : result;
}

bool check_classes(TypeCall& c, Type x, Type target) {
  if (x.rank() < 1 || x.rank() > 2 || target.rank() > 1) {
    c.fail(
        fmt::format("the input must be 1-D or 2-D and the target must be 0-D or 1-D, not {} and {}",
                    to_string(x), to_string(target)));
    return false;
  }
  if (x.rank() == 2 && (target.rank() != 1 || !c.guard_equal(x.sizes()[0], target.sizes()[0]))) {
    c.fail(fmt::format("the input has {} rows, but the target is {}", to_string(x.sizes()[0]),
                       to_string(target)));
    return false;
  }
  return true;
}

/// nll_loss_forward(self, target, weight, reduction, ignore_index)
Type nll_loss_forward(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!check_classes(c, x, c.tensor(1))) return Type();
  const bool each = c.integer(3) == kNoReduction && x.rank() == 2;
  const Type loss = each ? c.result(x.dtype(), {x.sizes()[0]}) : scalar(c, x.dtype());
  return c.tuple({loss, scalar(c, x.dtype())});
}
Type nll_loss2d_forward(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() != 4 || c.tensor(1).rank() != 3)
    return c.fail("the input must be 4-D and the target must be 3-D");
  const Type loss = c.integer(3) == kNoReduction
                        ? c.result(x.dtype(), {x.sizes()[0], x.sizes()[2], x.sizes()[3]})
                        : scalar(c, x.dtype());
  return c.tuple({loss, scalar(c, x.dtype())});
}

/// Checks a target of class indices: one for each element of `sizes`, or a vector with one index for
/// an input without rows.
bool check_indices(TypeCall& c, Type x, Type target, absl::Span<const Dim> sizes) {
  // The kernels for more dimensions than 2 read only i64.
  const bool is_short = target.dtype() == DType::kUInt8 &&
                        (x.rank() <= 2 || !numel(x.sizes()).is_int() || numel(x.sizes()) == Dim(0));
  if (target.dtype() != DType::kInt64 && !is_short) {
    c.fail_argument(1, "i64");
    return false;
  }
  const bool is_single = x.rank() == 1 && target.rank() == 1;
  if (is_single ? c.guard_equal(target.sizes()[0], 1) : same_sizes(c, sizes, target.sizes()))
    return true;
  c.fail(fmt::format("the sizes of input {} and target {} do not match", to_string(x),
                     to_string(target)));
  return false;
}
/// nll_loss, nll_loss2d, nll_loss_nd (self, target, weight, reduction, ignore_index),
/// cross_entropy_loss (..., label_smoothing): without reduction, one loss for each target. The
/// target of cross_entropy_loss may be the probabilities of the classes.
template <bool is_cross_entropy>
Type class_loss(TypeCall& c) {
  const Type x = c.tensor(0), target = c.tensor(1), weight = c.optional_tensor(2);
  if (x.rank() == 0) return c.fail("the input must have a class dimension");
  if (!is_floating_point(x.dtype()) && (!is_cross_entropy || numel(x.sizes()) != Dim(0)))
    return c.fail_argument(0, "a floating-point tensor");
  if ((target.rank() > 0 && target.device() != x.device()) ||
      (weight && weight.device() != x.device()))
    return c.fail("the input, target and weight must be on the same device");
  const size_t class_dim = x.rank() > 1 ? 1 : 0;
  const bool has_probabilities = is_cross_entropy && is_floating_point(target.dtype());
  DimVector sizes = to_vector(x.sizes());
  sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(class_dim));
  if (has_probabilities) {
    const int64_t reduction = c.integer(3);
    if (!same_sizes(c, x.sizes(), target.sizes()))
      return c.fail(fmt::format("probabilities {} must have the sizes of the input {}",
                                to_string(target), to_string(x)));
    if (reduction < 0 || reduction > 2) return c.fail("reduction must be 0, 1 or 2");
    if (c.integer(4) >= 0) return c.fail("ignore_index requires class indices");
  } else {
    // Integers with the sizes of the input count as probabilities.
    if (is_cross_entropy && x.rank() == 1 && x.sizes()[0] == Dim(1) && target.rank() == 1)
      return c.fail_argument(1, "a tensor of probabilities");
    if (!check_indices(c, x, target, sizes)) return Type();
    if (weight && weight.dtype() != x.dtype())
      return c.fail_argument(2, "of the dtype of the input");
  }
  if (weight && ((weight.rank() != 1 && (x.rank() <= 2 || has_probabilities)) ||
                 !c.guard_equal(numel(weight.sizes()), x.sizes()[class_dim])))
    return c.fail_argument(2, "a vector with one element for each class");
  if constexpr (is_cross_entropy) {
    if (const auto smoothing = c.argument(5).as_float()) {
      if (*smoothing > 1) return c.fail("label_smoothing must be at most 1");
      if (*smoothing > 0 && c.integer(3) != kNoReduction && !is_reduced(c, 3))
        return c.fail("reduction must be 0, 1 or 2");
    }
  }
  return c.integer(3) == kNoReduction ? c.result(x.dtype(), sizes) : scalar(c, x.dtype());
}

/// multi_margin_loss(self, target, p, margin, weight, reduction): without reduction, one loss for
/// each row.
template <int reduction>
Type row_loss(TypeCall& c) {
  const Type x = c.tensor(0);
  if (c.integer(reduction) != kNoReduction || x.rank() < 2) return scalar(c, x.dtype());
  return c.result(x.dtype(), {x.sizes()[0]});
}
Type multilabel_margin_loss_forward(TypeCall& c) {
  const Type loss = row_loss<2>(c);
  return c.tuple({loss, c.result(c.tensor(0).dtype(), c.tensor(1).sizes())});
}

/// soft_margin_loss and similar composite operators. The result has the dtype of the first operand.
template <int reduction>
Type composite_loss(TypeCall& c) {
  const Type each = elementwise(c, c.tensor(0).dtype(), {c.tensor(0), c.tensor(1)});
  return !each || c.integer(reduction) == kNoReduction ? each : scalar(c, c.tensor(0).dtype());
}

/// margin_ranking_loss(input1, input2, target, margin, reduction): composite and elementwise. The
/// margin takes part in dtype promotion as a float.
Type margin_ranking_loss(TypeCall& c) {
  Promotion promotion;
  for (int i = 0; i < 3; ++i) promotion.add(c, i);
  promotion.add_number(DType::kFloat32);
  const Type each =
      promoted_elementwise(c, promotion.result(), {{c.tensor(0), c.tensor(1), c.tensor(2)}});
  return !each || !is_reduced(c, 4) ? each : scalar(c, promotion.result());
}

/// cosine_embedding_loss(input1, input2, target, margin, reduction): compares two vectors, or the
/// rows of two matrices.
Type cosine_embedding_loss(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1), target = c.tensor(2);
  if (target.rank() > 1 || a.rank() != target.rank() + 1 || b.rank() != target.rank() + 1)
    return c.fail(
        fmt::format("the inputs must be 1-D and the target 0-D, or the inputs 2-D and the target "
                    "1-D, but they are {}, {} and {}",
                    to_string(a), to_string(b), to_string(target)));
  DimVector sizes = to_vector(a.sizes());
  if (!broadcast(c, sizes, b.sizes())) return Type();
  sizes.pop_back();
  if (!broadcast(c, sizes, target.sizes())) return Type();
  const DType dtype = float_of(promote(a.dtype(), b.dtype()));
  return is_reduced(c, 4) ? scalar(c, dtype) : c.result(dtype, sizes);
}

/// _ctc_loss(log_probs, targets, input_lengths, target_lengths, ...): returns the losses, and the
/// logarithms of the forward probabilities.
Type ctc_loss(TypeCall& c) {
  const Type x = c.tensor(0), targets = c.tensor(1);
  if (x.rank() != 3 && x.rank() != 2) return c.fail("log_probs must be 2-D or 3-D");
  const Dim batch = x.rank() == 3 ? x.sizes()[1] : Dim(1);
  // The longest target determines the size. Lengths in tensors are unknown.
  Dim longest = 0;
  if (c.op().overload() == "default")
    for (const Dim& length : c.dims(3)) longest = max(longest, length);
  else
    longest = targets.rank() == 2 ? targets.sizes()[1] : c.fresh_size();
  return c.tuple(
      {c.result(x.dtype(), {batch}), c.result(x.dtype(), {batch, x.sizes()[0], 2 * longest + 1})});
}

/// ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)
Type ctc_loss_of_all(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() != 3 && x.rank() != 2) return c.fail("log_probs must be 2-D or 3-D");
  if (is_reduced(c, 5) || x.rank() == 2) return scalar(c, x.dtype());
  return c.result(x.dtype(), {x.sizes()[1]});
}

constexpr TypeRule kLossRules[] = {
    {"aten.mse_loss.default", pointwise_loss<2>},
    {"aten.l1_loss.default", l1_loss},
    {"aten.smooth_l1_loss.default", pointwise_loss<2>},
    {"aten.huber_loss.default", huber_loss},
    {"aten.kl_div.default", kl_div},
    {"aten.poisson_nll_loss.default", poisson_nll_loss},
    {"aten.soft_margin_loss.default", composite_loss<2>},
    {"aten.binary_cross_entropy.default", binary_cross_entropy},
    {"aten.binary_cross_entropy_with_logits.default", cross_entropy_with_logits},
    {"aten.hinge_embedding_loss.default", hinge_embedding_loss},
    {"aten.margin_ranking_loss.default", margin_ranking_loss},
    {"aten.cosine_embedding_loss.default", cosine_embedding_loss},
    {"aten.binary_cross_entropy_backward.default", gradient_like_self},
    {"aten.mse_loss_backward.default", gradient_broadcast},
    {"aten.smooth_l1_loss_backward.default", gradient_broadcast},
    {"aten.huber_loss_backward.default", gradient_broadcast},
    {"aten.soft_margin_loss_backward.default", soft_margin_gradient},
    {"aten.nll_loss_forward.default", nll_loss_forward},
    {"aten.nll_loss2d_forward.default", nll_loss2d_forward},
    {"aten.nll_loss_backward.default", gradient_contiguous},
    {"aten.nll_loss2d_backward.default", gradient_like_self},
    {"aten.nll_loss.default", class_loss<false>},
    {"aten.nll_loss2d.default", class_loss<false>},
    {"aten.nll_loss_nd.default", class_loss<false>},
    {"aten.cross_entropy_loss.default", class_loss<true>},
    {"aten.multi_margin_loss.default", row_loss<5>},
    {"aten.multi_margin_loss_backward.default", gradient_contiguous},
    {"aten.multilabel_margin_loss.default", row_loss<2>},
    {"aten.multilabel_margin_loss_forward.default", multilabel_margin_loss_forward},
    {"aten.multilabel_margin_loss_backward.default", gradient_contiguous},
    {"aten.ctc_loss.IntList", ctc_loss_of_all},
    {"aten.ctc_loss.Tensor", ctc_loss_of_all},
    {"aten._ctc_loss.default", ctc_loss},
    {"aten._ctc_loss.Tensor", ctc_loss},
    {"aten._ctc_loss_backward.default", gradient_contiguous},
    {"aten._ctc_loss_backward.Tensor", gradient_contiguous},
};

}  // namespace

absl::Span<const TypeRule> loss_rules() { return kLossRules; }

}  // namespace fx::shape
