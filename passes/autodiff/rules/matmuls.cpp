// Products of matrices and vectors.
#include "fx/passes/autodiff/rules_internal.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// True for a column-major matrix. libtorch computes its gradient as a transpose, which has the
/// same strides.
bool is_column_major_matrix(D& d, const Proxy& x) {
  const Type type = d.type(x);
  return type.has_strides() && type.rank() == 2 && type.stride(0) == Dim(1) &&
         type.stride(1).canonical() == type.size(0).canonical();
}
Proxy t_of(D& d, const Proxy& x) { return d.emit("aten.t.default", {x}); }

/// Returns the gradient of a for a @ b = y.
Proxy left_grad(D& d, const Proxy& a, const Proxy& b) {
  const Proxy g = d.grad();
  if (is_column_major_matrix(d, a)) return t_of(d, mm(d.conj(b), t_of(d, g)));
  return mm(g, d.conj(t_of(d, b)));
}
Proxy right_grad(D& d, const Proxy& a, const Proxy& b) {
  const Proxy g = d.grad();
  if (is_column_major_matrix(d, b)) return t_of(d, mm(t_of(d, g), d.conj(a)));
  return mm(d.conj(t_of(d, a)), g);
}
/// Returns `x` times the number argument `name`. The number is not conjugated, because `x` is a
/// tangent.
Proxy times(D& d, const Proxy& x, std::string_view name) {
  return d.argument(name) == Argument(1) ? x : x * d.scalar(name);
}
/// Returns the tangent of beta * self + alpha * op(left, right). libtorch multiplies each term of
/// the product rule by alpha, which may be infinite.
AnyArg affine_tangent(D& d, std::string_view op, std::string_view left, std::string_view right,
                      Proxy (*sum_batch)(const Proxy&) = nullptr) {
  const Proxy self = d.tangent("self"), a = d.tangent(left), b = d.tangent(right);
  const auto term = [&](const Proxy& x, const Proxy& y) {
    const Proxy product = d.emit(op, {x, y});
    return times(d, sum_batch == nullptr ? product : sum_batch(product), "alpha");
  };
  return d.sum_of({self.defined() ? d.conform_tangent(times(d, self, "beta"), d.value()) : Proxy(),
                   a.defined() ? term(a, d(right)) : Proxy(),
                   b.defined() ? term(d(left), b) : Proxy()});
}
AnyArg beta_grad(D& d) { return d.scaled(d.grad(), "beta"); }

// ---- matmul: vectors are matrices with one row or column

Proxy matmul_grad(D& d, std::string_view left, std::string_view right, bool is_left) {
  const Proxy a = d(left), b = d(right);
  const int64_t m = d.rank(a), n = d.rank(b);
  Proxy g = d.grad();
  if (m == 1 && n == 1) return g * d.conj(is_left ? b : a);
  if (m == 1) g = unsqueeze(g, -2);
  if (n == 1) g = unsqueeze(g, -1);
  if (is_left) {
    const Proxy matrix = n == 1 ? unsqueeze(b, -1) : b;
    const Proxy result = matmul(g, d.adjoint(matrix));
    return m == 1 ? d.sum_to(d.emit("aten.squeeze.dim", {result, -2}), a) : result;
  }
  const Proxy matrix = m == 1 ? unsqueeze(a, -2) : a;
  const Proxy result = matmul(d.adjoint(matrix), g);
  return n == 1 ? d.sum_to(d.emit("aten.squeeze.dim", {result, -1}), b) : result;
}

// ---- linear: x @ w^T + b

AnyArg linear_input(D& d) {
  const Proxy w = d("weight"), g = d.grad();
  if (d.rank(w) == 1) return unsqueeze(g, -1) * d.conj(w);
  return matmul(g, d.conj(w));
}
AnyArg linear_weight(D& d) {
  const Proxy x = d("input"), w = d("weight"), g = d.grad();
  const int64_t rank = d.rank(x);
  if (d.rank(w) == 1) return unsqueeze(g, -1) * d.conj(x);
  if (rank == 1) return unsqueeze(g, -1) * d.conj(x);
  const auto rows = [&](const Proxy& values) {
    return rank == 2 ? values : d.reshape(values, {-1, d.size(values, -1)});
  };
  return mm(t_of(d, rows(g)), d.conj(rows(x)));
}
AnyArg linear_tangent(D& d) {
  const Proxy x = d.tangent("input"), w = d.tangent("weight"), b = d.tangent("bias");
  const auto product = [&](const Proxy& a, const Proxy& m) {
    return d.emit("aten.linear.default", {a, m});
  };
  return d.sum_of({x.defined() ? product(x, d("weight")) : Proxy(),
                   w.defined() ? product(d("input"), w) : Proxy(),
                   b.defined() ? d.conform_tangent(b, d.value()) : Proxy()});
}

Proxy batch1_grad(D& d, const Proxy& grad) {
  return d.scaled(bmm(grad, d.adjoint(d("batch2"))), "alpha");
}
Proxy batch2_grad(D& d, const Proxy& grad) {
  return d.scaled(bmm(d.adjoint(d("batch1")), grad), "alpha");
}
/// Expands the gradient of a sum over a batch to the items of the batch.
Proxy for_each_batch(D& d) {
  const Proxy a = d("batch1"), b = d("batch2");
  return unsqueeze(d.grad(), 0).expand({d.size(a, 0), d.size(a, 1), d.size(b, 2)});
}

}  // namespace

