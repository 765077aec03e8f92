// Operators as functions of Proxy, special_chebyshev_polynomial_w to zeros_like.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/record_internal.h"

// clang-format off
namespace fx {

Proxy special_chebyshev_polynomial_w(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_w", "aten.special_chebyshev_polynomial_w.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_w(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_w", "aten.special_chebyshev_polynomial_w.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_w(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_w", "aten.special_chebyshev_polynomial_w.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_digamma(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_digamma", "aten.special_digamma.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_entr(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_entr", "aten.special_entr.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_erf(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_erf", "aten.special_erf.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_erfc(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_erfc", "aten.special_erfc.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_erfcx(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_erfcx", "aten.special_erfcx.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_erfinv(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_erfinv", "aten.special_erfinv.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_exp2(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_exp2", "aten.special_exp2.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_expit(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_expit", "aten.special_expit.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_expm1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_expm1", "aten.special_expm1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_gammainc(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_gammainc", "aten.special_gammainc.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_gammaincc(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_gammaincc", "aten.special_gammaincc.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_gammaln(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_gammaln", "aten.special_gammaln.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_hermite_polynomial_h(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_hermite_polynomial_h", "aten.special_hermite_polynomial_h.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_hermite_polynomial_h(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_hermite_polynomial_h", "aten.special_hermite_polynomial_h.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_hermite_polynomial_h(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_hermite_polynomial_h", "aten.special_hermite_polynomial_h.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_hermite_polynomial_he(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_hermite_polynomial_he", "aten.special_hermite_polynomial_he.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_hermite_polynomial_he(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_hermite_polynomial_he", "aten.special_hermite_polynomial_he.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_hermite_polynomial_he(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_hermite_polynomial_he", "aten.special_hermite_polynomial_he.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_i0(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_i0", "aten.special_i0.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_i0e(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_i0e", "aten.special_i0e.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_i1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_i1", "aten.special_i1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_i1e(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_i1e", "aten.special_i1e.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_laguerre_polynomial_l(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_laguerre_polynomial_l", "aten.special_laguerre_polynomial_l.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_laguerre_polynomial_l(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_laguerre_polynomial_l", "aten.special_laguerre_polynomial_l.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_laguerre_polynomial_l(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_laguerre_polynomial_l", "aten.special_laguerre_polynomial_l.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_legendre_polynomial_p(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_legendre_polynomial_p", "aten.special_legendre_polynomial_p.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_legendre_polynomial_p(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_legendre_polynomial_p", "aten.special_legendre_polynomial_p.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_legendre_polynomial_p(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_legendre_polynomial_p", "aten.special_legendre_polynomial_p.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_log1p(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_log1p", "aten.special_log1p.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_log_ndtr(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_log_ndtr", "aten.special_log_ndtr.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_log_softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_log_softmax", "aten.special_log_softmax.default", 2, {"dtype"}};
  return record_function(kCall, where, {self, dim, dtype});
}

Proxy special_logit(const Proxy& self, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_logit", "aten.special_logit.default", 2};
  return record_function(kCall, where, {self, eps});
}

Proxy special_logsumexp(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_logsumexp", "aten.special_logsumexp.default", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy special_modified_bessel_i0(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_modified_bessel_i0", "aten.special_modified_bessel_i0.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_modified_bessel_i1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_modified_bessel_i1", "aten.special_modified_bessel_i1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_modified_bessel_k0(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_modified_bessel_k0", "aten.special_modified_bessel_k0.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_modified_bessel_k1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_modified_bessel_k1", "aten.special_modified_bessel_k1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_multigammaln(const Proxy& self, const IntArg& p, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_multigammaln", "aten.special_multigammaln.default", 2};
  return record_function(kCall, where, {self, p});
}

Proxy special_ndtr(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_ndtr", "aten.special_ndtr.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_ndtri(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_ndtri", "aten.special_ndtri.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_polygamma(const IntArg& n, const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_polygamma", "aten.special_polygamma.default", 2};
  return record_function(kCall, where, {n, self});
}

Proxy special_psi(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_psi", "aten.special_psi.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_round(const Proxy& self, const IntArg& decimals, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_round", "aten.special_round.default", 1, {"decimals"}};
  return record_function(kCall, where, {self, decimals});
}

Proxy special_scaled_modified_bessel_k0(const Proxy& x, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_scaled_modified_bessel_k0", "aten.special_scaled_modified_bessel_k0.default", 1};
  return record_function(kCall, where, {x});
}

Proxy special_scaled_modified_bessel_k1(const Proxy& x, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_scaled_modified_bessel_k1", "aten.special_scaled_modified_bessel_k1.default", 1};
  return record_function(kCall, where, {x});
}

Proxy special_shifted_chebyshev_polynomial_t(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_t", "aten.special_shifted_chebyshev_polynomial_t.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_t(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_t", "aten.special_shifted_chebyshev_polynomial_t.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_t(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_t", "aten.special_shifted_chebyshev_polynomial_t.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_u(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_u", "aten.special_shifted_chebyshev_polynomial_u.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_u(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_u", "aten.special_shifted_chebyshev_polynomial_u.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_u(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_u", "aten.special_shifted_chebyshev_polynomial_u.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_v(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_v", "aten.special_shifted_chebyshev_polynomial_v.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_v(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_v", "aten.special_shifted_chebyshev_polynomial_v.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_v(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_v", "aten.special_shifted_chebyshev_polynomial_v.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_w(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_w", "aten.special_shifted_chebyshev_polynomial_w.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_w(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_w", "aten.special_shifted_chebyshev_polynomial_w.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_shifted_chebyshev_polynomial_w(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_shifted_chebyshev_polynomial_w", "aten.special_shifted_chebyshev_polynomial_w.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_sinc(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_sinc", "aten.special_sinc.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_softmax", "aten.special_softmax.default", 3};
  return record_function(kCall, where, {self, dim, dtype});
}

Proxy special_spherical_bessel_j0(const Proxy& x, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_spherical_bessel_j0", "aten.special_spherical_bessel_j0.default", 1};
  return record_function(kCall, where, {x});
}

Proxy special_xlog1py(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_xlog1py", "aten.special_xlog1py.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_xlog1py(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_xlog1py", "aten.special_xlog1py.other_scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_xlog1py(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_xlog1py", "aten.special_xlog1py.self_scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_xlogy(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_xlogy", "aten.special_xlogy.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_xlogy(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_xlogy", "aten.special_xlogy.other_scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_xlogy(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_xlogy", "aten.special_xlogy.self_scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_zeta(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_zeta", "aten.special_zeta.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_zeta(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_zeta", "aten.special_zeta.other_scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy special_zeta(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_zeta", "aten.special_zeta.self_scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy split(const Proxy& self, const IntList& split_size, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.functional.split", "aten.split.sizes", 3, {}, "aten.split.Tensor", 1, false};
  return record_function(kCall, where, {self, split_size, dim});
}

Proxy split_copy(const Proxy& self, const IntArg& split_size, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.split_copy", "aten.split_copy.Tensor", 3};
  return record_function(kCall, where, {self, split_size, dim});
}

Proxy split_with_sizes(const Proxy& self, const IntList& split_sizes, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.split_with_sizes", "aten.split_with_sizes.default", 3};
  return record_function(kCall, where, {self, split_sizes, dim});
}

Proxy split_with_sizes_copy(const Proxy& self, const IntList& split_sizes, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.split_with_sizes_copy", "aten.split_with_sizes_copy.default", 3};
  return record_function(kCall, where, {self, split_sizes, dim});
}

Proxy sqrt(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sqrt", "aten.sqrt.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sqrt_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sqrt_", "aten.sqrt_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy square(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.square", "aten.square.default", 1};
  return record_function(kCall, where, {self});
}

Proxy square_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.square_", "aten.square_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy squeeze(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.squeeze", "aten.squeeze.default", 1};
  return record_function(kCall, where, {self});
}

Proxy squeeze(const Proxy& self, const IntList& dim, Where where) {
  static constexpr TracedCall kCall{"torch.squeeze", "aten.squeeze.dims", 2, {}, "aten.squeeze.dim", 1, false};
  return record_function(kCall, where, {self, dim});
}

Proxy squeeze_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.squeeze_copy", "aten.squeeze_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy squeeze_copy(const Proxy& self, const IntList& dim, Where where) {
  static constexpr TracedCall kCall{"torch.squeeze_copy", "aten.squeeze_copy.dims", 2, {}, "aten.squeeze_copy.dim", 1, false};
  return record_function(kCall, where, {self, dim});
}

Proxy sspaddmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.sspaddmm", "aten.sspaddmm.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, mat1, mat2, beta, alpha});
}

Proxy stack(const TensorList& tensors, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.stack", "aten.stack.default", 2};
  return record_function(kCall, where, {tensors, dim});
}

Proxy std(const Proxy& self, const BoolArg& unbiased, Where where) {
  static constexpr TracedCall kCall{"torch.std", "aten.std.default", 2};
  return record_function(kCall, where, {self, unbiased});
}

Proxy std(const Proxy& self, const IntList& dim, const BoolArg& unbiased, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.std", "aten.std.dim", 4};
  return record_function(kCall, where, {self, dim, unbiased, keepdim});
}

Results<2> std_mean(const Proxy& self, const BoolArg& unbiased, Where where) {
  static constexpr TracedCall kCall{"torch.std_mean", "aten.std_mean.default", 2};
  return Results<2>(record_function(kCall, where, {self, unbiased}), where);
}

Results<2> std_mean(const Proxy& self, const IntList& dim, const BoolArg& unbiased, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.std_mean", "aten.std_mean.dim", 4};
  return Results<2>(record_function(kCall, where, {self, dim, unbiased, keepdim}), where);
}

Proxy stft(const Proxy& self, const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& normalized, const BoolArg& onesided, const BoolArg& return_complex, const BoolArg& align_to_window, Where where) {
  static constexpr TracedCall kCall{"torch.functional.stft", "aten.stft.default", 9};
  return record_function(kCall, where, {self, n_fft, hop_length, win_length, window, normalized, onesided, return_complex, align_to_window});
}

Proxy stft(const Proxy& self, const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& center, const StringArg& pad_mode, const BoolArg& normalized, const BoolArg& onesided, const BoolArg& return_complex, const BoolArg& align_to_window, Where where) {
  static constexpr TracedCall kCall{"torch.functional.stft", "aten.stft.center", 11};
  return record_function(kCall, where, {self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided, return_complex, align_to_window});
}

Proxy sub(const Proxy& self, const Proxy& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.sub", "aten.sub.Tensor", 2, {"alpha"}};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy sub(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.sub", "aten.sub.Scalar", 3};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy subtract(const Proxy& self, const Proxy& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.subtract", "aten.subtract.Tensor", 2, {"alpha"}};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy subtract(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.subtract", "aten.subtract.Scalar", 3};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy sum(const Proxy& self, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.sum", "aten.sum.dim_IntList", 3, {"dtype"}};
  return record_function(kCall, where, {self, dim, keepdim, dtype});
}

Proxy sum(const Proxy& self, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.sum", "aten.sum.default", 1, {"dtype"}};
  return record_function(kCall, where, {self, dtype});
}

Results<3> svd(const Proxy& self, const BoolArg& some, const BoolArg& compute_uv, Where where) {
  static constexpr TracedCall kCall{"torch.svd", "aten.svd.default", 3};
  return Results<3>(record_function(kCall, where, {self, some, compute_uv}), where);
}

Proxy swapaxes(const Proxy& self, const IntArg& axis0, const IntArg& axis1, Where where) {
  static constexpr TracedCall kCall{"torch.swapaxes", "aten.swapaxes.default", 3};
  return record_function(kCall, where, {self, axis0, axis1});
}

Proxy swapdims(const Proxy& self, const IntArg& dim0, const IntArg& dim1, Where where) {
  static constexpr TracedCall kCall{"torch.swapdims", "aten.swapdims.default", 3};
  return record_function(kCall, where, {self, dim0, dim1});
}

Proxy sym_constrain_range(TracerBase& tracer, const ScalarArg& size, const IntArg& min, const IntArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.sym_constrain_range", "aten.sym_constrain_range.default", 1, {"min", "max"}};
  return record_function(tracer, kCall, where, {size, min, max});
}

Proxy sym_constrain_range_for_size(TracerBase& tracer, const ScalarArg& size, const IntArg& min, const IntArg& max, Where where) {
  static constexpr TracedCall kCall{"torch.sym_constrain_range_for_size", "aten.sym_constrain_range_for_size.default", 1, {"min", "max"}};
  return record_function(tracer, kCall, where, {size, min, max});
}

Proxy t(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.t", "aten.t.default", 1};
  return record_function(kCall, where, {self});
}

Proxy t_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.t_copy", "aten.t_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy take(const Proxy& self, const Proxy& index, Where where) {
  static constexpr TracedCall kCall{"torch.take", "aten.take.default", 2};
  return record_function(kCall, where, {self, index});
}

Proxy take_along_dim(const Proxy& self, const Proxy& indices, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.take_along_dim", "aten.take_along_dim.default", 3};
  return record_function(kCall, where, {self, indices, dim});
}

Proxy tan(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.tan", "aten.tan.default", 1};
  return record_function(kCall, where, {self});
}

Proxy tan_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.tan_", "aten.tan_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy tanh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.tanh", "aten.tanh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy tanh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.tanh_", "aten.tanh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy tensor_split(const Proxy& self, const IntList& indices, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.tensor_split", "aten.tensor_split.indices", 3, {}, "aten.tensor_split.sections", 1, false};
  return record_function(kCall, where, {self, indices, dim});
}

Proxy tensor_split(const Proxy& self, const Proxy& tensor_indices_or_sections, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.tensor_split", "aten.tensor_split.tensor_indices_or_sections", 3};
  return record_function(kCall, where, {self, tensor_indices_or_sections, dim});
}

Proxy tensordot(const Proxy& self, const Proxy& other, const IntList& dims_self, const IntList& dims_other, Where where) {
  static constexpr TracedCall kCall{"torch.functional.tensordot", "aten.tensordot.default", 4};
  return record_function(kCall, where, {self, other, dims_self, dims_other});
}

Proxy thnn_conv2d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.thnn_conv2d", "aten.thnn_conv2d.default", 6};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding});
}

Proxy threshold(const Proxy& self, const ScalarArg& threshold, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.threshold", "aten.threshold.default", 3};
  return record_function(kCall, where, {self, threshold, value});
}

Proxy threshold_(const Proxy& self, const ScalarArg& threshold, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.threshold_", "aten.threshold_.default", 3};
  return record_function(kCall, where, {self, threshold, value});
}

Proxy tile(const Proxy& self, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch.tile", "aten.tile.default", 2};
  return record_function(kCall, where, {self, dims});
}

Results<2> topk(const Proxy& self, const IntArg& k, const IntArg& dim, const BoolArg& largest, const BoolArg& sorted, Where where) {
  static constexpr TracedCall kCall{"torch.topk", "aten.topk.default", 5};
  return Results<2>(record_function(kCall, where, {self, k, dim, largest, sorted}), where);
}

Proxy trace(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.trace", "aten.trace.default", 1};
  return record_function(kCall, where, {self});
}

Proxy transpose(const Proxy& self, const IntArg& dim0, const IntArg& dim1, Where where) {
  static constexpr TracedCall kCall{"torch.transpose", "aten.transpose.int", 3};
  return record_function(kCall, where, {self, dim0, dim1});
}

Proxy transpose_copy(const Proxy& self, const IntArg& dim0, const IntArg& dim1, Where where) {
  static constexpr TracedCall kCall{"torch.transpose_copy", "aten.transpose_copy.int", 3};
  return record_function(kCall, where, {self, dim0, dim1});
}

Proxy trapezoid(const Proxy& y, const Proxy& x, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.trapezoid", "aten.trapezoid.x", 2, {"dim"}};
  return record_function(kCall, where, {y, x, dim});
}

Proxy trapezoid(const Proxy& y, const ScalarArg& dx, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.trapezoid", "aten.trapezoid.dx", 1, {"dx", "dim"}};
  return record_function(kCall, where, {y, dx, dim});
}

Proxy trapz(const Proxy& y, const Proxy& x, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.trapz", "aten.trapz.x", 2, {"dim"}};
  return record_function(kCall, where, {y, x, dim});
}

Proxy trapz(const Proxy& y, const FloatArg& dx, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.trapz", "aten.trapz.dx", 1, {"dx", "dim"}};
  return record_function(kCall, where, {y, dx, dim});
}

Results<2> triangular_solve(const Proxy& self, const Proxy& A, const BoolArg& upper, const BoolArg& transpose, const BoolArg& unitriangular, Where where) {
  static constexpr TracedCall kCall{"torch.triangular_solve", "aten.triangular_solve.default", 5};
  return Results<2>(record_function(kCall, where, {self, A, upper, transpose, unitriangular}), where);
}

Proxy tril(const Proxy& self, const IntArg& diagonal, Where where) {
  static constexpr TracedCall kCall{"torch.tril", "aten.tril.default", 2};
  return record_function(kCall, where, {self, diagonal});
}

Proxy tril_indices(TracerBase& tracer, const IntArg& row, const IntArg& col, const IntArg& offset, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.tril_indices", "aten.tril_indices.default", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {row, col, offset, dtype, layout, device, pin_memory});
}

Proxy triplet_margin_loss(const Proxy& anchor, const Proxy& positive, const Proxy& negative, const FloatArg& margin, const FloatArg& p, const FloatArg& eps, const BoolArg& swap, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch.triplet_margin_loss", "aten.triplet_margin_loss.default", 8};
  return record_function(kCall, where, {anchor, positive, negative, margin, p, eps, swap, reduction});
}

Proxy triu(const Proxy& self, const IntArg& diagonal, Where where) {
  static constexpr TracedCall kCall{"torch.triu", "aten.triu.default", 2};
  return record_function(kCall, where, {self, diagonal});
}

Proxy triu_indices(TracerBase& tracer, const IntArg& row, const IntArg& col, const IntArg& offset, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.triu_indices", "aten.triu_indices.default", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {row, col, offset, dtype, layout, device, pin_memory});
}

Proxy true_divide(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.true_divide", "aten.true_divide.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy true_divide(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.true_divide", "aten.true_divide.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy trunc(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.trunc", "aten.trunc.default", 1};
  return record_function(kCall, where, {self});
}

Proxy trunc_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.trunc_", "aten.trunc_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy unbind(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unbind", "aten.unbind.int", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy unbind_copy(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unbind_copy", "aten.unbind_copy.int", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy unflatten(const Proxy& self, const IntArg& dim, const IntList& sizes, Where where) {
  static constexpr TracedCall kCall{"torch.unflatten", "aten.unflatten.int", 3};
  return record_function(kCall, where, {self, dim, sizes});
}

Proxy unflatten_dense_tensors(const Proxy& flat, const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.unflatten_dense_tensors", "aten.unflatten_dense_tensors.default", 2};
  return record_function(kCall, where, {flat, tensors});
}

Proxy unfold_copy(const Proxy& self, const IntArg& dimension, const IntArg& size, const IntArg& step, Where where) {
  static constexpr TracedCall kCall{"torch.unfold_copy", "aten.unfold_copy.default", 4};
  return record_function(kCall, where, {self, dimension, size, step});
}

Results<3> unique_consecutive(const Proxy& self, const BoolArg& return_inverse, const BoolArg& return_counts, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.functional.unique_consecutive", "aten.unique_consecutive.default", 4};
  return Results<3>(record_function(kCall, where, {self, return_inverse, return_counts, dim}), where);
}

Results<3> unique_dim(const Proxy& self, const IntArg& dim, const BoolArg& sorted, const BoolArg& return_inverse, const BoolArg& return_counts, Where where) {
  static constexpr TracedCall kCall{"torch.unique_dim", "aten.unique_dim.default", 5};
  return Results<3>(record_function(kCall, where, {self, dim, sorted, return_inverse, return_counts}), where);
}

Proxy unsafe_chunk(const Proxy& self, const IntArg& chunks, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unsafe_chunk", "aten.unsafe_chunk.default", 3};
  return record_function(kCall, where, {self, chunks, dim});
}

Proxy unsafe_split(const Proxy& self, const IntArg& split_size, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unsafe_split", "aten.unsafe_split.Tensor", 3};
  return record_function(kCall, where, {self, split_size, dim});
}

Proxy unsafe_split_with_sizes(const Proxy& self, const IntList& split_sizes, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unsafe_split_with_sizes", "aten.unsafe_split_with_sizes.default", 3};
  return record_function(kCall, where, {self, split_sizes, dim});
}

Proxy unsqueeze(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unsqueeze", "aten.unsqueeze.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy unsqueeze_copy(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.unsqueeze_copy", "aten.unsqueeze_copy.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy upsample_bicubic2d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales_h, const FloatArg& scales_w, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_bicubic2d", "aten.upsample_bicubic2d.default", 5};
  return record_function(kCall, where, {self, output_size, align_corners, scales_h, scales_w});
}

Proxy upsample_bicubic2d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_bicubic2d", "aten.upsample_bicubic2d.vec", 4};
  return record_function(kCall, where, {input, output_size, align_corners, scale_factors});
}

Proxy upsample_bilinear2d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales_h, const FloatArg& scales_w, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_bilinear2d", "aten.upsample_bilinear2d.default", 5};
  return record_function(kCall, where, {self, output_size, align_corners, scales_h, scales_w});
}

Proxy upsample_bilinear2d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_bilinear2d", "aten.upsample_bilinear2d.vec", 4};
  return record_function(kCall, where, {input, output_size, align_corners, scale_factors});
}

Proxy upsample_linear1d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_linear1d", "aten.upsample_linear1d.default", 4};
  return record_function(kCall, where, {self, output_size, align_corners, scales});
}

Proxy upsample_linear1d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_linear1d", "aten.upsample_linear1d.vec", 4};
  return record_function(kCall, where, {input, output_size, align_corners, scale_factors});
}

Proxy upsample_nearest1d(const Proxy& self, const IntList& output_size, const FloatArg& scales, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_nearest1d", "aten.upsample_nearest1d.default", 3};
  return record_function(kCall, where, {self, output_size, scales});
}

Proxy upsample_nearest1d(const Proxy& input, const IntList& output_size, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_nearest1d", "aten.upsample_nearest1d.vec", 3};
  return record_function(kCall, where, {input, output_size, scale_factors});
}

Proxy upsample_nearest2d(const Proxy& self, const IntList& output_size, const FloatArg& scales_h, const FloatArg& scales_w, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_nearest2d", "aten.upsample_nearest2d.default", 4};
  return record_function(kCall, where, {self, output_size, scales_h, scales_w});
}

Proxy upsample_nearest2d(const Proxy& input, const IntList& output_size, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_nearest2d", "aten.upsample_nearest2d.vec", 3};
  return record_function(kCall, where, {input, output_size, scale_factors});
}

Proxy upsample_nearest3d(const Proxy& self, const IntList& output_size, const FloatArg& scales_d, const FloatArg& scales_h, const FloatArg& scales_w, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_nearest3d", "aten.upsample_nearest3d.default", 5};
  return record_function(kCall, where, {self, output_size, scales_d, scales_h, scales_w});
}

Proxy upsample_nearest3d(const Proxy& input, const IntList& output_size, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_nearest3d", "aten.upsample_nearest3d.vec", 3};
  return record_function(kCall, where, {input, output_size, scale_factors});
}

Proxy upsample_trilinear3d(const Proxy& self, const IntList& output_size, const BoolArg& align_corners, const FloatArg& scales_d, const FloatArg& scales_h, const FloatArg& scales_w, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_trilinear3d", "aten.upsample_trilinear3d.default", 6};
  return record_function(kCall, where, {self, output_size, align_corners, scales_d, scales_h, scales_w});
}

Proxy upsample_trilinear3d(const Proxy& input, const IntList& output_size, const BoolArg& align_corners, const FloatList& scale_factors, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.upsample_trilinear3d", "aten.upsample_trilinear3d.vec", 4};
  return record_function(kCall, where, {input, output_size, align_corners, scale_factors});
}

Proxy values_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.values_copy", "aten.values_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy vander(const Proxy& x, const IntArg& N, const BoolArg& increasing, Where where) {
  static constexpr TracedCall kCall{"torch.vander", "aten.vander.default", 3};
  return record_function(kCall, where, {x, N, increasing});
}

Proxy var(const Proxy& self, const BoolArg& unbiased, Where where) {
  static constexpr TracedCall kCall{"torch.var", "aten.var.default", 2};
  return record_function(kCall, where, {self, unbiased});
}

Proxy var(const Proxy& self, const IntList& dim, const BoolArg& unbiased, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.var", "aten.var.dim", 4};
  return record_function(kCall, where, {self, dim, unbiased, keepdim});
}

Results<2> var_mean(const Proxy& self, const BoolArg& unbiased, Where where) {
  static constexpr TracedCall kCall{"torch.var_mean", "aten.var_mean.default", 2};
  return Results<2>(record_function(kCall, where, {self, unbiased}), where);
}

Results<2> var_mean(const Proxy& self, const IntList& dim, const BoolArg& unbiased, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.var_mean", "aten.var_mean.dim", 4};
  return Results<2>(record_function(kCall, where, {self, dim, unbiased, keepdim}), where);
}

Proxy vdot(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.vdot", "aten.vdot.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy view_as_complex(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.view_as_complex", "aten.view_as_complex.default", 1};
  return record_function(kCall, where, {self});
}

Proxy view_as_complex_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.view_as_complex_copy", "aten.view_as_complex_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy view_as_real(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.view_as_real", "aten.view_as_real.default", 1};
  return record_function(kCall, where, {self});
}

Proxy view_as_real_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.view_as_real_copy", "aten.view_as_real_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy view_copy(const Proxy& self, const IntList& size, Where where) {
  static constexpr TracedCall kCall{"torch.view_copy", "aten.view_copy.default", 2};
  return record_function(kCall, where, {self, size});
}

Proxy view_copy(const Proxy& self, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.view_copy", "aten.view_copy.dtype", 2};
  return record_function(kCall, where, {self, dtype});
}

Proxy vsplit(const Proxy& self, const IntList& indices, Where where) {
  static constexpr TracedCall kCall{"torch.vsplit", "aten.vsplit.array", 2, {}, "aten.vsplit.int", 1, false};
  return record_function(kCall, where, {self, indices});
}

Proxy vstack(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.vstack", "aten.vstack.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy where(const Proxy& condition, const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.where", "aten.where.self", 3};
  return record_function(kCall, where, {condition, self, other});
}

Proxy where(const Proxy& condition, const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.where", "aten.where.ScalarOther", 3};
  return record_function(kCall, where, {condition, self, other});
}

Proxy where(const Proxy& condition, const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.where", "aten.where.ScalarSelf", 3};
  return record_function(kCall, where, {condition, self, other});
}

Proxy where(const Proxy& condition, const ScalarArg& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.where", "aten.where.Scalar", 3};
  return record_function(kCall, where, {condition, self, other});
}

Proxy where(const Proxy& condition, Where where) {
  static constexpr TracedCall kCall{"torch.where", "aten.where.default", 1};
  return record_function(kCall, where, {condition});
}

Proxy xlogy(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.xlogy", "aten.xlogy.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy xlogy(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.xlogy", "aten.xlogy.Scalar_Other", 2};
  return record_function(kCall, where, {self, other});
}

Proxy xlogy(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.xlogy", "aten.xlogy.Scalar_Self", 2};
  return record_function(kCall, where, {self, other});
}

Proxy xlogy_(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.xlogy_", "aten.xlogy_.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy xlogy_(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.xlogy_", "aten.xlogy_.Scalar_Other", 2};
  return record_function(kCall, where, {self, other});
}

Proxy zero_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.zero_", "aten.zero_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy zeros(TracerBase& tracer, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.zeros", "aten.zeros.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, dtype, layout, device, pin_memory});
}

Proxy zeros_like(const Proxy& self, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.zeros_like", "aten.zeros_like.default", 1, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, dtype, layout, device, pin_memory, memory_format});
}

}  // namespace fx
