#include "fx/codegen/cpp/torch/library.h"

#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/relu_ops.h>
#include <c10/util/hash.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

extern char** environ;

namespace fx::cpp {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxMessage = 4000;

absl::Status system_error(std::string_view what, int error) {
  return absl::InternalError(fmt::format("{}: {}", what, std::strerror(error)));
}

/// Returns the folder of the loaded libtorch, which contains its libraries and headers.
absl::StatusOr<fs::path> torch_folder() {
  Dl_info info;
  const auto address = reinterpret_cast<const void*>(&at::_ops::relu::call);
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr)
    return absl::NotFoundError("libtorch's library cannot be found");
  std::error_code error;
  const fs::path library = fs::canonical(info.dli_fname, error);
  const fs::path folder = library.parent_path().parent_path();
  if (error || !fs::exists(folder / "include" / "ATen" / "core" / "Tensor.h"))
    return absl::NotFoundError(
        fmt::format("libtorch's headers cannot be found next to {}", info.dli_fname));
  return folder;
}

/// Returns text with the size and modification time of a file, which identify its version.
std::string state_of(const fs::path& path) {
  struct stat info = {};
  if (stat(path.c_str(), &info) != 0) return "unknown";
  return fmt::format("of {} bytes, {}", info.st_size, info.st_mtime);
}

/// Returns the path of a program, which is searched for on PATH unless its name contains a slash;
/// std::nullopt if there is none.
std::optional<fs::path> find_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "";
  while (!folders.empty()) {
    const size_t colon = std::min(folders.find(':'), folders.size());
    fs::path candidate = fs::path(folders.substr(0, colon)) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    folders.remove_prefix(std::min(colon + 1, folders.size()));
  }
  return std::nullopt;
}

absl::StatusOr<fs::path> cache_folder(const std::string& given) {
  fs::path folder = given;
  if (folder.empty()) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache && *cache == '/') {
      folder = fs::path(cache) / "fxcpp";
    } else if (home && *home == '/') {
      folder = fs::path(home) / ".cache" / "fxcpp";
    } else {
      return absl::FailedPreconditionError(
          "neither $XDG_CACHE_HOME nor $HOME is an absolute path; pass a folder for compiled code "
          "(cache_folder)");
    }
  }
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return system_error(folder.string(), errno);
  struct stat info = {};
  if (stat(folder.c_str(), &info) != 0) return system_error(folder.string(), errno);
  // Files in the folder are loaded and run, so other users must not be able to write to it.
  if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return absl::FailedPreconditionError(fmt::format(
        "{} must be owned by this user and must not be writable by other users; choose a different "
        "folder for compiled code",
        folder.string()));
  }
  return folder;
}

