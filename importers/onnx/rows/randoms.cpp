// Operators that draw random numbers. A runtime draws numbers from the same distributions as
// libtorch, but not the same numbers.
#include "fx/importers/onnx/rows/rows_internal.h"

namespace fx::onnx {
namespace {

/// Row::name is ONNX's operator that accepts a tensor with the sizes. The operators that accept a
/// list of sizes require constants.
Value draw(RowCall& c, std::string_view op) {
  const Type type = c.result_type();
  const DType dtype = type.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  return c.op(op, {filled(c, c.scalar(0.0, dtype), type.sizes())}, {}, dtype);
}

void uniform_numbers(RowCall& c) { c.result(draw(c, "RandomUniformLike")); }
void normal_numbers(RowCall& c) { c.result(draw(c, "RandomNormalLike")); }

Value bernoulli_of(RowCall& c, const Value& probability) {
  return c.op("Bernoulli", {probability});
}

void bernoulli(RowCall& c) { c.result(bernoulli_of(c, c.tensor("self"))); }

void bernoulli_p(RowCall& c) {
  const Type type = c.type("self");
  const DType dtype = type.dtype() == DType::kFloat64 ? DType::kFloat64 : DType::kFloat32;
  c.result(bernoulli_of(c, filled(c, c.scalar(c.real("p"), dtype), type.sizes())));
}

/// In training mode, elements are kept with probability 1 - p, and divided by 1 - p.
void dropout(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value x = c.tensor_as(c.has_argument("input") ? "input" : "self", dtype);
  if (!c.flag("train") || c.real("p") == 0) return c.result(x);
  const Value training = c.scalar(1, DType::kBool);
  c.result(c.op("Dropout", {x, c.scalar(c.real("p"), DType::kFloat32), training}));
}

void native_dropout(RowCall& c) {
  const DType dtype = c.result_dtype(0);
  const Value x = c.tensor_as("input", dtype);
  const bool train = !c.has("train") || c.flag("train");
  if (!train) {
    const Value ones = filled(c, c.scalar(1, DType::kBool), c.type("input").sizes());
    return c.results({x, ones});
  }
  const Value inputs[] = {x, c.scalar(c.real("p"), DType::kFloat32), c.scalar(1, DType::kBool)};
  if (!c.failed()) c.results(c.ops("Dropout", inputs, {}, {dtype, DType::kBool}));
}

void native_dropout_backward(RowCall& c) {
  const DType dtype = c.result_dtype();
  const Value kept = c.op("Mul", {c.tensor_as("grad_output", dtype), c.tensor_as("mask", dtype)});
  c.result(c.op("Mul", {kept, c.tensor_as("scale", dtype)}));
}

}  // namespace

absl::Span<const Row> random_rows() {
  static constexpr auto kAny = static_cast<Accepted>(kAnything | kUnchecked);
  static constexpr Row kRows[] = {
      {"aten.rand.default", uniform_numbers, kAny},
      {"aten.rand_like.default", uniform_numbers, kFloats},
      {"aten.randn.default", normal_numbers, kAny},
      {"aten.randn_like.default", normal_numbers, kFloats},
      {"aten.bernoulli.default", bernoulli, kFloats},
      {"aten.bernoulli.p", bernoulli_p, kFloats},
      {"aten.dropout.default", dropout, kFloats},
      {"aten.native_dropout.default", native_dropout, kFloats},
      {"aten.native_dropout_backward.default", native_dropout_backward, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
