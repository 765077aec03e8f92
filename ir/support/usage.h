// ir/support/usage.h - errors of a command line, apart from errors of its input.
#pragma once

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// An InvalidArgument that says: the command was called wrongly (a missing or pointless option, an
/// unknown name of a pass). Commands then end with status 2.
absl::Status usage_error(std::string_view message);

/// The exit status of a command that ends with this error: 2 for usage_error, 1 for any other.
int exit_status(const absl::Status& error);

}  // namespace fx
