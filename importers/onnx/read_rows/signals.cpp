// Windows and Fourier transforms.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include "fmt/format.h"

#include <numbers>

namespace fx::onnx::reader {
namespace {

/// Computes a window as a sum of cosines: a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n).
void window(Call& c, double a0, double a1, double a2) {
  const bool is_periodic = c.flag("periodic", true);
  const DType dtype =
      dtype_of(static_cast<DataType>(static_cast<int32_t>(c.integer("output_datatype", 1))));
  if (!is_floating_point(dtype)) return c.fail("its result must have a floating-point type");
  const Argument size = c.size(0);
  const Val positions = c.op("aten.arange.default", {size}, {{"dtype", DType::kFloat64}});
  const Argument period = is_periodic ? size : c.sub(size, 1);
  const Val angle =
      c.op("aten.div.Tensor", {c.op("aten.mul.Tensor", {positions, 2 * std::numbers::pi}), period});
  const auto cosine = [&](double factor, double weight) {
    const Val value = c.op("aten.cos.default", {c.op("aten.mul.Tensor", {angle, factor})});
    return c.op("aten.mul.Tensor", {value, weight});
  };
  Val y = c.op("aten.add.Tensor", {cosine(1, -a1), a0});
  if (a2 != 0) y = c.op("aten.add.Tensor", {y, cosine(2, a2)});
  c.result(c.cast(y, dtype));
}
void hann_window(Call& c) { window(c, 0.5, 0.5, 0); }
void hamming_window(Call& c) { window(c, 25.0 / 46, 21.0 / 46, 0); }
void blackman_window(Call& c) { window(c, 0.42, 0.5, 0.08); }

/// Converts DFT. The last dimension contains the real and, optionally, the imaginary part.
void dft(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  if (rank < 2)
    return c.fail_invalid(fmt::format(
        "its input must have at least 2 dimensions, the last with the real and imaginary parts; it "
        "has {}",
        rank));
  int64_t axis = c.opset() >= 20 ? -2 : c.integer("axis", 1);
  if (c.opset() >= 20 && c.has(2)) {
    const Ints given = c.ints_input(2, "the axis");
    if (given.size() == 1) axis = given[0];
  }
  axis = c.axis(axis, rank);
  const bool is_inverse = c.flag("inverse"), is_onesided = c.flag("onesided");
  if (axis == rank - 1)
    return c.fail_invalid(fmt::format(
        "the axis {} is the last dimension, which contains the real and imaginary parts", axis));
  const int64_t parts = c.constant_dim(x, -1);
  if (parts != 1 && parts != 2)
    return c.fail_invalid(
        fmt::format("its last dimension must have size 1 (real) or 2 (real and imaginary parts); "
                    "it has size {}",
                    parts));
  const Argument length = c.has(1) ? c.size(1) : Argument();
  const bool is_real = parts == 1;
  const Val value =
      is_real ? c.op("aten.select.int", {x, -1, 0})
              : c.op("aten.view_as_complex.default", {c.op("aten.contiguous.default", {x})});
  std::string_view target = is_inverse ? "aten.fft_ifft.default" : "aten.fft_fft.default";
  if (is_onesided && is_inverse) {
    const Val real = c.op("aten.fft_irfft.default", {value, length, axis});
    return c.result(c.op("aten.unsqueeze.default", {real, -1}));
  }
  if (is_onesided) {
    if (!is_real) return c.fail_invalid("a one-sided transform requires real numbers");
    target = "aten.fft_rfft.default";
  }
  c.result(c.op("aten.view_as_real.default", {c.op(target, {value, length, axis})}));
}

}  // namespace

absl::Span<const Row> signal_rows() {
  static constexpr Row kRows[] = {
      {"HannWindow", hann_window, 17},
      {"HammingWindow", hamming_window, 17},
      {"BlackmanWindow", blackman_window, 17},
      {"DFT", dft, 17},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
