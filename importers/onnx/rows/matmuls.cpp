// Matrix products.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <numeric>

namespace fx::onnx {

Value apply_matrix(RowCall& c, const Value& value, int rank, int dim,
                   absl::Span<const double> matrix, int64_t rows, int64_t columns) {
  // Returns value[..., columns] multiplied by the transposed matrix.
  std::vector<double> transposed(matrix.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      transposed[static_cast<size_t>(j * rows + i)] = matrix[static_cast<size_t>(i * columns + j)];
  RowCall::Ints order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<size_t>(dim)], order.back());
  // As in libtorch, the elements of the matrix are not rounded to float16.
  const DType dtype = value.dtype == DType::kFloat16 ? DType::kFloat32 : value.dtype;
  const Value transposed_value = c.transpose(c.cast(value, dtype), order);
  const Value product =
      c.op("MatMul", {transposed_value, c.reals_value(transposed, {columns, rows}, dtype)});
  return c.transpose(product, order);
}

namespace {

/// Returns the element type in which ONNX multiplies: int32 for small integers.
DType product_dtype(DType dtype) {
  if (is_floating_point(dtype) || dtype == DType::kInt64) return dtype;
  return DType::kInt32;
}

void matmul(RowCall& c) {
  const DType dtype = product_dtype(c.result_dtype());
  const std::string_view second = c.row().name;
  c.result(c.op("MatMul", {c.tensor_as("self", dtype), c.tensor_as(second, dtype)}));
}

/// Sets the result to beta * self + alpha * product. If beta is 0, NaN in self has no effect.
void add_scaled(RowCall& c, Value product, DType dtype) {
  const double beta = c.real("beta"), alpha = c.real("alpha");
  if (alpha != 1) product = c.op("Mul", {product, c.scalar(alpha, dtype)});
  if (beta == 0) return c.result(product);
  Value added = c.tensor_as("self", dtype);
  if (beta != 1) added = c.op("Mul", {added, c.scalar(beta, dtype)});
  c.result(c.op("Add", {product, added}));
}

void addmm(RowCall& c) {
  const DType dtype = product_dtype(c.result_dtype());
  const Value a = c.tensor_as("mat1", dtype), b = c.tensor_as("mat2", dtype);
  const double beta = c.real("beta"), alpha = c.real("alpha");
  if (!is_floating_point(dtype)) return add_scaled(c, c.op("MatMul", {a, b}), dtype);
  const Value added = beta == 0 ? Value() : c.tensor_as("self", dtype);
  const Attribute factors[] = {{"alpha", alpha}, {"beta", beta}};
  const Value inputs[] = {a, b, added};
  const size_t count = (alpha != 1 ? 1U : 0U) + (beta != 1 && beta != 0 ? 1U : 0U);
  c.result(c.op("Gemm", inputs,
                count == 2 ? absl::MakeConstSpan(factors)
                           : absl::MakeConstSpan(factors + (alpha != 1 ? 0 : 1), count)));
}

void baddbmm(RowCall& c) {
  const DType dtype = product_dtype(c.result_dtype());
  add_scaled(c, c.op("MatMul", {c.tensor_as("batch1", dtype), c.tensor_as("batch2", dtype)}),
             dtype);
}

void addmv(RowCall& c) {
  const DType dtype = product_dtype(c.result_dtype());
  add_scaled(c, c.op("MatMul", {c.tensor_as("mat", dtype), c.tensor_as("vec", dtype)}), dtype);
}

void linear(RowCall& c) {
  const DType dtype = product_dtype(c.result_dtype());
  const Value x = c.tensor_as("input", dtype), w = c.tensor_as("weight", dtype);
  const Value bias = c.has("bias") ? c.tensor_as("bias", dtype) : Value();
  const int rank = c.type("input").rank(), weight_rank = c.type("weight").rank();
  if (rank == 2 && weight_rank == 2 && is_floating_point(dtype))
    return c.result(c.op("Gemm", {x, w, bias}, {{"transB", 1}}));
  const Value transposed = weight_rank == 2 ? c.transpose(w, {1, 0}) : w;
  const Value product = c.op("MatMul", {x, transposed});
  c.result(bias ? c.op("Add", {product, bias}) : product);
}

void outer(RowCall& c) {
  const DType dtype = c.result_dtype();
  const std::string_view second = c.row().name;
  c.result(c.op("Mul", {c.unsqueeze(c.tensor_as("self", dtype), {1}),
                        c.unsqueeze(c.tensor_as(second, dtype), {0})}));
}

/// Multiplies all pairs of elements: [a, 1, b, 1] by [1, c, 1, d].
void kron(RowCall& c) {
  const DType dtype = c.result_dtype();
  const int a = c.type("self").rank(), b = c.type("other").rank();
  const int rank = std::max(a, b);
  Value left = c.tensor_as("self", dtype), right = c.tensor_as("other", dtype);
  RowCall::Ints lead_left(static_cast<size_t>(rank - a)), lead_right(static_cast<size_t>(rank - b));
  std::iota(lead_left.begin(), lead_left.end(), 0);
  std::iota(lead_right.begin(), lead_right.end(), 0);
  left = c.unsqueeze(left, lead_left);
  right = c.unsqueeze(right, lead_right);
  RowCall::Ints odd, even;
  for (int i = 0; i < rank; ++i) {
    odd.push_back(2 * i + 1);
    even.push_back(2 * i);
  }
  const Value product = c.op("Mul", {c.unsqueeze(left, odd), c.unsqueeze(right, even)});
  c.result(c.reshape(product, {}, c.result_type().sizes()));
}

void einsum(RowCall& c) {
  const DType dtype = c.result_dtype();
  std::vector<Value> operands;
  for (const Value& value : c.tensors("tensors")) operands.push_back(c.cast(value, dtype));
  const std::string equation = c.text("equation");
  const Attribute attribute("equation", std::string_view(equation));
  c.result(c.op("Einsum", operands, {attribute}));
}

/// a x b = (a1 b2 - a2 b1, a2 b0 - a0 b2, a0 b1 - a1 b0)
void cross(RowCall& c) {
  const Type type = c.result_type();
  const DType dtype = c.result_dtype();
  int dim = -1;
  if (c.has("dim")) dim = c.dim("dim", type.rank());
  for (int i = 0; i < type.rank() && dim < 0; ++i)
    if (type.size(i) == Dim(3)) dim = i;
  if (dim < 0) return c.fail("it must have a dimension of size 3");
  const Value a = c.tensor_as("self", dtype), b = c.tensor_as("other", dtype);
  const auto reordered = [&](const Value& x, const RowCall::Ints& order) {
    return c.op("Gather", {x, c.ints_value(order)}, {{"axis", dim}});
  };
  c.result(c.op("Sub", {c.op("Mul", {reordered(a, {1, 2, 0}), reordered(b, {2, 0, 1})}),
                        c.op("Mul", {reordered(a, {2, 0, 1}), reordered(b, {1, 2, 0})})}));
}

/// Converts det. Only libtorch's backward pass uses the other results.
void det(RowCall& c) { c.results({c.op("Det", {c.tensor("A")}), {}, {}}); }

}  // namespace

absl::Span<const Row> matmul_rows() {
  static constexpr Row kRows[] = {
      {"aten.mm.default", matmul, kAnything, true, "mat2"},
      {"aten.bmm.default", matmul, kAnything, true, "mat2"},
      {"aten.mv.default", matmul, kAnything, true, "vec"},
      {"aten.dot.default", matmul, kAnything, true, "tensor"},
      {"aten.matmul.default", matmul, kAnything, true, "other"},
      {"aten.addmm.default", addmm, kNumbers},
      {"aten.baddbmm.default", baddbmm, kNumbers},
      {"aten.addmv.default", addmv, kNumbers},
      {"aten.linear.default", linear, kNumbers},
      {"aten.outer.default", outer, kNumbers, true, "vec2"},
      {"aten.kron.default", kron, kNumbers},
      {"aten.einsum.default", einsum, kNumbers},
      {"aten.cross.default", cross, kNumbers},
      {"aten.linalg_cross.default", cross, kNumbers},
      {"aten._linalg_det.default", det, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
