// Finds the libtorch that the part `torch` of the command requires.
#pragma once

#include "absl/status/status.h"

namespace fx::tools {

/// Loads libtorch's shared libraries, so that shared objects that require them can be loaded. Uses
/// the folder in the environment variable FXCPP_TORCH_DIR or Torch_DIR or, if neither is set, the
/// torch that python3 imports. The folder is that of libtorch or its share/cmake/Torch. Returns
/// NotFound, with the searched locations, if there is none, and FailedPrecondition for a folder
/// without libtorch, for a release other than the one with which fxcpp was built, and for libraries
/// that cannot be loaded.
absl::Status load_libtorch();

/// Returns true if the environment variable FXCPP_TORCH_DIR is set. Its folder takes precedence
/// over the libtorch with which fxcpp was built.
bool is_libtorch_given();

}  // namespace fx::tools
