// The rows that convert ATen operators, by family.
#pragma once

#include "fx/importers/onnx/row_call_internal.h"

#include "absl/types/span.h"

#include <cstdint>
#include <limits>
#include <string_view>

namespace fx::onnx {

absl::Span<const Row> unary_rows();
absl::Span<const Row> binary_rows();
absl::Span<const Row> view_rows();
absl::Span<const Row> scatter_view_rows();
absl::Span<const Row> factory_rows();
absl::Span<const Row> reduction_rows();
absl::Span<const Row> order_rows();
absl::Span<const Row> matmul_rows();
absl::Span<const Row> convolution_rows();
absl::Span<const Row> pool_rows();
absl::Span<const Row> norm_rows();
absl::Span<const Row> index_rows();
absl::Span<const Row> resize_rows();
absl::Span<const Row> rnn_rows();
absl::Span<const Row> random_rows();

inline constexpr absl::Span<const Row> (*kRowFamilies[])() = {
    unary_rows,     binary_rows, view_rows,   scatter_view_rows, factory_rows,
    reduction_rows, order_rows,  matmul_rows, convolution_rows,  pool_rows,
    norm_rows,      index_rows,  resize_rows, rnn_rows,          random_rows,
};

// ---- Functions shared by multiple families.

/// The end of a dimension, for Slice.
inline constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

/// Returns the element type in which extrema are computed. ONNX's ReduceMax and onnxruntime's Max
/// do not accept int16.
inline DType extremum_dtype(DType dtype) { return dtype == DType::kInt16 ? DType::kInt32 : dtype; }

/// Returns an operand of a function of real numbers. Integers are converted to float32, bfloat16 to
/// the type in which it is computed.
Value real_operand(RowCall& c, std::string_view name = "self");
/// Multiplies a dimension of size `columns` by a row-major `rows` x `columns` matrix.
Value apply_matrix(RowCall& c, const Value& value, int rank, int dim,
                   absl::Span<const double> matrix, int64_t rows, int64_t columns);
/// Returns the product of the sizes of these dimensions, that is, the number of reduced elements.
Value count_value(RowCall& c, absl::Span<const Dim> sizes, absl::Span<const int64_t> dims,
                  DType dtype);
/// Returns the dimensions in an argument in ascending order, or all dimensions if it is None or
/// empty.
RowCall::Ints reduced_dims(RowCall& c, std::string_view name, int rank);
/// Returns a tensor filled with a constant.
Value filled(RowCall& c, const Value& scalar, absl::Span<const Dim> sizes);

}  // namespace fx::onnx
