// Operators that create tensors: constants, ranges, identity matrices and random numbers.
#include "fx/importers/onnx/read_rows/rows_internal.h"
#include "fx/ir/support/status.h"

namespace fx::onnx::reader {
namespace {

constexpr int64_t kMaxConstants = 1024;

void set_constant(Call& c, absl::StatusOr<Tensor> tensor) {
  if (!tensor.ok()) return c.fail(tensor.status());
  c.result_constant(*std::move(tensor));
}

void constant(Call& c) {
  if (const TensorProto* proto = c.tensor_attribute("value"))
    return set_constant(c, c.reader().tensor_of(*proto));
  if (c.has_attribute("value_int"))
    return set_constant(c, Tensor::of<int64_t>({}, {c.integer("value_int", 0)}));
  if (c.has_attribute("value_float"))
    return set_constant(c, Tensor::of<float>({}, {static_cast<float>(c.real("value_float", 0))}));
  if (const auto ints = c.ints("value_ints"))
    return set_constant(c, Tensor::of<int64_t>({static_cast<int64_t>(ints->size())}, *ints));
  if (c.has_attribute("value_floats")) {
    std::vector<float> values;
    for (const double value : c.reals("value_floats")) values.push_back(static_cast<float>(value));
    return set_constant(c, Tensor::of<float>({static_cast<int64_t>(values.size())}, values));
  }
  c.fail("its value must be a tensor or numbers");
}

void constant_of_shape(Call& c) {
  DType dtype = DType::kFloat32;
  Argument value = 0.0;
  if (const TensorProto* proto = c.tensor_attribute("value")) {
    const absl::StatusOr<Tensor> given = c.reader().tensor_of(*proto);
    if (!given.ok()) return c.fail(given.status());
    if (given->num_elements() != 1) return c.fail_invalid("its value must have one element");
    dtype = given->dtype();
    value = given->element(0);
  }
  const Sizes sizes = c.sizes(0);
  const bool is_index = dtype == DType::kInt64 || dtype == DType::kInt32;
  if (is_index && sizes.size() == 1 && sizes[0].is_int() && sizes[0].as_int() >= 0 &&
      sizes[0].as_int() <= kMaxConstants)
    return c.result_sizes(Sizes(static_cast<size_t>(sizes[0].as_int()), value), false, dtype);
  c.result(c.op("aten.full.default", {c.list(sizes), value}, {{"dtype", dtype}}));
}

void range(Call& c) {
  const Val start = c.in(0);
  const DType dtype = c.dtype(start);
  std::vector<Argument> bounds;
  bool is_constant = true;
  for (size_t i = 0; i < 3; ++i) {
    const auto sizes = c.known_sizes(i);
    const auto reals = c.constant_reals(i);
    if (sizes && sizes->size() == 1) {
      bounds.push_back((*sizes)[0]);
    } else if (reals && reals->size() == 1) {
      bounds.emplace_back((*reals)[0]);
    } else {
      bounds.push_back(c.op("aten.item.default", {c.in(i)}));
    }
    is_constant &= bounds.back().is_int();
  }
  if (c.failed() || bounds.size() != 3) return;
  if (is_constant && is_integral(dtype)) {
    const int64_t from = bounds[0].as_int(), to = bounds[1].as_int(), step = bounds[2].as_int();
    if (step == 0) return c.fail_invalid("the step must not be 0");
    Sizes values;
    for (int64_t value = from; step > 0 ? value < to : value > to;) {
      values.emplace_back(value);
      const bool is_last = __builtin_add_overflow(value, step, &value);
      if (is_last || static_cast<int64_t>(values.size()) > kMaxConstants) break;
    }
    if (static_cast<int64_t>(values.size()) <= kMaxConstants)
      return c.result_sizes(values, false, dtype);
  }
  c.result(c.op("aten.arange.start_step", bounds, {{"dtype", dtype}}));
}

std::optional<DType> dtype_attribute(Call& c) {
  if (!c.has_attribute("dtype")) return std::nullopt;
  const auto type = static_cast<DataType>(static_cast<int32_t>(c.integer("dtype", 0)));
  if (dtype_of(type) == DType::kUndefined)
    c.fail(data_type_name(type) + " elements are not supported");
  return dtype_of(type);
}

void eye_like(Call& c) {
  const Val x = c.in(0);
  const DType dtype = dtype_attribute(c).value_or(c.dtype(x));
  if (c.rank(x) != 2) return c.fail_invalid("its input must be a matrix");
  const auto positions = [&](int64_t axis) {
    return c.op("aten.arange.default", {c.size_of(x, axis)}, {{"dtype", DType::kInt64}});
  };
  const Val row = c.op("aten.add.Tensor", {c.unsqueeze(positions(0), {1}), c.integer("k", 0)});
  c.result(c.cast(c.op("aten.eq.Tensor", {row, positions(1)}), dtype));
}

// ---- Random numbers, which use torch's generator instead of ONNX's seeds.

void random_of(Call& c, const Sizes& sizes, DType dtype, bool is_normal) {
  const double low = c.real(is_normal ? "mean" : "low", 0);
  const double high = c.real(is_normal ? "scale" : "high", 1);
  c.ignore_attribute("seed");
  const Val numbers = c.op(is_normal ? "aten.randn.default" : "aten.rand.default", {c.list(sizes)},
                           {{"dtype", dtype}});
  const double scale = is_normal ? high : high - low;
  c.result(c.op("aten.add.Tensor", {c.op("aten.mul.Tensor", {numbers, scale}), low}));
}

void random(Call& c, bool is_normal) {
  const Ints sizes = c.ints("shape").value_or(Ints());
  random_of(c, {sizes.begin(), sizes.end()}, dtype_attribute(c).value_or(DType::kFloat32),
            is_normal);
}
void random_like(Call& c, bool is_normal) {
  const Val x = c.in(0);
  random_of(c, c.shape_of(x), dtype_attribute(c).value_or(c.dtype(x)), is_normal);
}
void random_normal(Call& c) { random(c, true); }
void random_uniform(Call& c) { random(c, false); }
void random_normal_like(Call& c) { random_like(c, true); }
void random_uniform_like(Call& c) { random_like(c, false); }

void bernoulli(Call& c) {
  const Val x = c.in(0);
  c.ignore_attribute("seed");
  const DType dtype = dtype_attribute(c).value_or(c.dtype(x));
  c.result(c.cast(c.op("aten.bernoulli.default", {x}), dtype));
}

}  // namespace

absl::Span<const Row> create_rows() {
  static constexpr Row kRows[] = {
      {"Constant", constant},
      {"ConstantOfShape", constant_of_shape, 9},
      {"Range", range, 11},
      {"EyeLike", eye_like, 9},
      {"RandomNormal", random_normal},
      {"RandomUniform", random_uniform},
      {"RandomNormalLike", random_normal_like},
      {"RandomUniformLike", random_uniform_like},
      {"Bernoulli", bernoulli, 15},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
