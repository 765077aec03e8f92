// Reading and writing graphs for the command: see command.h.
#include "fx/ir/files/graph_file.h"
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include "fmt/format.h"

namespace fx::tools {

absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path) {
  return read_graph_file(context, path);
}

}  // namespace fx::tools
