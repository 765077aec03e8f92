#include "tools/libtorch.h"

#include "fx/ir/support/status.h"

#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "fmt/format.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

namespace fx::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHelp =
    "set FXCPP_TORCH_DIR to the folder of libtorch " FXCPP_TORCH_RELEASE
    " (the folder `torch` of the Python package, or its share/cmake/Torch), or install "
    "torch==" FXCPP_TORCH_RELEASE ".* for python3";

/// Returns the value of an environment variable, or an empty string if it is not set.
std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Returns the folder of the torch that python3 imports, or an empty string if there is none. Does
/// not import torch, because this takes seconds.
std::string python_torch() {
  // NOLINTNEXTLINE(bugprone-command-processor): the command is constant
  FILE* const pipe = popen(
      "python3 -c \"import importlib.util as u, os; s = u.find_spec('torch'); "
      "print(os.path.dirname(s.origin) if s else '')\" 2>/dev/null",
      "r");
  if (pipe == nullptr) return "";
  std::string out;
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) out += buffer;
  pclose(pipe);
  return std::string(absl::StripSuffix(out, "\n"));
}

bool has_libtorch(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / "lib" / "libtorch_cpu.so", error);
}

/// Returns the release in libtorch's CMake package, or an empty string if it is unknown.
std::string release_of(const fs::path& folder) {
  std::ifstream file(folder / "share" / "cmake" / "Torch" / "TorchConfigVersion.cmake");
  constexpr std::string_view kStart = "set(PACKAGE_VERSION \"";
  for (std::string line; std::getline(file, line);) {
    const size_t start = line.find(kStart);
    if (start == std::string::npos) continue;
    const std::string_view version = std::string_view(line).substr(start + kStart.size());
    return std::string(version.substr(0, version.find('"')));
  }
  return "";
}

/// Loads libtorch from a folder. `source` states in messages where the folder comes from.
absl::Status load_from(const fs::path& named, std::string_view source) {
  fs::path folder = named;
  if (!has_libtorch(folder)) folder = named.parent_path().parent_path().parent_path();
  if (!has_libtorch(folder)) {
    return absl::FailedPreconditionError(fmt::format(
        "{} refers to {}, which has no lib/libtorch_cpu.so; {}", source, named.string(), kHelp));
  }
  const std::string release = release_of(folder);
  if (release != FXCPP_TORCH_RELEASE && !release.starts_with(FXCPP_TORCH_RELEASE ".")) {
    return absl::FailedPreconditionError(
        fmt::format("{} refers to libtorch {} in {}, but fxcpp was built with libtorch {}; {}",
                    source, release.empty() ? "of unknown release" : release, folder.string(),
                    FXCPP_TORCH_RELEASE, kHelp));
  }
  for (const char* name : {"libc10.so", "libtorch_cpu.so", "libtorch.so"}) {
    const fs::path library = folder / "lib" / name;
    if (dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL) == nullptr) {
      return absl::FailedPreconditionError(
          fmt::format("cannot load {}: {}", library.string(), dlerror()));
    }
  }
  return absl::OkStatus();
}

}  // namespace

bool is_libtorch_given() { return !environment("FXCPP_TORCH_DIR").empty(); }

absl::Status load_libtorch() {
  for (const char* variable : {"FXCPP_TORCH_DIR", "Torch_DIR"}) {
    if (const std::string folder = environment(variable); !folder.empty())
      return load_from(folder, variable);
  }
  if (const std::string folder = python_torch(); !folder.empty())
    return load_from(folder, "python3's torch");
  return absl::NotFoundError(
      fmt::format("libtorch was not found: FXCPP_TORCH_DIR and Torch_DIR are not set, and python3 "
                  "cannot import torch; {}",
                  kHelp));
}

}  // namespace fx::tools
