// DerivativeTable: see derivative_table.h.
#include "fx/passes/autodiff/derivative_table.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/attachments.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/rules_internal.h"

#include "fmt/format.h"

#include <utility>

namespace fx {

namespace {

/// The key of the table in a Context.
constexpr char kDerivativesOfContext = 0;

}  // namespace

absl::Status DerivativeTable::add(DerivativeRule rule) {
  if (find(rule.op) != nullptr)
    return absl::AlreadyExistsError(fmt::format("{} already has a derivative rule", rule.op));
  return replace(std::move(rule));
}

absl::Status DerivativeTable::replace(DerivativeRule rule) {
  if (rule.op.empty()) return absl::InvalidArgumentError("a derivative rule must have an operator");
  for (const ArgumentDerivative& argument : rule.arguments) {
    if (argument.arguments.empty() || !argument.gradient) {
      return absl::InvalidArgumentError(fmt::format(
          "each argument of the derivative rule for {} must have a name and a function", rule.op));
    }
  }
  if ((rule.forward == ForwardRule::kFunction) != static_cast<bool>(rule.tangent)) {
    return absl::InvalidArgumentError(
        fmt::format("the derivative rule for {} must have a tangent function if and only if its "
                    "forward rule is kFunction",
                    rule.op));
  }
  const auto [entry, is_new] = by_op_.try_emplace(rule.op, rules_.size());
  if (is_new) rules_.emplace_back();
  rules_[entry->second] = std::move(rule);
  return absl::OkStatus();
}

const DerivativeRule* DerivativeTable::find(std::string_view op) const {
  const auto entry = by_op_.find(std::string(op));
  return entry == by_op_.end() ? nullptr : &rules_[entry->second];
}

const DerivativeTable& DerivativeTable::standard() {
  static const auto* table = [] {
    auto* new_table = new DerivativeTable();
    for (const auto family : kDerivativeFamilies) {
      for (const DerivativeRow& row : family()) {
        DerivativeRule rule{.op = std::string(row.op), .forward = row.forward};
        for (const ArgumentRow& argument : row.arguments)
          if (argument.gradient.function != nullptr)
            rule.arguments.push_back({std::string(argument.names), argument.gradient.function});
        if (row.tangent.function != nullptr) rule.tangent = row.tangent.function;
        FX_CHECK_OK(new_table->add(std::move(rule)));
      }
    }
    return new_table;
  }();
  return *table;
}

const DerivativeTable& DerivativeTable::of(const Context& context) {
  return attached_or_standard<DerivativeTable>(context, &kDerivativesOfContext);
}

DerivativeTable& DerivativeTable::own(Context& context) {
  return attach_copy<DerivativeTable>(context, &kDerivativesOfContext);
}

}  // namespace fx
