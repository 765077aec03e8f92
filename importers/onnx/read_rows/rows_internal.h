// The rows that convert ONNX's operators, by family.
#pragma once

#include "fx/importers/onnx/read/call_internal.h"
#include "fx/importers/onnx/read/reader_internal.h"

#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fx::onnx::reader {

absl::Span<const Row> elementwise_rows();
absl::Span<const Row> activation_rows();
absl::Span<const Row> shape_rows();
absl::Span<const Row> move_rows();
absl::Span<const Row> create_rows();
absl::Span<const Row> index_rows();
absl::Span<const Row> reduction_rows();
absl::Span<const Row> convolution_rows();
absl::Span<const Row> pool_rows();
absl::Span<const Row> norm_rows();
absl::Span<const Row> loss_rows();
absl::Span<const Row> matmul_rows();
absl::Span<const Row> attention_rows();
absl::Span<const Row> rnn_rows();
absl::Span<const Row> resize_rows();
absl::Span<const Row> quantize_rows();
absl::Span<const Row> signal_rows();
absl::Span<const Row> sequence_rows();
absl::Span<const Row> control_rows();

inline constexpr absl::Span<const Row> (*kRowFamilies[])() = {
    elementwise_rows, activation_rows, shape_rows,       move_rows,    create_rows,
    index_rows,       reduction_rows,  convolution_rows, pool_rows,    norm_rows,
    loss_rows,        matmul_rows,     attention_rows,   rnn_rows,     resize_rows,
    quantize_rows,    signal_rows,     sequence_rows,    control_rows,
};

// ---- Functions shared by multiple families.

/// Converts an operator with a row of the writer that applies in both directions
/// (Row::bidirectional).
void one_to_one(Call& c);
/// Computes tests on constants before the graph runs: Not, And, Or, Xor and comparisons of
/// integers.
bool compute_test(Call& c);
/// Converts unsigned integers of 16 or more bits, for which libtorch has no arithmetic, to int64.
/// The bits of uint64 are unchanged, so sums and products are exact modulo 2^64, but other
/// functions are not.
Val as_signed(Call& c, Val x);
/// Calls an operator on integers that as_signed() converts, and converts an int64 result back.
Val on_integers(Call& c, std::string_view target, Val a, Val b,
                std::initializer_list<Kwarg> kwargs = {});
/// Calls on_integers() for the first two inputs.
Val on_inputs(Call& c, std::string_view target);
/// Pads with a constant. `low` and `high` have an item for each padded dimension; the padded
/// dimensions are the last ones.
Val pad_constant(Call& c, Val x, absl::Span<const int64_t> low, absl::Span<const int64_t> high,
                 double value);
/// The padding of a convolution or pool, for each dimension of the window.
struct Padding {
  Ints low, high;
  bool is_symmetric() const { return low == high; }
};
/// Reads `pads` and `auto_pad`. `windows` are the sizes of the dilated windows.
Padding padding_of(Call& c, Val x, absl::Span<const int64_t> windows,
                   absl::Span<const int64_t> strides);
/// Returns a list attribute with an item for each of `count` dimensions. Each item is
/// `default_value` by default.
Ints spatial(Call& c, std::string_view name, size_t count, int64_t default_value);
/// Reduces over sorted dimensions.
Val reduce_sum(Call& c, Val x, absl::Span<const int64_t> dims, bool keep);
Val reduce_mean(Call& c, Val x, absl::Span<const int64_t> dims, bool keep);
/// Returns the dimensions from `first` to the last one.
Ints dims_from(int64_t first, int64_t rank);
/// Returns the type in which an operator computes: float32 for smaller floating dtypes.
inline DType wide(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kBFloat16 ? DType::kFloat32 : dtype;
}

}  // namespace fx::onnx::reader
