// Operators as functions of Proxy, isin to special_chebyshev_polynomial_v.
//
// Made by scripts/generate (make_traced_functions.py). Do not edit.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/record_internal.h"

// clang-format off
namespace fx {

Proxy isin(const Proxy& elements, const ScalarArg& test_element, const BoolArg& assume_unique, const BoolArg& invert, Where where) {
  static constexpr TracedCall kCall{"torch.isin", "aten.isin.Tensor_Scalar", 2, {"assume_unique", "invert"}};
  return record_function(kCall, where, {elements, test_element, assume_unique, invert});
}

Proxy isin(const ScalarArg& element, const Proxy& test_elements, const BoolArg& assume_unique, const BoolArg& invert, Where where) {
  static constexpr TracedCall kCall{"torch.isin", "aten.isin.Scalar_Tensor", 2, {"assume_unique", "invert"}};
  return record_function(kCall, where, {element, test_elements, assume_unique, invert});
}

Proxy isinf(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.isinf", "aten.isinf.default", 1};
  return record_function(kCall, where, {self});
}

Proxy isnan(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.isnan", "aten.isnan.default", 1};
  return record_function(kCall, where, {self});
}

Proxy isneginf(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.isneginf", "aten.isneginf.default", 1};
  return record_function(kCall, where, {self});
}

Proxy isposinf(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.isposinf", "aten.isposinf.default", 1};
  return record_function(kCall, where, {self});
}

Proxy isreal(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.isreal", "aten.isreal.default", 1};
  return record_function(kCall, where, {self});
}

Proxy istft(const Proxy& self, const IntArg& n_fft, const IntArg& hop_length, const IntArg& win_length, const OptionalTensor& window, const BoolArg& center, const BoolArg& normalized, const BoolArg& onesided, const IntArg& length, const BoolArg& return_complex, Where where) {
  static constexpr TracedCall kCall{"torch.istft", "aten.istft.default", 10};
  return record_function(kCall, where, {self, n_fft, hop_length, win_length, window, center, normalized, onesided, length, return_complex});
}

Proxy kaiser_window(TracerBase& tracer, const IntArg& window_length, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.kaiser_window", "aten.kaiser_window.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, dtype, layout, device, pin_memory});
}

Proxy kaiser_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.kaiser_window", "aten.kaiser_window.periodic", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, dtype, layout, device, pin_memory});
}

Proxy kaiser_window(TracerBase& tracer, const IntArg& window_length, const BoolArg& periodic, const FloatArg& beta, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.kaiser_window", "aten.kaiser_window.beta", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {window_length, periodic, beta, dtype, layout, device, pin_memory});
}

Proxy kl_div(const Proxy& self, const Proxy& target, const IntArg& reduction, const BoolArg& log_target, Where where) {
  static constexpr TracedCall kCall{"torch.kl_div", "aten.kl_div.default", 3, {"log_target"}};
  return record_function(kCall, where, {self, target, reduction, log_target});
}

Proxy kron(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.kron", "aten.kron.default", 2};
  return record_function(kCall, where, {self, other});
}

Results<2> kthvalue(const Proxy& self, const IntArg& k, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.kthvalue", "aten.kthvalue.default", 4};
  return Results<2>(record_function(kCall, where, {self, k, dim, keepdim}), where);
}

Proxy l1_loss(const Proxy& self, const Proxy& target, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.l1_loss", "aten.l1_loss.default", 3};
  return record_function(kCall, where, {self, target, reduction});
}

Proxy layer_norm(const Proxy& input, const IntList& normalized_shape, const OptionalTensor& weight, const OptionalTensor& bias, const FloatArg& eps, const BoolArg& cudnn_enable, Where where) {
  static constexpr TracedCall kCall{"torch.layer_norm", "aten.layer_norm.default", 6};
  return record_function(kCall, where, {input, normalized_shape, weight, bias, eps, cudnn_enable});
}

