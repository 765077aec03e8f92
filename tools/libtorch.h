// Finds the libtorch that the part `torch` of the command needs.
#pragma once

#include "absl/status/status.h"

namespace fx::tools {

/// Loads libtorch's shared libraries from the folder in the environment variable FXCPP_TORCH_DIR or
/// Torch_DIR, else from the torch that python3 imports, so that shared objects that need them can be
/// loaded. A folder is libtorch's own or its share/cmake/Torch. NotFound, with the places, if there
/// is none; FailedPrecondition for a folder without libtorch, for a release other than the one with
/// which fxcpp was built, and for libraries that cannot be loaded.
absl::Status load_libtorch();

/// True if the environment variable FXCPP_TORCH_DIR names a folder, which has precedence over the
/// libtorch with which fxcpp was built.
bool is_libtorch_given();

}  // namespace fx::tools
