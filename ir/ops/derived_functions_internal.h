// Rows for Python functions that call operators (derived_functions.cpp).
#pragma once

#include "fx/ir/ops/op_info.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ops {

/// The parts of a row for a function.
struct DerivedRow {
  std::string text;
  uint16_t traits = 0;
  Effects effects;
  /// The operator that the function calls, if there is only one: the row has the operator's
  /// arguments and properties, and optionally `out`.
  const OpInfo* base = nullptr;
};

/// A row for the function `name`, which calls one of these overloads.
DerivedRow derive_row(std::string_view name, const std::vector<const OpInfo*>& overloads);

}  // namespace fx::ops
