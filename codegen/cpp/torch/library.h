// Compiles C++ code to a library in a separate process, loads the library, and caches it, keyed by
// the code.
#pragma once

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::cpp {

struct Build {
  std::string source;
  std::string compiler;  ///< if empty, $CXX, or c++ if that is not set
  std::vector<std::string> flags;
  std::string cache_folder;  ///< if empty, the default of CompileOptions
  bool precompile = false;   ///< as in CompileOptions
};

struct Library {
  void* handle = nullptr;  ///< the result of dlopen; never closed
  bool is_cached = false;  ///< found in the cache
};

/// Returns the library for a source. Returns Unavailable if the compiler does not exist,
/// FailedPrecondition, with the compiler's messages, if it fails, and the errors of the file
/// system. Creates the cache folder with access only for its owner, and uses a cached library only
/// if its stored source is the same.
absl::StatusOr<Library> build_library(const Build& build);

}  // namespace fx::cpp
