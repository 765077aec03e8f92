// Status values for wrong command lines, as opposed to wrong input.
#pragma once

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// InvalidArgument for a wrong command line (a missing or unused option, an unknown pass
/// name). Commands then end with status 2.
absl::Status usage_error(std::string_view message);

/// The exit status of a command that ends with this error: 2 for usage_error, 1 for any other.
int exit_status(const absl::Status& error);

}  // namespace fx
