// Plugins: shared objects that add passes, rules, operators and formats to fxcpp or to a program
// that uses it.
//
//   #include "fx/tools/driver/plugin.h"
//
//   absl::Status add_mine(fx::Extensions& extensions) {
//     return extensions.add(fx::Pass{"multiply", "multiplies instead of adding", multiply});
//   }
//   FXCPP_PLUGIN("mine", "passes of my compiler", add_mine)
//
// `fxcpp opt model.fx --load-plugin libmine.so --passes multiply` loads it; your own program loads
// it with load_plugin. CMake's fxcpp_add_plugin(mine mine.cpp) builds it. A plugin requires a
// specific release of fxcpp and a specific C++ ABI, which load_plugin checks.
#pragma once

#include "fx/tools/driver/extensions.h"
#include "fx/tools/driver/release.h"

#include "absl/base/config.h"
#include "absl/base/options.h"
#include "absl/status/status.h"

#include <cstdint>
#include <string>

namespace fx {

/// The result of fxcpp_plugin(). The first three members are the same in every release.
struct PluginInfo {
  uint32_t size;        ///< sizeof(PluginInfo)
  const char* release;  ///< the FXCPP_RELEASE of the headers
  const char* abi;      ///< the FXCPP_ABI of the compilation
  const char* name;
  const char* about;  ///< one line
  absl::Status (*add)(Extensions& extensions);
};

/// Loads the plugin and adds its extensions to `extensions`. On error, nothing is added. A
/// plugin that was already added is not added again. The plugin is never unloaded. Its symbols are
/// not visible to other plugins. Not thread-safe.
///
/// Errors name the file: NotFound if it does not exist; FailedPrecondition if it cannot be loaded,
/// is not a plugin, or belongs to a different release or ABI; the errors of the plugin's function
/// and of Extensions::add_all; Internal if the function throws.
absl::Status load_plugin(const std::string& path, Extensions& extensions);

/// Loads the plugins given by all `--load-plugin FILE` and `--load-plugin=FILE` options in the
/// arguments of a program, in order. Call it before the program declares its options. Returns the
/// errors of load_plugin.
absl::Status load_plugins(int argc, char* const* argv, Extensions& extensions);

}  // namespace fx

// The value of a macro as a string literal.
#define FXCPP_TEXT_OF(macro) #macro
#define FXCPP_VALUE_OF(macro) FXCPP_TEXT_OF(macro)
#ifdef _GLIBCXX_DEBUG
#define FXCPP_CONTAINERS "debug"
#else
#define FXCPP_CONTAINERS "plain"
#endif
/// The properties of a compilation on which the layout of fxcpp's and Abseil's types depends.
#define FXCPP_ABI \
  FXCPP_VALUE_OF(__SIZEOF_POINTER__) "-byte pointers, libstdc++'s "          \
  "C++11 strings " FXCPP_VALUE_OF(_GLIBCXX_USE_CXX11_ABI) ", containers "    \
  FXCPP_CONTAINERS ", Abseil " FXCPP_VALUE_OF(ABSL_LTS_RELEASE_VERSION) "."  \
  FXCPP_VALUE_OF(ABSL_LTS_RELEASE_PATCH_LEVEL) " with std::string_view "     \
  FXCPP_VALUE_OF(ABSL_OPTION_USE_STD_STRING_VIEW)

/// Defines the entry function of a plugin. `add` is a function `absl::Status (fx::Extensions&)`.
#define FXCPP_PLUGIN(name, about, add)                                                       \
  extern "C" __attribute__((visibility("default"))) const ::fx::PluginInfo* fxcpp_plugin() { \
    static const ::fx::PluginInfo info = {                                                   \
        sizeof(::fx::PluginInfo), FXCPP_RELEASE, FXCPP_ABI, (name), (about), (add)};         \
    return &info;                                                                            \
  }                                                                                          \
  static_assert(true, "")
