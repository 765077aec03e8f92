// Propagates errors that a user can cause. Functions that can fail return absl::Status or
// absl::StatusOr<T>; these macros return early on errors.
//
//   absl::StatusOr<Type> infer(const Node& node) {
//     FX_RETURN_IF_ERROR(check_arity(node));
//     FX_ASSIGN_OR_RETURN(const Type type, input_type(node, 0));
//     return type;
//   }
#pragma once

#include "fx/ir/support/check.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string_view>
#include <utility>

namespace fx {

/// Returns the error with "context: " before its message; an OK status is returned unchanged. For
/// callers that can add information, such as the file or the node.
absl::Status with_context(const absl::Status& status, std::string_view context);

namespace internal {

inline absl::Status take_status(absl::Status status) { return status; }
template <typename T>
absl::Status take_status(const absl::StatusOr<T>& value) {
  return value.status();
}
[[noreturn, gnu::cold, gnu::noinline]] void check_ok_failed(const char* file, int line,
                                                            const char* expression,
                                                            const absl::Status& status);

}  // namespace internal
}  // namespace fx

#define FX_INTERNAL_PASTE(a, b) a##b
#define FX_INTERNAL_CONCAT(a, b) FX_INTERNAL_PASTE(a, b)

/// Returns from the enclosing function with the status of the expression (an absl::Status or
/// absl::StatusOr) unless it is OK.
#define FX_RETURN_IF_ERROR(...)                                                               \
  do {                                                                                        \
    if (absl::Status fx_status_ = ::fx::internal::take_status(__VA_ARGS__); !fx_status_.ok()) \
      return fx_status_;                                                                      \
  } while (false)

/// `FX_ASSIGN_OR_RETURN(declaration or lvalue, expression)`: assigns the value of an
/// absl::StatusOr, or returns its status from the enclosing function. It expands to multiple
/// statements: put braces around it after `if` and `for`.
#define FX_ASSIGN_OR_RETURN(target, ...) \
  FX_INTERNAL_ASSIGN_OR_RETURN(FX_INTERNAL_CONCAT(fx_status_or_, __LINE__), target, __VA_ARGS__)
#define FX_INTERNAL_ASSIGN_OR_RETURN(result, target, ...) \
  auto result = __VA_ARGS__;                              \
  if (!result.ok()) return std::move(result).status();    \
  target = *std::move(result)

/// Aborts with the status if the expression, an absl::Status or absl::StatusOr, is not OK: for
/// calls that fail only if fxcpp has a bug.
#define FX_CHECK_OK(...)                                                                      \
  do {                                                                                        \
    if (absl::Status fx_status_ = ::fx::internal::take_status(__VA_ARGS__); !fx_status_.ok()) \
      ::fx::internal::check_ok_failed(__FILE__, __LINE__, #__VA_ARGS__, fx_status_);          \
  } while (false)
