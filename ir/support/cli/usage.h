// Errors of a command line, as opposed to errors of the input.
#pragma once

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// InvalidArgument for a wrong command line (a missing or unused option, an unknown name of a
/// pass). Commands then end with status 2.
absl::Status usage_error(std::string_view message);

/// The exit status of a command that ends with this error: 2 for usage_error, 1 for any other.
int exit_status(const absl::Status& error);

}  // namespace fx
