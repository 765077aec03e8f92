// Type functions of optimizer steps.
#include "fx/passes/shape/type_rules_internal.h"

namespace fx::shape {
namespace {

/// Written in place, returns nothing: `_fused_adam_`.
Type nothing(TypeCall& c) { return c.none(); }

constexpr TypeRule kRules[] = {
    {"aten._fused_adam_.default", nothing},    {"aten._fused_adam_.tensor_lr", nothing},
    {"aten._fused_adamw_.default", nothing},   {"aten._fused_adamw_.tensor_lr", nothing},
    {"aten._fused_sgd_.default", nothing},     {"aten._fused_sgd_.tensor_lr", nothing},
    {"aten._fused_adagrad_.default", nothing},
};

}  // namespace

absl::Span<const TypeRule> optimizer_rules() { return kRules; }

}  // namespace fx::shape
