// Activations, softmax and dropout.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include <cmath>
#include <numeric>

namespace fx::onnx::reader {
namespace {

void leaky_relu(Call& c) {
  c.result(c.op("aten.leaky_relu.default", {c.in(0), c.real("alpha", 0.01)}));
}
void elu(Call& c) { c.result(c.op("aten.elu.default", {c.in(0), c.real("alpha", 1)})); }
void selu(Call& c) {
  const double alpha = c.real("alpha", 1.67326319217681884765625);
  const double gamma = c.real("gamma", 1.05070102214813232421875);
  c.result(c.op("aten.elu.default", {c.in(0), alpha, gamma}));
}
void celu(Call& c) { c.result(c.op("aten.celu.default", {c.in(0), c.real("alpha", 1)})); }
void mish(Call& c) { c.result(c.op("aten.mish.default", {c.in(0)})); }
void softplus(Call& c) { c.result(c.op("aten.softplus.default", {c.in(0)})); }

void gelu(Call& c) {
  const std::string approximate = c.text("approximate", "none");
  c.result(c.op("aten.gelu.default", {c.in(0)}, {{"approximate", approximate}}));
}

void softsign(Call& c) {
  const Val x = c.in(0);
  const Val scale = c.op("aten.add.Tensor", {c.op("aten.abs.default", {x}), 1});
  c.result(c.op("aten.div.Tensor", {x, scale}));
}

void hard_sigmoid(Call& c) {
  const Val x = c.in(0);
  const double alpha = c.real("alpha", 0.2F), beta = c.real("beta", 0.5);
  if (static_cast<float>(alpha) == 1.0F / 6 && beta == 0.5)
    return c.result(c.op("aten.hardsigmoid.default", {x}));
  const Val line = c.op("aten.add.Tensor", {c.op("aten.mul.Tensor", {x, alpha}), beta});
  c.result(c.op("aten.clamp.default", {line, 0, 1}));
}

void thresholded_relu(Call& c) {
  const Val x = c.in(0);
  const Val is_above = c.op("aten.gt.Scalar", {x, c.real("alpha", 1)});
  c.result(c.op("aten.where.self", {is_above, x, c.scalar(0, c.dtype(x))}));
}

void shrink(Call& c) {
  const Val x = c.in(0);
  const DType dtype = c.dtype(x);
  const double limit = c.real("lambd", 0.5), bias = c.real("bias", 0);
  const Val less = c.cast(c.op("aten.add.Tensor", {x, bias}), dtype);
  const Val above_bias = c.cast(c.op("aten.sub.Tensor", {x, bias}), dtype);
  const Val zero = c.scalar_int(0, dtype);
  const Val high = c.op("aten.where.self", {c.op("aten.gt.Scalar", {x, limit}), above_bias, zero});
  c.result(c.op("aten.where.self", {c.op("aten.lt.Scalar", {x, -limit}), less, high}));
}

void prelu(Call& c) {
  const Val x = c.in(0);
  const Val scaled = c.op("aten.mul.Tensor", {x, c.in(1)});
  c.result(c.op("aten.where.self", {c.op("aten.lt.Scalar", {x, 0}), scaled, x}));
}

/// Before opset 13, the softmax is over `axis` and all following dimensions, and `axis` is 1 by
/// default.
void softmax_of(Call& c, std::string_view target) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  if (c.opset() >= 13) {
    const int64_t axis = c.axis(c.integer("axis", -1), rank);
    return c.result(c.op(target, {x, axis}));
  }
  const int64_t axis = c.axis(c.integer("axis", 1), rank);
  if (axis == rank - 1) return c.result(c.op(target, {x, axis}));
  const Val flat = c.op("aten.flatten.using_ints", {x, axis, -1});
  c.result(c.reshape(c.op(target, {flat, -1}), c.shape_of(x)));
}
void softmax(Call& c) { softmax_of(c, "aten.softmax.int"); }
void log_softmax(Call& c) { softmax_of(c, "aten.log_softmax.int"); }

/// Returns 1 at the first maximum along the axis, and 0 elsewhere.
void hardmax(Call& c) {
  const Val x = c.in(0);
  const int rank = c.rank(x);
  const bool is_flat = c.opset() < 13;
  const int64_t axis = c.axis(c.integer("axis", is_flat ? 1 : -1), rank);
  if (is_flat && axis != rank - 1)
    return c.fail("Hardmax before opset 13 is supported only for the last axis");
  const Val max_index = c.op("aten.argmax.default", {x, axis, true});
  const Val zeros = c.op("aten.zeros_like.default", {x});
  c.result(c.op("aten.scatter.value", {zeros, axis, max_index, 1}));
}

/// In evaluation, dropout is the identity. In training, it draws random numbers.
void dropout(Call& c) {
  c.ignore_attribute("seed");
  bool is_training = false;
  if (c.opset() < 12) {
    c.ignore_attribute("ratio");
  } else if (c.has(2)) {
    const Tensor training = c.value(2).constant;
    const bool is_known =
        training.defined() && training.dtype() == DType::kBool && training.num_elements() == 1;
    if (!is_known) return c.fail("training_mode must be a constant");
    is_training = training.element(0).as_bool();
  }
  if (is_training) {
    const auto ratio = c.has(1) ? c.constant_reals(1) : std::vector<double>{0.5};
    if (!ratio || ratio->size() != 1) return c.fail("the ratio must be a constant");
    if ((*ratio)[0] != 0) {  // uses torch's generator instead of ONNX's seed
      const Val results = c.op("aten.native_dropout.default", {c.in(0), (*ratio)[0], true});
      c.result(0, c.item(results, 0));
      if (c.has_output(1)) c.result(1, c.item(results, 1));
      return;
    }
  }
  c.result_same(0, c.value(0));
  if (!c.has_output(1)) return;
  const Val x = c.in(0);
  const DType mask = c.opset() < 10 ? c.dtype(x) : DType::kBool;
  c.result(1, c.op("aten.ones_like.default", {x}, {{"dtype", mask}}));
}

}  // namespace

absl::Span<const Row> activation_rows() {
  static constexpr Row kRows[] = {
      {"LeakyRelu", leaky_relu},
      {"Elu", elu},
      {"Selu", selu},
      {"Celu", celu, 12},
      {"Mish", mish, 18},
      {"Gelu", gelu, 20},
      {"Softplus", softplus},
      {"Softsign", softsign},
      {"HardSigmoid", hard_sigmoid},
      {"ThresholdedRelu", thresholded_relu, 10},
      {"Shrink", shrink, 9},
      {"PRelu", prelu},
      {"Softmax", softmax},
      {"LogSoftmax", log_softmax},
      {"Hardmax", hardmax},
      {"Dropout", dropout},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
