#include "tools/parts.h"

#include "fx/ir/support/status.h"
#include "tools/libtorch.h"

#include "fmt/format.h"

#include <dlfcn.h>

#include <filesystem>
#include <string_view>
#include <system_error>

namespace fx::tools {
namespace {

namespace fs = std::filesystem;

/// Returns the path of a part. FXCPP_PARTS is relative to the prefix of the command's real path.
fs::path part_path(std::string_view name) {
  std::error_code error;
  const fs::path command = fs::read_symlink("/proc/self/exe", error);
  return command.parent_path().parent_path() / FXCPP_PARTS / fmt::format("{}.so", name);
}

/// Loads a part and returns the result of its function fxcpp_part. `remedy` is the end of the
/// message for a missing part. If the part cannot be loaded, calls `prepare` and tries again.
template <class Part>
absl::StatusOr<const Part*> load_part(std::string_view name, std::string_view library,
                                      std::string_view remedy,
                                      absl::Status (*prepare)() = nullptr) {
  const fs::path path = part_path(name);
  std::error_code error;
  if (!fs::exists(path, error)) {
    return absl::UnimplementedError(fmt::format(
        "fxcpp was built without {} ({} does not exist); {}", library, path.string(), remedy));
  }
  // Use lazy binding, because libtorch has hundreds of thousands of symbols.
  void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr && prepare != nullptr) {
    FX_RETURN_IF_ERROR(with_context(prepare(), fmt::format("cannot load {}", path.string())));
    handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  }
  if (handle == nullptr) {
    return absl::FailedPreconditionError(
        fmt::format("cannot load {}: {}", path.string(), dlerror()));
  }
  auto* entry = reinterpret_cast<const Part* (*)()>(dlsym(handle, "fxcpp_part"));
  if (entry == nullptr) {
    return absl::FailedPreconditionError(fmt::format("{} is not part of fxcpp", path.string()));
  }
  const Part* part = entry();
  if (std::string_view(part->version) != FXCPP_VERSION) {
    return absl::FailedPreconditionError(fmt::format(
        "{} belongs to fxcpp {}, but this is fxcpp {}; install both from the same release",
        path.string(), part->version, FXCPP_VERSION));
  }
  return part;
}

absl::StatusOr<const TorchPart*> load_torch_part() {
  if (is_libtorch_given()) FX_RETURN_IF_ERROR(load_libtorch());
  return load_part<TorchPart>("torch", "libtorch",
                              "install the package libfxcpp-torch, or build fxcpp with "
                              "-DFX_WITH_TORCH=ON (scripts/setup installs libtorch)",
                              load_libtorch);
}

}  // namespace

absl::StatusOr<const TorchPart*> torch_part() {
  static const auto kPart = new absl::StatusOr<const TorchPart*>(load_torch_part());
  return *kPart;
}

absl::StatusOr<const GraphvizPart*> graphviz_part() {
  static const auto kPart = new absl::StatusOr<const GraphvizPart*>(load_part<GraphvizPart>(
      "graphviz", "Graphviz's library",
      "install libgraphviz-dev and build again, or render the output of `--to dot`"));
  return *kPart;
}

}  // namespace fx::tools
