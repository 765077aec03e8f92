// Type functions for linear algebra and distances.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <optional>

namespace fx::shape {
namespace {

/// Returns the strides of batches of column-major matrices, LAPACK's layout.
DimVector column_major(absl::Span<const Dim> sizes) {
  DimVector swapped = to_vector(sizes);
  const size_t n = swapped.size();
  std::swap(swapped[n - 1], swapped[n - 2]);
  DimVector strides = contiguous_strides(swapped);
  std::swap(strides[n - 1], strides[n - 2]);
  return strides;
}
Type columns(TypeCall& c, DType dtype, absl::Span<const Dim> sizes) {
  return c.result(dtype, sizes, column_major(sizes));
}

bool check_matrix(TypeCall& c, Type a, bool square) {
  const size_t n = a.sizes().size();
  if (n >= 2 && (!square || c.guard_equal(a.sizes()[n - 1], a.sizes()[n - 2]))) return true;
  c.fail(fmt::format("the input must be a batch of {}matrices, not {}", square ? "square " : "",
                     to_string(a)));
  return false;
}
absl::Span<const Dim> batch_of(Type a) { return a.sizes().subspan(0, a.sizes().size() - 2); }

/// linalg_cholesky_ex(self)
Type cholesky_ex(TypeCall& c) {
  const Type a = c.tensor(0);
  if (!check_matrix(c, a, true)) return Type();
  return c.tuple({columns(c, a.dtype(), a.sizes()), c.result(DType::kInt32, batch_of(a))});
}
Type cholesky(TypeCall& c) {
  const Type a = c.tensor(0);
  return check_matrix(c, a, true) ? columns(c, a.dtype(), a.sizes()) : Type();
}

/// cholesky(self): accepts an empty tensor of any shape.
Type legacy_cholesky(TypeCall& c) {
  const Type a = c.tensor(0);
  return numel(a.sizes()) == Dim(0) ? c.result(a.dtype(), a.sizes()) : cholesky(c);
}

/// True if B is a single vector, or a batch of vectors: it has the sizes of A without the last
/// dimension.
bool is_vector_case(TypeCall& c, Type a, Type b) {
  if (b.rank() == 1) return true;
  if (a.rank() - 1 != b.rank()) return false;
  return same_sizes(c, a.sizes().subspan(0, a.sizes().size() - 1), b.sizes());
}

struct Solution {
  DimVector batch, sizes;
  bool is_vector = false;
};
/// Returns the sizes of A^-1 B, or of B A^-1 if `left` is false, with broadcast batches. Returns
/// nullopt if the call fails.
std::optional<Solution> solution_of(TypeCall& c, Type a, Type b, bool left) {
  if (!check_matrix(c, a, true)) return std::nullopt;
  Solution s;
  s.is_vector = left && is_vector_case(c, a, b);
  const size_t rows = s.is_vector ? 1 : 2;
  if (b.sizes().size() < rows) {
    c.fail(fmt::format("incompatible shapes of A and B for the equation AX = B ({} and {})",
                       to_string(a), to_string(b)));
    return std::nullopt;
  }
  s.batch = to_vector(batch_of(a));
  if (!broadcast(c, s.batch, b.sizes().subspan(0, b.sizes().size() - rows))) return std::nullopt;
  const Dim side = s.is_vector || !left ? b.sizes().back() : b.sizes()[b.sizes().size() - 2];
  if (!c.guard_equal(a.sizes().back(), side)) {
    c.fail(fmt::format("incompatible shapes of A and B for the equation AX = B ({} and {})",
                       to_string(a), to_string(b)));
    return std::nullopt;
  }
  s.sizes = s.batch;
  s.sizes.insert(s.sizes.end(), b.sizes().end() - static_cast<ptrdiff_t>(rows), b.sizes().end());
  return s;
}
Type solution_type(TypeCall& c, DType dtype, const Solution& s, bool left) {
  // A batch of vectors has the layout of a batch of matrices.
  if (!left || s.sizes.size() < 2) return c.result(dtype, s.sizes);
  return columns(c, dtype, s.sizes);
}

/// _linalg_solve_ex(A, B, left)
Type solve_ex(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  const bool left = c.boolean(2);
  const auto s = solution_of(c, a, b, left);
  if (!s) return Type();
  DimVector pivots(a.sizes().begin(), a.sizes().end() - 1);
  const Type lu = columns(c, a.dtype(), a.sizes());
  return c.tuple({solution_type(c, b.dtype(), *s, left), lu, c.result(DType::kInt32, pivots),
                  c.result(DType::kInt32, batch_of(a))});
}
/// linalg_solve_ex(A, B, left, check_errors): returns the solution and the error codes of
/// _linalg_solve_ex.
Type solve_ex_result(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  const bool left = c.boolean(2);
  const auto s = solution_of(c, a, b, left);
  if (!s) return Type();
  return c.tuple({solution_type(c, b.dtype(), *s, left), c.result(DType::kInt32, batch_of(a))});
}
Type solve(TypeCall& c) {
  const auto s = solution_of(c, c.tensor(0), c.tensor(1), c.boolean(2));
  return s ? solution_type(c, c.tensor(1).dtype(), *s, c.boolean(2)) : Type();
}
/// linalg_lu_solve(LU, pivots, B, left)
Type lu_solve(TypeCall& c) {
  const Type lu = c.tensor(0), b = c.tensor(2);
  if (!check_matrix(c, lu, true) || !check_matrix(c, b, false)) return Type();
  DimVector sizes = to_vector(batch_of(lu));
  if (!broadcast(c, sizes, batch_of(b))) return Type();
  sizes.insert(sizes.end(), b.sizes().end() - 2, b.sizes().end());
  return c.boolean(3) ? columns(c, b.dtype(), sizes) : c.result(b.dtype(), sizes);
}
/// linalg_solve_triangular(A, B, upper, left)
Type solve_triangular(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (!check_matrix(c, a, true) || !check_matrix(c, b, false)) return Type();
  DimVector sizes = to_vector(batch_of(a));
  if (!broadcast(c, sizes, batch_of(b))) return Type();
  sizes.insert(sizes.end(), b.sizes().end() - 2, b.sizes().end());
  return columns(c, a.dtype(), sizes);
}
/// triangular_solve(B, A): returns the solution and a copy of A.
Type triangular_solve(TypeCall& c) {
  const Type b = c.tensor(0), a = c.tensor(1);
  if (!check_matrix(c, a, true) || !check_matrix(c, b, false)) return Type();
  DimVector batch = to_vector(batch_of(a));
  if (!broadcast(c, batch, batch_of(b))) return Type();
  DimVector sizes = batch, copy = batch;
  sizes.insert(sizes.end(), b.sizes().end() - 2, b.sizes().end());
  copy.insert(copy.end(), a.sizes().end() - 2, a.sizes().end());
  return c.tuple({columns(c, b.dtype(), sizes), columns(c, a.dtype(), copy)});
}
/// cholesky_solve(B, L)
Type cholesky_solve(TypeCall& c) {
  const Type b = c.tensor(0), l = c.tensor(1);
  if (!check_matrix(c, l, true) || !check_matrix(c, b, false)) return Type();
  DimVector sizes = to_vector(batch_of(l));
  if (!broadcast(c, sizes, batch_of(b))) return Type();
  sizes.insert(sizes.end(), b.sizes().end() - 2, b.sizes().end());
  return columns(c, b.dtype(), sizes);
}

/// linalg_inv_ex(A)
Type inv_ex(TypeCall& c) {
  const Type a = c.tensor(0);
  if (!check_matrix(c, a, true)) return Type();
  return c.tuple({columns(c, a.dtype(), a.sizes()), c.result(DType::kInt32, batch_of(a))});
}
Type inverse(TypeCall& c) { return cholesky(c); }
/// linalg_tensorinv(self, ind): inverts self as a matrix whose rows are the first `ind` dimensions
/// and whose columns are the other dimensions. The latter come first in the result.
Type tensor_inverse(TypeCall& c) {
  const Type a = c.tensor(0);
  const int64_t ind = c.integer(1);
  if (ind < 1 || ind > a.rank())
    return c.fail(fmt::format("ind must be in [1, {}], but is {}", a.rank(), ind));
  const auto rows = a.sizes().subspan(0, index(static_cast<int>(ind)));
  const auto others = a.sizes().subspan(rows.size());
  const Dim n = numel(rows);
  if (!c.guard_equal(n, numel(others))) {
    return c.fail(fmt::format(
        "the product of the first {} sizes of {} must equal the product of the other sizes", ind,
        to_string(a)));
  }
  DimVector sizes(others.begin(), others.end());
  sizes.insert(sizes.end(), rows.begin(), rows.end());
  const Dim square[] = {n, n};
  const Type matrix = columns(c, a.dtype(), square);
  return matrix ? reshape(c, matrix, sizes) : Type();
}
/// linalg_tensorsolve(self, other, dims): self, with `dims` moved to the end, has the sizes of
/// `other` followed by the sizes of the result.
Type tensor_solve(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  absl::InlinedVector<int64_t, 6> dims = c.integers(2);
  std::vector<bool> moved(a.sizes().size(), false);
  for (int64_t& dim : dims) {
    dim = sized_dim(c, dim, a.rank());
    if (dim < 0) return Type();
    if (moved[static_cast<size_t>(dim)])
      return c.fail(fmt::format("dimension {} appears multiple times", dim));
    moved[static_cast<size_t>(dim)] = true;
  }
  DimVector sizes;  // sizes of self with `dims` last
  for (size_t i = 0; i < moved.size(); ++i)
    if (!moved[i]) sizes.push_back(a.sizes()[i]);
  for (const int64_t dim : dims) sizes.push_back(a.sizes()[static_cast<size_t>(dim)]);
  if (sizes.size() < b.sizes().size())
    return c.fail(fmt::format("self must have at least as many dimensions as other: {} vs. {}",
                              a.rank(), b.rank()));
  const absl::Span<const Dim> all(sizes);
  const auto rows = static_cast<size_t>(b.rank());
  if (!c.guard_equal(numel(all.first(rows)), numel(all.subspan(rows))) ||
      !c.guard_equal(numel(b.sizes()), numel(all.first(rows))))
    return c.fail(
        fmt::format("self, {}, must be a square matrix with a row for each element of other, {}",
                    to_string(a), to_string(b)));
  sizes.erase(sizes.begin(), sizes.begin() + b.rank());
  return c.result(a.dtype(), sizes);
}

Type determinant(TypeCall& c) {
  const Type a = c.tensor(0);
  return check_matrix(c, a, true) ? c.result(a.dtype(), batch_of(a)) : Type();
}
Type slogdet(TypeCall& c) {
  const Type a = c.tensor(0);
  if (!check_matrix(c, a, true)) return Type();
  return c.tuple({c.result(a.dtype(), batch_of(a)), c.result(real_of(a.dtype()), batch_of(a))});
}

/// linalg_lstsq(A, B)
Type lstsq(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (!check_matrix(c, a, false)) return Type();
  const size_t n = a.sizes().size();
  const Dim m = a.sizes()[n - 2], k = a.sizes()[n - 1];
  const bool is_vector = b.rank() == 1 || (a.rank() - 1 == b.rank() &&
                                           same_sizes(c, a.sizes().subspan(0, n - 1), b.sizes()));
  if (!is_vector && b.rank() < 2)
    return c.fail("other must have at least 1 dimension, or 2 for a batch of matrices");
  DimVector batch = to_vector(batch_of(a));
  const size_t drop = is_vector ? 1 : 2;
  if (!broadcast(c, batch, b.sizes().subspan(0, b.sizes().size() - drop))) return Type();
  DimVector sizes = batch;
  sizes.push_back(k);
  if (!is_vector) sizes.push_back(b.sizes().back());
  // If there are more rows than columns, the solution is the upper part of a taller matrix.
  DimVector tall = sizes;
  tall[batch.size()] = max(m, k);
  DimVector matrix = tall;
  if (is_vector) matrix.push_back(1);
  DimVector strides = column_major(matrix);
  if (is_vector) strides.pop_back();
  const std::string_view driver = c.is_none(3) ? "gelsy" : c.string(3);
  const Type empty = c.result(real_of(a.dtype()), {Dim(0)});
  DimVector residuals = batch;
  residuals.push_back(is_vector ? Dim(1) : b.sizes().back());
  const bool has_rank = driver != "gels";
  DimVector values = batch;
  values.push_back(min(m, k));
  const bool is_overdetermined = m.is_int() && k.is_int() && m.value() > k.value();
  return c.tuple(
      {c.result(b.dtype(), sizes, strides),
       is_overdetermined && driver != "gelsy" ? c.result(real_of(a.dtype()), residuals) : empty,
       has_rank ? c.result(DType::kInt64, batch) : c.result(DType::kInt64, {Dim(0)}),
       driver == "gelss" || driver == "gelsd" ? c.result(real_of(a.dtype()), values)
                                              : c.result(real_of(a.dtype()), {Dim(0)})});
}

/// linalg_cross(self, other, dim)
Type cross_along(TypeCall& c, bool default_first) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (a.rank() != b.rank()) return c.fail("inputs must have the same number of dimensions");
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  if (default_first && c.is_none(2)) {
    bool found = false;
    for (const Dim& size : a.sizes()) found = found || size == Dim(3);
    if (!found) return c.fail("no dimension of size 3 in input");
  } else {
    const int dim = wrap_dim(c, c.integer(2), a.rank());
    if (dim < 0 || a.rank() == 0 || !c.guard_equal(a.sizes()[index(dim)], 3))
      return c.fail("inputs must have size 3 in dimension dim");
  }
  DimVector sizes = to_vector(a.sizes());
  if (!broadcast(c, sizes, b.sizes())) return Type();
  return c.result(promotion.result(), sizes);
}
Type linalg_cross(TypeCall& c) { return cross_along(c, false); }
Type cross(TypeCall& c) { return cross_along(c, true); }

/// cdist(x1, x2, p, compute_mode): the distances between the rows of x1 and the rows of x2.
Type cdist(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  const auto mode = c.argument(3).as_dim();
  if (c.number(2) < 0) return c.fail_argument(2, "at least 0");
  if (mode && mode->is_int() && (mode->value() < 0 || mode->value() > 2))
    return c.fail_argument(3, "0, 1 or 2");
  if (!check_matrix(c, a, false) || !check_matrix(c, b, false)) return Type();
  if (!c.guard_equal(a.sizes().back(), b.sizes().back()))
    return c.fail(fmt::format("x1 and x2 must have the same number of columns: {} vs. {}",
                              to_string(a), to_string(b)));
  DimVector sizes = to_vector(batch_of(a));
  if (!broadcast(c, sizes, batch_of(b))) return Type();
  sizes.push_back(a.sizes()[a.sizes().size() - 2]);
  sizes.push_back(b.sizes()[b.sizes().size() - 2]);
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  return c.result(promotion.result(), sizes);
}
/// _cdist_backward(grad, x1, x2, p, cdist): the gradient of x1, whose batch is broadcast with the
/// batch of x2.
Type cdist_backward(TypeCall& c) {
  const Type a = c.tensor(1), b = c.tensor(2);
  if (!check_matrix(c, a, false) || !check_matrix(c, b, false)) return Type();
  DimVector sizes = to_vector(batch_of(a));
  if (!broadcast(c, sizes, batch_of(b))) return Type();
  // If there are no distances, the gradient is not broadcast.
  const Dim rows = b.sizes()[b.sizes().size() - 2];
  if (rows == Dim(0) || numel(a.sizes()) == Dim(0) || numel(sizes) == Dim(0))
    return contiguous_like(c, a);
  sizes.insert(sizes.end(), a.sizes().end() - 2, a.sizes().end());
  return c.result(a.dtype(), sizes);
}

constexpr TypeRule kLinalgRules[] = {
    {"aten.linalg_cholesky_ex.default", cholesky_ex},
    {"aten.linalg_cholesky.default", cholesky},
    {"aten.cholesky.default", legacy_cholesky},
    {"aten.cholesky_solve.default", cholesky_solve},
    {"aten._linalg_solve_ex.default", solve_ex},
    {"aten.linalg_solve_ex.default", solve_ex_result},
    {"aten.linalg_solve.default", solve},
    {"aten.linalg_lu_solve.default", lu_solve},
    {"aten.linalg_solve_triangular.default", solve_triangular},
    {"aten.triangular_solve.default", triangular_solve},
    {"aten.linalg_inv_ex.default", inv_ex},
    {"aten.linalg_inv.default", inverse},
    {"aten.inverse.default", inverse},
    {"aten.linalg_tensorinv.default", tensor_inverse},
    {"aten.linalg_tensorsolve.default", tensor_solve},
    {"aten.linalg_det.default", determinant},
    {"aten.det.default", determinant},
    {"aten.slogdet.default", slogdet},
    {"aten.linalg_slogdet.default", slogdet},
    {"aten.linalg_lstsq.default", lstsq},
    {"aten.linalg_cross.default", linalg_cross},
    {"aten.cross.default", cross},
    {"aten.cdist.default", cdist},
    {"aten._cdist_forward.default", cdist},
    {"aten._cdist_backward.default", cdist_backward},
};

}  // namespace

absl::Span<const TypeRule> linalg_rules() { return kLinalgRules; }

}  // namespace fx::shape
