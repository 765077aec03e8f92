// Requirements for linear algebra and FFT operators.
#include "fx/ir/support/pluralize.h"
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace fx::shape {
namespace {

Dim size_at(Type t, int d) { return t.sizes()[static_cast<size_t>(d < 0 ? t.rank() + d : d)]; }

/// Requires that argument `i` has the sizes of tensor `k` without its last `drop` dimensions,
/// followed by `matrix_sizes`.
bool has_batch_of(TypeCall& c, int i, int k, int drop,
                  std::initializer_list<Dim> matrix_sizes = {}) {
  const auto sizes = c.tensor(k).sizes();
  DimVector expected(sizes.begin(), sizes.end() - drop);
  expected.insert(expected.end(), matrix_sizes.begin(), matrix_sizes.end());
  return has_sizes(c, i, expected);
}

/// ormqr(input, tau, other, left)
bool ormqr(TypeCall& c) {
  const Type input = c.tensor(0), other = c.tensor(2);
  const auto left = c.argument(3).as_bool();
  if (!left) return true;
  if (!has_rank(c, 0, 2, kAnyRank) || !has_rank(c, 1, input.rank() - 1) ||
      !has_rank(c, 2, input.rank()))
    return false;
  const int side = *left ? -2 : -1;
  const Dim tau = size_at(c.tensor(1), -1);
  if (!c.guard_less_equal(tau, size_at(input, -1)) || !has_size(c, 2, side, size_at(input, -2)) ||
      !c.guard_less_equal(tau, size_at(other, side))) {
    c.fail("the sizes of input, tau and other do not match");
    return false;
  }
  return has_batch_of(c, 1, 0, 2, {tau}) &&
         has_batch_of(c, 2, 0, 2, {size_at(other, -2), size_at(other, -1)});
}

/// householder_product(input, tau)
bool householder_product(TypeCall& c) {
  const Type input = c.tensor(0);
  if (!has_rank(c, 0, 2, kAnyRank) || !has_rank(c, 1, input.rank() - 1)) return false;
  const Dim tau = size_at(c.tensor(1), -1);
  if (!c.guard_less_equal(size_at(input, -1), size_at(input, -2)) ||
      !c.guard_less_equal(tau, size_at(input, -1))) {
    c.fail(
        "the input must have at least as many rows as columns, and as many columns as reflectors");
    return false;
  }
  return has_batch_of(c, 1, 0, 2, {tau});
}

/// ldl_solve(LD, pivots, B)
bool ldl_solve(TypeCall& c) {
  return is_square(c, 0) && has_rank(c, 2, 2, kAnyRank) && has_batch_of(c, 1, 0, 1) &&
         has_size(c, 2, -2, size_at(c.tensor(0), -1));
}

/// lu_solve(LU, pivots, B, left)
bool linalg_lu_solve(TypeCall& c) {
  const auto left = c.argument(3).as_bool();
  return is_square(c, 0) && has_rank(c, 2, 2, kAnyRank) && has_batch_of(c, 1, 0, 1) &&
         (!left || has_size(c, 2, *left ? -2 : -1, size_at(c.tensor(0), -1)));
}
/// lu_solve(b, LU, pivots)
bool lu_solve(TypeCall& c) {
  return is_square(c, 1) && has_rank(c, 0, 2, kAnyRank) && has_batch_of(c, 2, 1, 1) &&
         has_size(c, 0, -2, size_at(c.tensor(1), -1));
}

/// cholesky_solve(b, L)
bool cholesky_solve(TypeCall& c) {
  return has_rank(c, 0, 2, kAnyRank) && is_square(c, 1) &&
         has_size(c, 0, -2, size_at(c.tensor(1), -1));
}

template <int i>
bool square(TypeCall& c) {
  return is_square(c, i);
}

/// eigh(A, UPLO), eigvalsh
bool symmetric_eigen(TypeCall& c) {
  return is_square(c, 0) && is_one_of(c, 1, {"L", "U", "l", "u"});
}

/// lstsq(A, b, rcond, driver)
bool lstsq(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (!is_one_of(c, 3, {"gels", "gelsy", "gelsd", "gelss"}) || !has_rank(c, 0, 2, kAnyRank) ||
      !has_rank(c, 1, std::max(a.rank() - 1, 1), a.rank()))
    return false;
  // `b` is a batch of vectors if it has the sizes of A without the last dimension.
  bool is_vector = b.rank() == a.rank() - 1;
  if (a.rank() > 2 && is_vector)
    for (int d = 0; d < b.rank(); ++d) is_vector = is_vector && size_at(b, d) == size_at(a, d);
  return has_size(c, 1, is_vector ? -1 : -2, size_at(a, -2));
}

/// linalg_vecdot(x, y): two vectors are not broadcast.
bool vecdot(TypeCall& c) {
  return c.tensor(0).rank() != 1 || c.tensor(1).rank() != 1 || has_sizes_of(c, 1, 0);
}
/// bilinear(input1, input2, weight, bias)
bool bilinear(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (!has_rank(c, 0, 1, kAnyRank) || !has_rank(c, 1, a.rank()) || !has_rank(c, 2, 3)) return false;
  for (int d = 0; d + 1 < a.rank(); ++d)
    if (!has_size(c, 1, d, size_at(a, d))) return false;
  return has_size(c, 2, 1, size_at(a, -1)) && has_size(c, 2, 2, size_at(b, -1)) &&
         has_sizes(c, 3, {c.tensor(2).sizes()[0]});
}
/// cov(self, correction, fweights, aweights): one weight for each observation.
bool cov(TypeCall& c) {
  const Type x = c.tensor(0);
  if (!has_rank(c, 0, 0, 2)) return false;
  const Dim count = x.rank() < 2 ? numel(x.sizes()) : x.sizes()[1];
  for (int i = 2; i <= 3; ++i) {
    if (!c.optional_tensor(i)) continue;
    if (!has_rank(c, i, 0, 1)) return false;
    if (c.guard_equal(numel(c.tensor(i).sizes()), count)) continue;
    c.fail_argument(i, fmt::format("a tensor with {} elements", to_string(count)));
    return false;
  }
  return true;
}

/// linalg_solve_triangular(A, B, upper, left): B has as many rows as A, or as many columns if
/// `left` is false.
bool solve_triangular(TypeCall& c) {
  const auto left = c.argument(3).as_bool();
  if (!is_square(c, 0) || !has_rank(c, 1, 2, kAnyRank)) return false;
  return !left || has_size(c, 1, *left ? -2 : -1, size_at(c.tensor(0), -1));
}
/// triangular_solve(B, A)
bool triangular_solve(TypeCall& c) {
  return is_square(c, 1) && has_rank(c, 0, 2, kAnyRank) &&
         has_size(c, 0, -2, size_at(c.tensor(1), -1));
}

/// matrix_rank(A, ..., hermitian): a hermitian A must be square, unless it has no elements.
template <int hermitian>
bool matrix_rank(TypeCall& c) {
  const auto is_hermitian = c.argument(hermitian).as_bool();
  return numel(c.tensor(0).sizes()) == Dim(0) || !is_hermitian || !*is_hermitian || is_square(c, 0);
}

bool is_matrix_order(TypeCall& c, double order) {
  if (std::isinf(order) || std::abs(order) == 1 || std::abs(order) == 2) return true;
  c.fail(fmt::format("the order {} of a matrix norm is not supported", order));
  return false;
}

/// matrix_norm(A, ord, dim)
bool matrix_norm(TypeCall& c) {
  const auto order = c.argument(1).as_float();
  if (c.argument(2).is_sequence() && !has_count(c, 2, 2)) return false;
  return has_rank(c, 0, 2, kAnyRank) && (!order || is_matrix_order(c, *order));
}
bool matrix_norm_by_name(TypeCall& c) {
  if (c.argument(2).is_sequence() && !has_count(c, 2, 2)) return false;
  return has_rank(c, 0, 2, kAnyRank) && is_one_of(c, 1, {"fro", "nuc"});
}

/// norm(A, ord, dim): a norm of vectors or of matrices.
bool norm(TypeCall& c) {
  const auto order = c.argument(1).as_float();
  if (c.is_none(1)) return true;
  if (c.is_none(2)) {
    if (!has_rank(c, 0, 1, 2)) return false;
    return c.tensor(0).rank() == 1 || !order || is_matrix_order(c, *order);
  }
  const size_t count = c.argument(2).is_sequence() ? c.list_size(2) : 1;
  if (count != 1 && count != 2) {
    c.fail_argument(2, "a list of one or two dimensions");
    return false;
  }
  return count == 1 || !order || is_matrix_order(c, *order);
}
bool norm_by_name(TypeCall& c) {
  if (!is_one_of(c, 1, {"fro", "nuc"})) return false;
  if (!c.is_none(2)) return !c.argument(2).is_sequence() || has_count(c, 2, 2);
  return has_rank(c, 0, 2);
}

/// cross(a, b, dim): the dimension has three elements.
bool cross(TypeCall& c) {
  const auto dim = c.argument(2).as_dim();
  if (!dim || !dim->is_int()) return true;
  const int d = static_cast<int>(dim->value());
  const auto has_three = [&](int i) {
    const int rank = c.tensor(i).rank();
    return d < -rank || d >= rank || has_size(c, i, d, Dim(3));
  };
  return has_three(0) && has_three(1);
}

// ---------------------------------------------------------------- Fourier transforms

bool is_fft_mode(TypeCall& c, int i) { return is_one_of(c, i, {"forward", "backward", "ortho"}); }

/// Requires that no dimension is empty, except dimensions that are padded to a given size. MKL's
/// kernels reject even an empty batch.
bool is_not_empty_except(TypeCall& c, absl::Span<const int64_t> filled) {
  const Type x = c.tensor(0);
  for (int d = 0; d < x.rank(); ++d) {
    const bool is_filled =
        std::ranges::any_of(filled, [&](int64_t f) { return (f < 0 ? f + x.rank() : f) == d; });
    if (is_filled || !is_empty(size_at(x, d))) continue;
    c.fail_argument(0, "a non-empty tensor");
    return false;
  }
  return true;
}

/// fft(self, n, dim, norm)
bool fft_of_one(TypeCall& c) {
  if (!is_fft_mode(c, 3) || !is_at_least(c, 1, 1)) return false;
  const auto dim = c.argument(2).as_dim();
  if (!dim || !dim->is_int()) return true;
  const int64_t filled[] = {dim->value()};
  return is_not_empty_except(c, absl::MakeConstSpan(filled, c.is_none(1) ? size_t{0} : size_t{1}));
}

/// fftn(self, s, dim, norm)
bool fft_of_several(TypeCall& c) {
  if (!is_fft_mode(c, 3)) return false;
  const TypeArgument &sizes = c.argument(1), &dims = c.argument(2);
  if (sizes.is_sequence() && dims.is_sequence() && sizes.size() != dims.size()) {
    c.fail_argument(1,
                    fmt::format("a list of {}, the length of dim", pluralize(dims.size(), "item")));
    return false;
  }
  if (sizes.is_none()) return is_not_empty_except(c, {});
  absl::InlinedVector<int64_t, 6> filled;
  if (dims.is_none()) {
    for (size_t i = 0; i < sizes.size(); ++i) filled.push_back(-1 - static_cast<int64_t>(i));
  } else if (!dims.type()) {
    filled = c.integers(2);
  }
  return is_not_empty_except(c, filled);
}

/// irfft(self, n, dim, norm): the result has 2 * (size - 1) elements by default, and must not be
/// empty.
bool real_fft_of_one(TypeCall& c) {
  if (!fft_of_one(c)) return false;
  const auto dim = c.argument(2).as_dim();
  const Type x = c.tensor(0);
  if (!c.is_none(1) || !dim || !dim->is_int() || !are_dims_of(c, 2, x.rank()) || x.rank() == 0)
    return !c.failed();
  const Dim& size = size_at(x, static_cast<int>(dim->value()));
  if (c.guard_less_equal(2, size)) return true;
  c.fail_argument(0,
                  fmt::format("a tensor with at least 2 elements in dimension {}", dim->value()));
  return false;
}
/// Requires that no size in `s` is 0. -1 means the size of the input.
bool has_no_zero_size(TypeCall& c) {
  for (const Dim& size : c.dims(1)) {
    if (size != Dim(0)) continue;
    c.fail_argument(1, "a list of nonzero sizes");
    return false;
  }
  return !c.failed();
}
/// irfftn(self, s, dim, norm): transforms at least one dimension.
template <bool is_real>
bool fft_of_some(TypeCall& c) {
  for (int i = 1; i <= 2; ++i) {
    if (!c.argument(i).is_sequence() || c.list_size(i) > 0) continue;
    c.fail_argument(i, "a non-empty list");
    return false;
  }
  if (!fft_of_several(c) || !is_real) return !c.failed();
  if (!c.is_none(1)) return has_no_zero_size(c);
  const Type x = c.tensor(0);
  const auto dims = c.is_none(2) ? absl::InlinedVector<int64_t, 6>{-1} : c.integers(2);
  if (c.failed() || dims.empty() || dims.back() < -x.rank() || dims.back() >= x.rank()) return true;
  if (c.guard_less_equal(2, size_at(x, static_cast<int>(dims.back())))) return true;
  c.fail_argument(0, fmt::format("a tensor with at least 2 elements in dimension {}", dims.back()));
  return false;
}

/// _fft_c2c(self, ...), _fft_r2c, _fft_c2r
bool fft_kernel(TypeCall& c) { return is_not_empty_except(c, {}); }
/// _fft_c2r(self, dim, normalization, last_dim_size): the last dimension has last_dim_size
/// elements, or last_dim_size // 2 + 1.
bool fft_c2r(TypeCall& c) {
  const Type x = c.tensor(0);
  const auto size = c.argument(3).as_dim();
  if (!fft_kernel(c) || !is_at_least(c, 3, 1) || !size || c.argument(1).type()) return !c.failed();
  const auto dims = c.integers(1);
  if (dims.empty() || dims.back() < -x.rank() || dims.back() >= x.rank()) return true;
  const Dim& given = size_at(x, static_cast<int>(dims.back()));
  if (!given.is_int() || !size->is_int() || given == *size || given == floor_div(*size, 2) + 1)
    return true;
  c.fail_argument(3, fmt::format("{0}, or a size n for which n // 2 + 1 is {0}", to_string(given)));
  return false;
}

constexpr Requirement kLinalgRequirements[] = {
    {"aten.ormqr.default", ormqr},
    {"aten.linalg_householder_product.default", householder_product},
    {"aten.orgqr.default", householder_product},
    {"aten.linalg_ldl_solve.default", ldl_solve},
    {"aten.linalg_lu_solve.default", linalg_lu_solve},
    {"aten.lu_solve.default", lu_solve},
    {"aten.cholesky_solve.default", cholesky_solve},
    {"aten.cholesky_inverse.default", square<0>},
    {"aten.linalg_eigh.default", symmetric_eigen},
    {"aten._linalg_eigh.default", symmetric_eigen},
    {"aten.linalg_eigvalsh.default", symmetric_eigen},
    {"aten.linalg_lstsq.default", lstsq},
    {"aten.linalg_vecdot.default", vecdot},
    {"aten.bilinear.default", bilinear},
    {"aten.cov.default", cov},
    {"aten.linalg_solve_triangular.default", solve_triangular},
    {"aten.triangular_solve.default", triangular_solve},
    {"aten.linalg_matrix_rank.default", matrix_rank<2>},
    {"aten.linalg_matrix_rank.tol_tensor", matrix_rank<2>},
    {"aten.linalg_matrix_rank.atol_rtol_tensor", matrix_rank<3>},
    {"aten.linalg_matrix_rank.atol_rtol_float", matrix_rank<3>},
    {"aten.linalg_pinv.default", matrix_rank<2>},
    {"aten.linalg_pinv.rcond_tensor", matrix_rank<2>},
    {"aten.linalg_pinv.atol_rtol_tensor", matrix_rank<3>},
    {"aten.linalg_pinv.atol_rtol_float", matrix_rank<3>},
    {"aten.linalg_matrix_norm.default", matrix_norm},
    {"aten.linalg_matrix_norm.str_ord", matrix_norm_by_name},
    {"aten.linalg_norm.default", norm},
    {"aten.linalg_norm.ord_str", norm_by_name},
    {"aten.linalg_cross.default", cross},
    {"aten.cross.default", cross},
    {"aten._fft_c2c.default", fft_kernel},
    {"aten._fft_r2c.default", fft_kernel},
    {"aten._fft_c2r.default", fft_c2r},
    {"aten.fft_fft.default", fft_of_one},
    {"aten.fft_ifft.default", fft_of_one},
    {"aten.fft_rfft.default", fft_of_one},
    {"aten.fft_irfft.default", real_fft_of_one},
    {"aten.fft_hfft.default", real_fft_of_one},
    {"aten.fft_ihfft.default", fft_of_one},
    {"aten.fft_fft2.default", fft_of_several},
    {"aten.fft_ifft2.default", fft_of_several},
    {"aten.fft_rfft2.default", fft_of_some<false>},
    {"aten.fft_irfft2.default", fft_of_some<true>},
    {"aten.fft_hfft2.default", fft_of_some<true>},
    {"aten.fft_ihfft2.default", fft_of_some<false>},
    {"aten.fft_fftn.default", fft_of_several},
    {"aten.fft_ifftn.default", fft_of_several},
    {"aten.fft_rfftn.default", fft_of_some<false>},
    {"aten.fft_irfftn.default", fft_of_some<true>},
    {"aten.fft_hfftn.default", fft_of_some<true>},
    {"aten.fft_ihfftn.default", fft_of_some<false>},
};

}  // namespace

absl::Span<const Requirement> linalg_requirements() { return kLinalgRequirements; }

}  // namespace fx::shape
