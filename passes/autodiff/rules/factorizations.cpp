// Factorizations of matrices. The formulas are from M. Giles, "An extended collection of matrix
// derivative results" (2008), and for complex matrices from PyTorch's FunctionsManual.
#include "fx/passes/autodiff/rules_internal.h"

#include <complex>
#include <string>

namespace fx {
namespace {

/// Returns A^-1 X, or X A^-1, for a triangular matrix A.
Proxy triangular_solve(D& d, const Proxy& a, const Proxy& x, bool upper, bool left) {
  return d.emit("aten.linalg_solve_triangular.default", {a, x}, {{"upper", upper}, {"left", left}});
}
Proxy diagonal_of(const Proxy& x) { return x.diagonal(0, -2, -1); }
Proxy as_diagonal(D& d, const Proxy& x) { return d.emit("aten.diag_embed.default", {x}); }
/// Returns x_ij / (values_j - values_i) off the diagonal, and 0 on it.
Proxy over_differences(D& d, const Proxy& x, const Proxy& values) {
  const Proxy differences = unsqueeze(values, -2) - unsqueeze(values, -1);
  const Proxy ones = d.full({}, 1, values, d.dtype(values));
  const Proxy diagonal = as_diagonal(d, d.expand_like(ones, values));
  const Proxy quotient = x / (differences + diagonal);
  return d.where(diagonal == 1, 0, quotient);
}

// ---- Cholesky: A = L L^H

AnyArg cholesky_grad(D& d, bool upper) {
  const Proxy factor = upper ? d.adjoint(d.value(0)) : d.value(0);
  const Proxy g = upper ? d.adjoint(d.grad(0)) : d.grad(0);
  const Proxy phi = tril(matmul(d.adjoint(factor), g));
  const Proxy both = phi + d.adjoint(tril(phi, -1));
  const Proxy right = triangular_solve(d, factor, both, false, false);
  return triangular_solve(d, d.adjoint(factor), right, true, true) * 0.5;
}
AnyArg cholesky_tangent(D& d, std::string_view name, bool upper) {
  const Proxy factor = upper ? d.adjoint(d.value(0)) : d.value(0);
  const Proxy t = d.tangent(name);
  const Proxy left = triangular_solve(d, factor, t, false, true);
  const Proxy lower = tril(triangular_solve(d, d.adjoint(factor), left, true, false));
  const Proxy phi = lower - as_diagonal(d, diagonal_of(lower)) * 0.5;
  const Proxy change = matmul(factor, phi);
  return upper ? d.adjoint(change) : change;
}

// ---- Eigenvalues of a Hermitian matrix: A = V diag(l) V^H

AnyArg eigh_grad(D& d) {
  const Proxy values = d.value(0), g_values = d.grad(0), g_vectors = d.grad(1);
  const Proxy vectors = d.value(1);
  Proxy inner;
  if (g_vectors.defined()) {
    const Proxy product = matmul(d.adjoint(vectors), g_vectors);
    inner = over_differences(d, (product - d.adjoint(product)) * 0.5, values);
  }
  if (g_values.defined())
    inner = d.sum_of({inner, d.cast(as_diagonal(d, g_values), d.dtype(vectors))});
  return matmul(vectors, matmul(inner, d.adjoint(vectors)));
}
AnyArg eigh_tangent(D& d) {
  const Proxy values = d.value(0), vectors = d.value(1);
  const Proxy inner = matmul(matmul(d.adjoint(vectors), d.tangent("A")), vectors);
  return AnyArg::tuple(
      {d.real(diagonal_of(inner)), matmul(vectors, over_differences(d, inner, values))});
}

// ---- QR: A = Q R

/// Returns the gradient of a matrix with at least as many rows as columns.
Proxy tall_qr_grad(D& d, const Proxy& q, const Proxy& r, const Proxy& g_q, const Proxy& g_r) {
  const Proxy from_r = g_r.defined() ? matmul(r, d.adjoint(g_r)) : Proxy();
  const Proxy from_q = g_q.defined() ? matmul(d.adjoint(g_q), q) : Proxy();
  const Proxy m = from_r.defined() ? (from_q.defined() ? from_r - from_q : from_r) : neg(from_q);
  const Proxy below = tril(m, -1);
  const Proxy middle = d.cast(as_diagonal(d, d.real(diagonal_of(m))), d.dtype(m));
  const Proxy symmetric = below + d.adjoint(below) + middle;
  const Proxy inner = d.sum_of({matmul(q, symmetric), g_q});
  return triangular_solve(d, d.adjoint(r), inner, false, false);
}
AnyArg qr_grad(D& d) {
  const Proxy a = d("A"), q = d.value(0), r = d.value(1), g_q = d.grad(0), g_r = d.grad(1);
  const int64_t rows = d.known_size(a, -2), columns = d.known_size(a, -1);
  const std::string mode = d.text("mode");
  if (!d.status().ok()) return {};
  if (mode != "reduced" && !(mode == "complete" && rows <= columns))
    return d.reject(
        "mode must be reduced, or complete for a matrix with at least as many columns as rows");
  if (rows >= columns) return tall_qr_grad(d, q, r, g_q, g_r);
  // A = [A1 A2] = Q [R1 R2] with a square A1 = Q R1, and R2 = Q^H A2.
  const Proxy r_square = d.slice(r, -1, 0, rows);
  if (!g_r.defined()) {
    const Proxy first = tall_qr_grad(d, q, r_square, g_q, Proxy());
    return cat({first, zeros_like(d.slice(a, -1, rows, columns))}, -1);
  }
  const Proxy g_rest = d.slice(g_r, -1, rows, columns);
  const Proxy g_all = d.sum_of({g_q, matmul(d.slice(a, -1, rows, columns), d.adjoint(g_rest))});
  const Proxy first = tall_qr_grad(d, q, r_square, g_all, d.slice(g_r, -1, 0, rows));
  return cat({first, matmul(q, g_rest)}, -1);
}

// ---- Singular values: A = U diag(s) V^H

AnyArg svd_grad(D& d) {
  // Only the first min(m, n) vectors affect A.
  const Proxy s = d.value(1);
  const int64_t count = d.known_size(s, -1);
  const auto columns = [&](const Proxy& x) { return x.defined() ? d.slice(x, -1, 0, count) : x; };
  const auto rows = [&](const Proxy& x) { return x.defined() ? d.slice(x, -2, 0, count) : x; };
  const bool is_full = d.flag("full_matrices");
  const Proxy u = is_full ? columns(d.value(0)) : d.value(0);
  const Proxy vh = is_full ? rows(d.value(2)) : d.value(2);
  const Proxy g_u = is_full ? columns(d.grad(0)) : d.grad(0);
  const Proxy g_s = d.grad(1), g_vh = is_full ? rows(d.grad(2)) : d.grad(2);
  const auto skew = [&](const Proxy& x) { return x - d.adjoint(x); };
  const Proxy squares = s * s;
  const auto scaled_rows = [&](const Proxy& x) { return x * unsqueeze(s, -1); };
  const auto scaled_columns = [&](const Proxy& x) { return x * unsqueeze(s, -2); };
  Proxy inner = g_s.defined() ? d.cast(as_diagonal(d, g_s), d.dtype(u)) : Proxy();
  const Proxy u_term = g_u.defined() ? matmul(d.adjoint(u), g_u) : Proxy();
  const Proxy v_term = g_vh.defined() ? matmul(vh, d.adjoint(g_vh)) : Proxy();
  if (u_term.defined())
    inner = d.sum_of({inner, scaled_columns(over_differences(d, skew(u_term), squares))});
  if (v_term.defined())
    inner = d.sum_of({inner, scaled_rows(over_differences(d, skew(v_term), squares))});
  if (d.is_complex(u) && u_term.defined()) {
    const Proxy turn = imag(diagonal_of(u_term)) / s;
    inner = inner + as_diagonal(d, turn * std::complex<double>(0, 1));
  }
  Proxy result = matmul(u, matmul(inner, vh));
  const int64_t m = d.known_size(d("A"), -2), n = d.known_size(d("A"), -1);
  if (m > n && g_u.defined()) {
    const Proxy outside = g_u - matmul(u, u_term);
    result = result + matmul(outside / unsqueeze(s, -2), vh);
  }
  if (n > m && g_vh.defined()) {
    const Proxy outside = g_vh - matmul(d.adjoint(v_term), vh);
    result = result + matmul(u / unsqueeze(s, -2), outside);
  }
  return result;
}

// ---- Determinants, from the LU factors that the operator returns

/// True if libtorch factors the transpose, as it does for a real contiguous matrix.
bool factors_transpose(D& d) {
  const Type a = d.type(d("A"));
  return a.has_default_strides() && !fx::is_complex(a.dtype());
}
/// Returns A^-H times `scale`.
Proxy inverse_adjoint(D& d, const Proxy& lu, const Proxy& pivots, const Proxy& scale) {
  const Proxy scaled_identity =
      d.cast(as_diagonal(d, d.expand_like(unsqueeze(scale, -1), diagonal_of(lu))), d.dtype(lu));
  return d.emit("aten.linalg_lu_solve.default", {lu, pivots, scaled_identity},
                {{"left", true}, {"adjoint", !factors_transpose(d)}});
}
/// Returns the contribution of the gradients of the LU factors. The factors are results of the
/// operator, and have gradients in second derivatives.
Proxy from_factors(D& d, size_t lu) {
  if (!d.grad(lu).defined()) return {};
  const Proxy grad = lu_data_grad(d, d.value(lu), d.value(lu + 1), d.grad(lu), true);
  return factors_transpose(d) ? transpose(grad, -2, -1) : grad;
}
AnyArg det_grad(D& d) {
  Proxy of_value;
  if (d.grad(0).defined())
    of_value = inverse_adjoint(d, d.value(1), d.value(2), d.grad(0) * d.conj(d.value(0)));
  return d.sum_of({of_value, from_factors(d, 1)});
}
AnyArg slogdet_grad(D& d) {
  const Proxy lu = d.value(2), pivots = d.value(3), g_sign = d.grad(0), g_log = d.grad(1);
  Proxy scale = g_log;
  if (d.is_complex(d.value(0)) && g_sign.defined()) {
    const Proxy turn = imag(d.conj(g_sign) * d.value(0)) * std::complex<double>(0, -1);
    scale = d.sum_of({scale, turn});
  }
  const Proxy of_values = scale.defined() ? inverse_adjoint(d, lu, pivots, scale) : Proxy();
  const Proxy all = d.sum_of({of_values, from_factors(d, 2)});
  return all.defined() ? all : d.zero_grad("A");
}

}  // namespace

absl::Span<const DerivativeRow> factorization_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.linalg_cholesky_ex.default",
       kFunction,
       {{"self", [](D& d) { return cholesky_grad(d, d.flag("upper")); }}},
       [](D& d) {
         return AnyArg::tuple({cholesky_tangent(d, "self", d.flag("upper")), Argument()});
       }},
      {"aten.cholesky.default",
       kFunction,
       {{"self", [](D& d) { return cholesky_grad(d, d.flag("upper")); }}},
       [](D& d) { return cholesky_tangent(d, "self", d.flag("upper")); }},
      {"aten._linalg_eigh.default", kFunction, {{"A", eigh_grad}}, eigh_tangent},
      {"aten.linalg_qr.default", kTransposed, {{"A", qr_grad}}},
      {"aten._linalg_svd.default", kTransposed, {{"A", svd_grad}}},
      {"aten._linalg_det.default", kTransposed, {{"A", det_grad}}},
      {"aten._linalg_slogdet.default", kTransposed, {{"A", slogdet_grad}}},
  };
  return kRows;
}

}  // namespace fx
