// Loads plugins: see plugin.h.
#include "fx/tools/driver/plugin.h"

#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace fx {
namespace {

namespace fs = std::filesystem;

absl::Status failed(const std::string& message) { return absl::FailedPreconditionError(message); }

/// Returns the absolute path, because dlopen searches for names without a slash.
absl::StatusOr<std::string> library_path(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error)) return fs::absolute(path, error).string();
  if (path.find('/') == std::string::npos) return path;
  return absl::NotFoundError("the file does not exist");
}

/// Opens the shared object. Converts exceptions that its initializers throw to errors.
absl::StatusOr<void*> open_library(const std::string& path) {
  FX_ASSIGN_OR_RETURN(const std::string library, library_path(path));
  return without_exceptions(
      [&]() -> absl::StatusOr<void*> {
        void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (handle != nullptr) return handle;
        return failed(fmt::format("it cannot be loaded: {}", dlerror()));
      },
      [](std::string_view what) -> absl::StatusOr<void*> {
        return absl::InternalError(fmt::format("an initializer of the plugin threw {}", what));
      });
}

using Entry = const PluginInfo* (*)();

absl::StatusOr<const PluginInfo*> info_of(void* handle) {
  const auto entry = reinterpret_cast<Entry>(dlsym(handle, "fxcpp_plugin"));
  if (entry == nullptr) {
    return failed(
        "it is not an fxcpp plugin, since it does not define fxcpp_plugin; use FXCPP_PLUGIN "
        "(fx/tools/driver/plugin.h)");
  }
  return without_exceptions(
      [&]() -> absl::StatusOr<const PluginInfo*> { return entry(); },
      [](std::string_view what) -> absl::StatusOr<const PluginInfo*> {
        return absl::InternalError(fmt::format("fxcpp_plugin threw {}", what));
      });
}

absl::Status check_info(const PluginInfo* info) {
  if (info == nullptr) return failed("its function fxcpp_plugin returned null");
  if (info->release == nullptr || info->abi == nullptr)
    return failed("its function fxcpp_plugin returned no release or no ABI");
  if (std::string_view(info->release) != FXCPP_RELEASE) {
    return failed(fmt::format(
        "the plugin was built for fxcpp {}, but this is fxcpp {}; rebuild it with this release",
        info->release, FXCPP_RELEASE));
  }
  const auto has_other_abi = [](std::string_view plugin, std::string_view own) {
    return failed(fmt::format(
        "the plugin was built for a different ABI\n  plugin: {}\n  fxcpp:  {}\nbuild it with "
        "the compiler, standard library and Abseil with which fxcpp was built "
        "(fxcpp_add_plugin)",
        plugin, own));
  };
  if (std::string_view(info->abi) != FXCPP_ABI) return has_other_abi(info->abi, FXCPP_ABI);
  if (info->size != sizeof(PluginInfo)) {
    return has_other_abi(fmt::format("a PluginInfo of {} bytes", info->size),
                         fmt::format("a PluginInfo of {} bytes", sizeof(PluginInfo)));
  }
  if (info->name == nullptr || info->about == nullptr || info->add == nullptr)
    return failed("its function fxcpp_plugin returned no name, no description or no function");
  return absl::OkStatus();
}

absl::Status load(const std::string& path, Extensions& extensions) {
  FX_ASSIGN_OR_RETURN(void* const handle, open_library(path));
  if (std::ranges::find(extensions.plugins(), handle, &LoadedPlugin::handle) !=
      extensions.plugins().end())
    return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(const PluginInfo* const info, info_of(handle));
  FX_RETURN_IF_ERROR(check_info(info));
  Extensions added;
  FX_RETURN_IF_ERROR(
      without_exceptions([&] { return info->add(added); },
                         [&](std::string_view what) {
                           return absl::InternalError(
                               fmt::format("the function of plugin {} threw {}", info->name, what));
                         }));
  const std::string file = fs::path(path).filename().string();
  added.set_origin(file);
  return extensions.add_all(
      added, {.name = info->name, .about = info->about, .file = file, .handle = handle});
}

}  // namespace

absl::Status load_plugin(const std::string& path, Extensions& extensions) {
  return with_context(load(path, extensions), fmt::format("plugin {}", path));
}

absl::Status load_plugins(int argc, char* const* argv, Extensions& extensions) {
  constexpr std::string_view kOption = "--load-plugin";
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (argument == "--") break;
    if (!argument.starts_with(kOption)) continue;
    argument.remove_prefix(kOption.size());
    if (argument.starts_with('=')) {
      FX_RETURN_IF_ERROR(load_plugin(std::string(argument.substr(1)), extensions));
    } else if (argument.empty() && i + 1 < argc) {
      FX_RETURN_IF_ERROR(load_plugin(argv[++i], extensions));
    }
  }
  return absl::OkStatus();
}

}  // namespace fx
