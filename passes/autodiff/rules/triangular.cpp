// Triangular factors, eigenvalues of general matrices, least squares and the matrix exponential.
// The formulas are from PyTorch's FunctionsManual.
#include "fx/passes/autodiff/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fx {
namespace {

Proxy solve_with(D& d, const Proxy& a, const Proxy& x, bool upper, bool left, bool unit = false) {
  return d.emit("aten.linalg_solve_triangular.default", {a, x},
                {{"upper", upper}, {"left", left}, {"unitriangular", unit}});
}
/// Returns columns (dim -1) or rows (dim -2) from `begin` to `end`.
Proxy part(D& d, const Proxy& x, int64_t dim, int64_t begin, int64_t end) {
  const int64_t size = d.known_size(x, dim);
  return begin == 0 && end == size ? x : d.slice(x, dim, begin, end);
}

// ---- A = P L U

struct Factors {
  Proxy p, l, u;
  bool pivots = true;
};

/// Returns the gradient of a matrix, which need not be square.
Proxy lu_grad(D& d, const Factors& f, const Proxy& g_l, const Proxy& g_u) {
  const int64_t m = d.known_size(f.l, -2), k = d.known_size(f.l, -1), n = d.known_size(f.u, -1);
  const Proxy from_l = g_l.defined() ? matmul(d.adjoint(f.l), tril(g_l, -1)) : Proxy();
  const Proxy from_u = g_u.defined() ? matmul(triu(g_u), d.adjoint(f.u)) : Proxy();
  const auto difference = [](const Proxy& a, const Proxy& b) {
    if (!b.defined()) return a;
    return a.defined() ? a - b : neg(b);
  };
  const auto zeros_of = [&](const Proxy& x) { return zeros_like(x); };
  Proxy result;
  if (m == n) {
    const Proxy lower = from_l.defined() ? tril(from_l, -1) : Proxy();
    const Proxy upper = from_u.defined() ? triu(from_u) : Proxy();
    result = solve_with(d, d.adjoint(f.u), d.sum_of({lower, upper}), false, false);
    result = solve_with(d, d.adjoint(f.l), result, true, true, true);
  } else if (m < n) {
    const Proxy first = tril(difference(from_l, from_u), -1);
    result = solve_with(d, d.adjoint(part(d, f.u, -1, 0, k)), first, false, false);
    const Proxy g = g_u.defined() ? g_u : zeros_of(f.u);
    result = cat({result + triu(part(d, g, -1, 0, k)), part(d, g, -1, k, n)}, -1);
    result = solve_with(d, d.adjoint(f.l), result, true, true, true);
  } else {
    const Proxy first = triu(difference(from_u, from_l));
    result = solve_with(d, d.adjoint(part(d, f.l, -2, 0, k)), first, true, true, true);
    const Proxy g = g_l.defined() ? g_l : zeros_of(f.l);
    result = cat({result + tril(part(d, g, -2, 0, k), -1), part(d, g, -2, k, m)}, -2);
    result = solve_with(d, d.adjoint(f.u), result, false, false);
  }
  return f.pivots ? matmul(f.p, result) : result;
}

AnyArg lu_grads(D& d) {
  const Factors factors{d.value(0), d.value(1), d.value(2), d.flag("pivot")};
  return lu_grad(d, factors, d.grad(1), d.grad(2));
}
AnyArg lu_factor_grad(D& d) {
  return lu_data_grad(d, d.value(0), d.value(1), d.grad(0), d.flag("pivot"));
}
/// Returns the gradient of a matrix that contains both factors.
AnyArg lu_unpack_grad(D& d) {
  const Proxy data = d("LU_data");
  const int64_t m = d.known_size(data, -2), n = d.known_size(data, -1), k = std::min(m, n);
  const Proxy lower = d.grad(1).defined() ? tril(d.grad(1), -1) : Proxy();
  const Proxy upper = d.grad(2).defined() ? triu(d.grad(2)) : Proxy();
  if (m == n) return d.sum_of({lower, upper});
  const auto padded = [&](const Proxy& x, int64_t columns, int64_t rows) {
    if (!x.defined() || (columns == 0 && rows == 0)) return x;
    return d.emit("aten.constant_pad_nd.default", {x, IntList({0, columns, 0, rows})});
  };
  return d.sum_of({padded(lower, n - k, 0), padded(upper, 0, m - k)});
}
AnyArg lu_unpack_tangent(D& d) {
  const Proxy t = d.tangent("LU_data");
  const int64_t k = std::min(d.known_size(t, -2), d.known_size(t, -1));
  return AnyArg::tuple({Argument(), tril(part(d, t, -1, 0, k), -1), triu(part(d, t, -2, 0, k))});
}

AnyArg lu_solve_factor_grad(D& d) {
  const bool left = d.flag("left"), adjoint = d.flag("adjoint");
  const Proxy g = d.grad(), x = d.value();
  const Proxy factors = d.emit("aten.lu_unpack.default", {d("LU"), d("pivots")});
  const Proxy p = factors[0], l = factors[1], u = factors[2];
  if (left != adjoint) {
    const Proxy outer = left ? matmul(neg(g), d.adjoint(x)) : matmul(neg(d.adjoint(g)), x);
    const Proxy right = solve_with(d, d.adjoint(u), outer, false, true);
    const Proxy lower = solve_with(d, d.adjoint(l), matmul(right, d.adjoint(u)), true, true, true);
    return tril(lower, -1) + triu(right);
  }
  const Proxy outer = left ? matmul(x, d.adjoint(g)) : matmul(d.adjoint(x), g);
  const Proxy turned = neg(matmul(matmul(transpose(p, -2, -1), outer), p));
  const Proxy right = solve_with(d, d.adjoint(l), turned, true, false, true);
  const Proxy upper = solve_with(d, d.adjoint(u), matmul(d.adjoint(l), right), false, false);
  return tril(right, -1) + triu(upper);
}
AnyArg lu_solve_grad(D& d) {
  return d.emit("aten.linalg_lu_solve.default", {d("LU"), d("pivots"), d.grad()},
                {{"left", d.flag("left")}, {"adjoint", !d.flag("adjoint")}});
}

// ---- Eigenvalues: A V = V diag(L)

/// Returns X / (L_j - L_i), where the divisor is 1 on the diagonal.
Proxy over_gaps(D& d, const Proxy& x, const Proxy& values) {
  const Proxy ones = d.expand_like(d.full({}, 1, values, d.dtype(values)), values);
  const Proxy gaps = unsqueeze(values, -2) - unsqueeze(values, -1);
  return x / (gaps + d.emit("aten.diag_embed.default", {ones}));
}
AnyArg eig_grad(D& d) {
  const Proxy values = d.value(0), vectors = d.value(1), g_values = d.grad(0),
              g_vectors = d.grad(1);
  const auto diagonal_matrix = [&](const Proxy& x) {
    return d.emit("aten.diag_embed.default", {x});
  };
  Proxy inner = g_values.defined() ? diagonal_matrix(g_values) : Proxy();
  if (g_vectors.defined()) {
    const Proxy product = matmul(d.adjoint(vectors), g_vectors);
    const Proxy lengths = d.real(product.diagonal(0, -2, -1));
    const Proxy unconstrained =
        product - matmul(d.adjoint(vectors), vectors) * unsqueeze(lengths, -2);
    const Proxy quotient = over_gaps(d, unconstrained, d.conj(values));
    // The diagonal of the quotient is the diagonal of `unconstrained`, and does not affect the
    // gradient of the eigenvalues.
    inner = d.sum_of({inner, quotient});
  }
  if (!inner.defined()) return Proxy();
  const Proxy solved = d.emit("aten._linalg_solve_ex.default",
                              {d.adjoint(vectors), matmul(inner, d.adjoint(vectors))});
  return solved[0];
}
AnyArg eig_tangent(D& d) {
  const Proxy values = d.value(0), vectors = d.value(1);
  const Proxy t = d.cast(d.tangent("self"), d.dtype(vectors));
  const Proxy inner = d.emit("aten._linalg_solve_ex.default", {vectors, matmul(t, vectors)})[0];
  const Proxy turned = over_gaps(d, inner, values);
  const Proxy off_diagonal =
      turned - d.emit("aten.diag_embed.default", {turned.diagonal(0, -2, -1)});
  const Proxy change = matmul(vectors, off_diagonal);
  // Eigenvectors have unit length, so the component of the change along them is removed.
  const Proxy along = d.real(sum(d.conj(vectors) * change, {-2}, true));
  return AnyArg::tuple({inner.diagonal(0, -2, -1), change - vectors * along});
}

// ---- Least squares

Proxy pinv_grad_of(D& d, const Proxy& g, const Proxy& pinv, const Proxy& a) {
  const Proxy pinv_h = d.adjoint(pinv), g_h = d.adjoint(g);
  if (d.known_size(a, -2) <= d.known_size(a, -1)) {
    const Proxy k = matmul(g_h, pinv), k_pinv = matmul(k, pinv_h);
    return neg(d.adjoint(matmul(pinv, k))) + k_pinv - matmul(matmul(a, pinv), k_pinv) +
           matmul(matmul(pinv_h, pinv), g_h - matmul(k, a));
  }
  const Proxy k = matmul(pinv, g_h), pinv_k = matmul(pinv_h, k);
  return neg(d.adjoint(matmul(k, pinv))) + matmul(matmul(g_h - matmul(a, k), pinv), pinv_h) +
         pinv_k - matmul(matmul(pinv_k, pinv), a);
}
AnyArg pinv_grad(D& d) { return pinv_grad_of(d, d.grad(), d.value(), d("self")); }

AnyArg lstsq_grads(D& d) {
  const Proxy a = d("self"), b = d("b"), g = d.grad(0);
  const bool is_vector = d.rank(b) == d.rank(a) - 1;
  const auto matrix = [&](const Proxy& x) { return is_vector ? unsqueeze(x, -1) : x; };
  Proxy a_grad, b_grad;
  if (g.defined()) {
    const Proxy pinv = d.emit("aten.linalg_pinv.atol_rtol_tensor", {a});
    if (d.needs_grad("self"))
      a_grad = pinv_grad_of(d, matmul(matrix(g), d.adjoint(matrix(b))), pinv, a);
    if (d.needs_grad("b")) b_grad = matmul(d.adjoint(pinv), matrix(g));
  }
  // The solution minimizes the residuals, so its derivative contributes nothing. The residuals may
  // be empty.
  if (d.grad(1).defined() && !d.is_empty(d.value(1))) {
    const Proxy x = matrix(d.value(0));
    const Proxy slope = (matmul(a, x) - matrix(b)) * unsqueeze(d.grad(1), -2) * 2;
    if (d.needs_grad("self")) a_grad = d.sum_of({a_grad, matmul(slope, d.adjoint(x))});
    if (d.needs_grad("b")) b_grad = d.sum_of({b_grad, neg(slope)});
  }
  if (b_grad.defined() && is_vector) b_grad = d.emit("aten.squeeze.dim", {b_grad, -1});
  const auto given = [](const Proxy& x) { return x.defined() ? AnyArg(x) : AnyArg(Argument()); };
  return AnyArg::tuple({given(a_grad), given(b_grad)});
}

AnyArg triangular_solve_grads(D& d) {
  const bool upper = d.flag("upper"), transposed = d.flag("transpose");
  const bool unit = d.flag("unitriangular");
  const Proxy a = d("A"), g = d.grad(0), x = d.value(0);
  AnyArg b_grad(std::nullopt), a_grad(std::nullopt);
  Proxy from_clone = d.grad(1);
  if (g.defined()) {
    const Proxy solved =
        d.emit("aten.triangular_solve.default", {g, d.conj(a), upper, !transposed, unit})[0];
    b_grad = solved;
    const Proxy outer = transposed ? neg(matmul(d.conj(x), transpose(solved, -2, -1)))
                                   : neg(matmul(solved, d.adjoint(x)));
    const int64_t diagonal = unit ? 1 : 0;
    from_clone = d.sum_of({from_clone, upper ? triu(outer, diagonal) : tril(outer, -diagonal)});
  }
  if (from_clone.defined() && d.needs_grad("A")) a_grad = from_clone;
  return AnyArg::tuple({b_grad, a_grad});
}

// ---- The exponential: a directional derivative is a block of the exponential of a larger matrix

Proxy exponential_derivative(D& d, const Proxy& a, const Proxy& direction) {
  const int64_t size = d.known_size(a, -1);
  const Proxy top = cat({a, direction}, -1), bottom = cat({zeros_like(a), a}, -1);
  const Proxy exponential = d.emit("aten.linalg_matrix_exp.default", {cat({top, bottom}, -2)});
  return part(d, part(d, exponential, -2, 0, size), -1, size, 2 * size);
}

}  // namespace