/// Runs a program with its output redirected to a file, and returns its exit status.
absl::StatusOr<int> run_program(const std::vector<std::string>& command, const fs::path& messages) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return system_error(command[0], error);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return system_error(command[0], errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Creates the file `path` with a command. Another process may create the same file, so the command
/// writes a temporary file, which is then renamed. Returns FailedPrecondition, with the command's
/// messages, if the command fails.
absl::Status create_file(std::vector<std::string> command, const fs::path& path) {
  const fs::path output = fmt::format("{}.{}.tmp", path.string(), getpid());
  const fs::path messages = fmt::format("{}.{}.txt", path.string(), getpid());
  command.insert(command.end(), {"-o", output.string()});
  std::error_code error;
  FX_ASSIGN_OR_RETURN(const int status, run_program(command, messages));
  const absl::StatusOr<std::string> compiler_output = read_file(messages.string());
  fs::remove(messages, error);
  if (status != 0) {
    fs::remove(output, error);
    return absl::FailedPreconditionError(fmt::format(
        "{} exited with status {}:\n{}", command[0], status,
        compiler_output.ok() ? compiler_output->substr(0, kMaxMessage) : std::string()));
  }
  fs::rename(output, path, error);
  if (error) return absl::InternalError(fmt::format("{}: {}", path.string(), error.message()));
  return absl::OkStatus();
}

/// Returns the precompiled header for a compile command. Creates it if it does not exist. Returns
/// std::nullopt if that fails or if the compiler is not clang (gcc reads the entire file, which is
/// not faster). `inputs` identifies the versions of the compiler and libtorch.
std::optional<fs::path> precompiled_header(std::vector<std::string> command,
                                           const std::string& inputs, const fs::path& folder) {
  std::error_code error;
  const fs::path compiler = fs::canonical(command[0], error);
  if (compiler.filename().string().find("clang") == std::string::npos) return std::nullopt;
  const std::string text = fmt::format("// {}\n#include <ATen/ATen.h>\n", inputs);
  const fs::path header = folder / (c10::sha1(text).str() + ".h");
  fs::path precompiled = header;
  precompiled.replace_extension(".pch");
  if (fs::exists(precompiled, error)) return precompiled;
  if (!write_file(header.string(), text).ok()) return std::nullopt;
  command.insert(command.end(),
                 {"-fpch-instantiate-templates", "-x", "c++-header", header.string()});
  if (!create_file(command, precompiled).ok()) return std::nullopt;
  return precompiled;
}

absl::StatusOr<Library> load(const fs::path& path, bool is_cached) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    return absl::FailedPreconditionError(
        fmt::format("{} cannot be loaded: {}", path.string(), reason ? reason : "unknown reason"));
  }
  return Library{handle, is_cached};
}

}  // namespace

absl::StatusOr<Library> build_library(const Build& build) {
  std::string name = build.compiler;
  if (name.empty()) {
    const char* given = std::getenv("CXX");
    name = given && *given ? given : "c++";
  }
  const std::optional<fs::path> compiler = find_program(name);
  if (!compiler)
    return absl::UnavailableError(fmt::format("the compiler \"{}\" cannot be found", name));
  FX_ASSIGN_OR_RETURN(const fs::path torch, torch_folder());
  FX_ASSIGN_OR_RETURN(const fs::path folder, cache_folder(build.cache_folder));

  std::vector<std::string> command = {compiler->string(),   "-std=c++20", "-shared", "-fPIC", "-w",
                                      "-fvisibility=hidden"};
  command.insert(command.end(), build.flags.begin(), build.flags.end());
  command.insert(command.end(), {"-isystem", (torch / "include").string()});
  const std::vector<std::string> libraries = {(torch / "lib" / "libtorch_cpu.so").string(),
                                              (torch / "lib" / "libc10.so").string()};
  // The first lines of the source file contain all other inputs of the build.
  const std::string inputs = fmt::format("{}\n// compiler {}, libtorch {}", fmt::join(command, " "),
                                         state_of(*compiler), state_of(libraries[0]));
  const std::string text = fmt::format("// {}\n{}", inputs, build.source);
  c10::sha1 hash(text);
  const std::string key = hash.str();
  const fs::path source = folder / (key + ".cpp"), library = folder / (key + ".so");
  std::error_code ignored;
  if (fs::exists(library, ignored)) {
    if (const absl::StatusOr<std::string> cached = read_file(source.string());
        cached.ok() && *cached == text)
      return load(library, /*is_cached=*/true);
  }
  FX_RETURN_IF_ERROR(write_file(source.string(), text));
  std::optional<fs::path> precompiled;
  if (build.precompile) precompiled = precompiled_header(command, inputs, folder);
  std::vector<std::string> sources = {source.string()};
  sources.insert(sources.end(), libraries.begin(), libraries.end());
  if (precompiled) {
    std::vector<std::string> faster = command;
    faster.insert(faster.end(), {"-include-pch", precompiled->string()});
    faster.insert(faster.end(), sources.begin(), sources.end());
    if (create_file(faster, library).ok()) return load(library, /*is_cached=*/false);
  }
  command.insert(command.end(), sources.begin(), sources.end());
  FX_RETURN_IF_ERROR(create_file(command, library));
  if (precompiled)
    fs::remove(*precompiled, ignored);  // out of date, because the code compiles without it
  return load(library, /*is_cached=*/false);
}

}  // namespace fx::cpp
