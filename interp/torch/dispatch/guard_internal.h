// Checks guards on numbers: compares a number that the captured program received (metadata kGuard,
// graph_guards.h) with the number in a run.
#pragma once

#include "fx/interp/torch/dispatch/convert.h"

#include "absl/status/status.h"
#include <ATen/core/ivalue.h>
#include <fmt/format.h>

#include <string>

namespace fx::internal {

/// Returns true for numbers of the same kind and value. NaN equals itself.
inline bool same_number(const c10::IValue& a, const c10::IValue& b) {
  if (a.isDouble() && b.isDouble()) {
    const double x = a.toDouble(), y = b.toDouble();
    return x == y || (x != x && y != y);
  }
  if (a.isComplexDouble() && b.isComplexDouble()) return a.toComplexDouble() == b.toComplexDouble();
  if (a.isBool() && b.isBool()) return a.toBool() == b.toBool();
  return a.isInt() && b.isInt() && a.toInt() == b.toInt();
}

inline std::string number_text(const c10::IValue& value) {
  absl::StatusOr<Argument> number = from_ivalue(value, {.base = ArgumentCode::kNumber});
  if (!number.ok()) return value.tagKind();
  switch (number->kind()) {
    case ArgumentKind::kBool:
      return number->as_bool() ? "True" : "False";
    case ArgumentKind::kInt:
      return fmt::format("{}", number->as_int());
    case ArgumentKind::kFloat:
      return fmt::format("{}", number->as_float());
    default:
      return "a complex number";
  }
}

inline absl::Status guard_error(const c10::IValue& actual, const c10::IValue& expected) {
  return absl::FailedPreconditionError(fmt::format(
      "it returns {}, but the graph was captured with {}; the program may take a different branch",
      number_text(actual), number_text(expected)));
}

}  // namespace fx::internal
