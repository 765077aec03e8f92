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
#include <utility>
#include <vector>

namespace fx::ops {

/// The value of each parameter of a signature; the names are parts of that text.
class Values {
 public:
  bool contains(std::string_view name) const { return values_.contains(name); }
  const Argument& at(std::string_view name) const { return values_.at(name).value; }
  /// Which argument of the call it is, positional ones first; -1: the signature's default.
  int given(std::string_view name) const { return values_.at(name).given; }
  void add(std::string_view name, Argument value, int given) {
    values_.emplace(name, Value{std::move(value), given});
  }

 private:
  struct Value {
    Argument value;
    int given;
  };
  absl::flat_hash_map<std::string_view, Value> values_;
};

/// `signature`: a Python function's parameters with their defaults as .fx text writes them, a comma
/// and a blank between them. InvalidArgument when the arguments do not fit.
absl::StatusOr<Values> bind_signature(Context& context, std::string_view function,
                                      std::string_view signature, absl::Span<const Argument> args,
                                      absl::Span<const Kwarg> kwargs);

/// What a call of a Python function asks an operator for.
struct PythonCall {
  std::string packet;  ///< aten.dropout
  std::vector<Argument> args;
  std::vector<int> given;  ///< for each of `args`: which one of the call's it is, -1: a constant
};

/// The call as the function's row says; none for a function without a row. InvalidArgument when the
/// arguments do not fit the function's signature, Unimplemented for a setting that no operator has
/// (max_norm of an embedding).
absl::StatusOr<std::optional<PythonCall>> python_form(Context& context, std::string_view function,
                                                      absl::Span<const Argument> args,
                                                      absl::Span<const Kwarg> kwargs);

}  // namespace fx::ops
