// Type functions for optimizer steps and operators over lists of tensors. The latter apply the
// type function of the operator for one tensor to each item.
#include "fx/ir/graph/context.h"
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fx::shape {
namespace {

using Tensors = absl::InlinedVector<Type, 4>;

/// Converts a value to an argument of infer_call. Numbers other than integers keep only their kind.
Argument argument_of(const TypeArgument& value) {
  if (value.type()) return Argument(value.type());
  if (const auto dim = value.as_dim(); dim && value.kind() != ArgumentKind::kBool)
    return Argument(*dim);
  switch (value.number_dtype()) {
    case DType::kBool:
      return Argument(true);
    case DType::kFloat32:
      return Argument(1.0);
    case DType::kComplex64:
      return Argument(std::complex<double>(1.0));
    default:
      return Argument();
  }
}

/// Returns the tensors of the first list. If it is empty, or if lists have different lengths, fails
/// the call and returns an empty list.
Tensors listed(TypeCall& c) {
  const Tensors tensors = c.tensors(0);
  if (tensors.empty()) c.fail("tensor list must have at least one tensor");
  for (const Type tensor : tensors)
    if (!tensor) c.fail("argument self must be a list of tensors");
  for (int k = 1; k < c.size(); ++k) {
    const TypeArgument& value = c.argument(k);
    if (value.is_sequence() && value.size() != tensors.size())
      c.fail(fmt::format("tensor lists must have the same number of tensors, got {} and {}",
                         tensors.size(), value.size()));
  }
  return c.failed() ? Tensors() : tensors;
}

/// Returns the types of the results of `op` for item i of every list and the other positional
/// arguments. Passes at most `limit` arguments.
Type each_by(TypeCall& c, std::string_view op, int limit) {
  const Tensors tensors = listed(c);
  if (c.failed()) return Type();
  const Target target = c.context().function(op);
  const auto& formals = c.op().schema().arguments();
  Tensors results;
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::vector<Argument> args = {Argument(tensors[i])};
    for (int k = 1; k < std::min(c.size(), limit) && static_cast<size_t>(k) < formals.size(); ++k) {
      if (formals[static_cast<size_t>(k)].kwarg_only || c.is_none(k)) break;
      const TypeArgument& value = c.argument(k);
      args.push_back(argument_of(value.is_sequence() ? value[i] : value));
      // The devices were already checked for the whole call.
      const Type type = args.back().kind() == ArgumentKind::kType ? args.back().as_type() : Type();
      if (type.is_tensor() && type.device() != tensors[i].device()) {
        TensorSpec spec = type.spec();
        spec.device = tensors[i].device();
        args.back() = Argument(c.types().tensor(spec));
      }
    }
    const auto result = infer_call(c.context(), target, args);
    if (!result.ok()) return c.fail(std::string(result.status().message()));
    if (!result->type) return Type();
    results.push_back(result->type);
  }
  return c.types().list(results);
}

/// The name of an operator as a template argument.
template <size_t size>
struct OpName {
  char text[size] = {};
  consteval OpName(const char (&name)[size]) { std::copy_n(name, size, text); }
};
template <OpName op, int limit = 40>
Type each(TypeCall& c) {
  return each_by(c, op.text, limit);
}

Type each_same(TypeCall& c) {
  Tensors results;
  for (Type t : listed(c)) {
    results.push_back(like(c, t, t.dtype()));
    if (!results.back()) return Type();
  }
  return c.failed() ? Type() : c.types().list(results);
}

/// _foreach_norm(self, ord, dtype): one number for each tensor.
Type each_norm(TypeCall& c) {
  Tensors results;
  for (Type t : listed(c))
    results.push_back(
        c.types().tensor({.dtype = c.dtype_or(2, real_of(t.dtype())), .device = t.device()}));
  return c.failed() ? Type() : c.types().list(results);
}

/// Operators that write in place and return nothing: `_fused_adam_`.
Type updates_in_place(TypeCall& c) { return c.none(); }

constexpr TypeRule kForeachRules[] = {
    {"aten._fused_adam_.default", updates_in_place},
    {"aten._fused_adam_.tensor_lr", updates_in_place},
    {"aten._fused_adamw_.default", updates_in_place},
    {"aten._fused_adamw_.tensor_lr", updates_in_place},
    {"aten._fused_sgd_.default", updates_in_place},
    {"aten._fused_sgd_.tensor_lr", updates_in_place},
    {"aten._fused_adagrad_.default", updates_in_place},
    {"aten._foreach_abs.default", each<"aten.abs.default">},
    {"aten._foreach_acos.default", each<"aten.acos.default">},
    {"aten._foreach_asin.default", each<"aten.asin.default">},
    {"aten._foreach_atan.default", each<"aten.atan.default">},
    {"aten._foreach_ceil.default", each<"aten.ceil.default">},
    {"aten._foreach_cos.default", each<"aten.cos.default">},
    {"aten._foreach_cosh.default", each<"aten.cosh.default">},
    {"aten._foreach_erf.default", each<"aten.erf.default">},
    {"aten._foreach_erfc.default", each<"aten.erfc.default">},
    {"aten._foreach_exp.default", each<"aten.exp.default">},
    {"aten._foreach_expm1.default", each<"aten.expm1.default">},
    {"aten._foreach_floor.default", each<"aten.floor.default">},
    {"aten._foreach_frac.default", each<"aten.frac.default">},
    {"aten._foreach_lgamma.default", each<"aten.lgamma.default">},
    {"aten._foreach_log.default", each<"aten.log.default">},
    {"aten._foreach_log10.default", each<"aten.log10.default">},
    {"aten._foreach_log1p.default", each<"aten.log1p.default">},
    {"aten._foreach_log2.default", each<"aten.log2.default">},
    {"aten._foreach_neg.default", each<"aten.neg.default">},
    {"aten._foreach_reciprocal.default", each<"aten.reciprocal.default">},
    {"aten._foreach_round.default", each<"aten.round.default">},
    {"aten._foreach_rsqrt.default", each<"aten.rsqrt.default">},
    {"aten._foreach_sigmoid.default", each<"aten.sigmoid.default">},
    {"aten._foreach_sign.default", each<"aten.sign.default">},
    {"aten._foreach_sin.default", each<"aten.sin.default">},
    {"aten._foreach_sinh.default", each<"aten.sinh.default">},
    {"aten._foreach_sqrt.default", each<"aten.sqrt.default">},
    {"aten._foreach_tan.default", each<"aten.tan.default">},
    {"aten._foreach_tanh.default", each<"aten.tanh.default">},
    {"aten._foreach_trunc.default", each<"aten.trunc.default">},
    {"aten._foreach_clone.default", each<"aten.clone.default">},
    {"aten._foreach_max.default", each<"aten.max.default">},
    {"aten._foreach_mm.default", each<"aten.mm.default">},
    {"aten._foreach_add.Scalar", each<"aten.add.Tensor">},
    {"aten._foreach_add.List", each<"aten.add.Tensor">},
    {"aten._foreach_add.ScalarList", each<"aten.add.Tensor">},
    {"aten._foreach_add.Tensor", each<"aten.add.Tensor">},
    {"aten._foreach_sub.Scalar", each<"aten.sub.Tensor">},
    {"aten._foreach_sub.List", each<"aten.sub.Tensor">},
    {"aten._foreach_sub.ScalarList", each<"aten.sub.Tensor">},
    {"aten._foreach_mul.Scalar", each<"aten.mul.Tensor">},
    {"aten._foreach_mul.List", each<"aten.mul.Tensor">},
    {"aten._foreach_mul.ScalarList", each<"aten.mul.Tensor">},
    {"aten._foreach_mul.Tensor", each<"aten.mul.Tensor">},
    {"aten._foreach_div.Scalar", each<"aten.div.Tensor">},
    {"aten._foreach_div.List", each<"aten.div.Tensor">},
    {"aten._foreach_div.ScalarList", each<"aten.div.Tensor">},
    {"aten._foreach_div.Tensor", each<"aten.div.Tensor">},
    {"aten._foreach_clamp_max.Scalar", each<"aten.clamp_max.default">},
    {"aten._foreach_clamp_max.List", each<"aten.clamp_max.Tensor">},
    {"aten._foreach_clamp_max.ScalarList", each<"aten.clamp_max.default">},
    {"aten._foreach_clamp_min.Scalar", each<"aten.clamp_min.default">},
    {"aten._foreach_clamp_min.List", each<"aten.clamp_min.Tensor">},
    {"aten._foreach_clamp_min.ScalarList", each<"aten.clamp_min.default">},
    {"aten._foreach_maximum.Scalar", each<"aten.clamp_min.default">},
    {"aten._foreach_maximum.List", each<"aten.clamp_min.Tensor">},
    {"aten._foreach_maximum.ScalarList", each<"aten.clamp_min.default">},
    {"aten._foreach_minimum.Scalar", each<"aten.clamp_max.default">},
    {"aten._foreach_minimum.List", each<"aten.clamp_max.Tensor">},
    {"aten._foreach_minimum.ScalarList", each<"aten.clamp_max.default">},
    {"aten._foreach_pow.Scalar", each<"aten.pow.Tensor_Scalar">},
    {"aten._foreach_pow.ScalarList", each<"aten.pow.Tensor_Scalar">},
    {"aten._foreach_pow.List", each<"aten.pow.Tensor_Tensor">},
    {"aten._foreach_lerp.Scalar", each<"aten.lerp.Scalar">},
    {"aten._foreach_lerp.ScalarList", each<"aten.lerp.Scalar">},
    {"aten._foreach_lerp.List", each<"aten.lerp.Tensor">},
    {"aten._foreach_norm.Scalar", each_norm},
    {"aten._foreach_zero.default", each_same},
    {"aten._foreach_copy.default", each<"aten.copy.default">},
    {"aten._foreach_addcmul.Scalar", each<"aten.addcmul.default", 3>},
    {"aten._foreach_addcmul.ScalarList", each<"aten.addcmul.default", 3>},
    {"aten._foreach_addcdiv.Scalar", each<"aten.addcdiv.default", 3>},
    {"aten._foreach_addcdiv.ScalarList", each<"aten.addcdiv.default", 3>},
};

}  // namespace

absl::Span<const TypeRule> foreach_rules() { return kForeachRules; }

}  // namespace fx::shape
