// Status values for invalid command lines, as opposed to invalid input.
#pragma once

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// InvalidArgument for an invalid command line (a missing or unused option, an unknown pass
/// name). Commands then exit with status 2.
absl::Status usage_error(std::string_view message);

/// The exit status of a command that fails with this error: 2 for usage_error, 1 for other errors.
int exit_status(const absl::Status& error);

}  // namespace fx
