// Type functions of optimizer steps and of operators over lists of tensors.
#include "fx/passes/shape/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

/// Written in place, returns nothing: `_fused_adam_`.
Type nothing(TypeCall& c) { return c.none(); }

using Tensors = absl::InlinedVector<Type, 4>;

Type each(TypeCall& c, DType (*dtype)(DType)) {
  Tensors results;
  for (Type t : c.tensors(0)) {
    if (!t) return c.fail("a list of tensors wanted");
    results.push_back(like(c, t, dtype(t.dtype())));
    if (!results.back()) return Type();
  }
  return c.types().list(results);
}
DType unchanged(DType dtype) { return dtype; }
Type each_same(TypeCall& c) { return each(c, unchanged); }
Type each_float(TypeCall& c) { return each(c, float_of); }

/// _foreach_add.Scalar(self, scalar)
Type each_with_scalar(TypeCall& c) {
  Tensors results;
  for (Type t : c.tensors(0)) {
    if (!t) return c.fail("a list of tensors wanted");
    Promotion promotion;
    promotion.add_tensor(t);
    promotion.add_number(c.scalar_dtype(1));
    results.push_back(elementwise(c, promotion.result(), {t}));
    if (!results.back()) return Type();
  }
  return c.types().list(results);
}
Type each_divided(TypeCall& c) {
  Tensors results;
  for (Type t : c.tensors(0)) {
    if (!t) return c.fail("a list of tensors wanted");
    Promotion promotion;
    promotion.add_tensor(t);
    promotion.add_number(c.scalar_dtype(1));
    results.push_back(elementwise(c, float_of(promotion.result()), {t}));
    if (!results.back()) return Type();
  }
  return c.types().list(results);
}

/// _foreach_add.List(self, other)
Type each_with_each(TypeCall& c) {
  const Tensors a = c.tensors(0), b = c.tensors(1);
  if (a.size() != b.size())
    return c.fail(fmt::format("lists of {} and {} tensors", a.size(), b.size()));
  Tensors results;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!a[i] || !b[i]) return c.fail("a list of tensors wanted");
    Promotion promotion;
    promotion.add_tensor(a[i]);
    promotion.add_tensor(b[i]);
    results.push_back(elementwise(c, promotion.result(), {a[i], b[i]}));
    if (!results.back()) return Type();
  }
  return c.types().list(results);
}

/// _foreach_norm(self): one number each.
Type each_norm(TypeCall& c) {
  Tensors results;
  for (Type t : c.tensors(0)) {
    if (!t) return c.fail("a list of tensors wanted");
    results.push_back(c.result(real_of(t.dtype()), absl::Span<const Dim>()));
  }
  return c.types().list(results);
}

constexpr TypeRule kRules[] = {
    {"aten._fused_adam_.default", nothing},
    {"aten._fused_adam_.tensor_lr", nothing},
    {"aten._fused_adamw_.default", nothing},
    {"aten._fused_adamw_.tensor_lr", nothing},
    {"aten._fused_sgd_.default", nothing},
    {"aten._fused_sgd_.tensor_lr", nothing},
    {"aten._fused_adagrad_.default", nothing},
    {"aten._foreach_add.Scalar", each_with_scalar},
    {"aten._foreach_sub.Scalar", each_with_scalar},
    {"aten._foreach_mul.Scalar", each_with_scalar},
    {"aten._foreach_div.Scalar", each_divided},
    {"aten._foreach_add.List", each_with_each},
    {"aten._foreach_sub.List", each_with_each},
    {"aten._foreach_mul.List", each_with_each},
    {"aten._foreach_maximum.List", each_with_each},
    {"aten._foreach_minimum.List", each_with_each},
    {"aten._foreach_neg.default", each_same},
    {"aten._foreach_abs.default", each_same},
    {"aten._foreach_sign.default", each_same},
    {"aten._foreach_zero.default", each_same},
    {"aten._foreach_sqrt.default", each_float},
    {"aten._foreach_rsqrt.default", each_float},
    {"aten._foreach_exp.default", each_float},
    {"aten._foreach_log.default", each_float},
    {"aten._foreach_reciprocal.default", each_float},
    {"aten._foreach_norm.Scalar", each_norm},
    {"aten._foreach_lerp.Scalar", each_with_each},
    {"aten._foreach_addcmul.Scalar", each_same},
    {"aten._foreach_addcdiv.Scalar", each_same},
    {"aten._foreach_copy.default", each_same},
};

}  // namespace

absl::Span<const TypeRule> optimizer_rules() { return kRules; }

}  // namespace fx::shape
