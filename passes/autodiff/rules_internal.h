// The rows of fxcpp's derivative rules, by family of operators. The formulas are those of
// torchgen's derivatives.yaml and of the functions that it names (torch 2.13). In style kAten,
// they use the same operators in the same order, so that gradients are bit-equal where libtorch's
// kernels are deterministic.
#pragma once

#include "fx/passes/autodiff/derivative_table.h"

#include "absl/types/span.h"

#include <concepts>
#include <string_view>

namespace fx {

using D = Derivative;

/// Converts a function, or a lambda without captures, to a pointer.
struct RuleFunction {
  AnyArg (*function)(D& d) = nullptr;

  constexpr RuleFunction() = default;
  template <class F>
    requires std::invocable<F, D&> && std::is_empty_v<F>
  constexpr RuleFunction(F)  // NOLINT(google-explicit-constructor): rows are lists of lambdas
      : function([](D& d) -> AnyArg { return F{}(d); }) {}
  constexpr RuleFunction(AnyArg (*f)(D& d)) : function(f) {}  // NOLINT: as above
};

/// Rejects a call with an operand whose derivative exists but is not implemented.
inline AnyArg unknown_derivative(D& d) {
  return d.reject("the derivative of this operand is not supported");
}

/// Returns an argument of the call for use in other calls.
inline AnyArg argument_of(D& d, std::string_view name) {
  return AnyArg(Operand(d.argument(name), &d));
}

struct ArgumentRow {
  std::string_view names;
  RuleFunction gradient;
};

struct DerivativeRow {
  std::string_view op;
  ForwardRule forward = ForwardRule::kTransposed;
  ArgumentRow arguments[5] = {};
  RuleFunction tangent = {};
};

inline constexpr auto kTransposed = ForwardRule::kTransposed;
inline constexpr auto kElementwise = ForwardRule::kElementwise;
inline constexpr auto kLinear = ForwardRule::kLinear;
inline constexpr auto kMultilinear = ForwardRule::kMultilinear;
inline constexpr auto kFunction = ForwardRule::kFunction;

absl::Span<const DerivativeRow> constant_derivatives();
absl::Span<const DerivativeRow> arithmetic_derivatives();
absl::Span<const DerivativeRow> pointwise_derivatives();
absl::Span<const DerivativeRow> activation_derivatives();
absl::Span<const DerivativeRow> view_derivatives();
absl::Span<const DerivativeRow> strided_derivatives();
absl::Span<const DerivativeRow> reduction_derivatives();
absl::Span<const DerivativeRow> matmul_derivatives();
absl::Span<const DerivativeRow> norm_derivatives();
absl::Span<const DerivativeRow> loss_derivatives();
absl::Span<const DerivativeRow> index_derivatives();
absl::Span<const DerivativeRow> convolution_derivatives();
absl::Span<const DerivativeRow> pool_derivatives();
absl::Span<const DerivativeRow> linalg_derivatives();
absl::Span<const DerivativeRow> factorization_derivatives();
absl::Span<const DerivativeRow> triangular_derivatives();
absl::Span<const DerivativeRow> special_derivatives();

inline constexpr absl::Span<const DerivativeRow> (*kDerivativeFamilies[])() = {
    constant_derivatives,   arithmetic_derivatives, pointwise_derivatives,
    activation_derivatives, view_derivatives,       strided_derivatives,
    reduction_derivatives,  matmul_derivatives,     norm_derivatives,
    loss_derivatives,       index_derivatives,      convolution_derivatives,
    pool_derivatives,       linalg_derivatives,     factorization_derivatives,
    triangular_derivatives, special_derivatives,
};

// ---- Functions that multiple families share
/// Returns the gradient of A = P L U from the gradient of the matrix that contains L and U.
Proxy lu_data_grad(D& d, const Proxy& lu, const Proxy& pivots, const Proxy& grad, bool has_pivots);

}  // namespace fx
