// Reads and writes whole files.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace fx {

/// A file that replaces an existing file of the same name only at commit(); without commit() no
/// file is created. Follows links; writes directly to anything that is not a regular file (a pipe,
/// /dev/null).
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* data, size_t num_bytes);
  /// Returns Unavailable, with the system's message, for the first error, including errors
  /// from opening and writing.
  absl::Status commit();

 private:
  std::string path_;
  std::string target_;     ///< `path_` with links resolved
  std::string temporary_;  ///< empty: written in place
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

/// True for a device or pipe, such as /dev/null, whose name does not determine a format.
bool is_device_file(const std::string& path);

/// The bytes of a file. "-" is standard input. Errors contain the file name and the system's
/// message.
absl::StatusOr<std::string> read_file(const std::string& path);

/// Writes a whole file atomically: a temporary file in its folder is renamed when it is complete.
/// An empty path or "-" is standard output.
absl::Status write_file(const std::string& path, std::string_view text);

}  // namespace fx