Proxy lcm(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.lcm", "aten.lcm.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy lcm_(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.lcm_", "aten.lcm_.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy ldexp(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.ldexp", "aten.ldexp.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy ldexp_(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.ldexp_", "aten.ldexp_.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy le(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.le", "aten.le.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy le(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.le", "aten.le.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy leaky_relu(const Proxy& self, const ScalarArg& negative_slope, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.leaky_relu", "aten.leaky_relu.default", 2};
  return record_function(kCall, where, {self, negative_slope});
}

Proxy leaky_relu_(const Proxy& self, const ScalarArg& negative_slope, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.leaky_relu_", "aten.leaky_relu_.default", 2};
  return record_function(kCall, where, {self, negative_slope});
}

Proxy lerp(const Proxy& self, const Proxy& end, const ScalarArg& weight, Where where) {
  static constexpr TracedCall kCall{"torch.lerp", "aten.lerp.Scalar", 3};
  return record_function(kCall, where, {self, end, weight});
}

Proxy lerp(const Proxy& self, const Proxy& end, const Proxy& weight, Where where) {
  static constexpr TracedCall kCall{"torch.lerp", "aten.lerp.Tensor", 3};
  return record_function(kCall, where, {self, end, weight});
}

Proxy less(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.less", "aten.less.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy less(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.less", "aten.less.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy less_equal(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.less_equal", "aten.less_equal.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy less_equal(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.less_equal", "aten.less_equal.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy lgamma(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.lgamma", "aten.lgamma.default", 1};
  return record_function(kCall, where, {self});
}

Proxy linalg__powsum(const Proxy& self, const ScalarArg& ord, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg__powsum", "aten.linalg__powsum.default", 4, {"dtype"}};
  return record_function(kCall, where, {self, ord, dim, keepdim, dtype});
}

Proxy linalg_cholesky(const Proxy& self, const BoolArg& upper, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_cholesky", "aten.linalg_cholesky.default", 1, {"upper"}};
  return record_function(kCall, where, {self, upper});
}

Results<2> linalg_cholesky_ex(const Proxy& self, const BoolArg& upper, const BoolArg& check_errors, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_cholesky_ex", "aten.linalg_cholesky_ex.default", 1, {"upper", "check_errors"}};
  return Results<2>(record_function(kCall, where, {self, upper, check_errors}), where);
}

Proxy linalg_cond(const Proxy& self, const ScalarArg& p, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_cond", "aten.linalg_cond.default", 2};
  return record_function(kCall, where, {self, p});
}

Proxy linalg_cond(const Proxy& self, const StringArg& p, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_cond", "aten.linalg_cond.p_str", 2};
  return record_function(kCall, where, {self, p});
}

Proxy linalg_cross(const Proxy& self, const Proxy& other, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_cross", "aten.linalg_cross.default", 2, {"dim"}};
  return record_function(kCall, where, {self, other, dim});
}

Proxy linalg_det(const Proxy& A, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_det", "aten.linalg_det.default", 1};
  return record_function(kCall, where, {A});
}

Proxy linalg_diagonal(const Proxy& A, const IntArg& offset, const IntArg& dim1, const IntArg& dim2, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_diagonal", "aten.linalg_diagonal.default", 1, {"offset", "dim1", "dim2"}};
  return record_function(kCall, where, {A, offset, dim1, dim2});
}

Results<2> linalg_eig(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_eig", "aten.linalg_eig.default", 1};
  return Results<2>(record_function(kCall, where, {self}), where);
}

Results<2> linalg_eigh(const Proxy& self, const StringArg& UPLO, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_eigh", "aten.linalg_eigh.default", 2};
  return Results<2>(record_function(kCall, where, {self, UPLO}), where);
}

Proxy linalg_eigvals(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_eigvals", "aten.linalg_eigvals.default", 1};
  return record_function(kCall, where, {self});
}

Proxy linalg_eigvalsh(const Proxy& self, const StringArg& UPLO, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_eigvalsh", "aten.linalg_eigvalsh.default", 2};
  return record_function(kCall, where, {self, UPLO});
}

Proxy linalg_householder_product(const Proxy& input, const Proxy& tau, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_householder_product", "aten.linalg_householder_product.default", 2};
  return record_function(kCall, where, {input, tau});
}

Proxy linalg_inv(const Proxy& A, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_inv", "aten.linalg_inv.default", 1};
  return record_function(kCall, where, {A});
}

Results<2> linalg_inv_ex(const Proxy& A, const BoolArg& check_errors, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_inv_ex", "aten.linalg_inv_ex.default", 1, {"check_errors"}};
  return Results<2>(record_function(kCall, where, {A, check_errors}), where);
}

Results<2> linalg_ldl_factor(const Proxy& self, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_ldl_factor", "aten.linalg_ldl_factor.default", 1, {"hermitian"}};
  return Results<2>(record_function(kCall, where, {self, hermitian}), where);
}

Results<3> linalg_ldl_factor_ex(const Proxy& self, const BoolArg& hermitian, const BoolArg& check_errors, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_ldl_factor_ex", "aten.linalg_ldl_factor_ex.default", 1, {"hermitian", "check_errors"}};
  return Results<3>(record_function(kCall, where, {self, hermitian, check_errors}), where);
}

Proxy linalg_ldl_solve(const Proxy& LD, const Proxy& pivots, const Proxy& B, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_ldl_solve", "aten.linalg_ldl_solve.default", 3, {"hermitian"}};
  return record_function(kCall, where, {LD, pivots, B, hermitian});
}

Results<4> linalg_lstsq(const Proxy& self, const Proxy& b, const FloatArg& rcond, const StringArg& driver, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_lstsq", "aten.linalg_lstsq.default", 3, {"driver"}};
  return Results<4>(record_function(kCall, where, {self, b, rcond, driver}), where);
}

Results<3> linalg_lu(const Proxy& A, const BoolArg& pivot, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_lu", "aten.linalg_lu.default", 1, {"pivot"}};
  return Results<3>(record_function(kCall, where, {A, pivot}), where);
}

Results<2> linalg_lu_factor(const Proxy& A, const BoolArg& pivot, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_lu_factor", "aten.linalg_lu_factor.default", 1, {"pivot"}};
  return Results<2>(record_function(kCall, where, {A, pivot}), where);
}

Results<3> linalg_lu_factor_ex(const Proxy& A, const BoolArg& pivot, const BoolArg& check_errors, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_lu_factor_ex", "aten.linalg_lu_factor_ex.default", 1, {"pivot", "check_errors"}};
  return Results<3>(record_function(kCall, where, {A, pivot, check_errors}), where);
}

Proxy linalg_lu_solve(const Proxy& LU, const Proxy& pivots, const Proxy& B, const BoolArg& left, const BoolArg& adjoint, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_lu_solve", "aten.linalg_lu_solve.default", 3, {"left", "adjoint"}};
  return record_function(kCall, where, {LU, pivots, B, left, adjoint});
}

Proxy linalg_matmul(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matmul", "aten.linalg_matmul.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy linalg_matrix_exp(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_exp", "aten.linalg_matrix_exp.default", 1};
  return record_function(kCall, where, {self});
}

Proxy linalg_matrix_norm(const Proxy& self, const ScalarArg& ord, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_norm", "aten.linalg_matrix_norm.default", 4, {"dtype"}};
  return record_function(kCall, where, {self, ord, dim, keepdim, dtype});
}

Proxy linalg_matrix_norm(const Proxy& self, const StringArg& ord, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_norm", "aten.linalg_matrix_norm.str_ord", 4, {"dtype"}};
  return record_function(kCall, where, {self, ord, dim, keepdim, dtype});
}

Proxy linalg_matrix_power(const Proxy& self, const IntArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_power", "aten.linalg_matrix_power.default", 2};
  return record_function(kCall, where, {self, n});
}

Proxy linalg_matrix_rank(const Proxy& self, const FloatArg& tol, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_rank", "aten.linalg_matrix_rank.default", 3};
  return record_function(kCall, where, {self, tol, hermitian});
}

Proxy linalg_matrix_rank(const Proxy& input, const Proxy& tol, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_rank", "aten.linalg_matrix_rank.tol_tensor", 3};
  return record_function(kCall, where, {input, tol, hermitian});
}

Proxy linalg_matrix_rank(const Proxy& input, const OptionalTensor& atol, const OptionalTensor& rtol, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_rank", "aten.linalg_matrix_rank.atol_rtol_tensor", 1, {"atol", "rtol", "hermitian"}};
  return record_function(kCall, where, {input, atol, rtol, hermitian});
}

Proxy linalg_matrix_rank(const Proxy& self, const FloatArg& atol, const FloatArg& rtol, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_matrix_rank", "aten.linalg_matrix_rank.atol_rtol_float", 1, {"atol", "rtol", "hermitian"}};
  return record_function(kCall, where, {self, atol, rtol, hermitian});
}

Proxy linalg_multi_dot(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_multi_dot", "aten.linalg_multi_dot.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy linalg_norm(const Proxy& self, const ScalarArg& ord, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_norm", "aten.linalg_norm.default", 4, {"dtype"}};
  return record_function(kCall, where, {self, ord, dim, keepdim, dtype});
}

Proxy linalg_norm(const Proxy& self, const StringArg& ord, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_norm", "aten.linalg_norm.ord_str", 4, {"dtype"}};
  return record_function(kCall, where, {self, ord, dim, keepdim, dtype});
}

Proxy linalg_pinv(const Proxy& self, const FloatArg& rcond, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_pinv", "aten.linalg_pinv.default", 3};
  return record_function(kCall, where, {self, rcond, hermitian});
}

Proxy linalg_pinv(const Proxy& self, const FloatArg& atol, const FloatArg& rtol, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_pinv", "aten.linalg_pinv.atol_rtol_float", 1, {"atol", "rtol", "hermitian"}};
  return record_function(kCall, where, {self, atol, rtol, hermitian});
}

Proxy linalg_pinv(const Proxy& self, const OptionalTensor& atol, const OptionalTensor& rtol, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_pinv", "aten.linalg_pinv.atol_rtol_tensor", 1, {"atol", "rtol", "hermitian"}};
  return record_function(kCall, where, {self, atol, rtol, hermitian});
}

Proxy linalg_pinv(const Proxy& self, const Proxy& rcond, const BoolArg& hermitian, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_pinv", "aten.linalg_pinv.rcond_tensor", 3};
  return record_function(kCall, where, {self, rcond, hermitian});
}

Results<2> linalg_qr(const Proxy& A, const StringArg& mode, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_qr", "aten.linalg_qr.default", 2};
  return Results<2>(record_function(kCall, where, {A, mode}), where);
}

Results<2> linalg_slogdet(const Proxy& A, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_slogdet", "aten.linalg_slogdet.default", 1};
  return Results<2>(record_function(kCall, where, {A}), where);
}

Proxy linalg_solve(const Proxy& A, const Proxy& B, const BoolArg& left, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_solve", "aten.linalg_solve.default", 2, {"left"}};
  return record_function(kCall, where, {A, B, left});
}

Results<2> linalg_solve_ex(const Proxy& A, const Proxy& B, const BoolArg& left, const BoolArg& check_errors, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_solve_ex", "aten.linalg_solve_ex.default", 2, {"left", "check_errors"}};
  return Results<2>(record_function(kCall, where, {A, B, left, check_errors}), where);
}

Proxy linalg_solve_triangular(const Proxy& self, const Proxy& B, const BoolArg& upper, const BoolArg& left, const BoolArg& unitriangular, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_solve_triangular", "aten.linalg_solve_triangular.default", 2, {"upper", "left", "unitriangular"}};
  return record_function(kCall, where, {self, B, upper, left, unitriangular});
}

Results<3> linalg_svd(const Proxy& A, const BoolArg& full_matrices, const StringArg& driver, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_svd", "aten.linalg_svd.default", 2, {"driver"}};
  return Results<3>(record_function(kCall, where, {A, full_matrices, driver}), where);
}

Proxy linalg_svdvals(const Proxy& A, const StringArg& driver, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_svdvals", "aten.linalg_svdvals.default", 1, {"driver"}};
  return record_function(kCall, where, {A, driver});
}

Proxy linalg_tensorinv(const Proxy& self, const IntArg& ind, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_tensorinv", "aten.linalg_tensorinv.default", 2};
  return record_function(kCall, where, {self, ind});
}

Proxy linalg_tensorsolve(const Proxy& self, const Proxy& other, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_tensorsolve", "aten.linalg_tensorsolve.default", 3};
  return record_function(kCall, where, {self, other, dims});
}

Proxy linalg_vander(const Proxy& x, const IntArg& N, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_vander", "aten.linalg_vander.default", 1, {"N"}};
  return record_function(kCall, where, {x, N});
}

Proxy linalg_vecdot(const Proxy& x, const Proxy& y, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_vecdot", "aten.linalg_vecdot.default", 2, {"dim"}};
  return record_function(kCall, where, {x, y, dim});
}

Proxy linalg_vector_norm(const Proxy& self, const ScalarArg& ord, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch._C._linalg.linalg_vector_norm", "aten.linalg_vector_norm.default", 4, {"dtype"}};
  return record_function(kCall, where, {self, ord, dim, keepdim, dtype});
}

Proxy linear(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.linear", "aten.linear.default", 3};
  return record_function(kCall, where, {input, weight, bias});
}

Proxy linspace(const Proxy& start, const Proxy& end, const IntArg& steps, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.linspace", "aten.linspace.Tensor_Tensor", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {start, end, steps, dtype, layout, device, pin_memory});
}

Proxy linspace(const Proxy& start, const ScalarArg& end, const IntArg& steps, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.linspace", "aten.linspace.Tensor_Scalar", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {start, end, steps, dtype, layout, device, pin_memory});
}

Proxy linspace(const ScalarArg& start, const Proxy& end, const IntArg& steps, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.linspace", "aten.linspace.Scalar_Tensor", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {start, end, steps, dtype, layout, device, pin_memory});
}

Proxy linspace(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const IntArg& steps, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.linspace", "aten.linspace.default", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {start, end, steps, dtype, layout, device, pin_memory});
}

Proxy log(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log", "aten.log.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log10(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log10", "aten.log10.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log10_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log10_", "aten.log10_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log1p(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log1p", "aten.log1p.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log1p_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log1p_", "aten.log1p_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log2(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log2", "aten.log2.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log2_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log2_", "aten.log2_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.log_", "aten.log_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log_sigmoid(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.log_sigmoid", "aten.log_sigmoid.default", 1};
  return record_function(kCall, where, {self});
}

Proxy log_softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.log_softmax", "aten.log_softmax.int", 3};
  return record_function(kCall, where, {self, dim, dtype});
}

Proxy logaddexp(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.logaddexp", "aten.logaddexp.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy logaddexp2(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.logaddexp2", "aten.logaddexp2.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy logcumsumexp(const Proxy& self, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.logcumsumexp", "aten.logcumsumexp.default", 2};
  return record_function(kCall, where, {self, dim});
}

Proxy logdet(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.logdet", "aten.logdet.default", 1};
  return record_function(kCall, where, {self});
}

Proxy logical_and(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.logical_and", "aten.logical_and.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy logical_not(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.logical_not", "aten.logical_not.default", 1};
  return record_function(kCall, where, {self});
}

Proxy logical_or(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.logical_or", "aten.logical_or.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy logical_xor(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.logical_xor", "aten.logical_xor.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy logit(const Proxy& self, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.logit", "aten.logit.default", 2};
  return record_function(kCall, where, {self, eps});
}

Proxy logit_(const Proxy& self, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.logit_", "aten.logit_.default", 2};
  return record_function(kCall, where, {self, eps});
}

Proxy logspace(const Proxy& start, const Proxy& end, const IntArg& steps, const FloatArg& base, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.logspace", "aten.logspace.Tensor_Tensor", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {start, end, steps, base, dtype, layout, device, pin_memory});
}

Proxy logspace(const Proxy& start, const ScalarArg& end, const IntArg& steps, const FloatArg& base, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.logspace", "aten.logspace.Tensor_Scalar", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {start, end, steps, base, dtype, layout, device, pin_memory});
}

Proxy logspace(const ScalarArg& start, const Proxy& end, const IntArg& steps, const FloatArg& base, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.logspace", "aten.logspace.Scalar_Tensor", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {start, end, steps, base, dtype, layout, device, pin_memory});
}

Proxy logspace(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const IntArg& steps, const FloatArg& base, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.logspace", "aten.logspace.default", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {start, end, steps, base, dtype, layout, device, pin_memory});
}

Proxy logsumexp(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.logsumexp", "aten.logsumexp.default", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Results<3> lstm(const Proxy& input, const TensorList& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where) {
  static constexpr TracedCall kCall{"torch.lstm", "aten.lstm.input", 9};
  return Results<3>(record_function(kCall, where, {input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first}), where);
}

Results<3> lstm(const Proxy& data, const Proxy& batch_sizes, const TensorList& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where) {
  static constexpr TracedCall kCall{"torch.lstm", "aten.lstm.data", 9};
  return Results<3>(record_function(kCall, where, {data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional}), where);
}

Results<2> lstm_cell(const Proxy& input, const TensorList& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih, const OptionalTensor& b_hh, Where where) {
  static constexpr TracedCall kCall{"torch.lstm_cell", "aten.lstm_cell.default", 6};
  return Results<2>(record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh}), where);
}

Proxy lt(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.lt", "aten.lt.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy lt(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.lt", "aten.lt.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy lu_solve(const Proxy& self, const Proxy& LU_data, const Proxy& LU_pivots, Where where) {
  static constexpr TracedCall kCall{"torch.lu_solve", "aten.lu_solve.default", 3};
  return record_function(kCall, where, {self, LU_data, LU_pivots});
}

Results<3> lu_unpack(const Proxy& LU_data, const Proxy& LU_pivots, const BoolArg& unpack_data, const BoolArg& unpack_pivots, Where where) {
  static constexpr TracedCall kCall{"torch.lu_unpack", "aten.lu_unpack.default", 4};
  return Results<3>(record_function(kCall, where, {LU_data, LU_pivots, unpack_data, unpack_pivots}), where);
}

Proxy margin_ranking_loss(const Proxy& input1, const Proxy& input2, const Proxy& target, const FloatArg& margin, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch.margin_ranking_loss", "aten.margin_ranking_loss.default", 5};
  return record_function(kCall, where, {input1, input2, target, margin, reduction});
}

Proxy masked_fill(const Proxy& self, const Proxy& mask, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.masked_fill", "aten.masked_fill.Scalar", 3};
  return record_function(kCall, where, {self, mask, value});
}

Proxy masked_fill(const Proxy& self, const Proxy& mask, const Proxy& value, Where where) {
  static constexpr TracedCall kCall{"torch.masked_fill", "aten.masked_fill.Tensor", 3};
  return record_function(kCall, where, {self, mask, value});
}

Proxy masked_scatter(const Proxy& self, const Proxy& mask, const Proxy& source, Where where) {
  static constexpr TracedCall kCall{"torch.masked_scatter", "aten.masked_scatter.default", 3};
  return record_function(kCall, where, {self, mask, source});
}

Proxy masked_select(const Proxy& self, const Proxy& mask, Where where) {
  static constexpr TracedCall kCall{"torch.masked_select", "aten.masked_select.default", 2};
  return record_function(kCall, where, {self, mask});
}

Proxy matmul(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.matmul", "aten.matmul.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy matrix_exp(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.matrix_exp", "aten.matrix_exp.default", 1};
  return record_function(kCall, where, {self});
}

Proxy matrix_power(const Proxy& self, const IntArg& n, Where where) {
  static constexpr TracedCall kCall{"torch.matrix_power", "aten.matrix_power.default", 2};
  return record_function(kCall, where, {self, n});
}

Proxy max(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.max", "aten.max.other", 2};
  return record_function(kCall, where, {self, other});
}

Proxy max(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.max", "aten.max.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> max(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.max", "aten.max.dim", 3};
  return Results<2>(record_function(kCall, where, {self, dim, keepdim}), where);
}

Proxy max_pool1d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.max_pool1d", "aten.max_pool1d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Results<2> max_pool1d_with_indices(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.max_pool1d_with_indices", "aten.max_pool1d_with_indices.default", 6};
  return Results<2>(record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode}), where);
}

Proxy max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.max_pool2d", "aten.max_pool2d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Results<2> max_pool2d_with_indices(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.max_pool2d_with_indices", "aten.max_pool2d_with_indices.default", 6};
  return Results<2>(record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode}), where);
}

Proxy max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.max_pool3d", "aten.max_pool3d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Results<2> max_pool3d_with_indices(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.max_pool3d_with_indices", "aten.max_pool3d_with_indices.default", 6};
  return Results<2>(record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode}), where);
}

Proxy max_unpool2d(const Proxy& self, const Proxy& indices, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.max_unpool2d", "aten.max_unpool2d.default", 3};
  return record_function(kCall, where, {self, indices, output_size});
}

Proxy max_unpool3d(const Proxy& self, const Proxy& indices, const IntList& output_size, const IntList& stride, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.max_unpool3d", "aten.max_unpool3d.default", 5};
  return record_function(kCall, where, {self, indices, output_size, stride, padding});
}

Proxy maximum(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.maximum", "aten.maximum.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy mean(const Proxy& self, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.mean", "aten.mean.default", 1, {"dtype"}};
  return record_function(kCall, where, {self, dtype});
}

Proxy mean(const Proxy& self, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.mean", "aten.mean.dim", 3, {"dtype"}};
  return record_function(kCall, where, {self, dim, keepdim, dtype});
}

Proxy median(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.median", "aten.median.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> median(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.median", "aten.median.dim", 3};
  return Results<2>(record_function(kCall, where, {self, dim, keepdim}), where);
}

Proxy meshgrid(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.functional.meshgrid", "aten.meshgrid.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy meshgrid(const TensorList& tensors, const StringArg& indexing, Where where) {
  static constexpr TracedCall kCall{"torch.functional.meshgrid", "aten.meshgrid.indexing", 1, {"indexing"}};
  return record_function(kCall, where, {tensors, indexing});
}

Proxy min(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.min", "aten.min.other", 2};
  return record_function(kCall, where, {self, other});
}

Proxy min(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.min", "aten.min.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> min(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.min", "aten.min.dim", 3};
  return Results<2>(record_function(kCall, where, {self, dim, keepdim}), where);
}

Proxy minimum(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.minimum", "aten.minimum.default", 2};
  return record_function(kCall, where, {self, other});
}

Results<3> miopen_batch_norm(const Proxy& input, const Proxy& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& exponential_average_factor, const FloatArg& epsilon, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_batch_norm", "aten.miopen_batch_norm.default", 8};
  return Results<3>(record_function(kCall, where, {input, weight, bias, running_mean, running_var, training, exponential_average_factor, epsilon}), where);
}

Proxy miopen_convolution(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_convolution", "aten.miopen_convolution.default", 9};
  return record_function(kCall, where, {self, weight, bias, padding, stride, dilation, groups, benchmark, deterministic});
}

Proxy miopen_convolution_add_relu(const Proxy& self, const Proxy& weight, const Proxy& z, const ScalarArg& alpha, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_convolution_add_relu", "aten.miopen_convolution_add_relu.default", 9};
  return record_function(kCall, where, {self, weight, z, alpha, bias, stride, padding, dilation, groups});
}

Proxy miopen_convolution_relu(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_convolution_relu", "aten.miopen_convolution_relu.default", 7};
  return record_function(kCall, where, {self, weight, bias, stride, padding, dilation, groups});
}

Proxy miopen_convolution_transpose(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& output_padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_convolution_transpose", "aten.miopen_convolution_transpose.default", 10};
  return record_function(kCall, where, {self, weight, bias, padding, output_padding, stride, dilation, groups, benchmark, deterministic});
}

Results<2> miopen_ctc_loss(const Proxy& log_probs, const Proxy& targets, const IntList& input_lengths, const IntList& target_lengths, const IntArg& blank, const BoolArg& deterministic, const BoolArg& zero_infinity, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_ctc_loss", "aten.miopen_ctc_loss.default", 7};
  return Results<2>(record_function(kCall, where, {log_probs, targets, input_lengths, target_lengths, blank, deterministic, zero_infinity}), where);
}

Results<2> miopen_ctc_loss(const Proxy& log_probs, const Proxy& targets, const Proxy& input_lengths, const Proxy& target_lengths, const IntArg& blank, const BoolArg& deterministic, const BoolArg& zero_infinity, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_ctc_loss", "aten.miopen_ctc_loss.Tensor", 7};
  return Results<2>(record_function(kCall, where, {log_probs, targets, input_lengths, target_lengths, blank, deterministic, zero_infinity}), where);
}

Proxy miopen_depthwise_convolution(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const BoolArg& benchmark, const BoolArg& deterministic, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_depthwise_convolution", "aten.miopen_depthwise_convolution.default", 9};
  return record_function(kCall, where, {self, weight, bias, padding, stride, dilation, groups, benchmark, deterministic});
}

Results<5> miopen_rnn(const Proxy& input, const TensorList& weight, const IntArg& weight_stride0, const Proxy& hx, const OptionalTensor& cx, const IntArg& mode, const IntArg& hidden_size, const IntArg& num_layers, const BoolArg& batch_first, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const IntList& batch_sizes, const OptionalTensor& dropout_state, Where where) {
  static constexpr TracedCall kCall{"torch.miopen_rnn", "aten.miopen_rnn.default", 14};
  return Results<5>(record_function(kCall, where, {input, weight, weight_stride0, hx, cx, mode, hidden_size, num_layers, batch_first, dropout, train, bidirectional, batch_sizes, dropout_state}), where);
}

Proxy mish(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.mish", "aten.mish.default", 1};
  return record_function(kCall, where, {self});
}

Proxy mish_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.mish_", "aten.mish_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy mkldnn_adaptive_avg_pool2d(const Proxy& self, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch.mkldnn_adaptive_avg_pool2d", "aten.mkldnn_adaptive_avg_pool2d.default", 2};
  return record_function(kCall, where, {self, output_size});
}

Proxy mkldnn_convolution(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.mkldnn_convolution", "aten.mkldnn_convolution.default", 7};
  return record_function(kCall, where, {self, weight, bias, padding, stride, dilation, groups});
}

Proxy mkldnn_linear(const Proxy& self, const Proxy& weight, const OptionalTensor& bias, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.mkldnn_linear", "aten.mkldnn_linear.default", 3};
  return record_function(kCall, where, {self, weight, bias});
}

Results<2> mkldnn_linear_backward_weights(const Proxy& grad_output, const Proxy& input, const Proxy& weight, const BoolArg& bias_defined, Where where) {
  static constexpr TracedCall kCall{"torch.mkldnn_linear_backward_weights", "aten.mkldnn_linear_backward_weights.default", 4};
  return Results<2>(record_function(kCall, where, {grad_output, input, weight, bias_defined}), where);
}

Proxy mkldnn_max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.mkldnn_max_pool2d", "aten.mkldnn_max_pool2d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Proxy mkldnn_max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.mkldnn_max_pool3d", "aten.mkldnn_max_pool3d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Proxy mkldnn_reorder_conv2d_weight(const Proxy& self, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const IntList& input_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.mkldnn_reorder_conv2d_weight", "aten.mkldnn_reorder_conv2d_weight.default", 6};
  return record_function(kCall, where, {self, padding, stride, dilation, groups, input_size});
}

Proxy mkldnn_reorder_conv3d_weight(const Proxy& self, const IntList& padding, const IntList& stride, const IntList& dilation, const IntArg& groups, const IntList& input_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.mkldnn_reorder_conv3d_weight", "aten.mkldnn_reorder_conv3d_weight.default", 6};
  return record_function(kCall, where, {self, padding, stride, dilation, groups, input_size});
}

Results<4> mkldnn_rnn_layer(const Proxy& input, const Proxy& weight0, const Proxy& weight1, const Proxy& weight2, const Proxy& weight3, const Proxy& hx_, const Proxy& cx_, const BoolArg& reverse, const IntList& batch_sizes, const IntArg& mode, const IntArg& hidden_size, const IntArg& num_layers, const BoolArg& has_biases, const BoolArg& bidirectional, const BoolArg& batch_first, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.mkldnn_rnn_layer", "aten.mkldnn_rnn_layer.default", 16};
  return Results<4>(record_function(kCall, where, {input, weight0, weight1, weight2, weight3, hx_, cx_, reverse, batch_sizes, mode, hidden_size, num_layers, has_biases, bidirectional, batch_first, train}), where);
}

Proxy mm(const Proxy& self, const Proxy& mat2, Where where) {
  static constexpr TracedCall kCall{"torch.mm", "aten.mm.default", 2};
  return record_function(kCall, where, {self, mat2});
}

Proxy mm(const Proxy& self, const Proxy& mat2, const DTypeArg& out_dtype, Where where) {
  static constexpr TracedCall kCall{"torch.mm", "aten.mm.dtype", 3};
  return record_function(kCall, where, {self, mat2, out_dtype});
}

Results<2> mode(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.mode", "aten.mode.default", 3};
  return Results<2>(record_function(kCall, where, {self, dim, keepdim}), where);
}

Proxy moveaxis(const Proxy& self, const IntList& source, const IntList& destination, Where where) {
  static constexpr TracedCall kCall{"torch.moveaxis", "aten.moveaxis.intlist", 3, {}, "aten.moveaxis.int", 1, false};
  return record_function(kCall, where, {self, source, destination});
}

Proxy movedim(const Proxy& self, const IntList& source, const IntList& destination, Where where) {
  static constexpr TracedCall kCall{"torch.movedim", "aten.movedim.intlist", 3, {}, "aten.movedim.int", 1, false};
  return record_function(kCall, where, {self, source, destination});
}

Proxy mse_loss(const Proxy& self, const Proxy& target, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.mse_loss", "aten.mse_loss.default", 3};
  return record_function(kCall, where, {self, target, reduction});
}

Proxy msort(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.msort", "aten.msort.default", 1};
  return record_function(kCall, where, {self});
}

Proxy mul(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.mul", "aten.mul.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy mul(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.mul", "aten.mul.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy multi_margin_loss(const Proxy& self, const Proxy& target, const ScalarArg& p, const ScalarArg& margin, const OptionalTensor& weight, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.multi_margin_loss", "aten.multi_margin_loss.default", 6};
  return record_function(kCall, where, {self, target, p, margin, weight, reduction});
}

Proxy multilabel_margin_loss(const Proxy& self, const Proxy& target, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.multilabel_margin_loss", "aten.multilabel_margin_loss.default", 3};
  return record_function(kCall, where, {self, target, reduction});
}

Proxy multinomial(const Proxy& self, const IntArg& num_samples, const BoolArg& replacement, Where where) {
  static constexpr TracedCall kCall{"torch.multinomial", "aten.multinomial.default", 3};
  return record_function(kCall, where, {self, num_samples, replacement});
}

Proxy multiply(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.multiply", "aten.multiply.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy multiply(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.multiply", "aten.multiply.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy mv(const Proxy& self, const Proxy& vec, Where where) {
  static constexpr TracedCall kCall{"torch.mv", "aten.mv.default", 2};
  return record_function(kCall, where, {self, vec});
}

Proxy mvlgamma(const Proxy& self, const IntArg& p, Where where) {
  static constexpr TracedCall kCall{"torch.mvlgamma", "aten.mvlgamma.default", 2};
  return record_function(kCall, where, {self, p});
}

Proxy nan_to_num(const Proxy& self, const FloatArg& nan, const FloatArg& posinf, const FloatArg& neginf, Where where) {
  static constexpr TracedCall kCall{"torch.nan_to_num", "aten.nan_to_num.default", 4};
  return record_function(kCall, where, {self, nan, posinf, neginf});
}

Proxy nan_to_num_(const Proxy& self, const FloatArg& nan, const FloatArg& posinf, const FloatArg& neginf, Where where) {
  static constexpr TracedCall kCall{"torch.nan_to_num_", "aten.nan_to_num_.default", 4};
  return record_function(kCall, where, {self, nan, posinf, neginf});
}

Proxy nanmean(const Proxy& self, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.nanmean", "aten.nanmean.default", 3, {"dtype"}};
  return record_function(kCall, where, {self, dim, keepdim, dtype});
}

Proxy nanmedian(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.nanmedian", "aten.nanmedian.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> nanmedian(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.nanmedian", "aten.nanmedian.dim", 3};
  return Results<2>(record_function(kCall, where, {self, dim, keepdim}), where);
}

Proxy nanquantile(const Proxy& self, const Proxy& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) {
  static constexpr TracedCall kCall{"torch.nanquantile", "aten.nanquantile.default", 4, {"interpolation"}};
  return record_function(kCall, where, {self, q, dim, keepdim, interpolation});
}

Proxy nanquantile(const Proxy& self, const FloatArg& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) {
  static constexpr TracedCall kCall{"torch.nanquantile", "aten.nanquantile.scalar", 4, {"interpolation"}};
  return record_function(kCall, where, {self, q, dim, keepdim, interpolation});
}

Proxy nansum(const Proxy& self, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.nansum", "aten.nansum.default", 3, {"dtype"}};
  return record_function(kCall, where, {self, dim, keepdim, dtype});
}

Proxy narrow(const Proxy& self, const IntArg& dim, const IntArg& start, const IntArg& length, Where where) {
  static constexpr TracedCall kCall{"torch.narrow", "aten.narrow.default", 4};
  return record_function(kCall, where, {self, dim, start, length});
}

Proxy narrow(const Proxy& self, const IntArg& dim, const Proxy& start, const IntArg& length, Where where) {
  static constexpr TracedCall kCall{"torch.narrow", "aten.narrow.Tensor", 4};
  return record_function(kCall, where, {self, dim, start, length});
}

Proxy narrow_copy(const Proxy& self, const IntArg& dim, const IntArg& start, const IntArg& length, Where where) {
  static constexpr TracedCall kCall{"torch.narrow_copy", "aten.narrow_copy.default", 4};
  return record_function(kCall, where, {self, dim, start, length});
}

Results<3> native_batch_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const OptionalTensor& running_mean, const OptionalTensor& running_var, const BoolArg& training, const FloatArg& momentum, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.native_batch_norm", "aten.native_batch_norm.default", 8};
  return Results<3>(record_function(kCall, where, {input, weight, bias, running_mean, running_var, training, momentum, eps}), where);
}

Proxy native_channel_shuffle(const Proxy& self, const IntArg& groups, Where where) {
  static constexpr TracedCall kCall{"torch.native_channel_shuffle", "aten.native_channel_shuffle.default", 2};
  return record_function(kCall, where, {self, groups});
}

Results<2> native_dropout(const Proxy& input, const FloatArg& p, const BoolArg& train, Where where) {
  static constexpr TracedCall kCall{"torch.native_dropout", "aten.native_dropout.default", 3};
  return Results<2>(record_function(kCall, where, {input, p, train}), where);
}

Results<3> native_group_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const IntArg& N, const IntArg& C, const IntArg& HxW, const IntArg& group, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.native_group_norm", "aten.native_group_norm.default", 8};
  return Results<3>(record_function(kCall, where, {input, weight, bias, N, C, HxW, group, eps}), where);
}

Results<3> native_layer_norm(const Proxy& input, const IntList& normalized_shape, const OptionalTensor& weight, const OptionalTensor& bias, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.native_layer_norm", "aten.native_layer_norm.default", 5};
  return Results<3>(record_function(kCall, where, {input, normalized_shape, weight, bias, eps}), where);
}

Proxy native_norm(const Proxy& self, const ScalarArg& p, Where where) {
  static constexpr TracedCall kCall{"torch.native_norm", "aten.native_norm.default", 2};
  return record_function(kCall, where, {self, p});
}

Proxy native_norm(const Proxy& self, const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.native_norm", "aten.native_norm.ScalarOpt_dim_dtype", 5};
  return record_function(kCall, where, {self, p, dim, keepdim, dtype});
}

Proxy ne(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.ne", "aten.ne.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy ne(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.ne", "aten.ne.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy neg(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.neg", "aten.neg.default", 1};
  return record_function(kCall, where, {self});
}

Proxy neg_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.neg_", "aten.neg_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy negative(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.negative", "aten.negative.default", 1};
  return record_function(kCall, where, {self});
}

Proxy negative_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.negative_", "aten.negative_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy nested_to_padded_tensor(const Proxy& self, const FloatArg& padding, const IntList& output_size, Where where) {
  static constexpr TracedCall kCall{"torch._C._nested.nested_to_padded_tensor", "aten.nested_to_padded_tensor.default", 3};
  return record_function(kCall, where, {self, padding, output_size});
}

Proxy nextafter(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.nextafter", "aten.nextafter.default", 2};
  return record_function(kCall, where, {self, other});
}

Proxy nll_loss(const Proxy& self, const Proxy& target, const OptionalTensor& weight, const IntArg& reduction, const IntArg& ignore_index, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.nll_loss", "aten.nll_loss.default", 5};
  return record_function(kCall, where, {self, target, weight, reduction, ignore_index});
}

Proxy nll_loss2d(const Proxy& self, const Proxy& target, const OptionalTensor& weight, const IntArg& reduction, const IntArg& ignore_index, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.nll_loss2d", "aten.nll_loss2d.default", 5};
  return record_function(kCall, where, {self, target, weight, reduction, ignore_index});
}

Proxy nll_loss_nd(const Proxy& self, const Proxy& target, const OptionalTensor& weight, const IntArg& reduction, const IntArg& ignore_index, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.nll_loss_nd", "aten.nll_loss_nd.default", 5};
  return record_function(kCall, where, {self, target, weight, reduction, ignore_index});
}

Proxy nonzero(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.nonzero", "aten.nonzero.default", 1};
  return record_function(kCall, where, {self});
}

Proxy nonzero_static(const Proxy& self, const IntArg& size, const IntArg& fill_value, Where where) {
  static constexpr TracedCall kCall{"torch.nonzero_static", "aten.nonzero_static.default", 1, {"size", "fill_value"}};
  return record_function(kCall, where, {self, size, fill_value});
}

Proxy norm(const Proxy& self, const ScalarArg& p, Where where) {
  static constexpr TracedCall kCall{"torch.functional.norm", "aten.norm.Scalar", 2};
  return record_function(kCall, where, {self, p});
}

Proxy norm(const Proxy& self, const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.functional.norm", "aten.norm.ScalarOpt_dim", 4};
  return record_function(kCall, where, {self, p, dim, keepdim});
}

Proxy norm(const Proxy& self, const ScalarArg& p, const IntList& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.functional.norm", "aten.norm.ScalarOpt_dim_dtype", 4, {"dtype"}};
  return record_function(kCall, where, {self, p, dim, keepdim, dtype});
}

Proxy norm(const Proxy& self, const ScalarArg& p, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.functional.norm", "aten.norm.ScalarOpt_dtype", 2, {"dtype"}};
  return record_function(kCall, where, {self, p, dtype});
}

Proxy norm_except_dim(const Proxy& v, const IntArg& pow, const IntArg& dim, Where where) {
  static constexpr TracedCall kCall{"torch.norm_except_dim", "aten.norm_except_dim.default", 3};
  return record_function(kCall, where, {v, pow, dim});
}

Proxy normal(const Proxy& mean, const FloatArg& std, Where where) {
  static constexpr TracedCall kCall{"torch.normal", "aten.normal.Tensor_float", 2};
  return record_function(kCall, where, {mean, std});
}

Proxy normal(const FloatArg& mean, const Proxy& std, Where where) {
  static constexpr TracedCall kCall{"torch.normal", "aten.normal.float_Tensor", 2};
  return record_function(kCall, where, {mean, std});
}

Proxy normal(const Proxy& mean, const Proxy& std, Where where) {
  static constexpr TracedCall kCall{"torch.normal", "aten.normal.Tensor_Tensor", 2};
  return record_function(kCall, where, {mean, std});
}

Proxy normal(TracerBase& tracer, const FloatArg& mean, const FloatArg& std, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.normal", "aten.normal.float_float", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {mean, std, size, dtype, layout, device, pin_memory});
}

Proxy not_equal(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.not_equal", "aten.not_equal.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy not_equal(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.not_equal", "aten.not_equal.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy nuclear_norm(const Proxy& self, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.nuclear_norm", "aten.nuclear_norm.default", 2};
  return record_function(kCall, where, {self, keepdim});
}

Proxy nuclear_norm(const Proxy& self, const IntList& dim, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.nuclear_norm", "aten.nuclear_norm.dim", 3};
  return record_function(kCall, where, {self, dim, keepdim});
}

Proxy numel(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.numel", "aten.numel.default", 1};
  return record_function(kCall, where, {self});
}

Proxy one_hot(const Proxy& self, const IntArg& num_classes, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.one_hot", "aten.one_hot.default", 2};
  return record_function(kCall, where, {self, num_classes});
}

Proxy ones(TracerBase& tracer, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.ones", "aten.ones.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, dtype, layout, device, pin_memory});
}

Proxy ones_like(const Proxy& self, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.ones_like", "aten.ones_like.default", 1, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, dtype, layout, device, pin_memory, memory_format});
}

Proxy orgqr(const Proxy& self, const Proxy& input2, Where where) {
  static constexpr TracedCall kCall{"torch.orgqr", "aten.orgqr.default", 2};
  return record_function(kCall, where, {self, input2});
}

Proxy ormqr(const Proxy& self, const Proxy& input2, const Proxy& input3, const BoolArg& left, const BoolArg& transpose, Where where) {
  static constexpr TracedCall kCall{"torch.ormqr", "aten.ormqr.default", 5};
  return record_function(kCall, where, {self, input2, input3, left, transpose});
}

Proxy outer(const Proxy& self, const Proxy& vec2, Where where) {
  static constexpr TracedCall kCall{"torch.outer", "aten.outer.default", 2};
  return record_function(kCall, where, {self, vec2});
}

Proxy pad(const Proxy& self, const IntList& pad, const StringArg& mode, const FloatArg& value, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.pad", "aten.pad.default", 4};
  return record_function(kCall, where, {self, pad, mode, value});
}

Proxy pad_sequence(const TensorList& sequences, const BoolArg& batch_first, const FloatArg& padding_value, const StringArg& padding_side, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.pad_sequence", "aten.pad_sequence.default", 4};
  return record_function(kCall, where, {sequences, batch_first, padding_value, padding_side});
}

Proxy pairwise_distance(const Proxy& x1, const Proxy& x2, const FloatArg& p, const FloatArg& eps, const BoolArg& keepdim, Where where) {
  static constexpr TracedCall kCall{"torch.pairwise_distance", "aten.pairwise_distance.default", 5};
  return record_function(kCall, where, {x1, x2, p, eps, keepdim});
}

Proxy pdist(const Proxy& self, const FloatArg& p, Where where) {
  static constexpr TracedCall kCall{"torch.pdist", "aten.pdist.default", 2};
  return record_function(kCall, where, {self, p});
}

Proxy permute(const Proxy& self, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch.permute", "aten.permute.default", 2};
  return record_function(kCall, where, {self, dims});
}

Proxy permute_copy(const Proxy& self, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch.permute_copy", "aten.permute_copy.default", 2};
  return record_function(kCall, where, {self, dims});
}

Proxy pinverse(const Proxy& self, const FloatArg& rcond, Where where) {
  static constexpr TracedCall kCall{"torch.pinverse", "aten.pinverse.default", 2};
  return record_function(kCall, where, {self, rcond});
}

Proxy pixel_shuffle(const Proxy& self, const IntArg& upscale_factor, Where where) {
  static constexpr TracedCall kCall{"torch.pixel_shuffle", "aten.pixel_shuffle.default", 2};
  return record_function(kCall, where, {self, upscale_factor});
}

Proxy pixel_unshuffle(const Proxy& self, const IntArg& downscale_factor, Where where) {
  static constexpr TracedCall kCall{"torch.pixel_unshuffle", "aten.pixel_unshuffle.default", 2};
  return record_function(kCall, where, {self, downscale_factor});
}

Proxy poisson(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.poisson", "aten.poisson.default", 1};
  return record_function(kCall, where, {self});
}

Proxy poisson_nll_loss(const Proxy& input, const Proxy& target, const BoolArg& log_input, const BoolArg& full, const FloatArg& eps, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch.poisson_nll_loss", "aten.poisson_nll_loss.default", 6};
  return record_function(kCall, where, {input, target, log_input, full, eps, reduction});
}

Proxy polar(const Proxy& abs, const Proxy& angle, Where where) {
  static constexpr TracedCall kCall{"torch.polar", "aten.polar.default", 2};
  return record_function(kCall, where, {abs, angle});
}

Proxy polygamma(const IntArg& n, const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.polygamma", "aten.polygamma.default", 2};
  return record_function(kCall, where, {n, self});
}

Proxy positive(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.positive", "aten.positive.default", 1};
  return record_function(kCall, where, {self});
}

Proxy pow(const Proxy& self, const Proxy& exponent, Where where) {
  static constexpr TracedCall kCall{"torch.pow", "aten.pow.Tensor_Tensor", 2};
  return record_function(kCall, where, {self, exponent});
}

Proxy pow(const Proxy& self, const ScalarArg& exponent, Where where) {
  static constexpr TracedCall kCall{"torch.pow", "aten.pow.Tensor_Scalar", 2};
  return record_function(kCall, where, {self, exponent});
}

Proxy pow(const ScalarArg& self, const Proxy& exponent, Where where) {
  static constexpr TracedCall kCall{"torch.pow", "aten.pow.Scalar", 2};
  return record_function(kCall, where, {self, exponent});
}

Proxy prelu(const Proxy& self, const Proxy& weight, Where where) {
  static constexpr TracedCall kCall{"torch.prelu", "aten.prelu.default", 2};
  return record_function(kCall, where, {self, weight});
}

Proxy prod(const Proxy& self, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.prod", "aten.prod.default", 1, {"dtype"}};
  return record_function(kCall, where, {self, dtype});
}

Proxy prod(const Proxy& self, const IntArg& dim, const BoolArg& keepdim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.prod", "aten.prod.dim_int", 3, {"dtype"}};
  return record_function(kCall, where, {self, dim, keepdim, dtype});
}

Proxy promote_types(TracerBase& tracer, const DTypeArg& type1, const DTypeArg& type2, Where where) {
  static constexpr TracedCall kCall{"torch.promote_types", "aten.promote_types.default", 2};
  return record_function(tracer, kCall, where, {type1, type2});
}

Proxy put(const Proxy& self, const Proxy& index, const Proxy& source, const BoolArg& accumulate, Where where) {
  static constexpr TracedCall kCall{"torch.put", "aten.put.default", 4};
  return record_function(kCall, where, {self, index, source, accumulate});
}

Proxy q_per_channel_axis(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.q_per_channel_axis", "aten.q_per_channel_axis.default", 1};
  return record_function(kCall, where, {self});
}

Proxy q_per_channel_scales(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.q_per_channel_scales", "aten.q_per_channel_scales.default", 1};
  return record_function(kCall, where, {self});
}

Proxy q_per_channel_zero_points(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.q_per_channel_zero_points", "aten.q_per_channel_zero_points.default", 1};
  return record_function(kCall, where, {self});
}

Proxy q_scale(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.q_scale", "aten.q_scale.default", 1};
  return record_function(kCall, where, {self});
}

Proxy q_zero_point(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.q_zero_point", "aten.q_zero_point.default", 1};
  return record_function(kCall, where, {self});
}

Results<2> qr(const Proxy& self, const BoolArg& some, Where where) {
  static constexpr TracedCall kCall{"torch.qr", "aten.qr.default", 2};
  return Results<2>(record_function(kCall, where, {self, some}), where);
}

Proxy quantile(const Proxy& self, const Proxy& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) {
  static constexpr TracedCall kCall{"torch.quantile", "aten.quantile.default", 4, {"interpolation"}};
  return record_function(kCall, where, {self, q, dim, keepdim, interpolation});
}

Proxy quantile(const Proxy& self, const FloatArg& q, const IntArg& dim, const BoolArg& keepdim, const StringArg& interpolation, Where where) {
  static constexpr TracedCall kCall{"torch.quantile", "aten.quantile.scalar", 4, {"interpolation"}};
  return record_function(kCall, where, {self, q, dim, keepdim, interpolation});
}

Proxy quantize_per_channel(const Proxy& self, const Proxy& scales, const Proxy& zero_points, const IntArg& axis, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.quantize_per_channel", "aten.quantize_per_channel.default", 5};
  return record_function(kCall, where, {self, scales, zero_points, axis, dtype});
}

Proxy quantize_per_tensor(const Proxy& self, const FloatArg& scale, const IntArg& zero_point, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.quantize_per_tensor", "aten.quantize_per_tensor.default", 4};
  return record_function(kCall, where, {self, scale, zero_point, dtype});
}

Proxy quantize_per_tensor(const Proxy& self, const Proxy& scale, const Proxy& zero_point, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.quantize_per_tensor", "aten.quantize_per_tensor.tensor_qparams", 4};
  return record_function(kCall, where, {self, scale, zero_point, dtype});
}

Proxy quantize_per_tensor(const TensorList& tensors, const Proxy& scales, const Proxy& zero_points, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.quantize_per_tensor", "aten.quantize_per_tensor.tensors", 4};
  return record_function(kCall, where, {tensors, scales, zero_points, dtype});
}

Proxy quantize_per_tensor_dynamic(const Proxy& self, const DTypeArg& dtype, const BoolArg& reduce_range, Where where) {
  static constexpr TracedCall kCall{"torch.quantize_per_tensor_dynamic", "aten.quantize_per_tensor_dynamic.default", 3};
  return record_function(kCall, where, {self, dtype, reduce_range});
}

Proxy quantized_batch_norm(const Proxy& input, const OptionalTensor& weight, const OptionalTensor& bias, const Proxy& mean, const Proxy& var, const FloatArg& eps, const FloatArg& output_scale, const IntArg& output_zero_point, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_batch_norm", "aten.quantized_batch_norm.default", 8};
  return record_function(kCall, where, {input, weight, bias, mean, var, eps, output_scale, output_zero_point});
}

Proxy quantized_gru_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_gru_cell", "aten.quantized_gru_cell.default", 14};
  return record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh, packed_ih, packed_hh, col_offsets_ih, col_offsets_hh, scale_ih, scale_hh, zero_point_ih, zero_point_hh});
}

Results<2> quantized_lstm_cell(const Proxy& input, const TensorList& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_lstm_cell", "aten.quantized_lstm_cell.default", 14};
  return Results<2>(record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh, packed_ih, packed_hh, col_offsets_ih, col_offsets_hh, scale_ih, scale_hh, zero_point_ih, zero_point_hh}), where);
}

Proxy quantized_max_pool1d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_max_pool1d", "aten.quantized_max_pool1d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Proxy quantized_max_pool2d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_max_pool2d", "aten.quantized_max_pool2d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Proxy quantized_max_pool3d(const Proxy& self, const IntList& kernel_size, const IntList& stride, const IntList& padding, const IntList& dilation, const BoolArg& ceil_mode, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_max_pool3d", "aten.quantized_max_pool3d.default", 6};
  return record_function(kCall, where, {self, kernel_size, stride, padding, dilation, ceil_mode});
}

Proxy quantized_rnn_relu_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_rnn_relu_cell", "aten.quantized_rnn_relu_cell.default", 14};
  return record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh, packed_ih, packed_hh, col_offsets_ih, col_offsets_hh, scale_ih, scale_hh, zero_point_ih, zero_point_hh});
}

Proxy quantized_rnn_tanh_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const Proxy& b_ih, const Proxy& b_hh, const Proxy& packed_ih, const Proxy& packed_hh, const Proxy& col_offsets_ih, const Proxy& col_offsets_hh, const ScalarArg& scale_ih, const ScalarArg& scale_hh, const ScalarArg& zero_point_ih, const ScalarArg& zero_point_hh, Where where) {
  static constexpr TracedCall kCall{"torch.quantized_rnn_tanh_cell", "aten.quantized_rnn_tanh_cell.default", 14};
  return record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh, packed_ih, packed_hh, col_offsets_ih, col_offsets_hh, scale_ih, scale_hh, zero_point_ih, zero_point_hh});
}

Proxy rad2deg(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.rad2deg", "aten.rad2deg.default", 1};
  return record_function(kCall, where, {self});
}

Proxy rad2deg_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.rad2deg_", "aten.rad2deg_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy rand(TracerBase& tracer, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.rand", "aten.rand.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, dtype, layout, device, pin_memory});
}

Proxy rand_like(const Proxy& self, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.rand_like", "aten.rand_like.default", 1, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, dtype, layout, device, pin_memory, memory_format});
}

Proxy randint(TracerBase& tracer, const IntArg& high, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.randint", "aten.randint.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {high, size, dtype, layout, device, pin_memory});
}

Proxy randint(TracerBase& tracer, const IntArg& low, const IntArg& high, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.randint", "aten.randint.low", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {low, high, size, dtype, layout, device, pin_memory});
}

Proxy randint_like(const Proxy& self, const IntArg& high, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.randint_like", "aten.randint_like.default", 2, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, high, dtype, layout, device, pin_memory, memory_format});
}

Proxy randint_like(const Proxy& self, const Proxy& high, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.randint_like", "aten.randint_like.Tensor", 2, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, high, dtype, layout, device, pin_memory, memory_format});
}

Proxy randint_like(const Proxy& self, const IntArg& low, const IntArg& high, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.randint_like", "aten.randint_like.low_dtype", 3, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, low, high, dtype, layout, device, pin_memory, memory_format});
}

Proxy randn(TracerBase& tracer, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.randn", "aten.randn.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, dtype, layout, device, pin_memory});
}

Proxy randn_like(const Proxy& self, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.randn_like", "aten.randn_like.default", 1, {"dtype", "layout", "device", "pin_memory", "memory_format"}};
  return record_function(kCall, where, {self, dtype, layout, device, pin_memory, memory_format});
}

Proxy randperm(TracerBase& tracer, const IntArg& n, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.randperm", "aten.randperm.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {n, dtype, layout, device, pin_memory});
}

Proxy range(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const ScalarArg& step, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.range", "aten.range.step", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {start, end, step, dtype, layout, device, pin_memory});
}

Proxy range(TracerBase& tracer, const ScalarArg& start, const ScalarArg& end, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.range", "aten.range.default", 2, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {start, end, dtype, layout, device, pin_memory});
}

Proxy ravel(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.ravel", "aten.ravel.default", 1};
  return record_function(kCall, where, {self});
}

Proxy real(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.real", "aten.real.default", 1};
  return record_function(kCall, where, {self});
}

Proxy reciprocal(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.reciprocal", "aten.reciprocal.default", 1};
  return record_function(kCall, where, {self});
}

Proxy reciprocal_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.reciprocal_", "aten.reciprocal_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy reflection_pad1d(const Proxy& self, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.reflection_pad1d", "aten.reflection_pad1d.default", 2};
  return record_function(kCall, where, {self, padding});
}

Proxy reflection_pad2d(const Proxy& self, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.reflection_pad2d", "aten.reflection_pad2d.default", 2};
  return record_function(kCall, where, {self, padding});
}

Proxy reflection_pad3d(const Proxy& self, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.reflection_pad3d", "aten.reflection_pad3d.default", 2};
  return record_function(kCall, where, {self, padding});
}

Proxy relu(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.relu", "aten.relu.default", 1};
  return record_function(kCall, where, {self});
}

Proxy relu6(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.relu6", "aten.relu6.default", 1};
  return record_function(kCall, where, {self});
}

Proxy relu6_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.relu6_", "aten.relu6_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy relu_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.relu_", "aten.relu_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy remainder(const Proxy& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.remainder", "aten.remainder.Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy remainder(const Proxy& self, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.remainder", "aten.remainder.Scalar", 2};
  return record_function(kCall, where, {self, other});
}

Proxy remainder(const ScalarArg& self, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.remainder", "aten.remainder.Scalar_Tensor", 2};
  return record_function(kCall, where, {self, other});
}

Proxy renorm(const Proxy& self, const ScalarArg& p, const IntArg& dim, const ScalarArg& maxnorm, Where where) {
  static constexpr TracedCall kCall{"torch.renorm", "aten.renorm.default", 4};
  return record_function(kCall, where, {self, p, dim, maxnorm});
}

Proxy repeat_interleave(const Proxy& repeats, const IntArg& output_size, Where where) {
  static constexpr TracedCall kCall{"torch.repeat_interleave", "aten.repeat_interleave.Tensor", 1, {"output_size"}};
  return record_function(kCall, where, {repeats, output_size});
}

Proxy repeat_interleave(const Proxy& self, const Proxy& repeats, const IntArg& dim, const IntArg& output_size, Where where) {
  static constexpr TracedCall kCall{"torch.repeat_interleave", "aten.repeat_interleave.self_Tensor", 3, {"output_size"}};
  return record_function(kCall, where, {self, repeats, dim, output_size});
}

Proxy repeat_interleave(const Proxy& self, const IntArg& repeats, const IntArg& dim, const IntArg& output_size, Where where) {
  static constexpr TracedCall kCall{"torch.repeat_interleave", "aten.repeat_interleave.self_int", 3, {"output_size"}};
  return record_function(kCall, where, {self, repeats, dim, output_size});
}

Proxy replication_pad1d(const Proxy& self, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.replication_pad1d", "aten.replication_pad1d.default", 2};
  return record_function(kCall, where, {self, padding});
}

Proxy replication_pad2d(const Proxy& self, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.replication_pad2d", "aten.replication_pad2d.default", 2};
  return record_function(kCall, where, {self, padding});
}

Proxy replication_pad3d(const Proxy& self, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.replication_pad3d", "aten.replication_pad3d.default", 2};
  return record_function(kCall, where, {self, padding});
}

Proxy reshape(const Proxy& self, const IntList& shape, Where where) {
  static constexpr TracedCall kCall{"torch.reshape", "aten.reshape.default", 2};
  return record_function(kCall, where, {self, shape});
}

Proxy resize_as_(const Proxy& self, const Proxy& the_template, const MemoryFormatArg& memory_format, Where where) {
  static constexpr TracedCall kCall{"torch.resize_as_", "aten.resize_as_.default", 2, {"memory_format"}};
  return record_function(kCall, where, {self, the_template, memory_format});
}

Proxy resize_as_sparse_(const Proxy& self, const Proxy& the_template, Where where) {
  static constexpr TracedCall kCall{"torch.resize_as_sparse_", "aten.resize_as_sparse_.default", 2};
  return record_function(kCall, where, {self, the_template});
}

Proxy resolve_conj(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.resolve_conj", "aten.resolve_conj.default", 1};
  return record_function(kCall, where, {self});
}

Proxy resolve_neg(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.resolve_neg", "aten.resolve_neg.default", 1};
  return record_function(kCall, where, {self});
}

Proxy result_type(const Proxy& tensor, const Proxy& other, Where where) {
  static constexpr TracedCall kCall{"torch.result_type", "aten.result_type.Tensor", 2};
  return record_function(kCall, where, {tensor, other});
}

Proxy result_type(const Proxy& tensor, const ScalarArg& other, Where where) {
  static constexpr TracedCall kCall{"torch.result_type", "aten.result_type.Scalar", 2};
  return record_function(kCall, where, {tensor, other});
}

Proxy result_type(const ScalarArg& scalar, const Proxy& tensor, Where where) {
  static constexpr TracedCall kCall{"torch.result_type", "aten.result_type.Scalar_Tensor", 2};
  return record_function(kCall, where, {scalar, tensor});
}

Proxy result_type(TracerBase& tracer, const ScalarArg& scalar1, const ScalarArg& scalar2, Where where) {
  static constexpr TracedCall kCall{"torch.result_type", "aten.result_type.Scalar_Scalar", 2};
  return record_function(tracer, kCall, where, {scalar1, scalar2});
}

Proxy rms_norm(const Proxy& input, const IntList& normalized_shape, const OptionalTensor& weight, const FloatArg& eps, Where where) {
  static constexpr TracedCall kCall{"torch.rms_norm", "aten.rms_norm.default", 4};
  return record_function(kCall, where, {input, normalized_shape, weight, eps});
}

Results<2> rnn_relu(const Proxy& input, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where) {
  static constexpr TracedCall kCall{"torch.rnn_relu", "aten.rnn_relu.input", 9};
  return Results<2>(record_function(kCall, where, {input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first}), where);
}

Results<2> rnn_relu(const Proxy& data, const Proxy& batch_sizes, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where) {
  static constexpr TracedCall kCall{"torch.rnn_relu", "aten.rnn_relu.data", 9};
  return Results<2>(record_function(kCall, where, {data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional}), where);
}

Proxy rnn_relu_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih, const OptionalTensor& b_hh, Where where) {
  static constexpr TracedCall kCall{"torch.rnn_relu_cell", "aten.rnn_relu_cell.default", 6};
  return record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh});
}

Results<2> rnn_tanh(const Proxy& input, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, const BoolArg& batch_first, Where where) {
  static constexpr TracedCall kCall{"torch.rnn_tanh", "aten.rnn_tanh.input", 9};
  return Results<2>(record_function(kCall, where, {input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first}), where);
}

Results<2> rnn_tanh(const Proxy& data, const Proxy& batch_sizes, const Proxy& hx, const TensorList& params, const BoolArg& has_biases, const IntArg& num_layers, const FloatArg& dropout, const BoolArg& train, const BoolArg& bidirectional, Where where) {
  static constexpr TracedCall kCall{"torch.rnn_tanh", "aten.rnn_tanh.data", 9};
  return Results<2>(record_function(kCall, where, {data, batch_sizes, hx, params, has_biases, num_layers, dropout, train, bidirectional}), where);
}

Proxy rnn_tanh_cell(const Proxy& input, const Proxy& hx, const Proxy& w_ih, const Proxy& w_hh, const OptionalTensor& b_ih, const OptionalTensor& b_hh, Where where) {
  static constexpr TracedCall kCall{"torch.rnn_tanh_cell", "aten.rnn_tanh_cell.default", 6};
  return record_function(kCall, where, {input, hx, w_ih, w_hh, b_ih, b_hh});
}

Proxy roll(const Proxy& self, const IntList& shifts, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch.roll", "aten.roll.default", 3};
  return record_function(kCall, where, {self, shifts, dims});
}

Proxy rot90(const Proxy& self, const IntArg& k, const IntList& dims, Where where) {
  static constexpr TracedCall kCall{"torch.rot90", "aten.rot90.default", 3};
  return record_function(kCall, where, {self, k, dims});
}

Proxy round(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.round", "aten.round.default", 1};
  return record_function(kCall, where, {self});
}

Proxy round(const Proxy& self, const IntArg& decimals, Where where) {
  static constexpr TracedCall kCall{"torch.round", "aten.round.decimals", 1, {"decimals"}};
  return record_function(kCall, where, {self, decimals});
}

Proxy round_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.round_", "aten.round_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy round_(const Proxy& self, const IntArg& decimals, Where where) {
  static constexpr TracedCall kCall{"torch.round_", "aten.round_.decimals", 1, {"decimals"}};
  return record_function(kCall, where, {self, decimals});
}

Proxy row_indices_copy(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.row_indices_copy", "aten.row_indices_copy.default", 1};
  return record_function(kCall, where, {self});
}

Proxy row_stack(const TensorList& tensors, Where where) {
  static constexpr TracedCall kCall{"torch.row_stack", "aten.row_stack.default", 1};
  return record_function(kCall, where, {tensors});
}

Proxy rrelu(const Proxy& self, const ScalarArg& lower, const ScalarArg& upper, const BoolArg& training, Where where) {
  static constexpr TracedCall kCall{"torch.rrelu", "aten.rrelu.default", 4};
  return record_function(kCall, where, {self, lower, upper, training});
}

Proxy rrelu_(const Proxy& self, const ScalarArg& lower, const ScalarArg& upper, const BoolArg& training, Where where) {
  static constexpr TracedCall kCall{"torch.rrelu_", "aten.rrelu_.default", 4};
  return record_function(kCall, where, {self, lower, upper, training});
}

Proxy rrelu_with_noise(const Proxy& self, const Proxy& noise, const ScalarArg& lower, const ScalarArg& upper, const BoolArg& training, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.rrelu_with_noise", "aten.rrelu_with_noise.default", 5};
  return record_function(kCall, where, {self, noise, lower, upper, training});
}

Proxy rrelu_with_noise_(const Proxy& self, const Proxy& noise, const ScalarArg& lower, const ScalarArg& upper, const BoolArg& training, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.rrelu_with_noise_", "aten.rrelu_with_noise_.default", 5};
  return record_function(kCall, where, {self, noise, lower, upper, training});
}

Proxy rsqrt(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.rsqrt", "aten.rsqrt.default", 1};
  return record_function(kCall, where, {self});
}

Proxy rsqrt_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.rsqrt_", "aten.rsqrt_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy rsub(const Proxy& self, const Proxy& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.rsub", "aten.rsub.Tensor", 2, {"alpha"}};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy rsub(const Proxy& self, const ScalarArg& other, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch.rsub", "aten.rsub.Scalar", 3};
  return record_function(kCall, where, {self, other, alpha});
}

Proxy scalar_tensor(TracerBase& tracer, const ScalarArg& s, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.scalar_tensor", "aten.scalar_tensor.default", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {s, dtype, layout, device, pin_memory});
}

Proxy scaled_dot_product_attention(const Proxy& query, const Proxy& key, const Proxy& value, const OptionalTensor& attn_mask, const FloatArg& dropout_p, const BoolArg& is_causal, const FloatArg& scale, const BoolArg& enable_gqa, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.scaled_dot_product_attention", "aten.scaled_dot_product_attention.default", 6, {"scale", "enable_gqa"}};
  return record_function(kCall, where, {query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa});
}

Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const ScalarArg& value, Where where) {
  static constexpr TracedCall kCall{"torch.scatter", "aten.scatter.value", 4};
  return record_function(kCall, where, {self, dim, index, value});
}

Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, Where where) {
  static constexpr TracedCall kCall{"torch.scatter", "aten.scatter.src", 4};
  return record_function(kCall, where, {self, dim, index, src});
}

Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, Where where) {
  static constexpr TracedCall kCall{"torch.scatter", "aten.scatter.reduce", 4, {"reduce"}};
  return record_function(kCall, where, {self, dim, index, src, reduce});
}

Proxy scatter(const Proxy& self, const IntArg& dim, const Proxy& index, const ScalarArg& value, const StringArg& reduce, Where where) {
  static constexpr TracedCall kCall{"torch.scatter", "aten.scatter.value_reduce", 4, {"reduce"}};
  return record_function(kCall, where, {self, dim, index, value, reduce});
}

Proxy scatter_add(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, Where where) {
  static constexpr TracedCall kCall{"torch.scatter_add", "aten.scatter_add.default", 4};
  return record_function(kCall, where, {self, dim, index, src});
}

Proxy scatter_reduce(const Proxy& self, const IntArg& dim, const Proxy& index, const Proxy& src, const StringArg& reduce, const BoolArg& include_self, Where where) {
  static constexpr TracedCall kCall{"torch.scatter_reduce", "aten.scatter_reduce.two", 5, {"include_self"}};
  return record_function(kCall, where, {self, dim, index, src, reduce, include_self});
}

Proxy searchsorted(const Proxy& sorted_sequence, const Proxy& self, const BoolArg& out_int32, const BoolArg& right, const StringArg& side, const OptionalTensor& sorter, Where where) {
  static constexpr TracedCall kCall{"torch.searchsorted", "aten.searchsorted.Tensor", 2, {"out_int32", "right", "side", "sorter"}};
  return record_function(kCall, where, {sorted_sequence, self, out_int32, right, side, sorter});
}

Proxy searchsorted(const Proxy& sorted_sequence, const ScalarArg& self, const BoolArg& out_int32, const BoolArg& right, const StringArg& side, const OptionalTensor& sorter, Where where) {
  static constexpr TracedCall kCall{"torch.searchsorted", "aten.searchsorted.Scalar", 2, {"out_int32", "right", "side", "sorter"}};
  return record_function(kCall, where, {sorted_sequence, self, out_int32, right, side, sorter});
}

Proxy segment_reduce(const Proxy& data, const StringArg& reduce, const OptionalTensor& lengths, const OptionalTensor& indices, const OptionalTensor& offsets, const IntArg& axis, const BoolArg& unsafe, const ScalarArg& initial, Where where) {
  static constexpr TracedCall kCall{"torch.segment_reduce", "aten.segment_reduce.default", 2, {"lengths", "indices", "offsets", "axis", "unsafe", "initial"}};
  return record_function(kCall, where, {data, reduce, lengths, indices, offsets, axis, unsafe, initial});
}

Proxy select(const Proxy& self, const IntArg& dim, const IntArg& index, Where where) {
  static constexpr TracedCall kCall{"torch.select", "aten.select.int", 3};
  return record_function(kCall, where, {self, dim, index});
}

Proxy select_copy(const Proxy& self, const IntArg& dim, const IntArg& index, Where where) {
  static constexpr TracedCall kCall{"torch.select_copy", "aten.select_copy.int", 3};
  return record_function(kCall, where, {self, dim, index});
}

Proxy select_scatter(const Proxy& self, const Proxy& src, const IntArg& dim, const IntArg& index, Where where) {
  static constexpr TracedCall kCall{"torch.select_scatter", "aten.select_scatter.default", 4};
  return record_function(kCall, where, {self, src, dim, index});
}

Proxy selu(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.selu", "aten.selu.default", 1};
  return record_function(kCall, where, {self});
}

Proxy selu_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.selu_", "aten.selu_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sgn(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sgn", "aten.sgn.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sigmoid(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sigmoid", "aten.sigmoid.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sigmoid_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sigmoid_", "aten.sigmoid_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sign(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sign", "aten.sign.default", 1};
  return record_function(kCall, where, {self});
}

Proxy signbit(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.signbit", "aten.signbit.default", 1};
  return record_function(kCall, where, {self});
}

Proxy silu(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.silu", "aten.silu.default", 1};
  return record_function(kCall, where, {self});
}

Proxy silu_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.silu_", "aten.silu_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sin(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sin", "aten.sin.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sin_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sin_", "aten.sin_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sinc(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sinc", "aten.sinc.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sinc_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sinc_", "aten.sinc_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sinh(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sinh", "aten.sinh.default", 1};
  return record_function(kCall, where, {self});
}

Proxy sinh_(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.sinh_", "aten.sinh_.default", 1};
  return record_function(kCall, where, {self});
}

Proxy slice_copy(const Proxy& self, const IntArg& dim, const IntArg& start, const IntArg& end, const IntArg& step, Where where) {
  static constexpr TracedCall kCall{"torch.slice_copy", "aten.slice_copy.Tensor", 5};
  return record_function(kCall, where, {self, dim, start, end, step});
}

Proxy slice_inverse(const Proxy& self, const Proxy& src, const IntArg& dim, const IntArg& start, const IntArg& end, const IntArg& step, Where where) {
  static constexpr TracedCall kCall{"torch.slice_inverse", "aten.slice_inverse.default", 6};
  return record_function(kCall, where, {self, src, dim, start, end, step});
}

Proxy slice_scatter(const Proxy& self, const Proxy& src, const IntArg& dim, const IntArg& start, const IntArg& end, const IntArg& step, Where where) {
  static constexpr TracedCall kCall{"torch.slice_scatter", "aten.slice_scatter.default", 6};
  return record_function(kCall, where, {self, src, dim, start, end, step});
}

Results<2> slogdet(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch.slogdet", "aten.slogdet.default", 1};
  return Results<2>(record_function(kCall, where, {self}), where);
}

Proxy slow_conv3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.slow_conv3d", "aten.slow_conv3d.default", 6};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding});
}

Proxy slow_conv_dilated2d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.slow_conv_dilated2d", "aten.slow_conv_dilated2d.default", 7};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding, dilation});
}

Proxy slow_conv_dilated3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.slow_conv_dilated3d", "aten.slow_conv_dilated3d.default", 7};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding, dilation});
}

Proxy slow_conv_transpose2d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& output_padding, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.slow_conv_transpose2d", "aten.slow_conv_transpose2d.default", 8};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding, output_padding, dilation});
}

Proxy slow_conv_transpose3d(const Proxy& self, const Proxy& weight, const IntList& kernel_size, const OptionalTensor& bias, const IntList& stride, const IntList& padding, const IntList& output_padding, const IntList& dilation, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.slow_conv_transpose3d", "aten.slow_conv_transpose3d.default", 8};
  return record_function(kCall, where, {self, weight, kernel_size, bias, stride, padding, output_padding, dilation});
}

Proxy smm(const Proxy& self, const Proxy& mat2, Where where) {
  static constexpr TracedCall kCall{"torch.smm", "aten.smm.default", 2};
  return record_function(kCall, where, {self, mat2});
}

Proxy smooth_l1_loss(const Proxy& self, const Proxy& target, const IntArg& reduction, const FloatArg& beta, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.smooth_l1_loss", "aten.smooth_l1_loss.default", 4};
  return record_function(kCall, where, {self, target, reduction, beta});
}

Proxy soft_margin_loss(const Proxy& self, const Proxy& target, const IntArg& reduction, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.soft_margin_loss", "aten.soft_margin_loss.default", 3};
  return record_function(kCall, where, {self, target, reduction});
}

Proxy softmax(const Proxy& self, const IntArg& dim, const DTypeArg& dtype, Where where) {
  static constexpr TracedCall kCall{"torch.softmax", "aten.softmax.int", 3};
  return record_function(kCall, where, {self, dim, dtype});
}

Proxy softplus(const Proxy& self, const ScalarArg& beta, const ScalarArg& threshold, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.softplus", "aten.softplus.default", 3};
  return record_function(kCall, where, {self, beta, threshold});
}

Proxy softshrink(const Proxy& self, const ScalarArg& lambd, Where where) {
  static constexpr TracedCall kCall{"torch._C._nn.softshrink", "aten.softshrink.default", 2};
  return record_function(kCall, where, {self, lambd});
}

Results<2> sort(const Proxy& self, const IntArg& dim, const BoolArg& descending, Where where) {
  static constexpr TracedCall kCall{"torch.sort", "aten.sort.default", 3};
  return Results<2>(record_function(kCall, where, {self, dim, descending}), where);
}

Results<2> sort(const Proxy& self, const BoolArg& stable, const IntArg& dim, const BoolArg& descending, Where where) {
  static constexpr TracedCall kCall{"torch.sort", "aten.sort.stable", 1, {"stable", "dim", "descending"}};
  return Results<2>(record_function(kCall, where, {self, stable, dim, descending}), where);
}

Proxy sparse_bsc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_bsc_tensor", "aten.sparse_bsc_tensor.ccol_row_value_size", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {ccol_indices, row_indices, values, size, dtype, layout, device, pin_memory});
}

Proxy sparse_bsc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_bsc_tensor", "aten.sparse_bsc_tensor.ccol_row_value", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {ccol_indices, row_indices, values, dtype, layout, device, pin_memory});
}