Proxy lu_data_grad(D& d, const Proxy& lu, const Proxy& pivots, const Proxy& grad, bool has_pivots) {
  const int64_t k = std::min(d.known_size(lu, -2), d.known_size(lu, -1));
  const Proxy factors = d.emit("aten.lu_unpack.default", {lu, pivots, true, has_pivots});
  const Factors f{factors[0], factors[1], factors[2], has_pivots};
  return lu_grad(d, f, part(d, grad, -1, 0, k), part(d, grad, -2, 0, k));
}

absl::Span<const DerivativeRow> triangular_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.linalg_lu.default", kTransposed, {{"A", lu_grads}}},
      {"aten.linalg_lu_factor_ex.default", kTransposed, {{"A", lu_factor_grad}}},
      {"aten.lu_unpack.default", kFunction, {{"LU_data", lu_unpack_grad}}, lu_unpack_tangent},
      {"aten.linalg_lu_solve.default",
       kTransposed,
       {{"LU", lu_solve_factor_grad}, {"B", lu_solve_grad}}},
      {"aten.linalg_eig.default", kFunction, {{"self", eig_grad}}, eig_tangent},
      {"aten.linalg_pinv.atol_rtol_tensor", kTransposed, {{"self", pinv_grad}}},
      {"aten.linalg_lstsq.default", kTransposed, {{"self, b", lstsq_grads}}},
      {"aten.triangular_solve.default", kTransposed, {{"self, A", triangular_solve_grads}}},
      {"aten.linalg_matrix_exp.default",
       kFunction,
       {{"self", [](D& d) { return exponential_derivative(d, d.adjoint(d("self")), d.grad()); }}},
       [](D& d) { return exponential_derivative(d, d("self"), d.tangent("self")); }},
  };
  return kRows;
}

}  // namespace fx