absl::Span<const DerivativeRow> matmul_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.mm.default",
       kMultilinear,
       {{"self", [](D& d) { return left_grad(d, d("self"), d("mat2")); }},
        {"mat2", [](D& d) { return right_grad(d, d("self"), d("mat2")); }}}},
      {"aten.addmm.default",
       kFunction,
       {{"self", beta_grad},
        {"mat1", [](D& d) { return d.scaled(left_grad(d, d("mat1"), d("mat2")), "alpha"); }},
        {"mat2", [](D& d) { return d.scaled(right_grad(d, d("mat1"), d("mat2")), "alpha"); }}},
       [](D& d) { return affine_tangent(d, "aten.mm.default", "mat1", "mat2"); }},
      {"aten.bmm.default",
       kMultilinear,
       {{"self", [](D& d) { return bmm(d.grad(), d.conj(transpose(d("mat2"), 1, 2))); }},
        {"mat2", [](D& d) { return bmm(d.conj(transpose(d("self"), 1, 2)), d.grad()); }}}},
      {"aten.baddbmm.default",
       kFunction,
       {{"self", beta_grad},
        {"batch1", [](D& d) { return batch1_grad(d, d.grad()); }},
        {"batch2", [](D& d) { return batch2_grad(d, d.grad()); }}},
       [](D& d) { return affine_tangent(d, "aten.bmm.default", "batch1", "batch2"); }},
      {"aten.addbmm.default",
       kFunction,
       {{"self", beta_grad},
        {"batch1", [](D& d) { return batch1_grad(d, for_each_batch(d)); }},
        {"batch2", [](D& d) { return batch2_grad(d, for_each_batch(d)); }}},
       [](D& d) {
         return affine_tangent(d, "aten.bmm.default", "batch1", "batch2",
                               [](const Proxy& products) { return sum(products, {0}); });
       }},
      {"aten.mv.default",
       kMultilinear,
       {{"self", [](D& d) { return unsqueeze(d.grad(), 1) * d.conj(d("vec")); }},
        {"vec", [](D& d) { return mv(d.conj(t_of(d, d("self"))), d.grad()); }}}},
      {"aten.addmv.default",
       kFunction,
       {{"self", beta_grad},
        {"mat", [](D& d) { return d.scaled(unsqueeze(d.grad(), 1) * d.conj(d("vec")), "alpha"); }},
        {"vec", [](D& d) { return d.scaled(mv(d.conj(t_of(d, d("mat"))), d.grad()), "alpha"); }}},
       [](D& d) { return affine_tangent(d, "aten.mv.default", "mat", "vec"); }},
      {"aten.addr.default",
       kFunction,
       {{"self", beta_grad},
        {"vec1", [](D& d) { return d.scaled(mv(d.grad(), d.conj(d("vec2"))), "alpha"); }},
        {"vec2", [](D& d) { return d.scaled(mv(t_of(d, d.grad()), d.conj(d("vec1"))), "alpha"); }}},
       [](D& d) { return affine_tangent(d, "aten.outer.default", "vec1", "vec2"); }},
      {"aten.outer.default",
       kMultilinear,
       {{"self", [](D& d) { return mv(d.grad(), d.conj(d("vec2"))); }},
        {"vec2", [](D& d) { return mv(t_of(d, d.grad()), d.conj(d("self"))); }}}},
      {"aten.ger.default",
       kMultilinear,
       {{"self", [](D& d) { return mv(d.grad(), d.conj(d("vec2"))); }},
        {"vec2", [](D& d) { return mv(t_of(d, d.grad()), d.conj(d("self"))); }}}},
      {"aten.dot.default",
       kMultilinear,
       {{"self", [](D& d) { return d.grad() * d.conj(d("tensor")); }},
        {"tensor", [](D& d) { return d.grad() * d.conj(d("self")); }}}},
      {"aten.vdot.default",
       kMultilinear,
       {{"self", [](D& d) { return d.conj(d.grad()) * d("other"); }},
        {"other", [](D& d) { return d.grad() * d("self"); }}}},
      {"aten.matmul.default",
       kMultilinear,
       {{"self", [](D& d) { return matmul_grad(d, "self", "other", true); }},
        {"other", [](D& d) { return matmul_grad(d, "self", "other", false); }}}},
      {"aten.linear.default",
       kFunction,
       {{"input", linear_input},
        {"weight", linear_weight},
        {"bias", [](D& d) { return d.grad(); }}},
       linear_tangent},
      {"aten._cdist_forward.default",
       kTransposed,
       {{"x1",
         [](D& d) {
           return d.emit("aten._cdist_backward.default",
                         {d.grad().contiguous(), d("x1"), d("x2"), d.number("p"), d.value()});
         }},
        {"x2",
         [](D& d) {
           const auto swapped = [](const Proxy& x) { return transpose(x, -2, -1).contiguous(); };
           return d.emit("aten._cdist_backward.default",
                         {swapped(d.grad()), d("x2"), d("x1"), d.number("p"), swapped(d.value())});
         }}}},
      {"aten.linalg_cross.default",
       kMultilinear,
       {{"self",
         [](D& d) {
           return d.emit("aten.linalg_cross.default", {d.conj(d("other")), d.grad()},
                         {{"dim", d.integer("dim")}});
         }},
        {"other",
         [](D& d) {
           return d.emit("aten.linalg_cross.default", {d.grad(), d.conj(d("self"))},
                         {{"dim", d.integer("dim")}});
         }}}},
  };
  return kRows;
}

}  // namespace fx
