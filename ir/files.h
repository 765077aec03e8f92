// Reading and writing whole files.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <string>
#include <string_view>

namespace fx {

/// A file's bytes. "-" is standard input. Errors name the file and the system's reason.
absl::StatusOr<std::string> read_file(const std::string& path);

/// Writes a whole file, or none of it: a temporary file beside it is renamed when complete. An
/// empty path or "-" is standard output.
absl::Status write_file(const std::string& path, std::string_view text);

}  // namespace fx
