// The operators of PyTorch 2.13.0: special.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kSpecialRows[] = {
    {"aten::special_airy_ai(Tensor x) -> Tensor", kPointwise},
    {"aten::special_airy_ai.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_bessel_j0(Tensor self) -> Tensor", kPointwise},
    {"aten::special_bessel_j0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_bessel_j1(Tensor self) -> Tensor", kPointwise},
    {"aten::special_bessel_j1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_bessel_y0(Tensor self) -> Tensor", kPointwise},
    {"aten::special_bessel_y0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_bessel_y1(Tensor self) -> Tensor", kPointwise},
    {"aten::special_bessel_y1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_digamma(Tensor self) -> Tensor", kComposite},
    {"aten::special_digamma.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_entr(Tensor self) -> Tensor", kPointwise},
    {"aten::special_entr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_erf(Tensor self) -> Tensor", kComposite},
    {"aten::special_erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_erfc(Tensor self) -> Tensor", kComposite},
    {"aten::special_erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_erfcx(Tensor self) -> Tensor", kPointwise},
    {"aten::special_erfcx.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_erfinv(Tensor self) -> Tensor", kComposite},
    {"aten::special_erfinv.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_exp2(Tensor self) -> Tensor", kComposite},
    {"aten::special_exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_expit(Tensor self) -> Tensor", kComposite},
    {"aten::special_expit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_expm1(Tensor self) -> Tensor", kComposite},
    {"aten::special_expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_gammainc(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::special_gammainc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_gammaincc(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::special_gammaincc.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_gammaln(Tensor self) -> Tensor", kComposite},
    {"aten::special_gammaln.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_hermite_polynomial_h.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_hermite_polynomial_h.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_hermite_polynomial_h.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_hermite_polynomial_he.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_hermite_polynomial_he.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_hermite_polynomial_he.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_i0(Tensor self) -> Tensor", kComposite},
    {"aten::special_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_i0e(Tensor self) -> Tensor", kPointwise},
    {"aten::special_i0e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_i1(Tensor self) -> Tensor", kPointwise},
    {"aten::special_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_i1e(Tensor self) -> Tensor", kPointwise},
    {"aten::special_i1e.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_laguerre_polynomial_l.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_laguerre_polynomial_l.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_laguerre_polynomial_l.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_legendre_polynomial_p.out(Tensor x, Tensor n, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_legendre_polynomial_p.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor", kPointwise},
    {"aten::special_legendre_polynomial_p.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_log1p(Tensor self) -> Tensor", kComposite},
    {"aten::special_log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_log_ndtr(Tensor self) -> Tensor", kPointwise},
    {"aten::special_log_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
     kComposite},
    {"aten::special_logit(Tensor self, float? eps=None) -> Tensor", kComposite},
    {"aten::special_logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", kComposite},
    {"aten::special_logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) "
     "-> Tensor(a!)", kComposite},
    {"aten::special_modified_bessel_i0(Tensor self) -> Tensor", kPointwise},
    {"aten::special_modified_bessel_i0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_modified_bessel_i1(Tensor self) -> Tensor", kPointwise},
    {"aten::special_modified_bessel_i1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_modified_bessel_k0(Tensor self) -> Tensor", kPointwise},
    {"aten::special_modified_bessel_k0.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_modified_bessel_k1(Tensor self) -> Tensor", kPointwise},
    {"aten::special_modified_bessel_k1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_multigammaln(Tensor self, int p) -> Tensor", kComposite},
    {"aten::special_multigammaln.out(Tensor self, int p, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_ndtr(Tensor self) -> Tensor", kComposite},
    {"aten::special_ndtr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_ndtri(Tensor self) -> Tensor", kPointwise},
    {"aten::special_ndtri.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kPointwise},
    {"aten::special_polygamma(int n, Tensor self) -> Tensor", kComposite},
    {"aten::special_polygamma.out(int n, Tensor self, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_psi(Tensor self) -> Tensor", kComposite},
    {"aten::special_psi.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_round(Tensor self, *, int decimals=0) -> Tensor", kComposite},
    {"aten::special_round.out(Tensor self, *, int decimals=0, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor", kPointwise},
    {"aten::special_scaled_modified_bessel_k0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor", kPointwise},
    {"aten::special_scaled_modified_bessel_k1.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_t.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_t.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_t.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_u.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_u.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_u.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_v.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_v.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_v.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_w.out(Tensor x, Tensor n, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_w.x_scalar_out(Scalar x, Tensor n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
     kPointwise},
    {"aten::special_shifted_chebyshev_polynomial_w.n_scalar_out(Tensor x, Scalar n, *, Tensor(a!) "
     "out) -> Tensor(a!)", kPointwise},
    {"aten::special_sinc(Tensor self) -> Tensor", kComposite},
    {"aten::special_sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::special_spherical_bessel_j0(Tensor x) -> Tensor", kPointwise},
    {"aten::special_spherical_bessel_j0.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_xlog1py(Tensor self, Tensor other) -> Tensor", kPointwise},
    {"aten::special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor", kPointwise},
    {"aten::special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor", kPointwise},
    {"aten::special_xlog1py.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_xlog1py.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_xlog1py.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_xlogy(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor", kComposite},
    {"aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor", kComposite},
    {"aten::special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::special_zeta(Tensor self, Tensor other) -> Tensor", kPointwise},
    {"aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor", kPointwise},
    {"aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor", kPointwise},
    {"aten::special_zeta.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kPointwise},
    {"aten::special_zeta.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
    {"aten::special_zeta.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> "
     "Tensor(a!)", kPointwise},
};

extern const std::span<const OpInfo> kSpecialOps;
constinit const std::span<const OpInfo> kSpecialOps(kSpecialRows);

}  // namespace fx::ops
