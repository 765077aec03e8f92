// ir/support/cli/usage.h - errors of a command line, as opposed to errors of its input.
#pragma once

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// An InvalidArgument for a wrong command line (a missing or pointless option, an
/// unknown name of a pass). Commands then end with status 2.
absl::Status usage_error(std::string_view message);

/// The exit status of a command that ends with this error: 2 for usage_error, 1 for any other.
int exit_status(const absl::Status& error);

}  // namespace fx
