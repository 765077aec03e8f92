// Reads the arguments and results of recorded operator calls (check_cases.h).
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "nlohmann/json.hpp"

#include <string_view>

namespace fx {

/// Returns InvalidArgument: "expected a dtype".
absl::Status malformed_case(std::string_view expected);

/// Reads values in the format of corpus/README.md, "Operator cases". Returns InvalidArgument for
/// malformed values.
class CaseReader {
 public:
  explicit CaseReader(Context& context) : types_(context.types()) {}

  absl::StatusOr<Type> tensor(const nlohmann::ordered_json& json);
  /// Returns the type of a call's result: a tensor, a number, nothing, or a list of these.
  absl::StatusOr<Type> value(const nlohmann::ordered_json& json, int depth = 0);
  /// Returns an argument, in which each tensor is its type.
  absl::StatusOr<Argument> argument(const nlohmann::ordered_json& json, int depth = 0);

 private:
  TypeTable& types_;
};

}  // namespace fx
