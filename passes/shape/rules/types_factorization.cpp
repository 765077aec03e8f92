// Type functions for matrix decompositions.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

/// Returns the sizes of a batch of `rows` x `columns` matrices with the batch dimensions of `a`.
DimVector with_matrix(Type a, const Dim& rows, const Dim& columns) {
  DimVector sizes(a.sizes().begin(), a.sizes().end() - 2);
  sizes.push_back(rows);
  sizes.push_back(columns);
  return sizes;
}
/// Returns the sizes of a batch of vectors of `length` elements with the batch dimensions of `a`.
DimVector with_vector(Type a, const Dim& length) {
  DimVector sizes(a.sizes().begin(), a.sizes().end() - 2);
  sizes.push_back(length);
  return sizes;
}
/// Returns the type of matrices in LAPACK's layout, column-major.
Type column_major_type(TypeCall& c, DType dtype, const DimVector& sizes) {
  DimVector swapped = sizes;
  const size_t n = swapped.size();
  std::swap(swapped[n - 1], swapped[n - 2]);
  DimVector strides = contiguous_strides(swapped);
  std::swap(strides[n - 1], strides[n - 2]);
  return c.result(dtype, sizes, strides);
}
Type empty(TypeCall& c, DType dtype) { return c.result(dtype, {Dim(0)}); }

struct Matrix {
  Type type;
  Dim rows, columns, min_dim;
};
Matrix matrix(TypeCall& c, int i, bool square = false) {
  Matrix m{c.tensor(i), 0, 0, 0};
  const size_t n = m.type.sizes().size();
  if (n < 2) {
    c.fail(fmt::format("the input must have at least 2 dimensions, but is {}", to_string(m.type)));
    m.type = Type();
    return m;
  }
  m.rows = m.type.sizes()[n - 2];
  m.columns = m.type.sizes()[n - 1];
  m.min_dim = min(m.rows, m.columns);
  if (square && !c.guard_equal(m.rows, m.columns)) {
    c.fail(fmt::format("A must be a batch of square matrices, not {}", to_string(m.type)));
    m.type = Type();
  }
  return m;
}
/// Returns the type of a result with one number for each matrix of a batch.
Type batch(TypeCall& c, Type a, DType dtype) {
  return c.result(dtype, a.sizes().subspan(0, a.sizes().size() - 2));
}

/// linalg_qr(A, mode)
Type qr(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  const std::string_view mode = c.string(1);
  const DType dtype = m.type.dtype();
  const Dim inner = mode == "complete" ? m.rows : m.min_dim;
  return c.tuple({mode == "r" ? empty(c, dtype)
                              : column_major_type(c, dtype, with_matrix(m.type, m.rows, inner)),
                  column_major_type(c, dtype, with_matrix(m.type, inner, m.columns))});
}

/// qr(self, some): the deprecated form of linalg_qr.
Type legacy_qr(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  const Dim inner = c.boolean(1) ? m.min_dim : m.rows;
  return c.tuple({column_major_type(c, m.type.dtype(), with_matrix(m.type, m.rows, inner)),
                  column_major_type(c, m.type.dtype(), with_matrix(m.type, inner, m.columns))});
}

/// _linalg_svd(A, full_matrices, compute_uv)
Type svd(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  const DType dtype = m.type.dtype();
  const Type values = c.result(real_of(dtype), with_vector(m.type, m.min_dim));
  if (!c.boolean(2)) return c.tuple({empty(c, dtype), values, empty(c, dtype)});
  const bool full = c.boolean(1);
  return c.tuple(
      {column_major_type(c, dtype, with_matrix(m.type, m.rows, full ? m.rows : m.min_dim)), values,
       column_major_type(c, dtype, with_matrix(m.type, full ? m.columns : m.min_dim, m.columns))});
}
/// linalg_svd(A, full_matrices)
Type linalg_svd(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  const bool full = c.boolean(1);
  const DType dtype = m.type.dtype();
  return c.tuple(
      {column_major_type(c, dtype, with_matrix(m.type, m.rows, full ? m.rows : m.min_dim)),
       c.result(real_of(dtype), with_vector(m.type, m.min_dim)),
       column_major_type(c, dtype, with_matrix(m.type, full ? m.columns : m.min_dim, m.columns))});
}
/// svd(self, some, compute_uv): the last result is the conjugate transpose of that of linalg_svd.
Type legacy_svd(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  const bool some = c.boolean(1), vectors = c.boolean(2);
  const DType dtype = m.type.dtype();
  const Type values = c.result(real_of(dtype), with_vector(m.type, m.min_dim));
  if (!vectors) {  // zeros
    return c.tuple({c.result(dtype, with_matrix(m.type, m.rows, m.rows)), values,
                    column_major_type(c, dtype, with_matrix(m.type, m.columns, m.columns))});
  }
  const Type rows =
      column_major_type(c, dtype, with_matrix(m.type, some ? m.min_dim : m.columns, m.columns));
  if (!rows) return Type();
  return c.tuple(
      {column_major_type(c, dtype, with_matrix(m.type, m.rows, some ? m.min_dim : m.rows)), values,
       transpose(c, rows, -2, -1)});
}
Type svd_values(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  return c.result(real_of(m.type.dtype()), with_vector(m.type, m.min_dim));
}

