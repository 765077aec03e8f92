// Products of matrices and vectors: aten.matmul broadcasts over batches.
#include "fx/passes/vmap/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace fx {
namespace {

/// Multiplies matrices, or batches of matrices; a matrix that all examples share is not expanded.
Proxy product(Batch& b, std::string_view left, std::string_view right) {
  const Proxy x = b.plain(left), y = b.plain(right);
  const bool is_shared = !b.is_batched(right) && b.rank_of(right) == 2 && b.rank_of(left) == 2;
  // [batch, m, k] @ [k, n] as [batch * m, k] @ [k, n]
  if (is_shared) return b.unfolded(mm(b.folded(x), y), b.result());
  return matmul(x, y);
}
Proxy matrix_vector(Batch& b, std::string_view matrix, std::string_view vector) {
  const Proxy m = b.plain(matrix), v = b.plain(vector);
  if (!b.is_batched(matrix)) return mm(v, b.emit("aten.t.default", {m}));
  if (!b.is_batched(vector)) return matmul(m, v);
  return b.emit("aten.squeeze.dim", {bmm(m, unsqueeze(v, -1)), -1});
}
Proxy outer_product(Batch& b, std::string_view left, std::string_view right) {
  return unsqueeze(b.plain(left), -1) * unsqueeze(b.plain(right), -2);
}

/// Returns `x` times the number argument `name`.
Proxy times(Batch& b, const Proxy& x, std::string_view name) {
  const Argument factor = b.argument(name);
  const bool is_one =
      (factor.is_int() && factor.as_int() == 1) || (factor.is_float() && factor.as_float() == 1.0);
  return is_one ? x : x * b.scalar(name);
}
/// Returns beta * self + alpha * product.
AnyArg added(Batch& b, const Proxy& product) {
  const Proxy self = b.aligned("self", b.result().rank());
  const Argument beta = b.argument("beta");
  const bool is_zero =
      (beta.is_int() && beta.as_int() == 0) || (beta.is_float() && beta.as_float() == 0.0);
  if (is_zero) return times(b, product, "alpha");  // `self` may contain NaNs
  return times(b, self, "beta") + times(b, product, "alpha");
}

AnyArg linear_rule(Batch& b) {
  const Proxy x = b.plain("input");
  if (!b.is_batched("weight") && !b.is_batched("bias")) {
    if (b.rank_of("input") == 0) return b.reject("a 0-dimensional input is not supported");
    return b.call_with({{"input", x}});
  }
  if (b.rank_of("weight") != 2) return b.reject("the weight must be a matrix");
  const Proxy w = transpose(b.plain("weight"), -2, -1);
  const int64_t rank = b.rank_of("input");
  Proxy y;
  if (rank == 1) {
    const Proxy row = b.is_batched("input") ? unsqueeze(x, 1) : x;
    y = b.is_batched("input") ? b.emit("aten.squeeze.dim", {matmul(row, w), 1}) : matmul(row, w);
  } else {
    // [batch, ..., k] @ [batch, 1..., k, n]
    Proxy expanded_w = w;
    for (int64_t i = 2; b.is_batched("weight") && i < rank; ++i)
      expanded_w = unsqueeze(expanded_w, 1);
    y = matmul(x, expanded_w);
  }
  return b.is_none("bias") ? y : y + b.aligned("bias", b.result().rank());
}

AnyArg matmul_rule(Batch& b) {
  const int64_t m = b.rank_of("self"), n = b.rank_of("other");
  const Proxy x = b("self"), y = b("other");
  const auto squeezed = [&](const Proxy& value, int64_t dim) {
    return b.emit("aten.squeeze.dim", {value, dim});
  };
  if (m == 1 && n == 1) return sum(x * y, {-1});
  const int64_t rank = std::max(m, n);
  const auto with_rank = [&](Proxy value, int64_t value_rank) {
    for (int64_t i = value_rank; i < rank; ++i) value = unsqueeze(value, 1);
    return value;
  };
  if (m == 1) return squeezed(matmul(with_rank(unsqueeze(x, 1), 2), y), -2);
  if (n == 1) return squeezed(matmul(x, with_rank(unsqueeze(y, -1), 2)), -1);
  return matmul(with_rank(x, m), with_rank(y, n));
}

/// Handles the solution of A X = B, where B may be a vector in one example.
AnyArg solve_rule(Batch& b) {
  const int64_t rank = b.rank_of("A");
  if (b.rank_of("B") != rank && b.rank_of("B") != rank - 1)
    return b.reject("operands with different batches are not supported");
  return b.call_with({{"A", b("A")}, {"B", b("B")}});
}

}  // namespace

absl::Span<const BatchingRow> matmul_batching() {
  static constexpr BatchingRow kRows[] = {
      batch_by("aten.mm.default", [](Batch& b) { return product(b, "self", "mat2"); }),
      batch_by("aten.bmm.default", [](Batch& b) { return product(b, "self", "mat2"); }),
      batch_by("aten.addmm.default", [](Batch& b) { return added(b, product(b, "mat1", "mat2")); }),
      batch_by("aten.baddbmm.default",
               [](Batch& b) { return added(b, product(b, "batch1", "batch2")); }),
      batch_by("aten.addbmm.default",
               [](Batch& b) { return added(b, sum(matmul(b("batch1"), b("batch2")), {1})); }),
      batch_by("aten.mv.default", [](Batch& b) { return matrix_vector(b, "self", "vec"); }),
      batch_by("aten.addmv.default",
               [](Batch& b) { return added(b, matrix_vector(b, "mat", "vec")); }),
      batch_by("aten.outer.default", [](Batch& b) { return outer_product(b, "self", "vec2"); }),
      batch_by("aten.ger.default", [](Batch& b) { return outer_product(b, "self", "vec2"); }),
      batch_by("aten.addr.default",
               [](Batch& b) { return added(b, outer_product(b, "vec1", "vec2")); }),
      batch_by("aten.dot.default",
               [](Batch& b) { return sum(b.plain("self") * b.plain("tensor"), {-1}); }),
      batch_by("aten.vdot.default",
               [](Batch& b) {
                 const Proxy x = b.plain("self");
                 const Proxy conjugate =
                     is_complex(b.dtype(x)) ? b.emit("aten._conj.default", {x}) : x;
                 return sum(conjugate * b.plain("other"), {-1});
               }),
      batch_by("aten.matmul.default", matmul_rule),
      batch_by("aten.linear.default", linear_rule),
      batch_by("aten._linalg_solve_ex.default", solve_rule),
      batch_by("aten._linalg_check_errors.default",
               [](Batch& b) { return b.call_with({{"info", b("info")}, {"is_matrix", false}}); }),
  };
  return kRows;
}

}  // namespace fx
