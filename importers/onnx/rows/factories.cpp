// Operators that create tensors.
#include "fx/importers/onnx/rows/rows_internal.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fx::onnx {

Value filled(RowCall& c, const Value& scalar, absl::Span<const Dim> sizes) {
  return sizes.empty() ? scalar : c.expand(scalar, sizes);
}

namespace {

void fill_with(RowCall& c, const Value& value) {
  c.result(filled(c, value, c.result_type().sizes()));
}

void full(RowCall& c) { fill_with(c, c.tensor_as("fill_value", c.result_type().dtype())); }
void fill(RowCall& c) { fill_with(c, c.tensor_as("value", c.result_type().dtype())); }
/// Converts zeros, and uninitialized tensors, whose elements may have any value.
void zeros(RowCall& c) { fill_with(c, c.scalar(0, c.result_type().dtype())); }
void ones(RowCall& c) { fill_with(c, c.scalar(1, c.result_type().dtype())); }
void scalar_tensor(RowCall& c) { c.result(c.tensor_as("s", c.result_type().dtype())); }

constexpr int64_t kMaxConstants = 1 << 16;

/// Returns a constant argument, truncated as in libtorch's kernel for integers.
std::optional<int64_t> truncated(RowCall& c, std::string_view name) {
  if (const std::optional<int64_t> integer = c.constant_integer(name)) return integer;
  const std::optional<double> real = c.constant_real(name);
  if (!real || !(std::abs(*real) < kIntLimit)) return std::nullopt;
  return static_cast<int64_t>(*real);
}

/// Converts to a constant if start and step are known, otherwise to ONNX's Range. Like libtorch's
/// kernel, computes the constants in int64 or float64.
void arange(RowCall& c) {
  const Type type = c.result_type();
  const DType dtype = type.dtype();
  const bool has_start = c.has_argument("start"), has_step = c.has_argument("step");
  const Dim count = type.size(0);
  const bool is_short = count.is_int() && count.value() <= kMaxConstants;
  if (is_short && is_integral(dtype)) {
    const std::optional<int64_t> start = has_start ? truncated(c, "start") : 0;
    const std::optional<int64_t> step = has_step ? truncated(c, "step") : 1;
    if (start && step) {
      RowCall::Ints values;
      values.reserve(static_cast<size_t>(count.value()));
      auto next = static_cast<uint64_t>(*start);  // unsigned, since signed overflow is undefined
      for (int64_t i = 0; i < count.value(); ++i, next += static_cast<uint64_t>(*step))
        values.push_back(static_cast<int64_t>(next));
      return c.result(c.cast(c.ints_value(values), dtype));
    }
  } else if (is_short) {
    const std::optional<double> start = has_start ? c.constant_real("start") : 0.0;
    const std::optional<double> step = has_step ? c.constant_real("step") : 1.0;
    if (start && step) {
      std::vector<double> values;
      values.reserve(static_cast<size_t>(count.value()));
      for (int64_t i = 0; i < count.value(); ++i)
        values.push_back(*start + static_cast<double>(i) * *step);
      return c.result(c.reals_value(values, {count.value()}, dtype));
    }
  }
  const DType in = is_floating_point(dtype) ? DType::kFloat64 : DType::kInt64;
  const Value begin = has_start ? c.tensor_as("start", in) : c.scalar(0, in);
  const Value step_value = has_step ? c.tensor_as("step", in) : c.scalar(1, in);
  c.result(c.op("Range", {begin, c.tensor_as("end", in), step_value}, {}, in));
}

/// Like libtorch, computes the first half from the start and the second half from the end.
void linspace(RowCall& c) {
  const double start = c.real("start"), end = c.real("end");
  const int64_t steps = c.integer("steps");
  if (c.failed()) return;
  if (steps < 0 || steps > kMaxConstants) return c.fail("steps must be in [0, 65536]");
  const Type type = c.result_type();
  const bool is_single = type.dtype() != DType::kFloat64;
  const double step = steps > 1 ? (end - start) / static_cast<double>(steps - 1) : 0;
  std::vector<double> values;
  for (int64_t i = 0; i < steps; ++i) {
    const auto up = static_cast<double>(i), down = static_cast<double>(steps - 1 - i);
    values.push_back(i < steps / 2 ? start + step * up : end - step * down);
    if (is_single) values.back() = static_cast<float>(values.back());
  }
  if (is_integral(type.dtype())) return c.fail("linspace of integers is not supported");
  c.result(c.reals_value(values, {steps}, type.dtype()));
}

void eye(RowCall& c) {
  const Type type = c.result_type();
  const std::optional<RowCall::Ints> sizes = constant_sizes(type.sizes());
  if (!sizes || (*sizes)[0] * (*sizes)[1] > kMaxConstants)
    return c.fail("its sizes must be known, with at most 65536 elements");
  RowCall::Ints values;
  for (int64_t i = 0; i < (*sizes)[0]; ++i)
    for (int64_t j = 0; j < (*sizes)[1]; ++j) values.push_back(i == j ? 1 : 0);
  c.result(c.cast(c.indices_value(values, *sizes), type.dtype()));
}

}  // namespace

absl::Span<const Row> factory_rows() {
  static constexpr auto kAny = static_cast<Accepted>(kAnything | kUnchecked);
  static constexpr Row kRows[] = {
      {"aten.full.default", full, kAny, false},
      {"aten.full_like.default", full, kAny, false},
      {"aten.new_full.default", full, kAny, false},
      {"aten.fill.Scalar", fill, kAny, false},
      {"aten.fill.Tensor", fill, kAny, false},
      {"aten.zeros.default", zeros, kAny, false},
      {"aten.zeros_like.default", zeros, kAny, false},
      {"aten.new_zeros.default", zeros, kAny, false},
      {"aten.zero.default", zeros, kAny, false},
      {"aten.empty.memory_format", zeros, kAny, false},
      {"aten.empty_like.default", zeros, kAny, false},
      {"aten.empty_strided.default", zeros, kAny, false},
      {"aten.empty_permuted.default", zeros, kAny, false},
      {"aten.new_empty.default", zeros, kAny, false},
      {"aten.new_empty_strided.default", zeros, kAny, false},
      {"aten.ones.default", ones, kAny, false},
      {"aten.ones_like.default", ones, kAny, false},
      {"aten.new_ones.default", ones, kAny, false},
      {"aten.scalar_tensor.default", scalar_tensor, kAny, false},
      {"aten.arange.default", arange, kAny, false},
      {"aten.arange.start", arange, kAny, false},
      {"aten.arange.start_step", arange, kAny, false},
      {"aten.linspace.default", linspace, kAny, false},
      {"aten.eye.default", eye, kAny, false},
      {"aten.eye.m", eye, kAny, false},
  };
  return kRows;
}

}  // namespace fx::onnx
