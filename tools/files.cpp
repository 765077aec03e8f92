// Reading and writing graphs for the command: see command.h.
#include "fx/ir/graph_file.h"
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include "fmt/format.h"

namespace fx::tools {

absl::StatusOr<std::unique_ptr<Graph>> load_graph(Context& context, const std::string& path) {
  return read_graph_file(context, path);
}

absl::Status save_graph(const Graph& graph, const std::string& path) {
  return write_graph_file(graph, path);
}

absl::Status set_input_type(Graph& graph, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    return absl::InvalidArgumentError(fmt::format("--input {}: NAME=TYPE expected", text));
  const std::string name = text.substr(0, equals);
  Node* node = graph.find_node(name);
  if (!node) return absl::NotFoundError(fmt::format("--input {}: there is no node {}", text, name));
  if (node->op() != Opcode::kPlaceholder && node->op() != Opcode::kGetAttr)
    return absl::InvalidArgumentError(fmt::format("--input {}: {} is no input", text, name));
  auto type = graph.context().types().parse(text.substr(equals + 1));
  if (!type.ok()) return with_context(type.status(), fmt::format("--input {}", text));
  if (type->is_tensor()) {
    for (const Dim& size : type->sizes()) {
      if (size.is_int() && size.value() < 0)
        return absl::InvalidArgumentError(
            fmt::format("--input {}: sizes are 0 or more, or symbols, as in f32[s0, 3]", text));
    }
  }
  node->set_type(*type);
  return absl::OkStatus();
}

}  // namespace fx::tools