/// _linalg_eigh(A, UPLO, compute_v)
Type eigh_kernel(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  const DType dtype = m.type.dtype();
  return c.tuple(
      {c.result(real_of(dtype), with_vector(m.type, m.rows)),
       c.boolean(2) ? column_major_type(c, dtype, to_vector(m.type.sizes())) : empty(c, dtype)});
}
Type eigh(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  return c.tuple({c.result(real_of(m.type.dtype()), with_vector(m.type, m.rows)),
                  column_major_type(c, m.type.dtype(), to_vector(m.type.sizes()))});
}
Type eigvalsh(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  return m.type ? c.result(real_of(m.type.dtype()), with_vector(m.type, m.rows)) : Type();
}
Type eig(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  const DType dtype = complex_of(m.type.dtype());
  return c.tuple({c.result(dtype, with_vector(m.type, m.rows)),
                  column_major_type(c, dtype, to_vector(m.type.sizes()))});
}
Type eigvals(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  return c.result(complex_of(m.type.dtype()), with_vector(m.type, m.rows));
}

// ---- LU
Type lu_factors(TypeCall& c, const Matrix& m) {
  return column_major_type(c, m.type.dtype(), to_vector(m.type.sizes()));
}
/// linalg_lu_factor_ex(A, pivot)
Type lu_factor_ex(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  return c.tuple({lu_factors(c, m), c.result(DType::kInt32, with_vector(m.type, m.min_dim)),
                  batch(c, m.type, DType::kInt32)});
}
Type lu_factor(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  return c.tuple({lu_factors(c, m), c.result(DType::kInt32, with_vector(m.type, m.min_dim))});
}
Type unpacked(TypeCall& c, const Matrix& m, bool data, bool pivots) {
  const DType dtype = m.type.dtype();
  return c.tuple(
      {pivots ? c.result(dtype, with_matrix(m.type, m.rows, m.rows)) : empty(c, dtype),
       data ? c.result(dtype, with_matrix(m.type, m.rows, m.min_dim)) : empty(c, dtype),
       data ? c.result(dtype, with_matrix(m.type, m.min_dim, m.columns)) : empty(c, dtype)});
}
/// lu_unpack(LU, pivots, unpack_data, unpack_pivots)
Type lu_unpack(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (c.boolean(3) && c.tensor(1).dtype() != DType::kInt32) return c.fail_argument(1, "i32");
  return m.type ? unpacked(c, m, c.boolean(2), c.boolean(3)) : Type();
}
Type lu(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  return m.type ? unpacked(c, m, true, c.boolean(1)) : Type();
}
/// _linalg_det(A): the determinant, and the factors for its gradient.
Type det(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  return c.tuple({batch(c, m.type, m.type.dtype()), lu_factors(c, m),
                  c.result(DType::kInt32, with_vector(m.type, m.rows))});
}
Type slogdet_and_factors(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  return c.tuple({batch(c, m.type, m.type.dtype()), batch(c, m.type, real_of(m.type.dtype())),
                  lu_factors(c, m), c.result(DType::kInt32, with_vector(m.type, m.rows))});
}

// ---- Other functions
Type like_column_major(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  return m.type ? lu_factors(c, m) : Type();
}
Type geqrf(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  return c.tuple({lu_factors(c, m), c.result(m.type.dtype(), with_vector(m.type, m.min_dim))});
}
/// ormqr(self, tau, other)
Type ormqr(TypeCall& c) {
  const Matrix m = matrix(c, 2);
  return m.type ? lu_factors(c, m) : Type();
}
Type matrix_exp(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  return m.type ? contiguous_like(c, m.type) : Type();
}
Type pinv(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  return c.result(m.type.dtype(), with_matrix(m.type, m.columns, m.rows));
}
/// linalg_pinv(A, atol, rtol) and (A, rcond): the tolerances are broadcast with the batch of the
/// matrices, unless the matrices have no elements.
Type pinv_within(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  if (!m.type) return Type();
  DimVector sizes(m.type.sizes().begin(), m.type.sizes().end() - 2);
  for (int i : {1, 2}) {
    const Type tolerance = c.tensor(i);
    if (!tolerance.is_tensor() || tolerance.rank() == 0 || c.is_zero(numel(m.type.sizes())))
      continue;
    if (!broadcast(c, sizes, tolerance.sizes())) return Type();
  }
  sizes.insert(sizes.end(), {m.columns, m.rows});
  return c.result(m.type.dtype(), sizes);
}
Type ldl_factor_ex(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  return c.tuple({lu_factors(c, m), c.result(DType::kInt32, with_vector(m.type, m.rows)),
                  batch(c, m.type, DType::kInt32)});
}
Type ldl_factor(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  if (!m.type) return Type();
  return c.tuple({lu_factors(c, m), c.result(DType::kInt32, with_vector(m.type, m.rows))});
}
/// The solution of a system with the factors in argument `m` and right-hand sides in argument `b`.
template <int m, int b>
Type solve_factored(TypeCall& c) {
  const Matrix factors = matrix(c, m, true), sides = matrix(c, b);
  if (!factors.type || !sides.type) return Type();
  const absl::Span<const Dim> of_factors = factors.type.sizes(), of_sides = sides.type.sizes();
  DimVector sizes(of_factors.begin(), of_factors.end() - 2);
  if (!broadcast(c, sizes, of_sides.subspan(0, of_sides.size() - 2))) return Type();
  sizes.push_back(sides.rows);
  sizes.push_back(sides.columns);
  return column_major_type(c, sides.type.dtype(), sizes);
}
/// logdet(A): one number for each matrix of a batch.
Type log_determinant(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  return m.type ? batch(c, m.type, m.type.dtype()) : Type();
}
Type condition(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  return m.type ? batch(c, m.type, real_of(m.type.dtype())) : Type();
}
Type matrix_rank(TypeCall& c) {
  const Matrix m = matrix(c, 0);
  return m.type ? batch(c, m.type, DType::kInt64) : Type();
}
/// matrix_rank with tensor tolerances, whose sizes are broadcast with the batch.
template <int last>
Type matrix_rank_within(TypeCall& c) {
  const Type ranks = matrix_rank(c);
  if (!ranks) return Type();
  DimVector sizes = to_vector(ranks.sizes());
  for (int i = 1; i <= last; ++i) {
    const Type tolerance = c.optional_tensor(i);
    if (tolerance && !broadcast(c, sizes, tolerance.sizes())) return Type();
  }
  return c.result(DType::kInt64, sizes);
}
/// linalg_matrix_power(self, n): an inverse, or a product; a row-major copy if n is 1.
Type matrix_power(TypeCall& c) {
  const Matrix m = matrix(c, 0, true);
  const int64_t n = c.integer(1);
  if (!m.type) return Type();
  return n == -1 ? lu_factors(c, m) : contiguous_like(c, m.type);
}

