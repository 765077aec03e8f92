// Compiles a C++ file to a library in another process, loads it, and caches it by its content.
#pragma once

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::cpp {

struct Build {
  std::string source;
  std::string compiler;  ///< empty: $CXX, else c++
  std::vector<std::string> flags;
  std::string cache_folder;  ///< empty: the default of CompileOptions
};

struct Library {
  void* handle = nullptr;  ///< of dlopen; never closed
  bool is_cached = false;  ///< found in the cache
};

/// Returns the library of a source. Unavailable if the compiler does not exist; FailedPrecondition
/// with the compiler's messages if it fails; errors of the file system. The cache folder is created
/// with access for its owner only, and a cached library is used only if its stored source is equal.
absl::StatusOr<Library> build_library(const Build& build);

}  // namespace fx::cpp
