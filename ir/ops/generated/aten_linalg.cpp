// The operators of PyTorch 2.13.0: linalg.
//
// Made by scripts/generate (make_op_table.py). Do not edit: change the script, or correct what a schema gets
// wrong in op_corrections.cpp.
#include "fx/ir/ops/op_rows_internal.h"

// clang-format off
namespace fx::ops {

constinit const OpInfo kLinalgRows[] = {
    {"aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor"},
    {"aten::_cholesky_solve_helper.out(Tensor self, Tensor A, bool upper, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::_compute_linear_combination(Tensor input, Tensor coefficients) -> Tensor"},
    {"aten::_compute_linear_combination.out(Tensor input, Tensor coefficients, *, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()"},
    {"aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)"},
    {"aten::_linalg_det.result(Tensor A, *, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots) "
     "-> (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots)"},
    {"aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, "
     "Tensor eigenvectors)"},
    {"aten::_linalg_eigh.eigenvalues(Tensor A, str UPLO=\"L\", bool compute_v=True, *, Tensor(a!) "
     "eigenvalues, Tensor(b!) eigenvectors) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)"},
    {"aten::_linalg_eigvals(Tensor self) -> Tensor"},
    {"aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)"
    },
    {"aten::_linalg_slogdet.sign(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) "
     "LU, Tensor(d!) pivots) -> (Tensor(a!) sign, Tensor(b!) logabsdet, Tensor(c!) LU, Tensor(d!) "
     "pivots)"},
    {"aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
     "(Tensor result, Tensor LU, Tensor pivots, Tensor info)"},
    {"aten::_linalg_solve_ex.result(Tensor A, Tensor B, *, bool left=True, bool "
     "check_errors=False, Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info) ->"
     " (Tensor(a!) result, Tensor(b!) LU, Tensor(c!) pivots, Tensor(d!) info)"},
    {"aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? "
     "driver=None) -> (Tensor U, Tensor S, Tensor Vh)"},
    {"aten::_linalg_svd.U(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? "
     "driver=None, Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, "
     "Tensor(c!) Vh)"},
    {"aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, "
     "Tensor pivots, Tensor info)", kComposite},
    {"aten::block_diag(Tensor[] tensors) -> Tensor"},
    {"aten::block_diag.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cholesky(Tensor self, bool upper=False) -> Tensor"},
    {"aten::cholesky.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor"},
    {"aten::cholesky_inverse.out(Tensor self, bool upper=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor"},
    {"aten::cholesky_solve.out(Tensor self, Tensor input2, bool upper=False, *, Tensor(a!) out) ->"
     " Tensor(a!)"},
    {"aten::corrcoef(Tensor self) -> Tensor", kComposite},
    {"aten::cov(Tensor self, *, int correction=1, Tensor? fweights=None, Tensor? aweights=None) ->"
     " Tensor", kComposite},
    {"aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor", kComposite},
    {"aten::cross.out(Tensor self, Tensor other, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::det(Tensor self) -> Tensor", kComposite},
    {"aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor"},
    {"aten::dist.out(Tensor self, Tensor other, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", kComposite},
    {"aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)"},
    {"aten::geqrf.a(Tensor self, *, Tensor(a!) a, Tensor(b!) tau) -> (Tensor(a!) a, Tensor(b!) "
     "tau)"},
    {"aten::inverse(Tensor self) -> Tensor", kComposite},
    {"aten::inverse.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::kron(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::kron.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor", kReduction},
    {"aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", kComposite},
    {"aten::linalg_cholesky.out(Tensor self, *, bool upper=False, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> "
     "(Tensor L, Tensor info)"},
    {"aten::linalg_cholesky_ex.L(Tensor self, *, bool upper=False, bool check_errors=False, "
     "Tensor(a!) L, Tensor(b!) info) -> (Tensor(a!) L, Tensor(b!) info)"},
    {"aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor", kComposite},
    {"aten::linalg_cond.p_str(Tensor self, str p) -> Tensor", kComposite},
    {"aten::linalg_cond.out(Tensor self, Scalar? p=None, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_cond.p_str_out(Tensor self, str p, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor"},
    {"aten::linalg_cross.out(Tensor self, Tensor other, *, int dim=-1, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::linalg_det(Tensor A) -> Tensor", kComposite},
    {"aten::linalg_det.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)",
     kComposite},
    {"aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)"},
    {"aten::linalg_eig.out(Tensor self, *, Tensor(a!) eigenvalues, Tensor(b!) eigenvectors) -> "
     "(Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)"},
    {"aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)",
     kComposite},
    {"aten::linalg_eigh.eigvals(Tensor self, str UPLO=\"L\", *, Tensor(a!) eigvals, Tensor(b!) "
     "eigvecs) -> (Tensor(a!) eigenvalues, Tensor(b!) eigenvectors)", kComposite},
    {"aten::linalg_eigvals(Tensor self) -> Tensor", kComposite},
    {"aten::linalg_eigvals.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor", kComposite},
    {"aten::linalg_eigvalsh.out(Tensor self, str UPLO=\"L\", *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor"},
    {"aten::linalg_householder_product.out(Tensor input, Tensor tau, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::linalg_inv(Tensor A) -> Tensor", kComposite},
    {"aten::linalg_inv.out(Tensor A, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)"},
    {"aten::linalg_inv_ex.inverse(Tensor A, *, bool check_errors=False, Tensor(a!) inverse, "
     "Tensor(b!) info) -> (Tensor(a!) inverse, Tensor(b!) info)"},
    {"aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)",
     kComposite},
    {"aten::linalg_ldl_factor.out(Tensor self, *, bool hermitian=False, Tensor(a!) LD, Tensor(b!) "
     "pivots) -> (Tensor(a!) LD, Tensor(b!) pivots)", kComposite},
    {"aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) ->"
     " (Tensor LD, Tensor pivots, Tensor info)"},
    {"aten::linalg_ldl_factor_ex.out(Tensor self, *, bool hermitian=False, bool "
     "check_errors=False, Tensor(a!) LD, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LD, "
     "Tensor(b!) pivots, Tensor(c!) info)"},
    {"aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> "
     "Tensor"},
    {"aten::linalg_ldl_solve.out(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False, "
     "Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor"
     " solution, Tensor residuals, Tensor rank, Tensor singular_values)", kDynamicShape},
    {"aten::linalg_lstsq.out(Tensor self, Tensor b, float? rcond=None, *, str? driver=None, "
     "Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values) -> "
     "(Tensor(a!) solution, Tensor(b!) residuals, Tensor(c!) rank, Tensor(d!) singular_values)",
     kDynamicShape},
    {"aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)"},
    {"aten::linalg_lu.out(Tensor A, *, bool pivot=True, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) "
     "-> (Tensor(a!) P, Tensor(b!) L, Tensor(c!) U)"},
    {"aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
     kComposite},
    {"aten::linalg_lu_factor.out(Tensor A, *, bool pivot=True, Tensor(a!) LU, Tensor(b!) pivots) "
     "-> (Tensor(a!) LU, Tensor(b!) pivots)", kComposite},
    {"aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor "
     "LU, Tensor pivots, Tensor info)"},
    {"aten::linalg_lu_factor_ex.out(Tensor A, *, bool pivot=True, bool check_errors=False, "
     "Tensor(a!) LU, Tensor(b!) pivots, Tensor(c!) info) -> (Tensor(a!) LU, Tensor(b!) pivots, "
     "Tensor(c!) info)"},
    {"aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool "
     "adjoint=False) -> Tensor"},
    {"aten::linalg_lu_solve.out(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool "
     "adjoint=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linalg_matmul(Tensor self, Tensor other) -> Tensor", kComposite},
    {"aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_matrix_exp(Tensor self) -> Tensor"},
    {"aten::linalg_matrix_exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *,"
     " ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool "
     "keepdim=False, *, ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::linalg_matrix_norm.out(Tensor self, Scalar ord, int[] dim=[-2, -1], bool "
     "keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_matrix_norm.str_ord_out(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool "
     "keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_matrix_power(Tensor self, int n) -> Tensor", kComposite},
    {"aten::linalg_matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor",
     kComposite},
    {"aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> "
     "Tensor", kComposite},
    {"aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? "
     "rtol=None, bool hermitian=False) -> Tensor", kComposite},
    {"aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None,"
     " bool hermitian=False) -> Tensor", kComposite},
    {"aten::linalg_matrix_rank.atol_rtol_tensor_out(Tensor input, *, Tensor? atol=None, Tensor? "
     "rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_matrix_rank.atol_rtol_float_out(Tensor self, *, float? atol=None, float? "
     "rtol=None, bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_matrix_rank.out(Tensor self, float tol, bool hermitian=False, *, Tensor(a!) "
     "out) -> Tensor(a!)", kComposite},
    {"aten::linalg_matrix_rank.out_tol_tensor(Tensor input, Tensor tol, bool hermitian=False, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", kComposite},
    {"aten::linalg_multi_dot.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, "
     "ScalarType? dtype=None) -> Tensor", kComposite},
    {"aten::linalg_norm.out(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, "
     "*, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_norm.ord_str_out(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *,"
     " ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", kComposite},
    {"aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
     "hermitian=False) -> Tensor", kComposite},
    {"aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, "
     "bool hermitian=False) -> Tensor"},
    {"aten::linalg_pinv.atol_rtol_tensor_out(Tensor self, *, Tensor? atol=None, Tensor? rtol=None,"
     " bool hermitian=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linalg_pinv.atol_rtol_float_out(Tensor self, *, float? atol=None, float? rtol=None, "
     "bool hermitian=False, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_pinv.out(Tensor self, float rcond, bool hermitian=False, *, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor",
     kComposite},
    {"aten::linalg_pinv.out_rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False, *, "
     "Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)"},
    {"aten::linalg_qr.out(Tensor A, str mode=\"reduced\", *, Tensor(a!) Q, Tensor(b!) R) -> "
     "(Tensor(a!) Q, Tensor(b!) R)"},
    {"aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", kComposite},
    {"aten::linalg_slogdet.out(Tensor A, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) "
     "sign, Tensor(b!) logabsdet)", kComposite},
    {"aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", kComposite},
    {"aten::linalg_solve.out(Tensor A, Tensor B, *, bool left=True, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> "
     "(Tensor result, Tensor info)", kComposite},
    {"aten::linalg_solve_ex.out(Tensor A, Tensor B, *, bool left=True, bool check_errors=False, "
     "Tensor(a!) result, Tensor(b!) info) -> (Tensor(a!) result, Tensor(b!) info)", kComposite},
    {"aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool "
     "unitriangular=False) -> Tensor"},
    {"aten::linalg_solve_triangular.out(Tensor self, Tensor B, *, bool upper, bool left=True, bool"
     " unitriangular=False, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, "
     "Tensor S, Tensor Vh)", kComposite},
    {"aten::linalg_svd.U(Tensor A, bool full_matrices=True, *, str? driver=None, Tensor(a!) U, "
     "Tensor(b!) S, Tensor(c!) Vh) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) Vh)", kComposite},
    {"aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", kComposite},
    {"aten::linalg_svdvals.out(Tensor A, *, str? driver=None, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor", kComposite},
    {"aten::linalg_tensorinv.out(Tensor self, int ind=2, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", kComposite},
    {"aten::linalg_tensorsolve.out(Tensor self, Tensor other, int[]? dims=None, *, Tensor(a!) out)"
     " -> Tensor(a!)", kComposite},
    {"aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor", kComposite},
    {"aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", kComposite},
    {"aten::linalg_vecdot.out(Tensor x, Tensor y, *, int dim=-1, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *,"
     " ScalarType? dtype=None) -> Tensor", kReduction},
    {"aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None, bool "
     "keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::logdet(Tensor self) -> Tensor", kComposite},
    {"aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", kComposite},
    {"aten::lu_solve.out(Tensor self, Tensor LU_data, Tensor LU_pivots, *, Tensor(a!) out) -> "
     "Tensor(a!)", kComposite},
    {"aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
     "unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)"},
    {"aten::lu_unpack.out(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
     "unpack_pivots=True, *, Tensor(a!) P, Tensor(b!) L, Tensor(c!) U) -> (Tensor(a!) P, "
     "Tensor(b!) L, Tensor(c!) U)"},
    {"aten::matrix_H(Tensor(a) self) -> Tensor(a)", kComposite},
    {"aten::matrix_H.a(Tensor(a) self) -> Tensor(a)", kTorchScript},
    {"aten::matrix_exp(Tensor self) -> Tensor", kComposite},
    {"aten::matrix_exp_backward(Tensor self, Tensor grad) -> Tensor", kComposite},
    {"aten::matrix_power(Tensor self, int n) -> Tensor", kComposite},
    {"aten::matrix_power.out(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::native_norm.out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::native_norm.ScalarOpt_dim_dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, "
     "ScalarType? dtype, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::native_norm(Tensor self, Scalar p=2) -> Tensor"},
    {"aten::native_norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, "
     "ScalarType? dtype) -> Tensor"},
    {"aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", kReduction},
    {"aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
     kReduction},
    {"aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, "
     "ScalarType dtype) -> Tensor", kReduction},
    {"aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype, "
     "Tensor(a!) out) -> Tensor(a!)", kReduction},
    {"aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) ->"
     " Tensor(a!)", kReduction},
    {"aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor",
     kReduction},
    {"aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, Tensor(a!) out) "
     "-> Tensor(a!)"},
    {"aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", kComposite},
    {"aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", kComposite},
    {"aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", kComposite},
    {"aten::nuclear_norm.out(Tensor self, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)",
     kComposite},
    {"aten::nuclear_norm.dim_out(Tensor self, int[2] dim, bool keepdim=False, *, Tensor(a!) out) "
     "-> Tensor(a!)", kComposite},
    {"aten::orgqr(Tensor self, Tensor input2) -> Tensor", kComposite},
    {"aten::orgqr.out(Tensor self, Tensor input2, *, Tensor(a!) out) -> Tensor(a!)", kComposite},
    {"aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False)"
     " -> Tensor"},
    {"aten::ormqr.out(Tensor self, Tensor input2, Tensor input3, bool left=True, bool "
     "transpose=False, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor", kComposite},
    {"aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", kComposite},
    {"aten::qr.Q(Tensor self, bool some=True, *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q, "
     "Tensor(b!) R)", kComposite},
    {"aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor"},
    {"aten::renorm.out(Tensor self, Scalar p, int dim, Scalar maxnorm, *, Tensor(a!) out) -> "
     "Tensor(a!)"},
    {"aten::renorm_(Tensor(a!) self, Scalar p, int dim, Scalar maxnorm) -> Tensor(a!)"},
    {"aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", kComposite},
    {"aten::slogdet.out(Tensor self, *, Tensor(a!) sign, Tensor(b!) logabsdet) -> (Tensor(a!) "
     "sign, Tensor(b!) logabsdet)", kComposite},
    {"aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor "
     "V)", kComposite},
    {"aten::svd.U(Tensor self, bool some=True, bool compute_uv=True, *, Tensor(a!) U, Tensor(b!) "
     "S, Tensor(c!) V) -> (Tensor(a!) U, Tensor(b!) S, Tensor(c!) V)", kComposite},
    {"aten::trace(Tensor self) -> Tensor"},
    {"aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)"},
    {"aten::trace_backward(Tensor grad, SymInt[] sizes) -> Tensor", kComposite},
    {"aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
     "unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)"},
    {"aten::triangular_solve.X(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool "
     "unitriangular=False, *, Tensor(a!) X, Tensor(b!) M) -> (Tensor(a!) solution, Tensor(b!) "
     "cloned_coefficient)"},
    {"aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", kComposite},
};

extern const std::span<const OpInfo> kLinalgOps;
constinit const std::span<const OpInfo> kLinalgOps(kLinalgRows);

}  // namespace fx::ops
