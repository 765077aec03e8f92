// Matrix products.
#include "fx/importers/onnx/read_rows/rows_internal.h"

namespace fx::onnx::reader {
namespace {

void matmul(Call& c) { c.result(c.op("aten.matmul.default", {c.in(0), c.in(1)})); }

void gemm(Call& c) {
  const double alpha = c.real("alpha", 1), beta = c.real("beta", 1);
  const bool transposes_a = c.flag("transA"), transposes_b = c.flag("transB");
  Val a = c.in(0), b = c.in(1);
  const Val bias = c.optional(2);
  if (c.rank(a) != 2 || c.rank(b) != 2) return c.fail_invalid("its operands must be matrices");
  const bool is_plain = alpha == 1 && (beta == 1 || !bias);
  if (is_plain && transposes_b && !transposes_a && !bias)
    return c.result(c.op("aten.linear.default", {a, b}));
  if (is_plain && transposes_b && !transposes_a && c.rank(bias) == 1)
    return c.result(c.op("aten.linear.default", {a, b, bias}));
  if (transposes_a) a = c.op("aten.permute.default", {a, c.dims({1, 0})});
  if (transposes_b) b = c.op("aten.permute.default", {b, c.dims({1, 0})});
  if (!bias) {
    const Val product = c.op("aten.mm.default", {a, b});
    return c.result(alpha == 1 ? product : c.op("aten.mul.Tensor", {product, alpha}));
  }
  if (is_floating_point(c.dtype(a)))
    return c.result(c.op("aten.addmm.default", {bias, a, b}, {{"beta", beta}, {"alpha", alpha}}));
  if (!is_plain)
    return c.fail("integer operands with alpha or beta other than 1 are not supported");
  c.result(c.op("aten.add.Tensor", {c.op("aten.mm.default", {a, b}), bias}));
}

void einsum(Call& c) {
  std::vector<Val> operands;
  operands.reserve(c.num_inputs());
  for (size_t i = 0; i < c.num_inputs(); ++i) operands.push_back(c.in(i));
  c.result(c.op("aten.einsum.default", {c.text("equation", ""), c.list(operands)}));
}

void det(Call& c) { c.result(c.op("aten.linalg_det.default", {c.in(0)})); }

/// Subtracts a zero point for the entire matrix, for each row (`is_row`) or for each column.
/// Computes in float64, in which products of 8-bit integers and their sums are exact.
Val subtract_matrix_zero(Call& c, Val x, Val zero, bool is_row) {
  const Val y = c.cast(x, DType::kFloat64);
  if (!zero) return y;
  Val offset = c.cast(zero, DType::kFloat64);
  if (is_row && c.rank(offset) == 1 && c.rank(x) >= 2)
    offset = c.op("aten.unsqueeze.default", {offset, -1});
  return c.op("aten.sub.Tensor", {y, offset});
}

void matmul_integer(Call& c) {
  const Val product =
      c.op("aten.matmul.default", {subtract_matrix_zero(c, c.in(0), c.optional(2), true),
                                   subtract_matrix_zero(c, c.in(1), c.optional(3), false)});
  c.result(c.cast(product, DType::kInt32));
}

Val row_scale(Call& c, Val scale, int rank) {
  const Val wide_scale = c.cast(scale, DType::kFloat64);
  return c.rank(scale) == 1 && rank >= 2 ? c.op("aten.unsqueeze.default", {wide_scale, -1})
                                         : wide_scale;
}

void qlinear_matmul(Call& c) {
  const Val a = c.in(0), b = c.in(3), zero = c.in(7);
  const DType dtype = c.dtype(zero);
  const bool is_int8 = dtype == DType::kInt8;
  if (!is_int8 && dtype != DType::kUInt8)
    return c.fail("its result must have an 8-bit integer type");
  const Val product = c.op("aten.matmul.default", {subtract_matrix_zero(c, a, c.in(2), true),
                                                   subtract_matrix_zero(c, b, c.in(5), false)});
  const Val scale =
      c.op("aten.mul.Tensor", {row_scale(c, c.in(1), c.rank(a)), c.cast(c.in(4), DType::kFloat64)});
  const Val steps = c.op("aten.div.Tensor", {c.op("aten.mul.Tensor", {product, scale}),
                                             row_scale(c, c.in(6), c.rank(a))});
  const Val shifted =
      c.op("aten.add.Tensor", {c.op("aten.round.default", {steps}), row_scale(c, zero, c.rank(a))});
  const Val limited =
      c.op("aten.clamp.default", {shifted, is_int8 ? -128 : 0, is_int8 ? 127 : 255});
  c.result(c.cast(limited, dtype));
}

}  // namespace

absl::Span<const Row> matmul_rows() {
  static constexpr Row kRows[] = {
      {"MatMul", matmul},
      {"Gemm", gemm},
      {"Einsum", einsum, 12},
      {"Det", det, 11},
      {"MatMulInteger", matmul_integer, 10},
      {"QLinearMatMul", qlinear_matmul, 10},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