/// _pdist_forward(self): distances between all pairs of rows. The kernel does not check the rank.
Type pdist(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  const Dim rows = x.sizes()[0];
  return c.result(x.dtype(), {floor_div(rows * (rows - 1), 2)});
}
Type pdist_backward(TypeCall& c) { return contiguous_like(c, c.tensor(1)); }

constexpr TypeRule kFactorizationRules[] = {
    {"aten.linalg_qr.default", qr},
    {"aten.qr.default", legacy_qr},
    {"aten.linalg_svd.default", linalg_svd},
    {"aten.svd.default", legacy_svd},
    {"aten.lu_solve.default", solve_factored<1, 0>},
    {"aten.logdet.default", log_determinant},
    {"aten.linalg_cond.default", condition},
    {"aten.linalg_cond.p_str", condition},
    {"aten.linalg_matrix_rank.default", matrix_rank},
    {"aten.linalg_matrix_rank.tol_tensor", matrix_rank_within<1>},
    {"aten.linalg_matrix_rank.atol_rtol_float", matrix_rank},
    {"aten.linalg_matrix_rank.atol_rtol_tensor", matrix_rank_within<2>},
    {"aten.linalg_matrix_power.default", matrix_power},
    {"aten.matrix_power.default", matrix_power},
    {"aten.linalg_ldl_factor.default", ldl_factor},
    {"aten.linalg_pinv.rcond_tensor", pinv_within},
    {"aten.pdist.default", pdist},
    {"aten._linalg_svd.default", svd},
    {"aten.linalg_svdvals.default", svd_values},
    {"aten._linalg_eigh.default", eigh_kernel},
    {"aten.linalg_eigh.default", eigh},
    {"aten.linalg_eigvalsh.default", eigvalsh},
    {"aten.linalg_eig.default", eig},
    {"aten.linalg_eigvals.default", eigvals},
    {"aten.linalg_lu_factor_ex.default", lu_factor_ex},
    {"aten.linalg_lu_factor.default", lu_factor},
    {"aten.linalg_lu.default", lu},
    {"aten.lu_unpack.default", lu_unpack},
    {"aten._linalg_det.default", det},
    {"aten._linalg_slogdet.default", slogdet_and_factors},
    {"aten.cholesky_inverse.default", like_column_major},
    {"aten.linalg_householder_product.default", like_column_major},
    {"aten.orgqr.default", like_column_major},
    {"aten.geqrf.default", geqrf},
    {"aten.ormqr.default", ormqr},
    {"aten.linalg_matrix_exp.default", matrix_exp},
    {"aten.matrix_exp.default", matrix_exp},
    {"aten.linalg_pinv.atol_rtol_tensor", pinv_within},
    {"aten.linalg_pinv.default", pinv},
    {"aten.linalg_pinv.atol_rtol_float", pinv},
    {"aten.pinverse.default", pinv},
    {"aten.linalg_ldl_factor_ex.default", ldl_factor_ex},
    {"aten.linalg_ldl_solve.default", solve_factored<0, 2>},
    {"aten._pdist_forward.default", pdist},
    {"aten._pdist_backward.default", pdist_backward},
};

}  // namespace

absl::Span<const TypeRule> factorization_rules() { return kFactorizationRules; }

}  // namespace fx::shape