Proxy sparse_bsr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_bsr_tensor", "aten.sparse_bsr_tensor.crow_col_value_size", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {crow_indices, col_indices, values, size, dtype, layout, device, pin_memory});
}

Proxy sparse_bsr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_bsr_tensor", "aten.sparse_bsr_tensor.crow_col_value", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {crow_indices, col_indices, values, dtype, layout, device, pin_memory});
}

Proxy sparse_compressed_tensor(const Proxy& compressed_indices, const Proxy& plain_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_compressed_tensor", "aten.sparse_compressed_tensor.comp_plain_value_size", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {compressed_indices, plain_indices, values, size, dtype, layout, device, pin_memory});
}

Proxy sparse_compressed_tensor(const Proxy& compressed_indices, const Proxy& plain_indices, const Proxy& values, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_compressed_tensor", "aten.sparse_compressed_tensor.comp_plain_value", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {compressed_indices, plain_indices, values, dtype, layout, device, pin_memory});
}

Proxy sparse_coo_tensor(TracerBase& tracer, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_coo_tensor", "aten.sparse_coo_tensor.size", 1, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(tracer, kCall, where, {size, dtype, layout, device, pin_memory});
}

Proxy sparse_coo_tensor(const Proxy& indices, const Proxy& values, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const BoolArg& is_coalesced, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_coo_tensor", "aten.sparse_coo_tensor.indices", 2, {"dtype", "layout", "device", "pin_memory", "is_coalesced"}};
  return record_function(kCall, where, {indices, values, dtype, layout, device, pin_memory, is_coalesced});
}

