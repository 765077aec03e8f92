// Reading graphs for the command: see command.h.
#include "fx/ir/files.h"

#include "fx/ir/binary.h"
#include "fx/ir/json.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "tools/command.h"

#include "fmt/format.h"

namespace fx::tools {

absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path) {
  if (path.ends_with(".fxb")) return read_binary_file(context, path);  // mapped, not copied
  FX_ASSIGN_OR_RETURN(std::string text, read_file(path));
  std::string name = path == "-" ? "<stdin>" : path;
  if (is_binary_graph(text)) {
    auto graph = read_binary(context, text);
    return graph.ok() ? std::move(graph) : with_context(graph.status(), name);
  }
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

}  // namespace fx::tools
