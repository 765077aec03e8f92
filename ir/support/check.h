// Checks of internal invariants. A failed check is a bug in fxcpp, never a user error (for
// those, functions return a status; see status.h). It prints the location and the condition, then
// aborts, even in release builds.
//
//   FX_CHECK(node.graph() == this);
//   FX_CHECK(index < size(), fmt::format("index {} of {}", index, size()));
//   FX_DCHECK(is_sorted(keys));     // only without NDEBUG: for checks on hot paths
//   FX_UNREACHABLE("opcode");       // control flow cannot reach this
#pragma once

#include <string_view>

namespace fx::internal {

/// Prints "file:line: check failed: condition: message" to standard error and aborts.
[[noreturn, gnu::cold, gnu::noinline]] void check_failed(const char* file, int line,
                                                         const char* condition,
                                                         std::string_view message = {});

}  // namespace fx::internal

/// Aborts with a message when `condition` is false. The second, optional argument converts to
/// std::string_view and is only evaluated on failure.
#define FX_CHECK(condition, ...)                     \
  (__builtin_expect(static_cast<bool>(condition), 1) \
       ? static_cast<void>(0)                        \
       : ::fx::internal::check_failed(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__))

/// FX_CHECK in builds without NDEBUG; in other builds, the condition is compiled but not evaluated.
#ifdef NDEBUG
#define FX_DCHECK(condition, ...) \
  (true ? static_cast<void>(0) : FX_CHECK(condition __VA_OPT__(, ) __VA_ARGS__))
#else
#define FX_DCHECK(condition, ...) FX_CHECK(condition __VA_OPT__(, ) __VA_ARGS__)
#endif

/// Marks control flow that cannot be reached; aborts with `message` if it is.
#define FX_UNREACHABLE(message) \
  ::fx::internal::check_failed(__FILE__, __LINE__, "unreachable", message)
