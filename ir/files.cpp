// Reading and writing whole files: see files.h.
#include "fx/ir/files.h"

#include "fmt/format.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace fx {
namespace {

struct CloseFile {
  void operator()(FILE* file) const {
    if (file) std::fclose(file);
  }
};
using File = std::unique_ptr<FILE, CloseFile>;

absl::Status io_error(std::string_view what, const std::string& path) {
  return absl::UnknownError(fmt::format("{} {}: {}", what, path, std::strerror(errno)));
}

}  // namespace

absl::StatusOr<std::string> read_file(const std::string& path) {
  File opened(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"));
  if (path != "-" && !opened) return io_error("cannot open", path);
  FILE* file = opened ? opened.get() : stdin;
  std::string text;
  char buffer[65536];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  if (std::ferror(file)) return io_error("cannot read", path);
  return text;
}

absl::Status write_file(const std::string& path, std::string_view text) {
  if (path.empty() || path == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
      return io_error("cannot write to", "standard output");
    return absl::OkStatus();
  }
  std::string temporary = fmt::format("{}.tmp{}", path, getpid());
  File file(std::fopen(temporary.c_str(), "wb"));
  if (!file) return io_error("cannot create", temporary);
  bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
                 std::fflush(file.get()) == 0;
  file.reset();
  if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return absl::OkStatus();
  absl::Status status = io_error("cannot write", path);
  std::remove(temporary.c_str());
  return status;
}

}  // namespace fx
