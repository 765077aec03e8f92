// Python functions whose arguments are not those of the operator that they call.
#pragma once

#include "fx/ir/argument.h"
#include "fx/ir/context.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::aten {

/// The value of each parameter of a signature; the keys are parts of that text.
using Values = absl::flat_hash_map<std::string_view, Argument>;

/// `signature`: a Python function's parameters with their defaults as .fx text writes them, a comma
/// and a blank between them. InvalidArgument when the arguments do not fit.
absl::StatusOr<Values> bind_signature(Context& context, std::string_view function,
                                      std::string_view signature, absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs);

/// What a call of a Python function asks an operator for.
struct PythonCall {
  std::string packet;  ///< aten.dropout
  std::vector<Argument> args;
};

/// The call as the function's row says; none for a function without a row. InvalidArgument when the
/// arguments do not fit the function's signature, Unimplemented for a setting that no operator has
/// (max_norm of an embedding).
absl::StatusOr<std::optional<PythonCall>> python_form(Context& context, std::string_view function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs);

}  // namespace fx::aten