Proxy sparse_coo_tensor(const Proxy& indices, const Proxy& values, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, const BoolArg& is_coalesced, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_coo_tensor", "aten.sparse_coo_tensor.indices_size", 3, {"dtype", "layout", "device", "pin_memory", "is_coalesced"}};
  return record_function(kCall, where, {indices, values, size, dtype, layout, device, pin_memory, is_coalesced});
}

Proxy sparse_csc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_csc_tensor", "aten.sparse_csc_tensor.ccol_row_value_size", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {ccol_indices, row_indices, values, size, dtype, layout, device, pin_memory});
}

Proxy sparse_csc_tensor(const Proxy& ccol_indices, const Proxy& row_indices, const Proxy& values, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_csc_tensor", "aten.sparse_csc_tensor.ccol_row_value", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {ccol_indices, row_indices, values, dtype, layout, device, pin_memory});
}

Proxy sparse_csr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const IntList& size, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_csr_tensor", "aten.sparse_csr_tensor.crow_col_value_size", 4, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {crow_indices, col_indices, values, size, dtype, layout, device, pin_memory});
}

Proxy sparse_csr_tensor(const Proxy& crow_indices, const Proxy& col_indices, const Proxy& values, const DTypeArg& dtype, const LayoutArg& layout, const DeviceArg& device, const BoolArg& pin_memory, Where where) {
  static constexpr TracedCall kCall{"torch.sparse_csr_tensor", "aten.sparse_csr_tensor.crow_col_value", 3, {"dtype", "layout", "device", "pin_memory"}};
  return record_function(kCall, where, {crow_indices, col_indices, values, dtype, layout, device, pin_memory});
}

