// codegen/cpp/torch/library.h - a C++ file becomes a loaded library: compiled by another process,
// kept by its content.
#pragma once

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::cpp {

struct Build {
  std::string source;
  std::string compiler;  ///< empty: $CXX, else c++
  std::vector<std::string> flags;
  std::string cache_folder;  ///< empty: the user's
};

struct Library {
  void* handle = nullptr;  ///< of dlopen; never closed
  bool was_kept = false;   ///< found, not compiled
};

/// Unavailable when there is no such compiler; FailedPrecondition with the compiler's messages when
/// it fails; other errors of the file system. The folder is made for its user alone, and what it
/// holds is taken only when its source is this one.
absl::StatusOr<Library> build_library(const Build& build);

}  // namespace fx::cpp
