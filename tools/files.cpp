// Reading and writing files for the command: see command.h.
#include "fx/ir/json.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace fx::tools {
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

absl::StatusOr<std::string> read_input(const std::string& path) {
  File opened(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"));
  if (path != "-" && !opened) return io_error("cannot open", path);
  FILE* file = opened ? opened.get() : stdin;
  std::string text;
  char buffer[65536];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, n);
  if (std::ferror(file)) return io_error("cannot read", path);
  return text;
}

absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path) {
  FX_ASSIGN_OR_RETURN(std::string text, read_input(path));
  std::string name = path == "-" ? "<stdin>" : path;
  size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos)
    return absl::InvalidArgumentError(fmt::format("{}: the input is empty", name));
  if (text.compare(0, 4, "PK\x03\x04") == 0) {
    return absl::UnimplementedError(fmt::format(
        "{}: a zip archive (.pt2 or TorchScript), which this build does not read", name));
  }
  auto graph = text[first] == '{' ? read_json(context, text)
                                  : parse_graph(context, text, {.file_name = name});
  if (!graph.ok() && text[first] == '{') return with_context(graph.status(), name);
  return graph;
}

absl::Status write_output(const std::string& path, std::string_view text) {
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

}  // namespace fx::tools