Proxy sparse_sampled_addmm(const Proxy& self, const Proxy& mat1, const Proxy& mat2, const ScalarArg& beta, const ScalarArg& alpha, Where where) {
  static constexpr TracedCall kCall{"torch._C._sparse.sparse_sampled_addmm", "aten.sparse_sampled_addmm.default", 3, {"beta", "alpha"}};
  return record_function(kCall, where, {self, mat1, mat2, beta, alpha});
}

Proxy special_airy_ai(const Proxy& x, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_airy_ai", "aten.special_airy_ai.default", 1};
  return record_function(kCall, where, {x});
}

Proxy special_bessel_j0(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_bessel_j0", "aten.special_bessel_j0.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_bessel_j1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_bessel_j1", "aten.special_bessel_j1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_bessel_y0(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_bessel_y0", "aten.special_bessel_y0.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_bessel_y1(const Proxy& self, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_bessel_y1", "aten.special_bessel_y1.default", 1};
  return record_function(kCall, where, {self});
}

Proxy special_chebyshev_polynomial_t(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_t", "aten.special_chebyshev_polynomial_t.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_t(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_t", "aten.special_chebyshev_polynomial_t.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_t(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_t", "aten.special_chebyshev_polynomial_t.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_u(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_u", "aten.special_chebyshev_polynomial_u.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_u(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_u", "aten.special_chebyshev_polynomial_u.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_u(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_u", "aten.special_chebyshev_polynomial_u.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_v(const Proxy& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_v", "aten.special_chebyshev_polynomial_v.default", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_v(const ScalarArg& x, const Proxy& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_v", "aten.special_chebyshev_polynomial_v.x_scalar", 2};
  return record_function(kCall, where, {x, n});
}

Proxy special_chebyshev_polynomial_v(const Proxy& x, const ScalarArg& n, Where where) {
  static constexpr TracedCall kCall{"torch._C._special.special_chebyshev_polynomial_v", "aten.special_chebyshev_polynomial_v.n_scalar", 2};
  return record_function(kCall, where, {x, n});
}

}  // namespace fx
