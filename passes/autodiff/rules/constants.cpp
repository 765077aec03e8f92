// Operators whose floating-point results are treated as constants in differentiation.
#include "fx/passes/autodiff/rules_internal.h"

namespace fx {
namespace {

AnyArg no_slope_of_self(D& d) { return d.zero_grad("self"); }

}  // namespace

absl::Span<const DerivativeRow> constant_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.detach.default"},
      {"aten.detach_copy.default"},
      {"aten.empty_like.default"},
      {"aten.full_like.default"},
      {"aten.new_empty.default"},
      {"aten.new_empty_strided.default"},
      {"aten.new_full.default"},
      {"aten.new_ones.default"},
      {"aten.new_zeros.default"},
      {"aten.ones_like.default"},
      {"aten.rand_like.default"},
      {"aten.randint_like.default"},
      {"aten.randn_like.default"},
      {"aten.zeros_like.default"},
      // libtorch's autograd returns zero gradients for these.
      {"aten.bernoulli.default", kElementwise, {{"self", no_slope_of_self}}},
      {"aten.bernoulli.p", kElementwise, {{"self", no_slope_of_self}}},
      {"aten.poisson.default", kElementwise, {{"self", no_slope_of_self}}},
      {"aten.zero.default", kElementwise, {{"self", no_slope_of_self}}},
      {"aten.view.dtype"},
      {"aten._linalg_check_errors.default"},
  };
  return kRows;
}

}  // namespace fx
