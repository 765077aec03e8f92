// Type functions of optimizer steps.
#include "fx/passes/shape/type_rules_internal.h"

namespace fx::shape {
namespace {

/// Written in place, returns nothing: `_fused_adam_`.
Type updates_in_place(TypeCall& c) { return c.none(); }

constexpr TypeRule kOptimizerRules[] = {
    {"aten._fused_adam_.default", updates_in_place},
    {"aten._fused_adam_.tensor_lr", updates_in_place},
    {"aten._fused_adamw_.default", updates_in_place},
    {"aten._fused_adamw_.tensor_lr", updates_in_place},
    {"aten._fused_sgd_.default", updates_in_place},
    {"aten._fused_sgd_.tensor_lr", updates_in_place},
    {"aten._fused_adagrad_.default", updates_in_place},
};

}  // namespace

absl::Span<const TypeRule> optimizer_rules() { return kOptimizerRules; }

}  // namespace fx::shape
