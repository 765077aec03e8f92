// Linear algebra and Fourier transforms.
#include "fx/passes/autodiff/rules_internal.h"

#include <optional>
namespace fx {
namespace {

/// Half of the spectrum of a real signal represents the full spectrum: each of its elements counts
/// twice except the first and, for an even size, the last.
AnyArg r2c_grad(D& d) {
  const Proxy x = d("self"), g = d.grad();
  const int64_t normalization = d.integer("normalization");
  const std::vector<int64_t> dims = d.integers("dim");
  const auto c2c = [&](const Proxy& values) {
    return d.emit("aten._fft_c2c.default", {values, IntList(dims), normalization, false});
  };
  if (!d.flag("onesided")) return d.real(c2c(g));
  const int64_t last = d.wrapped(dims.back(), d.rank(x));
  std::vector<IntArg> sizes = d.sizes(g);
  const int64_t half = d.known_size(g, last), full = d.known_size(x, last);
  if (full == half) return d.real(c2c(g));
  std::vector<int64_t> pad(static_cast<size_t>(2 * (d.rank(g) - last)), 0);
  pad.back() = full - half;
  const Proxy padded = d.emit("aten.constant_pad_nd.default", {g, IntList(pad), 0});
  return d.real(c2c(padded));
}
AnyArg c2r_grad(D& d) {
  const Proxy g = d.grad();
  const std::vector<int64_t> dims = d.integers("dim");
  const int64_t last = d.wrapped(dims.back(), d.rank(g));
  const Proxy spectrum =
      d.emit("aten._fft_r2c.default", {g, IntList(dims), d.integer("normalization"), true});
  const int64_t size = d.known_size(g, last), half = d.known_size(spectrum, last);
  const int64_t doubled = size - half;
  if (doubled <= 0) return spectrum;
  const Proxy begin = d.slice(spectrum, last, 0, 1);
  const Proxy middle = d.slice(spectrum, last, 1, 1 + doubled) * 2;
  if (1 + doubled >= half) return cat({begin, middle}, last);
  return cat({begin, middle, d.slice(spectrum, last, 1 + doubled, half)}, last);
}
AnyArg c2c_grad(D& d) {
  return d.emit("aten._fft_c2c.default", {d.grad(), IntList(d.integers("dim")),
                                          d.integer("normalization"), !d.flag("forward")});
}

AnyArg inverse_grad(D& d) {
  const Proxy adjoint = d.adjoint(d.value(0));
  return neg(matmul(adjoint, matmul(d.grad(0), adjoint)));
}
AnyArg inverse_tangent(D& d) {
  const Proxy y = d.value(0);
  return AnyArg::tuple({neg(matmul(matmul(y, d.tangent("A")), y)), Argument()});
}

/// Handles the solution of A X = B, or of X A = B.
AnyArg solve_grads(D& d) {
  const Proxy x = d.value(0), a = d("A"), b = d("B");
  const bool left = d.flag("left");
  const bool is_vector = left && d.rank(b) < d.rank(a);
  const Proxy lu = d.value(1), pivots = d.value(2);
  const auto matrix = [&](const Proxy& values) {
    return is_vector ? unsqueeze(values, -1) : values;
  };
  AnyArg a_grad(std::nullopt), b_grad(std::nullopt);
  Proxy a_term;
  if (d.grad(0).defined()) {
    const Proxy solution = d.emit("aten.linalg_lu_solve.default", {lu, pivots, matrix(d.grad(0))},
                                  {{"left", left}, {"adjoint", true}});
    b_grad = is_vector ? d.emit("aten.squeeze.dim", {solution, -1}) : solution;
    if (d.needs_grad("A")) {
      a_term =
          left ? matmul(neg(solution), d.adjoint(matrix(x))) : matmul(neg(d.adjoint(x)), solution);
    }
  }
  if (d.grad(1).defined() && d.needs_grad("A")) {
    a_term = d.sum_of({a_term, lu_data_grad(d, lu, pivots, d.grad(1), true)});
  }
  if (a_term.defined()) a_grad = a_term;
  return AnyArg::tuple({a_grad, b_grad});
}

AnyArg solve_triangular_grads(D& d) {
  const Proxy g = d.grad(), x = d.value(), a = d("self");
  const bool upper = d.flag("upper"), left = d.flag("left"), unit = d.flag("unitriangular");
  const Proxy b_grad = d.emit("aten.linalg_solve_triangular.default", {d.adjoint(a), g},
                              {{"upper", !upper}, {"left", left}, {"unitriangular", unit}});
  AnyArg a_grad(std::nullopt);
  if (d.needs_grad("self")) {
    const Proxy product =
        left ? neg(matmul(b_grad, d.adjoint(x))) : neg(matmul(d.adjoint(x), b_grad));
    const int64_t diagonal = unit ? 1 : 0;
    a_grad = upper ? AnyArg(triu(product, diagonal)) : AnyArg(tril(product, -diagonal));
  }
  return AnyArg::tuple({a_grad, b_grad});
}

/// Handles the solution of L L^H X = B, with the factor as `input2`.
AnyArg cholesky_solve_grads(D& d) {
  const Proxy g = d.grad(), x = d.value(), factor = d("input2");
  const bool upper = d.flag("upper");
  const Proxy b_grad = d.emit("aten.cholesky_solve.default", {g, factor, upper});
  AnyArg factor_grad(std::nullopt);
  if (d.needs_grad("input2")) {
    const Proxy outer = matmul(b_grad, d.adjoint(x));
    const Proxy both = neg(outer + d.adjoint(outer));
    factor_grad = upper ? AnyArg(matmul(factor, both)) : AnyArg(matmul(both, factor));
  }
  return AnyArg::tuple({b_grad, factor_grad});
}

/// Handles the inverse of L L^H, with the factor as the operand.
AnyArg cholesky_inverse_grad(D& d) {
  const Proxy g = d.grad(), y = d.value(), factor = d("self");
  const Proxy both = matmul(y, matmul(g + d.adjoint(g), y));
  return d.flag("upper") ? neg(matmul(factor, both)) : neg(matmul(both, factor));
}
AnyArg cholesky_inverse_tangent(D& d) {
  const bool upper = d.flag("upper");
  const Proxy x = d.value(), factor = d("self"), t = d.tangent("self");
  const Proxy left = upper ? d.adjoint(t) : t, right = upper ? factor : d.adjoint(factor);
  const Proxy half = matmul(matmul(matmul(neg(x), left), right), x);
  return half + d.adjoint(half);
}

}  // namespace

absl::Span<const DerivativeRow> linalg_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten._fft_r2c.default", kLinear, {{"self", r2c_grad}}},
      {"aten._fft_c2r.default", kLinear, {{"self", c2r_grad}}},
      {"aten._fft_c2c.default", kLinear, {{"self", c2c_grad}}},
      {"aten.linalg_inv_ex.default", kFunction, {{"A", inverse_grad}}, inverse_tangent},
      {"aten._linalg_solve_ex.default", kTransposed, {{"A, B", solve_grads}}},
      {"aten.linalg_solve_triangular.default", kTransposed, {{"self, B", solve_triangular_grads}}},
      {"aten.cholesky_solve.default", kTransposed, {{"self, input2", cholesky_solve_grads}}},
      {"aten.cholesky_inverse.default",
       kFunction,
       {{"self", cholesky_inverse_grad}},
       cholesky_inverse_tangent},
  };
  return kRows;
}

}  // namespace fx
