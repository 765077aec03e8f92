// Reading and writing whole files.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace fx {

/// A file that gets its name only by commit(): until then an older file of the name stays, and
/// without commit() no file is left. Follows links; writes into what is not a regular file (a pipe,
/// /dev/null) as it is.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(const void* data, size_t num_bytes);
  /// Unavailable: the first thing that went wrong, opening and writing included, with the system's
  /// reason.
  absl::Status commit();

 private:
  std::string path_;
  std::string place_;      ///< where `path_` leads
  std::string temporary_;  ///< empty: written in place
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

/// A file's bytes. "-" is standard input. Errors name the file and the system's reason.
absl::StatusOr<std::string> read_file(const std::string& path);

/// Writes a whole file, or none of it: a temporary file in its folder is renamed when complete. An
/// empty path or "-" is standard output.
absl::Status write_file(const std::string& path, std::string_view text);

}  // namespace fx
